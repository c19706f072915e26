import { type Kysely, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('emails')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index emails_email on emails (lower(email))`.execute(db)
  await db.schema.createIndex('emails_user').on('emails').columns(['user_id', 'id']).execute()

  await db.schema
    .createTable('gpg_keys')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('primary_keyid', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('gpg_keys_fingerprint')
    .unique()
    .on('gpg_keys')
    .column('fingerprint')
    .execute()
  await db.schema.createIndex('gpg_keys_user').on('gpg_keys').columns(['user_id', 'id']).execute()

  await db.schema
    .createTable('user_statuses')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('emoji', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('availability', 'text', (c) => c.notNull())
    .addColumn('clear_status_at', 'timestamptz')
    .execute()
  await db.schema
    .createIndex('user_statuses_clear_status_at')
    .on('user_statuses')
    .column('clear_status_at')
    .execute()

  const users = db.schema.alterTable('users')
  await users
    .addColumn('show_whitespace_in_diffs', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await users.addColumn('followers_count', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await users.addColumn('following_count', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await db.schema
    .createTable('follows')
    .addColumn('id', id.type, id.build)
    .addColumn('follower_id', 'bigint', (c) =>
      c.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('followee_id', 'bigint', (c) =>
      c.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('follows_follower')
    .unique()
    .on('follows')
    .columns(['follower_id', 'followee_id'])
    .execute()
  await db.schema
    .createIndex('follows_followee')
    .on('follows')
    .columns(['followee_id', 'id'])
    .execute()
  await countFollows(db)
}

/** Triggers, so that the counts stay true too when a user is deleted and their follows go with them. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
async function countFollows(db: Kysely<any>): Promise<void> {
  for (const [event, row, sign] of [
    ['insert', 'new', '+'],
    ['delete', 'old', '-'],
  ] as const) {
    const name = `follows_count_${event}`
    // One statement for both users, so that two who follow each other do not wait for one another.
    const update = `update users set
      followers_count = followers_count ${sign} case when id = ${row}.followee_id then 1 else 0 end,
      following_count = following_count ${sign} case when id = ${row}.follower_id then 1 else 0 end
      where id in (${row}.follower_id, ${row}.followee_id)`
    if (isPostgres(db)) {
      await sql
        .raw(
          `create function ${name}() returns trigger language plpgsql as $$ begin ${update}; return null; end $$`,
        )
        .execute(db)
      await sql
        .raw(
          `create trigger ${name} after ${event} on follows for each row execute function ${name}()`,
        )
        .execute(db)
    } else {
      await sql
        .raw(`create trigger ${name} after ${event} on follows begin ${update}; end`)
        .execute(db)
    }
  }
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  emails: { note: 'Secondary email addresses of users.' },
  'emails.confirmed_at': { note: 'Null until the user has confirmed the address.' },
  'gpg_keys.key': { note: 'ASCII armor, as uploaded.' },
  'gpg_keys.fingerprint': { note: 'Of the primary key, in upper-case hex, like `primary_keyid`.' },
  'user_statuses.availability': { type: "'not_set' | 'busy'" },
  'user_statuses.clear_status_at': { note: 'When the status ends.' },
  'users.followers_count': {
    note: 'This and `following_count` are kept up to date by triggers on follows.',
  },
}
