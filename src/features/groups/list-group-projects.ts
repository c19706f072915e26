// Which projects a group has, for its list and its record; what they look like is projects' matter.
import { sql } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { Level } from '../../access/level.ts'
import { visibleProject } from '../../access/visibility.ts'
import type { Db, Visibility } from '../../db/db.ts'
import { containsText, lower } from '../../db/dialect.ts'
import { limits } from '../../kernel/limits.ts'
import { subtree } from './subtree.ts'

export type GroupProjectFilter = {
  group_id: number
  include_subgroups: boolean
  /** Whether projects that the group was invited into belong to it too. */
  with_shared: boolean
  archived?: boolean
  visibility?: Visibility
  search?: string
  owned?: boolean
  min_access_level?: number
  today: string
}

export const projectOrders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
] as const

type Order = { order_by: (typeof projectOrders)[number]; sort: 'asc' | 'desc' }

/** The ids of one page of a group's projects that the caller sees, and how many there are. */
export async function listGroupProjectIds(
  db: Db,
  actor: Actor,
  filter: GroupProjectFilter,
  { order_by, sort, offset, per_page }: Order & { offset: number; per_page: number },
): Promise<{ ids: number[]; total: number | undefined }> {
  const matching = filteredProjects(db, actor, filter)
  // Ids are given in the order of creation.
  const column = order_by === 'created_at' ? 'id' : order_by
  const rows = await matching
    .select('projects.id')
    .orderBy(`projects.${column}`, sort)
    .orderBy('projects.id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  const { count } = await db
    .selectFrom(
      matching
        .select('projects.id')
        .limit(limits.counted_rows_max + 1)
        .as('matching'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    ids: rows.map(({ id }) => id),
    total: count > limits.counted_rows_max ? undefined : count,
  }
}

function filteredProjects(db: Db, actor: Actor, filter: GroupProjectFilter) {
  const { group_id, archived, visibility, search } = filter
  let query = db
    .selectFrom('projects')
    .where('projects.state', '=', 'ready')
    .where(visibleProject(actor))
    .where((eb) => {
      const own = filter.include_subgroups
        ? eb('projects.namespace_id', 'in', subtree(db, group_id))
        : eb('projects.namespace_id', '=', group_id)
      return filter.with_shared
        ? eb.or([own, eb('projects.id', 'in', invitingProjects(db, group_id, filter.today))])
        : own
    })
  if (archived !== undefined) query = query.where('projects.archived', '=', archived)
  if (visibility) query = query.where('projects.visibility', '=', visibility)
  if (search) query = query.where(matchesSearch(search))
  const level_min = filter.owned ? Level.owner : filter.min_access_level
  if (level_min !== undefined) {
    const userId = actor.user?.id ?? 0
    query = query.where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('namespace_access')
            .select('namespace_access.user_id')
            .where('namespace_access.user_id', '=', userId)
            .whereRef('namespace_access.namespace_id', '=', 'projects.namespace_id')
            .where('namespace_access.access_level', '>=', level_min),
        ),
        eb.exists(
          eb
            .selectFrom('project_access')
            .select('project_access.user_id')
            .where('project_access.user_id', '=', userId)
            .whereRef('project_access.project_id', '=', 'projects.id')
            .where('project_access.access_level', '>=', level_min),
        ),
      ]),
    )
  }
  return query
}

/** Part of the path, name or description; a text too short for that is compared whole. */
function matchesSearch(search: string) {
  const columns = ['projects.path', 'projects.name', 'projects.description']
  const tests = columns.map((column) =>
    search.length < 3
      ? sql<boolean>`${lower(column)} = ${search.toLowerCase()}`
      : containsText(column, search),
  )
  return sql<boolean>`(${sql.join(tests, sql` or `)})`
}

function invitingProjects(db: Db, groupId: number, today: string) {
  return db
    .selectFrom('project_shares')
    .select('project_shares.project_id')
    .where('project_shares.shared_with_id', '=', groupId)
    .where((eb) =>
      eb.or([
        eb('project_shares.expires_at', 'is', null),
        eb('project_shares.expires_at', '>', today),
      ]),
    )
}

/** The newest hundred of the group's own projects that the caller sees. */
export function listOwnProjectIds(
  db: Db,
  actor: Actor,
  { groupId }: { groupId: number },
): Promise<number[]> {
  return newest(seen(db, actor).where('projects.namespace_id', '=', groupId))
}

/** The newest hundred projects that the group was invited into, as far as the caller sees them. */
export function listInvitingProjectIds(
  db: Db,
  actor: Actor,
  { groupId, today }: { groupId: number; today: string },
): Promise<number[]> {
  return newest(seen(db, actor).where('projects.id', 'in', invitingProjects(db, groupId, today)))
}

function seen(db: Db, actor: Actor) {
  return db
    .selectFrom('projects')
    .where('projects.state', '=', 'ready')
    .where(visibleProject(actor))
}

async function newest(query: ReturnType<typeof seen>): Promise<number[]> {
  const rows = await query
    .select('projects.id')
    .orderBy('projects.id', 'desc')
    .limit(limits.per_page_max)
    .execute()
  return rows.map(({ id }) => id)
}
