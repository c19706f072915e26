// Submits a review: with comments only, or with a request for changes.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { insertSystemNotes, markTodosDoneOfIssuable } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { addReviewer, setReviewerState } from '../reviewers/reviewer.ts'
import { unapproveMergeRequest } from './approval.ts'

export const reviewVerdicts = ['reviewed', 'requested_changes'] as const
type Verdict = (typeof reviewVerdicts)[number]

/**
 * Sets the state of the user's review in the caller's transaction, and makes the user a reviewer. The author of the
 * merge request is left out unless somebody asked them for a review. Asking for changes revokes the user's approval.
 */
export async function submitReview(
  tx: Db,
  clock: Clock,
  { issuable, user_id, verdict }: { issuable: Issuable; user_id: number; verdict: Verdict },
): Promise<void> {
  const review = { issuable_id: issuable.id, user_id, state: verdict }
  if (!(await setReviewerState(tx, review))) {
    if (issuable.author_id === user_id) return
    await addReviewer(tx, { ...review, created_at: timestamp(clock) })
  }
  await markTodosDoneOfIssuable(tx, clock, { issuable_id: issuable.id, user_id })
  if (verdict === 'requested_changes') {
    await unapproveMergeRequest(tx, clock, { issuable, user_id })
    // Revoking the approval above changed the state, so it is set again.
    await setReviewerState(tx, review)
    await insertSystemNotes(tx, clock, {
      issuable,
      author_id: user_id,
      bodies: ['requested changes'],
    })
  }
  await issuableChangedEffect.run({
    ...{ tx, clock, action: 'update', user_id, changes: {} },
    project_id: issuable.project_id,
    issuable_id: issuable.id,
    kind: 'merge_request',
  })
}
