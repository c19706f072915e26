import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Letters that somebody had sent to addresses nobody has proved to be theirs, kept for a day. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('counted_letters')
    .addColumn('id', id.type, id.build)
    .addColumn('sender_id', 'bigint', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const column of ['sender_id', 'email']) {
    await db.schema
      .createIndex(`counted_letters_${column}`)
      .on('counted_letters')
      .columns([column, 'created_at'])
      .execute()
  }
  await db.schema
    .createIndex('counted_letters_created_at')
    .on('counted_letters')
    .column('created_at')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  counted_letters: {
    note: 'Emails that a user had sent to unconfirmed addresses, counted against a limit. Kept for a day.',
  },
  'counted_letters.sender_id': {
    note: 'The user. Not a foreign key: the email counts even if the user is deleted.',
  },
  'counted_letters.email': { note: 'In lower case.' },
}
