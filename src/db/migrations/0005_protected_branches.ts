import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('protected_branches')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('allow_force_push', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('code_owner_approval_required', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('protected_branches_name')
    .unique()
    .on('protected_branches')
    .columns(['project_id', 'name'])
    .execute()

  await db.schema
    .createTable('protected_branch_access_levels')
    .addColumn('id', id.type, id.build)
    .addColumn('protected_branch_id', 'bigint', (c) =>
      c.notNull().references('protected_branches.id').onDelete('cascade'),
    )
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('protected_branch_access_levels_branch')
    .on('protected_branch_access_levels')
    .column('protected_branch_id')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'protected_branch_access_levels.action': { type: "'push' | 'merge' | 'unprotect'" },
}
