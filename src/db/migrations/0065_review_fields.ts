import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** The number of approvals a merge request asks for, and events of weights. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('merge_requests')
    .addColumn('approvals_before_merge', 'integer')
    .execute()
  await db.schema.alterTable('resource_events').addColumn('weight', 'integer').execute()
}

export const meanings: SchemaMeanings = {
  'merge_requests.approvals_before_merge': {
    note: 'As given when the merge request was created; null: the value of the project.',
  },
  'resource_events.kind': { type: "'label' | 'milestone' | 'state' | 'weight'" },
  'resource_events.weight': { note: 'The new weight in an event of kind `weight`; null: removed.' },
}
