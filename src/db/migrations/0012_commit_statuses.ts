import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('internal_ids')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('usage', 'text', (c) => c.notNull())
    .addColumn('last_value', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('internal_ids_key', ['project_id', 'usage'])
    .execute()

  await db.schema
    .createTable('pipelines')
    .addColumn('id', id.type, id.build)
    .addColumn('iid', 'integer', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('before_sha', 'text')
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull().defaultTo('created'))
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('yaml_errors', 'text')
    .addColumn('coverage', 'double precision')
    .addColumn('duration', 'integer')
    .addColumn('queued_duration', 'integer')
    .addColumn('committed_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .addColumn('started_at', 'timestamptz')
    .addColumn('finished_at', 'timestamptz')
    .execute()
  await db.schema
    .createIndex('pipelines_iid')
    .unique()
    .on('pipelines')
    .columns(['project_id', 'iid'])
    .execute()
  await db.schema
    .createIndex('pipelines_sha')
    .on('pipelines')
    .columns(['project_id', 'sha', 'id'])
    .execute()
  await db.schema
    .createIndex('pipelines_ref')
    .on('pipelines')
    .columns(['project_id', 'ref', 'id'])
    .execute()
  await db.schema.createIndex('pipelines_user').on('pipelines').column('user_id').execute()
  await sql`create unique index pipelines_external on pipelines (project_id, sha, ref) where source = 'external'`.execute(
    db,
  )

  await db.schema
    .createTable('jobs')
    .addColumn('id', id.type, id.build)
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.notNull().references('pipelines.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('stage_position', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('target_url', 'text')
    .addColumn('description', 'text')
    .addColumn('allow_failure', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('retried', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('failure_reason', 'text')
    .addColumn('coverage', 'double precision')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .addColumn('queued_at', 'timestamptz')
    .addColumn('started_at', 'timestamptz')
    .addColumn('finished_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('jobs_pipeline').on('jobs').columns(['pipeline_id', 'id']).execute()
  await db.schema.createIndex('jobs_project').on('jobs').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('jobs_user').on('jobs').column('user_id').execute()
  await sql`create unique index jobs_current on jobs (pipeline_id, name) where not retried`.execute(
    db,
  )
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  internal_ids: {
    note: 'The last number (`iid`) given out in a project for each kind of object. No number is given out twice.',
  },
  'internal_ids.usage': { type: "'pipelines'" },
  jobs: { note: 'Statuses of commits that other systems report.' },
  'jobs.kind': {
    type: "'external'",
    note: '`external`: a commit status that was set through the API.',
  },
  'jobs.status': { type: 'CiStatus' },
  'jobs.retried': {
    note: 'Whether a newer job of the same name has replaced this one. Of the others, a pipeline has one for each name.',
  },
  'pipelines.source': {
    type: "'external'",
    note: 'What started the pipeline; `external` for pipelines of reported commit statuses.',
  },
  'pipelines.status': {
    type: 'CiStatus',
    note: 'Computed from the jobs by delivery/pipeline-changes/update-pipeline-from-jobs.ts, like the figures and times below.',
  },
  'pipelines.coverage': { note: 'In percent.' },
  'pipelines.duration': { note: 'This and `queued_duration` are in seconds.' },
}
