// The state of a merge request that is merged, which no field of a change says.
import type { Db } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { updateIssuableCount, updateIssuableState } from './issuable.store.ts'

/** Moves one of these states to another, and the counts with it; undefined where it is in none of them. */
export async function transitionIssuableState(
  tx: Db,
  id: number,
  { from, to, now }: { from: readonly Issuable['state'][]; to: Issuable['state']; now: string },
): Promise<Issuable | undefined> {
  const moved = await updateIssuableState(tx, id, { from, to, now })
  if (!moved) return undefined
  // One that is being merged counts as open.
  await updateIssuableCount(tx, { ...moved, state: 'opened' }, -1)
  await updateIssuableCount(tx, moved, 1)
  return moved
}
