import { sql, type Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { notExpiredCondition } from '../../../access/not-expired-condition.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db, NamespaceTable, Visibility } from '../../../db/db.ts'
import { containsTextCondition, similarityExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Group } from '../../../subjects/group.ts'
import {
  type CustomAttributeFilter,
  hasCustomAttributesCondition,
} from '../../basics/custom-attributes/custom-attribute.ts'

export type GroupFilter = {
  search?: string
  attributes?: CustomAttributeFilter
  skip_groups?: number[]
  /** Unset or true: all groups that the caller can see. False: only groups on which the caller has a level. */
  all_available?: boolean
  owned?: boolean
  min_access_level?: number
  top_level_only?: boolean
  /** Only direct subgroups (`parent_id`), or all groups below (`below_id`). */
  parent_id?: number
  below_id?: number
  /** Only groups that this group is invited into on that day. */
  shared_with?: { group_id: number; today: string }
  /** Only groups that are invited on that day into this group or a group above it. */
  invited_into?: { group_id: number; today: string; relation?: ('direct' | 'inherited')[] }
}

export type GroupOrder = { order_by: 'name' | 'path' | 'id' | 'similarity'; sort: 'asc' | 'desc' }
type Page = { offset: number; per_page: number }

/** Returns one page of groups that the caller can see, and their total (undefined if more than are counted). */
export async function listGroups(
  db: Db,
  actor: Actor,
  filter: GroupFilter,
  { order_by, sort, offset, per_page }: GroupOrder & Page,
): Promise<{ rows: Group[]; total: number | undefined }> {
  const matching = filteredGroups(db, actor, filter)
  const value =
    order_by === 'similarity'
      ? similarityExpression(db, filter.search ?? '', ['namespaces.path', 'namespaces.name'])
      : sql.ref(`namespaces.${order_by}`)
  const rows = await matching
    .selectAll('namespaces')
    // The most similar groups come first.
    .orderBy(value, order_by === 'similarity' ? 'desc' : sort)
    .orderBy('namespaces.id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('namespaces.id')) }
}

function filteredGroups(db: Db, actor: Actor, filter: GroupFilter) {
  const { search, skip_groups, parent_id, below_id } = filter
  const level_min = lowestLevel(filter)
  let query = db
    .selectFrom('namespaces')
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.state', '=', 'ready')
  // A caller with a level on a group can see it, so the more expensive check of visibility is not needed.
  if (level_min === undefined) query = query.where(visibleNamespaceCondition(actor))
  else {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('namespace_access')
          .select('namespace_access.user_id')
          .where('namespace_access.user_id', '=', actor.user?.id ?? 0)
          .whereRef('namespace_access.namespace_id', '=', 'namespaces.id')
          .where('namespace_access.access_level', '>=', level_min),
      ),
    )
  }
  const { attributes = [] } = filter
  if (attributes.length > 0) {
    query = query.where(hasCustomAttributesCondition('group', 'namespaces.id', attributes))
  }
  if (search) {
    query = query.where(containsTextCondition(db, ['namespaces.name', 'namespaces.path'], search))
  }
  if (skip_groups && skip_groups.length > 0) {
    query = query.where('namespaces.id', 'not in', skip_groups)
  }
  if (filter.top_level_only) query = query.where('namespaces.parent_id', 'is', null)
  if (parent_id !== undefined) query = query.where('namespaces.parent_id', '=', parent_id)
  if (below_id !== undefined) {
    query = query.where('namespaces.id', 'in', (eb) =>
      eb
        .selectFrom('namespace_ancestors')
        .select('namespace_ancestors.namespace_id')
        .where('namespace_ancestors.ancestor_id', '=', below_id)
        .where('namespace_ancestors.depth', '>', 0),
    )
  }
  if (filter.shared_with) query = query.where(isSharedWith(filter.shared_with))
  if (filter.invited_into) query = query.where(isInvitedInto(filter.invited_into))
  return query
}

function isSharedWith({ group_id, today }: NonNullable<GroupFilter['shared_with']>) {
  return sql<boolean>`namespaces.id in (select namespace_id from namespace_shares
    where shared_with_id = ${group_id} and ${notExpiredCondition('expires_at', today)})`
}

function isInvitedInto({
  group_id,
  today,
  relation = ['direct', 'inherited'],
}: NonNullable<GroupFilter['invited_into']>) {
  const depths = [
    ...(relation.includes('direct') ? [sql`depth = 0`] : []),
    ...(relation.includes('inherited') ? [sql`depth > 0`] : []),
  ]
  const isMeant = depths.length > 0 ? sql.join(depths, sql` or `) : sql`1 = 0`
  return sql<boolean>`namespaces.id in (select shared_with_id from namespace_shares
    join namespace_ancestors on ancestor_id = namespace_shares.namespace_id
    where namespace_ancestors.namespace_id = ${group_id} and (${isMeant})
      and ${notExpiredCondition('expires_at', today)})`
}

