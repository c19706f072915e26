import type { Insertable, Updateable } from 'kysely'
import type { AlertIntegrationTable, Db } from '../../../db/db.ts'
import { lockUntilCommit } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { AlertIntegration } from './alert-integration.ts'

const integrations_lock = 6

/** Serializes the creation of integrations, so that their limit holds. */
export function lockAlertIntegrations(tx: Db): Promise<void> {
  return lockUntilCommit(tx, integrations_lock)
}

/** Returns one page of a project's integrations in the order they were added. */
export async function listAlertIntegrations(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: AlertIntegration[]; total: number | undefined }> {
  const query = db.selectFrom('alert_integrations').where('project_id', '=', project_id)
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findAlertIntegration(
  db: Db,
  project_id: number,
  id: number,
): Promise<AlertIntegration | undefined> {
  return db
    .selectFrom('alert_integrations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Whether the project has that many integrations of a type. */
export async function hasAlertIntegrationsAtLeast(
  db: Db,
  { project_id, type, count }: Pick<AlertIntegration, 'project_id' | 'type'> & { count: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('alert_integrations')
    .select('id')
    .where('project_id', '=', project_id)
    .where('type', '=', type)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertAlertIntegration(
  tx: Db,
  row: Insertable<AlertIntegrationTable>,
): Promise<AlertIntegration> {
  return tx.insertInto('alert_integrations').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateAlertIntegration(
  tx: Db,
  id: number,
  changes: Updateable<AlertIntegrationTable>,
): Promise<AlertIntegration> {
  return tx
    .updateTable('alert_integrations')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteAlertIntegration(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('alert_integrations').where('id', '=', id).execute()
}
