// Reads one job: every keyword is read and checked on its own, without comparing it with other jobs.
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  readBooleanField,
  readDurationField,
  readEnumField,
  readTextField,
  readTextListField,
  readTextOrTextListField,
  reportFieldError,
  reportKeyError,
  reportUnknownKeys,
  requireDictField,
  textOfNode,
  textsOfListNode,
} from './fields.ts'
import { readPagesKeyword } from './keywords/artifacts.ts'
import { readEnvironmentKeyword } from './keywords/environment.ts'
import { type ConfiguredNeeds, readNeedsKeyword } from './keywords/needs.ts'
import { type ParallelConfig, readParallelKeyword } from './keywords/parallel.ts'
import { readReleaseKeyword } from './keywords/release.ts'
import { readExitCodesKeyword } from './keywords/retry.ts'
import { readScriptKeyword } from './keywords/scripts.ts'
import { readSharedKeywords, type SharedKeywords, sharedKeys } from './keywords/shared.ts'
import { readTriggerKeyword } from './keywords/trigger.ts'
import { readVariablesKeyword } from './keywords/variables.ts'
import type { JobOptions, PlannedJob, PlannedVariable } from './planned.ts'
import { defaultOnlyPolicy, type OnlyExceptPolicy, readOnlyExceptPolicy } from './policy.ts'
import { compileRegexLiteral } from './regular-expression.ts'
import { type CiRule, readCiRules, start_in_s_max } from './rule.ts'
import { childOfDict, type Dict, type SourceLocation, toPlainValue, treeSizeOf } from './tree.ts'

export type JobConfig = {
  name: string
  at: SourceLocation
  kind: PlannedJob['kind']
  stage: string
  /** These fields are as written in the job; rules may override them. */
  when: PlannedJob['when'] | undefined
  startIn: string | undefined
  allowFailure: boolean | undefined
  needs: ConfiguredNeeds | undefined
  rules: CiRule[] | undefined
  only: OnlyExceptPolicy | undefined
  except: OnlyExceptPolicy | undefined
  variables: PlannedVariable[]
  inheritsVariables: Inheritance
  parallel: ParallelConfig | undefined
  resourceGroup: string | undefined
  interruptible: boolean
  tags: string[]
  timeout_s: number | undefined
  options: JobOptions
  /** The number of characters of the job, including everything that it inherits. */
  characters: number
}

/** True for everything, false for nothing, or a list of names. */
type Inheritance = boolean | string[]

/** What the rest of the configuration defines for a job. */
export type JobSurroundings = {
  defaults: SharedKeywords
  defaultCharacters: number
  hasWorkflowRules: boolean
}

const commonKeys = [
  'extends',
  'stage',
  'only',
  'except',
  'rules',
  'variables',
  'inherit',
  'allow_failure',
  'when',
  'start_in',
  'needs',
  'resource_group',
  'environment',
  'interruptible',
  'parallel',
  'manual_confirmation',
]
const buildKeys = [
  ...commonKeys,
  ...sharedKeys,
  'script',
  'type',
  'dependencies',
  'coverage',
  'release',
  'pages',
  'publish',
  'secrets',
  'dast_configuration',
]
const bridgeKeys = [...commonKeys, 'trigger']
const times = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const

