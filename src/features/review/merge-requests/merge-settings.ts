// The merge settings of a project, and which of them a merge request does not meet (docs/api/merge-requests.md,
// "Merging").

import type { CiStatus, Db } from '../../../db/db.ts'
import { findMergeSettings } from './merge-settings.store.ts'

export { findRequiredApprovalsOfProject } from './merge-settings.store.ts'

export type MergeSettings = Awaited<ReturnType<typeof getMergeSettings>>

/** Whether a pipeline with this status satisfies the project's setting that pipelines must succeed. */
export function meetsPipelineMergeRule(
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

/** Whether a pipeline with this status has not started or may still finish by itself. */
export function isPipelineUnfinished(status: CiStatus | undefined): boolean {
  return (
    status === 'created' ||
    status === 'waiting_for_resource' ||
    status === 'preparing' ||
    status === 'pending' ||
    status === 'running' ||
    status === 'scheduled'
  )
}

export async function getMergeSettings(db: Db, project_id: number) {
  const settings = await findMergeSettings(db, { id: project_id })
  if (!settings)
    throw new Error(`Project ${project_id} was deleted while its merge settings were read.`)
  return settings
}
