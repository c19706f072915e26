// Whether the user of a job may deploy to its environment; checked right before the job runs, however it was started.
import type { Db } from '../../../db/db.ts'
import { findProject } from '../../../subjects/project.ts'
import { actorUserFromUser, findUser } from '../../../subjects/user.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { filterDeployableJobs } from '../protected-environments/protected-environment.ts'

/** Whether the user of a job may deploy to its environment. Jobs without an environment do not deploy and need no query. */
export async function mayJobUserDeploy(
  db: Db,
  job: Pick<Job, 'project_id' | 'user_id' | 'environment_id'>,
): Promise<boolean> {
  if (job.environment_id === null) return true
  const user = job.user_id === null ? undefined : await findUser(db, job.user_id)
  const actor = { user: user && actorUserFromUser(user), token: undefined }
  const found = await findProject(db, actor, { id: job.project_id })
  if (!found) return false
  const { project, level } = found
  return (await filterDeployableJobs(db, project, { actor, level, jobs: [job] })).length === 1
}
