// Variables in texts: `$NAME` and `${NAME}`. What they become is bounded: a few short texts stand for any length.
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import type { StepBudget } from './step-budget.ts'

const reference = /\$\$|\$\{(\w+)\}|\$(\w+)/g

/** Returns the value of a variable, or undefined if there is no variable of that name. */
export type VariableLookup = (name: string) => string | undefined

export function createVariableLookup(values: Readonly<Record<string, string>>): VariableLookup {
  return (name) => ownValue(values, name)
}

/**
 * `text` with each variable as `lookup` has it, and as nothing where it has none. `$$` stays: the runner makes `$` of
 * it. Undefined where that is longer than `characters_max`, or `text` alone many times as long: the work is no more
 * than the bound.
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

/** A text with long names of variables in it may be so many times as long as what it stands for. */
const written_times_max = 8

const depth_max = 50

/**
 * Looks variables up in `values` with the variables in them expanded, those in these too. A variable that stands for
 * itself by way of others, or grows beyond `limits.ci.value_characters`, stays as it is written. Each is expanded when
 * it is first asked for, and counted.
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

/** Counts texts that are made. Throws ConfigurationError beyond the bound of all work. */
export function countExpansionSteps(work: StepBudget, characters: number): void {
  work.count(1 + characters / 16)
}

/** Whether a text has a variable in it. */
export function hasVariableReference(text: string): boolean {
  return /\$\{?\w/.test(text)
}
