import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { User } from '../../../subjects/user.ts'
import { listAssignees, participantsQuery } from './issuable.store.ts'

/** One page of the users an issue or merge request concerns. */
export async function listParticipants(
  db: Db,
  issuable: Pick<Issuable, 'id' | 'author_id'>,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: User[]; total: number | undefined }> {
  const matching = participantsQuery(db, issuable)
  const rows = await matching
    .selectAll('users')
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}

/** Who is assigned, by id. */
export const listAssigned = listAssignees
