import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Deploy and trigger tokens end with the token they were made with; what is confidential comes from the thread. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of ['deploy_tokens', 'pipeline_triggers']) {
    await db.schema
      .alterTable(table)
      // No reference: once the token is gone, what it made stays ended.
      .addColumn('parent_id', 'bigint')
      .execute()
  }
  await db.schema
    .alterTable('issuable_mentions')
    .addColumn('confidential', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await sql`update notes set confidential = ${sql.lit(true)} where confidential = ${sql.lit(false)}
    and discussion_id in (select discussion_id from notes where confidential = ${sql.lit(true)})`.execute(
    db,
  )
}

export const meanings: SchemaMeanings = {
  'deploy_tokens.parent_id': {
    note: 'The access token that was used to create this token, which ends with it.',
  },
  'pipeline_triggers.parent_id': {
    note: 'The access token that was used to create this token, which ends with it.',
  },
  'issuable_mentions.confidential': { note: 'Whether only internal notes mention the user.' },
}
