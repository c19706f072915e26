import type { CompiledQuery } from 'kysely'
import type { LRUCache } from 'lru-cache'
import { createLruCache } from '../kernel/lru.ts'
import { databaseKeyOf } from './after-commit.ts'
import type { Db } from './db.ts'

export type CompiledStatement = {
  /** The same for the same text, for databases that keep plans by name; undefined where none is worth it. */
  name: string | undefined
  sql: string
  parameters: readonly unknown[]
  /** Whether its rows are handed out again until something is written. */
  isKept: boolean
}

/** Runs a compiled statement that only reads. */
type DirectReader = <Row>(statement: CompiledStatement) => readonly Row[] | Promise<readonly Row[]>

const directReaders = new WeakMap<Db, DirectReader>()

/**
 * Sets the function that runs compiled queries on `db` instead of Kysely's executor. On SQLite the executor costs as much as
 * the queries; on PostgreSQL it has every statement parsed and planned at every run.
 */
export function setCompiledQueryReader(db: Db, read: DirectReader): void {
  directReaders.set(db, read)
}

/** Stands for a named value in a compiled statement. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Gives a placeholder for every name that is asked of it. */
function placeholders<Given extends object>(): Given {
  return new Proxy({} as Given, { get: (_, name) => new Placeholder(String(name)) })
}

let fixedLists = 0

/**
 * Returns a function that runs a query which is compiled once for each database, since compiling costs several times as much
 * as running. `build` is called once for a database and its transactions, with placeholders named as it declares them; the
 * returned function takes their values. Queries in a transaction go through Kysely. Callers must not change the rows, which
 * may be cached and returned again. `isKept: false` switches the cache off, for queries that never have the same values
 * twice, such as the current time: their rows would displace others from the cache.
 */
export function defineListLoader<Row, Given extends object>(
  build: (db: Db, given: Given) => { compile: () => CompiledQuery<Row> },
  { isKept = true }: { isKept?: boolean } = {},
): (db: Db, given: Readonly<Given>) => Promise<readonly Readonly<Row>[]> {
  const kept = new WeakMap<object, CompiledQuery<Row>>()
  fixedLists++
  const name = `fixed_${fixedLists}`
  return async (db, given) => {
    const key = databaseKeyOf(db)
    let compiled = kept.get(key)
    if (!compiled) {
      compiled = build(db, placeholders<Given>()).compile()
      kept.set(key, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? given[value.name as keyof Given] : value,
    )
    const read = directReaders.get(db)
    if (read) return read<Row>({ name, sql: compiled.sql, parameters, isKept })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

/** Like `defineListLoader`, for a query that finds at most one row. */
export function defineRowLoader<Row, Given extends object>(
  build: (db: Db, given: Given) => { compile: () => CompiledQuery<Row> },
  options: { isKept?: boolean } = {},
): (db: Db, given: Readonly<Given>) => Promise<Readonly<Row> | undefined> {
  const list = defineListLoader(build, options)
  return (db, given) => list(db, given).then(([row]) => row)
}

/** Compiled statements that are kept of one list. */
const kept_statements_max = 500

/**
 * Returns a function that runs a query whose text depends on its parameters. It is compiled once for each JSON value of the
 * parameters, and its rows are cached like those of compiled queries.
 */
export function defineCachedListLoader<Row, Given extends object>(
  build: (db: Db, given: Given) => { compile: () => CompiledQuery<Row> },
): (db: Db, given: Readonly<Given>) => Promise<readonly Readonly<Row>[]> {
  const kept = new WeakMap<Db, LRUCache<string, CompiledQuery<Row>>>()
  return async (db, given) => {
    const read = directReaders.get(db)
    // A transaction ends before it would run the query again.
    if (!read) return (await db.executeQuery<Row>(build(db, given).compile())).rows
    let statements = kept.get(db)
    if (!statements) {
      statements = createLruCache(kept_statements_max)
      kept.set(db, statements)
    }
    const key = JSON.stringify(given)
    let compiled = statements.get(key)
    if (!compiled) {
      compiled = build(db, given).compile()
      statements.set(key, compiled)
    }
    return read<Row>({
      name: undefined,
      sql: compiled.sql,
      parameters: compiled.parameters,
      isKept: true,
    })
  }
}
