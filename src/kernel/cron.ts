// Computes when a schedule is due: five cron fields in the local time of a zone (docs/api/ci.md, "Cron expressions").
// Temporal knows the zones and their clock changes.
import { ownValue } from './own-value.ts'

/** The times that a cron expression matches, in local time. Lists are sorted; `undefined` days match all days. */
export type Cron = {
  minutes: readonly number[]
  hours: readonly number[]
  monthDays: MonthDays | undefined
  months: readonly number[]
  weekdays: WeekDays | undefined
}

type MonthDays = { days: ReadonlySet<number>; isLastToo: boolean }
/**
 * Weekdays; 0 is Sunday. `nth` contains pairs of a weekday and its number in the month; negative numbers
 * count from the end.
 */
type WeekDays = { days: ReadonlySet<number>; nth: readonly { day: number; place: number }[] }

const characters_max = 255

const shortcuts = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@noon': '0 12 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

type Field = { min: number; max: number; names?: readonly string[] }

const minuteField: Field = { min: 0, max: 59 }
const hourField: Field = { min: 0, max: 23 }
const monthDayField: Field = { min: 1, max: 31 }
const monthField: Field = {
  min: 1,
  max: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
}
/** Days of the week; 0 and 7 are both Sunday. */
const weekdayField: Field = {
  min: 0,
  max: 7,
  names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
}

/** Parses a cron expression; returns undefined for a malformed one. Of six fields the first, seconds, is ignored. */
export function parseCron(text: string): Cron | undefined {
  if (text.length > characters_max) return undefined
  const written = text.trim().toLowerCase()
  const fields = (ownValue<string>(shortcuts, written) ?? written).split(/\s+/)
  if (fields.length === 6 && !readField(fields.shift() ?? '', minuteField)) return undefined
  if (fields.length !== 5) return undefined
  const [minute = '', hour = '', monthDay = '', month = '', weekday = ''] = fields
  const minutes = readField(minute, minuteField)
  const hours = readField(hour, hourField)
  const months = readField(month, monthField)
  const monthDays = isAny(monthDay) ? 'any' : readMonthDays(monthDay)
  const weekdays = isAny(weekday) ? 'any' : readWeekdays(weekday)
  if (!minutes || !hours || !months || !monthDays || !weekdays) return undefined
  return {
    minutes,
    hours,
    months,
    monthDays: monthDays === 'any' ? undefined : monthDays,
    weekdays: weekdays === 'any' ? undefined : weekdays,
  }
}

const isAny = (field: string): boolean => field === '*' || field === '?'

function readMonthDays(field: string): MonthDays | undefined {
  const parts = field.split(',')
  const others = parts.filter((part) => part !== 'l')
  const days = others.length > 0 ? readField(others.join(','), monthDayField) : []
  return days && { days: new Set(days), isLastToo: others.length < parts.length }
}

function readWeekdays(field: string): WeekDays | undefined {
  const parts = field.split(',')
  const nth = parts.filter((part) => part.includes('#')).map(readPlace)
  const others = parts.filter((part) => !part.includes('#'))
  const days = others.length > 0 ? readField(others.join(','), weekdayField) : []
  if (!days || !nth.every((place) => place !== undefined)) return undefined
  return { days: new Set(days.map((day) => day % 7)), nth }
}

/** Parses `mon#2` (the second Monday of a month), and `mon#-1` or `mon#l` (the last one). */
function readPlace(text: string): WeekDays['nth'][number] | undefined {
  const [name = '', place = '', ...rest] = text.split('#')
  const day = readNumber(name, weekdayField)
  if (day === undefined || rest.length > 0 || !/^(?:-?[1-5]|l)$/.test(place)) return undefined
  return { day: day % 7, place: place === 'l' ? -1 : Number(place) }
}

/** Returns the sorted numbers of a list of values, ranges and steps. */
function readField(text: string, field: Field): number[] | undefined {
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const range = readRange(part, field)
    if (!range) return undefined
    for (const number of range) numbers.add(number)
  }
  return [...numbers].sort((a, b) => a - b)
}

/** Reads `*`, a single value or a range, each with an optional step. A range may wrap around (`22-3`). */
function readRange(text: string, field: Field): number[] | undefined {
  const [range = '', stepText, ...rest] = text.split('/')
  const step = stepText === undefined ? 1 : readNumber(stepText, { min: 1, max: 999 })
  if (rest.length > 0 || step === undefined) return undefined
  const top = field.max === 7 ? 6 : field.max
  const [firstText = '', lastText, ...more] = range.split('-')
  const isWhole = range === '*' || range === '?'
  const first = isWhole ? field.min : readNumber(firstText, field)
  const last = isWhole ? top : lastText === undefined ? undefined : readNumber(lastText, field)
  if (first === undefined || more.length > 0) return undefined
  if (lastText !== undefined && last === undefined) return undefined
  const end = last ?? (stepText === undefined ? first : Math.max(top, first))
  const span = end >= first ? end - first : end - first + top - field.min + 1
  const numbers: number[] = []
  for (let at = 0; at <= span; at += step) {
    const number = first + at
    numbers.push(number > field.max ? number - (top - field.min + 1) : number)
  }
  return numbers
}

