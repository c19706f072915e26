import { LRUCache } from 'lru-cache'

/**
 * Answers of git that can never change, kept within a bound. Callers that ask the same at once share
 * one process.
 */
export class KeptAnswers<T extends object> {
  readonly #kept: LRUCache<string, T>
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
    let running = this.#running.get(key)
    if (!running) {
      running = find()
      this.#running.set(key, running)
      running.finally(() => this.#running.delete(key)).catch(() => {})
    }
    const answer = await running
    this.#kept.set(key, answer)
    return answer
  }
}
