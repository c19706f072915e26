// The public face of security dashboards: the projects that a user chose.
import type { Db } from '../../../db/db.ts'

/** The ids of the projects somebody chose, for `in`; whether they may still read them is asked besides. */
export function dashboardProjectIdsQuery(db: Db, user_id: number) {
  return db
    .selectFrom('security_dashboard_projects')
    .select('security_dashboard_projects.project_id')
    .where('security_dashboard_projects.user_id', '=', user_id)
}
