import { NoResultError } from 'kysely'
import type { Db } from './db.ts'
import { findViolatedIndex, isForeignKeyViolation } from './dialect.ts'

const attempts_max = 3

/** PostgreSQL's codes for a deadlock and for transactions that cannot be serialized. */
const conflictCodes: ReadonlySet<unknown> = new Set(['40P01', '40001'])

/**
 * Runs a transaction. Code outside of this folder must use this function. A transaction that fails because of a concurrent
 * one runs again, and then finds what the other has changed or deleted. `run` must have no effects outside of the database,
 * except effects that do no harm if they are repeated or not followed by a commit (such as deleting a blob that nothing
 * refers to any more).
 */
export async function runTransaction<Result>(
  db: Db,
  run: (tx: Db) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(run)
    } catch (error) {
      if (attempt === attempts_max || !isTransactionConflict(error)) throw error
    }
  }
}

/**
 * Whether a transaction failed because of a concurrent one: by a deadlock, a row that was deleted meanwhile, or an insert of
 * the same row.
 */
export function isTransactionConflict(error: unknown): boolean {
  if (error instanceof NoResultError || isForeignKeyViolation(error)) return true
  if (findViolatedIndex(error) !== undefined) return true
  return conflictCodes.has((error as { code?: unknown }).code)
}
