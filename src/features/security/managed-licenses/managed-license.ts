// Public functions of licence policies: which licences a project allows or denies.
import type { Selectable } from 'kysely'
import type { Db, ManagedLicenseTable } from '../../../db/db.ts'

export type ManagedLicense = Selectable<ManagedLicenseTable>

/** Returns all policies of a project, at most `limits.managed_licenses_max`. */
export function listLicensePolicies(
  db: Db,
  project_id: number,
): Promise<Pick<ManagedLicense, 'id' | 'name' | 'approval_status'>[]> {
  return db
    .selectFrom('managed_licenses')
    .select(['id', 'name', 'approval_status'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
}
