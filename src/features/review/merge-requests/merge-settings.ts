// What a project says of merging, and what of it a merge request does not meet
// (docs/api/merge-requests.md, "Merging").
import type { CiStatus } from '../../../db/db.ts'
import type { findMergeSettings } from './merge-settings.store.ts'

export type MergeSettings = Awaited<ReturnType<typeof findMergeSettings>>

/** Whether the rule of the project about pipelines lets a merge request of that pipeline in. */
export function meetsPipelineRule(
  settings: Pick<
    MergeSettings,
    'only_allow_merge_if_pipeline_succeeds' | 'allow_merge_on_skipped_pipeline'
  >,
  status: CiStatus | undefined,
): boolean {
  if (!settings.only_allow_merge_if_pipeline_succeeds) return true
  if (status === 'skipped') return settings.allow_merge_on_skipped_pipeline === true
  return status === 'success'
}

/** Whether a pipeline of this status may still finish by itself, or has not begun. */
export function isPipelineActive(status: CiStatus | undefined): boolean {
  return (
    status === 'created' ||
    status === 'waiting_for_resource' ||
    status === 'preparing' ||
    status === 'pending' ||
    status === 'running' ||
    status === 'scheduled'
  )
}
