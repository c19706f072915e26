import type { Db } from '../db/db.ts'

/** The ids of a group and everything below it, for `in`. */
export function groupAndDescendantIdsQuery(db: Db, groupId: number) {
  return db
    .selectFrom('namespace_ancestors')
    .select('namespace_ancestors.namespace_id')
    .where('namespace_ancestors.ancestor_id', '=', groupId)
}

/** The ids of all projects in that subtree, whatever their state. */
export function projectIdsWithinGroupQuery(db: Db, groupId: number) {
  return db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.namespace_id', 'in', groupAndDescendantIdsQuery(db, groupId))
}