function lowestLevel({ owned, min_access_level, all_available }: GroupFilter): number | undefined {
  if (owned) return Level.owner
  return min_access_level ?? (all_available === false ? Level.minimal : undefined)
}

/** The bytes that the projects in and below a group take up. */
export type GroupSizes = {
  repository_size: number
  lfs_objects_size: number
  job_artifacts_size: number
  wiki_size: number
}

/** Returns the sizes of these groups; groups without projects and wikis are missing. */
export async function sumSizesByGroup(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, GroupSizes>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('namespace_ancestors')
    .innerJoin('projects', 'projects.namespace_id', 'namespace_ancestors.namespace_id')
    .innerJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
    .leftJoin('wikis', 'wikis.project_id', 'projects.id')
    .select(({ fn }) => [
      'namespace_ancestors.ancestor_id',
      fn.sum<number | string>('project_statistics.repository_size').as('repository_size'),
      fn.sum<number | string>('project_statistics.lfs_objects_size').as('lfs_objects_size'),
      fn.sum<number | string>('project_statistics.job_artifacts_size').as('job_artifacts_size'),
      fn.sum<number | string | null>('wikis.size').as('wiki_size'),
    ])
    .where('namespace_ancestors.ancestor_id', 'in', ids)
    .groupBy('namespace_ancestors.ancestor_id')
    .execute()
  const sums = new Map(
    rows.map(({ ancestor_id, ...sizes }) => [
      ancestor_id,
      {
        repository_size: Number(sizes.repository_size),
        lfs_objects_size: Number(sizes.lfs_objects_size),
        job_artifacts_size: Number(sizes.job_artifacts_size),
        wiki_size: Number(sizes.wiki_size ?? 0),
      },
    ]),
  )
  const none = { repository_size: 0, lfs_objects_size: 0, job_artifacts_size: 0, wiki_size: 0 }
  for (const { ancestor_id, size } of await sumGroupWikis(db, ids)) {
    const sum = sums.get(ancestor_id) ?? none
    sums.set(ancestor_id, { ...sum, wiki_size: sum.wiki_size + Number(size) })
  }
  return sums
}

/** Returns the size of the wikis of each group and its subgroups. */
function sumGroupWikis(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('namespace_ancestors')
    .innerJoin('wikis', 'wikis.namespace_id', 'namespace_ancestors.namespace_id')
    .select(({ fn }) => [
      'namespace_ancestors.ancestor_id',
      fn.sum<number | string>('wikis.size').as('size'),
    ])
    .where('namespace_ancestors.ancestor_id', 'in', ids)
    .groupBy('namespace_ancestors.ancestor_id')
    .execute()
}

export type GroupShareRow = {
  group_id: number
  group_name: string
  group_full_path: string
  group_access_level: number
  expires_at: string | null
}

/** Returns the groups that are invited into a group, as far as the caller can know that they exist. */
export function listInvitedGroups(db: Db, actor: Actor, groupId: number): Promise<GroupShareRow[]> {
  return db
    .selectFrom('namespaces')
    .where(visibleNamespaceCondition(actor))
    .innerJoin('namespace_shares', 'namespace_shares.shared_with_id', 'namespaces.id')
    .select([
      'namespaces.id as group_id',
      'namespaces.name as group_name',
      'namespaces.full_path as group_full_path',
      'namespace_shares.access_level as group_access_level',
      'namespace_shares.expires_at',
    ])
    .where('namespace_shares.namespace_id', '=', groupId)
    .orderBy('namespace_shares.id')
    .execute()
}

/** Updates the columns of the group itself. Paths and names of what is below it are updated by move-group. */
export async function updateGroup(
  db: Db,
  id: number,
  changes: Updateable<NamespaceTable>,
): Promise<void> {
  await db.updateTable('namespaces').set(changes).where('id', '=', id).execute()
}

/** Returns the number of groups above this one. */
export async function countAncestorGroups(db: Db, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('namespace_ancestors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('namespace_id', '=', id)
    .where('depth', '>', 0)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the visibilities of all groups and projects below a group. */
export async function listVisibilitiesBelowGroup(
  db: Db,
  id: number,
): Promise<{ projects: Visibility[]; subgroups: Visibility[] }> {
  const projects = await db
    .selectFrom('namespace_ancestors')
    .innerJoin('projects', 'projects.namespace_id', 'namespace_ancestors.namespace_id')
    .select('projects.visibility')
    .distinct()
    .where('namespace_ancestors.ancestor_id', '=', id)
    .where('projects.state', '!=', 'deleting')
    .execute()
  const subgroups = await db
    .selectFrom('namespace_ancestors')
    .innerJoin('namespaces', 'namespaces.id', 'namespace_ancestors.namespace_id')
    .select('namespaces.visibility')
    .distinct()
    .where('namespace_ancestors.ancestor_id', '=', id)
    .where('namespace_ancestors.depth', '>', 0)
    .where('namespaces.state', '=', 'ready')
    .execute()
  return {
    projects: projects.map(({ visibility }) => visibility),
    subgroups: subgroups.map(({ visibility }) => visibility),
  }
}
