// The only place that reads the time. All other code gets a Clock, so that tests can set the time.

/** Returns the current time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Returns the current time as it is stored and sent: ISO 8601, UTC, milliseconds. */
export function timestamp(clock: Clock): string {
  return clock().toISOString()
}

/** Returns the current day in UTC, `YYYY-MM-DD`. */
export function today(clock: Clock): string {
  return utcDayOf(timestamp(clock))
}

/** Returns the UTC day of a timestamp, `YYYY-MM-DD`. */
export function utcDayOf(instant: string): string {
  return instant.slice(0, 10)
}

const day_ms = 24 * 60 * 60 * 1000

/** Returns the day that is so many days after another one; before it for a negative number. */
export function addDays(day: string, count: number): string {
  return utcDayOf(new Date(Date.parse(`${day}T00:00:00Z`) + count * day_ms).toISOString())
}

/**
 * Returns the day that a text begins with, `YYYY-MM-DD`, or null. The year 0 is refused, since PostgreSQL does not have it.
 */
export function parseDay(text: string): string | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text.trimStart())?.[0]
  if (day === undefined || day.startsWith('0000')) return null
  const parsed = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day) ? day : null
}

const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

/** Parses a time in ISO 8601, in UTC if it names no zone. Returns undefined if it is malformed. */
export function parseDateTime(text: string): string | undefined {
  // A plus sign that was not URL-encoded arrives as a space.
  const repaired = text.trim().replace(/ (\d{2}:?\d{2})$/, '+$1')
  if (!dateTimePattern.test(repaired) || parseDay(repaired) === null) return undefined
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(repaired.slice(10))
  const full = repaired.length === 10 ? `${repaired}T00:00` : repaired.replace(' ', 'T')
  const parsed = new Date(hasZone ? full : `${full}Z`)
  const instant = Number.isNaN(parsed.getTime()) ? '' : parsed.toISOString()
  // PostgreSQL supports no years that are 0, or that do not have four digits in UTC.
  return /^(?!0000)\d{4}-/.test(instant) ? instant : undefined
}

/** Returns the milliseconds of a clock that never goes back. For durations only. */
export function monotonic_ms(): number {
  return performance.now()
}
