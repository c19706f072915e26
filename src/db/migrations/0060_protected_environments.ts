import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Which environments are protected, whom they admit, and approvals of deployments to them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('protected_environments')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('required_approval_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('protected_environment_entries')
    .addColumn('id', id.type, id.build)
    .addColumn('protected_environment_id', 'bigint', (c) =>
      c.notNull().references('protected_environments.id').onDelete('cascade'),
    )
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('group_inheritance_type', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('required_approvals', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('deployment_approvals')
    .addColumn('id', id.type, id.build)
    .addColumn('deployment_id', 'bigint', (c) =>
      c.notNull().references('deployments.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('entry_id', 'bigint', (c) =>
      c.references('protected_environment_entries.id').onDelete('set null'),
    )
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('comment', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const what of [
    'unique index protected_environments_project on protected_environments (project_id, name)',
    'unique index protected_environments_namespace on protected_environments (namespace_id, name)',
    'index protected_environment_entries_rule on protected_environment_entries (protected_environment_id)',
    'index protected_environment_entries_user on protected_environment_entries (user_id)',
    'index protected_environment_entries_group on protected_environment_entries (group_id)',
    'unique index deployment_approvals_deployment on deployment_approvals (deployment_id, user_id)',
    'index deployment_approvals_user on deployment_approvals (user_id)',
    'index deployment_approvals_entry on deployment_approvals (entry_id)',
  ]) {
    await sql`create ${sql.raw(what)}`.execute(db)
  }
}

export const meanings: SchemaMeanings = {
  protected_environments: {
    note: 'Protected environments of a project, or of a group for all projects below it.',
  },
  'protected_environments.name': {
    note: 'The name of an environment; for a group, a deployment tier.',
  },
  protected_environment_entries: {
    note: 'Roles, users and groups that a protection allows to deploy or to approve.',
  },
  'protected_environment_entries.action': { type: "'deploy' | 'approve'" },
  'protected_environment_entries.group_inheritance_type': {
    note: '0 for direct members of the group, 1 for inherited ones too.',
  },
  'protected_environment_entries.required_approvals': {
    note: 'How many of these users must approve; 0 if the action is `deploy`.',
  },
  'deployment_approvals.entry_id': {
    note: 'The rule that the approval counts for; null if only a number of approvals is required.',
  },
  'deployment_approvals.status': { type: "'approved' | 'rejected'" },
}
