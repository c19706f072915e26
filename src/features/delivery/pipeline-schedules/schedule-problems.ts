// Validation of a schedule with the messages that clients know, and its next run.

import { nextCronTime, parseCron } from '../../../kernel/cron.ts'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { ScheduleRow } from './pipeline-schedule.store.ts'
import { findIanaTimeZone, ianaTimeZoneOfKnownName } from './time-zones.ts'

type Times = Pick<ScheduleRow, 'cron' | 'cron_timezone'>

/** Returns the validation problems of a schedule by field; empty if it is valid. */
export function scheduleProblems(
  schedule: Times & Pick<ScheduleRow, 'description' | 'ref'>,
  now: Date,
): FieldErrors {
  const { description, ref } = schedule
  return withoutEmpty({
    ...scheduleTimeProblems(schedule, now),
    ref: textProblems(ref),
    description: textProblems(description),
  })
}

/** Returns the validation problems of the time fields. */
export function scheduleTimeProblems({ cron, cron_timezone }: Times, now: Date): FieldErrors {
  const zone = findIanaTimeZone(cron_timezone)
  return withoutEmpty({
    cron: cron === '' ? ["can't be blank"] : runsInZone(cron, zone ?? 'UTC', now) ? [] : [syntax],
    cron_timezone: zone === undefined ? [syntax] : [],
  })
}

function withoutEmpty(problems: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0))
}

/** Clients expect the leading space. */
const syntax = ' is invalid syntax'

function textProblems(text: string): string[] {
  if (text.trim() === '') return ["can't be blank"]
  const maximum = limits.name_characters
  return [...text].length > maximum ? [`is too long (maximum is ${maximum} characters)`] : []
}

/** Returns the first time after `now` of a valid schedule; null if it never runs again. */
export function nextScheduleRunAt({ cron, cron_timezone }: Times, now: Date): string | null {
  return nextIn(cron, ianaTimeZoneOfKnownName(cron_timezone), now)?.toISOString() ?? null
}

/** Returns the next `count` times after `now`, as `nextScheduleRunAt`, with the local times of the zone. */
export function nextScheduleRuns(
  { cron, cron_timezone }: Times,
  { now, count }: { now: Date; count: number },
): { utc: string; local: string }[] {
  const zone = ianaTimeZoneOfKnownName(cron_timezone)
  const times: { utc: string; local: string }[] = []
  let next = nextIn(cron, zone, now)
  while (next && times.length < count) {
    times.push({ utc: next.toISOString(), local: localTime(next, zone) })
    next = nextIn(cron, zone, next)
  }
  return times
}

/** Returns the local time with its offset, such as `2026-03-02T01:00:00.000+09:00`. */
function localTime(time: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toString({
    timeZone: zone,
    fractionalSecondDigits: 3,
  })
}

function runsInZone(cron: string, zone: string, now: Date): boolean {
  return nextIn(cron, zone, now) !== undefined
}

function nextIn(cron: string, zone: string, now: Date): Date | undefined {
  const parsed = parseCron(cron)
  return parsed && nextCronTime(parsed, zone, now)
}
