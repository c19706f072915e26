// Approvals of merge requests, which say who has looked at them and bar nothing.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { User } from '../../../subjects/user.ts'
import { addSystemNotes, completeTodos } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { setReviewerState } from '../reviewers/reviewer.ts'
import { deleteApproval, insertApproval } from './approval.store.ts'

type Approval = { issuable: Issuable; user_id: number }

/** False where the user had approved it already. */
export async function approveRequest(
  tx: Db,
  clock: Clock,
  { issuable, user_id }: Approval,
): Promise<boolean> {
  const row = { issuable_id: issuable.id, user_id, created_at: timestamp(clock) }
  if (!(await insertApproval(tx, row))) return false
  await completeTodos(tx, clock, { issuable_id: issuable.id, user_id })
  await recordApprovalChange(tx, clock, { issuable, user_id, action: 'approved' })
  return true
}

/** False where there is no approval to take back. */
export async function unapproveRequest(
  tx: Db,
  clock: Clock,
  { issuable, user_id }: Approval,
): Promise<boolean> {
  if (!(await deleteApproval(tx, { issuable_id: issuable.id, user_id }))) return false
  await recordApprovalChange(tx, clock, { issuable, user_id, action: 'unapproved' })
  return true
}

async function recordApprovalChange(
  tx: Db,
  clock: Clock,
  { issuable, user_id, action }: Approval & { action: 'approved' | 'unapproved' },
): Promise<void> {
  await setReviewerState(tx, { issuable_id: issuable.id, user_id, state: action })
  const bodies = [`${action} this merge request`]
  await addSystemNotes(tx, clock, { issuable, author_id: user_id, bodies })
  await issuableChangedEffect.run({
    ...{ tx, clock, action, user_id, changes: {} },
    project_id: issuable.project_id,
    issuable_id: issuable.id,
    kind: 'merge_request',
  })
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

export async function hasApproval(db: Db, id: number, user_id?: number): Promise<boolean> {
  const row = await db
    .selectFrom('merge_request_approvals')
    .select('user_id')
    .where('issuable_id', '=', id)
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes the approvals of these users, without a note or event of its own. Returns the ids of those who had approved. */
export async function revokeApprovals(
  tx: Db,
  { issuable_id, user_ids }: { issuable_id: number; user_ids: readonly number[] },
): Promise<number[]> {
  if (user_ids.length === 0) return []
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', 'in', user_ids)
    .returning('user_id')
    .execute()
  return gone.map(({ user_id }) => user_id)
}
