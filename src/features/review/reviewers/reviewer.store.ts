import type { Selectable } from 'kysely'
import type { Db, MergeRequestReviewerTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'

export type ReviewerState = Selectable<MergeRequestReviewerTable>['state']
/** `asked_at` is when the user became a reviewer. */
type Reviewer = { user: User; state: ReviewerState; asked_at: string }

/** One page of the reviewers of a merge request, in the order of their ids. */
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

/** Changes the state of a reviewer whose state is one of `from`, or any. Returns false if there is no such reviewer. */
export async function updateReviewerState(
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
export async function insertReviewer(
  tx: Db,
  row: { issuable_id: number; user_id: number; state: ReviewerState; created_at: string },
): Promise<void> {
  await tx
    .insertInto('merge_request_reviewers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
