// The versions of merge requests, and their commits, closed issues and pipelines.
import { sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Issuable, visibleIssuableCondition } from '../../../subjects/issuable.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { IssueClosedOnMerge, MergeRequestVersion } from '../merge-requests/merge-request.ts'

/** Returns the issues that a merge of the merge request closes, oldest first. */
export function listIssuesClosedOnMerge(db: Db, id: number): Promise<IssueClosedOnMerge[]> {
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

/** Sets which issues the merge request closes, and updates how many merge requests would close each of those. */
export async function replaceClosingIssues(
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

export async function listRequestCommitShas(db: Db, issuable_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('merge_request_commits')
    .select('sha')
    .where('issuable_id', '=', issuable_id)
    .execute()
  return rows.map(({ sha }) => sha)
}

export function findPreviousVersion(
  db: Db,
  { id, issuable_id }: { id: number; issuable_id: number },
): Promise<MergeRequestVersion | undefined> {
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

/** Returns whether the caller is the one to send notifications about the version. */
export async function claimVersionNotification(tx: Db, id: number): Promise<boolean> {
  const claimed = await tx
    .updateTable('merge_request_versions')
    .set({ is_told: true })
    .where('id', '=', id)
    .where('is_told', '=', false)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Returns the versions, newest first. */
export async function listMergeRequestVersions(
  db: Db,
  issuable_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: MergeRequestVersion[]; total: number | undefined }> {
  const all = db.selectFrom('merge_request_versions').where('issuable_id', '=', issuable_id)
  const rows = await all.selectAll().orderBy('id', 'desc').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, all.select('id')) }
}

/** Returns the lists of names for variables of jobs. */
export async function findNamesForPipelineVariables(
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

/** Returns the issues it closes that the caller can see, oldest first. */
export async function listVisibleClosingIssues(
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
    .where(visibleIssuableCondition(actor, 'issue'))
  const rows = await matching
    .selectAll('issuables')
    .orderBy('issuables.id')
    .limit(range.per_page)
    .offset(range.offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('issuables.id')) }
}

/** Returns the pipelines of the merge request, and those of its branch for one of its commits, newest first. */
export async function listMergeRequestPipelines(
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
