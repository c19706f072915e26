// Dates, numbers and sizes as the reader's language writes them.

import { language } from './language.ts'

const numbers = new Intl.NumberFormat(language)
const fractions = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'long' })
const plurals = new Intl.PluralRules(language)

export const formatCount = (number: number) => numbers.format(number)
export const formatDateTime = (date: Date) => exact.format(date)
export const formatDay = (date: Date) => days.format(date)

/** Midnight of a date such as `2030-03-01`, where the reader is. */
export function localMidnight(date: string): Date {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, dayOfMonth)
}

/** `1 commit`, `1,204 commits`. */
export function formatCountWithNoun(number: number, one: string, many: string): string {
  return `${formatCount(number)} ${plurals.select(number) === 'one' ? one : many}`
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatRelativeTime(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  }
  return relative.format(0, 'second')
}

/** Seconds as `1 h 2 min`, `3 min 12 s`, `41 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (hours > 0) return `${formatCount(hours)} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`
}

/** Bytes as `6.1 KB`; a thousand is 1,024. */
export function formatBytes(size: number): string {
  const names = ['B', 'KB', 'MB', 'GB', 'TB']
  let [value, step] = [size, 0]
  while (value >= 1024 && step < names.length - 1) {
    value /= 1024
    step += 1
  }
  const isWhole = step === 0 || value >= 100
  return `${isWhole ? value.toFixed(0) : fractions.format(value)} ${names[step]}`
}
