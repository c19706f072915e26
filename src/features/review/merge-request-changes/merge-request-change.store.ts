// Queries for creating, changing and updating merge requests.

import type { Insertable } from 'kysely'
import type { Db, MergeRequestTable } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'

/** The number of values that are bound in one statement. */
const rows_max = 500

export async function insertMergeRequest(
  tx: Db,
  row: Insertable<MergeRequestTable>,
): Promise<void> {
  await tx.insertInto('merge_requests').values(row).execute()
}

type Pair = Pick<
  MergeRequest,
  'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'
>

/** Returns the number of the open merge request with these branches, if any. */
export async function findOpenDuplicateIid(db: Db, pair: Pair): Promise<number | undefined> {
  const row = await db
    .selectFrom('merge_requests')
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .select('issuables.iid')
    .where('merge_requests.project_id', '=', pair.project_id)
    .where('source_project_id', '=', pair.source_project_id)
    .where('source_branch', '=', pair.source_branch)
    .where('target_branch', '=', pair.target_branch)
    .where('is_open', '=', true)
    .executeTakeFirst()
  return row?.iid
}

/** Returns the ids of the open merge requests from a branch of a project. */
export async function listOpenRequestIdsFromBranch(
  db: Db,
  { project_id, branch }: { project_id: number; branch: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('merge_requests')
    .select('issuable_id')
    .where('source_project_id', '=', project_id)
    .where('source_branch', '=', branch)
    .where('is_open', '=', true)
    .orderBy('issuable_id')
    .limit(limits.merge_requests.followed_max)
    .execute()
  return rows.map(({ issuable_id }) => issuable_id)
}

/** Returns the ids of the open merge requests into a branch of a project. */
export async function listOpenRequestIdsIntoBranch(
  db: Db,
  {
    project_id,
    branch,
    limit = limits.merge_requests.followed_max,
  }: { project_id: number; branch: string; limit?: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('merge_requests')
    .select('issuable_id')
    .where('project_id', '=', project_id)
    .where('target_branch', '=', branch)
    .where('is_open', '=', true)
    .orderBy('issuable_id')
    .limit(limit)
    .execute()
  return rows.map(({ issuable_id }) => issuable_id)
}

/** Returns the open merge requests into a branch that are not being merged and whose head is one of these commits. */
export async function listOpenRequestsWithHeadIn(
  db: Db,
  { project_id, branch, shas }: { project_id: number; branch: string; shas: readonly string[] },
): Promise<{ issuable_id: number; head_sha: string; author_id: number }[]> {
  const found: { issuable_id: number; head_sha: string | null; author_id: number }[] = []
  for (const some of splitIntoBatches(shas, rows_max)) {
    const rows = await db
      .selectFrom('merge_requests')
      .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
      .innerJoin(
        'merge_request_versions as version',
        'version.id',
        'merge_requests.latest_version_id',
      )
      .select(['merge_requests.issuable_id', 'merge_requests.head_sha', 'issuables.author_id'])
      .where('merge_requests.head_sha', 'in', some)
      .where('merge_requests.project_id', '=', project_id)
      .where('merge_requests.target_branch', '=', branch)
      .where('merge_requests.is_open', '=', true)
      .where('issuables.state', '=', 'opened')
      .where('version.commits_count', '>', 0)
      .orderBy('merge_requests.issuable_id')
      .execute()
    found.push(...rows)
  }
  return found.flatMap(({ head_sha, ...rest }) =>
    head_sha === null ? [] : [{ ...rest, head_sha }],
  )
}

/** Returns the newest merge request from a branch if it is closed. */
export async function listNewestRequestFromBranchIfClosed(
  db: Db,
  { project_id, branch }: { project_id: number; branch: string },
): Promise<{ id: number; project_id: number; author_id: number }[]> {
  const rows = await db
    .selectFrom('merge_requests')
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .select(['issuables.id', 'issuables.project_id', 'issuables.author_id', 'issuables.state'])
    .where('merge_requests.source_project_id', '=', project_id)
    .where('merge_requests.source_branch', '=', branch)
    .orderBy('issuables.id', 'desc')
    .limit(1)
    .execute()
  return rows.filter(({ state }) => state === 'closed')
}

/** Returns the id of the project that a project was forked from. */
export async function findForkSourceId(db: Db, project_id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('forked_from_id')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return row?.forked_from_id ?? undefined
}

export async function listLabelTitles(db: Db, issuable_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .select('labels.title')
    .where('issuable_labels.issuable_id', '=', issuable_id)
    .orderBy('labels.title')
    .execute()
  return rows.map(({ title }) => title)
}

/** Returns the state and title from the row in issuables, which are copied to the row of the merge request. */
export function findIssuableStateAndTitle(
  db: Db,
  id: number,
): Promise<Pick<Issuable, 'state' | 'title'> | undefined> {
  return db
    .selectFrom('issuables')
    .select(['state', 'title'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findMergeRequest(db: Db, issuable_id: number): Promise<MergeRequest | undefined> {
  return db
    .selectFrom('merge_requests')
    .selectAll()
    .where('issuable_id', '=', issuable_id)
    .executeTakeFirst()
}
