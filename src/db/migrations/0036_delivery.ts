import { type Kysely, type RawBuilder, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What pipelines need that run: jobs with all a runner is told, runners, and what starts and holds them. */
export async function up(db: AnyDb): Promise<void> {
  await makeSchedules(db)
  await makeTriggers(db)
  await makeRunners(db)
  await makeEnvironments(db)
  await widenPipelines(db)
  await widenJobs(db)
  await makeJobDetails(db)
  await db.schema
    .alterTable('project_statistics')
    .addColumn('job_artifacts_size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
}

async function makeSchedules(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('pipeline_schedules')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('owner_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('cron', 'text', (c) => c.notNull())
    .addColumn('cron_timezone', 'text', (c) => c.notNull())
    .addColumn('active', 'boolean', (c) => c.notNull())
    .addColumn('next_run_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await index(db, 'pipeline_schedules_project on pipeline_schedules (project_id, id)')
  await index(db, 'pipeline_schedules_owner on pipeline_schedules (owner_id)')
  await index(db, 'pipeline_schedules_due on pipeline_schedules (next_run_at) where active')

  await db.schema
    .createTable('pipeline_schedule_variables')
    .addColumn('id', id.type, id.build)
    .addColumn('pipeline_schedule_id', 'bigint', (c) =>
      c.notNull().references('pipeline_schedules.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('variable_type', 'text', (c) => c.notNull())
    .addColumn('raw', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await unique(
    db,
    'pipeline_schedule_variables_key on pipeline_schedule_variables (pipeline_schedule_id, key)',
  )
}

async function makeTriggers(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('pipeline_triggers')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('owner_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('token_digest', 'text', (c) => c.notNull())
    .addColumn('last_used', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await index(db, 'pipeline_triggers_project on pipeline_triggers (project_id, id)')
  await index(db, 'pipeline_triggers_owner on pipeline_triggers (owner_id)')
  await unique(db, 'pipeline_triggers_token on pipeline_triggers (token_digest)')

  await db.schema
    .createTable('resource_groups')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('process_mode', 'text', (c) => c.notNull().defaultTo('unordered'))
    .addColumn('job_id', 'bigint', (c) => c.references('jobs.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'resource_groups_key on resource_groups (project_id, key)')
  await index(db, 'resource_groups_job on resource_groups (job_id)')
}

async function makeRunners(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('runners')
    .addColumn('id', id.type, id.build)
    .addColumn('runner_type', 'text', (c) => c.notNull())
    .addColumn('group_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('creator_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('builtin', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('token_digest', 'text', (c) => c.notNull())
    .addColumn('short_token', 'text', (c) => c.notNull())
    .addColumn('token_expires_at', 'timestamptz')
    .addColumn('description', 'text')
    .addColumn('maintenance_note', 'text')
    .addColumn('tags', 'jsonb', (c) => c.notNull())
    .addColumn('run_untagged', 'boolean', (c) => c.notNull())
    .addColumn('locked', 'boolean', (c) => c.notNull())
    .addColumn('paused', 'boolean', (c) => c.notNull())
    .addColumn('access_level', 'text', (c) => c.notNull())
    .addColumn('maximum_timeout', 'integer')
    .addColumn('name', 'text')
    .addColumn('version', 'text')
    .addColumn('revision', 'text')
    .addColumn('platform', 'text')
    .addColumn('architecture', 'text')
    .addColumn('executor', 'text')
    .addColumn('ip_address', 'text')
    .addColumn('contacted_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'runners_token on runners (token_digest)')
  await index(db, 'runners_group on runners (group_id)')
  await index(db, 'runners_creator on runners (creator_id)')
  await index(db, 'runners_type on runners (runner_type, id)')

  await db.schema
    .createTable('runner_projects')
    .addColumn('id', id.type, id.build)
    .addColumn('runner_id', 'bigint', (c) =>
      c.notNull().references('runners.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .execute()
  await unique(db, 'runner_projects_pair on runner_projects (runner_id, project_id)')
  await index(db, 'runner_projects_project on runner_projects (project_id)')

  await db.schema
    .createTable('tag_sets')
    .addColumn('id', id.type, id.build)
    .addColumn('tags', 'text', (c) => c.notNull())
    .execute()
  await unique(db, 'tag_sets_tags on tag_sets (tags)')

  await db.schema
    .createTable('instance_secrets')
    .addColumn('name', 'text', (c) => c.notNull().primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

async function makeEnvironments(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('environments')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('external_url', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('auto_stop_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'environments_name on environments (project_id, name)')
  await unique(db, 'environments_slug on environments (project_id, slug)')
  await index(db, 'environments_auto_stop on environments (auto_stop_at)')

  await db.schema
    .createTable('deployments')
    .addColumn('id', id.type, id.build)
    .addColumn('iid', 'integer', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('environment_id', 'bigint', (c) =>
      c.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('job_id', 'bigint', (c) => c.references('jobs.id').onDelete('set null'))
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull())
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('on_stop', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .addColumn('finished_at', 'timestamptz')
    .execute()
  await unique(db, 'deployments_iid on deployments (project_id, iid)')
  await unique(db, 'deployments_job on deployments (job_id)')
  await index(db, 'deployments_environment on deployments (environment_id, id)')
  await index(db, 'deployments_user on deployments (user_id)')
}

async function widenPipelines(db: AnyDb): Promise<void> {
  const pipelines = db.schema.alterTable('pipelines')
  await pipelines.addColumn('name', 'text').execute()
  await pipelines.addColumn('protected', 'boolean', (c) => c.notNull().defaultTo(false)).execute()
  await pipelines.addColumn('locked', 'boolean', (c) => c.notNull().defaultTo(false)).execute()
  await pipelines.addColumn('auto_cancel', 'text').execute()
  await pipelines.addColumn('origin', 'text').execute()
  for (const [column, table] of [
    ['pipeline_schedule_id', 'pipeline_schedules'],
    ['pipeline_trigger_id', 'pipeline_triggers'],
    ['upstream_job_id', 'jobs'],
  ] as const) {
    await pipelines
      .addColumn(column, 'bigint', (c) => c.references(`${table}.id`).onDelete('set null'))
      .execute()
    await index(db, `pipelines_${column} on pipelines (${column}, id)`)
  }
  await pipelines
    .addColumn('parent_id', 'bigint', (c) => c.references('pipelines.id').onDelete('cascade'))
    .execute()
  await index(db, 'pipelines_parent on pipelines (parent_id)')
  await unique(db, 'pipelines_origin on pipelines (origin)')
  for (const column of ['status', 'source', 'updated_at']) {
    await index(db, `pipelines_${column} on pipelines (project_id, ${column}, id)`)
  }
  await db.schema
    .createTable('pipeline_variables')
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.notNull().references('pipelines.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('variable_type', 'text', (c) => c.notNull())
    .addColumn('raw', 'boolean', (c) => c.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('pipeline_variables_key', ['pipeline_id', 'key'])
    .execute()
}

async function widenJobs(db: AnyDb): Promise<void> {
  const jobs = db.schema.alterTable('jobs')
  await jobs.addColumn('run_when', 'text').execute()
  await jobs.addColumn('start_in_s', 'integer').execute()
  await jobs.addColumn('scheduled_at', 'timestamptz').execute()
  await jobs.addColumn('needs', 'jsonb').execute()
  await jobs.addColumn('tag_set_id', 'bigint', (c) => c.references('tag_sets.id')).execute()
  await jobs.addColumn('protected', 'boolean', (c) => c.notNull().defaultTo(false)).execute()
  await jobs.addColumn('interruptible', 'boolean', (c) => c.notNull().defaultTo(false)).execute()
  await jobs.addColumn('timeout_s', 'integer').execute()
  await jobs.addColumn('attempt', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await jobs.addColumn('exit_code', 'integer').execute()
  await jobs.addColumn('token_digest', 'text').execute()
  await jobs.addColumn('erased_at', 'timestamptz').execute()
  await jobs.addColumn('artifacts_expire_at', 'timestamptz').execute()
  await jobs.addColumn('log_bytes', 'bigint', (c) => c.notNull().defaultTo(0)).execute()
  await jobs.addColumn('log_blob', 'text').execute()
  await jobs.addColumn('debug_log', 'boolean', (c) => c.notNull().defaultTo(false)).execute()
  for (const [column, table] of [
    ['runner_id', 'runners'],
    ['resource_group_id', 'resource_groups'],
    ['environment_id', 'environments'],
    ['downstream_pipeline_id', 'pipelines'],
    ['erased_by_id', 'users'],
  ] as const) {
    await jobs
      .addColumn(column, 'bigint', (c) => c.references(`${table}.id`).onDelete('set null'))
      .execute()
    await index(db, `jobs_${column} on jobs (${column}) where ${column} is not null`)
  }
  await unique(db, 'jobs_token on jobs (token_digest) where token_digest is not null')
  await index(db, 'jobs_status on jobs (project_id, status, id)')
  await index(db, "jobs_pending on jobs (tag_set_id, project_id, id) where status = 'pending'")
  await index(db, "jobs_running on jobs (project_id, runner_id) where status = 'running'")
  await index(db, "jobs_scheduled on jobs (scheduled_at) where status = 'scheduled'")
  await index(
    db,
    "jobs_waiting on jobs (resource_group_id, id) where status = 'waiting_for_resource'",
  )
}

async function makeJobDetails(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  const bytes = isPostgres(db) ? 'bytea' : 'blob'
  await db.schema
    .createTable('job_specs')
    .addColumn('job_id', 'bigint', (c) =>
      c.notNull().primaryKey().references('jobs.id').onDelete('cascade'),
    )
    .addColumn('options', 'jsonb', (c) => c.notNull())
    .addColumn('variables', 'jsonb', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('job_variables')
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_variables_key', ['job_id', 'source', 'key'])
    .execute()

  await db.schema
    .createTable('job_log_parts')
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('start_byte', 'bigint', (c) => c.notNull())
    .addColumn('bytes', bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('job_log_parts_key', ['job_id', 'start_byte'])
    .execute()

  await db.schema
    .createTable('job_artifacts')
    .addColumn('id', id.type, id.build)
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('file_type', 'text', (c) => c.notNull())
    .addColumn('file_format', 'text', (c) => c.notNull())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('blob', 'text', (c) => c.notNull())
    .addColumn('public', 'boolean', (c) => c.notNull())
    .addColumn('expire_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await unique(db, 'job_artifacts_type on job_artifacts (job_id, file_type)')
  await unique(db, 'job_artifacts_blob on job_artifacts (blob)')
  await index(db, 'job_artifacts_project on job_artifacts (project_id, id)')
  await index(db, 'job_artifacts_expiry on job_artifacts (expire_at) where expire_at is not null')
}

function index(db: AnyDb, definition: string): Promise<unknown> {
  return run(db, sql.raw(`create index ${definition}`))
}

function unique(db: AnyDb, definition: string): Promise<unknown> {
  return run(db, sql.raw(`create unique index ${definition}`))
}

function run(db: AnyDb, statement: RawBuilder<unknown>): Promise<unknown> {
  return statement.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  jobs: { note: 'Jobs of pipelines, and reported commit statuses.' },
  'jobs.kind': {
    type: "'external' | 'build' | 'bridge'",
    note: '`build` runs on a runner, `bridge` starts another pipeline, `external` is a reported status.',
  },
  'jobs.run_when': {
    type: "'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'",
    note: 'Null for a reported status.',
  },
  'jobs.needs': {
    type: '{ name: string; artifacts: boolean; optional: boolean }[]',
    note: 'Null: the job waits for all earlier stages.',
  },
  'jobs.token_digest': { note: 'SHA-256 of the token of a job that a runner has received.' },
  'jobs.attempt': {
    note: 'How many times `retry` has repeated the job before this run.',
  },
  'jobs.log_bytes': {
    note: 'The length of the log, whose bytes are in job_log_parts or in the blob.',
  },
  'jobs.protected': {
    note: 'Whether the branch or tag was protected when the pipeline was created.',
  },
  'jobs.timeout_s': {
    note: 'The timeout of the configuration, in seconds; null: that of the project.',
  },
  'jobs.artifacts_expire_at': {
    note: 'When the archive of artifacts expires; null: never, or there is no archive.',
  },
  'pipelines.source': {
    type: "'external' | 'push' | 'web' | 'trigger' | 'schedule' | 'api' | 'pipeline' | 'chat' | 'merge_request_event' | 'external_pull_request_event' | 'parent_pipeline' | 'ondemand_dast_scan'",
    note: 'What started the pipeline; `external` for pipelines of reported commit statuses.',
  },
  'pipelines.origin': {
    note: 'What created the pipeline (`push:...`, `schedule:...`). Unique, so that a repeated event creates no second pipeline.',
  },
  'pipelines.locked': { note: 'Whether the artifacts are kept after they expire.' },
  'pipelines.auto_cancel': {
    type: "'conservative' | 'interruptible' | 'none'",
    note: 'The value of `workflow:auto_cancel:on_new_commit`.',
  },
  pipeline_variables: { note: 'Variables that a pipeline was started with.' },
  'pipeline_variables.value': { note: 'Encrypted; see kernel/secrets.ts.' },
  'pipeline_variables.variable_type': { type: "'env_var' | 'file'" },
  'pipeline_schedule_variables.value': { note: 'Encrypted.' },
  'pipeline_schedule_variables.variable_type': { type: "'env_var' | 'file'" },
  'pipeline_triggers.token': { note: 'Encrypted, since its owner can read it again.' },
  'pipeline_triggers.token_digest': { note: 'SHA-256 of the token.' },
  'resource_groups.process_mode': {
    type: "'unordered' | 'oldest_first' | 'newest_first' | 'newest_ready_first'",
  },
  'resource_groups.job_id': { note: 'The job that is using the resource.' },
  'runners.runner_type': { type: "'instance_type' | 'group_type' | 'project_type'" },
  'runners.builtin': {
    note: 'Whether it is the built-in runner of the server, of which there is one.',
  },
  'runners.tags': { type: 'string[]' },
  'runners.access_level': { type: "'not_protected' | 'ref_protected'" },
  'runners.maximum_timeout': { note: 'In seconds.' },
  runner_projects: { note: 'The projects of a project runner. The first one owns it.' },
  tag_sets: {
    note: 'Each list of tags that jobs have had. A queue of jobs is searched by a few ids of lists.',
  },
  'tag_sets.tags': { note: 'JSON of the tags, sorted.' },
  instance_secrets: { note: 'Secrets of the instance, encrypted, by name.' },
  'instance_secrets.name': { type: "'runner_registration_token'" },
  'environments.state': { type: "'available' | 'stopping' | 'stopped'" },
  'environments.tier': {
    type: "'production' | 'staging' | 'testing' | 'development' | 'other'",
  },
  'deployments.status': {
    type: "'created' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | 'blocked'",
  },
  'deployments.on_stop': { note: 'The job of the pipeline that stops the environment.' },
  'job_specs.options': { type: 'Record<string, unknown>' },
  'job_specs.variables': {
    type: '{ key: string; value: string; raw?: true }[]',
    note: 'The variables of the configuration.',
  },
  job_specs: {
    note: 'The fields of a job that only runners need. Lists of jobs do not read them.',
  },
  job_variables: {
    note: 'Variables that a job received after it was created: from the user who started it, or from other jobs.',
  },
  'job_variables.source': {
    type: "'play' | 'dotenv'",
    note: '`dotenv`: from the report of a job, for later jobs.',
  },
  'job_variables.value': { note: 'Encrypted.' },
  job_log_parts: {
    note: 'Parts of the log of a running job. The log of a finished job is a blob.',
  },
  job_artifacts: { note: 'Artifact files of jobs. Each has its own blob.' },
  'job_artifacts.blob': { note: 'The name of its blob.' },
  'internal_ids.usage': { type: "'pipelines' | 'deployments'" },
}
