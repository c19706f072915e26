import type { Db } from '../../../db/db.ts'

/** False where the user had approved it. */
export async function insertApproval(
  tx: Db,
  row: { issuable_id: number; user_id: number; created_at: string },
): Promise<boolean> {
  const made = await tx
    .insertInto('merge_request_approvals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}

export async function deleteApproval(
  tx: Db,
  { issuable_id, user_id }: { issuable_id: number; user_id: number },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}
