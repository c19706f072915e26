import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** How far each reviewer of a merge request is, and whether they ask for changes. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('merge_request_reviewers')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('unreviewed'))
    .execute()
}

export const meanings: SchemaMeanings = {
  'merge_request_reviewers.state': {
    type: "'unreviewed' | 'review_started' | 'reviewed' | 'requested_changes' | 'approved' | 'unapproved'",
    note: "The reviewer's last action.",
  },
}
