// The token of a job: good while it runs, with the rights of the job's user (docs/api/ci.md, "Job tokens").
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { forbidden, unauthorized } from '../../../kernel/errors.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { actorUserOf, findUser, standingProblem } from '../../../subjects/user.ts'
import { findCiSettings } from '../pipelines/pipeline.ts'
import { findJobByDigest } from './job.store.ts'

/** Who a job's token stands for. 401 for one that nobody knows or whose job does not run. */
export async function authenticateJobToken(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<Actor & { job: NonNullable<Actor['job']> }> {
  const job = await findJobByDigest(db, digestToken(token))
  const user =
    job?.status === 'running' && job.user_id ? await findUser(db, job.user_id) : undefined
  if (!job || !user) throw unauthorized()
  const problem = standingProblem(user, timestamp(clock))
  if (problem) throw forbidden(problem)
  return {
    user: actorUserOf(user),
    token: undefined,
    job: {
      id: job.id,
      project_id: job.project_id,
      pipeline_id: job.pipeline_id,
      isLimited: (await findCiSettings(db, job.project_id)).ci_job_token_scope_enabled,
    },
  }
}
