// The public face of memberships: rows that give a user a level on a group or project.
import type { Insertable, Selectable } from 'kysely'
import type { Db, MemberTable } from '../../db/db.ts'

export type Member = Selectable<MemberTable>

/** The new membership, or undefined when the user has one already. The caller refreshes access. */
export function insertMember(db: Db, member: Insertable<MemberTable>): Promise<Member | undefined> {
  return db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}
