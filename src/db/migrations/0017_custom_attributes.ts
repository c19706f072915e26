import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('custom_attributes')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const owner of ['user_id', 'project_id', 'namespace_id']) {
    await db.schema
      .createIndex(`custom_attributes_${owner}`)
      .unique()
      .on('custom_attributes')
      .columns([owner, 'key'])
      .execute()
  }
  // A whole value may be longer than an index entry may be.
  await sql`create index custom_attributes_value on custom_attributes (key, substr(value, 1, 100))`.execute(
    db,
  )
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  custom_attributes: {
    note: 'Attributes that administrators set on a user, a project or a group. One of the three ids is set.',
  },
}
