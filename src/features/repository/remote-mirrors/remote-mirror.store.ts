import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, RemoteMirrorTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type RemoteMirror = Selectable<RemoteMirrorTable>

/** Returns one page of a project's mirrors in the order of their creation. */
export async function listRemoteMirrors(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: RemoteMirror[]; total: number | undefined }> {
  const query = db.selectFrom('remote_mirrors').where('project_id', '=', project_id)
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns the mirrors that are updated after pushes to a project. */
export function listEnabledMirrors(db: Db, project_id: number): Promise<RemoteMirror[]> {
  return db
    .selectFrom('remote_mirrors')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('enabled', '=', true)
    .execute()
}

export function findRemoteMirror(
  db: Db,
  by: { id: number; project_id?: number },
): Promise<RemoteMirror | undefined> {
  const query = db.selectFrom('remote_mirrors').selectAll().where('id', '=', by.id)
  const { project_id } = by
  return (
    project_id === undefined ? query : query.where('project_id', '=', project_id)
  ).executeTakeFirst()
}

/** Whether the project has that many mirrors. */
export async function hasMirrorsAtLeast(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('remote_mirrors')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertRemoteMirror(
  tx: Db,
  mirror: Insertable<RemoteMirrorTable>,
): Promise<RemoteMirror> {
  return tx.insertInto('remote_mirrors').values(mirror).returningAll().executeTakeFirstOrThrow()
}

/** Returns the changed row; undefined if it was deleted. */
export function updateRemoteMirror(
  db: Db,
  id: number,
  changes: Updateable<RemoteMirrorTable>,
): Promise<RemoteMirror | undefined> {
  return db
    .updateTable('remote_mirrors')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteRemoteMirror(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('remote_mirrors').where('id', '=', id).execute()
}
