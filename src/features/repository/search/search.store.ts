import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { containsText } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'

/** Members of a group and the groups above it, and of a project in it if one is named. */
export type MemberScope = { namespace_id: number; project_id?: number; today: string }

/**
 * One page of the members whose name or username has the text. Members of invited groups are left out:
 * whoever sees the place need not know of those.
 */
export async function searchMembers(
  db: Db,
  { namespace_id, project_id = 0, today }: MemberScope,
  search: string,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const members = sql<boolean>`users.id in (
    select members.user_id from members
    where (members.expires_at is null or members.expires_at > ${today})
      and (members.project_id = ${project_id} or members.namespace_id in (
        select ancestor_id from namespace_ancestors where namespace_id = ${namespace_id})))`
  const matching = db
    .selectFrom('users')
    .where(members)
    .where((eb) =>
      eb.or([containsText('users.name', search), containsText('users.username', search)]),
    )
  const rows = await matching
    .selectAll('users')
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}
