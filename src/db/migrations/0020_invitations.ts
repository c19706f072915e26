import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('invitations')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'date')
    .addColumn('created_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const source of ['project', 'namespace']) {
    const column = sql.id(`${source}_id`)
    await sql`create unique index ${sql.id(`invitations_${source}`)} on invitations
      (${column}, lower(email)) where ${column} is not null`.execute(db)
  }
  await sql`create index invitations_email on invitations (lower(email))`.execute(db)
  await sql`create index invitations_expiry on invitations (expires_at)
    where expires_at is not null`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  invitations: {
    note: 'Invitations by email to a group or a project, until they are accepted.',
  },
}
