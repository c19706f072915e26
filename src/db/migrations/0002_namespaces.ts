import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('namespaces')
    .addColumn('id', id.type, id.build)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'bigint', (c) => c.references('users.id'))
    .addColumn('parent_id', 'bigint', (c) => c.references('namespaces.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('full_name', 'text', (c) => c.notNull())
    .addColumn('full_path', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('visibility', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('ready'))
    .addColumn('share_with_group_lock', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('require_two_factor_authentication', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('two_factor_grace_period', 'integer', (c) => c.notNull().defaultTo(48))
    .addColumn('project_creation_level', 'text', (c) => c.notNull().defaultTo('developer'))
    .addColumn('subgroup_creation_level', 'text', (c) => c.notNull().defaultTo('maintainer'))
    .addColumn('auto_devops_enabled', 'boolean')
    .addColumn('emails_disabled', 'boolean')
    .addColumn('mentions_disabled', 'boolean')
    .addColumn('lfs_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('default_branch_protection', 'integer', (c) => c.notNull().defaultTo(2))
    .addColumn('request_access_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('prevent_sharing_groups_outside_hierarchy', 'boolean', (c) =>
      c.notNull().defaultTo(false),
    )
    .addColumn('runners_token', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index namespaces_owner on namespaces (owner_id) where kind = 'user'`.execute(
    db,
  )
  await db.schema.createIndex('namespaces_parent').on('namespaces').column('parent_id').execute()
  await sql`create index namespaces_name on namespaces (name, id)`.execute(db)

  await db.schema
    .createTable('namespace_ancestors')
    .addColumn('namespace_id', 'bigint', (c) =>
      c.notNull().references('namespaces.id').onDelete('cascade'),
    )
    .addColumn('ancestor_id', 'bigint', (c) =>
      c.notNull().references('namespaces.id').onDelete('cascade'),
    )
    .addColumn('depth', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('namespace_ancestors_key', ['namespace_id', 'ancestor_id'])
    .execute()
  await db.schema
    .createIndex('namespace_ancestors_ancestor')
    .on('namespace_ancestors')
    .columns(['ancestor_id', 'namespace_id'])
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  namespace_ancestors: {
    note: 'Each namespace with all of its ancestors, and with itself at depth 0 (the closure of parent_id).',
  },
  namespaces: {
    note: 'Groups, and one namespace for each user. A group has the id of its namespace.',
  },
  'namespaces.kind': { type: "'user' | 'group'" },
  'namespaces.visibility': { type: 'Visibility' },
  'namespaces.state': { type: "'ready' | 'deleting'" },
  'namespaces.project_creation_level': { type: "'noone' | 'owner' | 'maintainer' | 'developer'" },
  'namespaces.subgroup_creation_level': { type: "'owner' | 'maintainer'" },
  'namespaces.runners_token': { note: 'Encrypted; see kernel/secrets.ts.' },
}
