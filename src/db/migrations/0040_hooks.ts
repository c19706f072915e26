import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What the instance is set to, and webhooks with what has been sent to them. */
export async function up(db: AnyDb): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'jsonb', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await makeWebhooks(db)
}

async function makeWebhooks(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('webhooks')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('credentials', 'text')
    .addColumn('token', 'text')
    .addColumn('name', 'text')
    .addColumn('description', 'text')
    .addColumn('events', 'jsonb', (c) => c.notNull())
    .addColumn('push_events_branch_filter', 'text')
    .addColumn('enable_ssl_verification', 'boolean', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('disabled_until', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index webhooks_project on webhooks (project_id, id)
    where project_id is not null`.execute(db)
  await sql`create index webhooks_namespace on webhooks (namespace_id, id)
    where namespace_id is not null`.execute(db)
  await sql`create index webhooks_system on webhooks (id)
    where project_id is null and namespace_id is null`.execute(db)

  await db.schema
    .createTable('hook_deliveries')
    .addColumn('id', id.type, id.build)
    .addColumn('webhook_id', 'bigint', (c) =>
      c.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('trigger', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('request_headers', 'jsonb', (c) => c.notNull())
    .addColumn('request_body', 'text')
    .addColumn('response_status', 'integer')
    .addColumn('response_headers', 'jsonb', (c) => c.notNull())
    .addColumn('response_body', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('duration_ms', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index hook_deliveries_webhook on hook_deliveries (webhook_id, id)`.execute(db)
  await sql`create index hook_deliveries_created on hook_deliveries (created_at)`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  settings: { note: 'Settings that an administrator has changed. All others have their default.' },
  'settings.value': { type: 'unknown' },
  webhooks: {
    note: 'Webhooks of a project, of a group, or, with neither id, of the instance (system hooks).',
  },
  'webhooks.url': { note: 'Without the username and password that it contained.' },
  'webhooks.credentials': {
    note: '`name:password` from the URL, for basic authentication. Encrypted; see kernel/secrets.ts.',
  },
  'webhooks.token': { note: 'The secret token that receivers verify. Encrypted.' },
  'webhooks.events': { type: 'string[]', note: 'Names of flags such as `push_events`.' },
  'webhooks.failures': { note: 'Failed calls in a row.' },
  'webhooks.disabled_until': {
    note: 'When the webhook is called again after failures. Null with too many `failures`: it is disabled permanently.',
  },
  hook_deliveries: { note: 'Requests to webhooks and their responses. Kept for some days.' },
  'hook_deliveries.trigger': { note: 'Such as `push_hooks`.' },
  'hook_deliveries.request_headers': { type: 'Record<string, string>', note: 'Without secrets.' },
  'hook_deliveries.request_body': { note: 'Null if it was too long to store.' },
  'hook_deliveries.response_status': { note: 'Null if there was no response; `error` says why.' },
  'hook_deliveries.response_headers': { type: 'Record<string, string>' },
}
