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
   * Of work whose amount is `total`, in any unit. `write` gets whole percent, from 1 to 99, the first at once and others once a
   * second at most: that the work is over is told by what ends it.
   */
  constructor(total: number, write: (percent: number) => Promise<unknown>) {
    this.#total = Math.max(1, total)
    this.#write = write
  }

  /** Adds what was done since; a negative amount is to be done anew. */
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
