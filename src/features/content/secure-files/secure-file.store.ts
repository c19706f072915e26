import type { Insertable, Selectable } from 'kysely'
import type { Db, SecureFileTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

const columns = ['id', 'name', 'checksum', 'metadata', 'expires_at', 'created_at'] as const
export type SecureFile = Pick<Selectable<SecureFileTable>, (typeof columns)[number]>

/** Returns files without their content. */
export async function listSecureFiles(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: SecureFile[]; total: number | undefined }> {
  const query = db.selectFrom('secure_files').where('project_id', '=', project_id)
  const rows = await query.select(columns).orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findSecureFile(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<SecureFile | undefined> {
  return db
    .selectFrom('secure_files')
    .select(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the encrypted content of a file. */
export async function readSealedFileContent(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom('secure_files')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.content
}

/** Whether the project has that many files. */
export async function hasSecureFilesAtLeast(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('secure_files')
    .select('id')
    .where('project_id', '=', project_id)
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a file; returns undefined if the project has one with that name. */
export function insertSecureFile(
  db: Db,
  file: Insertable<SecureFileTable>,
): Promise<SecureFile | undefined> {
  return db
    .insertInto('secure_files')
    .values(file)
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteSecureFile(db: Db, id: number): Promise<void> {
  await db.deleteFrom('secure_files').where('id', '=', id).execute()
}
