import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import {
  groupAndDescendantIdsQuery,
  projectIdsWithinGroupQuery,
} from '../../../subjects/subtree.ts'

/**
 * Hides a group with everything below it and frees all their paths at once. The group's task deletes the rest. Memberships
 * and invitations are deleted immediately, so that no access remains.
 */
export async function markGroupDeleted(
  db: Db,
  id: number,
  { today }: { today: string },
): Promise<void> {
  await lockAccessRecomputation(db)
  for (const table of ['routes', 'redirects'] as const) {
    await db
      .deleteFrom(table)
      .where((eb) =>
        eb.or([
          eb('namespace_id', 'in', groupAndDescendantIdsQuery(db, id)),
          eb('project_id', 'in', projectIdsWithinGroupQuery(db, id)),
        ]),
      )
      .execute()
  }
  await endAccess(db, id, today)
  await db
    .updateTable('projects')
    .set({ state: 'deleting' })
    .where('namespace_id', 'in', groupAndDescendantIdsQuery(db, id))
    .execute()
  await db
    .updateTable('namespaces')
    .set({ state: 'deleting' })
    .where('id', 'in', groupAndDescendantIdsQuery(db, id))
    .execute()
}

/**
 * Deletes the memberships, invitations and shares of the subtree, and its shares in other groups and
 * projects.
 */
async function endAccess(db: Db, id: number, today: string): Promise<void> {
  const invitedInto = await db
    .deleteFrom('namespace_shares')
    .where((eb) =>
      eb.or([
        eb('shared_with_id', 'in', groupAndDescendantIdsQuery(db, id)),
        eb('namespace_id', 'in', groupAndDescendantIdsQuery(db, id)),
      ]),
    )
    .returning('namespace_id')
    .execute()
  const sharedProjects = await db
    .deleteFrom('project_shares')
    .where((eb) =>
      eb.or([
        eb('shared_with_id', 'in', groupAndDescendantIdsQuery(db, id)),
        eb('project_id', 'in', projectIdsWithinGroupQuery(db, id)),
      ]),
    )
    .returning('project_id')
    .execute()
  for (const table of ['members', 'invitations'] as const) {
    await db
      .deleteFrom(table)
      .where((eb) =>
        eb.or([
          eb('namespace_id', 'in', groupAndDescendantIdsQuery(db, id)),
          eb('project_id', 'in', projectIdsWithinGroupQuery(db, id)),
        ]),
      )
      .execute()
  }
  await db
    .deleteFrom('project_access')
    .where('project_id', 'in', projectIdsWithinGroupQuery(db, id))
    .execute()
  const namespaceIds = new Set([id, ...invitedInto.map(({ namespace_id }) => namespace_id)])
  const projectIds = new Set(sharedProjects.map(({ project_id }) => project_id))
  await recomputeNamespaceAccess(db, [...namespaceIds], { today })
  await recomputeProjectAccess(db, [...projectIds], { today })
}

export async function isGroupMarkedDeleted(db: Db, id: number): Promise<boolean> {
  const group = await db
    .selectFrom('namespaces')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst()
  return group?.state === 'deleting'
}

/** Returns at most `limit` projects of the group and the groups below it, whatever their state. */
export function listProjectsOfGroupAndDescendants(
  db: Db,
  groupId: number,
  limit: number,
): Promise<{ id: number }[]> {
  return db
    .selectFrom('projects')
    .innerJoin('namespace_ancestors', 'namespace_ancestors.namespace_id', 'projects.namespace_id')
    .select('projects.id')
    .where('namespace_ancestors.ancestor_id', '=', groupId)
    .orderBy('projects.id')
    .limit(limit)
    .execute()
}

/** Unlinks the avatars of the groups, which a task deletes later. */
export async function unlinkGroupAvatars(tx: Db, groupId: number, now: string): Promise<void> {
  await tx
    .updateTable('avatars')
    .set({ owner_kind: null, owner_id: null, unlinked_since: now })
    .where('owner_kind', '=', 'group')
    .where('owner_id', 'in', groupAndDescendantIdsQuery(tx, groupId))
    .execute()
}

/** Deletes a group with all subgroups, with one statement for each depth, since children must be deleted first. */
export async function deleteNamespaces(db: Db, groupId: number): Promise<void> {
  const { depth_max } = await db
    .selectFrom('namespace_ancestors')
    .select(({ fn }) => fn.max('depth').as('depth_max'))
    .where('ancestor_id', '=', groupId)
    .executeTakeFirstOrThrow()
  for (let depth = depth_max; depth >= 0; depth--) {
    await db
      .deleteFrom('namespaces')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('namespace_ancestors')
          .select('namespace_ancestors.namespace_id')
          .where('namespace_ancestors.ancestor_id', '=', groupId)
          .where('namespace_ancestors.depth', '=', depth),
      )
      .execute()
  }
}
