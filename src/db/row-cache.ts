// Caches rows of fixed statements as long as the database reports no change.
import { LRUCache } from 'lru-cache'
import { cacheWeightOfName } from '../kernel/lru.ts'
import type { CompiledStatement } from './compiled-query.ts'

type Row = Record<string, unknown>

/** Rows that are kept, of all statements together. */
const kept_rows_max = 4000

export class RowCache {
  readonly #rows = new LRUCache<string, readonly Row[]>({
    maxSize: kept_rows_max,
    sizeCalculation: (rows, key) => rows.length + cacheWeightOfName(key),
  })
  #version: unknown

  /** Which version of the database the rows are of; undefined as long as nothing may be kept. */
  get version(): unknown {
    return this.#version
  }

  /** Forgets all rows if the database has another version by now. */
  moveTo(version: unknown): void {
    if (version !== this.#version) this.#rows.clear()
    this.#version = version
  }

  keyOf({ name, sql, parameters }: CompiledStatement): string {
    return `${name ?? sql} ${JSON.stringify(parameters)}`
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  find(key: string): readonly Row[] | undefined {
    return this.#rows.get(key)
  }

  /** Keeps rows, which nobody may change from now on. */
  keep(key: string, rows: readonly Row[]): void {
    for (const row of rows) Object.freeze(row)
    this.#rows.set(key, rows)
  }
}
