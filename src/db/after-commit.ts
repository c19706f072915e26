// Runs callbacks after a transaction has been committed, for example to notify readers who may query at once.
import type { DatabaseConnection } from 'kysely'
import type { Db } from './db.ts'

const waiting = new WeakMap<DatabaseConnection, (() => void)[]>()

/**
 * Runs `follow` after the transaction `db` is committed, and never if it is rolled back. Outside of a transaction it runs at
 * once.
 */
export async function scheduleAfterCommit(db: Db, follow: () => void): Promise<void> {
  if (!db.isTransaction) return follow()
  await db.getExecutor().provideConnection(async (connection) => {
    const known = waiting.get(connection)
    if (known) known.push(follow)
    else waiting.set(connection, [follow])
  })
}

/** Runs what `scheduleAfterCommit` queued on this connection. For drivers, once the transaction is committed. */
export function runAfterCommitCallbacks(connection: DatabaseConnection): void {
  const follows = waiting.get(connection) ?? []
  waiting.delete(connection)
  for (const follow of follows) follow()
}

/** Drops what `scheduleAfterCommit` queued on this connection. For drivers, once the transaction is rolled back. */
export function discardAfterCommitCallbacks(connection: DatabaseConnection): void {
  waiting.delete(connection)
}

/** Returns an object that a database and all its transactions have in common, to use as the key of a WeakMap. */
export function databaseKeyOf(db: Db): object {
  return db.getExecutor().adapter
}
