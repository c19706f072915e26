// Public functions of groups: finds a group by path or id, and the caller's level on it.

import { type ExpressionBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { type Actor, isAdmin, type Viewer } from '../access/actor.ts'
import { Level } from '../access/level.ts'
import {
  canSeeGroup,
  hasAccessToOrBelowNamespaceCondition,
  visibleNamespaceCondition,
} from '../access/visibility.ts'
import type { Db, Schema } from '../db/db.ts'
import { lowerCaseExpression, pairSetQuery } from '../db/dialect.ts'
import { MovedError } from '../http/answer.ts'
import type { SubjectLoader } from '../http/endpoint.ts'
import { notFound } from '../kernel/errors.ts'
import type { Namespace } from './namespace.ts'

/** A namespace of kind `group`. */
export type Group = Namespace

export type GroupWithAccess = { group: Group; level: number; isVisible: boolean }

/** Returns a group that is not being deleted, the caller's level on it, and whether the caller can see it; one query. */
export async function findGroup(
  db: Db,
  actor: Actor,
  by: { id: number } | { path: string },
): Promise<GroupWithAccess | undefined> {
  let query = db
    .selectFrom('namespaces')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('namespace_access')
        .select('access_level')
        .where('user_id', '=', actor.user?.id ?? 0)
        .whereRef('namespace_access.namespace_id', '=', 'namespaces.id')
        .as('level'),
      eb.case().when(visibleNamespaceCondition(actor)(eb)).then(1).else(0).end().as('is_visible'),
    ])
    .where('kind', '=', 'group')
    .where('state', '=', 'ready')
  if ('id' in by) query = query.where('id', '=', by.id)
  else {
    query = query.where('id', '=', (eb) =>
      eb
        .selectFrom('routes')
        .select(sql<number>`routes.namespace_id`.as('namespace_id'))
        .where(lowerCaseExpression('routes.path'), '=', by.path.toLowerCase()),
    )
  }
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const { level, is_visible, ...group } = row
  return {
    group,
    level: isAdmin(actor) ? Level.owner : (level ?? Level.none),
    isVisible: Number(is_visible) === 1,
  }
}

/** The id of a user, 0 for an anonymous visitor, and the id of a group. */
export type UserGroupPair = readonly [userId: number, groupId: number]

/** Loads which groups several users can see; one query for all. */
export async function loadGroupVisibilityForUsers(
  db: Db,
  pairs: readonly UserGroupPair[],
): Promise<{ sees: (actor: Viewer, id: number) => boolean }> {
  if (pairs.length === 0) return { sees: () => false }
  const rows = await db
    .selectFrom(sql<{ a: number; b: number }>`(${pairSetQuery(db, pairs)})`.as('pair'))
    .innerJoin('namespaces', 'namespaces.id', 'pair.b')
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.state', '=', 'ready')
    .select((eb) => [
      'pair.a as user_id',
      'namespaces.id',
      'namespaces.visibility',
      eb
        .case()
        .when(hasAccessToOrBelowNamespaceCondition(eb as GroupBuilder, eb.ref('pair.a')))
        .then(1)
        .else(0)
        .end()
        .as('has_below'),
    ])
    .execute()
  const found = new Map(
    rows.map(({ user_id, id, visibility, has_below }) => [
      `${user_id}:${id}`,
      { visibility, hasBelow: Number(has_below) === 1 },
    ]),
  )
  return {
    sees(actor, id) {
      const group = found.get(`${actor.user?.id ?? 0}:${id}`)
      return group !== undefined && canSeeGroup(actor, group)
    },
  }
}

type GroupBuilder = ExpressionBuilder<Schema, 'namespaces'>

/** Returns the group that a parameter names by id. Throws 404 Group if it is missing or hidden from the caller. */
export async function getVisibleGroup(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ group: Group; level: number }> {
  const found = await findGroup(db, actor, { id })
  if (!found?.isVisible) throw notFound('Group')
  return found
}

/** Loads `:id` of a group path: digits are an id, anything else a full path, regardless of case. */
export const groupLoader: SubjectLoader<Group> = {
  parameters: { id: Type.String({ description: 'ID or URL-encoded full path of the group.' }) },
  async load({ db, actor, parameters }) {
    const id = parameters.id ?? ''
    const by = /^\d{1,15}$/.test(id) ? { id: Number(id) } : { path: id }
    const found = await findGroup(db, actor, by)
    if (found?.isVisible) return { subject: found.group, level: found.level }
    if (!found && !('id' in by)) await followRedirect(db, actor, id)
    throw notFound('Group')
  },
}

/** Sends a caller who sees the group on from a path it no longer has. */
async function followRedirect(db: Db, actor: Actor, path: string): Promise<void> {
  const id = await findGroupIdByFormerPath(db, path)
  const found = id === undefined ? undefined : await findGroup(db, actor, { id })
  if (found?.isVisible) throw new MovedError('id', found.group.id)
}

/** Returns the id of the namespace that had a former full path. */
export async function findGroupIdByFormerPath(db: Db, path: string): Promise<number | undefined> {
  const redirect = await db
    .selectFrom('redirects')
    .select('namespace_id')
    .where(lowerCaseExpression('path'), '=', path.toLowerCase())
    .executeTakeFirst()
  return redirect?.namespace_id ?? undefined
}

/** Returns those of the users who have at least that level in the group, as members or through an invited group. */
export async function listUsersWithGroupLevel(
  db: Db,
  group_id: number,
  { ids, least }: { ids: readonly number[]; least: number },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('namespace_access')
    .select('user_id')
    .where('namespace_id', '=', group_id)
    .where('access_level', '>=', least)
    .where('user_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
