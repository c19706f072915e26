import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Files that jobs of a project need and its repository must not hold, as keys that sign programs. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('secure_files')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('checksum', 'text', (c) => c.notNull())
    .addColumn('metadata', 'text')
    .addColumn('expires_at', 'timestamptz')
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index secure_files_name on secure_files (project_id, name)`.execute(db)
}

export const meanings: SchemaMeanings = {
  'secure_files.checksum': { note: 'SHA-256 of the file, in hex.' },
  'secure_files.metadata': { note: 'JSON of the fields that were read from a certificate.' },
  'secure_files.content': { note: 'The bytes in Base64, encrypted.' },
}
