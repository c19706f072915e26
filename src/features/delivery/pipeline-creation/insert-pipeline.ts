// Inserts the rows of a planned pipeline: itself, its variables, its jobs, and the records that they name.

import { createVariableLookup, expandVariables, type VariableLookup } from '../../../ci/expand.ts'
import { isEnvironmentName } from '../../../ci/keywords/environment.ts'
import type { Plan, PlannedJob } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { nextInternalId } from '../../basics/internal-ids/internal-id.ts'
import { ensureEnvironment, environmentSlug, insertDeployment } from '../deployments/deployment.ts'
import {
  buildPredefinedVariables,
  type PredefinedVariablesInput,
} from '../pipelines/pipeline-variables.ts'
import {
  ensureResourceGroup,
  ensureRunnerTagSet,
  insertJobs,
  insertPipeline,
  insertPipelineVariables,
  type NewJob,
} from './pipeline-creation.store.ts'
import type { PipelineRequest } from './pipeline-request.ts'

type Made = {
  facts: PredefinedVariablesInput
  plan: Plan | undefined
  /** The errors of the configuration, for a pipeline that is stored although it has no plan. */
  yaml_errors: string | undefined
  now: string
}

/** Inserts the rows of a planned pipeline. The caller then starts its jobs. */
export async function insertPlannedPipeline(
  tx: Db,
  { secretKey }: Pick<Instance, 'secretKey'>,
  request: PipelineRequest,
  made: Made,
): Promise<Pipeline> {
  const { facts, plan, yaml_errors, now } = made
  const { project, commit, isProtected } = facts
  const isFailed = yaml_errors !== undefined
  const ended = isFailed || request.isSkipped
  const pipeline = await insertPipeline(tx, {
    iid: await nextInternalId(tx, project.id, 'pipelines'),
    project_id: project.id,
    name: plan?.name,
    sha: commit.oid,
    before_sha: facts.before_sha,
    ref: facts.ref,
    tag: facts.tag,
    protected: isProtected,
    source: request.source,
    status: isFailed ? 'failed' : request.isSkipped ? 'skipped' : 'created',
    user_id: request.user.id,
    yaml_errors,
    committed_at: new Date(commit.committer.date).toISOString(),
    created_at: now,
    updated_at: now,
    finished_at: ended ? now : null,
    locked: true,
    auto_cancel: plan?.auto_cancel?.on_new_commit,
    origin: request.origin,
    pipeline_schedule_id: request.pipeline_schedule_id,
    pipeline_trigger_id: request.pipeline_trigger_id,
    upstream_job_id: request.upstream_job_id,
    parent_id: request.parent?.pipeline.id,
    merge_request_id: request.merge_request?.id ?? request.parent?.pipeline.merge_request_id,
    event_variables: hasAny(facts.event_variables) ? toJson(facts.event_variables) : null,
  })
  await insertPipelineVariables(
    tx,
    request.variables.map(({ key, value, variable_type, raw = false }) => ({
      pipeline_id: pipeline.id,
      key,
      value: sealSecret(secretKey, value),
      variable_type,
      raw,
    })),
  )
  if (plan) await insertPlannedJobs(tx, { pipeline, plan, request, facts, now })
  return pipeline
}

function hasAny(variables: Record<string, string> | null | undefined): boolean {
  return Object.keys(variables ?? {}).length > 0
}

type Inserting = {
  pipeline: Pipeline
  plan: Plan
  request: PipelineRequest
  facts: PredefinedVariablesInput
  now: string
}

