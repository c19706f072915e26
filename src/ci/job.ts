// One job as it is written: every keyword read, checked on its own, and not yet compared with other jobs.
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import {
  type Field,
  fieldOf,
  readBoolean,
  readDuration,
  readEnum,
  readText,
  readTextOrTexts,
  readTexts,
  reportFieldError,
  reportKeyError,
  reportUnknownKeys,
  requireDict,
  textOf,
  textsOf,
} from './fields.ts'
import { readPages } from './keywords/artifacts.ts'
import { readEnvironment } from './keywords/environment.ts'
import { type Needs, readNeeds } from './keywords/needs.ts'
import { type Parallel, readParallel } from './keywords/parallel.ts'
import { readRelease } from './keywords/release.ts'
import { readExitCodes } from './keywords/retry.ts'
import { readScript } from './keywords/scripts.ts'
import { readSharedKeywords, type SharedKeywords, sharedKeys } from './keywords/shared.ts'
import { readTrigger } from './keywords/trigger.ts'
import { readVariables } from './keywords/variables.ts'
import type { JobOptions, PlannedJob, PlannedVariable } from './planned.ts'
import { defaultOnly, type Policy, readPolicy } from './policy.ts'
import { compileRegexLiteral } from './regular-expression.ts'
import { delay_s_max, type Rule, readRules } from './rule.ts'
import { childOf, type Dict, type SourceLocation, toPlainValue, treeSizeOf } from './tree.ts'

export type JobConfig = {
  name: string
  at: SourceLocation
  kind: PlannedJob['kind']
  stage: string
  /** As it is written, where it is. */
  when: PlannedJob['when'] | undefined
  startIn: string | undefined
  allowFailure: boolean | undefined
  needs: Needs | undefined
  rules: Rule[] | undefined
  only: Policy | undefined
  except: Policy | undefined
  variables: PlannedVariable[]
  inheritsVariables: Inheritance
  parallel: Parallel | undefined
  resourceGroup: string | undefined
  interruptible: boolean
  tags: string[]
  timeout_s: number | undefined
  options: JobOptions
  /** What it amounts to, with all that it inherits. */
  characters: number
}

/** All, none, or those that are named. */
type Inheritance = boolean | string[]

/** What the rest of the file means for a job. */
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

export function readJob(
  field: Field<Dict>,
  name: string,
  { defaults, defaultCharacters, hasWorkflowRules }: JobSurroundings,
): JobConfig {
  const kind = childOf(field.node, 'script') ? 'build' : 'bridge'
  reportUnknownKeys(field, kind === 'build' ? buildKeys : bridgeKeys)
  if (name.length > limits.ci.job_name_characters) {
    reportKeyError(field, 'name', ciMessages.tooLong(limits.ci.job_name_characters))
  }
  readTextOrTexts(field, 'extends')
  const own = kind === 'build' ? readSharedKeywords(field) : {}
  const inherit = readInheritance(field)
  const { tags, interruptible, timeout_s, ...options } = {
    ...(kind === 'build' ? inherited(defaults, inherit.defaults) : {}),
    ...own,
  }
  const when = readEnum(field, 'when', times, ciMessages.oneOf)
  const rules = readOwnRules(field, kind)
  const hasRules = childOf(field.node, 'rules') !== undefined
  const { allowFailure, allow_failure_exit_codes } = readFailure(field, kind)
  const job: JobConfig = {
    name,
    at: field.node.at,
    kind,
    stage: readStage(field),
    when,
    startIn: readStart(field, when, hasRules),
    needs: readOwn(field, 'needs', readNeeds),
    rules,
    only: readOnly(field, hasRules || hasWorkflowRules),
    except: readOwn(field, 'except', readPolicy),
    variables: readOwn(field, 'variables', (own) => readVariables(own, 'job')) ?? [],
    inheritsVariables: inherit.variables,
    parallel: readOwn(field, 'parallel', readParallel),
    resourceGroup: readText(field, 'resource_group'),
    interruptible:
      (kind === 'build' ? interruptible : readBoolean(field, 'interruptible')) ?? false,
    tags: tags ?? [],
    timeout_s,
    allowFailure,
    options: { ...options, allow_failure_exit_codes, ...readOwnOptions(field, kind) },
    characters: defaultCharacters + treeSizeOf(field.node).characters,
  }
  checkDependencies(job, field)
  return job
}

/** `read` for the value under a key, called after it. */
function readOwn<Value>(
  parent: Field,
  key: string,
  read: (field: Field) => Value | undefined,
): Value | undefined {
  const field = fieldOf(parent, key)
  return field && read(field)
}