export function readJobConfig(
  field: ConfigurationField<Dict>,
  name: string,
  { defaults, defaultCharacters, hasWorkflowRules }: JobSurroundings,
): JobConfig {
  const kind = childOfDict(field.node, 'script') ? 'build' : 'bridge'
  reportUnknownKeys(field, kind === 'build' ? buildKeys : bridgeKeys)
  if (name.length > limits.ci.job_name_characters) {
    reportKeyError(field, 'name', ciMessages.tooLong(limits.ci.job_name_characters))
  }
  readTextOrTextListField(field, 'extends')
  const own = kind === 'build' ? readSharedKeywords(field) : {}
  const inherit = readInheritance(field)
  const { tags, interruptible, timeout_s, ...options } = {
    ...(kind === 'build' ? inherited(defaults, inherit.defaults) : {}),
    ...own,
  }
  const when = readEnumField(field, 'when', times, ciMessages.oneOf)
  const rules = readOwnRules(field, kind)
  const hasRules = childOfDict(field.node, 'rules') !== undefined
  const { allowFailure, allow_failure_exit_codes } = readFailure(field, kind)
  const job: JobConfig = {
    name,
    at: field.node.at,
    kind,
    stage: readStage(field),
    when,
    startIn: readStart(field, when, hasRules),
    needs: readOwn(field, 'needs', readNeedsKeyword),
    rules,
    only: readOnly(field, hasRules || hasWorkflowRules),
    except: readOwn(field, 'except', readOnlyExceptPolicy),
    variables: readOwn(field, 'variables', (own) => readVariablesKeyword(own, 'job')) ?? [],
    inheritsVariables: inherit.variables,
    parallel: readOwn(field, 'parallel', readParallelKeyword),
    resourceGroup: readTextField(field, 'resource_group'),
    interruptible:
      (kind === 'build' ? interruptible : readBooleanField(field, 'interruptible')) ?? false,
    tags: tags ?? [],
    timeout_s,
    allowFailure,
    options: { ...options, allow_failure_exit_codes, ...readOwnOptions(field, kind) },
    characters: defaultCharacters + treeSizeOf(field.node).characters,
  }
  checkDependencies(job, field)
  return job
}

/** Calls `read` with the value of a key; returns undefined if the key is missing. */
function readOwn<Value>(
  parent: ConfigurationField,
  key: string,
  read: (field: ConfigurationField) => Value | undefined,
): Value | undefined {
  const field = childField(parent, key)
  return field && read(field)
}

function readOwnOptions(field: ConfigurationField<Dict>, kind: JobConfig['kind']): JobOptions {
  const environment = readOwn(field, 'environment', readEnvironmentKeyword)
  const confirmation = readTextField(field, 'manual_confirmation')
  const common = { environment, manual_confirmation: confirmation }
  if (kind === 'bridge')
    return { ...common, trigger: readOwn(field, 'trigger', readTriggerKeyword) }
  return {
    ...common,
    script: readOwnScript(field),
    dependencies: readTextListField(field, 'dependencies'),
    coverage: readOwn(field, 'coverage', readCoverage),
    release: readOwn(field, 'release', readReleaseKeyword),
    pages: readOwn(field, 'pages', readPagesKeyword),
    secrets: readOwn(field, 'secrets', readSecrets),
  }
}

function readOwnScript(field: ConfigurationField<Dict>): string[] | undefined {
  const script = childField(field, 'script')
  const isEmpty =
    !script ||
    (script.node.kind === 'list' && script.node.items.length === 0) ||
    textOfNode(script.node)?.trim() === ''
  return isEmpty ? reportKeyError(field, 'script', ciMessages.blank) : readScriptKeyword(script)
}

function readStage(field: ConfigurationField<Dict>): string {
  const key = childOfDict(field.node, 'stage') ? 'stage' : 'type'
  const stage = childField(field, key)
  if (!stage) return 'test'
  const text = textOfNode(stage.node)
  if (text === undefined) reportFieldError(stage, `config ${ciMessages.aText}`)
  return text ?? 'test'
}

function readStart(
  field: ConfigurationField<Dict>,
  when: JobConfig['when'],
  hasRules: boolean,
): string | undefined {
  if (when === 'delayed' && !hasRules) {
    const isGiven = childField(field, 'start_in') !== undefined
    if (!isGiven) return reportKeyError(field, 'start_in', ciMessages.aDuration)
    return readDurationField(field, 'start_in', start_in_s_max)
  }
  // With rules, `start_in` is reported together with the other keywords that rules exclude.
  if (hasRules || !childField(field, 'start_in')) return undefined
  return reportKeyError(field, 'start_in', ciMessages.mustBeBlank)
}

