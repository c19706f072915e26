import type { Db } from '../../../db/db.ts'

/** Whether a thread of it waits to be resolved. */
export async function hasUnresolvedThread(db: Db, issuable_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('notes')
    .select('id')
    .where('issuable_id', '=', issuable_id)
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
