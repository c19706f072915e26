import type { Insertable, Selectable, SelectQueryBuilder } from 'kysely'
import type { AwardEmojiTable, Db, Schema } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'

type Award = Selectable<AwardEmojiTable>
export type AwardWithUser = Award & {
  user: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>
}

/** An issue, merge request or note that has awards. */
export type AwardTarget = { column: 'issuable_id' | 'note_id'; id: number }

type Range = { offset: number; per_page: number }
type AwardPage = { rows: AwardWithUser[]; total: number | undefined }

/** Returns one page of the awards of a target, oldest first. */
export function listAwards(
  db: Db,
  { column, id }: AwardTarget,
  { award_id, ...range }: Range & { award_id?: number },
): Promise<AwardPage> {
  const matching = db
    .selectFrom('award_emojis')
    .where(`award_emojis.${column}`, '=', id)
    .$if(award_id !== undefined, (query) => query.where('award_emojis.id', '=', award_id ?? 0))
  return readPage(db, matching, range)
}

/** Returns one page of the awards of all notes on an issue or merge request that the reader can see, oldest first. */
export function listNoteAwards(
  db: Db,
  { issuable_id, reader }: { issuable_id: number; reader: NoteReader },
  range: Range,
): Promise<AwardPage> {
  const notes = db
    .selectFrom('notes')
    .where('notes.issuable_id', '=', issuable_id)
    .where(visibleNotesCondition(db, reader))
  const matching = db
    .selectFrom('award_emojis')
    .where('award_emojis.note_id', 'in', notes.select('notes.id'))
  return readPage(db, matching, range)
}

async function readPage(
  db: Db,
  matching: SelectQueryBuilder<Schema, 'award_emojis', object>,
  { offset, per_page }: Range,
): Promise<AwardPage> {
  const rows = await matching
    .innerJoin('users', 'users.id', 'award_emojis.user_id')
    .selectAll('award_emojis')
    .select(['users.username', 'users.name as user_name', 'users.state', 'users.avatar'])
    .orderBy('award_emojis.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return {
    rows: rows.map(shownAward),
    total: await countRows(db, matching.select('award_emojis.id')),
  }
}

type JoinedAward = Award & Pick<User, 'username' | 'state' | 'avatar'> & { user_name: string }

const shownAward = ({
  username,
  user_name,
  state,
  avatar,
  ...award
}: JoinedAward): AwardWithUser => ({
  ...award,
  user: { id: award.user_id, username, name: user_name, state, avatar },
})

/** Inserts an award; returns undefined if the user has given it already. */
export function insertAward(
  tx: Db,
  award: Insertable<AwardEmojiTable>,
): Promise<Award | undefined> {
  return tx
    .insertInto('award_emojis')
    .values(award)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteAward(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('award_emojis').where('id', '=', id).execute()
}

/** Updates the count of thumbs up or down of an issue or merge request, and for any award the time of its last update. */
export async function updateThumbCount(
  tx: Db,
  issuable: Pick<Issuable, 'id'>,
  { name, by, now }: { name: string; by: 1 | -1; now: string },
): Promise<void> {
  await tx
    .updateTable('issuables')
    .set((eb) => ({
      updated_at: now,
      ...(name === 'thumbsup' && { upvotes: eb('upvotes', '+', by) }),
      ...(name === 'thumbsdown' && { downvotes: eb('downvotes', '+', by) }),
    }))
    .where('id', '=', issuable.id)
    .execute()
}
