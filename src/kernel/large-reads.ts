// Limits the memory of requests that read very long texts from the database. One page of 100 notes can have 100 MB, and a
// caller can request many such pages at once. So while a request of a caller has read many megabytes, the other reads of
// that caller wait until its response has been sent.
import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter } from './fair-limiter.ts'
import { limits } from './limits.ts'
import { createLruCache } from './lru.ts'
import { ownValue } from './own-value.ts'

const turns = new FairLimiter(limits.large_reads.turns)
const storage = new AsyncLocalStorage<LargeReads>()

/** The reads of one request. The database drivers call `beforeRead` and `addRows`. */
export class LargeReads {
  readonly #holder: string
  #characters = 0
  #turn: Promise<() => void> | undefined
  #hasEnded = false

  /** `holder` is the caller, as in `AttributedWork`. */
  constructor(holder: string) {
    this.#holder = holder
  }

  /** Whether the request has a turn, because it has read long texts or waited for others that have. */
  get hasTurn(): boolean {
    return this.#turn !== undefined
  }

  /**
   * Waits while another request of the caller holds long texts. Rejects with 429 if too many requests of the caller wait,
   * and with 503 if too many of all callers wait or the wait took too long.
   */
  async beforeRead(): Promise<void> {
    if (this.#hasEnded) return
    if (turns.isRunningOf(this.#holder)) this.#turn ??= turns.acquire({ holder: this.#holder })
    await this.#turn
  }

  /** Counts the long texts in the rows that the statement `sql` has returned. */
  addRows(sql: string, rows: readonly Record<string, unknown>[]): void {
    const [first] = rows
    if (!first || this.#turn || this.#hasEnded) return
    const columns = longTextColumnsOf(sql, first)
    if (columns.length === 0) return
    for (const row of rows) {
      for (const column of columns) {
        const value = ownValue(row, column)
        if (typeof value === 'string') this.#characters += value.length
      }
    }
    if (this.#characters < limits.large_reads.characters_max) return
    this.#turn = Promise.resolve(turns.take({ holder: this.#holder }))
  }

  /** Ends the turn, if the request has one. Later reads of the request do not wait. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#turn?.then(
      (release) => release(),
      () => {},
    )
  }
}

/** Names of columns whose texts can have more than 10,000 characters. */
const longTexts =
  /(?:^|_)(?:body|content|description|details|metadata|note|payload|solution|value)$/

const columnsOfStatements = createLruCache<readonly string[]>(1000)

/**
 * Returns the columns of a statement that can have long texts, given one of its rows. To count all columns would slow down
 * every query.
 */
function longTextColumnsOf(sql: string, row: object): readonly string[] {
  let columns = columnsOfStatements.get(sql)
  if (!columns) {
    columns = Object.keys(row).filter((name) => longTexts.test(name))
    columnsOfStatements.set(sql, columns)
  }
  return columns
}

/** Runs `task` with `reads` as the reads of the current request. */
export function runWithLargeReads<T>(reads: LargeReads, task: () => T): T {
  return storage.run(reads, task)
}

/** Returns the reads of the current request; undefined for work that is not limited, such as tasks and writes. */
export function currentLargeReads(): LargeReads | undefined {
  return storage.getStore()
}
