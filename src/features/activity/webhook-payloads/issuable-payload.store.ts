// Loads the data of payloads of issues, merge requests and notes.
import type { Selectable } from 'kysely'
import type { Db, LabelTable } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'

export type Label = Selectable<LabelTable>

export function listLabelsOfIssuable(db: Db, issuable_id: number): Promise<Label[]> {
  return db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .selectAll('labels')
    .where('issuable_labels.issuable_id', '=', issuable_id)
    .orderBy('labels.title')
    .execute()
}

export function listAssigneesOfIssuable(db: Db, issuable_id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('issuable_assignees', 'issuable_assignees.user_id', 'users.id')
    .selectAll('users')
    .where('issuable_assignees.issuable_id', '=', issuable_id)
    .orderBy('users.id')
    .execute()
}

/** Returns those of the labels that still exist. */
export async function findLabelsByIds(db: Db, ids: readonly number[]): Promise<Label[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('labels')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
}

/** Returns a merge request with its row of issuables. */
export function findMergeRequestForPayload(db: Db, issuable_id: number) {
  return db
    .selectFrom('merge_requests')
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .select([
      'issuables.id',
      'issuables.iid',
      'issuables.title',
      'issuables.state',
      'merge_requests.project_id',
      'merge_requests.source_project_id',
      'merge_requests.source_branch',
      'merge_requests.target_branch',
      'merge_requests.draft',
      'merge_requests.force_remove_source_branch',
      'merge_requests.merge_status',
      'merge_requests.merge_error',
      'merge_requests.merge_when_pipeline_succeeds',
      'merge_requests.merge_user_id',
      'merge_requests.merge_commit_sha',
      'merge_requests.head_sha',
    ])
    .where('merge_requests.issuable_id', '=', issuable_id)
    .executeTakeFirst()
}

export type MergeRequestForPayload = NonNullable<
  Awaited<ReturnType<typeof findMergeRequestForPayload>>
>

export function listReviewersOfRequest(db: Db, issuable_id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('merge_request_reviewers', 'merge_request_reviewers.user_id', 'users.id')
    .selectAll('users')
    .where('merge_request_reviewers.issuable_id', '=', issuable_id)
    .orderBy('users.id')
    .execute()
}
