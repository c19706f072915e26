import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Programs that users sign in to by this server: what they are, what they were given, and our signature. */
export async function up(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('oauth_applications')
    .addColumn('id', id.type, id.build)
    .addColumn('uid', 'text', (c) => c.notNull().unique())
    .addColumn('secret_digest', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('confidential', 'boolean', (c) => c.notNull())
    .addColumn('trusted', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await makeCodes(db)
  await makeDevices(db)
  await makeTokens(db)
  await db.schema
    .createTable('signing_keys')
    .addColumn('id', id.type, id.build)
    .addColumn('purpose', 'text', (c) => c.notNull().unique())
    .addColumn('kid', 'text', (c) => c.notNull())
    .addColumn('private_key', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
}

async function makeCodes(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('oauth_codes')
    .addColumn('id', id.type, id.build)
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('application_id', 'bigint', (c) =>
      c.notNull().references('oauth_applications.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('nonce', 'text')
    .addColumn('code_challenge', 'text')
    .addColumn('code_challenge_method', 'text')
    .addColumn('auth_time', 'timestamptz', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .addColumn('used_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index oauth_codes_application on oauth_codes (application_id)`.execute(db)
  await sql`create index oauth_codes_user on oauth_codes (user_id)`.execute(db)
  await sql`create index oauth_codes_end on oauth_codes (expires_at)`.execute(db)
}

async function makeDevices(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('oauth_devices')
    .addColumn('id', id.type, id.build)
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('user_code_digest', 'text', (c) => c.notNull().unique())
    .addColumn('application_id', 'bigint', (c) =>
      c.notNull().references('oauth_applications.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('auth_time', 'timestamptz')
    .addColumn('interval_s', 'integer', (c) => c.notNull())
    .addColumn('polled_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index oauth_devices_application on oauth_devices (application_id)`.execute(db)
  await sql`create index oauth_devices_user on oauth_devices (user_id)`.execute(db)
  await sql`create index oauth_devices_end on oauth_devices (expires_at)`.execute(db)
}

async function makeTokens(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('oauth_tokens')
    .addColumn('id', id.type, id.build)
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('refresh_digest', 'text', (c) => c.unique())
    .addColumn('application_id', 'bigint', (c) =>
      c.references('oauth_applications.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('auth_time', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .addColumn('revoked_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index oauth_tokens_family on oauth_tokens (family)`.execute(db)
  await sql`create index oauth_tokens_application on oauth_tokens (application_id, user_id)`.execute(
    db,
  )
  await sql`create index oauth_tokens_user on oauth_tokens (user_id)`.execute(db)
  await sql`create index oauth_tokens_end on oauth_tokens (expires_at)`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  oauth_applications: {
    note: 'OAuth applications that users can sign in to with their account here.',
  },
  'oauth_applications.uid': { note: 'The `client_id`.' },
  'oauth_applications.secret_digest': { note: 'SHA-256 of the secret, in hex.' },
  'oauth_applications.redirect_uri': { note: 'One URI per line.' },
  'oauth_applications.scopes': { type: 'string[]' },
  'oauth_applications.trusted': { note: 'Whether users are not asked for consent.' },
  oauth_codes: { note: 'Authorization codes, which applications exchange for tokens.' },
  'oauth_codes.digest': { note: 'SHA-256 of the code, in hex.' },
  'oauth_codes.scopes': { type: 'string[]' },
  'oauth_codes.code_challenge_method': { type: "'plain' | 'S256'" },
  'oauth_codes.auth_time': { note: 'When the user signed in.' },
  'oauth_codes.family': { note: 'The family of the tokens that the code is exchanged for.' },
  oauth_devices: { note: 'Sign-ins of devices without a browser (RFC 8628).' },
  'oauth_devices.digest': { note: 'SHA-256 of the device code, in hex.' },
  'oauth_devices.user_code_digest': { note: 'SHA-256 of the user code, in hex.' },
  'oauth_devices.scopes': { type: 'string[]' },
  'oauth_devices.state': { type: "'pending' | 'allowed' | 'denied' | 'used'" },
  oauth_tokens: { note: 'Access tokens, each with its refresh token.' },
  'oauth_tokens.digest': { note: 'SHA-256 of the access token, in hex.' },
  'oauth_tokens.refresh_digest': { note: 'SHA-256 of the refresh token, in hex.' },
  'oauth_tokens.application_id': { note: 'Null for a sign-in with a password and no application.' },
  'oauth_tokens.user_id': { note: 'Null for a token of the application itself.' },
  'oauth_tokens.scopes': { type: 'string[]' },
  'oauth_tokens.family': {
    note: 'The same for a token and those that replaced it. All of them are revoked together.',
  },
  'oauth_tokens.expires_at': { note: 'When the access token expires.' },
  signing_keys: { note: 'Keys that sign JSON web tokens. All nodes share them.' },
  'signing_keys.purpose': { note: 'Always `jwt`.' },
  'signing_keys.private_key': { note: 'PKCS #8 in PEM. Encrypted; see kernel/secrets.ts.' },
}
