import { sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'

/** Returns the oldest merged merge request of a project for each commit, by commit. */
export async function findMergeRequestIidsByCommit(
  db: Db,
  project_id: number,
  shas: readonly string[],
): Promise<Map<string, number>> {
  if (shas.length === 0) return new Map()
  const brought = db
    .selectFrom('merge_request_commits')
    .select(['issuable_id', 'sha'])
    .where('sha', 'in', shas)
    .union(
      db
        .selectFrom('merge_requests')
        .select(['issuable_id', sql<string>`merge_commit_sha`.as('sha')])
        .where('merge_commit_sha', 'in', shas),
    )
    .union(
      db
        .selectFrom('merge_requests')
        .select(['issuable_id', sql<string>`squash_commit_sha`.as('sha')])
        .where('squash_commit_sha', 'in', shas),
    )
  const rows = await db
    .selectFrom(brought.as('brought'))
    .innerJoin('issuables', 'issuables.id', 'brought.issuable_id')
    .select((eb) => ['brought.sha', eb.fn.min('issuables.iid').as('iid')])
    .where('issuables.project_id', '=', project_id)
    .where('issuables.state', '=', 'merged')
    .groupBy('brought.sha')
    .execute()
  return new Map(rows.map(({ sha, iid }) => [sha, Number(iid)]))
}

type Place = { id: number; namespace_id: number; default_branch: string | null }

/** Returns the users who are not members of the project and have a merge request merged into its default branch. */
export async function filterOutsideContributors(
  db: Db,
  { id, namespace_id, default_branch }: Place,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (userIds.length === 0 || default_branch === null) return new Set()
  const rows = await db
    .selectFrom('issuables')
    .innerJoin('merge_requests', 'merge_requests.issuable_id', 'issuables.id')
    .select('issuables.author_id')
    .distinct()
    .where('issuables.project_id', '=', id)
    .where('issuables.kind', '=', 'merge_request')
    .where('issuables.state', '=', 'merged')
    .where('merge_requests.target_branch', '=', default_branch)
    .where('issuables.author_id', 'in', userIds)
    .where(
      'issuables.author_id',
      'not in',
      db
        .selectFrom('namespace_access')
        .select('user_id')
        .where('namespace_id', '=', namespace_id)
        .where('access_level', '>', Level.minimal),
    )
    .where(
      'issuables.author_id',
      'not in',
      db.selectFrom('project_access').select('user_id').where('project_id', '=', id),
    )
    .execute()
  return new Set(rows.map(({ author_id }) => author_id))
}

/** Returns the users who are members of one of the groups that the caller can see. */
export async function filterVisibleGroupMembers(
  db: Db,
  actor: Actor,
  { paths, userIds }: { paths: readonly string[]; userIds: readonly number[] },
): Promise<Set<number>> {
  if (userIds.length === 0 || paths.length === 0) return new Set()
  const groups = db
    .selectFrom('namespaces')
    .select('namespaces.id')
    .where('kind', '=', 'group')
    .where('state', '=', 'ready')
    .where(
      lowerCaseExpression('full_path'),
      'in',
      paths.map((path) => path.toLowerCase()),
    )
    .where(visibleNamespaceCondition(actor))
  const rows = await db
    .selectFrom('namespace_access')
    .select('user_id')
    .distinct()
    .where('namespace_id', 'in', groups)
    .where('user_id', 'in', userIds)
    .where('access_level', '>', Level.minimal)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
