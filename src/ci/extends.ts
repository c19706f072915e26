// `extends`: merges a job deeply over one or more others.

import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import { itemsOfListOrValue, textOfNode, textsOfListNode } from './fields.ts'
import type { StepBudget } from './step-budget.ts'
import {
  childOfDict,
  createDictNode,
  type Dict,
  type DictEntry,
  deepMergeTrees,
  isNullScalar,
  type Tree,
} from './tree.ts'

const levels_max = 10

/** Returns the configuration with every `extends` merged. Throws ConfigurationError for a missing or circular one. */
export async function resolveExtends(root: Dict, work: StepBudget): Promise<Dict> {
  const resolver = new Resolver(root, work)
  const entries = new Map<string, DictEntry>()
  for (const [name, entry] of root.entries) {
    entries.set(name, { ...entry, value: resolver.resolve(name, entry.value) })
    await work.spend(1)
  }
  return createDictNode(entries, root.at)
}

class Resolver {
  readonly #root: Dict
  readonly #work: StepBudget
  /** The resolved jobs, with their number of levels of `extends`. */
  readonly #resolved = new Map<string, { value: Tree; levels: number }>()
  readonly #open = new Set<string>()

  constructor(root: Dict, work: StepBudget) {
    this.#root = root
    this.#work = work
  }

  resolve(name: string, value: Tree): Tree {
    return this.#resolve(name, value).value
  }

  #resolve(name: string, value: Tree): { value: Tree; levels: number } {
    const known = this.#resolved.get(name)
    if (known) return known
    const bases = childOfDict(value, 'extends')
    const resolved =
      bases && !isNullScalar(bases) ? this.#merge(name, value, bases) : { value, levels: 0 }
    this.#resolved.set(name, resolved)
    return resolved
  }

  #merge(name: string, value: Tree, bases: Tree): { value: Tree; levels: number } {
    const names = textsOfListNode(bases) ?? [textOfNode(bases)].filter((text) => text !== undefined)
    // An invalid `extends` is reported with the other keywords of the job.
    if (names.length !== itemsOfListOrValue(bases).length) return { value, levels: 0 }
    this.#check(name, names, bases)
    this.#open.add(name)
    let merged: Tree | undefined
    let levels = 0
    for (const base of names) {
      if (this.#open.has(base))
        throw new ConfigurationError(ciMessages.extendsCircular(name), bases.at)
      const resolved = this.#resolve(base, childOfDict(this.#root, base) ?? value)
      levels = Math.max(levels, resolved.levels + 1)
      if (levels > levels_max)
        throw new ConfigurationError(ciMessages.extendsTooDeep(name), bases.at)
      merged = merged ? this.#mergeTrees(merged, resolved.value) : resolved.value
    }
    this.#open.delete(name)
    return { value: merged ? this.#mergeTrees(merged, value) : value, levels }
  }

  #mergeTrees(base: Tree, over: Tree): Tree {
    return deepMergeTrees(base, over, this.#work)
  }

  #check(name: string, bases: readonly string[], { at }: Tree): void {
    const unknown = bases.filter((base) => !this.#root.entries.has(base))
    if (unknown.length > 0) {
      throw new ConfigurationError(ciMessages.extendsUnknown(name, unknown.join(', ')), at)
    }
    const bad = bases.filter((base) => childOfDict(this.#root, base)?.kind !== 'dict')
    if (bad.length > 0)
      throw new ConfigurationError(ciMessages.extendsNoHash(name, bad.join(', ')), at)
  }
}
