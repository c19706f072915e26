// Merges a merge request. The new tip of the target is recorded before it moves, with a task that checks the outcome: a
// server that dies in between completes the merge after its restart.

import { randomUUID } from 'node:crypto'
import type { Actor, ActorUser } from '../../../access/actor.ts'
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import { GitError } from '../../../git/errors.ts'
import { branchRef, type Oid, type RefName } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { requireWritable } from '../../../git/repository.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import { type GitIdentity, writeObjects } from '../../../git/write.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError, notAllowedInState, unauthorized } from '../../../kernel/errors.ts'
import { RepositoryElsewhereError } from '../../../kernel/repository-elsewhere.ts'
import {
  fullIssuableReference,
  issuableUrl,
  shortIssuableReference,
} from '../../../subjects/issuable.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { shortestReferenceFromProject } from '../../planning/issuables/mention.ts'
import { withBranchLock } from '../../repository/commits/branch-lock.ts'
import { mayMergeIntoBranch } from '../../repository/protected-branches/merge-right.ts'
import { preparePush } from '../../repository/pushes/push.ts'
import { createRefUpdateRecheck } from '../../repository/pushes/recheck-access.ts'
import { findQuotaExcess, mergeOverQuotaText } from '../../repository/quotas/quota.ts'
import { filterRequestIdsMissingApprovals } from '../approval-states/approval-state.ts'
import { listApprovers } from '../approvals/approval.ts'
import { listIssuesClosedOnMerge } from '../merge-request-versions/closing-issues.ts'
import { findMergeability } from '../merge-requests/find-mergeability.ts'
import {
  findNewestVersion,
  findRequestWithProjects,
  type MergeRequestVersion,
  type MergeRequestWithProjects,
  readBranchTips,
  staleShaError,
  updateMergeRequest,
  updateMergeStatus,
} from '../merge-requests/merge-request.ts'
import type { MergeSettings } from '../merge-requests/merge-settings.ts'
import {
  listCommitsOfRequest,
  syncMergeRequestWithBranches,
} from '../merge-requests/refresh-request.ts'
import { syncCodeOwnerRules } from '../merge-requests/sync-code-owner-rules.ts'
import { type MergeTrial, tryMerge, tryPlainMerge } from '../merge-requests/try-merge.ts'
import {
  completeMerge,
  lockRequestForMerge,
  unlockRequestAfterAbortedMerge,
} from './complete-merge.ts'
import { saveMergeError } from './merge.store.ts'
import {
  defaultMergeTemplate,
  defaultSquashTemplate,
  fillMergeMessageTemplate,
  type MergeMessagePlaceholders,
} from './merge-message.ts'
import { type PlannedMerge, planMerge } from './plan-merge.ts'

export type MergeMessages = {
  merge_commit_message?: string
  squash_commit_message?: string
}

export type AcceptMergeRequestInput = {
  /** The merge request as the caller loaded it. It is loaded again under the lock of its target branch. */
  known: MergeRequestWithProjects
  actor: Actor & { user: ActorUser }
  settings: MergeSettings
  parameters: MergeMessages
  /** The expected head; the merge fails if the head has changed. */
  sha?: string
  /** Fields of the request that are saved once the merge is allowed. */
  updates?: { squash?: boolean; should_remove_source_branch?: boolean }
  baseUrl: string
}

/** 406: there are conflicts, or a rebase is needed first. */
export function cannotBeMergedError(): ApiError {
  return new ApiError('not-acceptable', 'Branch cannot be merged')
}

export const mergeErrorTexts = {
  updated: 'Branch has been updated since the merge was requested. Please review the changes.',
  unmergeable: 'Merge request is not mergeable',
  squashForbidden:
    'This project does not allow squashing commits when merge requests are accepted.',
  other: 'An error occurred while merging',
} as const

/**
 * Merges, or throws why not. An error during the merge is stored as `merge_error` of the merge request, and the response has
 * it (docs/api/merge-requests.md, "Merging").
 */
