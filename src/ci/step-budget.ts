// Bounds the work for one configuration, and pauses it so that other work gets turns.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'

/** A step is the work of looking at one value, about a microsecond. */
const steps_between_pauses = 20_000

export class StepBudget {
  /** All steps so far. */
  steps = 0
  #pausedAt = 0

  /** Counts steps and answers whether others should have their turn. Throws ConfigurationError beyond the bound. */
  isDue(steps: number): boolean {
    this.count(steps)
    return this.steps - this.#pausedAt >= steps_between_pauses
  }

  /** Counts steps. Throws ConfigurationError beyond the bound. */
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

  /** Counts steps, and lets others have their turn when it is time. */
  async spend(steps: number): Promise<void> {
    if (this.isDue(steps)) await this.pause()
  }
}
