import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'

/** Runs a compiled statement at once. */
type DirectReader = <Row>(query: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) => Row[]

const directReaders = new WeakMap<Db, DirectReader>()

/** Lets fixed queries on `db` be read without Kysely's executor, which costs as much as they do. */
export function readDirectly(db: Db, read: DirectReader): void {
  directReaders.set(db, read)
}

/**
 * A query that many requests make: compiled once for each database, since compiling costs several times
 * what running it does. `build` is given values of no meaning; the function returned takes the real ones,
 * in the order in which they stand in the statement. Transactions go by Kysely.
 */
export function fixedList<Row>(
  build: (db: Db) => { compile: () => CompiledQuery<Row> },
): (db: Db, parameters: readonly unknown[]) => Promise<Row[]> {
  const kept = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, parameters) => {
    let compiled = kept.get(db)
    if (!compiled) {
      compiled = build(db).compile()
      kept.set(db, compiled)
    }
    const read = directReaders.get(db)
    if (read) return read<Row>({ sql: compiled.sql, parameters })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** As `fixedList`, for a query that finds at most one row. */
export function fixedQuery<Row>(
  build: (db: Db) => { compile: () => CompiledQuery<Row> },
): (db: Db, parameters: readonly unknown[]) => Promise<Row | undefined> {
  const list = fixedList(build)
  return (db, parameters) => list(db, parameters).then(([row]) => row)
}