export async function acceptMergeRequest(
  uses: Instance,
  acceptance: AcceptMergeRequestInput,
): Promise<void> {
  const { issuable, request, target } = acceptance.known
  const ref = branchRef(request.target_branch)
  if (!ref) return
  const repository = projectRepository(uses.config, target)
  requireWritable(repository)
  try {
    await withBranchLock(repository, ref, () => attempt(uses, ref, acceptance))
  } catch (error) {
    // If a repository is on another server, the request runs again with a copy of it.
    if (error instanceof ApiError || error instanceof RepositoryElsewhereError) throw error
    await saveMergeError(uses.db, issuable.id, mergeErrorTexts.other)
    if (!(error instanceof GitError)) throw error
  }
}

async function attempt(
  uses: Instance,
  ref: RefName,
  acceptance: AcceptMergeRequestInput,
): Promise<void> {
  const { db, git, config } = uses
  const { known, settings, sha, updates, actor } = acceptance
  const { id } = known.issuable
  let whole = await findRequestWithProjects(db, id)
  if (whole?.issuable.state !== 'opened') throw notAllowedInState()
  // The target branch must not have changed, since the lock is for the branch that the caller saw.
  if (whole.request.target_branch !== known.request.target_branch) throw notAllowedInState()
  let heads = readBranchTips(config, whole)
  if (heads.sourceTip !== undefined && heads.sourceTip !== whole.request.head_sha) {
    whole = await syncMergeRequestWithBranches(uses, id, { isChecked: false })
    if (!whole) return
    heads = readBranchTips(config, whole)
  }
  await syncCodeOwnerRules(uses, whole.request, heads)
  // Checked again, since other merges and pushes may have happened while this one waited for the lock.
  const { isReady, meetsPipelines } = await findMergeability(uses, whole, settings)
  if (!isReady || !meetsPipelines) throw notAllowedInState()
  const { repository, sourceRepository, sourceTip, targetTip } = heads
  if (!sourceRepository || !sourceTip || !targetTip) throw cannotBeMergedError()
  // The source has moved since: the checks above were for the former head.
  if (sourceTip !== whole.request.head_sha) throw staleShaError(sourceTip)
  const excess = await findQuotaExcess(db, whole.target.id, { bytes: 0, goesTo: 'repository' })
  if (excess) return saveMergeError(db, id, mergeOverQuotaText(excess))
  await copyCommitFrom(git.git, { from: sourceRepository, repository, oid: sourceTip })
  const sides = { ours: targetTip, theirs: sourceTip }
  const isSquashed =
    settings.squash_option === 'always' || (updates?.squash ?? whole.request.squash)
  const check =
    settings.merge_method === 'merge' && !isSquashed
      ? await tryPlainMerge(git, repository, sides)
      : await tryMerge(git, repository, { ...sides, isTrial: false })
  await updateMergeStatus(db, id, {
    merge_status: check.problem ? 'cannot_be_merged' : 'can_be_merged',
    checked_source_sha: sourceTip,
    checked_target_sha: targetTip,
    ...(check.base && { is_behind: check.base !== targetTip }),
  })
  const isBehind = settings.merge_method !== 'merge' && check.base !== targetTip
  if (check.problem || isBehind) throw cannotBeMergedError()
  if (sha !== undefined && sha !== sourceTip) throw staleShaError(sourceTip)
  await updateMergeRequest(db, id, { ...updates, merge_error: null })
  if (isSquashed && settings.squash_option === 'never') {
    return saveMergeError(db, id, mergeErrorTexts.squashForbidden)
  }
  const version = await findNewestVersion(db, whole.request)
  if (!version) throw cannotBeMergedError()
  const planned = await plan(uses, acceptance, { whole, version, sides, check, isSquashed })
  await carryOut(uses, acceptance, { whole, ref, planned, targetTip })
  const { merge_commit_sha, squash_commit_sha } = planned
  const user_id = actor.user.id
  await completeMerge(uses, id, { merge_commit_sha, squash_commit_sha, user_id })
}

type Sides = { ours: Oid; theirs: Oid }

type ToPlan = {
  whole: MergeRequestWithProjects
  version: MergeRequestVersion
  sides: Sides
  check: MergeTrial
  isSquashed: boolean
}

