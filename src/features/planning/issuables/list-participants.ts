import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { NoteReader } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'
import { listAssignees, participantsQuery } from './issuable.store.ts'

/** One page of the users an issue or merge request concerns, as far as its reader sees why. */
export async function listParticipants(
  db: Db,
  { issuable, reader }: { issuable: Pick<Issuable, 'id' | 'author_id'>; reader: NoteReader },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: User[]; total: number | undefined }> {
  const matching = participantsQuery(db, issuable, reader)
  const rows = await matching
    .selectAll('users')
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}

/** Who is assigned, by id. */
export const listIssuableAssignees = listAssignees