function readOwnRules(
  field: ConfigurationField<Dict>,
  kind: JobConfig['kind'],
): CiRule[] | undefined {
  const rules = childField(field, 'rules')
  if (!rules) return undefined
  const refused = ['only', 'except', 'start_in'].filter((key) => childField(field, key))
  if (refused.length > 0) reportFieldError(field, ciMessages.notWithRules(refused.join(', ')))
  return readCiRules(rules, kind === 'build' ? 'job' : 'bridge')
}

function readOnly(
  field: ConfigurationField<Dict>,
  hasRules: boolean,
): OnlyExceptPolicy | undefined {
  const only = readOwn(field, 'only', readOnlyExceptPolicy)
  if (!only) return hasRules ? undefined : defaultOnlyPolicy
  // An `only` with conditions on variables or changes keeps the default references.
  return only.refs ? only : { ...only, refs: defaultOnlyPolicy.refs ?? [] }
}

type Failure = Pick<JobConfig, 'allowFailure'> & Pick<JobOptions, 'allow_failure_exit_codes'>

/**
 * Reads `allow_failure`. With exit codes, a failure is not allowed until the runner reports one of these
 * codes.
 */
function readFailure(field: ConfigurationField<Dict>, kind: JobConfig['kind']): Failure {
  const failure = childField(field, 'allow_failure')
  if (!failure) return { allowFailure: undefined }
  const { node } = failure
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return { allowFailure: node.value }
  if (node.kind === 'dict' && kind === 'build') {
    const dict = requireDictField(failure, ['exit_codes'])
    return { allowFailure: false, allow_failure_exit_codes: dict && readExitCodesKeyword(dict) }
  }
  reportKeyError(
    field,
    'allow_failure',
    kind === 'build' ? ciMessages.hashOrBoolean : ciMessages.aBoolean,
  )
  return { allowFailure: undefined }
}

function readCoverage(field: ConfigurationField): string | undefined {
  const text = textOfNode(field.node)
  if (text === undefined || !compileRegexLiteral(text, field.work)) {
    return reportFieldError(field, ciMessages.regularExpression)
  }
  const end = text.lastIndexOf('/')
  const flags = text.slice(end + 1)
  return `${flags && `(?${flags})`}${text.slice(1, end)}`
}

function readSecrets(field: ConfigurationField): Record<string, unknown> | undefined {
  const dict = requireDictField(field)
  return dict && (toPlainValue(dict.node) as Record<string, unknown>)
}

function readInheritance(field: ConfigurationField<Dict>): {
  defaults: Inheritance
  variables: Inheritance
} {
  const inherit = childField(field, 'inherit')
  const dict = inherit && requireDictField(inherit, ['default', 'variables'])
  const read = (key: string): Inheritance => {
    const own = dict && childField(dict, key)
    if (!own) return true
    const { node } = own
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    const named = textsOfListNode(node)
    if (!named) reportFieldError(own, `config ${ciMessages.boolOrTexts}`)
    return named ?? true
  }
  return { defaults: read('default'), variables: read('variables') }
}

function inherited(defaults: SharedKeywords, by: Inheritance): SharedKeywords {
  if (by === true) return defaults
  const named = by === false ? [] : by.map((key) => (key === 'timeout' ? 'timeout_s' : key))
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => named.includes(key)))
}

function checkDependencies({ options, needs }: JobConfig, field: ConfigurationField<Dict>): void {
  const { dependencies } = options
  if (!dependencies?.length || !needs?.jobs.length) return
  const needed = new Set(needs.jobs.map(({ name }) => name))
  const missing = dependencies.filter((name) => !needed.has(name))
  if (missing.length > 0)
    reportFieldError(field, ciMessages.dependencyNotNeeded(missing.join(', ')))
}
