import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('link_tokens')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('link_tokens_user')
    .unique()
    .on('link_tokens')
    .columns(['user_id', 'purpose', 'email'])
    .execute()
  await db.schema
    .createIndex('link_tokens_digest')
    .unique()
    .on('link_tokens')
    .column('digest')
    .execute()
  await db.schema
    .createIndex('link_tokens_expires_at')
    .on('link_tokens')
    .column('expires_at')
    .execute()
  // Anybody may ask for another letter to an address, and nobody may make us read every user.
  await sql`create index users_unconfirmed_email on users (lower(unconfirmed_email))
    where unconfirmed_email is not null`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  link_tokens: {
    note: 'Tokens of links in emails. Following the link proves that a person receives mail at `email`.',
  },
  'link_tokens.purpose': { type: "'confirm-email' | 'reset-password'" },
  'link_tokens.email': { note: 'The address that the email was sent to, in lower case.' },
  'link_tokens.digest': { note: 'SHA-256 of the token, in hex.' },
}
