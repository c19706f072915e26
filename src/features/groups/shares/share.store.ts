import type { Db } from '../../../db/db.ts'

/** A group that is invited into a group or project (the source). */
export type GroupShare = {
  id: number
  shared_with_id: number
  access_level: number
  expires_at: string | null
  created_at: string
}

type NewShare = Omit<GroupShare, 'id'> & { source_id: number }

/** Inserts an invitation; returns undefined if the group is already invited. The caller recomputes access. */
export function insertGroupShare(
  db: Db,
  { source_id, ...share }: NewShare,
): Promise<GroupShare | undefined> {
  return db
    .insertInto('namespace_shares')
    .values({ namespace_id: source_id, ...share })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Inserts an invitation of a group into a project; returns undefined if there is one already. */
export function insertProjectShare(
  db: Db,
  { source_id, ...share }: NewShare,
): Promise<GroupShare | undefined> {
  return db
    .insertInto('project_shares')
    .values({ project_id: source_id, ...share })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

type Pair = { source_id: number; shared_with_id: number }

export function findGroupShare(db: Db, pair: Pair): Promise<GroupShare | undefined> {
  return db
    .selectFrom('namespace_shares')
    .selectAll()
    .where('namespace_id', '=', pair.source_id)
    .where('shared_with_id', '=', pair.shared_with_id)
    .executeTakeFirst()
}

export function findProjectShare(db: Db, pair: Pair): Promise<GroupShare | undefined> {
  return db
    .selectFrom('project_shares')
    .selectAll()
    .where('project_id', '=', pair.source_id)
    .where('shared_with_id', '=', pair.shared_with_id)
    .executeTakeFirst()
}

export async function deleteGroupShare(db: Db, id: number): Promise<void> {
  await db.deleteFrom('namespace_shares').where('id', '=', id).execute()
}

export async function deleteProjectShare(db: Db, id: number): Promise<void> {
  await db.deleteFrom('project_shares').where('id', '=', id).execute()
}

/** The settings of the groups above a namespace for inviting a group into it. */
export type GroupSharingRules = {
  /** Whether the group or a group above it forbids inviting groups into its projects. */
  isLocked: boolean
  /** Whether the invited group is this group or a group above it. */
  isAbove: boolean
  /**
   * Whether the top-level group forbids inviting groups from outside of its hierarchy, and the invited group
   * is outside.
   */
  isOutside: boolean
}

/** Loads the sharing rules with two queries: the groups above the namespace, and those above the invited group. */
export async function findGroupSharingRules(
  db: Db,
  namespaceId: number,
  invitedId: number,
): Promise<GroupSharingRules> {
  const above = await db
    .selectFrom('namespace_ancestors')
    .innerJoin('namespaces', 'namespaces.id', 'namespace_ancestors.ancestor_id')
    .select([
      'namespaces.id',
      'namespaces.share_with_group_lock',
      'namespaces.prevent_sharing_groups_outside_hierarchy',
    ])
    .where('namespace_ancestors.namespace_id', '=', namespaceId)
    .orderBy('namespace_ancestors.depth')
    .execute()
  const invitedAbove = await db
    .selectFrom('namespace_ancestors')
    .select('ancestor_id')
    .where('namespace_id', '=', invitedId)
    .execute()
  const top = above.at(-1)
  return {
    isLocked: above.some((group) => group.share_with_group_lock),
    isAbove: above.some(({ id }) => id === invitedId),
    isOutside:
      top?.prevent_sharing_groups_outside_hierarchy === true &&
      !invitedAbove.some(({ ancestor_id }) => ancestor_id === top.id),
  }
}
