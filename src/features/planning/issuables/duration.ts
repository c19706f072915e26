// Time estimates and time spent (docs/api/issues.md, "Time"): 1mo = 4w, 1w = 5d, 1d = 8h.
import { ownValue } from '../../../kernel/own-value.ts'

const hour_s = 3600
const units: Record<string, number> = {
  mo: 4 * 5 * 8 * hour_s,
  w: 5 * 8 * hour_s,
  d: 8 * hour_s,
  h: hour_s,
  m: 60,
  s: 1,
}
const characters_max = 100
const seconds_max = 2_000_000_000

/**
 * Returns the seconds of `1mo 2w 3d 4h 5m 6s`; a bare number is hours, a leading `-` makes it negative. Undefined
 * for other texts.
 */
export function parseTrackedTime_s(text: string): number | undefined {
  const given = text.trim()
  if (given === '' || given.length > characters_max) return undefined
  const isNegative = given.startsWith('-')
  const parts = given
    .replace(/^-/, '')
    .replaceAll(/([a-z])(?=[0-9])/gi, '$1 ')
    .trim()
    .split(/\s+/)
  let total = 0
  for (const part of parts) {
    const [, number, unit = 'h'] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]{0,8})$/i.exec(part) ?? []
    const seconds = ownValue(units, shortUnit(unit.toLowerCase() || 'h'))
    if (number === undefined || seconds === undefined) return undefined
    total += Number(number) * seconds
  }
  if (total > seconds_max) return undefined
  return Math.round(isNegative ? -total : total)
}

const longUnits: Record<string, string> = {
  month: 'mo',
  months: 'mo',
  week: 'w',
  weeks: 'w',
  day: 'd',
  days: 'd',
  hour: 'h',
  hours: 'h',
  hr: 'h',
  hrs: 'h',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
}

function shortUnit(unit: string): string {
  return ownValue(longUnits, unit) ?? unit
}

/** Formats seconds as `1w 2d`; null for 0. */
export function formatTrackedSeconds(seconds: number): string | null {
  if (seconds === 0) return null
  let rest = Math.abs(seconds)
  const parts: string[] = []
  for (const [unit, size] of Object.entries(units)) {
    const number = Math.floor(rest / size)
    if (number > 0) parts.push(`${number}${unit}`)
    rest -= number * size
  }
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`
}
