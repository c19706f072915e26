// Statements that need not be on disk before the caller continues.
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Db } from './db.ts'

const unflushed = new WeakSet<RootOperationNode>()

const markUnflushed: KyselyPlugin = {
  transformQuery({ node }) {
    // A copy: a node may be shared with a statement that has to wait.
    const marked = { ...node }
    unflushed.add(marked)
    return marked
  },
  transformResult: async ({ result }) => result,
}

/**
 * Returns the database for single statements whose loss the caller can bear: with SQLite they do not wait for the disk
 * (decision 0044). They survive the end of the process, but a power failure may undo the last of them. With PostgreSQL
 * they are flushed like any other statement.
 */
export function withoutFlush(db: Db): Db {
  return db.withPlugin(markUnflushed)
}

/** Whether the statement was made through `withoutFlush`. For drivers. */
export function isUnflushed(node: RootOperationNode): boolean {
  return unflushed.has(node)
}
