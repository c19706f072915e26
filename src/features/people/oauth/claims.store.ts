import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

/** Returns the paths of the groups in which a user has a level, direct or inherited, with the level. */
export function listGroupAccessLevels(
  db: Db,
  user_id: number,
): Promise<{ full_path: string; access_level: number }[]> {
  return db
    .selectFrom('namespace_access as access')
    .innerJoin('namespaces', 'namespaces.id', 'access.namespace_id')
    .select(['namespaces.full_path', 'access.access_level'])
    .where('access.user_id', '=', user_id)
    .where('namespaces.kind', '=', 'group')
    .orderBy('namespaces.full_path')
    .limit(limits.oauth.groups_max)
    .execute()
}

/** Returns the paths of the groups that a user is a direct member of. */
export async function listDirectGroupPaths(db: Db, user_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .select('namespaces.full_path')
    .where('members.user_id', '=', user_id)
    .orderBy('namespaces.full_path')
    .limit(limits.oauth.groups_max)
    .execute()
  return rows.map(({ full_path }) => full_path)
}
