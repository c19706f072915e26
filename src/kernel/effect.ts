// How something early reaches forward without importing what comes later: the cause declares an effect
// and runs it, later domains say what else happens, and `features/effects.ts` lists it all in one order.

/** What else happens when something does: steps that were filled in once, run one after another. */
export type Effect<Input> = {
  /** Says what else happens, in this order; once, where the features are put together. */
  fill(steps: readonly ((input: Input) => Promise<void>)[]): void
  /** Runs every step with the input, in the caller's transaction if the input holds one; a step that throws ends it. */
  run(input: Input): Promise<void>
}

/** Declares an effect beside its cause. To run it before it was filled is a fault: a step was forgotten. */
export function declareEffect<Input>(name: string): Effect<Input> {
  let filled: readonly ((input: Input) => Promise<void>)[] | undefined
  return {
    fill(steps) {
      if (filled) throw new Error(`The effect "${name}" is filled twice.`)
      filled = steps
    },
    async run(input) {
      if (!filled) throw new Error(`The effect "${name}" is not filled.`)
      for (const step of filled) await step(input)
    },
  }
}
