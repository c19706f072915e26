// What a project says of merging, and what of it a merge request does not meet
// (docs/api/merge-requests.md, "Merging").

import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { CiStatus, Db } from '../../../db/db.ts'

export type MergeSettings = Awaited<ReturnType<typeof getMergeSettings>>

/** Whether the rule of the project about pipelines lets a merge request of that pipeline in. */
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

/** Whether a pipeline of this status may still finish by itself, or has not begun. */
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

const settingsOf = defineRowLoader((db, { id }: { id: number }) =>
  db
    .selectFrom('projects')
    .select([
      'merge_method',
      'squash_option',
      'merge_commit_template',
      'squash_commit_template',
      'only_allow_merge_if_pipeline_succeeds',
      'allow_merge_on_skipped_pipeline',
      'only_allow_merge_if_all_discussions_are_resolved',
      'only_allow_merge_if_all_status_checks_passed',
      'autoclose_referenced_issues',
      'printing_merge_request_link_enabled',
    ])
    .where('id', '=', id),
)

export async function getMergeSettings(db: Db, project_id: number) {
  const settings = await settingsOf(db, { id: project_id })
  if (!settings)
    throw new Error(`Project ${project_id} was deleted while its merge settings were read.`)
  return settings
}

/** How many approvals the project asks for before a merge. */
export async function findRequiredApprovalsOfProject(db: Db, project_id: number): Promise<number> {
  const row = await db
    .selectFrom('projects')
    .select('approvals_before_merge')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return row?.approvals_before_merge ?? 0
}
