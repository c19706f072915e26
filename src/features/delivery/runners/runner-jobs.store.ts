import { isAdmin, type Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Job } from '../pipeline-changes/job.ts'

type RunnerJobFilter = {
  runner_id: number
  viewer: Viewer
  status?: CiStatus
  sort: 'asc' | 'desc'
}

/**
 * Returns one page of the jobs of a runner and their total: only those of projects in which the viewer is at least a
 * Reporter, since a runner may serve projects that its owner cannot see.
 */
export async function listRunnerJobs(
  db: Db,
  { runner_id, viewer, status, sort }: RunnerJobFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Job[]; total: number | undefined }> {
  const matching = db
    .selectFrom('jobs')
    .where('runner_id', '=', runner_id)
    .$if(!isAdmin(viewer), (query) =>
      query.where('project_id', 'in', projectsWithRole(db, viewer.user?.id ?? 0)),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'created'))
  const rows = await matching
    .selectAll()
    .orderBy('id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('jobs.id')) }
}

/** Selects the projects in which the user has at least the role Reporter, directly or through a group. */
function projectsWithRole(db: Db, user_id: number) {
  return db
    .selectFrom('project_access')
    .select('project_id as id')
    .where('user_id', '=', user_id)
    .where('access_level', '>=', Level.reporter)
    .union(
      db
        .selectFrom('namespace_access')
        .innerJoin('projects', 'projects.namespace_id', 'namespace_access.namespace_id')
        .select('projects.id')
        .where('namespace_access.user_id', '=', user_id)
        .where('namespace_access.access_level', '>=', Level.reporter),
    )
}
