import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Services outside that are asked about merge requests, and what they answered. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('status_checks')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('external_url', 'text', (c) => c.notNull())
    .addColumn('shared_secret', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index status_checks_name on status_checks (project_id, name)`.execute(db)
  await db.schema
    .createTable('status_check_branches')
    .addColumn('status_check_id', 'bigint', (c) =>
      c.notNull().references('status_checks.id').onDelete('cascade'),
    )
    .addColumn('protected_branch_id', 'bigint', (c) =>
      c.notNull().references('protected_branches.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('status_check_branches_key', [
      'status_check_id',
      'protected_branch_id',
    ])
    .execute()
  await sql`create index status_check_branches_branch
    on status_check_branches (protected_branch_id)`.execute(db)
  await db.schema
    .createTable('status_check_responses')
    .addColumn('id', id.type, id.build)
    .addColumn('status_check_id', 'bigint', (c) =>
      c.notNull().references('status_checks.id').onDelete('cascade'),
    )
    .addColumn('issuable_id', 'bigint', (c) =>
      c.notNull().references('issuables.id').onDelete('cascade'),
    )
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index status_check_responses_newest
    on status_check_responses (issuable_id, status_check_id, sha)`.execute(db)
  await sql`create index status_check_responses_check
    on status_check_responses (status_check_id)`.execute(db)
  await db.schema
    .alterTable('projects')
    .addColumn('only_allow_merge_if_all_status_checks_passed', 'boolean', (c) =>
      c.notNull().defaultTo(false),
    )
    .execute()
}

export const meanings: SchemaMeanings = {
  'status_checks.shared_secret': { note: 'The secret that signs calls, encrypted.' },
  status_check_branches: {
    note: 'The branches of a status check. A check without rows applies to merge requests into any branch.',
  },
  'status_check_responses.issuable_id': { note: 'A merge request.' },
  'status_check_responses.sha': {
    note: 'The head of the merge request that the response is about. At another head the check is pending.',
  },
  'status_check_responses.status': { type: "'pending' | 'passed' | 'failed'" },
}
