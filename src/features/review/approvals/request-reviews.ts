// Requests another review from users who have reviewed already (docs/api/merge-requests.md, "Reviewers").
import { type IssuableSubject, mayAdminIssuable } from '../../../subjects/issuable.ts'
import type { User } from '../../../subjects/user.ts'
import { changeIssuable, type IssuableUses } from '../../planning/issuables/change-issuable.ts'
import { insertSystemNotes, insertTodos } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { revokeApprovals } from '../approval-states/approval-state.ts'
import { listReviewers, replaceReviewers } from '../reviewers/replace-reviewers.ts'
import { resetReviewerStates } from '../reviewers/reviewer.ts'

type Context = IssuableUses & { subject: IssuableSubject; level: number }

/**
 * Makes the users reviewers. Resets the state of those who have already reviewed. Does nothing if the caller may not choose
 * reviewers.
 */
export async function requestReviews(context: Context, user_ids: readonly number[]): Promise<void> {
  const { db, actor, subject, level } = context
  if (!mayAdminIssuable({ subject, level, actor })) return
  const before = await listReviewers(db, subject.issuable.id)
  const known = before.map(({ id }) => id)
  const again = before.filter(({ id }) => user_ids.includes(id))
  if (again.length > 0) await requestAgain(context, again)
  const added = user_ids.filter((id) => !known.includes(id))
  if (added.length === 0) return
  // New reviewers come first, since the free tier keeps only the first reviewer.
  const reviewer_ids = [...added, ...known]
  const asked = { project: subject, issuable: subject.issuable, reviewer_ids }
  const own = await replaceReviewers(context, asked)
  if (own) await changeIssuable(context, { subject, level, fields: {}, own })
}

/**
 * Revokes the approvals of the reviewers, and creates to-do items for them. Reviewers who have not reviewed
 * yet are left alone.
 */
async function requestAgain(
  { db: tx, clock, actor, subject: { issuable } }: Context,
  reviewers: readonly User[],
): Promise<void> {
  const author_id = actor.user?.id ?? 0
  const of = { issuable_id: issuable.id, user_ids: reviewers.map(({ id }) => id) }
  const revoked = await revokeApprovals(tx, of)
  const restarted = new Set([...(await resetReviewerStates(tx, of)), ...revoked])
  const again = reviewers.filter(({ id }) => restarted.has(id))
  if (again.length === 0) return
  await insertTodos(tx, clock, {
    ...{ issuable, author_id, action: 'review_requested' },
    user_ids: again.map(({ id }) => id),
  })
  const names = again.map(({ username }) => `@${username}`).join(' and ')
  const note = `requested review from ${names}${revoked.length > 0 ? ' and removed approval' : ''}`
  await insertSystemNotes(tx, clock, { issuable, author_id, bodies: [note] })
  await issuableChangedEffect.run({
    ...{ tx, clock, action: 'update', user_id: author_id, changes: {} },
    asked_again_ids: again.map(({ id }) => id),
    project_id: issuable.project_id,
    issuable_id: issuable.id,
    kind: 'merge_request',
  })
}
