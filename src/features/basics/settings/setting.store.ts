import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'

/** Sets what is given, in one statement. */
export async function saveSettings(
  db: Db,
  values: Readonly<Record<string, unknown>>,
  now: string,
): Promise<void> {
  const rows = Object.entries(values).map(([name, value]) => ({
    name,
    value: toJson(value),
    updated_at: now,
  }))
  await db
    .insertInto('settings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
}
