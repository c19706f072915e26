// `variables`, of the whole file, of a job, of a rule.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  reportFieldError,
  requireDictField,
  scalarTextOfNode,
} from '../fields.ts'
import type { PlannedVariable } from '../planned.ts'
import { childOfDict, type DictEntry, isNullScalar, type Tree } from '../tree.ts'

/** Only global variables have a description, for the form that starts a pipeline. */
const keysOf = {
  global: ['value', 'description', 'expand', 'options'],
  job: ['value', 'expand'],
} as const

export function readVariablesKeyword(
  field: ConfigurationField,
  owner: keyof typeof keysOf,
): PlannedVariable[] | undefined {
  const dict = requireDictField(field, undefined, ciMessages.pairs)
  if (!dict) return undefined
  const variables: PlannedVariable[] = []
  for (const [key, entry] of dict.node.entries) {
    const variable = variableOf(key, entry, keysOf[owner])
    if (!variable)
      return reportFieldError({ ...field, node: { ...field.node, at: entry.at } }, ciMessages.pairs)
    variables.push(variable)
  }
  return variables
}

function variableOf(
  key: string,
  { value }: DictEntry,
  keys: readonly string[],
): PlannedVariable | undefined {
  if (isNullScalar(value)) return { key, value: '' }
  const text = scalarTextOfNode(value)
  if (text !== undefined) return { key, value: text }
  if (value.kind !== 'dict') return undefined
  const named = [...value.entries.keys()]
  if (named.length === 0 || named.some((name) => !keys.includes(name))) return undefined
  const description = scalarTextOfNode(childOfDict(value, 'description'))
  const expand = childOfDict(value, 'expand')
  const options = optionsOf(childOfDict(value, 'options'))
  const isRaw = expand?.kind === 'scalar' && expand.value === false
  return {
    key,
    value: scalarTextOfNode(childOfDict(value, 'value')) ?? '',
    ...(isRaw && { raw: true }),
    ...(description !== undefined && { description }),
    ...(options && { options }),
  }
}

/** Returns the values to choose from; undefined unless they are a list of texts. */
function optionsOf(node: Tree | undefined): string[] | undefined {
  if (node?.kind !== 'list') return undefined
  const options = node.items.map(scalarTextOfNode)
  return options.some((option) => option === undefined) ? undefined : (options as string[])
}

/** Merges two lists of variables; a variable of `over` takes the place of one of `base` with the same key. */
export function mergeVariables(
  base: readonly PlannedVariable[],
  over: readonly PlannedVariable[],
): PlannedVariable[] {
  if (over.length === 0) return [...base]
  const merged = new Map(base.map((variable) => [variable.key, variable]))
  for (const variable of over) merged.set(variable.key, variable)
  return [...merged.values()]
}
