import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What administrators tell everybody, and the clusters that jobs deploy to. */
export async function up(db: AnyDb): Promise<void> {
  await makeBroadcasts(db)
  await makeClusters(db)
}

async function makeBroadcasts(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('broadcast_messages')
    .addColumn('id', id.type, id.build)
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('starts_at', 'timestamptz', (c) => c.notNull())
    .addColumn('ends_at', 'timestamptz', (c) => c.notNull())
    .addColumn('color', 'text')
    .addColumn('font', 'text')
    .addColumn('target_access_levels', 'jsonb', (c) => c.notNull())
    .addColumn('target_path', 'text')
    .addColumn('broadcast_type', 'text', (c) => c.notNull())
    .addColumn('dismissable', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index broadcast_messages_end on broadcast_messages (ends_at)`.execute(db)
  await db.schema
    .createTable('broadcast_dismissals')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('broadcast_message_id', 'bigint', (c) =>
      c.notNull().references('broadcast_messages.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('broadcast_dismissals_key', ['user_id', 'broadcast_message_id'])
    .execute()
  await sql`create index broadcast_dismissals_message
    on broadcast_dismissals (broadcast_message_id)`.execute(db)
}

async function makeClusters(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('clusters')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('management_project_id', 'bigint', (c) =>
      c.references('projects.id').onDelete('set null'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('domain', 'text')
    .addColumn('enabled', 'boolean', (c) => c.notNull())
    .addColumn('managed', 'boolean', (c) => c.notNull())
    .addColumn('namespace_per_environment', 'boolean', (c) => c.notNull())
    .addColumn('environment_scope', 'text', (c) => c.notNull())
    .addColumn('api_url', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('ca_cert', 'text')
    .addColumn('namespace', 'text')
    .addColumn('authorization_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index clusters_project_scope on clusters (project_id, environment_scope)
    where project_id is not null`.execute(db)
  await sql`create unique index clusters_namespace_scope on clusters (namespace_id, environment_scope)
    where namespace_id is not null`.execute(db)
  await sql`create unique index clusters_instance_scope on clusters (environment_scope)
    where project_id is null and namespace_id is null`.execute(db)
  await sql`create unique index clusters_management_scope
    on clusters (management_project_id, environment_scope)
    where management_project_id is not null`.execute(db)
  await sql`create index clusters_user on clusters (user_id) where user_id is not null`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  broadcast_messages: {
    note: 'Messages of administrators to all users, shown from a start to an end time.',
  },
  'broadcast_messages.target_access_levels': {
    type: 'number[]',
    note: 'The message is shown to users who have one of these levels in the project or group they look at; if empty, to everybody.',
  },
  'broadcast_messages.target_path': {
    note: 'The message is shown only on matching paths; `*` matches any characters.',
  },
  'broadcast_messages.broadcast_type': { type: "'banner' | 'notification'" },
  broadcast_dismissals: { note: 'Messages that a user has closed.' },
  clusters: {
    note: 'Kubernetes clusters of a project, of a group, or, with neither id, of the instance.',
  },
  'clusters.user_id': { note: 'The user who added the cluster.' },
  'clusters.domain': { note: 'The base domain of applications on the cluster.' },
  'clusters.managed': {
    note: 'Whether jobs receive a namespace that is named after their project.',
  },
  'clusters.token': {
    note: 'The token with which jobs sign in to the cluster. Encrypted; see kernel/secrets.ts.',
  },
  'clusters.ca_cert': { note: 'PEM; verifies the certificate of the cluster.' },
  'clusters.authorization_type': { type: "'rbac' | 'abac' | 'unknown_authorization'" },
}
