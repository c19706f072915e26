import { type Insertable, sql, type Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import type { Db, MergeRequestTable, MergeRequestVersionTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Issuable, visibleIssuable } from '../../../subjects/issuable.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { User } from '../../../subjects/user.ts'
import { isOfHead } from './head-pipeline.store.ts'
import type { ClosedIssue, MergeRequest, Version } from './merge-request.ts'

const rows_max = 500

/** Makes a version the newest one, unless another is by now. */
export async function insertVersion(
  tx: Db,
  {
    issuable_id,
    before,
    version,
    commits,
  }: {
    issuable_id: number
    before: number | null
    version: Omit<Insertable<MergeRequestVersionTable>, 'issuable_id'>
    commits: readonly string[]
  },
): Promise<void> {
  const { id } = await tx
    .insertInto('merge_request_versions')
    .values({ ...version, issuable_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await tx
    .updateTable('merge_requests')
    .set({ head_sha: version.head_sha, latest_version_id: id })
    .where('issuable_id', '=', issuable_id)
    .where('latest_version_id', before === null ? 'is' : '=', before)
    .returning('issuable_id')
    .executeTakeFirst()
  if (!made) {
    await tx.deleteFrom('merge_request_versions').where('id', '=', id).execute()
    return
  }
  await tx.deleteFrom('merge_request_commits').where('issuable_id', '=', issuable_id).execute()
  for (let at = 0; at < commits.length; at += rows_max) {
    const rows = commits.slice(at, at + rows_max).map((sha) => ({ issuable_id, sha }))
    await tx.insertInto('merge_request_commits').values(rows).execute()
  }
}

export async function saveStatus(
  db: Db,
  issuable_id: number,
  status: Pick<
    Updateable<MergeRequestTable>,
    'merge_status' | 'checked_source_sha' | 'checked_target_sha' | 'is_behind'
  >,
): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set(status)
    .where('issuable_id', '=', issuable_id)
    .where('is_open', '=', true)
    .execute()
}

export async function insertMergeRequest(
  tx: Db,
  row: Insertable<MergeRequestTable>,
): Promise<void> {
  await tx.insertInto('merge_requests').values(row).execute()
}

export type RequestUpdates = Updateable<MergeRequestTable>

export async function updateMergeRequest(
  tx: Db,
  issuable_id: number,
  changes: RequestUpdates,
): Promise<void> {
  await tx
    .updateTable('merge_requests')
    .set(changes)
    .where('issuable_id', '=', issuable_id)
    .execute()
}

type Pair = Pick<
  MergeRequest,
  'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'
>

/** Returns the number of the open merge request with these branches, if any. */
export async function findOpenDuplicate(db: Db, pair: Pair): Promise<number | undefined> {
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

/** It is merged; only the newest of its versions keeps its files. */
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

export function listApprovers(db: Db, id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('merge_request_approvals as approval', 'approval.user_id', 'users.id')
    .selectAll('users')
    .where('approval.issuable_id', '=', id)
    .orderBy('approval.created_at')
    .orderBy('users.id')
    .execute()
}

export async function findApproval(db: Db, id: number, user_id?: number): Promise<boolean> {
  const row = await db
    .selectFrom('merge_request_approvals')
    .select('user_id')
    .where('issuable_id', '=', id)
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** False where the user had approved it. */
export async function insertApproval(
  tx: Db,
  row: { issuable_id: number; user_id: number; created_at: string },
): Promise<boolean> {
  const made = await tx
    .insertInto('merge_request_approvals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}

export async function deleteApproval(
  tx: Db,
  { issuable_id, user_id }: { issuable_id: number; user_id: number },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

export function listReviewers(db: Db, id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('merge_request_reviewers as review', 'review.user_id', 'users.id')
    .selectAll('users')
    .where('review.issuable_id', '=', id)
    .orderBy('users.id')
    .execute()
}

export async function replaceReviewers(
  tx: Db,
  issuable_id: number,
  { user_ids, now }: { user_ids: readonly number[]; now: string },
): Promise<void> {
  await tx.deleteFrom('merge_request_reviewers').where('issuable_id', '=', issuable_id).execute()
  if (user_ids.length === 0) return
  await tx
    .insertInto('merge_request_reviewers')
    .values(user_ids.map((user_id) => ({ issuable_id, user_id, created_at: now })))
    .execute()
}

/** Open ones into a branch, the oldest first. */
export function listRetargeted(
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

/** Gives an open one another target, unless another open one has the pair; false where it cannot. */
export async function setTarget(
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

/** Enables auto-merge with `parameters`, or disables it without. Returns false if nothing changed. */
export async function setAutoMerge(
  tx: Db,
  id: number,
  parameters: Exclude<MergeRequest['merge_parameters'], null> | undefined,
  user_id?: number,
): Promise<boolean> {
  const isArmed = parameters !== undefined
  const changed = await tx
    .updateTable('merge_requests')
    .set({
      merge_when_pipeline_succeeds: isArmed,
      merge_parameters: isArmed ? toJson(parameters) : null,
      merge_user_id: user_id ?? null,
    })
    .where('issuable_id', '=', id)
    .where('is_open', '=', true)
    .where('merge_when_pipeline_succeeds', '=', !isArmed)
    .returning('issuable_id')
    .executeTakeFirst()
  return changed !== undefined
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
    .innerJoin('merge_requests', (join) => join.on(isOfHead))
    .select('merge_requests.issuable_id')
    .where('pipelines.id', '=', pipeline_id)
    .where('merge_requests.is_open', '=', true)
    .where('merge_requests.merge_when_pipeline_succeeds', '=', true)
    .orderBy('merge_requests.issuable_id')
    .limit(limits.merge_requests.followed_max)
    .execute()
}

export function listClosing(db: Db, id: number): Promise<ClosedIssue[]> {
  return db
    .selectFrom('closing_issues')
    .innerJoin('issuables', 'issuables.id', 'closing_issues.issue_id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['issuables.id', 'issuables.iid', 'issuables.kind', 'issuables.project_id'])
    .select(sql<string>`namespaces.full_path || '/' || projects.path`.as('full_path'))
    .where('closing_issues.merge_request_id', '=', id)
    .orderBy('issuables.id')
    .limit(limits.text_references_max)
    .execute()
}

/** Sets which issues it closes, and how many would close each of those. */
export async function replaceClosing(
  tx: Db,
  merge_request_id: number,
  issue_ids: readonly number[],
): Promise<void> {
  const before = await tx
    .selectFrom('closing_issues')
    .select('issue_id')
    .where('merge_request_id', '=', merge_request_id)
    .execute()
  const had = new Set(before.map(({ issue_id }) => issue_id))
  const has = new Set(issue_ids)
  const added = [...has].filter((id) => !had.has(id))
  const removed = [...had].filter((id) => !has.has(id))
  if (added.length === 0 && removed.length === 0) return
  if (removed.length > 0) {
    await tx
      .deleteFrom('closing_issues')
      .where('merge_request_id', '=', merge_request_id)
      .where('issue_id', 'in', removed)
      .execute()
  }
  if (added.length > 0) {
    await tx
      .insertInto('closing_issues')
      .values(added.map((issue_id) => ({ merge_request_id, issue_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await tx
    .updateTable('issuables')
    .set((eb) => ({
      merge_requests_count: eb
        .selectFrom('closing_issues')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .whereRef('closing_issues.issue_id', '=', 'issuables.id'),
    }))
    .where('id', 'in', [...added, ...removed])
    .execute()
}

export async function listCommitShas(db: Db, issuable_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('merge_request_commits')
    .select('sha')
    .where('issuable_id', '=', issuable_id)
    .execute()
  return rows.map(({ sha }) => sha)
}

export function findVersionBefore(
  db: Db,
  { id, issuable_id }: { id: number; issuable_id: number },
): Promise<Version | undefined> {
  return db
    .selectFrom('merge_request_versions')
    .selectAll()
    .where('issuable_id', '=', issuable_id)
    .where('id', '<', id)
    .where('is_told', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether it is the caller's to tell of the version. */
export async function claimVersion(tx: Db, id: number): Promise<boolean> {
  const claimed = await tx
    .updateTable('merge_request_versions')
    .set({ is_told: true })
    .where('id', '=', id)
    .where('is_told', '=', false)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Newest first. */
export async function listVersions(
  db: Db,
  issuable_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Version[]; total: number | undefined }> {
  const all = db.selectFrom('merge_request_versions').where('issuable_id', '=', issuable_id)
  const rows = await all.selectAll().orderBy('id', 'desc').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, all.select('id')) }
}

/** What variables of jobs say of it, as lists of names. */
export async function listNamesOf(
  db: Db,
  { id, milestone_id }: Pick<Issuable, 'id' | 'milestone_id'>,
): Promise<{ assignees: string; labels: string; milestone: string }> {
  const assignees = await db
    .selectFrom('users')
    .innerJoin('issuable_assignees', 'issuable_assignees.user_id', 'users.id')
    .select('users.username')
    .where('issuable_assignees.issuable_id', '=', id)
    .orderBy('users.id')
    .execute()
  const labels = await db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .select('labels.title')
    .where('issuable_labels.issuable_id', '=', id)
    .orderBy('labels.title')
    .execute()
  const milestone =
    milestone_id === null
      ? undefined
      : await db
          .selectFrom('milestones')
          .select('title')
          .where('id', '=', milestone_id)
          .executeTakeFirst()
  return {
    assignees: assignees.map(({ username }) => username).join(', '),
    labels: labels.map(({ title }) => title).join(','),
    milestone: milestone?.title ?? '',
  }
}

/** Open ones from a branch, newest first, with the path of the project each goes into. */
export function listOpenFrom(
  db: Db,
  { project_id, branch, limit }: { project_id: number; branch: string; limit: number },
) {
  return db
    .selectFrom('merge_requests')
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['issuables.id', 'issuables.iid', 'issuables.kind'])
    .select(sql<string>`namespaces.full_path || '/' || projects.path`.as('full_path'))
    .where('merge_requests.source_project_id', '=', project_id)
    .where('merge_requests.source_branch', '=', branch)
    .where('merge_requests.is_open', '=', true)
    .orderBy('issuables.id', 'desc')
    .limit(limit)
    .execute()
}

/** Whether no other merge request of its author was merged into the project. */
export async function isFirstMerged(
  db: Db,
  { project_id, author_id, id }: Pick<Issuable, 'project_id' | 'author_id' | 'id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('issuables')
    .select('id')
    .where('author_id', '=', author_id)
    .where('kind', '=', 'merge_request')
    .where('project_id', '=', project_id)
    .where('state', '=', 'merged')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

/** Open ones from a branch of a project. */
export async function listFrom(
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

/** Open ones into a branch of a project. */
export async function listInto(
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

/** Open ones into a branch that nobody is merging and whose head is one of these commits. */
export async function listContained(
  db: Db,
  { project_id, branch, shas }: { project_id: number; branch: string; shas: readonly string[] },
): Promise<{ issuable_id: number; head_sha: string; author_id: number }[]> {
  const found: { issuable_id: number; head_sha: string | null; author_id: number }[] = []
  for (let at = 0; at < shas.length; at += rows_max) {
    const rows = await db
      .selectFrom('merge_requests')
      .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
      .innerJoin(
        'merge_request_versions as version',
        'version.id',
        'merge_requests.latest_version_id',
      )
      .select(['merge_requests.issuable_id', 'merge_requests.head_sha', 'issuables.author_id'])
      .where('merge_requests.head_sha', 'in', shas.slice(at, at + rows_max))
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

/** The newest one from a branch, if it is closed. */
export async function listClosedFrom(
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

/** Issues it closes that the caller sees, by their age. */
export async function listClosingRows(
  db: Db,
  id: number,
  { actor, range }: { actor: Actor; range: { offset: number; per_page: number } },
): Promise<{ rows: Issuable[]; total: number | undefined }> {
  const matching = db
    .selectFrom('issuables')
    .innerJoin('closing_issues', 'closing_issues.issue_id', 'issuables.id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .where('closing_issues.merge_request_id', '=', id)
    .where('projects.state', '=', 'ready')
    .where(visibleIssuable(actor, 'issue'))
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id')
    .limit(range.per_page)
    .offset(range.offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** Notes that it is being rebased; false where it is not open, or has been since a moment that is not stale. */
export async function beginRebase(
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

export async function endRebase(db: Db, id: number, merge_error: string | null): Promise<void> {
  await updateMergeRequest(db, id, { rebasing_since: null, merge_error })
}

/** Those that ran for it, and those of its branch with a commit of it, newest first. */
export async function listRequestPipelines(
  db: Db,
  {
    issuable_id,
    project_ids,
    source_branch,
    range,
  }: {
    issuable_id: number
    project_ids: readonly number[]
    source_branch: string
    range: { offset: number; per_page: number }
  },
): Promise<{ rows: Pipeline[]; total: number | undefined }> {
  const matching = db
    .selectFrom('pipelines')
    .where('pipelines.project_id', 'in', [...project_ids])
    .where('pipelines.parent_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('pipelines.merge_request_id', '=', issuable_id),
        eb.and([
          eb('pipelines.ref', '=', source_branch),
          eb('pipelines.tag', '=', false),
          eb(
            'pipelines.sha',
            'in',
            eb
              .selectFrom('merge_request_versions')
              .select('merge_request_versions.head_sha')
              .where('merge_request_versions.issuable_id', '=', issuable_id)
              .union(
                eb
                  .selectFrom('merge_request_commits')
                  .select('merge_request_commits.sha as head_sha')
                  .where('merge_request_commits.issuable_id', '=', issuable_id),
              ),
          ),
        ]),
      ]),
    )
  const rows = await matching
    .selectAll('pipelines')
    .orderBy('pipelines.id', 'desc')
    .limit(range.per_page)
    .offset(range.offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('pipelines.id')) }
}

/** The project another one is a fork of. */
export async function findForkSource(db: Db, project_id: number): Promise<number | undefined> {
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

/** Returns open merge requests whose head the pipeline is of, with their authors. */
export function listAuthorsOfHead(
  db: Db,
  pipeline_id: number,
): Promise<{ id: number; project_id: number; author_id: number }[]> {
  return db
    .selectFrom('pipelines')
    .innerJoin('merge_requests', (join) => join.on(isOfHead))
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .select(['issuables.id', 'issuables.project_id', 'issuables.author_id'])
    .where('pipelines.id', '=', pipeline_id)
    .where('merge_requests.is_open', '=', true)
    .limit(limits.merge_requests.followed_max)
    .execute()
}

/** The state and title of the shared row, for its own row to follow. */
export function findSharedRow(
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
