import type { Db } from './db.ts'

/**
 * The number of busy and idle connections, and of callers that wait for one. On SQLite, of the one connection that writes.
 */
export type PoolStats = { busy: number; idle: number; waiting: number }

const pools = new WeakMap<Db, () => PoolStats>()

export function registerPoolStats(db: Db, read: () => PoolStats): void {
  pools.set(db, read)
}

export function readPoolStats(db: Db): PoolStats {
  return pools.get(db)?.() ?? { busy: 0, idle: 0, waiting: 0 }
}
