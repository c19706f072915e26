import type { Insertable, Selectable, Updateable } from 'kysely'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { ClusterTable, Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import type { ClusterOwner } from './cluster-owner.ts'

/** A cluster as stored, with an encrypted token. */
export type Cluster = Selectable<ClusterTable>
type Owner = Pick<ClusterOwner, 'kind' | 'id'>

function clustersOf(db: Db, { kind, id }: Owner) {
  const query = db.selectFrom('clusters')
  if (kind === 'project') return query.where('clusters.project_id', '=', id)
  if (kind === 'group') return query.where('clusters.namespace_id', '=', id)
  return query.where('clusters.project_id', 'is', null).where('clusters.namespace_id', 'is', null)
}

/** Selects clusters with the users who added them and their management projects. */
function recordsOf(db: Db, owner: Owner) {
  return clustersOf(db, owner)
    .leftJoin('users as adder', 'adder.id', 'clusters.user_id')
    .leftJoin('projects as managing', 'managing.id', 'clusters.management_project_id')
    .leftJoin('namespaces as above', 'above.id', 'managing.namespace_id')
    .selectAll('clusters')
    .select([
      'adder.username as adder_username',
      'adder.name as adder_name',
      'adder.state as adder_state',
      'adder.avatar as adder_avatar',
      'managing.name as managing_name',
      'managing.path as managing_path',
      'managing.description as managing_description',
      'managing.created_at as managing_created_at',
      'above.full_path as above_full_path',
      'above.full_name as above_full_name',
    ])
}

export type ClusterRecord = Awaited<ReturnType<ReturnType<typeof recordsOf>['execute']>>[number]

/** Returns one page of the owner's clusters in the order they were added. */
export async function listClusters(
  db: Db,
  owner: Owner,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ClusterRecord[]; total: number | undefined }> {
  const rows = await recordsOf(db, owner)
    .orderBy('clusters.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, clustersOf(db, owner).select('clusters.id')) }
}

export function findCluster(db: Db, owner: Owner, id: number): Promise<ClusterRecord | undefined> {
  return recordsOf(db, owner).where('clusters.id', '=', id).executeTakeFirst()
}

/** Whether the owner has that many clusters. */
export async function hasClustersAtLeast(db: Db, owner: Owner, count: number): Promise<boolean> {
  const row = await clustersOf(db, owner)
    .select('clusters.id')
    .orderBy('clusters.id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a cluster and returns its id; undefined if there is one with that scope. */
export async function insertCluster(
  tx: Db,
  { kind, id }: Owner,
  row: Omit<Insertable<ClusterTable>, 'project_id' | 'namespace_id'>,
): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('clusters')
    .values({
      ...row,
      project_id: kind === 'project' ? id : null,
      namespace_id: kind === 'group' ? id : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Updates a cluster; returns false if another one has that scope. The caller then has to end the transaction. */
export async function updateCluster(
  tx: Db,
  id: number,
  changes: Updateable<ClusterTable>,
): Promise<boolean> {
  try {
    await tx.updateTable('clusters').set(changes).where('id', '=', id).execute()
    return true
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return false
  }
}

export async function deleteCluster(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('clusters').where('id', '=', id).execute()
}

/**
 * Returns all clusters that jobs of the project may use, with their distance: 0 for clusters of the project or managed by
 * it, 1 for its group and so on, and the instance last.
 */
export async function listClustersForProject(
  db: Db,
  { id, namespace_id }: { id: number; namespace_id: number },
): Promise<(Cluster & { distance: number })[]> {
  const enabled = db.selectFrom('clusters').where('clusters.enabled', '=', true)
  const [own, managed, inherited, instance] = await Promise.all([
    enabled.selectAll().where('project_id', '=', id).execute(),
    enabled.selectAll().where('management_project_id', '=', id).execute(),
    enabled
      .innerJoin('namespace_ancestors', 'namespace_ancestors.ancestor_id', 'clusters.namespace_id')
      .selectAll('clusters')
      .select('namespace_ancestors.depth')
      .where('namespace_ancestors.namespace_id', '=', namespace_id)
      .execute(),
    enabled.selectAll().where('project_id', 'is', null).where('namespace_id', 'is', null).execute(),
  ])
  return [
    ...[...own, ...managed].map((row) => ({ ...row, distance: 0 })),
    ...inherited.map(({ depth, ...row }) => ({ ...row, distance: depth + 1 })),
    ...instance.map((row) => ({ ...row, distance: limits.namespace_depth + 2 })),
  ]
}

const firstFor = defineRowLoader((db, given: { id: number; namespace_id: number }) =>
  db
    .selectFrom('clusters')
    .select('id')
    .where('enabled', '=', true)
    .where((eb) =>
      eb.or([
        eb('project_id', '=', given.id),
        eb('management_project_id', '=', given.id),
        eb(
          'namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', given.namespace_id),
        ),
        eb.and([eb('project_id', 'is', null), eb('namespace_id', 'is', null)]),
      ]),
    )
    .limit(1),
)

/** Whether `listClustersForProject` would find one. */
export async function hasClusterForProject(
  db: Db,
  { id, namespace_id }: { id: number; namespace_id: number },
): Promise<boolean> {
  return (await firstFor(db, { id, namespace_id })) !== undefined
}

/** Whether a namespace is a group or below it. */
export async function isNamespaceWithinGroup(
  db: Db,
  { namespace_id, group_id }: { namespace_id: number; group_id: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('namespace_ancestors')
    .select('ancestor_id')
    .where('namespace_id', '=', namespace_id)
    .where('ancestor_id', '=', group_id)
    .executeTakeFirst()
  return row !== undefined
}
