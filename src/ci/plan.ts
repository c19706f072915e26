// Builds the pipeline of a configuration for an event.
import { limits } from '../kernel/limits.ts'
import { ciMessages } from './ci-messages.ts'
import type { Config } from './config.ts'
import { decideWhenJobRuns, findMatchingRule, type JobDecision } from './decide.ts'
import { ConfigurationError, type DiagnosticCollector } from './diagnostic-collector.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import {
  countExpansionSteps,
  createExpandingVariableLookup,
  expandVariables,
  type VariableLookup,
} from './expand.ts'
import type { JobConfig } from './job.ts'
import { expandNeeds, type JobInstance, parallelCopiesByJobName } from './job-instances.ts'
import { isEnvironmentName } from './keywords/environment.ts'
import { mergeVariables } from './keywords/variables.ts'
import type {
  JobOptions,
  Plan,
  PlannedJob,
  PlannedNeed,
  PlannedVariable,
  PlanRefusal,
} from './planned.ts'

export type PlanOrRefusal = { plan?: Plan; refusal?: PlanRefusal }

export async function createPipelinePlan(
  { config, instances }: { config: Config; instances: readonly JobInstance[] },
  { context, problems }: { context: EvaluationContext; problems: DiagnosticCollector },
): Promise<PlanOrRefusal> {
  const { workflow } = config
  const inWorkflow = context.withValues(valuesOf(context, config.variables))
  const rule = workflow.rules && (await findMatchingRule(workflow.rules, inWorkflow))
  if (workflow.rules && (!rule || rule.when === 'never')) return { refusal: 'workflow' }
  const globals = mergeVariables(config.variables, rule?.variables ?? [])
  const jobs = await planJobs({ config, instances, globals }, { context, problems })
  if (problems.hasErrors) return {}
  checkNeeds(jobs, instances, problems)
  if (problems.hasErrors) return {}
  const isAtEdge = ({ stage }: PlannedJob) => stage === '.pre' || stage === '.post'
  if (jobs.every(isAtEdge)) return { refusal: 'no-jobs' }
  const used = new Set(jobs.map(({ stage }) => stage))
  const lookup = createExpandingVariableLookup(valuesOf(context, globals), context.work)
  const name = expandVariables(workflow.name ?? '', lookup, limits.ci.name_characters)?.trim()
  const auto_cancel = rule?.autoCancel ?? workflow.autoCancel
  return {
    plan: {
      ...(name && { name }),
      stages: config.stages.filter((stage) => used.has(stage)),
      jobs,
      ...(auto_cancel && { auto_cancel }),
    },
  }
}

/**
 * Returns the values of variables in a pipeline. Those of the file override predefined ones, and those given by the
 * caller override both.
 */
function valuesOf(
  { event }: EvaluationContext,
  variables: readonly PlannedVariable[],
  more: Record<string, string> = {},
): Record<string, string> {
  const own = Object.fromEntries(variables.map(({ key, value }) => [key, value]))
  return { ...event.predefined, ...more, ...own, ...event.given }
}

async function planJobs(
  {
    config,
    instances,
    globals,
  }: { config: Config; instances: readonly JobInstance[]; globals: readonly PlannedVariable[] },
  { context, problems }: { context: EvaluationContext; problems: DiagnosticCollector },
): Promise<PlannedJob[]> {
  const copies = parallelCopiesByJobName(config.jobs)
  const known = Object.keys({ ...context.event.predefined, ...context.event.given }).length
  let characters = 0
  const jobs: PlannedJob[] = []
  for (const instance of instances) {
    const { job, name } = instance
    const variables = mergeVariables(inheritedBy(job, globals), job.variables)
    await context.work.spend(10 + 4 * (variables.length + known))
    const more = { CI_JOB_NAME: name, CI_JOB_STAGE: job.stage }
    const inJob = context.withValues(valuesOf(context, variables, more))
    const decision = await decideWhenJobRuns(job, inJob)
    if (!decision) continue
    const { rule } = decision
    const { copy } = instance
    const needs = rule?.needs
      ? expandNeeds(rule.needs.jobs, { copies, copy, work: context.work })
      : instance.needs
    const all = mergeVariables(variables, rule?.variables ?? [])
    const lookup = createExpandingVariableLookup(valuesOf(context, all, more), context.work)
    jobs.push(planJob(instance, { decision, needs, variables: all, lookup }, { context, problems }))
    characters += job.characters + charactersOf(all)
    if (characters > limits.ci.plan_characters)
      throw new ConfigurationError(ciMessages.tooBig, job.at)
    if (jobs.length > limits.ci.jobs_max) {
      problems.errorOfEvent(ciMessages.tooManyJobs, job.at)
      break
    }
  }
  return withoutMissing(jobs)
}

