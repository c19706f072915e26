// Deletes the contributions of a user who is deleted with them (docs/api/issues.md, "Removed users").
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Issuable, IssuableKind } from '../../../subjects/issuable.ts'
import {
  lockIssuablesCreatedBy,
  removeAwardsOfUser,
  removeNotesOfUser,
  removeTimelogsOfUser,
} from './contributions.store.ts'
import { removeIssuableRow } from './remove-issuable.ts'

type Removal = { db: Db; user_id: number; hard_delete: boolean }

const issuables_a_transaction = 50

/** Deletes the issuables of a kind that the user created, a few at a time. `also` runs in the transaction of each. */
export async function deleteCreatedIssuables(
  { db, user_id, hard_delete }: Removal,
  kind: IssuableKind,
  also: (tx: Db, issuable: Issuable) => Promise<void> = async () => {},
): Promise<void> {
  if (!hard_delete) return
  let removed: number
  do {
    removed = await runTransaction(db, async (tx) => {
      const made = await lockIssuablesCreatedBy(tx, {
        user_id,
        kind,
        limit: issuables_a_transaction,
      })
      for (const issuable of made) {
        await also(tx, issuable)
        await removeIssuableRow(tx, issuable)
      }
      return made.length
    })
  } while (removed === issuables_a_transaction)
}

/** Deletes notes, awards and times of the user on issuables of others, and updates counts. */
export async function deleteContributionsToOthers({
  db,
  user_id,
  hard_delete,
}: Removal): Promise<void> {
  if (!hard_delete) return
  await runTransaction(db, async (tx) => {
    await removeNotesOfUser(tx, user_id)
    await removeAwardsOfUser(tx, user_id)
    await removeTimelogsOfUser(tx, user_id)
  })
}
