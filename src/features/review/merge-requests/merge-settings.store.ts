import { compiledQuery } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'

const settingsOf = compiledQuery((db, { id }: { id: number }) =>
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

export async function findMergeSettings(db: Db, project_id: number) {
  const settings = await settingsOf(db, { id: project_id })
  if (!settings)
    throw new Error(`Project ${project_id} was deleted while its merge settings were read.`)
  return settings
}

/** Whether a thread of it waits to be resolved. */
export async function hasOpenThread(db: Db, issuable_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('notes')
    .select('id')
    .where('issuable_id', '=', issuable_id)
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How many approvals the project asks for before a merge. */
export async function findRequiredApprovals(db: Db, project_id: number): Promise<number> {
  const row = await db
    .selectFrom('projects')
    .select('approvals_before_merge')
    .where('id', '=', project_id)
    .executeTakeFirst()
  return row?.approvals_before_merge ?? 0
}
