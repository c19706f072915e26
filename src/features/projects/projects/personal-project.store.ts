import type { Db } from '../../../db/db.ts'

/** Returns at most `limit` projects in the user's own namespace, whatever their state. */
export function listPersonalProjects(
  db: Db,
  user_id: number,
  limit: number,
): Promise<{ id: number }[]> {
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select('projects.id')
    .where('namespaces.owner_id', '=', user_id)
    .where('namespaces.kind', '=', 'user')
    .orderBy('projects.id')
    .limit(limit)
    .execute()
}
