// Namespaces: the first part of full paths, a personal namespace or a group.
import type { Selectable } from 'kysely'
import type { Db, NamespaceTable } from '../db/db.ts'
import { lowerCaseExpression } from '../db/dialect.ts'

export type Namespace = Selectable<NamespaceTable>

export function findNamespace(db: Db, id: number): Promise<Namespace | undefined> {
  return db.selectFrom('namespaces').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findNamespaceByPath(db: Db, path: string): Promise<Namespace | undefined> {
  return db
    .selectFrom('namespaces')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .selectAll('namespaces')
    .where(lowerCaseExpression('routes.path'), '=', path.toLowerCase())
    .executeTakeFirst()
}

export function findPersonalNamespace(db: Db, userId: number): Promise<Namespace | undefined> {
  return db
    .selectFrom('namespaces')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('kind', '=', 'user')
    .executeTakeFirst()
}

/** Returns the user's level on the namespace; 0 if they have none. */
export async function findUserLevelOnNamespace(
  db: Db,
  userId: number,
  namespaceId: number,
): Promise<number> {
  const row = await db
    .selectFrom('namespace_access')
    .select('access_level')
    .where('user_id', '=', userId)
    .where('namespace_id', '=', namespaceId)
    .executeTakeFirst()
  return row?.access_level ?? 0
}
