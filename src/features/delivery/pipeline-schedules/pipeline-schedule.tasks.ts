import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import {
  type DueSchedule,
  listDueSchedules,
  setNextRunOfSchedules,
} from './pipeline-schedule.store.ts'
import { runSchedule } from './run-schedule.ts'
import { nextScheduleRunAt } from './schedule-problems.ts'

/** Runs a schedule. The run is the pipeline's origin, so a repeated run creates no second pipeline. */
export const runScheduleTask = defineTask({
  name: 'run-schedule',
  lane: 'delivery',
  // Retries for some minutes only: a nightly pipeline that starts at noon is worse than none.
  attempts_max: 6,
  run: runSchedule,
})

/** The interval at which due schedules are searched, and so the longest delay of a run. */
const look_every_ms = 10_000
const schedules_a_batch = 500

/**
 * Enqueues a run of every due schedule and sets its next time, in one transaction: if several nodes find a schedule due, one
 * of them runs it. However many times were missed, it runs once.
 */
export async function startDueSchedules({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  for (let found = schedules_a_batch; found === schedules_a_batch; ) {
    const now = clock()
    const due = await listDueSchedules(db, { now: now.toISOString(), limit: schedules_a_batch })
    found = due.length
    const moves = due.map((schedule) => ({ ...schedule, to: nextScheduleRunAt(schedule, now) }))
    // Schedules with the same due time and the same next time are updated in one statement.
    const groups = Map.groupBy(moves, ({ next_run_at, to }) => `${next_run_at} ${to}`)
    await runTransaction(db, async (tx) => {
      for (const group of groups.values()) await startTogether(tx, clock, group)
    })
  }
}

async function startTogether(
  tx: Db,
  clock: Clock,
  group: readonly (DueSchedule & { to: string | null })[],
): Promise<void> {
  const [first] = group
  if (!first) return
  const { next_run_at: due_at, to: next_run_at } = first
  const ids = await setNextRunOfSchedules(tx, {
    ids: group.map(({ id }) => id),
    due_at,
    next_run_at,
  })
  const requests = ids.map((pipeline_schedule_id) => {
    const origin = `schedule:${pipeline_schedule_id}:${due_at}`
    return { key: origin, payload: { pipeline_schedule_id, origin } }
  })
  await enqueueAll(tx, clock, { task: runScheduleTask, requests })
}

export const pipelineScheduleTasks = [
  runScheduleTask,
  defineTask({
    name: 'start-due-schedules',
    lane: 'delivery',
    every_ms: look_every_ms,
    run: startDueSchedules,
  }),
]
