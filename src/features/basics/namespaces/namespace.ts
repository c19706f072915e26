// Public functions of namespaces: the tree of personal namespaces and groups, and full paths.
import { sql } from 'kysely'
import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import type { Namespace } from '../../../subjects/namespace.ts'

/** The user who requests a path. */
export type PathClaimant = Pick<ActorUser, 'id' | 'is_admin'>

/** For changes that an administrator or the server makes. */
export const administratorClaimant: PathClaimant = { id: 0, is_admin: true }

export type NewNamespace = {
  kind: 'user' | 'group'
  owner_id: number | null
  parent: Pick<Namespace, 'id' | 'full_path' | 'full_name'> | undefined
  name: string
  path: string
  visibility: Visibility
  now: string
  claimant: PathClaimant
} & Partial<Pick<Namespace, 'description' | 'runners_token' | 'runners_token_digest'>> &
  Partial<NamespaceSettings>

export type NamespaceSettings = Pick<
  Namespace,
  | 'share_with_group_lock'
  | 'require_two_factor_authentication'
  | 'two_factor_grace_period'
  | 'project_creation_level'
  | 'subgroup_creation_level'
  | 'auto_devops_enabled'
  | 'emails_disabled'
  | 'mentions_disabled'
  | 'lfs_enabled'
  | 'default_branch_protection'
  | 'request_access_enabled'
  | 'prevent_sharing_groups_outside_hierarchy'
  | 'repository_size_limit'
  | 'storage_size_limit'
  | 'file_template_project_id'
>

/**
 * Inserts a namespace with its route and its place in the tree. Undefined when the full path is taken;
 * the caller then ends its transaction.
 */
export async function insertNamespace(
  db: Db,
  { parent, now, claimant, ...fields }: NewNamespace,
): Promise<Namespace | undefined> {
  const namespace = await db
    .insertInto('namespaces')
    .values({
      ...fields,
      parent_id: parent?.id ?? null,
      full_path: parent ? `${parent.full_path}/${fields.path}` : fields.path,
      full_name: parent ? `${parent.full_name} / ${fields.name}` : fields.name,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const route = { path: namespace.full_path, namespace_id: namespace.id }
  const isFree = await insertRoute(db, route, claimant)
  if (!isFree) return undefined
  await insertAncestors(db, namespace.id, parent?.id)
  if (namespace.owner_id !== null) {
    await db
      .insertInto('namespace_access')
      .values({ user_id: namespace.owner_id, namespace_id: namespace.id, access_level: 50 })
      .execute()
  }
  return namespace
}

/**
 * Claims a full path; false when something else has it, or had it and the claimant has no say in that. A
 * redirect that is the claimant's gives way.
 */
export async function insertRoute(
  db: Db,
  route: { path: string } & ({ namespace_id: number } | { project_id: number }),
  claimant: PathClaimant,
): Promise<boolean> {
  const inserted = await db
    .insertInto('routes')
    .values({ namespace_id: null, project_id: null, ...route })
    .onConflict((conflict) => conflict.doNothing())
    .returning('path')
    .executeTakeFirst()
  if (!inserted) return false
  // The query runs after the insert: if the path was just released by a transaction, the insert has waited
  // for it, and the redirect of the path is committed.
  if (!(await hasRedirect(db, route.path))) return true
  if (await isKept(db, route, claimant)) return false
  await db
    .deleteFrom('redirects')
    .where(lowerCaseExpression('path'), '=', route.path.toLowerCase())
    .execute()
  return true
}

async function hasRedirect(db: Db, path: string): Promise<boolean> {
  const found = await db
    .selectFrom('redirects')
    .select('path')
    .where(lowerCaseExpression('path'), '=', path.toLowerCase())
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Redirects to what the claimant has no say in: neither an administrator, nor an Owner of the namespace
 * or a Maintainer of the project. Old addresses must not come to serve what a stranger puts there.
 */
export function foreignRedirectsQuery(db: Db, { id, is_admin }: PathClaimant) {
  return db
    .selectFrom('redirects')
    .leftJoin('projects as target', 'target.id', 'redirects.project_id')
    .leftJoin('namespace_access as held', (join) =>
      join
        .on((eb) =>
          eb(
            'held.namespace_id',
            '=',
            eb.fn.coalesce('redirects.namespace_id', 'target.namespace_id'),
          ),
        )
        .on('held.user_id', '=', id),
    )
    .leftJoin('project_access as given', (join) =>
      join.onRef('given.project_id', '=', 'redirects.project_id').on('given.user_id', '=', id),
    )
    .select('redirects.path')
    .where(sql<boolean>`${sql.lit(is_admin ? 1 : 0)} = 0`)
    .where((eb) => {
      const isBelow = (table: 'held' | 'given', level: number) =>
        eb(eb.fn.coalesce(`${table}.access_level`, sql.lit(0)), '<', level)
      return eb.or([
        eb.and([eb('redirects.project_id', 'is', null), isBelow('held', Level.owner)]),
        eb.and([
          eb('redirects.project_id', 'is not', null),
          isBelow('held', Level.maintainer),
          isBelow('given', Level.maintainer),
        ]),
      ])
    })
}

/**
 * Returns whether a redirect of another owner keeps the path. Former paths of projects in the same namespace
 * are not kept, since the claimant may create projects there anyway.
 */
async function isKept(
  db: Db,
  route: Parameters<typeof insertRoute>[1],
  claimant: PathClaimant,
): Promise<boolean> {
  let query = foreignRedirectsQuery(db, claimant)
    .where(lowerCaseExpression('redirects.path'), '=', route.path.toLowerCase())
    .where((eb) =>
      eb.or([
        eb('redirects.project_id', 'is', null),
        eb(
          'target.namespace_id',
          'not in',
          eb
            .selectFrom('routes')
            .select(sql<number>`namespace_id`.as('namespace_id'))
            .where(
              lowerCaseExpression('routes.path'),
              '=',
              route.path.replace(/\/[^/]*$/, '').toLowerCase(),
            )
            .where('routes.namespace_id', 'is not', null),
        ),
      ]),
    )
  if ('project_id' in route) {
    query = query.where((eb) =>
      eb.or([
        eb('redirects.project_id', 'is', null),
        eb('redirects.project_id', '<>', route.project_id),
      ]),
    )
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

async function insertAncestors(db: Db, id: number, parentId: number | undefined): Promise<void> {
  await db
    .insertInto('namespace_ancestors')
    .values({ namespace_id: id, ancestor_id: id, depth: 0 })
    .execute()
  if (parentId === undefined) return
  await db
    .insertInto('namespace_ancestors')
    .columns(['namespace_id', 'ancestor_id', 'depth'])
    .expression(
      db
        .selectFrom('namespace_ancestors')
        .select([sql.lit(id).as('namespace_id'), 'ancestor_id', sql<number>`depth + 1`.as('depth')])
        .where('namespace_id', '=', parentId),
    )
    .execute()
}
