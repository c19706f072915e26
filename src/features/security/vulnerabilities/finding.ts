// Parses an entry of a report; pure (docs/api/vulnerabilities.md, "Reports").
import { createHash } from 'node:crypto'
import { LongText } from '../../../http/long-text.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { isRecord } from '../../../kernel/record.ts'
import { toStorableJson, toStorableText } from '../../../kernel/storable.ts'
import { findingLocationKey, type VulnerabilityReportType } from './report-types.ts'
import type { Vulnerability } from './vulnerability.ts'

export type FindingIdentifier = { type: string; name: string; value: string; url: string | null }

export type Finding = Pick<
  Vulnerability,
  | 'title'
  | 'description'
  | 'message'
  | 'solution'
  | 'severity'
  | 'confidence'
  | 'scanner'
  | 'scanner_name'
  | 'primary_identifier'
  | 'location_fingerprint'
  | 'location'
  | 'identifiers'
  | 'compare_key'
  | 'metadata'
> & {
  /** Identifies the same finding in other places of the code, most reliable first. */
  signatures: string[]
}

/** An entry of a report lacks the fields that identify it; the message names them. */
export class FindingError extends Error {}

type Json = Record<string, unknown>
type Scanner = { id: string; name: string }

const characters = {
  name: 255,
  value: 1024,
  description: 15_000,
  message: 3000,
  solution: 7000,
  location: 16_000,
  metadata: 64_000,
} as const
const identifiers_max = 20
const signatures_max = 20

export const vulnerabilitySeverities = [
  'info',
  'unknown',
  'low',
  'medium',
  'high',
  'critical',
] as const
export const vulnerabilityConfidences = [
  ...(['ignore', 'unknown', 'experimental', 'low'] as const),
  ...(['medium', 'high', 'confirmed'] as const),
]
/** The algorithms of signatures, most reliable first. */
const algorithms: readonly unknown[] = [
  'scope_offset_compressed',
  'scope_offset',
  'location',
  'hash',
]
/** Identifiers of classes of weaknesses: two findings with the same one may still differ. */
const classTypes: ReadonlySet<string> = new Set(['cwe', 'wasc'])

export const sha1Hex = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Parses the finding of an entry. Throws FindingError if it has no location or no identifier. */
export function parseFinding(
  type: VulnerabilityReportType,
  entry: unknown,
  scannerOfReport: Scanner | undefined,
): Finding {
  const json = asObject(entry)
  if (!json) throw new FindingError('is not an object')
  const location = asObject(json.location)
  if (!location) throw new FindingError('has no location')
  const identifiers = readIdentifiers(json.identifiers)
  const [primary] = identifiers
  if (!primary) throw new FindingError('has no identifiers')
  const scanner = parseReportScanner(json.scanner) ??
    scannerOfReport ?? { id: 'unknown', name: 'unknown' }
  const key = identifierKey(primary)
  return {
    title: titleOf(json, identifiers, location),
    description: cut(json.description, characters.description),
    message: cut(json.message, characters.message),
    solution: cut(json.solution, characters.solution),
    severity: oneOf(vulnerabilitySeverities, json.severity),
    confidence: oneOf(vulnerabilityConfidences, json.confidence),
    scanner: scanner.id,
    scanner_name: scanner.name,
    primary_identifier: key,
    location_fingerprint: sha1Hex(findingLocationKey(type, location)),
    location: toStorableJson(bounded(location)) as Json,
    identifiers,
    compare_key: cut(json.cve, characters.value),
    metadata: toStorableJson(readMetadata(json)) as Json,
    signatures: readSignatures(json.tracking).map((text) => sha1Hex(`${type}:${key}:${text}`)),
  }
}

/**
 * Returns hashes of the identifiers of a finding, except classes of weaknesses. Two findings at the same location with a
 * common identifier are the same.
 */
export function hashFindingIdentifiers(identifiers: readonly FindingIdentifier[]): string[] {
  return identifiers.filter(({ type }) => !classTypes.has(type.toLowerCase())).map(identifierKey)
}

export function parseReportScanner(value: unknown): Scanner | undefined {
  const json = asObject(value)
  const id = cut(json?.id, characters.name)
  return id ? { id, name: cut(json?.name, characters.name) ?? id } : undefined
}

function identifierKey({ type, value }: FindingIdentifier): string {
  return sha1Hex(`${type.toLowerCase()}:${value}`)
}

