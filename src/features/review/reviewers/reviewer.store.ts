import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'
import type { ReviewerState } from './reviewer.ts'

/** `asked_at` is when the user became a reviewer. */
type Reviewer = { user: User; state: ReviewerState; asked_at: string }

/** Returns one page of the reviewers of a merge request, ordered by id. */
export async function listReviewerStates(
  db: Db,
  issuable_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Reviewer[]; total: number | undefined }> {
  const matching = db
    .selectFrom('merge_request_reviewers as review')
    .innerJoin('users', 'users.id', 'review.user_id')
    .where('review.issuable_id', '=', issuable_id)
  const found = await matching
    .selectAll('users')
    .select(['review.state as review_state', 'review.created_at as asked_at'])
    .orderBy('users.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  const rows = found.map(({ review_state, asked_at, ...user }) => ({
    user,
    state: review_state,
    asked_at,
  }))
  return { rows, total: await countRows(db, matching.select('users.id')) }
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

/** Adds and removes reviewers. Those who stay keep their state. */
export async function changeReviewerRows(
  tx: Db,
  issuable_id: number,
  { added, removed, now }: { added: readonly number[]; removed: readonly number[]; now: string },
): Promise<void> {
  if (removed.length > 0) {
    await tx
      .deleteFrom('merge_request_reviewers')
      .where('issuable_id', '=', issuable_id)
      .where('user_id', 'in', removed)
      .execute()
  }
  if (added.length === 0) return
  await tx
    .insertInto('merge_request_reviewers')
    .values(added.map((user_id) => ({ issuable_id, user_id, created_at: now })))
    .onConflict((conflict) => conflict.columns(['issuable_id', 'user_id']).doNothing())
    .execute()
}
