import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'

export const findMergeSettings = defineRowLoader((db, { id }: { id: number }) =>
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

/** Returns how many approvals the project requires for a merge. */
export async function findRequiredApprovalsOfProject(db: Db, project_id: number): Promise<number> {
  const row = await db
    .selectFrom('projects')
    .select('approvals_before_merge')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return row?.approvals_before_merge ?? 0
}
