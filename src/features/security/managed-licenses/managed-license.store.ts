import type { Insertable } from 'kysely'
import type { Db, ManagedLicenseTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { ManagedLicense } from './managed-license.ts'

/** Returns one page of a project's licence policies in the order of their creation. */
export async function listManagedLicenses(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ManagedLicense[]; total: number | undefined }> {
  const query = db.selectFrom('managed_licenses').where('project_id', '=', project_id)
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns the policy with that id or, if there is none, with exactly that name. */
export async function findManagedLicense(
  db: Db,
  project_id: number,
  idOrName: string,
): Promise<ManagedLicense | undefined> {
  const query = db.selectFrom('managed_licenses').selectAll().where('project_id', '=', project_id)
  const byId = /^\d{1,15}$/.test(idOrName)
    ? await query.where('id', '=', Number(idOrName)).executeTakeFirst()
    : undefined
  return byId ?? query.where('name', '=', idOrName).executeTakeFirst()
}

/** Whether the project has that many policies. */
export async function hasManagedLicenses(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('managed_licenses')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a policy; returns undefined if the project has one with that name. */
export function insertManagedLicense(
  db: Db,
  license: Insertable<ManagedLicenseTable>,
): Promise<ManagedLicense | undefined> {
  return db
    .insertInto('managed_licenses')
    .values(license)
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateManagedLicense(
  db: Db,
  id: number,
  changes: Pick<ManagedLicense, 'approval_status' | 'updated_at'>,
): Promise<ManagedLicense> {
  return db
    .updateTable('managed_licenses')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteManagedLicense(db: Db, id: number): Promise<void> {
  await db.deleteFrom('managed_licenses').where('id', '=', id).execute()
}
