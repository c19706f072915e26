import type { Db } from './db.ts'

/** Connections at work and at rest, and how many wait for one; of SQLite the one that writes. */
export type PoolStats = { busy: number; idle: number; waiting: number }

const pools = new WeakMap<Db, () => PoolStats>()

export function registerPoolStats(db: Db, read: () => PoolStats): void {
  pools.set(db, read)
}

export function readPoolStats(db: Db): PoolStats {
  return pools.get(db)?.() ?? { busy: 0, idle: 0, waiting: 0 }
}
