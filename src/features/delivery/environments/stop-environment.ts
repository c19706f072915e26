// An environment is stopped: by its job, where its last deployment names one, or at once.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { changePipeline, enqueueJob } from '../pipelines/change-pipeline.ts'
import { findJob } from '../pipelines/job.ts'
import {
  type Environment,
  findStopJob,
  listOverdue,
  updateEnvironment,
} from './environment.store.ts'

type Uses = { db: Db; clock: Clock }

/** Starts the job that stops it, as the user; without one, or when forced, it is stopped now. */
export async function stopEnvironment(
  uses: Uses,
  environment: Environment,
  { user_id, isForced }: { user_id: number | undefined; isForced: boolean },
): Promise<Environment> {
  const { db, clock } = uses
  if (environment.state === 'stopped') return environment
  const job = isForced ? undefined : await findStopJob(db, environment.id)
  const isStarted =
    job !== undefined &&
    (await changePipeline(uses, job.pipeline_id, async (tx) => {
      const current = await findJob(tx, job.id)
      if (current?.status !== 'manual') return false
      const changes = user_id === undefined ? {} : { user_id }
      return enqueueJob(tx, clock, { job: current, changes })
    }))
  return updateEnvironment(db, environment.id, {
    state: isStarted ? 'stopping' : 'stopped',
    auto_stop_at: null,
    updated_at: timestamp(clock),
  })
}

const batch_size = 100

/** Stops environments whose time is over; one that is stopped is not found again. */
export const stopOverdue = defineTask({
  name: 'stop-overdue-environments',
  lane: 'delivery',
  every_ms: 5 * 60_000,
  async run(uses: Uses) {
    for (;;) {
      const overdue = await listOverdue(uses.db, timestamp(uses.clock), batch_size)
      for (const environment of overdue) {
        await stopEnvironment(uses, environment, { user_id: undefined, isForced: false })
      }
      if (overdue.length < batch_size) return
    }
  },
})
