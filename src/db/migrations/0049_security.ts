import { type Kysely, type RawBuilder, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What projects think of licences, what their jobs scanned for, and what was found. */
export async function up(db: AnyDb): Promise<void> {
  await makeLicenses(db)
  await makeScans(db)
  await makeVulnerabilities(db)
}

async function makeLicenses(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('managed_licenses')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('approval_status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await run(
    db,
    sql`create unique index managed_licenses_name on managed_licenses (project_id, name)`,
  )
}

async function makeScans(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema.alterTable('job_artifacts').addColumn('report_error', 'text').execute()
  await db.schema
    .createTable('security_scans')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('pipeline_id', 'bigint', (c) =>
      c.notNull().references('pipelines.id').onDelete('cascade'),
    )
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('root_pipeline_id', 'bigint', (c) => c.notNull())
    .addColumn('report_type', 'text', (c) => c.notNull())
    .addColumn('scanner', 'text')
    .addColumn('scanner_name', 'text')
    .addColumn('scan_status', 'text')
    .addColumn('findings', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await run(db, sql`create unique index security_scans_job on security_scans (job_id, report_type)`)
  await run(db, sql`create index security_scans_pipeline on security_scans (pipeline_id, job_id)`)
  await run(
    db,
    sql`create index security_scans_stored
      on security_scans (project_id, report_type, root_pipeline_id) where state = 'stored'`,
  )
  await run(
    db,
    sql`create index security_scans_pending on security_scans (project_id, pipeline_id)
      where state = 'pending'`,
  )
}

async function makeVulnerabilities(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('vulnerabilities')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('uuid', 'text', (c) => c.notNull())
    .addColumn('report_type', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('resolved_on_default_branch', 'boolean', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('message', 'text')
    .addColumn('solution', 'text')
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('confidence', 'text', (c) => c.notNull())
    .addColumn('scanner', 'text', (c) => c.notNull())
    .addColumn('scanner_name', 'text', (c) => c.notNull())
    .addColumn('primary_identifier', 'text', (c) => c.notNull())
    .addColumn('location_fingerprint', 'text', (c) => c.notNull())
    .addColumn('location', 'jsonb', (c) => c.notNull())
    .addColumn('identifiers', 'jsonb', (c) => c.notNull())
    .addColumn('compare_key', 'text')
    .addColumn('metadata', 'jsonb', (c) => c.notNull())
    .addColumn('first_pipeline_id', 'bigint', (c) => c.notNull())
    .addColumn('latest_pipeline_id', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('confirmed_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('dismissed_at', 'timestamptz')
    .addColumn('dismissed_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('dismissal_reason', 'text')
    .addColumn('dismissal_comment', 'text')
    .addColumn('resolved_at', 'timestamptz')
    .addColumn('resolved_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await run(db, sql`create unique index vulnerabilities_uuid on vulnerabilities (project_id, uuid)`)
  await run(
    db,
    sql`create index vulnerabilities_listed on vulnerabilities
      (project_id, id, state, severity, report_type, scanner, resolved_on_default_branch)`,
  )
  await run(
    db,
    sql`create index vulnerabilities_place
      on vulnerabilities (project_id, report_type, location_fingerprint, latest_pipeline_id)`,
  )
  for (const who of ['confirmed_by_id', 'dismissed_by_id', 'resolved_by_id']) {
    await run(
      db,
      sql`create index ${sql.ref(`vulnerabilities_${who}`)} on vulnerabilities (${sql.ref(who)})
        where ${sql.ref(who)} is not null`,
    )
  }
  await db.schema
    .createTable('vulnerability_signatures')
    .addColumn('vulnerability_id', 'bigint', (c) =>
      c.notNull().references('vulnerabilities.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('digest', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('vulnerability_signatures_pkey', ['vulnerability_id', 'digest'])
    .execute()
  await run(
    db,
    sql`create index vulnerability_signatures_digest
      on vulnerability_signatures (project_id, digest)`,
  )
}

function run(db: AnyDb, statement: RawBuilder<unknown>): Promise<unknown> {
  return statement.execute(db)
}

const reportTypes = [
  "'sast' | 'secret_detection' | 'dependency_scanning' | 'container_scanning'",
  "'cluster_image_scanning' | 'dast' | 'coverage_fuzzing' | 'api_fuzzing'",
].join(' | ')

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  managed_licenses: { note: 'What a project thinks of a licence.' },
  'managed_licenses.name': { note: 'As it was sent; unique in its project to the letter.' },
  'managed_licenses.approval_status': { type: "'allowed' | 'denied'" },
  'job_artifacts.report_error': { note: 'Why a report cannot be read; null while nobody tried.' },
  security_scans: { note: 'Reports of vulnerabilities that jobs have made, as they were read.' },
  'security_scans.report_type': { type: reportTypes, note: 'The type of the artifact.' },
  'security_scans.scanner': { note: 'What made the report, by the id it gives itself.' },
  'security_scans.scan_status': {
    type: "'success' | 'failure'",
    note: 'What the scanner says of its run; null where it says nothing.',
  },
  'security_scans.findings': { note: 'How many the report lists; 0 of one that cannot be read.' },
  'security_scans.root_pipeline_id': { note: 'The topmost parent of the pipeline, or itself.' },
  'security_scans.state': {
    type: "'broken' | 'seen' | 'pending' | 'stored'",
    note: 'Of the default branch, pending until vulnerabilities are made of its findings.',
  },
  'security_scans.error': { note: 'Why the report cannot be read.' },
  vulnerabilities: { note: 'What was found on the default branch of a project; never removed.' },
  'vulnerabilities.uuid': {
    note: 'Of the project, the report type, the primary identifier and the place.',
  },
  'vulnerabilities.report_type': {
    type: reportTypes,
    note: 'The type of the artifact that told of it.',
  },
  'vulnerabilities.state': { type: "'detected' | 'confirmed' | 'dismissed' | 'resolved'" },
  'vulnerabilities.resolved_on_default_branch': {
    note: 'Whether the last scan by its scanner did not find it any more.',
  },
  'vulnerabilities.message': { note: 'As the report has it.' },
  'vulnerabilities.severity': {
    type: "'info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical'",
  },
  'vulnerabilities.confidence': {
    type: "'ignore' | 'unknown' | 'experimental' | 'low' | 'medium' | 'high' | 'confirmed'",
  },
  'vulnerabilities.scanner': { note: 'The id the scanner gives itself.' },
  'vulnerabilities.primary_identifier': { note: 'SHA-1 of `type:value` of the first identifier.' },
  'vulnerabilities.location_fingerprint': { note: 'SHA-1 of what says where it is.' },
  'vulnerabilities.location': { type: 'Record<string, unknown>', note: 'As the report has it.' },
  'vulnerabilities.identifiers': {
    type: '{ type: string; name: string; value: string; url: string | null }[]',
    note: 'The primary one first.',
  },
  'vulnerabilities.compare_key': { note: 'What reports of version 14 call `cve`.' },
  'vulnerabilities.metadata': {
    type: 'Record<string, unknown>',
    note: 'Links, flags, details, evidence and remedies, as the report has them.',
  },
  'vulnerabilities.first_pipeline_id': { note: 'It may be gone.' },
  'vulnerabilities.latest_pipeline_id': {
    note: 'The topmost parent of the last pipeline that found it. It may be gone.',
  },
  vulnerability_signatures: {
    note: 'What a vulnerability is known by wherever in its file it has moved.',
  },
}
