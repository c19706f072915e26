import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  const addUserColumn = db.schema.alterTable('users')
  await addUserColumn
    .addColumn('failed_sign_ins', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await addUserColumn.addColumn('sign_in_locked_until', 'timestamptz').execute()
  await addUserColumn.addColumn('two_factor_secret', 'text').execute()
  await addUserColumn
    .addColumn('two_factor_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await addUserColumn.addColumn('two_factor_last_step', 'bigint').execute()

  await db.schema
    .createTable('unknown_sign_ins')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('failures', 'bigint', (c) => c.notNull())
    .execute()
  await db.insertInto('unknown_sign_ins').values({ id: 1, failures: 0 }).execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('password_stamp', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('last_used_at', 'timestamptz', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_digest').unique().on('sessions').column('digest').execute()
  await db.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute()

  await db.schema
    .createTable('two_factor_recovery_codes')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('two_factor_recovery_codes_user')
    .unique()
    .on('two_factor_recovery_codes')
    .columns(['user_id', 'digest'])
    .execute()

  await db.schema
    .alterTable('personal_access_tokens')
    .addColumn('impersonation', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'personal_access_tokens.impersonation': {
    note: 'Whether an administrator made the token to act as the user, who does not see it.',
  },
  sessions: { note: 'Sessions of users in browsers.' },
  'sessions.digest': { note: "SHA-256 of the cookie's value, in hex." },
  'sessions.password_stamp': {
    note: "SHA-256 of the password's digest at sign-in. A change of the password ends the session.",
  },
  'two_factor_recovery_codes.digest': { note: 'SHA-256 of the code, in hex.' },
  unknown_sign_ins: {
    note: 'A single row that counts failed sign-ins with unknown names. Updating it takes as long as updating an account, so the response time does not reveal whether an account exists.',
  },
  'users.failed_sign_ins': {
    note: 'Since the last successful sign-in, or since the account was last locked.',
  },
  'users.two_factor_secret': {
    note: 'The secret of one-time codes, encrypted. Set before the user has confirmed it.',
  },
  'users.two_factor_last_step': {
    note: 'The time step of the last code that was accepted. No code up to it is accepted again.',
  },
}
