// Whether a merge request may be merged now, except for what git decides at the last moment (docs/api/merge-requests.md,
// "Merging").
import type { Instance } from '../../../http/endpoint.ts'
import { hasUnresolvedThread } from '../../../subjects/note.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { filterRequestIdsMissingApprovals } from '../approval-states/approval-state.ts'
import { findHeadPipeline } from './head-pipeline.store.ts'
import {
  currentMergeStatus,
  findNewestVersion,
  type MergeRequestWithProjects,
  readBranchTips,
} from './merge-request.ts'
import { type MergeSettings, meetsPipelineMergeRule } from './merge-settings.ts'
import { filterRequestIdsWithUnpassedChecks } from './status-check-rule.store.ts'

export type Mergeability = {
  /** Whether all conditions are met except the one about pipelines. */
  isReady: boolean
  meetsPipelines: boolean
  pipeline: Pipeline | undefined
}

export async function findMergeability(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  whole: MergeRequestWithProjects,
  settings: MergeSettings,
): Promise<Mergeability> {
  const { issuable, request } = whole
  const heads = readBranchTips(config, whole)
  const version = await findNewestVersion(db, request)
  const pipeline = await findHeadPipeline(db, issuable.id)
  const isReady =
    issuable.state === 'opened' &&
    !request.draft &&
    (version?.commits_count ?? 0) > 0 &&
    heads.sourceTip !== undefined &&
    heads.targetTip !== undefined &&
    currentMergeStatus(request, heads) !== 'cannot_be_merged' &&
    !(
      settings.only_allow_merge_if_all_discussions_are_resolved &&
      (await hasUnresolvedThread(db, issuable.id))
    ) &&
    (await filterRequestIdsMissingApprovals(db, config.tier, [request])).size === 0 &&
    !(
      config.tier === 'ultimate' &&
      settings.only_allow_merge_if_all_status_checks_passed &&
      (await filterRequestIdsWithUnpassedChecks(db, [request])).size > 0
    )
  return { isReady, meetsPipelines: meetsPipelineMergeRule(settings, pipeline?.status), pipeline }
}
