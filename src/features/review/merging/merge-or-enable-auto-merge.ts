// `PUT .../merge` and the quick action `/merge` (docs/api/merge-requests.md, "Merging").

import type { Actor, ActorUser } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { notAllowedInState } from '../../../kernel/errors.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { mayMergeIntoBranch } from '../../repository/protected-branches/merge-right.ts'
import { findMergeability } from '../merge-requests/find-mergeability.ts'
import {
  type MergeRequestWithProjects,
  readBranchTips,
  staleShaError,
  updateMergeRequest,
} from '../merge-requests/merge-request.ts'
import { getMergeSettings, isPipelineUnfinished } from '../merge-requests/merge-settings.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { acceptMergeRequest, cannotBeMergedError, type MergeMessages } from './accept-request.ts'
import { enableAutoMerge } from './auto-merge.ts'

export type MergeOptions = MergeMessages & {
  sha?: string
  squash?: boolean
  should_remove_source_branch?: boolean
  merge_when_pipeline_succeeds?: boolean
  auto_merge?: boolean
}

type MergeContext = Instance & {
  subject: IssuableSubject
  level: number
  actor: Actor
  user: ActorUser
  baseUrl: string
}

/** Whether the caller may merge into the target branch of the merge request. */
export function mayMergeRequest(
  { db, subject, level, actor }: Pick<MergeContext, 'db' | 'subject' | 'level' | 'actor'>,
  { request }: MergeRequestWithProjects,
): Promise<boolean> {
  return mayMergeIntoBranch(db, { subject, level, actor }, request.target_branch)
}

/**
 * Merges at once, or enables auto-merge while the pipeline runs, for a caller who `mayMergeRequest`. Throws the first refusal, in
 * this order.
 */
export async function mergeOrEnableAutoMerge(
  context: MergeContext,
  before: MergeRequestWithProjects,
  input: MergeOptions,
): Promise<void> {
  const { db, subject, actor, user, config } = context
  const { id } = subject.issuable
  const settings = await getMergeSettings(db, subject.id)
  const isAuto = input.merge_when_pipeline_succeeds ?? input.auto_merge ?? false
  const first = await findMergeability({ db, config }, before, settings)
  const isWaiting = isAuto && first.isReady && isPipelineUnfinished(first.pipeline?.status)
  const isAtOnce = isAuto
    ? first.pipeline?.status === 'success'
    : first.isReady && first.meetsPipelines
  if (!isWaiting && !isAtOnce) throw notAllowedInState()
  const { merge_commit_message, squash_commit_message, should_remove_source_branch } = input
  const sha = input.sha || undefined
  const parameters = {
    ...(merge_commit_message ? { merge_commit_message } : {}),
    ...(squash_commit_message ? { squash_commit_message } : {}),
  }
  const updates = {
    ...(input.squash === true && { squash: true }),
    ...(should_remove_source_branch !== undefined && { should_remove_source_branch }),
  }
  if (isWaiting) {
    const whole = await syncMergeRequestWithBranches(context, id)
    const now = whole && (await findMergeability({ db, config }, whole, settings))
    const mustRebase = settings.merge_method !== 'merge' && whole?.request.is_behind
    if (!whole || !now?.isReady || mustRebase) throw cannotBeMergedError()
    const { sourceTip } = readBranchTips(config, whole)
    if (sha && sha !== sourceTip) throw staleShaError(sourceTip ?? null)
    await updateMergeRequest(db, id, { ...updates, merge_error: null })
    await enableAutoMerge(context, whole, { user, parameters })
    return
  }
  if (!first.isReady || !first.meetsPipelines) throw cannotBeMergedError()
  const { baseUrl } = context
  const by = { ...actor, user }
  const acceptance = { known: before, actor: by, settings, parameters, sha, updates, baseUrl }
  await acceptMergeRequest(context, acceptance)
}
