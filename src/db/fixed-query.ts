import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'

export type FixedStatement = {
  /** The same for the same text, for databases that keep plans by name; undefined where none is worth it. */
  name: string | undefined
  sql: string
  parameters: readonly unknown[]
}

/** Runs a compiled statement that only reads. */
type DirectReader = <Row>(statement: FixedStatement) => readonly Row[] | Promise<readonly Row[]>

const directReaders = new WeakMap<Db, DirectReader>()

/**
 * Lets fixed queries on `db` be read without Kysely's executor, which on SQLite costs as much as they do
 * and with PostgreSQL has every statement parsed and planned at every run.
 */
export function readDirectly(db: Db, read: DirectReader): void {
  directReaders.set(db, read)
}

let fixedLists = 0

/**
 * A query that many requests make: compiled once for each database, since compiling costs several times
 * what running it does. `build` is given values of no meaning; the function returned takes the real ones,
 * in the order in which they stand in the statement. Transactions go by Kysely. The rows may be handed
 * out again, so nobody changes them.
 */
export function fixedList<Row>(
  build: (db: Db) => { compile: () => CompiledQuery<Row> },
): (db: Db, parameters: readonly unknown[]) => Promise<readonly Readonly<Row>[]> {
  const kept = new WeakMap<Db, CompiledQuery<Row>>()
  fixedLists++
  const name = `fixed_${fixedLists}`
  return async (db, parameters) => {
    let compiled = kept.get(db)
    if (!compiled) {
      compiled = build(db).compile()
      kept.set(db, compiled)
    }
    const read = directReaders.get(db)
    if (read) return read<Row>({ name, sql: compiled.sql, parameters })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** As `fixedList`, for a query that finds at most one row. */
export function fixedQuery<Row>(
  build: (db: Db) => { compile: () => CompiledQuery<Row> },
): (db: Db, parameters: readonly unknown[]) => Promise<Readonly<Row> | undefined> {
  const list = fixedList(build)
  return (db, parameters) => list(db, parameters).then(([row]) => row)
}

/**
 * Runs a query that differs from request to request, but whose answer is asked for again and again: on
 * SQLite it is kept as those of fixed queries are.
 */
export async function readKept<Row>(
  db: Db,
  query: { compile: () => CompiledQuery<Row> },
): Promise<readonly Readonly<Row>[]> {
  const compiled = query.compile()
  const read = directReaders.get(db)
  if (!read) return (await db.executeQuery<Row>(compiled)).rows
  return read<Row>({ name: undefined, sql: compiled.sql, parameters: compiled.parameters })
}
