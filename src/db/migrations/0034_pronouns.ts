import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('users').addColumn('pronouns', 'text').execute()
}
