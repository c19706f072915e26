import type { Db } from '../db/db.ts'

/** Selects the ids of a group and all groups below it. */
export function groupAndDescendantIdsQuery(db: Db, groupId: number) {
  return db
    .selectFrom('namespace_ancestors')
    .select('namespace_ancestors.namespace_id')
    .where('namespace_ancestors.ancestor_id', '=', groupId)
}

/** Selects the ids of all projects below the group, whatever their state. */
export function projectIdsWithinGroupQuery(db: Db, groupId: number) {
  return db
    .selectFrom('projects')
    .select('projects.id')
    .where('projects.namespace_id', 'in', groupAndDescendantIdsQuery(db, groupId))
}
