import type { Db, Visibility } from '../../../db/db.ts'

/** Returns the visibility of the project's group and of its fork source; null for each that is missing. */
export function findVisibilitiesOfGroupAndForkSource(
  db: Db,
  id: number,
): Promise<{ group: Visibility | null; source: Visibility | null }> {
  return db
    .selectFrom('projects')
    .leftJoin('namespaces', (join) =>
      join.onRef('namespaces.id', '=', 'projects.namespace_id').on('namespaces.kind', '=', 'group'),
    )
    .leftJoin('projects as source', (join) =>
      join.onRef('source.id', '=', 'projects.forked_from_id').on('source.state', '=', 'ready'),
    )
    .select(['namespaces.visibility as group', 'source.visibility as source'])
    .where('projects.id', '=', id)
    .executeTakeFirstOrThrow()
}
