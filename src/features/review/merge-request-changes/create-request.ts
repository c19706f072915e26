// Creates a merge request: by the API, or by push options (docs/api/merge-requests.md, "Create").

import type { Actor } from '../../../access/actor.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import { branchRef } from '../../../git/names.ts'
import { requireWritable } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, conflict, invalid, unprocessable } from '../../../kernel/errors.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { areInSameForkNetwork, type Project } from '../../../subjects/project.ts'
import { createIssuable, type IssuableUses } from '../../planning/issuables/change-issuable.ts'
import type { IssuableFields } from '../../planning/issuables/issuable-fields.ts'
import { enqueueAfterNewVersion } from '../merge-request-versions/after-new-version.ts'
import { isDraftTitle } from '../merge-requests/draft.ts'
import { insertNewestVersion, readBranchTips } from '../merge-requests/merge-request.ts'
import { findRequiredApprovalsOfProject } from '../merge-requests/merge-settings.ts'
import { computeVersionStats } from '../merge-requests/refresh-request.ts'
import { setMergeRequestRef } from '../merge-requests/request-refs.ts'
import { setInitialReviewers } from '../reviewers/replace-reviewers.ts'
import { findOpenDuplicateIid, insertMergeRequest } from './merge-request-change.store.ts'

export type NewMergeRequest = {
  source: Project
  target: Project
  /** The caller's access level on the target. */
  level: number
  source_branch: string
  target_branch: string
  fields: IssuableFields & { title: string }
  reviewer_ids?: readonly number[]
  squash?: boolean
  remove_source_branch?: boolean
  allow_collaboration?: boolean
  approvals_before_merge?: number
}

export type CreateMergeRequestUses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
  actor: Actor
  baseUrl: string
}

/** Creates a merge request, or throws why it is refused. The caller's right to create one has been checked. */
export async function createMergeRequest(
  uses: CreateMergeRequestUses,
  asked: NewMergeRequest,
): Promise<Issuable> {
  const { db, git, clock, actor } = uses
  const { source, target, level, source_branch, target_branch, fields } = asked
  refuseBranches(asked)
  const pair = { project_id: target.id, source_project_id: source.id, source_branch, target_branch }
  const heads = readBranchTips(uses.config, { request: asked, target, source })
  const { repository, sourceRepository, sourceTip, targetTip } = heads
  // A reference for the merge request is created in the repository of the target.
  if (sourceTip && targetTip) requireWritable(repository)
  const areThere = sourceRepository && sourceTip && targetTip
  if (areThere)
    await copyCommitFrom(git.git, { from: sourceRepository, repository, oid: sourceTip })
  const measured =
    areThere && (await computeVersionStats(git, repository, { sourceTip, targetTip }))
  const approvals_before_merge = await requiredApprovals(uses, asked)
  const now = timestamp(clock)
  try {
    const issuable = await runTransaction(db, async (tx) => {
      const inner: IssuableUses = { ...uses, db: tx }
      const made = await createIssuable(inner, {
        project: target,
        kind: 'merge_request',
        level,
        fields,
        async insertOwn(own, row) {
          await insertMergeRequest(own, {
            ...pair,
            issuable_id: row.id,
            is_open: true,
            draft: isDraftTitle(row.title),
            squash: asked.squash ?? false,
            force_remove_source_branch: asked.remove_source_branch ?? null,
            approvals_before_merge,
            allow_collaboration: source.id !== target.id && (asked.allow_collaboration ?? false),
          })
          if (!measured) return
          const { commits, ...counts } = measured
          const shas = { head_sha: sourceTip, start_sha: targetTip }
          await insertNewestVersion(own, {
            issuable_id: row.id,
            before: null,
            version: { ...counts, ...shas, is_told: true, created_at: now },
            commits,
          })
        },
      })
      await setInitialReviewers(inner, {
        project: target,
        issuable: made,
        reviewer_ids: asked.reviewer_ids,
      })
      const user_id = actor.user?.id ?? null
      await enqueueAfterNewVersion(tx, clock, { merge_request_id: made.id, user_id })
      return made
    })
    if (sourceTip && targetTip) {
      await setMergeRequestRef(git.git, repository, {
        iid: issuable.iid,
        which: 'head',
        oid: sourceTip,
      })
    }
    return issuable
  } catch (error) {
    // An open merge request between the same branches is reported before problems of the title.
    const isOfTitle = error instanceof ApiError && error.kind === 'invalid'
    if (!isOfTitle && !findViolatedIndex(error)?.startsWith('merge_requests')) throw error
    const duplicate = await findOpenDuplicateIid(db, pair)
    throw duplicate === undefined ? error : openDuplicateRefusal(duplicate)
  }
}

/**
 * Returns the number of required approvals in the request, if it is allowed: on paid tiers, and not below the
 * project's number.
 */
async function requiredApprovals(
  { db, config }: CreateMergeRequestUses,
  { target, approvals_before_merge }: NewMergeRequest,
): Promise<number | null> {
  if (config.tier === 'free' || approvals_before_merge === undefined) return null
  const least = await findRequiredApprovalsOfProject(db, target.id)
  return approvals_before_merge < least ? null : approvals_before_merge
}

/** Returns 409: the branches have an open merge request. */
export function openDuplicateRefusal(iid: number): ApiError {
  return conflict([`Another open merge request already exists for this source branch: !${iid}`])
}

/** Returns 422: source and target are the same branch. */
export function sameBranchRefusal(): ApiError {
  return unprocessable(["You can't use same project/branch for source and target"])
}

function refuseBranches({ source, target, source_branch, target_branch }: NewMergeRequest): void {
  if (source.id === target.id && source_branch === target_branch) {
    throw sameBranchRefusal()
  }
  if (!areInSameForkNetwork(source, target)) {
    throw unprocessable(['Source project is not a fork of the target project'])
  }
  const problems = Object.entries({ source_branch, target_branch }).filter(
    ([, branch]) => !branchRef(branch),
  )
  if (problems.length > 0) {
    throw invalid(Object.fromEntries(problems.map(([name]) => [name, ['is invalid']])))
  }
}
