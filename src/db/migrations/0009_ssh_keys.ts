import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('ssh_keys')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('created_by_id', 'bigint', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('fingerprint_sha256', 'text', (c) => c.notNull())
    .addColumn('usage_type', 'text', (c) => c.notNull().defaultTo('auth_and_signing'))
    .addColumn('is_public', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('expires_at', 'timestamptz')
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('ssh_keys_fingerprint_sha256')
    .unique()
    .on('ssh_keys')
    .column('fingerprint_sha256')
    .execute()
  await db.schema.createIndex('ssh_keys_fingerprint').on('ssh_keys').column('fingerprint').execute()
  await db.schema.createIndex('ssh_keys_user').on('ssh_keys').columns(['user_id', 'id']).execute()
  await db.schema
    .createIndex('ssh_keys_created_by')
    .on('ssh_keys')
    .column('created_by_id')
    .execute()

  await db.schema
    .createTable('deploy_key_projects')
    .addColumn('id', id.type, id.build)
    .addColumn('ssh_key_id', 'bigint', (c) =>
      c.notNull().references('ssh_keys.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('can_push', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('deploy_key_projects_key')
    .unique()
    .on('deploy_key_projects')
    .columns(['ssh_key_id', 'project_id'])
    .execute()
  await db.schema
    .createIndex('deploy_key_projects_project')
    .on('deploy_key_projects')
    .columns(['project_id', 'id'])
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  deploy_key_projects: { note: 'Projects in which a deploy key is enabled.' },
  ssh_keys: { note: 'Public keys of users, and deploy keys, for which `user_id` is null.' },
  'ssh_keys.created_by_id': {
    note: 'The user who added a deploy key. Pushes with the key count as pushes of this user.',
  },
  'ssh_keys.key': { note: '`type base64 comment`, as in an authorized_keys file.' },
  'ssh_keys.fingerprint': { note: 'MD5, in hex with colons.' },
  'ssh_keys.fingerprint_sha256': { note: 'SHA-256 in Base64 without padding.' },
  'ssh_keys.usage_type': { type: "'auth' | 'signing' | 'auth_and_signing'" },
  'ssh_keys.is_public': { note: 'Whether any project may enable this deploy key.' },
}
