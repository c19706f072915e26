// The states of reviewers (docs/api/merge-requests.md, "Reviewers").
import type { Selectable } from 'kysely'
import type { Db, MergeRequestReviewerTable } from '../../../db/db.ts'

export type ReviewerState = Selectable<MergeRequestReviewerTable>['state']

/** Records that a reviewer has written the first comment of a review. Does nothing for others. */
export async function setReviewerStateToStarted(
  tx: Db,
  review: { issuable_id: number; user_id: number },
): Promise<void> {
  await setReviewerState(tx, { ...review, state: 'review_started', from: ['unreviewed'] })
}

/** Changes the state of a reviewer; with `from`, only if it is one of these. Returns false if nothing changed. */
export async function setReviewerState(
  tx: Db,
  {
    issuable_id,
    user_id,
    state,
    from,
  }: { issuable_id: number; user_id: number; state: ReviewerState; from?: ReviewerState[] },
): Promise<boolean> {
  const changed = await tx
    .updateTable('merge_request_reviewers')
    .set({ state })
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .$if(from !== undefined, (query) => query.where('state', 'in', from ?? []))
    .returning('user_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Makes a user a reviewer with a state, unless they are one already. */
export async function addReviewer(
  tx: Db,
  row: { issuable_id: number; user_id: number; state: ReviewerState; created_at: string },
): Promise<void> {
  await tx
    .insertInto('merge_request_reviewers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The states of reviewers whose review can be requested again. */
const reviewed: ReviewerState[] = ['reviewed', 'requested_changes', 'approved', 'unapproved']

/** Resets the state of those of the reviewers who have reviewed. Returns their ids. */
export async function resetReviewerStates(
  tx: Db,
  { issuable_id, user_ids }: { issuable_id: number; user_ids: readonly number[] },
): Promise<number[]> {
  if (user_ids.length === 0) return []
  const changed = await tx
    .updateTable('merge_request_reviewers')
    .set({ state: 'unreviewed' })
    .where('issuable_id', '=', issuable_id)
    .where('user_id', 'in', user_ids)
    .where('state', 'in', reviewed)
    .returning('user_id')
    .execute()
  return changed.map(({ user_id }) => user_id)
}
