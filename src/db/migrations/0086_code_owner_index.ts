import { type Kysely, sql } from 'kysely'

/** Patterns of code owners may be longer than what an index of PostgreSQL holds. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await sql.raw('drop index approval_rules_code_owner').execute(db)
  await sql
    .raw(`create index approval_rules_code_owner on approval_rules (issuable_id)
      where rule_type = 'code_owner'`)
    .execute(db)
}
