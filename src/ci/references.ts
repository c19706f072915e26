// `!reference [job, key, ...]`: replaces a reference by the value it refers to.

import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import { textsOfListNode } from './fields.ts'
import type { StepBudget } from './step-budget.ts'
import {
  childOfDict,
  createDictNode,
  createListNode,
  type Dict,
  type DictEntry,
  isNullScalar,
  type Reference,
  type Tree,
} from './tree.ts'

const nesting_max = 10

/**
 * Returns the configuration with every `!reference` replaced by what it refers to. Throws ConfigurationError for a
 * reference to a missing key.
 */
export async function resolveReferences(root: Dict, work: StepBudget): Promise<Dict> {
  const resolver = new Resolver(root, work)
  const entries = new Map<string, DictEntry>()
  for (const [name, entry] of root.entries) {
    entries.set(name, { ...entry, value: resolver.resolve(entry.value) })
    await work.spend(1)
  }
  return createDictNode(entries, root.at)
}

class Resolver {
  readonly #root: Dict
  readonly #work: StepBudget
  readonly #resolved = new Map<Tree, Tree>()
  /** References that are being resolved, outermost first. */
  readonly #open: Reference[] = []

  constructor(root: Dict, work: StepBudget) {
    this.#root = root
    this.#work = work
  }

  /** Resolves the references in a tree. Shared parts are resolved once. */
  resolve(tree: Tree): Tree {
    if (tree.kind === 'scalar') return tree
    const known = this.#resolved.get(tree)
    if (known) return known
    const resolved = this.#resolve(tree)
    this.#resolved.set(tree, resolved)
    return resolved
  }

  #resolve(tree: Exclude<Tree, { kind: 'scalar' }>): Tree {
    if (tree.kind === 'reference') return this.#follow(tree)
    if (tree.kind === 'list') {
      this.#work.count(tree.items.length)
      const items = tree.items.map((item) => this.resolve(item))
      return items.every((item, at) => item === tree.items[at])
        ? tree
        : createListNode(items, tree.at)
    }
    this.#work.count(tree.entries.size)
    let isSame = true
    const entries = new Map<string, DictEntry>()
    for (const [key, entry] of tree.entries) {
      const value = this.resolve(entry.value)
      isSame &&= value === entry.value
      entries.set(key, value === entry.value ? entry : { ...entry, value })
    }
    return isSame ? tree : createDictNode(entries, tree.at)
  }

  #follow(reference: Reference): Tree {
    const path = textsOfListNode(reference.path)
    const shown = path ? `[${path.map((part) => JSON.stringify(part)).join(', ')}]` : '[]'
    const refuse = (say: (path: string) => string) =>
      new ConfigurationError(say(shown), reference.at)
    if (!path?.length) throw refuse(ciMessages.referenceInvalid)
    if (this.#open.includes(reference)) throw refuse(ciMessages.referenceCircular)
    if (this.#open.length >= nesting_max) throw refuse(ciMessages.referenceTooDeep)
    let found: Tree | undefined = this.#root
    for (const key of path) {
      // A part of the path may itself be a reference.
      found = childOfDict(found?.kind === 'reference' ? this.resolve(found) : found, key)
    }
    if (!found || isNullScalar(found)) throw refuse(ciMessages.referenceMissing)
    this.#open.push(reference)
    const resolved = this.resolve(found)
    this.#open.pop()
    return resolved
  }
}
