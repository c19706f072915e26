// Reads `rules` of a job, the workflow or an include, without evaluating them.

import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import { type Condition, parseCondition } from './condition.ts'
import {
  type ConfigurationField,
  childField,
  itemsOfListOrValue,
  readBooleanField,
  readDurationField,
  readTextField,
  reportFieldError,
  reportKeyError,
  reportUnknownKeys,
  requireDictField,
  textOfNode,
  textsOfListNode,
  withoutUndefined,
} from './fields.ts'
import { readAutoCancelKeyword } from './keywords/auto-cancel.ts'
import { type ConfiguredNeeds, readNeedsKeyword } from './keywords/needs.ts'
import { readVariablesKeyword } from './keywords/variables.ts'
import type { Plan, PlannedJob, PlannedVariable } from './planned.ts'
import { childOfDict, isNullScalar, type Tree } from './tree.ts'

export type RuleWhen = PlannedJob['when'] | 'never'
export type RuleChanges = { paths: string[]; compareTo?: string }

/** A rule: the conditions that must all hold, and what it changes in the job if they do. */
export type CiRule = {
  if?: Condition
  changes?: RuleChanges
  exists?: string[]
  when?: RuleWhen
  startIn?: string
  allowFailure?: boolean
  variables?: PlannedVariable[]
  needs?: ConfiguredNeeds
  interruptible?: boolean
  autoCancel?: Plan['auto_cancel']
}

/** The kind of keyword that a rule belongs to, which decides the keys it may have. */
export type CiRuleOwner = 'job' | 'bridge' | 'workflow' | 'include'

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
const keysOf: Record<CiRuleOwner, readonly string[]> = {
  job: jobKeys,
  bridge: jobKeys,
  workflow: [...conditions, 'when', 'variables', 'auto_cancel'],
  include: [...conditions, 'when'],
}
const jobTimes = ['on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'] as const
const timesOf: Record<CiRuleOwner, readonly RuleWhen[]> = {
  job: jobTimes,
  bridge: jobTimes,
  workflow: ['always', 'never'],
  include: ['always', 'never'],
}
const nesting_max = 10
export const start_in_s_max = 7 * 24 * 60 * 60

export function readCiRules(field: ConfigurationField, owner: CiRuleOwner): CiRule[] | undefined {
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

function readRule(field: ConfigurationField, owner: CiRuleOwner): CiRule | undefined {
  const dict = requireDictField(field)
  if (!dict) return undefined
  if (dict.node.entries.size === 0) return reportFieldError(dict, `config ${ciMessages.blank}`)
  reportUnknownKeys(dict, keysOf[owner])
  const condition = readCondition(dict)
  const rule: CiRule = {
    ...(condition && { if: condition }),
    ...withoutUndefined({
      changes: readChanges(dict),
      exists: readExists(dict),
      when: readWhen(dict, timesOf[owner]),
    }),
  }
  if (owner === 'include') return rule
  const variables = childField(dict, 'variables')
  const needs = childField(dict, 'needs')
  const autoCancel = childField(dict, 'auto_cancel')
  return {
    ...rule,
    ...withoutUndefined({
      startIn: readStart(dict, rule.when),
      allowFailure: readBooleanField(dict, 'allow_failure'),
      interruptible: readBooleanField(dict, 'interruptible'),
      variables: variables && readVariablesKeyword(variables, 'job'),
      needs: needs && readNeedsKeyword(needs),
      autoCancel: autoCancel && readAutoCancelKeyword(autoCancel),
    }),
  }
}

function readCondition(field: ConfigurationField): Condition | undefined {
  const node = childOfDict(field.node, 'if')
  if (!node || isNullScalar(node)) return undefined
  const text = textOfNode(node)
  const condition = text === undefined ? undefined : parseCondition(text, field.work)
  return condition ?? reportKeyError(field, 'if', ciMessages.expression)
}

function readWhen(field: ConfigurationField, allowed: readonly RuleWhen[]): RuleWhen | undefined {
  const node = childOfDict(field.node, 'when')
  if (!node || isNullScalar(node)) return undefined
  const text = textOfNode(node)
  const word = allowed.find((known) => known === text)
  return word ?? reportKeyError(field, 'when', ciMessages.unknownValue(text ?? ''))
}

function readStart(field: ConfigurationField, when: RuleWhen | undefined): string | undefined {
  const isGiven = childField(field, 'start_in') !== undefined
  if (when === 'delayed') {
    if (!isGiven) return reportKeyError(field, 'start_in', ciMessages.blank)
    return readDurationField(field, 'start_in', start_in_s_max)
  }
  return isGiven ? reportFieldError(field, ciMessages.disallowedKeys('start_in')) : undefined
}

function readChanges(rule: ConfigurationField): RuleChanges | undefined {
  const field = childField(rule, 'changes')
  if (!field) return undefined
  if (field.node.kind !== 'dict') {
    const paths = readPatterns(field)
    return paths && { paths }
  }
  const dict = requireDictField(field, ['paths', 'compare_to'])
  const inner = dict && childField(dict, 'paths')
  const paths = inner && readPatterns(inner)
  if (!dict || !paths)
    return inner ? undefined : reportFieldError(field, ciMessages.requiredKeys('paths'))
  const compareTo = readTextField(dict, 'compare_to')
  return { paths, ...(compareTo !== undefined && { compareTo }) }
}

function readExists(rule: ConfigurationField): string[] | undefined {
  const field = childField(rule, 'exists')
  if (!field) return undefined
  if (field.node.kind !== 'dict') return readPatterns(field)
  const dict = requireDictField(field, ['paths'])
  const paths = dict && childField(dict, 'paths')
  return paths && readPatterns(paths)
}

function readPatterns(field: ConfigurationField): string[] | undefined {
  const patterns = textsOfListNode(field.node) ?? nestedPatterns(field.node)
  if (!patterns) return reportFieldError(field, `config ${ciMessages.texts}`)
  if (patterns.length > limits.ci.patterns_max)
    return reportFieldError(field, ciMessages.tooManyPatterns)
  return patterns
}

/** Flattens nested lists, which `!reference` creates. */
function nestedPatterns(node: Tree): string[] | undefined {
  if (node.kind !== 'list') return undefined
  const parts = itemsOfListOrValue(node).map((item) =>
    textOfNode(item) !== undefined ? [textOfNode(item) ?? ''] : textsOfListNode(item),
  )
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}
