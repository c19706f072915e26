// Queries and changes for moving a group below another one.
import { sql } from 'kysely'
import type { Db, Visibility } from '../../../db/db.ts'
import { groupAndDescendantIdsQuery } from '../../../subjects/subtree.ts'

/** Returns the maximum depth of subgroups below a group. */
export async function findGroupSubtreeDepth(db: Db, id: number): Promise<number> {
  const { depth } = await db
    .selectFrom('namespace_ancestors')
    .select(({ fn }) => fn.max('depth').as('depth'))
    .where('ancestor_id', '=', id)
    .executeTakeFirstOrThrow()
  return depth
}

/** Whether a group is the other one or below it. */
export async function isGroupWithin(db: Db, id: number, ancestorId: number): Promise<boolean> {
  const row = await db
    .selectFrom('namespace_ancestors')
    .select('depth')
    .where('namespace_id', '=', id)
    .where('ancestor_id', '=', ancestorId)
    .executeTakeFirst()
  return row !== undefined
}

/** Moves a group with everything below it under another parent, or to the top level. */
export async function replaceAncestorsOfGroup(
  db: Db,
  id: number,
  parentId: number | undefined,
): Promise<void> {
  await db
    .deleteFrom('namespace_ancestors')
    .where('namespace_id', 'in', groupAndDescendantIdsQuery(db, id))
    .where('ancestor_id', 'not in', groupAndDescendantIdsQuery(db, id))
    .execute()
  if (parentId === undefined) return
  await db
    .insertInto('namespace_ancestors')
    .columns(['namespace_id', 'ancestor_id', 'depth'])
    .expression(
      db
        .selectFrom('namespace_ancestors as below')
        .innerJoin('namespace_ancestors as above', (join) =>
          join.on('above.namespace_id', '=', parentId),
        )
        .select([
          'below.namespace_id',
          'above.ancestor_id',
          sql<number>`below.depth + above.depth + 1`.as('depth'),
        ])
        .where('below.ancestor_id', '=', id),
    )
    .execute()
}

/** Reduces the visibility of everything in a group to the given one. */
export async function lowerVisibilityWithinGroup(
  db: Db,
  id: number,
  visibility: Visibility,
): Promise<void> {
  const above = visibilities.slice(visibilities.indexOf(visibility) + 1)
  if (above.length === 0) return
  await db
    .updateTable('projects')
    .set({ visibility })
    .where('namespace_id', 'in', groupAndDescendantIdsQuery(db, id))
    .where('visibility', 'in', above)
    .execute()
  await db
    .updateTable('namespaces')
    .set({ visibility })
    .where('id', 'in', groupAndDescendantIdsQuery(db, id))
    .where('visibility', 'in', above)
    .execute()
}

const visibilities: readonly Visibility[] = ['private', 'internal', 'public']
