import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Alerts that monitoring tools send to projects: by what they send them, what was sent, what follows it. */
export async function up(db: AnyDb): Promise<void> {
  await makeIntegrations(db)
  await makeAlerts(db)
  await makeMetricImages(db)
  await sql`create unique index users_alert_bot on users (user_type)
    where user_type = 'alert_bot'`.execute(db)
}

async function makeIntegrations(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('alert_integrations')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('active', 'boolean', (c) => c.notNull())
    .addColumn('identifier', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('payload_example', 'text')
    .addColumn('payload_attribute_mappings', 'jsonb', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index alert_integrations_identifier
    on alert_integrations (project_id, identifier)`.execute(db)
  await sql`create unique index alert_integrations_prometheus on alert_integrations (project_id)
    where type = 'prometheus'`.execute(db)
  await db.schema
    .createTable('alert_settings')
    .addColumn('project_id', 'bigint', (c) =>
      c.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('create_issue', 'boolean', (c) => c.notNull())
    .addColumn('send_email', 'boolean', (c) => c.notNull())
    .addColumn('auto_close_incident', 'boolean', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
}

async function makeAlerts(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('alerts')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('iid', 'integer', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('service', 'text')
    .addColumn('monitoring_tool', 'text')
    .addColumn('hosts', 'jsonb', (c) => c.notNull())
    .addColumn('severity', 'smallint', (c) => c.notNull())
    .addColumn('status', 'smallint', (c) => c.notNull())
    .addColumn('started_at', 'timestamptz', (c) => c.notNull())
    .addColumn('ended_at', 'timestamptz')
    .addColumn('events', 'bigint', (c) => c.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('environment_id', 'bigint', (c) =>
      c.references('environments.id').onDelete('set null'),
    )
    .addColumn('issue_id', 'bigint', (c) => c.references('issuables.id').onDelete('set null'))
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index alerts_iid on alerts (project_id, iid)`.execute(db)
  await sql`create unique index alerts_open on alerts (project_id, fingerprint)
    where status <> 2 and fingerprint is not null`.execute(db)
  await sql`create index alerts_resolved on alerts (project_id, fingerprint, ended_at)
    where status = 2 and fingerprint is not null`.execute(db)
  await sql`create index alerts_listed on alerts (project_id, started_at, id, status, severity)`.execute(
    db,
  )
  await sql`create index alerts_environment on alerts (environment_id)
    where environment_id is not null`.execute(db)
  await sql`create index alerts_issue on alerts (issue_id) where issue_id is not null`.execute(db)
  await db.schema
    .createTable('alert_assignees')
    .addColumn('alert_id', 'bigint', (c) => c.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('alert_assignees_key', ['alert_id', 'user_id'])
    .execute()
  await sql`create index alert_assignees_user on alert_assignees (user_id)`.execute(db)
}

async function makeMetricImages(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('alert_metric_images')
    .addColumn('id', id.type, id.build)
    .addColumn('alert_id', 'bigint', (c) => c.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('upload_id', 'bigint', (c) =>
      c.notNull().references('uploads.id').onDelete('cascade'),
    )
    .addColumn('url', 'text')
    .addColumn('url_text', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index alert_metric_images_alert on alert_metric_images (alert_id)`.execute(db)
  await sql`create index alert_metric_images_upload on alert_metric_images (upload_id)`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'users.user_type': { type: "'human' | 'ghost' | 'alert_bot' | 'bot'" },
  'internal_ids.usage': {
    type: "'pipelines' | 'deployments' | 'issues' | 'merge_requests' | 'milestones' | 'alerts'",
  },
  alert_integrations: {
    note: 'Integrations through which monitoring tools send alerts to a project.',
  },
  'alert_integrations.type': { type: "'http' | 'prometheus'" },
  'alert_integrations.identifier': {
    note: 'The last part of the URL for alerts. It never changes.',
  },
  'alert_integrations.token': {
    note: 'The token with which a tool signs in. Encrypted; see kernel/secrets.ts.',
  },
  'alert_integrations.payload_example': { note: 'JSON, as entered.' },
  'alert_integrations.payload_attribute_mappings': {
    type: '{ field_name: string; path: string[]; type: "STRING" | "ARRAY" | "DATETIME" | "NUMBER"; label: string | null }[]',
    note: 'The paths of the alert fields within a payload.',
  },
  alert_settings: {
    note: 'What happens after an alert in a project whose settings differ from the defaults.',
  },
  'alerts.hosts': { type: 'string[]' },
  'alerts.severity': {
    type: '0 | 1 | 2 | 3 | 4 | 5',
    note: 'Critical, high, medium, low, info, unknown.',
  },
  'alerts.status': { type: '0 | 1 | 2 | 3', note: 'Triggered, acknowledged, resolved, ignored.' },
  'alerts.events': { note: 'How many times the alert was sent.' },
  'alerts.fingerprint': {
    note: 'SHA-1. A project has at most one unresolved alert with a given fingerprint.',
  },
  'alerts.issue_id': { note: 'The incident that was created for the alert.' },
  'alerts.payload': { note: 'JSON, as the tool sent it.' },
  alert_metric_images: { note: 'Metric images of alerts. Each is an upload of the project.' },
  'alert_metric_images.url': { note: 'A link to more information about the image.' },
}
