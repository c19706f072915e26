import { type Kysely, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** A rule protects branches of a project, or of all projects in and below a group. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  if (isPostgres(db)) {
    await db.schema
      .alterTable('protected_branches')
      .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
      .execute()
    await db.schema
      .alterTable('protected_branches')
      .alterColumn('project_id', (c) => c.dropNotNull())
      .execute()
  } else await rebuild(db)
  await sql`create unique index protected_branches_group on protected_branches (namespace_id, name)`.execute(
    db,
  )
}

/** SQLite cannot let a column be null, so both tables are made anew, and what they hold moves. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function rebuild(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('protected_branches_new')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('allow_force_push', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('code_owner_approval_required', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .execute()
  const rule = sql`id, project_id, name, allow_force_push, code_owner_approval_required, created_at`
  await sql`insert into protected_branches_new (${rule}) select ${rule} from protected_branches`.execute(
    db,
  )
  await db.schema
    .createTable('protected_branch_access_levels_new')
    .addColumn('id', id.type, id.build)
    .addColumn('protected_branch_id', 'bigint', (c) =>
      c.notNull().references('protected_branches_new.id').onDelete('cascade'),
    )
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .execute()
  const entry = sql`id, protected_branch_id, action, access_level, user_id, group_id`
  await sql`insert into protected_branch_access_levels_new (${entry})
    select ${entry} from protected_branch_access_levels`.execute(db)
  // Ids of rows that were deleted are never given out again.
  for (const table of ['protected_branches', 'protected_branch_access_levels']) {
    const made = `${table}_new`
    await sql`delete from sqlite_sequence where name = ${made}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq)
      select ${made}, seq from sqlite_sequence where name = ${table}`.execute(db)
  }
  // The rules go last: with them their entries would go.
  for (const table of ['protected_branch_access_levels', 'protected_branches']) {
    await db.schema.dropTable(table).execute()
  }
  for (const table of ['protected_branches', 'protected_branch_access_levels']) {
    await db.schema.alterTable(`${table}_new`).renameTo(table).execute()
  }
  await sql`create unique index protected_branches_name on protected_branches (project_id, name)`.execute(
    db,
  )
  await sql`create index protected_branch_access_levels_branch
    on protected_branch_access_levels (protected_branch_id)`.execute(db)
}

export const meanings: SchemaMeanings = {
  'protected_branches.project_id': { note: 'Null for a rule of a group.' },
  'protected_branches.namespace_id': {
    note: 'The group whose projects the rule applies to; null for a rule of a project.',
  },
}
