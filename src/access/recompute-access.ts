// Maintains namespace_access and project_access: the level of every user on every namespace and project, inherited and
// invited groups included. Called in the transaction of the change. A level on a namespace is the highest of:
// memberships of it or of a namespace above it; for each group invited into it or above it, the lower of the
// invitation's level and the user's level by membership in that group or above it (invitations do not pass invitations
// on); 50 for the owner of a personal namespace. On a project further: memberships of it and groups invited into it.
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { lockUntilCommit, smallerOfExpression } from '../db/dialect.ts'
import { splitIntoBatches } from '../kernel/split-into-batches.ts'
import { Level } from './level.ts'
import { notExpiredCondition } from './not-expired-condition.ts'

/** `today` is the current day: memberships and invitations end at 00:00 UTC of `expires_at`. */
export type RecomputeAccessOptions = { today: string }

const access_lock = 1

/**
 * Lets one transaction at a time change memberships and invitations: two that recompute the same rows
 * would collide or overwrite each other. A change that checks a rule first, or writes rows another
 * may wait for, asks for it before that; refreshing asks for it in any case.
 */
export function lockAccessRecomputation(db: Db): Promise<void> {
  return lockUntilCommit(db, access_lock)
}

/** Recomputes everything that the memberships and invitations of these namespaces reach. */
export async function recomputeNamespaceAccess(
  db: Db,
  namespaceIds: readonly number[],
  { today }: RecomputeAccessOptions,
): Promise<void> {
  await lockAccessRecomputation(db)
  const affected = await reachedFrom(db, namespaceIds)
  for (const ids of splitIntoBatches(affected, batch_size))
    await recomputeNamespaces(db, ids, today)
  const projects = await db
    .selectFrom('project_shares')
    .innerJoin(
      'namespace_ancestors',
      'namespace_ancestors.namespace_id',
      'project_shares.shared_with_id',
    )
    .select('project_shares.project_id')
    .distinct()
    .where('namespace_ancestors.ancestor_id', 'in', [...namespaceIds, 0])
    .execute()
  await recomputeProjectAccess(
    db,
    projects.map((row) => row.project_id),
    { today },
  )
}

/** Recomputes what the memberships of and invitations into these projects give. */
export async function recomputeProjectAccess(
  db: Db,
  projectIds: readonly number[],
  { today }: RecomputeAccessOptions,
): Promise<void> {
  if (projectIds.length === 0) return
  await lockAccessRecomputation(db)
  for (const ids of splitIntoBatches(projectIds, batch_size))
    await recomputeProjects(db, ids, today)
}

/** The given namespaces, those below them, those these are invited into, and those below the latter. */
async function reachedFrom(db: Db, namespaceIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('namespace_ancestors as below')
    .select('below.namespace_id')
    .where('below.ancestor_id', 'in', [...namespaceIds, 0])
    .union(
      db
        .selectFrom('namespace_ancestors as member')
        .innerJoin('namespace_shares', 'namespace_shares.shared_with_id', 'member.namespace_id')
        .innerJoin(
          'namespace_ancestors as target',
          'target.ancestor_id',
          'namespace_shares.namespace_id',
        )
        .select('target.namespace_id')
        .where('member.ancestor_id', 'in', [...namespaceIds, 0]),
    )
    .execute()
  return rows.map((row) => row.namespace_id)
}

async function recomputeNamespaces(db: Db, ids: readonly number[], today: string): Promise<void> {
  await db.deleteFrom('namespace_access').where('namespace_id', 'in', ids).execute()
  const members = db
    .selectFrom('namespace_ancestors as tree')
    .innerJoin('members', 'members.namespace_id', 'tree.ancestor_id')
    .select(['members.user_id', 'tree.namespace_id', 'members.access_level'])
    .where('tree.namespace_id', 'in', ids)
    .where(notExpiredCondition('members.expires_at', today))
  const invited = db
    .selectFrom('namespace_ancestors as tree')
    .innerJoin('namespace_shares', 'namespace_shares.namespace_id', 'tree.ancestor_id')
    .innerJoin(
      'namespace_ancestors as guests',
      'guests.namespace_id',
      'namespace_shares.shared_with_id',
    )
    .innerJoin('members', 'members.namespace_id', 'guests.ancestor_id')
    .select([
      'members.user_id',
      'tree.namespace_id',
      smallerOfExpression('members.access_level', 'namespace_shares.access_level').as(
        'access_level',
      ),
    ])
    .where('tree.namespace_id', 'in', ids)
    .where(notExpiredCondition('members.expires_at', today))
    .where(notExpiredCondition('namespace_shares.expires_at', today))
  const owners = db
    .selectFrom('namespaces')
    .select([
      sql<number>`owner_id`.as('user_id'),
      'id as namespace_id',
      sql.lit<number>(Level.owner).as('access_level'),
    ])
    .where('id', 'in', ids)
    .where('kind', '=', 'user')
    .where('owner_id', 'is not', null)
  await db
    .insertInto('namespace_access')
    .columns(['user_id', 'namespace_id', 'access_level'])
    .expression(
      db
        .selectFrom(members.unionAll(invited).unionAll(owners).as('grants'))
        .select(({ fn }) => [
          'grants.user_id',
          'grants.namespace_id',
          fn.max('grants.access_level').as('access_level'),
        ])
        .groupBy(['grants.user_id', 'grants.namespace_id']),
    )
    .execute()
}

async function recomputeProjects(db: Db, ids: readonly number[], today: string): Promise<void> {
  await db.deleteFrom('project_access').where('project_id', 'in', ids).execute()
  const members = db
    .selectFrom('members')
    .select(['user_id', sql<number>`project_id`.as('project_id'), 'access_level'])
    .where('project_id', 'in', ids)
    .where(notExpiredCondition('members.expires_at', today))
  const invited = db
    .selectFrom('project_shares')
    .innerJoin(
      'namespace_ancestors as guests',
      'guests.namespace_id',
      'project_shares.shared_with_id',
    )
    .innerJoin('members', 'members.namespace_id', 'guests.ancestor_id')
    .select([
      'members.user_id',
      'project_shares.project_id',
      smallerOfExpression('members.access_level', 'project_shares.access_level').as('access_level'),
    ])
    .where('project_shares.project_id', 'in', ids)
    .where(notExpiredCondition('members.expires_at', today))
    .where(notExpiredCondition('project_shares.expires_at', today))
  await db
    .insertInto('project_access')
    .columns(['user_id', 'project_id', 'access_level'])
    .expression(
      db
        .selectFrom(members.unionAll(invited).as('grants'))
        .select(({ fn }) => [
          'grants.user_id',
          'grants.project_id',
          fn.max('grants.access_level').as('access_level'),
        ])
        .groupBy(['grants.user_id', 'grants.project_id']),
    )
    .execute()
}

const batch_size = 500
