// Queries of all lists of projects: which ones the caller can see, filters, orders and counts.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, isAdmin, narrowToViewer, type Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { visibilitiesOpenTo, visibleProjectCondition } from '../../../access/visibility.ts'
import { defineCachedListLoader } from '../../../db/compiled-query.ts'
import type { Db, Schema, Visibility } from '../../../db/db.ts'
import {
  containsTextCondition,
  isIndexSearchable,
  lowerCaseForExpression,
  similarityExpression,
  textMatchQuery,
} from '../../../db/dialect.ts'
import { countRows, indexedCountQuery } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type CustomAttributeFilter,
  hasCustomAttributesCondition,
} from '../../basics/custom-attributes/custom-attribute.ts'

export type ProjectFilter = {
  /** Only projects of this namespace; with `below` also those of its subgroups. */
  namespace?: { id: number; below?: boolean }
  /** Projects that this group is invited into on that day. With `namespace` these are added to its projects. */
  invited?: { group_id: number; today: string }
  archived?: boolean
  attributes?: CustomAttributeFilter
  forked_from_id?: number
  /** Only projects that this user has contributed to since that day. */
  contributed_by?: { id: number; since: string }
  id_after?: number
  id_before?: number
  last_activity_after?: string
  last_activity_before?: string
  membership?: boolean
  min_access_level?: number
  owned?: boolean
  repository_storage?: string
  search?: string
  search_namespaces?: boolean
  /** Whether the text index is used first. Set by `planned` only. */
  isRare?: boolean
  starred?: boolean
  starred_by_id?: number
  topics?: string[]
  visibility?: Visibility
  with_issues_enabled?: boolean
  with_merge_requests_enabled?: boolean
  with_programming_language?: string
  repository_checksum_failed?: boolean
  wiki_checksum_failed?: boolean
}

export const projectOrders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
] as const
/** Orders by size, for administrators. */
export const sizeOrders = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const

export type ProjectOrder = {
  by: (typeof projectOrders)[number] | (typeof sizeOrders)[number] | 'similarity'
  sort: 'asc' | 'desc'
}

/** Returns one page of ids that the caller can see; ties are broken by id in the same direction. */
export async function listProjectIds(
  db: Db,
  actor: Actor,
  { filter, order, offset, per_page }: Omit<PageGiven, 'viewer'>,
): Promise<number[]> {
  const given = { viewer: narrowToViewer(actor), filter: await planned(db, filter) }
  const rows = await pageOf(db, { ...given, order, offset, per_page })
  return rows.map(({ id }) => id)
}

/** If the text index finds more rows than this, scanning the table is usually faster. */
const rare_rows_max = 10_000

/** Cached, since a page and its total need the same count. The query only reads, so it waits for no writer. */
const countWithText = defineCachedListLoader((db, { text }: { text: string }) => {
  const first = sql`(${textMatchQuery('project_texts', text)} limit ${sql.lit(rare_rows_max + 1)})`
  return db.selectFrom(first.as('found')).select(({ fn }) => fn.countAll<number>().as('count'))
})

/** Decides whether the search uses the text index. The index does not contain paths of namespaces. */
async function planned(db: Db, filter: ProjectFilter): Promise<ProjectFilter> {
  const { search, search_namespaces } = filter
  if (!search || search_namespaces || !isIndexSearchable(db, search)) return filter
  const [row] = await countWithText(db, { text: search })
  return { ...filter, isRare: (row?.count ?? 0) <= rare_rows_max }
}

type Given = { viewer: Viewer; filter: ProjectFilter }
type PageGiven = Given & { order: ProjectOrder; offset: number; per_page: number }

const pageOf = defineCachedListLoader(
  (db, { viewer, filter, order, offset, per_page }: PageGiven) => {
    let select = matching(db, viewer, filter).select('projects.id')
    const value = orderValue(db, order.by, filter.search ?? '')
    if (value) select = select.orderBy(value, order.sort)
    return select.orderBy('projects.id', order.sort).limit(per_page).offset(offset)
  },
)

/** Returns the expression that projects are sorted by before their ids. */
function orderValue(
  db: Db,
  by: ProjectOrder['by'],
  search: string,
): RawBuilder<unknown> | undefined {
  switch (by) {
    case 'id':
    // Ids ascend in the order of creation, so the index on ids serves both orders.
    case 'created_at':
      return undefined
    case 'similarity':
      return similarityExpression(db, search, ['projects.path', 'projects.name'])
    case 'repository_size':
      return statistic(sql`repository_size`)
    case 'storage_size':
      return sql`${statistic(sql`repository_size + lfs_objects_size + job_artifacts_size`)} + ${wikiSize}`
    case 'wiki_size':
      return wikiSize
    // There is no package registry yet, so all sizes are equal.
    case 'packages_size':
      return undefined
    default:
      return sql.ref(`projects.${by}`)
  }
}

