// Changes a merge request: the fields it shares with issues, and its own (docs/api/merge-requests.md, "Change").

import type { Actor } from '../../../access/actor.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { branchRef } from '../../../git/names.ts'
import { requireWritable } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { invalid } from '../../../kernel/errors.ts'
import {
  type Issuable,
  type IssuableSubject,
  mayAdminIssuable,
} from '../../../subjects/issuable.ts'
import { findVisibleProject, mayPushCode } from '../../../subjects/project.ts'
import { changeIssuable, type IssuableUses } from '../../planning/issuables/change-issuable.ts'
import type { FieldChanges } from '../../planning/issuables/issuable-changed.ts'
import type { IssuableFields } from '../../planning/issuables/issuable-fields.ts'
import { refreshClosingIssues } from '../merge-request-versions/closing-issues.ts'
import { disableAutoMerge } from '../merge-request-versions/disable-auto-merge.ts'
import { isDraftTitle } from '../merge-requests/draft.ts'
import {
  findRequestWithProjects,
  loadRequestOfIssuable,
  type MergeRequest,
  type MergeRequestUpdates,
  readBranchTips,
  updateMergeRequest,
} from '../merge-requests/merge-request.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { replaceReviewers } from '../reviewers/replace-reviewers.ts'
import { openDuplicateRefusal, sameBranchRefusal } from './create-request.ts'
import { findOpenDuplicateIid } from './merge-request-change.store.ts'

export type RequestChanges = {
  fields: IssuableFields
  target_branch?: string
  reviewer_ids?: readonly number[]
  squash?: boolean
  remove_source_branch?: boolean | null
  allow_collaboration?: boolean
}

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & { actor: Actor; baseUrl: string }

/** Changes a merge request and returns the new row. Throws 409 if another open merge request has the same branches. */
export async function changeMergeRequest(
  uses: Uses,
  { subject, level, asked }: { subject: IssuableSubject; level: number; asked: RequestChanges },
): Promise<Issuable> {
  const { db } = uses
  if (asked.target_branch !== undefined && !branchRef(asked.target_branch)) {
    throw invalid({ target_branch: ['is invalid'] })
  }
  const { id } = subject.issuable
  if (asked.target_branch !== undefined || asked.fields.title !== undefined || hasText(asked)) {
    // The steps after the change read both repositories and create a reference in the target. If the target
    // is on another server, the request is forwarded there before anything changes.
    const before = await findRequestWithProjects(db, id)
    if (before) requireWritable(readBranchTips(uses.config, before).repository)
  }
  try {
    const { issuable, isRetargeted } = await runTransaction(db, (tx) =>
      apply({ ...uses, db: tx }, { subject, level, asked }),
    )
    if (isRetargeted) await syncMergeRequestWithBranches(uses, id, { isRenewed: true })
    if (issuable.title !== subject.issuable.title || isRetargeted || hasText(asked)) {
      const whole = await findRequestWithProjects(db, id)
      if (whole) await refreshClosingIssues(uses, whole, uses)
    }
    return issuable
  } catch (error) {
    if (!findViolatedIndex(error)?.startsWith('merge_requests')) throw error
    const request = (await loadRequestOfIssuable(db, subject.issuable))?.request
    const target_branch = asked.target_branch ?? request?.target_branch
    const duplicate =
      request && target_branch && (await findOpenDuplicateIid(db, { ...request, target_branch }))
    throw duplicate ? openDuplicateRefusal(duplicate) : error
  }
}

/**
 * Returns whether the caller may allow members of the target to push to the source branch of a fork. Only
 * callers who may push there themselves may do so.
 */
async function mayAllow({ db, actor }: IssuableUses, request: MergeRequest): Promise<boolean> {
  const { source_project_id: id, project_id } = request
  if (id === null || id === project_id) return false
  const found = await findVisibleProject(db, actor, { id })
  return found !== undefined && mayPushCode({ subject: found.project, level: found.level, actor })
}

const hasText = ({ fields }: RequestChanges) => fields.description !== undefined

async function apply(
  uses: IssuableUses,
  { subject, level, asked }: { subject: IssuableSubject; level: number; asked: RequestChanges },
): Promise<{ issuable: Issuable; isRetargeted: boolean }> {
  const { db: tx, clock, actor } = uses
  const whole = await loadRequestOfIssuable(tx, subject.issuable)
  if (!whole) return { issuable: subject.issuable, isRetargeted: false }
  const { request } = whole
  const user_id = actor.user?.id ?? 0
  const updates: MergeRequestUpdates = {}
  const changes: FieldChanges = {}
  const notes: string[] = []
  const set = <K extends keyof MergeRequest & keyof typeof updates>(
    key: K,
    value: MergeRequest[K] | undefined,
  ): boolean => {
    if (value === undefined || value === request[key]) return false
    Object.assign(updates, { [key]: value })
    changes[key] = { previous: request[key], current: value }
    return true
  }
  set('squash', asked.squash)
  set('force_remove_source_branch', asked.remove_source_branch)
  if (asked.allow_collaboration !== undefined && (await mayAllow(uses, request))) {
    set('allow_collaboration', asked.allow_collaboration)
  }
  const isOwn = request.source_project_id === request.project_id
  if (isOwn && asked.target_branch === request.source_branch) throw sameBranchRefusal()
  const isRetargeted = request.is_open && set('target_branch', asked.target_branch)
  if (isRetargeted) {
    updates.merge_status = 'unchecked'
    notes.push(
      `changed target branch from \`${request.target_branch}\` to \`${asked.target_branch}\``,
    )
  }
  const reviewed = mayAdminIssuable({ subject, level, actor })
    ? await replaceReviewers(uses, {
        project: subject,
        issuable: subject.issuable,
        reviewer_ids: asked.reviewer_ids,
      })
    : undefined
  if (reviewed) {
    notes.push(...reviewed.notes)
    Object.assign(changes, reviewed.changes)
  }
  const { title } = asked.fields
  const draft = title === undefined ? request.draft : isDraftTitle(title)
  if (set('draft', draft)) {
    notes.push(`marked this merge request as **${draft ? 'draft' : 'ready'}**`)
  }
  // The row of merge_requests is updated first, since the code that syncs it with the issuable reads it.
  if (Object.keys(updates).length > 0) await updateMergeRequest(tx, request.issuable_id, updates)
  const own = { changes, notes }
  const issuable = await changeIssuable(uses, { subject, level, fields: asked.fields, own })
  if (isRetargeted) {
    await disableAutoMerge(tx, clock, { issuable, user_id, reason: 'target branch was changed' })
  }
  return { issuable, isRetargeted }
}
