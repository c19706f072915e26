import type { Issuable } from '../../../subjects/issuable.ts'
import type { DisplayedMergeStatus } from './merge-request.ts'
import { isPipelineUnfinished, meetsPipelineMergeRule } from './merge-settings.ts'
import type { MergeRequestDetails } from './request-details.store.ts'

/** Returns the first reason against a merge, as newer clients know it (docs/api/merge-requests.md, "Mergeability"). */
export function detailedMergeStatus(
  issuable: Pick<Issuable, 'state'>,
  { own, status }: { own: MergeRequestDetails; status: DisplayedMergeStatus },
): string {
  const { request, settings, pipelineStatus } = own
  if (issuable.state !== 'opened') return 'not_open'
  if (status === 'unchecked') return 'unchecked'
  if (status === 'cannot_be_merged_recheck') return 'checking'
  if (!own.hasCommits) return 'commits_status'
  if (status === 'cannot_be_merged') {
    const isBranchMissing =
      request.checked_source_sha === null || request.checked_target_sha === null
    return isBranchMissing ? 'commits_status' : 'conflict'
  }
  if (request.draft) return 'draft_status'
  if (own.isBlockedByThreads) return 'discussions_not_resolved'
  if (own.isBlockedByApprovals) return 'not_approved'
  if (own.isBlockedByChecks) return 'status_checks_must_pass'
  if (!meetsPipelineMergeRule(settings, pipelineStatus)) {
    return isPipelineUnfinished(pipelineStatus) ? 'ci_still_running' : 'ci_must_pass'
  }
  return settings.merge_method !== 'merge' && request.is_behind ? 'need_rebase' : 'mergeable'
}
