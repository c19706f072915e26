// Reads a whole configuration, with includes and `extends` resolved, as stages, variables, a workflow and jobs.

import { ciMessages } from './ci-messages.ts'
import type { DiagnosticCollector } from './diagnostic-collector.ts'
import {
  type ConfigurationField,
  childField,
  flattenTextsOfNode,
  readTextField,
  reportFieldError,
  requireDictField,
} from './fields.ts'
import { type JobConfig, readJobConfig } from './job.ts'
import { readAutoCancelKeyword } from './keywords/auto-cancel.ts'
import { readSharedKeywords, type SharedKeywords, sharedKeys } from './keywords/shared.ts'
import { readVariablesKeyword } from './keywords/variables.ts'
import type { Plan, PlannedVariable } from './planned.ts'
import { type CiRule, readCiRules } from './rule.ts'
import type { StepBudget } from './step-budget.ts'
import { childOfDict, createDictNode, type Dict, treeSizeOf } from './tree.ts'

export type Workflow = { name?: string; rules?: CiRule[]; autoCancel?: Plan['auto_cancel'] }
export type Config = {
  stages: string[]
  variables: PlannedVariable[]
  workflow: Workflow
  jobs: JobConfig[]
}

/** Keywords of the file that older configurations have outside of `default`. */
const olderKeys = ['image', 'services', 'before_script', 'after_script', 'cache']
const keys = ['default', 'include', 'variables', 'stages', 'types', 'workflow', ...olderKeys]

export async function readConfig(
  root: Dict,
  problems: DiagnosticCollector,
  work: StepBudget,
): Promise<Config> {
  const field = { node: root, label: '', problems, work }
  const named = (key: string) => childField(field, key)
  const defaults = readDefaults(field)
  const stages = readStages(named('stages') ?? named('types'))
  const globals = named('variables')
  const variables = (globals && readVariablesKeyword(globals, 'global')) ?? []
  const workflow = readWorkflow(named('workflow'))
  const surroundings = {
    defaults,
    defaultCharacters: charactersOfDefaults(root),
    hasWorkflowRules: workflow.rules !== undefined,
  }
  const jobs: JobConfig[] = []
  let isAnyVisible = false
  for (const [name, { value, at, isName }] of root.entries) {
    const isJob = childOfDict(value, 'script') || childOfDict(value, 'trigger')
    if (keys.includes(name) || name.startsWith('.') || (name === 'spec' && !isJob)) continue
    isAnyVisible = true
    await work.spend(50)
    if (!isName) problems.error(`jobs:${name} ${ciMessages.jobNameIsNoText}`.toLowerCase(), at)
    else if (value.kind !== 'dict' || !isJob) problems.error(ciMessages.jobWithoutScript(name), at)
    else {
      const placed = { ...field, node: { ...value, at }, label: `jobs:${name}` }
      const job = readJobConfig(placed, name, surroundings)
      jobs.push(job)
      if (!surroundings.hasWorkflowRules) warnOfTwoPipelines(job, placed)
    }
  }
  if (!isAnyVisible) problems.error(ciMessages.noVisibleJob, root.at)
  return { stages, variables, workflow, jobs }
}

function readDefaults(root: ConfigurationField<Dict>): SharedKeywords {
  const older = new Map([...root.node.entries].filter(([key]) => olderKeys.includes(key)))
  const top = readSharedKeywords({ ...root, node: createDictNode(older, root.node.at) })
  const field = childField(root, 'default')
  const dict = field && requireDictField(field, sharedKeys)
  return { ...top, ...(dict && readSharedKeywords(dict)) }
}

function charactersOfDefaults(root: Dict): number {
  const nodes = ['default', ...olderKeys].flatMap((key) => childOfDict(root, key) ?? [])
  return nodes.reduce((sum, node) => sum + treeSizeOf(node).characters, 0)
}

const usualStages = ['build', 'test', 'deploy']

function readStages(field: ConfigurationField | undefined): string[] {
  if (!field) return ['.pre', ...usualStages, '.post']
  const names = field.node.kind === 'list' ? flattenTextsOfNode(field.node) : undefined
  if (!names) reportFieldError(field, `config ${ciMessages.texts}`)
  const own = new Set(names?.length ? names : usualStages)
  own.delete('.pre')
  own.delete('.post')
  return ['.pre', ...own, '.post']
}

function readWorkflow(field: ConfigurationField | undefined): Workflow {
  const dict = field && requireDictField(field, ['rules', 'name', 'auto_cancel'])
  if (!dict) return {}
  const rules = childField(dict, 'rules')
  const name = readTextField(dict, 'name', { characters_max: 255 })
  const autoCancel = childField(dict, 'auto_cancel')
  return {
    ...(name !== undefined && { name }),
    ...(rules && { rules: readCiRules(rules, 'workflow') ?? [] }),
    ...(autoCancel && { autoCancel: readAutoCancelKeyword(autoCancel) }),
  }
}

/** Warns of a last rule that always matches: a push to a branch with a merge request would create two pipelines. */
function warnOfTwoPipelines(
  { name, rules }: JobConfig,
  { node, problems }: ConfigurationField,
): void {
  const last = rules?.at(-1)
  if (!last?.when || last.when === 'never' || Object.keys(last).length > 1) return
  problems.warn(`jobs:${name} ${ciMessages.mayRunTwice}`.toLowerCase(), node.at)
}