async function plan(
  { db, git, clock, config }: Instance,
  { settings, parameters, actor, baseUrl }: AcceptMergeRequestInput,
  { whole, version, sides, check, isSquashed }: ToPlan,
): Promise<PlannedMerge> {
  const { request, issuable, target } = whole
  const repository = projectRepository(config, target)
  const merger = identityOf(actor.user)
  const writer = await findUser(db, issuable.author_id)
  const commits = async () => {
    const span = { head: sides.theirs, start: sides.ours }
    return git.objects.commits(repository, await listCommitsOfRequest(git, repository, span))
  }
  const facts = async (template: string): Promise<MergeMessagePlaceholders> => {
    const needs = (name: string) => template.includes(`%{${name}}`)
    const closed = needs('issues') ? await listIssuesClosedOnMerge(db, issuable.id) : []
    const needsCommits = ['first_commit', 'first_multiline_commit', 'co_authored_by', 'all_commits']
    return {
      source_branch: request.source_branch,
      target_branch: request.target_branch,
      title: issuable.title,
      description: issuable.description,
      reference: fullIssuableReference(target, issuable),
      url: issuableUrl(baseUrl, target, issuable),
      closes: closed.map((issue) =>
        shortestReferenceFromProject(target, {
          from: issue,
          reference: shortIssuableReference(issue),
        }),
      ),
      commits: needsCommits.some(needs) ? await commits() : [],
      approvers: needs('approved_by') ? (await listApprovers(db, issuable.id)).map(identityOf) : [],
      merger,
    }
  }
  return planMerge(git, repository, {
    method: settings.merge_method,
    isSquashed,
    ...sides,
    check,
    commits_count: version.commits_count,
    author: writer ? identityOf(writer) : merger,
    merger,
    date: clock(),
    async mergeMessage() {
      if (parameters.merge_commit_message) return withoutReturns(parameters.merge_commit_message)
      const template = settings.merge_commit_template ?? defaultMergeTemplate
      return fillMergeMessageTemplate(template, await facts(template))
    },
    async squashMessage() {
      const { squash_commit_message: own } = parameters
      if (own) return { text: withoutReturns(own), isOwn: true }
      const template = settings.squash_commit_template ?? defaultSquashTemplate
      const isOwn = settings.squash_commit_template !== null
      return { text: fillMergeMessageTemplate(template, await facts(template)), isOwn }
    },
  })
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

type Person = { name: string; email: string; commit_email: string | null }

function identityOf({ name, email, commit_email }: Person): GitIdentity {
  return { name, email: commit_email ?? email }
}

/**
 * Records the planned merge, then moves the target branch. If the branch cannot be moved, the record is
 * removed.
 */
async function carryOut(
  uses: Instance,
  { actor }: AcceptMergeRequestInput,
  {
    whole,
    ref,
    planned,
    targetTip,
  }: { whole: MergeRequestWithProjects; ref: RefName; planned: PlannedMerge; targetTip: Oid },
): Promise<void> {
  const { git, config } = uses
  const { target, request } = whole
  const { id } = whole.issuable
  const repository = projectRepository(config, target)
  const { tip, merge_commit_sha, squash_commit_sha, objects } = planned
  const token = randomUUID()
  const update = { name: ref, oldOid: targetTip, newOid: tip }
  await writeObjects(repository, objects)
  git.objects.keepWritten(repository, objects)
  const isNoted = await lockRequestForMerge(uses, id, {
    id: token,
    tip,
    target_sha: targetTip,
    merge_commit_sha,
    squash_commit_sha,
    user_id: actor.user.id,
  })
  if (!isNoted) throw notAllowedInState()
  const recheckRight = createRefUpdateRecheck({ ...uses, actor }, target, {
    may: (facts) => mayMergeIntoBranch(uses.db, facts, request.target_branch),
    refusal: unauthorized,
  })
  try {
    const moved = { moves: [update], user_id: actor.user.id }
    const { landed } = await preparePush(uses, target, moved)
    await updateRefs(git.git, repository, {
      updates: [update],
      areObjectsKnown: true,
      async confirm(...asked) {
        await recheckRight(...asked)
        // Checked again, since an approval may have been revoked while git was working.
        const missing = await filterRequestIdsMissingApprovals(uses.db, config.tier, [request])
        if (missing.size > 0) throw notAllowedInState()
      },
    })
    landed()
  } catch (error) {
    if (readRef(repository, ref) !== tip) await unlockRequestAfterAbortedMerge(uses.db, id, token)
    throw error
  }
}
