// Starts git programs that need much memory only when the machine has enough; until then they wait. The need is
// estimated from the number of objects (memory-estimate.ts).

import { monotonic_ms } from '../kernel/clock.ts'
import { FairLimiter } from '../kernel/fair-limiter.ts'
import { limits } from '../kernel/limits.ts'

const megabyte = 1024 * 1024
/** How often waiting programs are reconsidered: other programs than git may have released memory. */
const reconsider_ms = 500
/** How long a measurement of the machine's memory is reused for limits of single programs. */
const figure_ms = 1_000

export class GitMemoryLimiter {
  readonly #budget: FairLimiter
  readonly #available_bytes: () => number
  readonly #held_bytes: () => number
  readonly #max_bytes: number
  #timer: NodeJS.Timeout | undefined
  #answerMax_bytes = 0
  #figureUntil_ms = 0

  /**
   * `available_bytes` is what the machine has left now, `held_bytes` what programs of git hold already, and `max_bytes`
   * what they may hold together at most, whatever the machine has.
   */
  constructor({
    available_bytes,
    held_bytes,
    max_bytes,
  }: {
    available_bytes: () => number
    held_bytes: () => number
    max_bytes: number
  }) {
    this.#available_bytes = available_bytes
    this.#held_bytes = held_bytes
    this.#max_bytes = max_bytes
    const capacity = () => this.#capacity_mb()
    this.#budget = new FairLimiter({
      ...limits.git_memory.turns,
      get running_max() {
        return capacity()
      },
      // One caller leaves memory for others, unless nobody else runs a large program.
      get running_of_one_max() {
        return capacity() / 2
      },
    })
  }

  /** How many programs wait for memory now. */
  get waiting(): number {
    return this.#budget.waiting
  }

  /** What running programs have reserved now. */
  get reserved_mb(): number {
    return this.#budget.running
  }

  /**
   * Waits until `bytes` more fit. One program may always run, however much it needs. The returned function gives the
   * memory back. Throws what `FairLimiter.acquire` throws.
   */
  async reserve(bytes: number, signal?: AbortSignal): Promise<() => void> {
    if (bytes < limits.git_memory.small_bytes) return () => {}
    const reserved = this.#budget.acquire({ cost: Math.ceil(bytes / megabyte), signal })
    this.#watch()
    return reserved
  }

  /** What one program could have if no other one ran. */
  most_bytes(): number {
    const free_bytes = this.#available_bytes() - limits.git_memory.reserve_bytes
    return Math.min(this.#max_bytes, Math.max(0, free_bytes + this.#held_bytes()))
  }

  /** What one program that answers a question may hold (`limits.git_memory.read`). */
  answerMax_bytes(): number {
    if (monotonic_ms() < this.#figureUntil_ms) return this.#answerMax_bytes
    this.#figureUntil_ms = monotonic_ms() + figure_ms
    const { share, bytes_min, bytes_max } = limits.git_memory.read
    const part_bytes = Math.round(share * this.#available_bytes())
    this.#answerMax_bytes = Math.min(bytes_max, Math.max(bytes_min, part_bytes))
    return this.#answerMax_bytes
  }

  /** What running programs have reserved, and what is left of the machine when each of them has taken its part. */
  #capacity_mb(): number {
    const { reserved_mb } = this
    const untaken_bytes = Math.max(0, reserved_mb * megabyte - this.#held_bytes())
    const free_bytes = this.#available_bytes() - limits.git_memory.reserve_bytes - untaken_bytes
    return Math.min(reserved_mb + Math.max(0, free_bytes) / megabyte, this.#max_bytes / megabyte)
  }

  #watch(): void {
    if (this.#timer || this.#budget.waiting === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#budget.reconsider()
      this.#watch()
    }, reconsider_ms)
    this.#timer.unref()
  }
}
