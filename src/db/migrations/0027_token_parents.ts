import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Which token a token was made with: it ends with that one. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('personal_access_tokens')
    .addColumn('parent_id', 'bigint', (c) =>
      c.references('personal_access_tokens.id').onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('personal_access_tokens_parent')
    .on('personal_access_tokens')
    .column('parent_id')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'personal_access_tokens.parent_id': {
    note: 'The token that was used to create this one, which ends with it.',
  },
}