function charactersOf(variables: readonly PlannedVariable[]): number {
  return variables.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
}

function inheritedBy(
  { inheritsVariables }: JobConfig,
  globals: readonly PlannedVariable[],
): readonly PlannedVariable[] {
  if (inheritsVariables === true) return globals
  const named = inheritsVariables || []
  return globals.filter(({ key }) => named.includes(key))
}

/** Removes optional needs of jobs that are not in the pipeline. */
function withoutMissing(jobs: readonly PlannedJob[]): PlannedJob[] {
  const names = new Set(jobs.map(({ name }) => name))
  return jobs.map((job) => {
    if (!job.needs) return job
    const needs = job.needs.filter(({ name, optional }) => !optional || names.has(name))
    return { ...job, needs }
  })
}

function planJob(
  { name, job, copy, dependencies }: JobInstance,
  {
    decision,
    needs,
    variables,
    lookup,
  }: {
    decision: JobDecision
    needs: PlannedNeed[] | undefined
    variables: PlannedVariable[]
    lookup: VariableLookup
  },
  { context, problems }: { context: EvaluationContext; problems: DiagnosticCollector },
): PlannedJob {
  const { when, start_in_s, allow_failure, rule } = decision
  const foreign = (rule?.needs ?? job.needs)?.foreign
  const expand = (text: string, known = lookup) => {
    countExpansionSteps(context.work, text.length)
    return expandVariables(text, known, limits.ci.name_characters)
  }
  const group = job.resourceGroup && expandGroup(job, lookup, expand)
  if (group !== undefined && !isEnvironmentName(group)) {
    problems.warn(ciMessages.resourceGroupName(name), job.at)
  }
  const options: JobOptions = { ...job.options, dependencies, foreign_needs: foreign }
  return {
    name,
    kind: job.kind,
    stage: job.stage,
    when,
    ...(start_in_s !== undefined && { start_in_s }),
    allow_failure,
    ...(needs && { needs }),
    tags: expandTags(job, expand, problems),
    variables: variables.map(withoutDescription),
    ...(group && isEnvironmentName(group) && { resource_group: group }),
    interruptible: rule?.interruptible ?? job.interruptible,
    ...(job.timeout_s !== undefined && { timeout_s: job.timeout_s }),
    ...(copy && { parallel: { index: copy.index, total: copy.total } }),
    options: withoutEmpty(options),
  }
}

/** Returns a variable without the fields that only the "New pipeline" form uses. */
function withoutDescription(variable: PlannedVariable): PlannedVariable {
  if (variable.description === undefined) return variable
  const { description: _, ...rest } = variable
  return rest
}

type Expand = (text: string, lookup?: VariableLookup) => string | undefined

function expandTags(job: JobConfig, expand: Expand, problems: DiagnosticCollector): string[] {
  return job.tags.flatMap((tag) => {
    const expanded = expand(tag)
    if (expanded === undefined) problems.errorOfEvent(ciMessages.tagTooLong(job.name), job.at)
    return expanded || []
  })
}

/** Returns the expanded name of the resource group; an empty text if it is too long. */
function expandGroup(job: JobConfig, lookup: VariableLookup, expand: Expand): string {
  const environment = job.options.environment?.name
  const known: VariableLookup =
    environment === undefined
      ? lookup
      : (name) => (name === 'CI_ENVIRONMENT_NAME' ? expand(environment) : lookup(name))
  return expand(job.resourceGroup ?? '', known) ?? ''
}

/** Removes empty lists, except for `dependencies`, where an empty list means that no archives are downloaded. */
function withoutEmpty(options: JobOptions): JobOptions {
  const isTold = ([key, value]: [string, unknown]) =>
    value !== undefined && (key === 'dependencies' || !Array.isArray(value) || value.length > 0)
  return Object.fromEntries(Object.entries(options).filter(isTold))
}

/** Reports needs of jobs that are not in the pipeline, and jobs with too many needs. */
function checkNeeds(
  jobs: readonly PlannedJob[],
  instances: readonly JobInstance[],
  problems: DiagnosticCollector,
): void {
  const places = new Map(instances.map(({ name, job }) => [name, job.at]))
  const names = new Set(jobs.map(({ name }) => name))
  for (const { name, needs = [] } of jobs) {
    const count = needs.length
    const at = places.get(name)
    if (count > limits.ci.needs_max) problems.errorOfEvent(ciMessages.tooManyNeeds(name, count), at)
    const missing = needs.find((need) => !names.has(need.name))
    if (missing) problems.errorOfEvent(ciMessages.needMissing(name, missing.name), at)
  }
}
