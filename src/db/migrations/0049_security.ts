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
  managed_licenses: { note: 'Licences that a project allows or denies.' },
  'managed_licenses.name': { note: 'As it was sent. Unique in the project; case matters.' },
  'managed_licenses.approval_status': { type: "'allowed' | 'denied'" },
  'job_artifacts.report_error': {
    note: 'Why the report cannot be read; null if it can, or was not read yet.',
  },
  security_scans: { note: 'Security reports of jobs that have been read.' },
  'security_scans.report_type': { type: reportTypes, note: 'The type of the artifact.' },
  'security_scans.scanner': { note: 'The id of the scanner, from the report.' },
  'security_scans.scan_status': {
    type: "'success' | 'failure'",
    note: 'The status of the scan, from the report; null if the report has none.',
  },
  'security_scans.findings': {
    note: 'The number of findings in the report; 0 if it cannot be read.',
  },
  'security_scans.root_pipeline_id': {
    note: 'The topmost parent of the pipeline, or the pipeline itself.',
  },
  'security_scans.state': {
    type: "'broken' | 'seen' | 'pending' | 'stored'",
    note: 'For the default branch: pending until its findings have become vulnerabilities.',
  },
  'security_scans.error': { note: 'Why the report cannot be read.' },
  vulnerabilities: { note: 'Findings on the default branch of a project. Rows are never removed.' },
  'vulnerabilities.uuid': {
    note: 'Computed from the project, report type, primary identifier and location.',
  },
  'vulnerabilities.report_type': {
    type: reportTypes,
    note: 'The type of the artifact that reported it.',
  },
  'vulnerabilities.state': { type: "'detected' | 'confirmed' | 'dismissed' | 'resolved'" },
  'vulnerabilities.resolved_on_default_branch': {
    note: 'Whether the last scan by its scanner no longer found it.',
  },
  'vulnerabilities.message': { note: 'From the report.' },
  'vulnerabilities.severity': {
    type: "'info' | 'unknown' | 'low' | 'medium' | 'high' | 'critical'",
  },
  'vulnerabilities.confidence': {
    type: "'ignore' | 'unknown' | 'experimental' | 'low' | 'medium' | 'high' | 'confirmed'",
  },
  'vulnerabilities.scanner': { note: 'The id of the scanner, from the report.' },
  'vulnerabilities.primary_identifier': { note: 'SHA-1 of `type:value` of the first identifier.' },
  'vulnerabilities.location_fingerprint': {
    note: 'SHA-1 of the fields that identify the location.',
  },
  'vulnerabilities.location': { type: 'Record<string, unknown>', note: 'From the report.' },
  'vulnerabilities.identifiers': {
    type: '{ type: string; name: string; value: string; url: string | null }[]',
    note: 'The primary one first.',
  },
  'vulnerabilities.compare_key': { note: 'The field that reports of version 14 call `cve`.' },
  'vulnerabilities.metadata': {
    type: 'Record<string, unknown>',
    note: 'Links, flags, details, evidence and remedies from the report.',
  },
  'vulnerabilities.first_pipeline_id': { note: 'The pipeline may have been deleted.' },
  'vulnerabilities.latest_pipeline_id': {
    note: 'The topmost parent of the last pipeline that found it. It may have been deleted.',
  },
  vulnerability_signatures: {
    note: 'Signatures that identify a vulnerability even after it has moved within its file.',
  },
}
