// The data that conditions are evaluated against: the event, the variables, and the files of the repository.

import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import type { VariableValues } from './condition.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import { countExpansionSteps, createVariableLookup, expandVariables } from './expand.ts'
import { hasMatchingPath } from './globs.ts'
import type { ConfigFiles, PipelineEvent } from './planned.ts'
import type { RuleChanges } from './rule.ts'
import type { StepBudget } from './step-budget.ts'

type Asked = { event: PipelineEvent; files: ConfigFiles; work: StepBudget }

/**
 * What the conditions of one pipeline are evaluated against. Jobs differ only in their variables, so the results of
 * `changes` and `exists` are cached for all of them.
 */
export class EvaluationContext {
  readonly event: PipelineEvent
  readonly work: StepBudget
  readonly values: VariableValues
  readonly #files: ConfigFiles
  readonly #answers: Map<string, Promise<boolean>>

  constructor({ event, files, work }: Asked, values: VariableValues, answers = new Map()) {
    this.event = event
    this.work = work
    this.values = values
    this.#files = files
    this.#answers = answers
  }

  withValues(values: VariableValues): EvaluationContext {
    const { event, work } = this
    return new EvaluationContext({ event, work, files: this.#files }, values, this.#answers)
  }

  /** Returns whether any of the paths changed; true if there is nothing to compare with. */
  hasChanged({ paths, compareTo }: RuleChanges): Promise<boolean> {
    const expanded = paths.map((path) => this.expand(path))
    const against = compareTo === undefined ? undefined : this.expand(compareTo)
    return this.#once(['changes', against ?? null, ...expanded], async () => {
      const changed = await this.#files.listChanges(against)
      return changed === undefined || hasMatchingPath(expanded, changed, { work: this.work })
    })
  }

  /** Returns whether the repository contains a file at any of the paths. */
  exists(paths: readonly string[]): Promise<boolean> {
    const expanded = paths.map((path) => this.expand(path).replace(/^\//, ''))
    const asked = { work: this.work, looks_max: limits.ci.exists_looks_max }
    return this.#once(['exists', ...expanded], async () =>
      hasMatchingPath(expanded, await this.#files.listPaths(), asked),
    )
  }

  /** Expands the variables in a path or name. Throws ConfigurationError if the result is too long. */
  expand(text: string): string {
    const expanded = expandVariables(
      text,
      createVariableLookup(this.values),
      limits.ci.path_characters,
    )
    countExpansionSteps(this.work, text.length)
    if (expanded === undefined) throw new ConfigurationError(ciMessages.tooBig)
    return expanded
  }

  #once(question: readonly (string | null)[], answer: () => Promise<boolean>): Promise<boolean> {
    this.work.count(question.length)
    const key = JSON.stringify(question)
    const known = this.#answers.get(key) ?? answer()
    this.#answers.set(key, known)
    return known
  }
}
