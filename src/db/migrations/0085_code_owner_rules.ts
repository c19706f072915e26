import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Rules of merge requests that CODEOWNERS of their target branch makes. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('approval_rules').addColumn('section', 'text').execute()
  await sql.raw('drop index approval_rules_request_name').execute(db)
  for (const definition of [
    `unique index approval_rules_request_name on approval_rules (issuable_id, name)
      where issuable_id is not null and rule_type <> 'code_owner'`,
    `unique index approval_rules_code_owner on approval_rules (issuable_id, section, name)
      where rule_type = 'code_owner'`,
  ]) {
    await sql.raw(`create ${definition}`).execute(db)
  }
  await db.schema
    .createTable('approval_rule_roles')
    .addColumn('approval_rule_id', 'bigint', (c) =>
      c.notNull().references('approval_rules.id').onDelete('cascade'),
    )
    .addColumn('access_level', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('approval_rule_roles_key', ['approval_rule_id', 'access_level'])
    .execute()
  await db.schema
    .alterTable('merge_requests')
    .addColumn('code_owners_version_id', 'bigint')
    .execute()
  await db.schema.alterTable('merge_requests').addColumn('code_owners_oid', 'text').execute()
}

export const meanings: SchemaMeanings = {
  'approval_rules.rule_type': {
    type: "'regular' | 'any_approver' | 'code_owner'",
    note: 'The number of approvals that `any_approver` requires is approvals_before_merge of the project or merge request. `code_owner` rules are made from CODEOWNERS; their name is a pattern.',
  },
  'approval_rules.section': {
    note: 'The section of CODEOWNERS; `codeowners` for lines before the first section; null for other rules.',
  },
  approval_rule_roles: {
    note: 'Roles as code owners: all users with this level in the project, or in its group.',
  },
  'merge_requests.code_owners_version_id': {
    note: 'The version whose changes the code owner rules were made for.',
  },
  'merge_requests.code_owners_oid': {
    note: 'The CODEOWNERS file that the rules were made from; null if there was none.',
  },
}
