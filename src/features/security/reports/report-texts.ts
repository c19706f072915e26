// Validates values of reports.
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'

/** Returns a text that can be stored; undefined for other values and for a text that is too long. */
export function reportText(
  value: unknown,
  characters_max: number = limits.reports.text_characters,
): string | undefined {
  if (typeof value !== 'string' || value.length > characters_max) return undefined
  const text = value.trim()
  // Neither database can store NUL or an unpaired surrogate unchanged.
  return text === '' || text.includes('\0') || !text.isWellFormed() ? undefined : text
}

export function reportPath(value: unknown): string | undefined {
  return reportText(value, limits.reports.path_characters)
}

/** Returns the objects in a value if it is a list. */
export function reportRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
