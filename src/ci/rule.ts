// What `rules` say, of a job, of the workflow, of an include, before anybody asks them.

import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { type Condition, parseCondition } from './condition.ts'
import {
  type Field,
  fieldOf,
  itemsOf,
  readBoolean,
  readDuration,
  readText,
  reportFieldError,
  reportKeyError,
  reportUnknownKeys,
  requireDict,
  textOf,
  textsOf,
  withoutUndefined,
} from './fields.ts'
import { readAutoCancel } from './keywords/auto-cancel.ts'
import { type Needs, readNeeds } from './keywords/needs.ts'
import { readVariables } from './keywords/variables.ts'
import type { Plan, PlannedJob, PlannedVariable } from './planned.ts'
import { childOf, isNull, type Tree } from './tree.ts'

export type RuleWhen = PlannedJob['when'] | 'never'
export type Changes = { paths: string[]; compareTo?: string }

/** Everything it says of when it applies must hold; the rest is what it then changes. */
export type Rule = {
  if?: Condition
  changes?: Changes
  exists?: string[]
  when?: RuleWhen
  startIn?: string
  allowFailure?: boolean
  variables?: PlannedVariable[]
  needs?: Needs
  interruptible?: boolean
  autoCancel?: Plan['auto_cancel']
}

/** Whose rules they are decides what they may say. */
export type RuleOwner = 'job' | 'bridge' | 'workflow' | 'include'

const conditions = ['if', 'changes', 'exists']
const jobKeys = [
  ...conditions,
  'when',
  'start_in',
  'allow_failure',
  'variables',
  'needs',
  'interruptible',
]
const keysOf: Record<RuleOwner, readonly string[]> = {
  job: jobKeys,
  bridge: jobKeys,
  workflow: [...conditions, 'when', 'variables', 'auto_cancel'],
  include: [...conditions, 'when'],
}
const jobTimes = ['on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'] as const
const timesOf: Record<RuleOwner, readonly RuleWhen[]> = {
  job: jobTimes,
  bridge: jobTimes,
  workflow: ['always', 'never'],
  include: ['always', 'never'],
}
const nesting_max = 10
export const delay_s_max = 7 * 24 * 60 * 60

export function readRules(field: Field, owner: RuleOwner): Rule[] | undefined {
  const rules = flatten(field.node, nesting_max)
  field.work.count(5 * (rules?.length ?? 0))
  if (!rules) {
    const parent = { ...field, label: field.label.slice(0, field.label.lastIndexOf(':')) }
    return reportFieldError(parent, ciMessages.rulesShape)
  }
  const label = `${field.label}:rule`
  return rules.flatMap((node) => readRule({ ...field, node, label }, owner) ?? [])
}

function flatten(node: Tree, depth: number): Tree[] | undefined {
  if (node.kind !== 'list' || depth < 0) return undefined
  const found: Tree[] = []
  for (const item of node.items) {
    const part = item.kind === 'dict' ? [item] : flatten(item, depth - 1)
    if (!part) return undefined
    found.push(...part)
  }
  return found
}

function readRule(field: Field, owner: RuleOwner): Rule | undefined {
  const dict = requireDict(field)
  if (!dict) return undefined
  if (dict.node.entries.size === 0) return reportFieldError(dict, `config ${ciMessages.blank}`)
  reportUnknownKeys(dict, keysOf[owner])
  const condition = readCondition(dict)
  const rule: Rule = {
    ...(condition && { if: condition }),
    ...withoutUndefined({
      changes: readChanges(dict),
      exists: readExists(dict),
      when: readWhen(dict, timesOf[owner]),
    }),
  }
  if (owner === 'include') return rule
  const variables = fieldOf(dict, 'variables')
  const needs = fieldOf(dict, 'needs')
  const autoCancel = fieldOf(dict, 'auto_cancel')
  return {
    ...rule,
    ...withoutUndefined({
      startIn: readStart(dict, rule.when),
      allowFailure: readBoolean(dict, 'allow_failure'),
      interruptible: readBoolean(dict, 'interruptible'),
      variables: variables && readVariables(variables, 'job'),
      needs: needs && readNeeds(needs),
      autoCancel: autoCancel && readAutoCancel(autoCancel),
    }),
  }
}

function readCondition(field: Field): Condition | undefined {
  const node = childOf(field.node, 'if')
  if (!node || isNull(node)) return undefined
  const text = textOf(node)
  const condition = text === undefined ? undefined : parseCondition(text, field.work)
  return condition ?? reportKeyError(field, 'if', ciMessages.expression)
}

function readWhen(field: Field, allowed: readonly RuleWhen[]): RuleWhen | undefined {
  const node = childOf(field.node, 'when')
  if (!node || isNull(node)) return undefined
  const text = textOf(node)
  const word = allowed.find((known) => known === text)
  return word ?? reportKeyError(field, 'when', ciMessages.unknownValue(text ?? ''))
}

function readStart(field: Field, when: RuleWhen | undefined): string | undefined {
  const isGiven = fieldOf(field, 'start_in') !== undefined
  if (when === 'delayed') {
    if (!isGiven) return reportKeyError(field, 'start_in', ciMessages.blank)
    return readDuration(field, 'start_in', delay_s_max)
  }
  return isGiven ? reportFieldError(field, ciMessages.disallowedKeys('start_in')) : undefined
}

function readChanges(rule: Field): Changes | undefined {
  const field = fieldOf(rule, 'changes')
  if (!field) return undefined
  if (field.node.kind !== 'dict') {
    const paths = readPatterns(field)
    return paths && { paths }
  }
  const dict = requireDict(field, ['paths', 'compare_to'])
  const inner = dict && fieldOf(dict, 'paths')
  const paths = inner && readPatterns(inner)
  if (!dict || !paths)
    return inner ? undefined : reportFieldError(field, ciMessages.requiredKeys('paths'))
  const compareTo = readText(dict, 'compare_to')
  return { paths, ...(compareTo !== undefined && { compareTo }) }
}

function readExists(rule: Field): string[] | undefined {
  const field = fieldOf(rule, 'exists')
  if (!field) return undefined
  if (field.node.kind !== 'dict') return readPatterns(field)
  const dict = requireDict(field, ['paths'])
  const paths = dict && fieldOf(dict, 'paths')
  return paths && readPatterns(paths)
}

function readPatterns(field: Field): string[] | undefined {
  const patterns = textsOf(field.node) ?? nestedPatterns(field.node)
  if (!patterns) return reportFieldError(field, `config ${ciMessages.texts}`)
  if (patterns.length > limits.ci.patterns_max)
    return reportFieldError(field, ciMessages.tooManyPatterns)
  return patterns
}

/** References bring lists into lists. */
function nestedPatterns(node: Tree): string[] | undefined {
  if (node.kind !== 'list') return undefined
  const parts = itemsOf(node).map((item) =>
    textOf(item) !== undefined ? [textOf(item) ?? ''] : textsOf(item),
  )
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}
