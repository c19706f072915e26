// Expands variables in texts: `$NAME` and `${NAME}`. The result is bounded, since a few short texts could expand to any
// length.
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import type { StepBudget } from './step-budget.ts'

const reference = /\$\$|\$\{(\w+)\}|\$(\w+)/g

/** Returns the value of a variable; undefined for an unknown name. */
export type VariableLookup = (name: string) => string | undefined

export function createVariableLookup(values: Readonly<Record<string, string>>): VariableLookup {
  return (name) => ownValue(values, name)
}

/**
 * Replaces each variable in `text` by the value that `lookup` returns, or by nothing if it returns undefined. `$$` is
 * kept, since the runner turns it into `$`. Returns undefined if the result is longer than `characters_max`, or if `text`
 * itself is many times longer, so that the work is bounded.
 */
export function expandVariables(
  text: string,
  lookup: VariableLookup,
  characters_max: number,
): string | undefined {
  if (!text.includes('$')) return text.length > characters_max ? undefined : text
  if (text.length > written_times_max * characters_max) return undefined
  const parts: string[] = []
  let characters = 0
  const add = (part: string) => {
    characters += part.length
    parts.push(part)
  }
  let at = 0
  for (const { 0: whole, 1: braced, 2: bare, index } of text.matchAll(reference)) {
    const name = braced ?? bare
    add(text.slice(at, index))
    add(name === undefined ? whole : (lookup(name) ?? ''))
    if (characters > characters_max) return undefined
    at = index + whole.length
  }
  add(text.slice(at))
  return characters > characters_max ? undefined : parts.join('')
}

/**
 * The text may be at most this many times longer than its expansion may be, since references may be longer
 * than their values.
 */
const written_times_max = 8

const depth_max = 50

/**
 * Returns a lookup that also expands the variables inside of values, recursively. A variable that refers to itself
 * through others, or whose value grows beyond `limits.ci.value_characters`, is left unexpanded. Each variable is expanded
 * once, when it is first looked up, and the steps are counted.
 */
export function createExpandingVariableLookup(
  values: Readonly<Record<string, string>>,
  work: StepBudget,
): VariableLookup {
  const known = new Map<string, string>()
  const open = new Set<string>()
  return function lookup(name) {
    const written = ownValue(values, name)
    if (!written?.includes('$')) return written
    const value = known.get(name)
    if (value !== undefined || open.has(name) || open.size > depth_max) return value ?? written
    open.add(name)
    const expanded = expandVariables(written, lookup, limits.ci.value_characters) ?? written
    open.delete(name)
    countExpansionSteps(work, written.length + expanded.length)
    known.set(name, expanded)
    return expanded
  }
}

/** Counts the steps of expanding a text. Throws ConfigurationError when the step budget is used up. */
export function countExpansionSteps(work: StepBudget, characters: number): void {
  work.count(1 + characters / 16)
}

/** Whether a text contains a reference to a variable. */
export function hasVariableReference(text: string): boolean {
  return /\$\{?\w/.test(text)
}
