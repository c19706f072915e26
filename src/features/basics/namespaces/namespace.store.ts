import { sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { visibleNamespaceCondition, visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { containsTextCondition, lowerCaseExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Namespace } from '../../../subjects/namespace.ts'

/** A namespace with the caller's level and its owner, whose avatar a personal namespace shows. */
export type NamespaceRow = Namespace & {
  owner_username: string | null
  owner_name: string | null
  owner_state: 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval' | null
  owner_avatar: string | null
  level: number | null
}

export type NamespaceFilter = { search?: string; owned_only?: boolean; top_level_only?: boolean }

/** Returns one page of the namespaces that the caller has a level on; all of them for an administrator. */
export async function listNamespaces(
  db: Db,
  actor: Actor,
  filter: NamespaceFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: NamespaceRow[]; total: number | undefined }> {
  const matching = filteredNamespaces(db, actor, filter)
  const rows = await withOwner(matching, actor)
    .orderBy('namespaces.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('namespaces.id')) }
}

function filteredNamespaces(db: Db, actor: Actor, filter: NamespaceFilter) {
  const { search, owned_only, top_level_only } = filter
  let query = readyNamespaces(db)
  if (owned_only || !isAdmin(actor)) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('namespace_access')
          .select('namespace_access.user_id')
          .where('namespace_access.user_id', '=', actor.user?.id ?? 0)
          .whereRef('namespace_access.namespace_id', '=', 'namespaces.id')
          .where('namespace_access.access_level', '>=', owned_only ? Level.owner : Level.guest),
      ),
    )
  }
  if (search) {
    query = query.where(containsTextCondition(db, ['namespaces.name', 'namespaces.path'], search))
  }
  return top_level_only ? query.where('namespaces.parent_id', 'is', null) : query
}

function readyNamespaces(db: Db) {
  return db.selectFrom('namespaces').where('namespaces.state', '=', 'ready')
}

function withOwner(query: ReturnType<typeof readyNamespaces>, actor: Actor) {
  return query
    .leftJoin('users as owner', 'owner.id', 'namespaces.owner_id')
    .leftJoin('namespace_access as held', (join) =>
      join
        .onRef('held.namespace_id', '=', 'namespaces.id')
        .on('held.user_id', '=', actor.user?.id ?? 0),
    )
    .selectAll('namespaces')
    .select([
      'owner.username as owner_username',
      'owner.name as owner_name',
      'owner.state as owner_state',
      'owner.avatar as owner_avatar',
      'held.access_level as level',
    ])
}

/**
 * By id or full path, if the caller may know it: a group as groups are seen, a personal namespace by
 * its owner alone.
 */
export function findVisibleNamespace(
  db: Db,
  actor: Actor,
  by: { id: number } | { path: string },
): Promise<NamespaceRow | undefined> {
  let query = readyNamespaces(db)
  if (!isAdmin(actor)) {
    query = query
      .where(visibleNamespaceCondition(actor))
      .where((eb) =>
        eb.or([
          eb('namespaces.kind', '=', 'group'),
          eb('namespaces.owner_id', '=', actor.user?.id ?? 0),
        ]),
      )
  }
  if ('id' in by) query = query.where('namespaces.id', '=', by.id)
  else {
    query = query.where('namespaces.id', 'in', (eb) =>
      eb
        .selectFrom('routes')
        .select((inner) => inner.ref('routes.namespace_id').$castTo<number>().as('namespace_id'))
        .where(lowerCaseExpression('routes.path'), '=', by.path.toLowerCase())
        .where('routes.namespace_id', 'is not', null),
    )
  }
  return withOwner(query, actor).executeTakeFirst()
}

/** `seated` counts the members with a role above Guest in at least one place. */
export type NamespaceMemberCounts = { members: number; seated: number }

/** Returns the number of users who are members of each group or of its subgroups. */
export async function countMembersByNamespace(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, NamespaceMemberCounts>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('namespace_ancestors')
    .innerJoin('members', 'members.namespace_id', 'namespace_ancestors.namespace_id')
    .select(({ fn }) => [
      'namespace_ancestors.ancestor_id',
      fn.count<number>('members.user_id').distinct().as('members'),
      sql<number>`count(distinct case when members.access_level > ${sql.lit(Level.guest)}
        then members.user_id end)`.as('seated'),
    ])
    .where('namespace_ancestors.ancestor_id', 'in', ids)
    .groupBy('namespace_ancestors.ancestor_id')
    .execute()
  return new Map(
    rows.map(({ ancestor_id, members, seated }) => [
      ancestor_id,
      { members: Number(members), seated: Number(seated) },
    ]),
  )
}

/** Returns those of the full paths that lead to something the caller can see, in lower case. */
export async function filterVisibleFullPaths(
  db: Db,
  actor: Actor,
  paths: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('routes')
    .select('routes.path')
    .where(
      lowerCaseExpression('routes.path'),
      'in',
      paths.map((path) => path.toLowerCase()),
    )
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('namespaces')
            .select('namespaces.id')
            .whereRef('namespaces.id', '=', 'routes.namespace_id')
            .where(visibleNamespaceCondition(actor)),
        ),
        eb.exists(
          eb
            .selectFrom('projects')
            .select('projects.id')
            .whereRef('projects.id', '=', 'routes.project_id')
            .where(visibleProjectCondition(actor)),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ path }) => path.toLowerCase()))
}
