import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** How pages look to a user, on every machine. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const users = db.schema.alterTable('users')
  await users.addColumn('theme', 'text', (c) => c.notNull().defaultTo('system')).execute()
  await users.addColumn('density', 'text', (c) => c.notNull().defaultTo('roomy')).execute()
  await users.addColumn('tab_width', 'integer', (c) => c.notNull().defaultTo(4)).execute()
  await users.addColumn('single_keys', 'boolean', (c) => c.notNull().defaultTo(true)).execute()
}

export const meanings: SchemaMeanings = {
  'users.theme': { type: "'system' | 'light' | 'dark'" },
  'users.density': { type: "'roomy' | 'compact'" },
  'users.tab_width': { note: 'The width of a tab in code, in columns.' },
  'users.single_keys': { note: 'Whether single-key shortcuts (without Ctrl) work on pages.' },
}
