// Readers of values in a configuration: each takes a dict and a key, returns the value or undefined, and reports
// problems under the label that clients know (`jobs:rspec:cache`).

import { ciMessages, labeledMessage } from './ci-messages.ts'
import type { DiagnosticCollector } from './diagnostic-collector.ts'
import { parseDuration_s } from './durations.ts'
import type { StepBudget } from './step-budget.ts'
import { childOfDict, type Dict, isNullScalar, type Tree } from './tree.ts'

/** A value of the configuration, with the label that messages use for it and the collector of problems. */
export type ConfigurationField<Kind extends Tree = Tree> = {
  node: Kind
  label: string
  problems: DiagnosticCollector
  work: StepBudget
}

export function reportFieldError(
  { node, label, problems }: Pick<ConfigurationField, 'node' | 'label' | 'problems'>,
  text: string,
): undefined {
  problems.error(labeledMessage(label, text), node.at)
}

/** Returns the field under a key, labeled with that key; undefined if it is missing or null. */
export function childField(field: ConfigurationField, key: string): ConfigurationField | undefined {
  const node = childOfDict(field.node, key)
  if (!node || isNullScalar(node)) return undefined
  const label = field.label === '' ? key : `${field.label}:${key}`
  return { ...field, node, label }
}

/** Returns the field as a dict, and reports `text` if it is not one. `keys` limits which keys the dict may have. */
export function requireDictField(
  field: ConfigurationField,
  keys?: readonly string[],
  text: string = ciMessages.aHash,
): ConfigurationField<Dict> | undefined {
  const { node } = field
  if (node.kind !== 'dict') return reportFieldError(field, text)
  const dict = { ...field, node }
  if (keys) reportUnknownKeys(dict, keys)
  return dict
}

export function reportUnknownKeys(field: ConfigurationField<Dict>, keys: readonly string[]): void {
  const unknown = [...field.node.entries.keys()].filter((key) => !keys.includes(key))
  if (unknown.length === 0) return
  const at = field.node.entries.get(unknown[0] ?? '')?.at
  const text = labeledMessage(field.label, ciMessages.unknownKeys(unknown.join(', ')))
  field.problems.error(text, at)
}

/** Returns an attribute of a dict. Its messages contain the name in words: `expire in` for `expire_in`. */
function attribute(
  field: ConfigurationField,
  key: string,
): { node: Tree; refuse(text: string): undefined } | undefined {
  const node = childOfDict(field.node, key)
  if (!node || isNullScalar(node)) return undefined
  const words = key.replaceAll('_', ' ')
  return { node, refuse: (text) => reportFieldError({ ...field, node }, `${words} ${text}`) }
}

export function reportKeyError(field: ConfigurationField, key: string, text: string): undefined {
  const node = childOfDict(field.node, key) ?? field.node
  return reportFieldError({ ...field, node }, `${key.replaceAll('_', ' ')} ${text}`)
}

export function textOfNode(node: Tree | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

/** Returns the text of a scalar, numbers and booleans included; undefined for anything else and for null. */
export function scalarTextOfNode(node: Tree | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? node.text : undefined
}

export function textsOfListNode(node: Tree | undefined): string[] | undefined {
  if (node?.kind !== 'list') return undefined
  const found = node.items.flatMap((item) => textOfNode(item) ?? [])
  return found.length === node.items.length ? found : undefined
}

export function readTextField(
  field: ConfigurationField,
  key: string,
  options: { characters_max?: number; isRequired?: boolean } = {},
): string | undefined {
  const found = attribute(field, key)
  if (!found) {
    if (options.isRequired) reportKeyError(field, key, ciMessages.blank)
    return undefined
  }
  const text = textOfNode(found.node)
  if (text === undefined) return found.refuse(ciMessages.aText)
  if (options.isRequired && text.trim() === '') return found.refuse(ciMessages.blank)
  const most = options.characters_max
  if (most !== undefined && text.length > most) return found.refuse(ciMessages.tooLong(most))
  return text
}

export function readBooleanField(field: ConfigurationField, key: string): boolean | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  if (found.node.kind === 'scalar' && typeof found.node.value === 'boolean') return found.node.value
  return found.refuse(ciMessages.aBoolean)
}

export function readTextListField(
  field: ConfigurationField,
  key: string,
  most?: number,
): string[] | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  const values = textsOfListNode(found.node)
  if (!values) return found.refuse(ciMessages.texts)
  if (most !== undefined && values.length > most) return found.refuse(ciMessages.tooLong(most))
  return values
}

export function readTextOrTextListField(
  field: ConfigurationField,
  key: string,
): string[] | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  const text = textOfNode(found.node)
  return text === undefined
    ? (textsOfListNode(found.node) ?? found.refuse(ciMessages.textsOrText))
    : [text]
}

/** Reads a field that takes one of a few words. `say` builds the message that lists these words. */
export function readEnumField<Word extends string>(
  field: ConfigurationField,
  key: string,
  words: readonly Word[],
  say: (words: readonly Word[], value: string) => string,
): Word | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  const text = scalarTextOfNode(found.node)
  const word = words.find((known) => known === text)
  return word ?? found.refuse(say(words, text ?? ''))
}

/** Reads a field that takes an integer from `least` to `most`, and reports a problem for any other value. */
export function readIntegerField(
  field: ConfigurationField,
  key: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  const problem = integerProblem(found.node, { least, most })
  if (problem) return found.refuse(problem)
  return found.node.kind === 'scalar' ? Number(found.node.value) : undefined
}

/** Returns why a value is not an integer from `least` to `most`; undefined if it is one. */
export function integerProblem(
  node: Tree,
  { least, most }: { least: number; most: number },
): string | undefined {
  const value = node.kind === 'scalar' ? node.value : null
  if (typeof value !== 'number') return 'is not a number'
  if (!Number.isInteger(value)) return ciMessages.notANumber
  if (value < least) return ciMessages.atLeast(least)
  return value > most ? ciMessages.atMost(most) : undefined
}

/** Reads a field that takes a single duration of at most `most_s` seconds, as it is written. */
export function readDurationField(
  field: ConfigurationField,
  key: string,
  most_s?: number,
): string | undefined {
  const found = attribute(field, key)
  if (!found) return undefined
  const text = scalarTextOfNode(found.node)
  const duration_s = text === undefined ? undefined : parseDuration_s(text)
  if (text === undefined || duration_s === undefined) return found.refuse(ciMessages.aDuration)
  if (most_s !== undefined && (duration_s ?? 0) > most_s) return found.refuse(ciMessages.overLimit)
  return text
}

/** Returns all texts of nested lists in order; undefined if the lists contain anything but texts. */
export function flattenTextsOfNode(node: Tree, depth = 10): string[] | undefined {
  const text = textOfNode(node)
  if (text !== undefined) return [text]
  if (node.kind !== 'list' || depth < 0) return undefined
  const found: string[] = []
  for (const item of node.items) {
    const part = flattenTextsOfNode(item, depth - 1)
    if (!part) return undefined
    for (const line of part) found.push(line)
  }
  return found
}

/** Returns the items of a list, or a list of the value itself if it is not a list. */
export function itemsOfListOrValue(node: Tree): readonly Tree[] {
  return node.kind === 'list' ? node.items : [node]
}

/** Returns an object without its undefined members, which runners must not receive. */
export function withoutUndefined<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as Value
}
