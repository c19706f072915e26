// Identifies licences by name: SPDX's list has identifiers and names, which people spell in different ways
// (docs/api/pipeline-licenses.md, "Names").
import type { SbomLicense } from '../reports/read-sbom.ts'

export type SpdxLicense = { id: string; name: string; url: string }
export type FindSpdxLicense = (name: string) => SpdxLicense | undefined

/** Words that do not distinguish licences: `The Apache Software License, Version 2.0` is `Apache 2.0`. */
const empty = new Set(['the', 'license', 'licence', 'licenses', 'version', 'software', 'v'])

/** Returns a key that is the same for different spellings of a name. */
export function normalizeLicenseName(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9+.]/g, ' ')
    .replace(/ v(?=\d)/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !empty.has(word))
  // If no word is left, for example for a name in another script, the whole name is used.
  return words.length > 0 ? words.join(' ') : name.trim().toLowerCase()
}

let opened: Promise<FindSpdxLicense> | undefined

/**
 * Loads the SPDX license list and returns a function that finds a licence by its identifier or name, regardless of case and
 * punctuation.
 */
export function loadSpdxLicenseFinder(): Promise<FindSpdxLicense> {
  opened ??= readList()
  return opened
}

async function readList(): Promise<FindSpdxLicense> {
  const { default: list } = await import('spdx-license-list')
  const byKey = new Map<string, SpdxLicense>()
  // If two identifiers have the same name, the longer one is newer: GPL-2.0-only instead of GPL-2.0.
  const entries = Object.entries(list).toSorted(([a], [b]) => a.length - b.length)
  for (const [id, { name, url }] of entries)
    byKey.set(normalizeLicenseName(name), { id, name, url })
  for (const [id, { name }] of entries) {
    const named = byKey.get(normalizeLicenseName(name))
    if (named) byKey.set(normalizeLicenseName(id), named)
  }
  return (name) => byKey.get(normalizeLicenseName(name))
}

/** Returns the name and SPDX identifier of a licence in a report; undefined without a name. */
export function identifyLicense(
  find: FindSpdxLicense,
  { id, name, expression, url: given }: SbomLicense,
): { name: string; spdx_identifier: string | null; url: string | null } | undefined {
  const text = expression ?? id ?? name
  const url = given ?? null
  if (text === undefined) return undefined
  const known = find(text) ?? (name === undefined ? undefined : find(name))
  if (known) return { name: known.name, spdx_identifier: known.id, url: url ?? known.url }
  if (expression !== undefined) return { name: expression, spdx_identifier: expression, url }
  return { name: name ?? text, spdx_identifier: null, url }
}
