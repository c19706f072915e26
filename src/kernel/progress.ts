// Reports the progress of long work periodically.
import { monotonic_ms } from './clock.ts'

const every_ms = 1_000

export class Progress {
  readonly #total: number
  readonly #write: (percent: number) => Promise<unknown>
  #done = 0
  #written = 0
  #next_ms = 0

  /**
   * Reports the progress of work with a total amount in any unit. `write` gets whole percent from 1 to 99,
   * first at once and then at most once a second. The end of the work is not reported.
   */
  constructor(total: number, write: (percent: number) => Promise<unknown>) {
    this.#total = Math.max(1, total)
    this.#write = write
  }

  /** Adds completed work. A negative amount means that work must be repeated. */
  async add(amount: number): Promise<void> {
    this.#done += amount
    const percent = Math.min(99, Math.floor((100 * this.#done) / this.#total))
    const now_ms = monotonic_ms()
    if (percent < 1 || percent === this.#written || now_ms < this.#next_ms) return
    this.#written = percent
    this.#next_ms = now_ms + every_ms
    await this.#write(percent)
  }
}
