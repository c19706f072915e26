// Starts a manual or delayed job for a user.

import type { ActorUser } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { enqueueJob, withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob, type Job } from '../pipeline-changes/job.ts'
import { resetSkippedJobsAfter } from '../pipelines/retry-pipeline.ts'
import { type CallerOnProject, recheckMayRunJob } from '../pipelines/run-right.ts'
import { setJobVariables } from './job.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'secretKey'>
type Player = CallerOnProject & { user: ActorUser }
type Variable = { key: string; value: string }

/**
 * Starts a manual job as the user, with the given variables. Returns false if the job is not waiting. Throws 403 if the
 * user may not start it, or may not set variables.
 */
export async function playJob(
  { db, clock, secretKey }: Uses,
  player: Player,
  { id, pipeline_id }: Pick<Job, 'id' | 'pipeline_id'>,
  variables: readonly Variable[] = [],
): Promise<boolean> {
  const own = new Map(variables.map((variable) => [variable.key, variable]))
  return withLockedPipeline({ db, clock }, pipeline_id, async (locked) => {
    const { tx } = locked
    const job = await findJob(tx, id)
    if (!job) return false
    await recheckMayRunJob(tx, player, { job, givesVariables: own.size > 0 })
    if (job.status !== 'manual' && job.status !== 'scheduled') return false
    if (own.size > 0) {
      const sealed = [...own.values()].map(({ key, value }) => {
        if (!/^[A-Za-z0-9_]{1,255}$/.test(key)) throw badRequest('job variables are invalid')
        return { key, value: sealSecret(secretKey, value) }
      })
      await setJobVariables(tx, { job_id: id, source: 'play' }, sealed)
    }
    const isStarted = await enqueueJob(locked, { job, changes: { user_id: player.user.id } })
    // Jobs that need this one were skipped because it might never have been started.
    if (isStarted) await resetSkippedJobsAfter(locked, job)
    return isStarted
  })
}
