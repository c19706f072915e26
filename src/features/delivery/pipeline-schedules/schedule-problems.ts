// What may be wrong with a schedule, in the words clients know, and when it runs next.
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { nextCronTime, parseCron } from './cron.ts'
import type { ScheduleRow } from './pipeline-schedule.store.ts'
import { findZone, knownZone } from './time-zones.ts'

type Times = Pick<ScheduleRow, 'cron' | 'cron_timezone'>

/** The messages of model validation by field, none for a schedule that may be saved. */
export function scheduleProblems(
  schedule: Times & Pick<ScheduleRow, 'description' | 'ref'>,
  now: Date,
): FieldErrors {
  const { cron, cron_timezone, description, ref } = schedule
  const zone = findZone(cron_timezone)
  const problems: FieldErrors = {
    cron: cron === '' ? ["can't be blank"] : runsInZone(cron, zone ?? 'UTC', now) ? [] : [syntax],
    cron_timezone: zone === undefined ? [syntax] : [],
    ref: textProblems(ref),
    description: textProblems(description),
  }
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0))
}

/** With a blank before it, as clients know it. */
const syntax = ' is invalid syntax'

function textProblems(text: string): string[] {
  if (text.trim() === '') return ["can't be blank"]
  const maximum = limits.name_characters
  return [...text].length > maximum ? [`is too long (maximum is ${maximum} characters)`] : []
}

/** The first time after `now`, of a schedule without problems; null for one that never runs again. */
export function nextRunAt({ cron, cron_timezone }: Times, now: Date): string | null {
  return nextIn(cron, knownZone(cron_timezone), now)?.toISOString() ?? null
}

function runsInZone(cron: string, zone: string, now: Date): boolean {
  return nextIn(cron, zone, now) !== undefined
}

function nextIn(cron: string, zone: string, now: Date): Date | undefined {
  const parsed = parseCron(cron)
  return parsed && nextCronTime(parsed, zone, now)
}
