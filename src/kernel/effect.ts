// Effects, by which an earlier domain calls a later one without importing it. The cause declares an effect and runs it;
// later families add steps, which run in the order of families.

/** A hook to which other families add steps. The steps run one after another. */
export type Effect<Input> = {
  readonly name: string
  /**
   * Runs all steps, in the caller's transaction if the input contains one. The first step that throws ends
   * the run.
   */
  run(input: Input): Promise<void>
}

/** A step of an effect, as a family declares it. */
export type EffectStep = {
  readonly effect: Effect<never>
  readonly run: (input: never) => Promise<void>
}

const steps = new WeakMap<Effect<never>, EffectStep['run'][]>()

/** Declares an effect. Running one that no family handles is an error. */
export function declareEffect<Input>(name: string): Effect<Input> {
  const effect: Effect<Input> = {
    name,
    async run(input) {
      const known = steps.get(effect) as ((input: Input) => Promise<void>)[] | undefined
      if (!known) throw new Error(`Effect "${name}" has no handlers.`)
      for (const step of known) await step(input)
    },
  }
  return effect
}

/** Returns `run` as a step of the effect. */
export function onEffect<Input>(
  effect: Effect<Input>,
  run: (input: Input) => Promise<void>,
): EffectStep {
  return { effect, run }
}

/** Registers the steps of all effects, in the order of the list. Called once, where the families are assembled. */
export function registerEffectSteps(all: readonly EffectStep[]): void {
  for (const { effect, run } of all) steps.set(effect, [...(steps.get(effect) ?? []), run])
}
