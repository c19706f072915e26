import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  for (const [name, type] of [
    ['avatar', 'text'],
    ['unconfirmed_email', 'text'],
    ['shared_runners_minutes_limit', 'integer'],
    ['extra_shared_runners_minutes_limit', 'integer'],
    ['provisioned_by_group_id', 'bigint'],
  ] as const) {
    await db.schema.alterTable('users').addColumn(name, type).execute()
  }
  // Each order of the list, and the exact matches of a search.
  for (const column of ['name', 'username', 'created_at', 'updated_at']) {
    await db.schema.createIndex(`users_by_${column}`).on('users').columns([column, 'id']).execute()
  }
  await sql`create index users_lower_name on users (lower(name))`.execute(db)
  await sql`create index users_public_email on users (lower(public_email)) where public_email <> ''`.execute(
    db,
  )
  // What is rare is found without a walk through everybody.
  await sql`create index users_not_active on users (state, id) where state <> 'active'`.execute(db)
  await sql`create index users_external on users (id) where external`.execute(db)
  await sql`create index users_admins on users (id) where is_admin`.execute(db)
  await sql`create unique index users_ghost on users (user_type) where user_type = 'ghost'`.execute(
    db,
  )

  // Removing a user looks for what names them.
  await db.schema.createIndex('projects_creator').on('projects').column('creator_id').execute()

  await db.schema
    .createTable('identities')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('extern_uid', 'text', (c) => c.notNull())
    .addColumn('saml_provider_id', 'bigint')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('identities_user')
    .unique()
    .on('identities')
    .columns(['user_id', 'provider'])
    .execute()
  await db.schema
    .createIndex('identities_extern_uid')
    .unique()
    .on('identities')
    .columns(['provider', 'extern_uid'])
    .execute()
  await sql`create index identities_saml on identities (saml_provider_id) where saml_provider_id is not null`.execute(
    db,
  )

  await db.schema
    .createTable('avatars')
    .addColumn('id', id.type, id.build)
    .addColumn('blob', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('owner_kind', 'text')
    .addColumn('owner_id', 'bigint')
    .addColumn('unlinked_since', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('avatars_owner')
    .unique()
    .on('avatars')
    .columns(['owner_kind', 'owner_id'])
    .execute()
  await sql`create index avatars_unlinked on avatars (unlinked_since) where unlinked_since is not null`.execute(
    db,
  )
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  avatars: {
    note: 'Uploaded avatars. One without an owner is deleted later.',
  },
  'avatars.blob': { note: 'The name of its blob.' },
  'avatars.file_name': { note: 'The last part of its URL.' },
  'avatars.owner_kind': { type: "'user' | 'project' | 'group'" },
  'avatars.unlinked_since': { note: 'Since when the avatar has no owner; null while it has one.' },
  identities: { note: 'Accounts of users at external sign-in providers.' },
  'identities.saml_provider_id': {
    note: 'For the provider `group_saml`: the id of the group whose SAML sign-in it belongs to.',
  },
  'users.avatar': {
    note: 'The file name of the avatar, for its URL; see avatars.',
  },
  'users.unconfirmed_email': { note: 'A new address that is not confirmed yet.' },
  'users.shared_runners_minutes_limit': {
    note: 'Null: the default of the instance. 0: unlimited.',
  },
  'users.provisioned_by_group_id': {
    note: 'The group whose SAML sign-in created the account.',
  },
}
