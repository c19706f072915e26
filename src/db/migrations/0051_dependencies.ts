import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What projects depend on, and the licences of what pipelines have built from. */
export async function up(db: AnyDb): Promise<void> {
  await makeLists(db)
  await makeLicenses(db)
}

async function makeLists(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('dependency_lists')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('ready_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index dependency_lists_ready on dependency_lists (project_id, source)
    where ready_at is not null`.execute(db)
  await sql`create index dependency_lists_project on dependency_lists (project_id, id)`.execute(db)
  await sql`create index dependency_lists_begun on dependency_lists (created_at)
    where ready_at is null`.execute(db)
  await db.schema
    .createTable('dependencies')
    .addColumn('id', id.type, id.build)
    .addColumn('list_id', 'bigint', (c) =>
      c.notNull().references('dependency_lists.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('version', 'text')
    .addColumn('package_manager', 'text')
    .addColumn('dependency_file_path', 'text')
    .addColumn('vulnerabilities', 'jsonb', (c) => c.notNull())
    .execute()
  await sql`create index dependencies_list on dependencies (list_id, id)`.execute(db)
  await sql`create index dependencies_manager
    on dependencies (list_id, package_manager, id)`.execute(db)
}

async function makeLicenses(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('license_scans')
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.primaryKey().references('pipelines.id').onDelete('cascade'),
    )
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('pipeline_licenses')
    .addColumn('id', id.type, id.build)
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.notNull().references('license_scans.pipeline_id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('spdx_identifier', 'text')
    .addColumn('url', 'text')
    .addColumn('dependencies_count', 'integer', (c) => c.notNull())
    .addColumn('dependencies', 'jsonb', (c) => c.notNull())
    .execute()
  await sql`create index pipeline_licenses_pipeline
    on pipeline_licenses (pipeline_id, id)`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  dependency_lists: { note: 'Lists of the dependencies of a project, one for each source.' },
  'dependency_lists.source': {
    note: '`reports:` with a hash of the ids of report artifacts, or `commit:` with the id of a commit.',
  },
  'dependency_lists.ready_at': {
    note: 'Null while the list is being written, and for a list that was not finished.',
  },
  dependencies: { note: 'In the order of the list: by name, version and file.' },
  'dependencies.package_manager': { note: 'Null if the source does not say.' },
  'dependencies.dependency_file_path': { note: 'Null if the source does not say.' },
  'dependencies.vulnerabilities': { type: '{ name: string; severity: string }[]' },
  license_scans: { note: 'Pipelines whose licence reports have been read.' },
  'license_scans.source': {
    note: 'The artifacts that were read. With other artifacts the scan is out of date.',
  },
  pipeline_licenses: { note: 'Licences of the dependencies of a pipeline, by name.' },
  'pipeline_licenses.name': {
    note: 'The name in the SPDX license list, if the list has the licence.',
  },
  'pipeline_licenses.spdx_identifier': { note: 'An SPDX identifier, or an expression of several.' },
  'pipeline_licenses.dependencies': {
    type: 'string[]',
    note: 'The names of the first dependencies with the licence.',
  },
}
