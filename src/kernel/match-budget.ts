// Bounds the cost of matching patterns of callers, who choose both the pattern and the text.
import { setImmediate } from 'node:timers/promises'
import { limits } from './limits.ts'

/** A step takes about a microsecond. */
const steps_between_pauses = 20_000

/** Counts the steps of one piece of work: in total, and since other work last got a turn. */
export class MatchBudget {
  #left: number
  #unbroken = 0

  constructor(steps_max: number = limits.match_steps_max) {
    this.#left = steps_max
  }

  /** Counts steps. Returns false once there are too many. */
  count(steps: number): boolean {
    this.#left -= steps
    this.#unbroken += steps
    return this.#left >= 0
  }

  /** Whether to call `pause` now. */
  get isDue(): boolean {
    return this.#unbroken >= steps_between_pauses
  }

  /** Lets other requests run. */
  async pause(): Promise<void> {
    this.#unbroken = 0
    await setImmediate()
  }
}
