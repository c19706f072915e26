import { setImmediate } from 'node:timers/promises'
import type { Db } from './db.ts'

const rows_at_once = 500

/**
 * Deletes all rows of a project from a large table, some in each transaction, so that other writers get their turn in
 * between. Rows that are added meanwhile may remain.
 */
export async function deleteProjectRowsInBatches(
  db: Db,
  { table, project_id }: { table: 'alerts' | 'vulnerabilities'; project_id: number },
): Promise<void> {
  for (let deleted = rows_at_once; deleted === rows_at_once; ) {
    const result = await db
      .deleteFrom(table)
      .where('id', 'in', (eb) =>
        eb.selectFrom(table).select('id').where('project_id', '=', project_id).limit(rows_at_once),
      )
      .executeTakeFirstOrThrow()
    deleted = Number(result.numDeletedRows)
    // SQLite runs synchronously, so other work gets its turn here.
    await setImmediate()
  }
}
