import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>
type Column = ColumnDefinitionBuilder

const required = (c: Column) => c.notNull()
const needed = (table: string) => (c: Column) =>
  c.notNull().references(`${table}.id`).onDelete('cascade')
const loose = (table: string) => (c: Column) => c.references(`${table}.id`).onDelete('set null')
const no = (c: Column) => c.notNull().defaultTo(false)

/** What merge requests have that issues do not, and the pipelines that run for them. */
export async function up(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('merge_requests')
    .addColumn('issuable_id', 'bigint', (c) =>
      c.primaryKey().references('issuables.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', needed('projects'))
    .addColumn('source_project_id', 'bigint', loose('projects'))
    .addColumn('source_branch', 'text', required)
    .addColumn('target_branch', 'text', required)
    .addColumn('is_open', 'boolean', required)
    .addColumn('draft', 'boolean', no)
    .addColumn('squash', 'boolean', no)
    .addColumn('allow_collaboration', 'boolean', no)
    .addColumn('force_remove_source_branch', 'boolean')
    .addColumn('should_remove_source_branch', 'boolean')
    .addColumn('merge_status', 'text', (c) => c.notNull().defaultTo('unchecked'))
    .addColumn('checked_source_sha', 'text')
    .addColumn('checked_target_sha', 'text')
    .addColumn('is_behind', 'boolean', no)
    .addColumn('head_sha', 'text')
    .addColumn('latest_version_id', 'bigint')
    .addColumn('merge_error', 'text')
    .addColumn('merge_when_pipeline_succeeds', 'boolean', no)
    .addColumn('merge_user_id', 'bigint', loose('users'))
    .addColumn('merge_parameters', 'jsonb')
    .addColumn('merging', 'jsonb')
    .addColumn('rebasing_since', 'timestamptz')
    .addColumn('merged_at', 'timestamptz')
    .addColumn('merge_commit_sha', 'text')
    .addColumn('squash_commit_sha', 'text')
    .execute()
  await unique(
    db,
    `merge_requests_open on merge_requests (project_id, source_project_id, source_branch, target_branch)
      where is_open`,
  )
  await index(db, 'merge_requests_source on merge_requests (source_project_id, source_branch)')
  await index(db, 'merge_requests_target on merge_requests (project_id, target_branch, is_open)')
  await index(db, 'merge_requests_branch on merge_requests (source_branch, project_id)')
  await index(db, 'merge_requests_head on merge_requests (head_sha)')
  for (const column of ['merge_user_id', 'merged_at', 'merge_commit_sha', 'squash_commit_sha']) {
    const isThere = `where ${column} is not null`
    await index(db, `merge_requests_${column} on merge_requests (${column}) ${isThere}`)
  }

  await db.schema
    .createTable('merge_request_versions')
    .addColumn('id', id.type, id.build)
    .addColumn('issuable_id', 'bigint', needed('issuables'))
    .addColumn('head_sha', 'text', required)
    .addColumn('base_sha', 'text')
    .addColumn('start_sha', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('files_count', 'integer', required)
    .addColumn('is_cut', 'boolean', no)
    .addColumn('commits_count', 'integer', required)
    .addColumn('is_told', 'boolean', no)
    .addColumn('created_at', 'timestamptz', required)
    .execute()
  await index(db, 'merge_request_versions_issuable on merge_request_versions (issuable_id, id)')

  await db.schema
    .createTable('merge_request_commits')
    .addColumn('issuable_id', 'bigint', needed('issuables'))
    .addColumn('sha', 'text', required)
    .addPrimaryKeyConstraint('merge_request_commits_key', ['issuable_id', 'sha'])
    .execute()
  await index(db, 'merge_request_commits_sha on merge_request_commits (sha, issuable_id)')

  for (const table of ['merge_request_reviewers', 'merge_request_approvals']) {
    await db.schema
      .createTable(table)
      .addColumn('issuable_id', 'bigint', needed('issuables'))
      .addColumn('user_id', 'bigint', needed('users'))
      .addColumn('created_at', 'timestamptz', required)
      .addPrimaryKeyConstraint(`${table}_key`, ['issuable_id', 'user_id'])
      .execute()
    await index(db, `${table}_user on ${table} (user_id, issuable_id)`)
  }

  await db.schema
    .alterTable('pipelines')
    .addColumn('merge_request_id', 'bigint', loose('issuables'))
    .execute()
  await db.schema.alterTable('pipelines').addColumn('event_variables', 'jsonb').execute()
  await index(
    db,
    'pipelines_merge_request on pipelines (merge_request_id, id) where merge_request_id is not null',
  )
}

function index(db: AnyDb, definition: string): Promise<unknown> {
  return sql.raw(`create index ${definition}`).execute(db)
}

function unique(db: AnyDb, definition: string): Promise<unknown> {
  return sql.raw(`create unique index ${definition}`).execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  merge_requests: { note: 'The columns of merge requests that issuables does not have.' },
  'merge_requests.project_id': { note: 'The target project, as in issuables.' },
  'merge_requests.source_project_id': { note: 'Null after that project was deleted.' },
  'merge_requests.is_open': { note: 'Whether the state is opened or locked.' },
  'merge_requests.force_remove_source_branch': {
    note: 'Whether the author wants the source branch deleted after the merge; null if not set.',
  },
  'merge_requests.should_remove_source_branch': {
    note: 'Whether the user who merged wants the source branch deleted; null if not set.',
  },
  'merge_requests.merge_status': {
    type: "'unchecked' | 'can_be_merged' | 'cannot_be_merged'",
    note: 'The result of the last mergeability check, which was made for the two commits beside it.',
  },
  'merge_requests.is_behind': {
    note: 'Whether the target branch had commits at that check that the source branch does not have.',
  },
  'merge_requests.head_sha': { note: 'The head of the newest version.' },
  'merge_requests.merge_parameters': {
    type: '{ merge_commit_message?: string; squash_commit_message?: string; sha?: string }',
    note: 'The parameters of the merge that runs when the pipeline succeeds.',
  },
  'merge_requests.merging': {
    type: '{ id: string; tip: string; target_sha: string; merge_commit_sha: string | null; squash_commit_sha: string | null; user_id: number }',
    note: 'The commit that the target branch is about to point to. Stored before the branch moves.',
  },
  'merge_requests.rebasing_since': { note: 'Null unless a rebase is running.' },
  merge_request_versions: {
    note: 'Versions of the diff. A push to the source branch, a forced push to the target branch, and a new target branch each create one.',
  },
  'merge_request_versions.base_sha': {
    note: 'The merge base; null if the branches have no common commit.',
  },
  'merge_request_versions.start_sha': { note: 'The head of the target branch at that time.' },
  'merge_request_versions.state': {
    type: "'collected' | 'empty' | 'overflow' | 'without_files'",
  },
  'merge_request_versions.is_cut': { note: 'Whether the diff has more files than were counted.' },
  'merge_request_versions.is_told': {
    note: 'Whether the system note and notifications about its commits were created.',
  },
  merge_request_commits: { note: 'The commits of the newest version, up to a limit.' },
  'pipelines.merge_request_id': { note: 'The merge request of a merge request pipeline.' },
  'pipelines.event_variables': {
    type: 'Record<string, string>',
    note: 'Variables of the event that started the pipeline, such as CI_MERGE_REQUEST_IID.',
  },
}
