// Disables the auto-merge of a merge request.
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { setAutoMerge } from '../merge-requests/merge-request.ts'

/**
 * Disables auto-merge and adds a system note with the reason; without a reason, that the user canceled it. Returns
 * false if it was not enabled.
 */
export async function disableAutoMerge(
  tx: Db,
  clock: Clock,
  {
    issuable,
    user_id,
    reason,
  }: {
    issuable: Pick<Issuable, 'id' | 'project_id'>
    user_id: number
    reason: string | undefined
  },
): Promise<boolean> {
  if (!(await setAutoMerge(tx, issuable.id, undefined))) return false
  const body =
    reason === undefined
      ? 'canceled the automatic merge'
      : `aborted the automatic merge because ${reason}`
  await insertSystemNotes(tx, clock, { issuable, author_id: user_id, bodies: [body] })
  return true
}
