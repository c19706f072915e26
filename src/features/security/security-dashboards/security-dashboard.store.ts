import type { Insertable } from 'kysely'
import type { Viewer } from '../../../access/actor.ts'
import type { Db, SecurityDashboardProjectTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { readableSecurityFindingsCondition } from '../../../subjects/project.ts'

/**
 * Returns one page of the projects on a user's dashboard in the order they were added, without those that the user may no
 * longer read.
 */
export async function listDashboardProjects(
  db: Db,
  { viewer, user_id }: { viewer: Viewer; user_id: number },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ ids: number[]; total: number | undefined }> {
  const chosen = db
    .selectFrom('security_dashboard_projects')
    .innerJoin('projects', 'projects.id', 'security_dashboard_projects.project_id')
    .where('security_dashboard_projects.user_id', '=', user_id)
    .where(readableSecurityFindingsCondition(viewer))
    .select('projects.id')
  const rows = await chosen
    .orderBy('security_dashboard_projects.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { ids: rows.map(({ id }) => id), total: await countRows(db, chosen) }
}

/** Whether the user's dashboard has that many projects. */
export async function hasDashboardProjectsAtLeast(
  db: Db,
  user_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('security_dashboard_projects')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds a project to a dashboard; returns false if it is there. */
export async function insertDashboardProject(
  db: Db,
  chosen: Insertable<SecurityDashboardProjectTable>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('security_dashboard_projects')
    .values(chosen)
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Removes a project from a dashboard; returns false if it is not there. */
export async function deleteDashboardProject(
  db: Db,
  { user_id, project_id }: { user_id: number; project_id: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('security_dashboard_projects')
    .where('user_id', '=', user_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
