import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Which projects' jobs a project lets in. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .alterTable('projects')
    .addColumn('ci_inbound_job_token_scope_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .createTable('job_token_allowlist')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('target_project_id', 'bigint', (c) =>
      c.references('projects.id').onDelete('cascade'),
    )
    .addColumn('target_group_id', 'bigint', (c) =>
      c.references('namespaces.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const what of [
    'unique index job_token_allowlist_project on job_token_allowlist (project_id, target_project_id)',
    'unique index job_token_allowlist_group on job_token_allowlist (project_id, target_group_id)',
    'index job_token_allowlist_target_project on job_token_allowlist (target_project_id)',
    'index job_token_allowlist_target_group on job_token_allowlist (target_group_id)',
  ]) {
    await sql`create ${sql.raw(what)}`.execute(db)
  }
}

export const meanings: SchemaMeanings = {
  'projects.ci_inbound_job_token_scope_enabled': {
    note: 'Whether job tokens of other projects can access this project only from its allowlist.',
  },
  job_token_allowlist: {
    note: 'Projects, and groups with all projects below them, whose job tokens can access `project_id`.',
  },
}
