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
    note: 'How many approvals `any_approver` asks for stands in the project or merge request, as approvals_before_merge. `code_owner` is made from CODEOWNERS, with a pattern for a name.',
  },
  'approval_rules.section': {
    note: 'The section of CODEOWNERS, `codeowners` for lines before the first; null for other rules.',
  },
  approval_rule_roles: {
    note: 'Whoever has this level in the project, or in the group it is in, is one of the owners.',
  },
  'merge_requests.code_owners_version_id': {
    note: 'The version for whose changes the rules of code owners were made.',
  },
  'merge_requests.code_owners_oid': {
    note: 'The CODEOWNERS file they were made from; null where there was none.',
  },
}
