import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, DraftNoteTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type DraftNote = Selectable<DraftNoteTable>

/** The author and the merge request of drafts. */
type Of = { author_id: number; issuable_id: number }

const draftsOf = (db: Db, { author_id, issuable_id }: Of) =>
  db
    .selectFrom('draft_notes')
    .where('author_id', '=', author_id)
    .where('issuable_id', '=', issuable_id)

/** Returns one page of the author's drafts on a merge request, oldest first. */
export async function listDraftNotes(
  db: Db,
  of: Of,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: DraftNote[]; total: number | undefined }> {
  const matching = draftsOf(db, of)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function findDraftNote(db: Db, of: Of & { id: number }): Promise<DraftNote | undefined> {
  return draftsOf(db, of).selectAll().where('id', '=', of.id).executeTakeFirst()
}

export async function countDraftNotes(db: Db, of: Of): Promise<number> {
  const { count } = await draftsOf(db, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertDraftNote(tx: Db, draft: Insertable<DraftNoteTable>): Promise<DraftNote> {
  return tx.insertInto('draft_notes').values(draft).returningAll().executeTakeFirstOrThrow()
}

export function updateDraftNote(
  tx: Db,
  id: number,
  fields: Updateable<DraftNoteTable>,
): Promise<DraftNote> {
  return tx
    .updateTable('draft_notes')
    .set(fields)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the draft. Returns false if another request has deleted it, so that it is published only once. */
export async function deleteDraftNote(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('draft_notes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
