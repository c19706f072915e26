import type { Db } from './db.ts'

/** Connections at work and at rest, and how many wait for one; of SQLite the one that writes. */
export type PoolFigures = { busy: number; idle: number; waiting: number }

const pools = new WeakMap<Db, () => PoolFigures>()

export function watchPool(db: Db, read: () => PoolFigures): void {
  pools.set(db, read)
}

export function poolFigures(db: Db): PoolFigures {
  return pools.get(db)?.() ?? { busy: 0, idle: 0, waiting: 0 }
}
