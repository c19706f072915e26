import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'

/**
 * A query for at most one row that many requests make: compiled once for each database, since compiling
 * costs several times what running it does. `build` is given values of no meaning; the function returned
 * takes the real ones, in the order in which they stand in the statement.
 */
export function fixedQuery<Row>(
  build: (db: Db) => { compile: () => CompiledQuery<Row> },
): (db: Db, parameters: readonly unknown[]) => Promise<Row | undefined> {
  const kept = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, parameters) => {
    const compiled = kept.get(db) ?? build(db).compile()
    kept.set(db, compiled)
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}
