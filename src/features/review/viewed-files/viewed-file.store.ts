import type { Insertable, Selectable } from 'kysely'
import type { Db, ViewedFileTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type ViewedFile = Selectable<ViewedFileTable>

/** The user of the marks, and their merge request. */
type Of = { user_id: number; issuable_id: number }

const filesOf = (db: Db, { user_id, issuable_id }: Of) =>
  db
    .selectFrom('viewed_files')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)

/** Returns one page of the files that the user has marked as viewed, by path. */
export async function listViewedFiles(
  db: Db,
  of: Of,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ViewedFile[]; total: number | undefined }> {
  const matching = filesOf(db, of)
  const rows = await matching.selectAll().orderBy('path').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('issuable_id as id')) }
}

export async function countViewedFiles(db: Db, of: Of): Promise<number> {
  const { count } = await filesOf(db, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Marks a file, or moves its mark to another version. */
export function upsertViewedFile(tx: Db, file: Insertable<ViewedFileTable>): Promise<ViewedFile> {
  const { head_sha, viewed_at } = file
  return tx
    .insertInto('viewed_files')
    .values(file)
    .onConflict((conflict) =>
      conflict.columns(['issuable_id', 'user_id', 'path']).doUpdateSet({ head_sha, viewed_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes the mark. Returns false if the file was not marked. */
export async function deleteViewedFile(tx: Db, of: Of & { path: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('viewed_files')
    .where('issuable_id', '=', of.issuable_id)
    .where('user_id', '=', of.user_id)
    .where('path', '=', of.path)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