const wikiSize = sql`coalesce((select size from wikis where wikis.project_id = projects.id), 0)`

function statistic(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select ${value} from project_statistics
    where project_statistics.project_id = projects.id), 0)`
}

/**
 * Counts the matching projects; undefined if more than are counted. A search scans all of them once. Otherwise projects
 * open to the caller and those they are a member of are counted separately, each by an index; if the open ones exceed the
 * limit, memberships are not queried.
 */
export async function countProjects(
  db: Db,
  actor: Actor,
  filter: ProjectFilter,
): Promise<number | undefined> {
  const viewer = narrowToViewer(actor)
  if (filter.search) {
    const matches = matching(db, viewer, await planned(db, filter))
    return countRows(db, matches.select('projects.id'))
  }
  const count = async (whose: 'all' | 'open' | 'held') => {
    const [row] = await countOf(db, { viewer, filter, whose })
    return row?.count ?? undefined
  }
  if (isAdmin(viewer)) return count('all')
  const open = await count('open')
  if (open === undefined || !viewer.user) return open
  const held = await count('held')
  if (held === undefined || open + held > limits.counted_rows_max) return undefined
  return open + held
}

/**
 * `open` selects projects that are visible to everyone like the viewer, `held` the other projects that the
 * viewer can see.
 */
type CountGiven = Given & { whose: 'all' | 'open' | 'held' }

const countOf = defineCachedListLoader((db, { viewer, filter, whose }: CountGiven) => {
  const candidates = filtered(db, viewer, filter).select('projects.id')
  if (whose === 'all') return indexedCountQuery(db, candidates)
  const visibilities = visibilitiesOpenTo(viewer)
  if (whose === 'open') {
    return indexedCountQuery(db, candidates.where('projects.visibility', 'in', visibilities))
  }
  const held = heldBy(viewer.user?.id ?? 0, Level.guest)
  return indexedCountQuery(
    db,
    candidates.where('projects.visibility', 'not in', visibilities).where(held),
  )
})

type Projects = SelectQueryBuilder<Schema, 'projects', object>

function matching(db: Db, viewer: Viewer, filter: ProjectFilter): Projects {
  return filtered(db, viewer, filter).where(visibleProjectCondition(viewer))
}

/** Applies the filter, without regard to what the caller can see. */
function filtered(db: Db, viewer: Viewer, filter: ProjectFilter): Projects {
  // The state is a literal so that the partial index on it can be used.
  let query: Projects = db.selectFrom('projects').where('projects.state', '=', sql.lit('ready'))
  const places = [
    filter.namespace && inNamespace(filter.namespace),
    filter.invited && isInvited(filter.invited),
  ].filter((place) => place !== undefined)
  if (places.length > 0) query = query.where(sql<boolean>`(${sql.join(places, sql` or `)})`)
  if (filter.archived !== undefined) query = query.where('projects.archived', '=', filter.archived)
  if (filter.forked_from_id !== undefined) {
    query = query.where('projects.forked_from_id', '=', filter.forked_from_id)
  }
  if (filter.id_after !== undefined) query = query.where('projects.id', '>', filter.id_after)
  if (filter.id_before !== undefined) query = query.where('projects.id', '<', filter.id_before)
  if (filter.last_activity_after) {
    query = query.where('projects.last_activity_at', '>=', filter.last_activity_after)
  }
  if (filter.last_activity_before) {
    query = query.where('projects.last_activity_at', '<=', filter.last_activity_before)
  }
  if (filter.visibility) query = query.where('projects.visibility', '=', filter.visibility)
  if (filter.repository_storage) {
    query = query.where('projects.repository_storage', '=', filter.repository_storage)
  }
  if (filter.with_issues_enabled) {
    query = query.where(isOpenTo(viewer, 'projects.issues_access_level'))
  }
  if (filter.with_merge_requests_enabled) {
    query = query.where(isOpenTo(viewer, 'projects.merge_requests_access_level'))
  }
  if (filter.with_programming_language) {
    query = query.where(isWrittenIn(filter.with_programming_language))
  }
  if (filter.repository_checksum_failed) query = query.where(hasFailed('repository_failed'))
  if (filter.wiki_checksum_failed) query = query.where(hasFailed('wiki_failed'))
  const { attributes = [] } = filter
  if (attributes.length > 0)
    query = query.where(hasCustomAttributesCondition('project', 'projects.id', attributes))
  for (const topic of filter.topics ?? []) query = query.where(hasTopic(db, topic))
  if (filter.starred && viewer.user) query = query.where(isStarredBy(viewer.user.id))
  if (filter.starred_by_id !== undefined) query = query.where(isStarredBy(filter.starred_by_id))
  if (filter.contributed_by) query = query.where(isContributedToBy(filter.contributed_by))
  const floor = Math.max(
    filter.membership ? Level.guest : 0,
    filter.owned ? Level.owner : 0,
    filter.min_access_level ?? 0,
  )
  if (floor > 0) query = query.where(heldBy(viewer.user?.id ?? 0, floor))
  return filter.search ? query.where(matchesText(db, filter.search, filter)) : query
}

function inNamespace({ id, below = false }: NonNullable<ProjectFilter['namespace']>) {
  return below
    ? sql<boolean>`projects.namespace_id in
        (select namespace_id from namespace_ancestors where ancestor_id = ${id})`
    : sql<boolean>`projects.namespace_id = ${id}`
}

function isInvited({ group_id, today }: NonNullable<ProjectFilter['invited']>) {
  return sql<boolean>`projects.id in (select project_id from project_shares
    where shared_with_id = ${group_id} and (expires_at is null or expires_at > ${today}))`
}

/** Selects the projects on which the user has at least the given level. The query starts from the user's rows. */
function heldBy(userId: number, level: number) {
  return sql<boolean>`projects.id in (
    select held.id from namespace_access
    join projects as held on held.namespace_id = namespace_access.namespace_id
    where namespace_access.user_id = ${userId} and namespace_access.access_level >= ${level}
    union
    select project_id from project_access
    where user_id = ${userId} and access_level >= ${level})`
}

/**
 * Returns whether the caller can use a feature of a visible project. A feature that is `private` is for
 * members only.
 */
function isOpenTo(viewer: Viewer, column: string) {
  if (isAdmin(viewer)) return sql<boolean>`${sql.ref(column)} != 'disabled'`
  const held = heldBy(viewer.user?.id ?? 0, Level.guest)
  return sql<boolean>`(${sql.ref(column)} = 'enabled'
    or ${sql.ref(column)} = 'private' and ${held})`
}

function isWrittenIn(language: string) {
  return sql<boolean>`projects.id in (select project_id from project_languages
    where lower(project_languages.name) = ${language.toLowerCase()})`
}

/** Returns whether the last verification failed. */
function hasFailed(column: 'repository_failed' | 'wiki_failed') {
  return sql<boolean>`projects.id in (select project_id from project_verifications
    where ${sql.ref(column)} = ${sql.lit(true)})`
}

function hasTopic(db: Db, topic: string) {
  const name = lowerCaseForExpression(db, 'project_topics.name', topic)
  return sql<boolean>`exists (select 1 from project_topics
    where project_topics.project_id = projects.id and ${name} = ${topic.toLowerCase()})`
}

/**
 * Matches projects whose path, name or description contains the text. Texts shorter than three characters
 * must match as a whole.
 */
function matchesText(db: Db, text: string, { search_namespaces, isRare }: ProjectFilter) {
  const columns = ['projects.path', 'projects.name', 'projects.description']
  const fits = (column: string) =>
    text.length < 3
      ? sql<boolean>`${lowerCaseForExpression(db, column, text)} = ${text.toLowerCase()}`
      : containsTextCondition(db, column, text)
  const own = sql.join(columns.map(fits), sql` or `)
  if (isRare) {
    return sql<boolean>`projects.id in (${textMatchQuery('project_texts', text)}) and (${own})`
  }
  if (!search_namespaces) return sql<boolean>`(${own})`
  return sql<boolean>`(${own} or exists (select 1 from routes
    where routes.project_id = projects.id and ${containsTextCondition(db, 'routes.path', text)}))`
}

/** Returns whether the user has starred the project. The query starts from the user's rows. */
function isStarredBy(userId: number) {
  return sql<boolean>`projects.id in
    (select project_id from project_stars where user_id = ${userId})`
}

/**
 * Returns whether the user has contributed to the project since that day. The query starts from the user's
 * rows.
 */
function isContributedToBy({ id, since }: { id: number; since: string }) {
  return sql<boolean>`projects.id in
    (select project_id from contributions where user_id = ${id} and contributed_on >= ${since})`
}
