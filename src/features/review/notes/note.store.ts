import type { Insertable, Updateable } from 'kysely'
import type { Db, NoteTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { NoteReader } from '../../../subjects/note.ts'
import {
  joinNoteUsers,
  type Note,
  type NoteWithUsers,
  noteWithUsersFromRow,
  visibleNotesQuery,
} from './note.ts'

type Activity = 'all_notes' | 'only_comments' | 'only_activity'

/** Returns one page of the notes of an issue or merge request that the reader can see. */
export async function listNotes(
  db: Db,
  {
    reader,
    issuable_id,
    order_by,
    sort,
    activity,
  }: {
    reader: NoteReader
    issuable_id: number
    order_by: 'created_at' | 'updated_at'
    sort: 'asc' | 'desc'
    activity: Activity
  },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: NoteWithUsers[]; total: number | undefined }> {
  const matching = visibleNotesQuery(db, reader, issuable_id).$if(
    activity !== 'all_notes',
    (query) => query.where('notes.system', '=', activity === 'only_activity'),
  )
  const rows = await joinNoteUsers(matching)
    .orderBy(`notes.${order_by}`, sort)
    .orderBy('notes.id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: rows.map(noteWithUsersFromRow),
    total: await countRows(db, matching.select('notes.id')),
  }
}

/** Returns the visible notes of threads, oldest first, by thread id. */
export async function listThreadNotes(
  db: Db,
  {
    reader,
    issuable_id,
    discussion_ids,
  }: { reader: NoteReader; issuable_id: number; discussion_ids: readonly string[] },
): Promise<Map<string, NoteWithUsers[]>> {
  if (discussion_ids.length === 0) return new Map()
  const rows = await joinNoteUsers(visibleNotesQuery(db, reader, issuable_id))
    .where('notes.discussion_id', 'in', [...discussion_ids])
    .orderBy('notes.created_at')
    .orderBy('notes.id')
    .execute()
  return Map.groupBy(rows.map(noteWithUsersFromRow), ({ discussion_id }) => discussion_id)
}

/** Returns the first visible note of a thread, without reading the others; undefined for a thread without any. */
export async function findFirstThreadNote(
  db: Db,
  {
    reader,
    issuable_id,
    discussion_id,
  }: { reader: NoteReader; issuable_id: number; discussion_id: string },
): Promise<NoteWithUsers | undefined> {
  const first = visibleNotesQuery(db, reader, issuable_id)
    .select('notes.id')
    .where('notes.discussion_id', '=', discussion_id)
    .orderBy('notes.created_at')
    .orderBy('notes.id')
    .limit(1)
  const row = await joinNoteUsers(
    db.selectFrom('notes').where('notes.id', '=', first),
  ).executeTakeFirst()
  return row && noteWithUsersFromRow(row)
}

/** Returns one page of the ids of threads, in the order of their first notes. */
export async function listThreadIds(
  db: Db,
  { reader, issuable_id }: { reader: NoteReader; issuable_id: number },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: string[]; total: number | undefined }> {
  const threads = visibleNotesQuery(db, reader, issuable_id)
    .groupBy('notes.discussion_id')
    .select(({ fn }) => fn.min('notes.id').as('id'))
  const rows = await threads
    .select('notes.discussion_id')
    .orderBy(({ fn }) => fn.min('notes.created_at'))
    .orderBy(({ fn }) => fn.min('notes.id'))
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows: rows.map((row) => row.discussion_id), total: await countRows(db, threads) }
}

export function insertNote(tx: Db, note: Insertable<NoteTable>): Promise<Note> {
  return tx.insertInto('notes').values(note).returningAll().executeTakeFirstOrThrow()
}

export async function updateNote(
  tx: Db,
  id: number,
  changes: Updateable<NoteTable>,
): Promise<void> {
  await tx.updateTable('notes').set(changes).where('id', '=', id).execute()
}

export async function deleteNote(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('notes').where('id', '=', id).execute()
}

/** Updates the count of notes and the time of the last update. */
export async function updateNotesCount(
  tx: Db,
  issuable: Pick<Issuable, 'id'>,
  { by, now }: { by: 1 | 0 | -1; now: string },
): Promise<void> {
  await tx
    .updateTable('issuables')
    .set((eb) => ({ notes_count: eb('notes_count', '+', by), updated_at: now }))
    .where('id', '=', issuable.id)
    .execute()
}

/** Turns a single note into the first one of a thread. */
export async function convertNoteToThread(
  tx: Db,
  {
    issuable_id,
    discussion_id,
    resolvable,
  }: { issuable_id: number; discussion_id: string; resolvable: boolean },
): Promise<void> {
  await tx
    .updateTable('notes')
    .set({ type: 'DiscussionNote', resolvable })
    .where('issuable_id', '=', issuable_id)
    .where('discussion_id', '=', discussion_id)
    .where('type', 'is', null)
    .execute()
}

/** Resolves or reopens all notes of a thread, or one of them. */
export async function setNotesResolved(
  tx: Db,
  {
    issuable_id,
    discussion_id,
    note_id,
    by,
  }: {
    issuable_id: number
    discussion_id: string
    note_id?: number
    by: { user_id: number; now: string } | undefined
  },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notes')
    .set({ resolved_at: by?.now ?? null, resolved_by_id: by?.user_id ?? null })
    .where('issuable_id', '=', issuable_id)
    .where('discussion_id', '=', discussion_id)
    .where('resolvable', '=', true)
    .where('resolved_at', by ? 'is' : 'is not', null)
    .$if(note_id !== undefined, (query) => query.where('id', '=', note_id ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The maximum number of diff notes that are moved to a new version. */
const placed_notes_max = 1000

/** Returns the newest notes on the diff of a merge request. */
export function listDiffNotePositions(
  db: Db,
  issuable_id: number,
): Promise<Pick<Note, 'id' | 'position'>[]> {
  return db
    .selectFrom('notes')
    .select(['id', 'position'])
    .where('issuable_id', '=', issuable_id)
    .where('type', '=', 'DiffNote')
    .orderBy('id', 'desc')
    .limit(placed_notes_max)
    .execute()
}

export async function updateNotePosition(
  db: Db,
  id: number,
  position: Record<string, unknown>,
): Promise<void> {
  await db
    .updateTable('notes')
    .set({ position: toJson(position) })
    .where('id', '=', id)
    .execute()
}