function readNumber(text: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(text) ?? -1
  if (named >= 0) return named + min
  if (!/^\d{1,3}$/.test(text)) return undefined
  const number = Number(text)
  return number >= min && number <= max ? number : undefined
}

/** The rarest day, a fifth Monday of February, comes every 28 years, or 40 around 2100. */
const years_max = 41

/**
 * Returns the first time after `after` that the expression matches in the zone; undefined if there is none, as for February
 * 30. A local time that is skipped by a clock change is later by the skipped duration. One that occurs twice counts once,
 * unless the expression matches every hour.
 */
export function nextCronTime(cron: Cron, zone: string, after: Date): Date | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone)
  const next = nextTimeIn(cron, zone, local)
  if (!next || cron.hours.length < 24) return next && new Date(next.epochMilliseconds)
  // An expression that matches every hour is also evaluated without the clock change, so that no hour is left
  // out.
  const steady = nextTimeIn(cron, local.offset, local)?.withTimeZone(zone)
  const isSooner = steady && Temporal.ZonedDateTime.compare(steady, next) < 0
  const first = isSooner && namesTime(cron, steady.toPlainDateTime()) ? steady : next
  return new Date(first.epochMilliseconds)
}

function nextTimeIn(
  cron: Cron,
  zone: string,
  after: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime | undefined {
  let local = nextLocalTime(cron, after.toPlainDateTime())
  while (local) {
    const time = local.toZonedDateTime(zone, { disambiguation: 'compatible' })
    if (Temporal.ZonedDateTime.compare(time, after) > 0) return time
    // This local time has already occurred before the clocks were set back.
    local = nextLocalTime(cron, local)
  }
  return undefined
}

/** Returns the first matching minute after that of `after`. */
function nextLocalTime(
  cron: Cron,
  after: Temporal.PlainDateTime,
): Temporal.PlainDateTime | undefined {
  const begin = after.add({ minutes: 1 })
  const sameHour = cron.minutes.find((minute) => minute >= begin.minute)
  const nextHour = cron.hours.find((hour) => hour > begin.hour)
  const today = begin.toPlainDate()
  if (namesDay(cron, today)) {
    if (cron.hours.includes(begin.hour) && sameHour !== undefined) {
      return today.toPlainDateTime({ hour: begin.hour, minute: sameHour })
    }
    if (nextHour !== undefined) {
      return today.toPlainDateTime({ hour: nextHour, minute: cron.minutes[0] })
    }
  }
  const day = nextDay(cron, today)
  return day?.toPlainDateTime({ hour: cron.hours[0], minute: cron.minutes[0] })
}

function nextDay(cron: Cron, after: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const end = after.year + years_max
  let day = after.add({ days: 1 })
  while (day.year <= end) {
    if (namesDay(cron, day)) return day
    day = cron.months.includes(day.month)
      ? day.add({ days: 1 })
      : day.with({ day: 1 }).add({ months: 1 })
  }
  return undefined
}

function namesTime(cron: Cron, time: Temporal.PlainDateTime): boolean {
  const isTime = cron.hours.includes(time.hour) && cron.minutes.includes(time.minute)
  return isTime && namesDay(cron, time.toPlainDate())
}

/** Returns whether a date matches. If both a day of the month and a weekday are given, one of them is enough. */
function namesDay({ months, monthDays, weekdays }: Cron, date: Temporal.PlainDate): boolean {
  if (!months.includes(date.month)) return false
  if (monthDays && weekdays) return isMonthDay(monthDays, date) || isWeekday(weekdays, date)
  if (monthDays) return isMonthDay(monthDays, date)
  return !weekdays || isWeekday(weekdays, date)
}

function isMonthDay({ days, isLastToo }: MonthDays, { day, daysInMonth }: Temporal.PlainDate) {
  return days.has(day) || (isLastToo && day === daysInMonth)
}

function isWeekday({ days, nth }: WeekDays, { day, dayOfWeek, daysInMonth }: Temporal.PlainDate) {
  const weekday = dayOfWeek % 7
  const fromStart = Math.ceil(day / 7)
  const fromEnd = -Math.ceil((daysInMonth - day + 1) / 7)
  const isPlace = (place: number) => place === fromStart || place === fromEnd
  return days.has(weekday) || nth.some((one) => one.day === weekday && isPlace(one.place))
}
