import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** The language of the pages for a user, on every machine. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('language', 'text', (c) => c.notNull().defaultTo('system'))
    .execute()
}

export const meanings: SchemaMeanings = {
  'users.language': { type: "'system' | 'en' | 'de'", note: 'The language of the pages.' },
}
