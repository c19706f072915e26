import type { Db } from '../../../db/db.ts'
import { fixedQuery } from '../../../db/fixed-query.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

const settingsOf = fixedQuery((db, { id }: { id: number }) =>
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
      'autoclose_referenced_issues',
      'printing_merge_request_link_enabled',
    ])
    .where('id', '=', id),
)

export async function findMergeSettings(db: Db, project_id: number) {
  const settings = await settingsOf(db, { id: project_id })
  if (!settings) throw new Error('A project is gone.')
  return settings
}

type Where = { sha: string; project_ids: readonly (number | null)[] }

/** The newest pipeline of a commit in any of the projects; children are part of their parents. */
export function findHeadPipeline(
  db: Db,
  { sha, project_ids }: Where,
): Promise<Pipeline | undefined> {
  return db
    .selectFrom('pipelines')
    .selectAll()
    .where('sha', '=', sha)
    .where(
      'project_id',
      'in',
      project_ids.filter((id) => id !== null),
    )
    .where('parent_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
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
