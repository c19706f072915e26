// Dates in the format of strftime(3), as far as dates need it.
import { ownValue } from '../../../kernel/own-value.ts'

const months = [
  ...(['January', 'February', 'March', 'April', 'May', 'June'] as const),
  ...(['July', 'August', 'September', 'October', 'November', 'December'] as const),
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const day_ms = 24 * 60 * 60_000

const directives: Record<string, (date: Date) => string | number> = {
  Y: (date) => date.getUTCFullYear(),
  C: (date) => padded(Math.floor(date.getUTCFullYear() / 100)),
  y: (date) => padded(date.getUTCFullYear() % 100),
  m: (date) => padded(date.getUTCMonth() + 1),
  B: (date) => months[date.getUTCMonth()] ?? '',
  b: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  d: (date) => padded(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2),
  j: (date) =>
    padded(Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / day_ms) + 1, 3),
  H: (date) => padded(date.getUTCHours()),
  I: (date) => padded(date.getUTCHours() % 12 || 12),
  M: (date) => padded(date.getUTCMinutes()),
  S: (date) => padded(date.getUTCSeconds()),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  A: (date) => days[date.getUTCDay()] ?? '',
  a: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  u: (date) => date.getUTCDay() || 7,
  w: (date) => date.getUTCDay(),
  s: (date) => Math.floor(date.getTime() / 1000),
  F: (date) => date.toISOString().slice(0, 10),
  T: (date) => date.toISOString().slice(11, 19),
  D: (date) => formatDateByPattern(date, '%m/%d/%y'),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

function padded(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

/** Formats a date in UTC. `%-d` omits the padding; unknown directives are kept. */
export function formatDateByPattern(date: Date, format: string): string {
  return format.replace(/%(-?)([A-Za-z%])/g, (whole, dash: string, letter: string) => {
    const text = ownValue(directives, letter)?.(date)
    if (text === undefined) return whole
    return dash === '' ? String(text) : String(text).replace(/^[ 0]*([^ 0].*|0)$/, '$1')
  })
}
