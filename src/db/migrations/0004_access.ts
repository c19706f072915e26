import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('members')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'date')
    .addColumn('created_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index members_namespace on members (namespace_id, user_id) where namespace_id is not null`.execute(
    db,
  )
  await sql`create unique index members_project on members (project_id, user_id) where project_id is not null`.execute(
    db,
  )
  await db.schema.createIndex('members_user').on('members').column('user_id').execute()
  await sql`create index members_expiry on members (expires_at) where expires_at is not null`.execute(
    db,
  )

  for (const [table, source, parent] of [
    ['namespace_shares', 'namespace_id', 'namespaces.id'],
    ['project_shares', 'project_id', 'projects.id'],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn('id', id.type, id.build)
      .addColumn(source, 'bigint', (c) => c.notNull().references(parent).onDelete('cascade'))
      .addColumn('shared_with_id', 'bigint', (c) =>
        c.notNull().references('namespaces.id').onDelete('cascade'),
      )
      .addColumn('access_level', 'integer', (c) => c.notNull())
      .addColumn('expires_at', 'date')
      .addColumn('created_at', 'timestamptz', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex(`${table}_pair`)
      .unique()
      .on(table)
      .columns([source, 'shared_with_id'])
      .execute()
    await db.schema.createIndex(`${table}_with`).on(table).column('shared_with_id').execute()
    await sql`create index ${sql.id(`${table}_expiry`)} on ${sql.table(table)} (expires_at) where expires_at is not null`.execute(
      db,
    )
  }

  for (const [table, source, parent] of [
    ['namespace_access', 'namespace_id', 'namespaces.id'],
    ['project_access', 'project_id', 'projects.id'],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn(source, 'bigint', (c) => c.notNull().references(parent).onDelete('cascade'))
      .addColumn('access_level', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['user_id', source])
      .execute()
    await db.schema.createIndex(`${table}_source`).on(table).columns([source, 'user_id']).execute()
  }
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  members: { note: 'Direct members of groups and projects.' },
  namespace_access: {
    note: 'The access level of a user in a namespace from all memberships and invitations. Computed by access/recompute-access.ts.',
  },
  namespace_shares: { note: 'Groups invited into other groups.' },
  project_access: {
    note: 'The access level of a user in a project, in addition to that in its namespace. Computed by access/recompute-access.ts.',
  },
  project_shares: { note: 'Groups invited into projects.' },
}