function readIdentifiers(value: unknown): FindingIdentifier[] {
  if (!Array.isArray(value)) return []
  const read: FindingIdentifier[] = []
  for (const one of value.slice(0, identifiers_max)) {
    const json = asObject(one)
    const type = cut(json?.type, characters.name)
    const text = cut(json?.value, characters.value)
    const name = cut(json?.name, characters.name) ?? text
    if (!type || !text || !name) continue
    read.push({ type, name, value: text, url: cut(json?.url, characters.value) })
  }
  return read
}

/** Returns the title of a finding; without a text in the report it is `<identifier> in <file>`. */
function titleOf(json: Json, identifiers: readonly FindingIdentifier[], location: Json): string {
  const own = cut(json.message, characters.name) ?? cut(json.name, characters.name)
  if (own) return own
  const ofType = (wanted: string) => identifiers.find(({ type }) => type.toLowerCase() === wanted)
  const { name = '' } = ofType('cve') ?? ofType('cwe') ?? identifiers[0] ?? {}
  const file = cut(location.file, characters.value)
  return cut(file ? `${name} in ${file}` : name, characters.name) ?? ''
}

function readSignatures(value: unknown): string[] {
  const items = asObject(value)?.items
  const found: { rank: number; text: string }[] = []
  for (const item of Array.isArray(items) ? items.slice(0, signatures_max) : []) {
    const signatures = asObject(item)?.signatures
    for (const one of Array.isArray(signatures) ? signatures.slice(0, signatures_max) : []) {
      const json = asObject(one)
      const rank = algorithms.indexOf(json?.algorithm)
      const text = cut(json?.value, characters.value)
      if (rank >= 0 && text) found.push({ rank, text: `${algorithms[rank]}:${text}` })
    }
  }
  const sorted = found.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text)
  return [...new Set(sorted)].slice(0, signatures_max)
}

const metadataNames = ['links', 'flags', 'details', 'evidence', 'assets', 'raw_source_code_extract']

function readMetadata(json: Json): Json {
  const all = Object.fromEntries(metadataNames.map((name) => [name, ownValue(json, name)]))
  if (isWithin(all, characters.metadata)) return all
  return json.links !== undefined && isWithin(json.links, characters.metadata)
    ? { links: json.links }
    : {}
}

const locationNames = [
  ...['file', 'start_line', 'end_line', 'class', 'method', 'hostname', 'path', 'param', 'image'],
  ...['operating_system', 'crash_type', 'crash_state', 'crash_address'],
]

/** Returns the location. If it is too long, only its known fields are kept, shortened. */
function bounded(json: Json): Json {
  if (isWithin(json, characters.location)) return json
  const plain = locationNames.flatMap((name) => {
    const value = ownValue(json, name)
    const short = typeof value === 'number' ? value : cut(value, characters.name)
    return short === null ? [] : [[name, short] as const]
  })
  const dependency = asObject(json.dependency)
  if (!dependency) return Object.fromEntries(plain)
  const name = cut(asObject(dependency.package)?.name, characters.value)
  const version = cut(dependency.version, characters.name)
  return { ...Object.fromEntries(plain), dependency: { package: { name }, version } }
}

/** Returns whether the JSON of a value has at most about this many characters. Stops reading beyond that. */
function isWithin(value: unknown, characters_max: number): boolean {
  return charactersLeft(value, characters_max) >= 0
}

function charactersLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length
  if (value instanceof LongText) return -1
  if (typeof value !== 'object' || value === null) return left - 1
  if (Object.keys(value).length > left) return -1
  let rest = left
  for (const [name, member] of Object.entries(value)) {
    rest = charactersLeft(member, rest - name.length - 1)
    if (rest < 0) return rest
  }
  return rest
}

function asObject(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined
}

/** Returns a text cut to a maximum length in a form that both databases can store; null for a blank text or another value. */
function cut(value: unknown, characters_max: number): string | null {
  if (typeof value !== 'string') return null
  const text = toStorableText(value)
  if (text.trim() === '') return null
  return text.length <= characters_max
    ? text
    : `${text.slice(0, characters_max - 3)}...`.toWellFormed()
}

function oneOf<const T extends string>(known: readonly T[], value: unknown): T | 'unknown' {
  const wanted = typeof value === 'string' ? value.toLowerCase() : ''
  return known.find((one) => one === wanted) ?? 'unknown'
}
