import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { NoteReader } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'
import { listAssignees, participantsQuery } from './issuable.store.ts'

/** Returns one page of the participants of an issue or merge request, as far as the reader may know of them. */
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

/** Returns the assignees by issuable id. */
export const listIssuableAssignees = listAssignees
