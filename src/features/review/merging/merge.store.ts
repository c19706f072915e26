import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { limits } from '../../../kernel/limits.ts'
import { headPipelineCondition } from '../merge-requests/head-pipeline.ts'
import { type MergeRequest, updateMergeRequest } from '../merge-requests/merge-request.ts'

/** Locks an open merge request and stores its merge. Returns false if it is not open. */
export async function lockForMerge(
  tx: Db,
  id: number,
  merging: Exclude<MergeRequest['merging'], null>,
): Promise<boolean> {
  const claimed = await tx
    .updateTable('issuables')
    .set({ state: 'locked' })
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .returning('id')
    .executeTakeFirst()
  if (!claimed) return false
  await updateMergeRequest(tx, id, { merging: toJson(merging), merge_error: null })
  return true
}

/** Reopens a merge request that is locked by this very merge. Returns false otherwise. */
export async function unlockMerge(tx: Db, id: number, token: string): Promise<boolean> {
  const row = await tx
    .updateTable('merge_requests')
    .set((eb) => ({ is_open: eb.ref('is_open') }))
    .where('issuable_id', '=', id)
    .returning('merging')
    .executeTakeFirst()
  if (row?.merging?.id !== token) return false
  await updateMergeRequest(tx, id, { merging: null })
  await tx
    .updateTable('issuables')
    .set({ state: 'opened' })
    .where('id', '=', id)
    .where('state', '=', 'locked')
    .execute()
  return true
}

/** Marks the merge request as merged; only its newest version keeps its files. */
export async function markMerged(
  tx: Db,
  id: number,
  {
    now,
    user_id,
    merge_commit_sha,
    squash_commit_sha,
  }: {
    now: string
    user_id: number
    merge_commit_sha: string | null
    squash_commit_sha: string | null
  },
): Promise<void> {
  await updateMergeRequest(tx, id, {
    is_open: false,
    merging: null,
    merge_error: null,
    merged_at: now,
    merge_user_id: user_id,
    merge_commit_sha,
    squash_commit_sha,
    merge_status: 'can_be_merged',
  })
  await tx
    .updateTable('merge_request_versions')
    .set({ state: 'without_files' })
    .where('issuable_id', '=', id)
    .where('id', '<>', (eb) =>
      eb
        .selectFrom('merge_requests')
        .select((latest) => latest.fn.coalesce('latest_version_id', latest.lit(0)).as('id'))
        .where('issuable_id', '=', id),
    )
    .execute()
}

export async function saveMergeError(db: Db, id: number, merge_error: string): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set({ merge_error })
    .where('issuable_id', '=', id)
    .where('is_open', '=', true)
    .execute()
}

/** Returns the open merge requests into a branch, oldest first. */
export function listRequestsToRetarget(
  db: Db,
  { project_id, target_branch }: { project_id: number; target_branch: string },
): Promise<{ issuable_id: number }[]> {
  return db
    .selectFrom('merge_requests')
    .select('issuable_id')
    .where('project_id', '=', project_id)
    .where('target_branch', '=', target_branch)
    .where('is_open', '=', true)
    .orderBy('issuable_id')
    .limit(limits.merge_requests.retargeted_max)
    .execute()
}

/**
 * Changes the target branch of an open merge request. Returns false if it is not open, or if another open one has the same
 * branches.
 */
export async function updateTargetBranch(
  tx: Db,
  id: number,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const moved = await tx
    .updateTable('merge_requests')
    .set({ target_branch: to, merge_status: 'unchecked' })
    .where('issuable_id', '=', id)
    .where('target_branch', '=', from)
    .where('source_branch', '<>', to)
    .where('is_open', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('merge_requests as twin')
            .select('twin.issuable_id')
            .whereRef('twin.project_id', '=', 'merge_requests.project_id')
            .whereRef('twin.source_project_id', '=', 'merge_requests.source_project_id')
            .whereRef('twin.source_branch', '=', 'merge_requests.source_branch')
            .where('twin.target_branch', '=', to)
            .where('twin.is_open', '=', true),
        ),
      ),
    )
    .returning('issuable_id')
    .executeTakeFirst()
  return moved !== undefined
}

/** Updates the parameters of an enabled auto-merge. It merges in the name of the last user who enabled it. */
export async function updateAutoMerge(
  tx: Db,
  id: number,
  parameters: Exclude<MergeRequest['merge_parameters'], null>,
  merge_user_id: number,
): Promise<void> {
  await tx
    .updateTable('merge_requests')
    .set({ merge_parameters: toJson(parameters), merge_user_id })
    .where('issuable_id', '=', id)
    .where('is_open', '=', true)
    .where('merge_when_pipeline_succeeds', '=', true)
    .execute()
}

/** Returns merge requests with auto-merge enabled whose head the pipeline is of. */
export function listAutoMergesOfPipeline(
  db: Db,
  pipeline_id: number,
): Promise<{ issuable_id: number }[]> {
  return db
    .selectFrom('pipelines')
    .innerJoin('merge_requests', (join) => join.on(headPipelineCondition))
    .select('merge_requests.issuable_id')
    .where('pipelines.id', '=', pipeline_id)
    .where('merge_requests.is_open', '=', true)
    .where('merge_requests.merge_when_pipeline_succeeds', '=', true)
    .orderBy('merge_requests.issuable_id')
    .limit(limits.merge_requests.followed_max)
    .execute()
}

/** Records that a rebase has started. Returns false if the merge request is not open, or if another rebase is running. */
export async function markRebaseStarted(
  tx: Db,
  id: number,
  { now, stale }: { now: string; stale: string },
): Promise<boolean> {
  const begun = await tx
    .updateTable('merge_requests')
    .set({ rebasing_since: now, merge_error: null })
    .where('issuable_id', '=', id)
    .where('is_open', '=', true)
    .where((eb) => eb.or([eb('rebasing_since', 'is', null), eb('rebasing_since', '<', stale)]))
    .returning('issuable_id')
    .executeTakeFirst()
  return begun !== undefined
}

export async function markRebaseEnded(
  db: Db,
  id: number,
  merge_error: string | null,
): Promise<void> {
  await updateMergeRequest(db, id, { rebasing_since: null, merge_error })
}

/** Returns open merge requests whose head the pipeline is of, with their authors. */
export function listRequestAuthorsOfPipeline(
  db: Db,
  pipeline_id: number,
): Promise<{ id: number; project_id: number; author_id: number }[]> {
  return db
    .selectFrom('pipelines')
    .innerJoin('merge_requests', (join) => join.on(headPipelineCondition))
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .select(['issuables.id', 'issuables.project_id', 'issuables.author_id'])
    .where('pipelines.id', '=', pipeline_id)
    .where('merge_requests.is_open', '=', true)
    .limit(limits.merge_requests.followed_max)
    .execute()
}
