// What conditions are asked about: the event, the variables, and the files of the repository.

import { limits } from '../kernel/limits.ts'
import type { Values } from './condition.ts'
import { countCharacters, expandText, lookupIn } from './expand.ts'
import { matchesAny } from './globs.ts'
import type { ConfigFiles, PipelineEvent } from './planned.ts'
import { ConfigurationError } from './problems.ts'
import type { Changes } from './rule.ts'
import { texts } from './texts.ts'
import type { Work } from './work.ts'

type Asked = { event: PipelineEvent; files: ConfigFiles; work: Work }

/** The same for all jobs but for the variables, and what was looked up for one is kept for the others. */
export class World {
  readonly event: PipelineEvent
  readonly work: Work
  readonly values: Values
  readonly #files: ConfigFiles
  readonly #answers: Map<string, Promise<boolean>>

  constructor({ event, files, work }: Asked, values: Values, answers = new Map()) {
    this.event = event
    this.work = work
    this.values = values
    this.#files = files
    this.#answers = answers
  }

  withValues(values: Values): World {
    const { event, work } = this
    return new World({ event, work, files: this.#files }, values, this.#answers)
  }

  /** Whether any of these paths changed, or nobody knows. */
  hasChanged({ paths, compareTo }: Changes): Promise<boolean> {
    const expanded = paths.map((path) => this.expand(path))
    const against = compareTo === undefined ? undefined : this.expand(compareTo)
    return this.#once(['changes', against ?? null, ...expanded], async () => {
      const changed = await this.#files.listChanges(against)
      return changed === undefined || matchesAny(expanded, changed, { work: this.work })
    })
  }

  /** Whether the repository has a file at any of these paths. */
  exists(paths: readonly string[]): Promise<boolean> {
    const expanded = paths.map((path) => this.expand(path).replace(/^\//, ''))
    const asked = { work: this.work, looks_max: limits.ci.exists_looks_max }
    return this.#once(['exists', ...expanded], async () =>
      matchesAny(expanded, await this.#files.listPaths(), asked),
    )
  }

  /** A path or name with its variables expanded. Throws ConfigurationError where it becomes too long. */
  expand(text: string): string {
    const expanded = expandText(text, lookupIn(this.values), limits.ci.path_characters)
    countCharacters(this.work, text.length)
    if (expanded === undefined) throw new ConfigurationError(texts.tooBig)
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
