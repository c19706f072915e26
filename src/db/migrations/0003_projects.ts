import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('projects')
    .addColumn('id', id.type, id.build)
    .addColumn('namespace_id', 'bigint', (c) => c.notNull().references('namespaces.id'))
    .addColumn('creator_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('visibility', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('creating'))
    .addColumn('archived', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('default_branch', 'text')
    .addColumn('repository_storage', 'text', (c) => c.notNull())
    .addColumn('last_activity_at', 'timestamptz', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .addColumn('issues_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('repository_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('merge_requests_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('forking_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('wiki_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('builds_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('snippets_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('pages_access_level', 'text', (c) => c.notNull().defaultTo('private'))
    .addColumn('operations_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('analytics_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('container_registry_access_level', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('resolve_outdated_diff_discussions', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('shared_runners_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('lfs_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('emails_disabled', 'boolean')
    .addColumn('service_desk_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('packages_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('ci_config_path', 'text')
    .addColumn('ci_default_git_depth', 'integer', (c) => c.notNull().defaultTo(20))
    .addColumn('ci_forward_deployment_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('ci_job_token_scope_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('public_jobs', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('build_git_strategy', 'text', (c) => c.notNull().defaultTo('fetch'))
    .addColumn('build_timeout', 'integer', (c) => c.notNull().defaultTo(3600))
    .addColumn('build_coverage_regex', 'text')
    .addColumn('auto_cancel_pending_pipelines', 'text', (c) => c.notNull().defaultTo('enabled'))
    .addColumn('auto_devops_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('auto_devops_deploy_strategy', 'text', (c) => c.notNull().defaultTo('continuous'))
    .addColumn('keep_latest_artifact', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('restrict_user_defined_variables', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('request_access_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('only_allow_merge_if_pipeline_succeeds', 'boolean', (c) =>
      c.notNull().defaultTo(false),
    )
    .addColumn('allow_merge_on_skipped_pipeline', 'boolean')
    .addColumn('only_allow_merge_if_all_discussions_are_resolved', 'boolean', (c) =>
      c.notNull().defaultTo(false),
    )
    .addColumn('remove_source_branch_after_merge', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('printing_merge_request_link_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('autoclose_referenced_issues', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('merge_method', 'text', (c) => c.notNull().defaultTo('merge'))
    .addColumn('squash_option', 'text', (c) => c.notNull().defaultTo('default_off'))
    .addColumn('suggestion_commit_message', 'text')
    .addColumn('merge_commit_template', 'text')
    .addColumn('squash_commit_template', 'text')
    .addColumn('approvals_before_merge', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('external_authorization_classification_label', 'text')
    .addColumn('runners_token', 'text')
    .execute()
  await sql`create unique index projects_path on projects (namespace_id, lower(path))`.execute(db)
  await db.schema
    .createIndex('projects_name')
    .unique()
    .on('projects')
    .columns(['namespace_id', 'name'])
    .execute()
  await db.schema.createIndex('projects_state').on('projects').column('state').execute()

  for (const table of ['routes', 'redirects'] as const) {
    await db.schema
      .createTable(table)
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
      .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
      .execute()
    await sql`create unique index ${sql.id(`${table}_path`)} on ${sql.table(table)} (lower(path))`.execute(
      db,
    )
    await db.schema.createIndex(`${table}_namespace`).on(table).column('namespace_id').execute()
    await db.schema.createIndex(`${table}_project`).on(table).column('project_id').execute()
  }

  await db.schema
    .createTable('project_topics')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_topics_key', ['project_id', 'name'])
    .execute()
  await db.schema.createIndex('project_topics_name').on('project_topics').column('name').execute()

  await db.schema
    .createTable('project_statistics')
    .addColumn('project_id', 'bigint', (c) =>
      c.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('commit_count', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('repository_size', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'projects.visibility': { type: 'Visibility' },
  'projects.state': { type: "'creating' | 'ready' | 'deleting'" },
  'projects.issues_access_level': { type: 'FeatureAccess' },
  'projects.repository_access_level': { type: 'FeatureAccess' },
  'projects.merge_requests_access_level': { type: 'FeatureAccess' },
  'projects.forking_access_level': { type: 'FeatureAccess' },
  'projects.wiki_access_level': { type: 'FeatureAccess' },
  'projects.builds_access_level': { type: 'FeatureAccess' },
  'projects.snippets_access_level': { type: 'FeatureAccess' },
  'projects.pages_access_level': { type: "FeatureAccess | 'public'" },
  'projects.operations_access_level': { type: 'FeatureAccess' },
  'projects.analytics_access_level': { type: 'FeatureAccess' },
  'projects.container_registry_access_level': { type: 'FeatureAccess' },
  'projects.build_git_strategy': { type: "'fetch' | 'clone'" },
  'projects.auto_cancel_pending_pipelines': { type: "'enabled' | 'disabled'" },
  'projects.auto_devops_deploy_strategy': { type: "'continuous' | 'manual' | 'timed_incremental'" },
  'projects.merge_method': { type: "'merge' | 'rebase_merge' | 'ff'" },
  'projects.squash_option': { type: "'never' | 'always' | 'default_on' | 'default_off'" },
  'projects.runners_token': { note: 'Encrypted; see kernel/secrets.ts.' },
  redirects: { note: 'Former paths of renamed or transferred projects and groups.' },
  routes: { note: 'Full paths of projects and namespaces. This table keeps them unique.' },
}
