// What reviewers of merge requests did last (docs/api/merge-requests.md, "Reviewers").
import type { Db } from '../../../db/db.ts'
import { insertReviewer, type ReviewerState, updateReviewerState } from './reviewer.store.ts'

type Review = { issuable_id: number; user_id: number }

/** Notes that a reviewer has written the first comment of a review. Does nothing for others. */
export async function startReview(tx: Db, review: Review): Promise<void> {
  await updateReviewerState(tx, { ...review, state: 'review_started', from: ['unreviewed'] })
}

/** Changes what a reviewer did last. Returns false for a user who is no reviewer. */
export function setReviewerState(
  tx: Db,
  review: Review & { state: ReviewerState },
): Promise<boolean> {
  return updateReviewerState(tx, review)
}

/** Makes a user a reviewer with a state, unless they are one already. */
export function addReviewer(
  tx: Db,
  review: Review & { state: ReviewerState; created_at: string },
): Promise<void> {
  return insertReviewer(tx, review)
}
