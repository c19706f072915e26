// Which projects a caller gets to see in a list, whosever list it is.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { Level } from '../../access/level.ts'
import { visibleProject } from '../../access/visibility.ts'
import type { Db, Schema, Visibility } from '../../db/db.ts'
import { containsText, lower } from '../../db/dialect.ts'
import { countRows } from '../../db/paginate.ts'
import { isStarredBy } from '../stars/star.ts'

export type ProjectFilter = {
  /** Only projects of this namespace, or with `below` of those under it too. */
  namespace?: { id: number; below?: boolean }
  /** Also, or without `namespace` only, projects this group is invited into on that day. */
  invited?: { group_id: number; today: string }
  archived?: boolean
  forked_from_id?: number
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
  starred?: boolean
  starred_by_id?: number
  topics?: string[]
  visibility?: Visibility
  with_issues_enabled?: boolean
  with_merge_requests_enabled?: boolean
}

export const projectOrders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
] as const

export type ProjectOrder = {
  by: (typeof projectOrders)[number]
  sort: 'asc' | 'desc'
}

/** One page of ids the caller sees; ties are broken by id in the same direction. */
export async function listProjectIds(
  db: Db,
  actor: Actor,
  query: { filter: ProjectFilter; order: ProjectOrder; offset: number; per_page: number },
): Promise<number[]> {
  const { by, sort } = query.order
  // Ids are given out in the order of creation, so one index serves both.
  const column = by === 'created_at' ? 'id' : by
  let select = matching(db, actor, query.filter)
    .select('projects.id')
    .orderBy(`projects.${column}`, sort)
  if (column !== 'id') select = select.orderBy('projects.id', sort)
  const rows = await select.limit(query.per_page).offset(query.offset).execute()
  return rows.map(({ id }) => id)
}

/** How many projects match, or undefined when more than are counted. */
export function countProjects(
  db: Db,
  actor: Actor,
  filter: ProjectFilter,
): Promise<number | undefined> {
  return countRows(db, matching(db, actor, filter).select('projects.id'))
}

type Projects = SelectQueryBuilder<Schema, 'projects', object>

function matching(db: Db, actor: Actor, filter: ProjectFilter): Projects {
  let query: Projects = db
    .selectFrom('projects')
    .where('projects.state', '=', 'ready')
    .where(visibleProject(actor))
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
    query = query.where('projects.issues_access_level', '!=', 'disabled')
  }
  if (filter.with_merge_requests_enabled) {
    query = query.where('projects.merge_requests_access_level', '!=', 'disabled')
  }
  for (const topic of filter.topics ?? []) query = query.where(hasTopic(topic))
  if (filter.starred && actor.user) query = query.where(isStarredBy(actor.user.id))
  if (filter.starred_by_id !== undefined) query = query.where(isStarredBy(filter.starred_by_id))
  const floor = Math.max(
    filter.membership ? Level.guest : 0,
    filter.owned ? Level.owner : 0,
    filter.min_access_level ?? 0,
  )
  if (floor > 0) query = query.where(heldBy(actor.user?.id ?? 0, floor))
  return filter.search ? query.where(matchesText(filter.search, filter)) : query
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

/** Ids of the projects on which the user has at least that level, found from the user's side. */
function heldBy(userId: number, level: number) {
  return sql<boolean>`projects.id in (
    select held.id from namespace_access
    join projects as held on held.namespace_id = namespace_access.namespace_id
    where namespace_access.user_id = ${userId} and namespace_access.access_level >= ${level}
    union
    select project_id from project_access
    where user_id = ${userId} and access_level >= ${level})`
}

function hasTopic(topic: string) {
  return sql<boolean>`exists (select 1 from project_topics
    where project_topics.project_id = projects.id and lower(project_topics.name) = ${topic.toLowerCase()})`
}

/** Path, name or description contain the text; one of less than three characters must be the whole. */
function matchesText(text: string, { search_namespaces }: ProjectFilter) {
  const columns = ['projects.path', 'projects.name', 'projects.description']
  const fits = (column: string) =>
    text.length < 3
      ? sql<boolean>`${lower(column)} = ${text.toLowerCase()}`
      : containsText(column, text)
  const own = sql.join(columns.map(fits), sql` or `)
  if (!search_namespaces) return sql<boolean>`(${own})`
  return sql<boolean>`(${own} or exists (select 1 from routes
    where routes.project_id = projects.id and ${containsText('routes.path', text)}))`
}
