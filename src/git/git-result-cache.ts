import { LRUCache } from 'lru-cache'
import { createLruCache } from '../kernel/lru.ts'
import { GitError } from './errors.ts'

/** How many requests that exceeded their limit are remembered. */
const refused_max = 20_000

/**
 * A cache of limited size for results of git that never change. Concurrent callers with the same question share one process.
 * If git exceeded a limit of time or size, that is cached as well, since it would do so again.
 */
export class GitResultCache<T extends object> {
  readonly #kept: LRUCache<string, T>
  readonly #refused = createLruCache<GitError>(refused_max)
  readonly #running = new Map<string, Promise<T>>()

  /** `sizeOf` answers bytes, or whatever `size_max` counts. */
  constructor(size_max: number, sizeOf: (answer: T) => number) {
    this.#kept = new LRUCache({ maxSize: size_max, sizeCalculation: sizeOf })
  }

  peek(key: string): T | undefined {
    return this.#kept.get(key)
  }

  keep(key: string, answer: T): void {
    this.#kept.set(key, answer)
  }

  async get(key: string, find: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key)
    if (kept) return kept
    const refused = this.#refused.get(key)
    if (refused) throw refused
    let running = this.#running.get(key)
    if (!running) {
      running = find()
      this.#running.set(key, running)
      running.finally(() => this.#running.delete(key)).catch(() => {})
    }
    try {
      const answer = await running
      this.#kept.set(key, answer)
      return answer
    } catch (error) {
      if (isLimitExceeded(error)) this.#refused.set(key, error)
      throw error
    }
  }
}

/** Whether git exceeded a limit of size or time, which a retry would exceed again. */
export function isLimitExceeded(error: unknown): error is GitError {
  return error instanceof GitError && (error.kind === 'too-large' || error.kind === 'timeout')
}
