// Stops an environment: through the stop job of its last deployment, or at once.
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { playJob } from '../jobs/play-job.ts'
import { enqueueJob, withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { recheckMayRunJob } from '../pipelines/run-right.ts'
import {
  type Environment,
  findEnvironmentStopJob,
  listEnvironmentsToStop,
  updateEnvironment,
} from './environment.store.ts'

type Uses = Pick<Instance, 'db' | 'clock'>

type Stopper = Parameters<typeof playJob>[1]

/**
 * Stops an environment: through its stop job, which starts as the user, or at once if it has none or `isForced`. Throws
 * 403 if the user may not start that job, even if forced.
 */
export async function stopEnvironment(
  uses: Parameters<typeof playJob>[0],
  stopper: Stopper,
  environment: Environment,
  { isForced }: { isForced: boolean },
): Promise<Environment> {
  if (environment.state === 'stopped') return environment
  const job = await findEnvironmentStopJob(uses.db, environment.id)
  if (job) await recheckMayRunJob(uses.db, stopper, { job })
  const isStarted = job !== undefined && !isForced && (await playJob(uses, stopper, job))
  return setStopped(uses, environment, isStarted)
}

function setStopped(
  { db, clock }: Uses,
  { id }: Environment,
  isStarted: boolean,
): Promise<Environment> {
  return updateEnvironment(db, id, {
    state: isStarted ? 'stopping' : 'stopped',
    auto_stop_at: null,
    updated_at: timestamp(clock),
  })
}

/** Stops an environment after its auto-stop time, as the owner of its stop job. */
async function stopByTime(uses: Uses, environment: Environment): Promise<void> {
  const { db } = uses
  const job = await findEnvironmentStopJob(db, environment.id)
  const isStarted =
    job !== undefined &&
    (await withLockedPipeline(uses, job.pipeline_id, async (locked) => {
      const current = await findJob(locked.tx, job.id)
      return current?.status === 'manual' && enqueueJob(locked, { job: current })
    }))
  await setStopped(uses, environment, isStarted)
}

const batch_size = 100

/** Stops environments whose auto-stop time has passed. A stopped one is not found again. */
export const stopOverdueEnvironmentsTask = defineTask({
  name: 'stop-overdue-environments',
  lane: 'delivery',
  every_ms: 5 * 60_000,
  async run(uses: Uses) {
    for (;;) {
      const overdue = await listEnvironmentsToStop(uses.db, timestamp(uses.clock), batch_size)
      for (const environment of overdue) {
        await stopByTime(uses, environment)
      }
      if (overdue.length < batch_size) return
    }
  },
})
