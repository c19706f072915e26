// What reports say, as far as it is what it should be.
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from './read-report.ts'

/** A text that can be kept; undefined for anything else, and for what is longer than texts may be. */
export function textOf(
  value: unknown,
  characters_max: number = limits.reports.text_characters,
): string | undefined {
  if (typeof value !== 'string' || value.length > characters_max) return undefined
  const text = value.trim()
  // Neither database stores NUL or half a character as it is.
  return text === '' || text.includes('\0') || !text.isWellFormed() ? undefined : text
}

export function pathOf(value: unknown): string | undefined {
  return textOf(value, limits.reports.path_characters)
}

/** The objects in a list, as far as it is one. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

const severities: ReadonlySet<string> = new Set([
  'info',
  'unknown',
  'low',
  'medium',
  'high',
  'critical',
])

/** In lower case; `unknown` for whatever is none (docs/api/dependencies.md, "Vulnerabilities"). */
export function severityOf(value: unknown): string {
  const text = textOf(value)?.toLowerCase() ?? ''
  return severities.has(text) ? text : 'unknown'
}

/**
 * What a vulnerability of a report is called: its message, its name, or its first CVE, CWE or other identifier and
 * where it is (docs/api/dependencies.md, "Vulnerabilities").
 */
export function titleOf(vulnerability: Record<string, unknown>, file: string | undefined): string {
  const own = cut(vulnerability.message) ?? cut(vulnerability.name)
  if (own !== undefined) return own
  const identifiers = recordsOf(vulnerability.identifiers)
  const ofType = (wanted: string) =>
    identifiers.find(({ type }) => textOf(type)?.toLowerCase() === wanted)
  const name = cut((ofType('cve') ?? ofType('cwe') ?? identifiers[0])?.name) ?? 'Vulnerability'
  return file === undefined ? name : `${name} in ${file}`
}

/** A title is shortened where a name would be left out. */
function cut(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return textOf(value.slice(0, limits.reports.text_characters).toWellFormed().replaceAll('\0', ''))
}
