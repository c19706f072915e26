import { type RawBuilder, sql } from 'kysely'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'

/** Groups of which the user is Owner and nobody else, by the group itself or one above it; the oldest first. */
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
    .where(inForce('members.expires_at', today))
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
            .where(inForce('other.expires_at', today)),
        ),
      ),
    )
    .orderBy('namespaces.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

function inForce(column: string, today: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} > ${today})`
}
