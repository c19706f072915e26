import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Who must approve merge requests before they are merged, and what of an approval counts. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('approval_rules')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('issuable_id', 'bigint', (c) => c.references('issuables.id').onDelete('cascade'))
    .addColumn('source_rule_id', 'bigint', (c) =>
      c.references('approval_rules.id').onDelete('set null'),
    )
    .addColumn('rule_type', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('approvals_required', 'integer', (c) => c.notNull())
    .addColumn('applies_to_all_protected_branches', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const definition of [
    'unique index approval_rules_project_name on approval_rules (project_id, name) where issuable_id is null',
    'unique index approval_rules_request_name on approval_rules (issuable_id, name) where issuable_id is not null',
    `unique index approval_rules_project_any on approval_rules (project_id)
      where issuable_id is null and rule_type = 'any_approver'`,
    `unique index approval_rules_request_any on approval_rules (issuable_id)
      where issuable_id is not null and rule_type = 'any_approver'`,
    'index approval_rules_project on approval_rules (project_id, id)',
    'index approval_rules_source on approval_rules (source_rule_id) where source_rule_id is not null',
  ]) {
    await sql.raw(`create ${definition}`).execute(db)
  }
  for (const [table, column, of] of [
    ['approval_rule_users', 'user_id', 'users'],
    ['approval_rule_groups', 'group_id', 'namespaces'],
    ['approval_rule_branches', 'protected_branch_id', 'protected_branches'],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn('approval_rule_id', 'bigint', (c) =>
        c.notNull().references('approval_rules.id').onDelete('cascade'),
      )
      .addColumn(column, 'bigint', (c) => c.notNull().references(`${of}.id`).onDelete('cascade'))
      .addPrimaryKeyConstraint(`${table}_key`, ['approval_rule_id', column])
      .execute()
    await sql.raw(`create index ${table}_other on ${table} (${column})`).execute(db)
  }
  const no = (c: ColumnDefinitionBuilder) => c.notNull().defaultTo(false)
  await db.schema
    .createTable('approval_settings')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('reset_approvals_on_push', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('disable_overriding_approvers_per_merge_request', 'boolean', no)
    .addColumn('merge_requests_author_approval', 'boolean', no)
    .addColumn('merge_requests_disable_committers_approval', 'boolean', no)
    .addColumn('require_password_to_approve', 'boolean', no)
    .execute()
  await db.schema.alterTable('merge_request_approvals').addColumn('head_sha', 'text').execute()
  await sql`update merge_request_approvals set head_sha = (
    select head_sha from merge_requests where merge_requests.issuable_id = merge_request_approvals.issuable_id
  )`.execute(db)
  // Approvals outlived pushes until now: projects that have some keep it so.
  await sql`insert into approval_settings (project_id, reset_approvals_on_push)
    select distinct merge_requests.project_id, false from merge_request_approvals
    join merge_requests on merge_requests.issuable_id = merge_request_approvals.issuable_id`.execute(
    db,
  )
}

export const meanings: SchemaMeanings = {
  'approval_rules.project_id': { note: 'The target project of the merge requests.' },
  'approval_rules.issuable_id': {
    note: 'The merge request that the rule belongs to; null for a rule of the project.',
  },
  'approval_rules.source_rule_id': {
    note: 'The project rule that a rule of a merge request was copied from.',
  },
  'approval_rules.rule_type': {
    type: "'regular' | 'any_approver'",
    note: 'The number of approvals that `any_approver` requires is approvals_before_merge of the project or merge request.',
  },
  approval_rule_branches: {
    note: 'The branches of an approval rule. A rule without rows applies to merge requests into any branch.',
  },
  approval_settings: {
    note: 'Approval settings of projects. A project without a row has the defaults of the columns.',
  },
  'merge_request_approvals.head_sha': { note: 'The head of the merge request that was approved.' },
}