async function insertPlannedJobs(tx: Db, inserting: Inserting): Promise<void> {
  const { pipeline, plan, now } = inserting
  const tagSets = new Map<string, number>()
  const jobs: NewJob[] = []
  const known = createVariableLookup({
    ...buildPredefinedVariables(inserting.facts),
    ...Object.fromEntries(inserting.request.variables.map(({ key, value }) => [key, value])),
  })
  const deploying: { index: number; job: PlannedJob; environment_id: number }[] = []
  for (const job of plan.jobs) {
    const tags = job.tags.toSorted().join('\n')
    const tag_set_id = tagSets.get(tags) ?? (await ensureRunnerTagSet(tx, job.tags))
    tagSets.set(tags, tag_set_id)
    const resource_group_id =
      job.resource_group === undefined
        ? null
        : await ensureResourceGroup(tx, {
            project_id: pipeline.project_id,
            key: job.resource_group,
            now,
          })
    job.options.foreign_needs = job.options.foreign_needs?.map((need) =>
      need.kind === 'pipeline'
        ? { ...need, pipeline: expandName(need.pipeline, known) ?? '' }
        : need,
    )
    const isNamed = expandEnvironment(job, known)
    const environment_id = isNamed ? await environmentOf(tx, { job, pipeline, now }) : null
    if (environment_id !== null && job.options.environment?.action === 'start') {
      deploying.push({ index: jobs.length, job, environment_id })
    }
    const ids = { tag_set_id, resource_group_id, environment_id }
    const row = isNamed ? {} : failedJob(now)
    jobs.push(newJob(inserting, job, { ...ids, ...row }))
  }
  const ids = await insertJobs(tx, jobs)
  for (const { index, job, environment_id } of deploying) {
    await insertDeployment(tx, {
      iid: await nextInternalId(tx, pipeline.project_id, 'deployments'),
      project_id: pipeline.project_id,
      environment_id,
      job_id: ids[index] ?? null,
      user_id: pipeline.user_id,
      ref: pipeline.ref,
      tag: pipeline.tag,
      sha: pipeline.sha,
      status: 'created',
      on_stop: job.options.environment?.on_stop,
      created_at: now,
      updated_at: now,
    })
  }
}

/** Returns undefined if the expanded text is longer than the maximum length of names. */
function expandName(text: string, lookup: VariableLookup): string | undefined {
  return expandVariables(text, lookup, limits.ci.name_characters)
}

const tooLong = ' '.repeat(limits.ci.name_characters + 1)

/**
 * Expands variables, including the job's own, in the name and URL of the job's environment. Returns false if
 * the expanded name is not valid for an environment. A URL that becomes too long is replaced by an empty one.
 */
function expandEnvironment(job: PlannedJob, known: VariableLookup): boolean {
  const { environment } = job.options
  if (!environment) return true
  const own = new Map(job.variables.map(({ key, value }) => [key, value]))
  const lookup: VariableLookup = (name) => {
    const value = own.get(name)
    // If a variable's value is longer than a name may be, the expanded name is invalid too.
    return value === undefined ? known(name) : (expandName(value, known) ?? tooLong)
  }
  const name = expandName(environment.name, lookup)
  if (name === undefined || (name !== '' && !isEnvironmentName(name))) return false
  environment.name = name
  if (environment.url !== undefined) {
    const slug = environmentSlug(name)
    const withName: VariableLookup = (key) =>
      key === 'CI_ENVIRONMENT_NAME' ? name : key === 'CI_ENVIRONMENT_SLUG' ? slug : lookup(key)
    environment.url = expandName(environment.url, withName) ?? ''
  }
  return true
}

/** Returns the id of the environment that a job names, and creates the environment if it does not exist. */
async function environmentOf(
  tx: Db,
  { job, pipeline, now }: { job: PlannedJob; pipeline: Pipeline; now: string },
): Promise<number | null> {
  const { environment } = job.options
  if (!environment || environment.name === '') return null
  return ensureEnvironment(tx, {
    project_id: pipeline.project_id,
    name: environment.name,
    tier: environment.deployment_tier,
    now,
  })
}

/** The fields of a job that cannot start, because the name of its environment is invalid once variables are expanded. */
function failedJob(now: string): Partial<NewJob['row']> {
  return { status: 'failed', failure_reason: 'environment_creation_failure', finished_at: now }
}

function newJob(
  { pipeline, plan, now }: Inserting,
  job: PlannedJob,
  row: Pick<NewJob['row'], 'tag_set_id'> & Partial<NewJob['row']>,
): NewJob {
  return {
    row: {
      pipeline_id: pipeline.id,
      project_id: pipeline.project_id,
      kind: job.kind,
      name: job.name,
      stage: job.stage,
      stage_position: plan.stages.indexOf(job.stage),
      status: 'created',
      ref: pipeline.ref,
      tag: pipeline.tag,
      user_id: pipeline.user_id,
      allow_failure: job.allow_failure,
      run_when: job.when,
      start_in_s: job.start_in_s ?? null,
      needs: job.needs ? toJson(job.needs) : null,
      protected: pipeline.protected,
      interruptible: job.interruptible,
      timeout_s: job.timeout_s ?? null,
      created_at: now,
      updated_at: now,
      ...row,
    },
    spec: {
      options: toJson({ ...job.options, ...(job.parallel ? { parallel: job.parallel } : {}) }),
      variables: toJson(job.variables.map(({ description: _, ...variable }) => variable)),
    },
  }
}
