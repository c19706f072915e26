import type { Db } from '../../../db/db.ts'

/** Returns the number of groups in which a user has access, direct or inherited. */
export async function countGroups(db: Db, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('namespace_access as access')
    .innerJoin('namespaces', 'namespaces.id', 'access.namespace_id')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('access.user_id', '=', user_id)
    .where('namespaces.kind', '=', 'group')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findProjectDescription(db: Db, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('projects')
    .select('description')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.description ?? null
}
