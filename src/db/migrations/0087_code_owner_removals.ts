import type { Kysely } from 'kysely'

/** A push may end the approvals of those whose files it changes, and no others. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('approval_settings')
    .addColumn('selective_code_owner_removals', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
