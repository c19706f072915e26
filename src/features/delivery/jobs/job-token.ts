// The token of a job, valid while it runs, with the rights of the job's user (docs/api/ci.md, "Job tokens").

import { type Actor, withoutAdminRights } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { digestToken } from '../../../kernel/ids.ts'
import {
  actorUserFromUser,
  ensureAccountUsable,
  findUser,
  type User,
} from '../../../subjects/user.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { getCiSettings } from '../pipelines/pipeline.ts'
import { findJobByTokenDigest } from './job.store.ts'

/** Returns the caller of a job token. Throws 401 for an unknown token and for a job that is not running. */
export async function authenticateJobToken(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  token: string,
): Promise<Actor & { job: NonNullable<Actor['job']> }> {
  const job = await findJobByTokenDigest(db, digestToken(token))
  const user =
    job?.status === 'running' && job.user_id ? await findUser(db, job.user_id) : undefined
  if (!job || !user) throw credentialRefusal({ kind: 'gone' })
  ensureAccountUsable(user, timestamp(clock))
  return findJobActor(db, job, user)
}

/** Returns the actor of a job: its user with their memberships, limited to what the settings of the job's project allow. */
export async function findJobActor(
  db: Db,
  { id, project_id, pipeline_id }: Pick<Job, 'id' | 'project_id' | 'pipeline_id'>,
  user: User,
): Promise<Actor & { job: NonNullable<Actor['job']> }> {
  const { ci_job_token_scope_enabled: isLimited } = await getCiSettings(db, project_id)
  // A job of an administrator fetches its own code even if the administrator is not a member of the project.
  const own_level = user.is_admin ? Level.developer : Level.none
  const job = { id, project_id, pipeline_id, isLimited, own_level }
  return { user: withoutAdminRights(actorUserFromUser(user)), token: undefined, job }
}
