// Approvals of merge requests by users. approval-state.ts says which approvals are required.
import type { Db } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { insertSystemNotes, markTodosDoneOfIssuable } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import {
  doApprovalsCountAtHeadOnly,
  findApprovalSettings,
} from '../approval-states/approval-state.ts'
import {
  findNewestVersion,
  findRequestWithProjects,
  type MergeRequestWithProjects,
  staleShaError,
} from '../merge-requests/merge-request.ts'
import { listCommitsOfRequest } from '../merge-requests/refresh-request.ts'
import { resetReviewerStates, setReviewerState } from '../reviewers/reviewer.ts'
import {
  deleteApproval,
  deleteApprovals,
  isAnyEmailOfUser,
  upsertApproval,
} from './approval.store.ts'

type Approval = { issuable: Issuable; user_id: number }

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

/**
 * Approves the head of a merge request. Returns false if the user has approved it already, or if the project's settings
 * refuse it: to authors of its commits, or without a password (docs/api/approvals.md, "Settings"). Throws 409 if `sha` is
 * given and is not the head.
 */
export async function approveMergeRequest(
  uses: Uses,
  { issuable, user_id }: Approval,
  { sha, hasProvenPassword = false }: { sha?: string; hasProvenPassword?: boolean } = {},
): Promise<boolean> {
  const { db: tx, clock, config } = uses
  const whole = await findRequestWithProjects(tx, issuable.id)
  if (!whole) return false
  const { head_sha } = whole.request
  if (sha && sha !== head_sha) throw staleShaError(head_sha)
  const settings =
    config.tier === 'free' ? undefined : await findApprovalSettings(tx, issuable.project_id)
  if (settings?.require_password_to_approve && !hasProvenPassword) return false
  const isForOthers = settings?.merge_requests_disable_committers_approval
  if (isForOthers && (await hasUserCommittedToRequest(uses, whole.request, user_id))) return false
  const row = { issuable_id: issuable.id, user_id, head_sha, created_at: timestamp(clock) }
  const isRenewed =
    settings !== undefined &&
    (doApprovalsCountAtHeadOnly(settings) || settings.selective_code_owner_removals)
  if (!(await upsertApproval(tx, row, { isRenewed }))) return false
  await markTodosDoneOfIssuable(tx, clock, { issuable_id: issuable.id, user_id })
  await recordApprovalChange(tx, clock, { issuable, user_id, action: 'approved' })
  return true
}

/** Whether the user is the author or committer of a commit of the merge request. */
export async function hasUserCommittedToRequest(
  { db, git, config }: Omit<Uses, 'clock'>,
  request: MergeRequestWithProjects['request'],
  user_id: number,
): Promise<boolean> {
  const version = await findNewestVersion(db, request)
  const placement = await findRepositoryPlacement(db, request.project_id)
  if (!version || !placement) return false
  const repository = projectRepository(config, placement)
  const span = { head: version.head_sha as Oid, start: version.start_sha as Oid }
  const commits = await git.objects.commits(
    repository,
    await listCommitsOfRequest(git, repository, span),
  )
  const addresses = commits.flatMap(({ author, committer }) => [author.email, committer.email])
  return isAnyEmailOfUser(db, user_id, new Set(addresses.map((one) => one.toLowerCase())))
}

/** Revokes approvals of earlier heads if the project requires it, and resets the review state of their reviewers. */
export async function resetStaleApprovals(
  { db: tx, config }: Pick<Uses, 'db' | 'config'>,
  {
    issuable_id,
    project_id,
    head_sha,
  }: { issuable_id: number; project_id: number; head_sha: string },
): Promise<void> {
  if (config.tier === 'free') return
  const settings = await findApprovalSettings(tx, project_id)
  if (!settings.reset_approvals_on_push) return
  const user_ids = await deleteApprovals(tx, issuable_id, { kept_head: head_sha })
  await resetReviewerStates(tx, { issuable_id, user_ids })
}

/** Revokes the user's approval. Returns false if there is none. */
export async function unapproveMergeRequest(
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
  await insertSystemNotes(tx, clock, { issuable, author_id: user_id, bodies })
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

export async function isRequestApproved(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('merge_request_approvals')
    .select('user_id')
    .where('issuable_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes all approvals of a merge request, and resets the review state of their reviewers. */
export async function resetAllApprovals(tx: Db, issuable_id: number): Promise<void> {
  const user_ids = await deleteApprovals(tx, issuable_id)
  await resetReviewerStates(tx, { issuable_id, user_ids })
}
