import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('users')
    .addColumn('id', id.type, id.build)
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('password_digest', 'text')
    .addColumn('password_expires_at', 'timestamptz')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('active'))
    .addColumn('user_type', 'text', (c) => c.notNull().defaultTo('human'))
    .addColumn('is_admin', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('external', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('private_profile', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('can_create_group', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('projects_limit', 'integer', (c) => c.notNull().defaultTo(100000))
    .addColumn('bio', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('location', 'text')
    .addColumn('public_email', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('skype', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('linkedin', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('twitter', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('website_url', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('organization', 'text')
    .addColumn('job_title', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('note', 'text')
    .addColumn('theme_id', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('color_scheme_id', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('view_diffs_file_by_file', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('commit_email', 'text')
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('current_sign_in_at', 'timestamptz')
    .addColumn('last_sign_in_at', 'timestamptz')
    .addColumn('current_sign_in_ip', 'text')
    .addColumn('last_sign_in_ip', 'text')
    .addColumn('sign_in_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_activity_on', 'date')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index users_username on users (lower(username))`.execute(db)
  await sql`create unique index users_email on users (lower(email))`.execute(db)

  await db.schema
    .createTable('personal_access_tokens')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('revoked', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('expires_at', 'date')
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('personal_access_tokens_digest')
    .unique()
    .on('personal_access_tokens')
    .column('digest')
    .execute()
  await db.schema
    .createIndex('personal_access_tokens_user')
    .on('personal_access_tokens')
    .column('user_id')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'personal_access_tokens.digest': { note: 'SHA-256 of the token, in hex.' },
  'personal_access_tokens.scopes': { type: 'string[]' },
  'users.state': {
    type: "'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval'",
  },
  'users.user_type': { type: "'human' | 'ghost' | 'bot'" },
}
