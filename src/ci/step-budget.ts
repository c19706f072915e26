// Bounds the work for one configuration, and pauses it so that other work gets turns.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'

/** A step is the work of visiting one value, about a microsecond. */
const steps_between_pauses = 20_000

export class StepBudget {
  /** The number of steps so far. */
  steps = 0
  #pausedAt = 0

  /**
   * Counts steps. Returns whether to pause for other requests. Throws ConfigurationError if there are too
   * many steps.
   */
  isDue(steps: number): boolean {
    this.count(steps)
    return this.steps - this.#pausedAt >= steps_between_pauses
  }

  /** Counts steps. Throws ConfigurationError if there are too many. */
  count(steps: number): void {
    this.steps += steps
    const unbroken = this.steps - this.#pausedAt
    if (this.steps > limits.ci.steps_max || unbroken > limits.ci.unbroken_steps_max) {
      throw new ConfigurationError(ciMessages.tooBig)
    }
  }

  async pause(): Promise<void> {
    this.#pausedAt = this.steps
    await setImmediate()
  }

  /** Counts steps, and pauses for other requests when it is time. */
  async spend(steps: number): Promise<void> {
    if (this.isDue(steps)) await this.pause()
  }
}
