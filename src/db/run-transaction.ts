import { NoResultError } from 'kysely'
import type { Db } from './db.ts'
import { findViolatedIndex, isForeignKeyViolation } from './dialect.ts'

const attempts_max = 3

/** PostgreSQL's codes for a deadlock and for transactions that cannot be serialized. */
const conflictCodes: ReadonlySet<unknown> = new Set(['40P01', '40001'])

/**
 * Runs a transaction: the one way to do so outside of this folder. One that failed because of another that ran at the same
 * time runs again, and so finds what the other has changed or deleted. `run` has no effects but those in the database, or
 * such as do no harm when they happen again or without a commit (the removal of a blob nobody has any more).
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
 * Whether two transactions waited for each other, one changed or referred to a row that another deleted, or both inserted
 * the same row.
 */
export function isTransactionConflict(error: unknown): boolean {
  if (error instanceof NoResultError || isForeignKeyViolation(error)) return true
  if (findViolatedIndex(error) !== undefined) return true
  return conflictCodes.has((error as { code?: unknown }).code)
}
