// Public functions of memberships: rows that give a user a level on a group or project.
import type { Insertable, Selectable } from 'kysely'
import { Level } from '../../../access/level.ts'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import type { Db, MemberTable } from '../../../db/db.ts'

export type Member = Selectable<MemberTable>

/** Inserts a membership; returns undefined if the user has one already. The caller recomputes access. */
export function insertMember(db: Db, member: Insertable<MemberTable>): Promise<Member | undefined> {
  return db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether a group has a direct member who is an Owner. */
export async function hasGroupDirectOwner(
  db: Db,
  groupId: number,
  { today }: { today: string },
): Promise<boolean> {
  const owner = await db
    .selectFrom('members')
    .select('id')
    .where('namespace_id', '=', groupId)
    .where('access_level', '=', Level.owner)
    .where(notExpiredCondition('expires_at', today))
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** Makes a user an Owner without expiry, whatever their level was. The caller recomputes access. */
export async function upsertOwnerMembership(
  db: Db,
  {
    user_id,
    created_by_id,
    now,
    ...source
  }: ({ namespace_id: number } | { project_id: number }) & {
    user_id: number
    created_by_id: number
    now: string
  },
): Promise<void> {
  const membership = { access_level: Level.owner, expires_at: null }
  const row = { user_id, created_by_id, created_at: now, ...source, ...membership }
  if (await insertMember(db, row)) return
  const [column, id] =
    'project_id' in source
      ? (['project_id', source.project_id] as const)
      : (['namespace_id', source.namespace_id] as const)
  await db
    .updateTable('members')
    .set(membership)
    .where('user_id', '=', user_id)
    .where(column, '=', id)
    .execute()
}

/** Returns the groups whose only Owner, direct or inherited, is the user, oldest first. */
export async function listSolelyOwnedGroups(
  db: Db,
  userId: number,
  { today, limit }: { today: string; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .select('namespaces.id')
    .where('members.user_id', '=', userId)
    .where('members.access_level', '=', Level.owner)
    .where(notExpiredCondition('members.expires_at', today))
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.state', '=', 'ready')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('namespace_ancestors as tree')
            .innerJoin('members as other', 'other.namespace_id', 'tree.ancestor_id')
            .select('other.id')
            .whereRef('tree.namespace_id', '=', 'namespaces.id')
            .where('other.user_id', '!=', userId)
            .where('other.access_level', '=', Level.owner)
            .where(notExpiredCondition('other.expires_at', today)),
        ),
      ),
    )
    .orderBy('namespaces.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
