// Limits the memory of requests that read very long texts from the database. One page of 100 notes can have 100 MB, and a
// caller can request many such pages at once. So while a request of a caller has read many megabytes, the other reads of
// that caller wait until its response has been sent.
import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter } from './fair-limiter.ts'
import { limits } from './limits.ts'
import { ownValue } from './own-value.ts'

const turns = new FairLimiter(limits.large_reads.turns)
const storage = new AsyncLocalStorage<LargeReads>()

/** The reads of one request. The database driver reports to it (`beforeRead`, `addRows`). */
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
   * Waits while another request of the caller holds long texts; undefined if there is none. Rejects with 429 or 503 if too
   * many wait or the wait was too long.
   */
  beforeRead(): Promise<unknown> | undefined {
    if (this.#hasEnded) return undefined
    if (!this.#turn && turns.isRunningOf(this.#holder)) {
      this.#turn = turns.acquire({ holder: this.#holder })
      // A turn that comes after the request was aborted is given back.
      this.#turn.then(
        (release) => this.#hasEnded && release(),
        () => {},
      )
    }
    return this.#turn
  }

  /** Counts the texts of the given columns (`longTextColumns`) in rows that were read. */
  addRows(rows: readonly Record<string, unknown>[], columns: readonly string[]): void {
    if (this.#turn || this.#hasEnded) return
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

/** Returns the columns that can have long texts. The others are not counted, since that would slow down every query. */
export function longTextColumns(columns: readonly string[]): readonly string[] {
  return columns.filter((name) => longTexts.test(name))
}

/** Runs `task` with `reads` as the reads of the current request. */
export function runWithLargeReads<T>(reads: LargeReads, task: () => T): T {
  return storage.run(reads, task)
}

/** Returns the reads of the current request; undefined for work that is not limited, such as tasks and writes. */
export function currentLargeReads(): LargeReads | undefined {
  return storage.getStore()
}