function readOwnOptions(field: Field<Dict>, kind: JobConfig['kind']): JobOptions {
  const environment = readOwn(field, 'environment', readEnvironment)
  const confirmation = readText(field, 'manual_confirmation')
  const common = { environment, manual_confirmation: confirmation }
  if (kind === 'bridge') return { ...common, trigger: readOwn(field, 'trigger', readTrigger) }
  return {
    ...common,
    script: readOwnScript(field),
    dependencies: readTexts(field, 'dependencies'),
    coverage: readOwn(field, 'coverage', readCoverage),
    release: readOwn(field, 'release', readRelease),
    pages: readOwn(field, 'pages', readPages),
    secrets: readOwn(field, 'secrets', readSecrets),
  }
}

function readOwnScript(field: Field<Dict>): string[] | undefined {
  const script = fieldOf(field, 'script')
  const isEmpty =
    !script ||
    (script.node.kind === 'list' && script.node.items.length === 0) ||
    textOf(script.node)?.trim() === ''
  return isEmpty ? reportKeyError(field, 'script', ciMessages.blank) : readScript(script)
}

function readStage(field: Field<Dict>): string {
  const key = childOf(field.node, 'stage') ? 'stage' : 'type'
  const stage = fieldOf(field, key)
  if (!stage) return 'test'
  const text = textOf(stage.node)
  if (text === undefined) reportFieldError(stage, `config ${ciMessages.aText}`)
  return text ?? 'test'
}

function readStart(
  field: Field<Dict>,
  when: JobConfig['when'],
  hasRules: boolean,
): string | undefined {
  if (when === 'delayed' && !hasRules) {
    const isGiven = fieldOf(field, 'start_in') !== undefined
    if (!isGiven) return reportKeyError(field, 'start_in', ciMessages.aDuration)
    return readDuration(field, 'start_in', delay_s_max)
  }
  // Beside rules, it is told with what else may not stand there.
  if (hasRules || !fieldOf(field, 'start_in')) return undefined
  return reportKeyError(field, 'start_in', ciMessages.mustBeBlank)
}

function readOwnRules(field: Field<Dict>, kind: JobConfig['kind']): Rule[] | undefined {
  const rules = fieldOf(field, 'rules')
  if (!rules) return undefined
  const refused = ['only', 'except', 'start_in'].filter((key) => fieldOf(field, key))
  if (refused.length > 0) reportFieldError(field, ciMessages.notWithRules(refused.join(', ')))
  return readRules(rules, kind === 'build' ? 'job' : 'bridge')
}

function readOnly(field: Field<Dict>, hasRules: boolean): Policy | undefined {
  const only = readOwn(field, 'only', readPolicy)
  if (!only) return hasRules ? undefined : defaultOnly
  // Conditions on variables or changes leave the usual references.
  return only.refs ? only : { ...only, refs: defaultOnly.refs ?? [] }
}

type Failure = Pick<JobConfig, 'allowFailure'> & Pick<JobOptions, 'allow_failure_exit_codes'>

/** With exit codes a failure is allowed only once it is known to be one of them. */
function readFailure(field: Field<Dict>, kind: JobConfig['kind']): Failure {
  const failure = fieldOf(field, 'allow_failure')
  if (!failure) return { allowFailure: undefined }
  const { node } = failure
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return { allowFailure: node.value }
  if (node.kind === 'dict' && kind === 'build') {
    const dict = requireDict(failure, ['exit_codes'])
    return { allowFailure: false, allow_failure_exit_codes: dict && readExitCodes(dict) }
  }
  reportKeyError(
    field,
    'allow_failure',
    kind === 'build' ? ciMessages.hashOrBoolean : ciMessages.aBoolean,
  )
  return { allowFailure: undefined }
}

function readCoverage(field: Field): string | undefined {
  const text = textOf(field.node)
  if (text === undefined || !compileRegexLiteral(text, field.work)) {
    return reportFieldError(field, ciMessages.regularExpression)
  }
  const end = text.lastIndexOf('/')
  const flags = text.slice(end + 1)
  return `${flags && `(?${flags})`}${text.slice(1, end)}`
}

function readSecrets(field: Field): Record<string, unknown> | undefined {
  const dict = requireDict(field)
  return dict && (toPlainValue(dict.node) as Record<string, unknown>)
}

function readInheritance(field: Field<Dict>): { defaults: Inheritance; variables: Inheritance } {
  const inherit = fieldOf(field, 'inherit')
  const dict = inherit && requireDict(inherit, ['default', 'variables'])
  const read = (key: string): Inheritance => {
    const own = dict && fieldOf(dict, key)
    if (!own) return true
    const { node } = own
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    const named = textsOf(node)
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

function checkDependencies({ options, needs }: JobConfig, field: Field<Dict>): void {
  const { dependencies } = options
  if (!dependencies?.length || !needs?.jobs.length) return
  const needed = new Set(needs.jobs.map(({ name }) => name))
  const missing = dependencies.filter((name) => !needed.has(name))
  if (missing.length > 0)
    reportFieldError(field, ciMessages.dependencyNotNeeded(missing.join(', ')))
}
