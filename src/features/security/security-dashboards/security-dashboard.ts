// Public functions of security dashboards: the projects that a user chose.
import type { Db } from '../../../db/db.ts'

/** Selects the ids of the projects on a user's dashboard. Does not check whether the user may still read them. */
export function dashboardProjectIdsQuery(db: Db, user_id: number) {
  return db
    .selectFrom('security_dashboard_projects')
    .select('security_dashboard_projects.project_id')
    .where('security_dashboard_projects.user_id', '=', user_id)
}
