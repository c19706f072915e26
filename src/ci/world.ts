// What conditions are asked about: the event, the variables, and the files of the repository.

import { limits } from '../kernel/limits.ts'
import type { Values } from './condition.ts'
import { expandText } from './expand.ts'
import { matchesAny } from './globs.ts'
import type { ConfigFiles, PipelineEvent } from './planned.ts'
import type { Changes } from './rule.ts'
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
    const expanded = paths.map((path) => expandText(path, this.values))
    const against = compareTo === undefined ? undefined : expandText(compareTo, this.values)
    return this.#once(['changes', against ?? null, ...expanded], async () => {
      const changed = await this.#files.listChanges(against)
      return changed === undefined || matchesAny(expanded, changed, { work: this.work })
    })
  }

  /** Whether the repository has a file at any of these paths. */
  exists(paths: readonly string[]): Promise<boolean> {
    const expanded = paths.map((path) => expandText(path, this.values).replace(/^\//, ''))
    const asked = { work: this.work, looks_max: limits.ci.exists_looks_max }
    return this.#once(['exists', ...expanded], async () =>
      matchesAny(expanded, await this.#files.listPaths(), asked),
    )
  }

  #once(question: readonly (string | null)[], answer: () => Promise<boolean>): Promise<boolean> {
    this.work.count(question.length)
    const key = JSON.stringify(question)
    const known = this.#answers.get(key) ?? answer()
    this.#answers.set(key, known)
    return known
  }
}
