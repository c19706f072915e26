// Creates the pipeline of a trigger job: in another project, or as a child pipeline (docs/api/ci.md, "Trigger jobs").

import { type Actor, withoutAdminRights } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import { createVariableLookup, expandVariables } from '../../../ci/expand.ts'
import type { Include, JobOptions, PlannedTrigger } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { mayCreatePipelines, type Pipeline } from '../../../subjects/pipeline.ts'
import { findProject, type Project } from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import { readFileOfJobArtifacts } from '../artifacts/read-file.ts'
import { mayJobUserDeploy } from '../deployments/deploy-right.ts'
import type { FailureReason } from '../jobs/failure-reasons.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { findJobActor } from '../jobs/job-token.ts'
import {
  pipelineFollowUpTaskNames,
  transitionJob,
  withLockedPipeline,
} from '../pipeline-changes/change-pipeline.ts'
import { findJob, getJobSpec, type Job, updateJobRow } from '../pipeline-changes/job.ts'
import type { LockedPipeline } from '../pipeline-changes/locked-pipeline.ts'
import { createPipeline } from '../pipeline-creation/create-pipeline.ts'
import type { PipelineVariable } from '../pipeline-creation/pipeline-request.ts'
import { findPipeline, getPipeline, listPipelineVariables } from '../pipelines/pipeline.ts'

/** The reason why a trigger job cannot start its pipeline. */
class BridgeError extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason) {
    super(reason)
    this.reason = reason
  }
}

/** Creates a downstream pipeline. The job is the pipeline's origin, so a second run finds the first one's pipeline. */
export const startDownstreamTask = defineTask({
  ...pipelineFollowUpTaskNames.startDownstream,
  async run(uses: Instance, { job_id }: { job_id: number }) {
    const job = await findJob(uses.db, job_id)
    if (job?.kind !== 'bridge' || job.status !== 'pending') return
    try {
      if (!(await mayJobUserDeploy(uses.db, job))) {
        throw new BridgeError('protected_environment_failure')
      }
      const { downstream, isFollowed } = await start(uses, job)
      await changePendingBridge(uses, job, async (locked, current) => {
        await updateJobRow(locked.tx, job.id, { downstream_pipeline_id: downstream.id })
        if (isFollowed) await transitionJob(locked, { job: current, event: 'run' })
        else await finishJob(locked, current, { event: 'succeed' })
      })
    } catch (error) {
      const failure_reason = reasonOf(error)
      await changePendingBridge(uses, job, async (locked, current) => {
        await finishJob(locked, current, { event: 'drop', failure_reason })
      })
    }
  },
})

function reasonOf(error: unknown): FailureReason {
  if (error instanceof BridgeError) return error.reason
  if (error instanceof ApiError) return 'downstream_pipeline_creation_failed'
  throw error
}

async function changePendingBridge(
  uses: Instance,
  { id, pipeline_id }: Job,
  change: (locked: LockedPipeline, current: Job) => Promise<void>,
): Promise<void> {
  await withLockedPipeline(uses, pipeline_id, async (locked) => {
    const current = await findJob(locked.tx, id)
    if (current?.status === 'pending') await change(locked, current)
  })
}

async function start(
  uses: Instance,
  job: Job,
): Promise<{ downstream: Pipeline; isFollowed: boolean }> {
  const { db, clock } = uses
  const pipeline = await getPipeline(db, job.pipeline_id)
  const user = job.user_id === null ? undefined : await findUser(db, job.user_id)
  if (!user || findAccountProblem(user, timestamp(clock))) throw new BridgeError('user_blocked')
  const spec = await getJobSpec(db, job.id)
  const trigger = (spec.options as JobOptions).trigger
  if (!trigger) throw new BridgeError('invalid_bridge_trigger')
  const own = spec.variables as { key: string; value: string }[]
  const request = {
    user: actorUserFromUser(user),
    variables: await forwarded(uses, { pipeline, own, trigger }),
    upstream_job_id: job.id,
    origin: `bridge:${job.id}`,
  }
  const isFollowed = trigger.strategy !== undefined
  const actor = { user: withoutAdminRights(request.user), token: undefined }
  if ('include' in trigger) {
    const project = (await findProject(db, actor, { id: job.project_id }))?.project
    if (!project) throw new BridgeError('invalid_bridge_trigger')
    const reader = await findJobActor(db, job, user)
    const parent = await asParent(uses, { pipeline, trigger, actor: reader })
    const sha = pipeline.sha as Oid
    const before_sha = pipeline.before_sha ?? undefined
    const source = 'parent_pipeline' as const
    const child = { ...request, project, ref: pipeline.ref, source, parent, sha, before_sha }
    return { downstream: await createPipeline(uses, child), isFollowed }
  }
  const lookup = createVariableLookup(Object.fromEntries(own.map(({ key, value }) => [key, value])))
  const expand = (text: string) => expandVariables(text, lookup, limits.ci.text_characters)
  const project = await findTarget(db, actor, expand(trigger.project))
  if (project.id === job.project_id && pipeline.parent_id !== null) {
    throw new BridgeError('bridge_pipeline_is_child_pipeline')
  }
  const ref = trigger.branch ? expand(trigger.branch) : (project.default_branch ?? '')
  if (ref === undefined) throw new BridgeError('downstream_pipeline_creation_failed')
  const elsewhere = { ...request, user: actor.user, project, ref }
  const downstream = await createPipeline(uses, { ...elsewhere, source: 'pipeline' })
  return { downstream, isFollowed }
}

async function findTarget(
  db: Db,
  actor: Parameters<typeof findProject>[1],
  path: string | undefined,
): Promise<Project> {
  const found =
    path === undefined || path.includes('\0') ? undefined : await findProject(db, actor, { path })
  if (!found || !canSeeProject(actor, found)) {
    throw new BridgeError('downstream_bridge_project_not_found')
  }
  if (!mayCreatePipelines({ subject: found.project, level: found.level, actor })) {
    throw new BridgeError('insufficient_bridge_permissions')
  }
  return found.project
}

/** Returns the variables of the job, and those of its pipeline if the job forwards them. */
async function forwarded(
  { db, secretKey }: Instance,
  {
    pipeline,
    own,
    trigger,
  }: {
    pipeline: Pipeline
    own: readonly { key: string; value: string; raw?: true }[]
    trigger: PlannedTrigger
  },
): Promise<PipelineVariable[]> {
  const variables = new Map<string, PipelineVariable>()
  if (trigger.forward.yaml_variables) {
    for (const { key, value, raw } of own) {
      variables.set(key, { key, value, variable_type: 'env_var', raw })
    }
  }
  if (trigger.forward.pipeline_variables) {
    for (const { key, value, variable_type, raw } of await listPipelineVariables(db, pipeline.id)) {
      variables.set(key, { key, value: openSecret(secretKey, value), variable_type, raw })
    }
  }
  return [...variables.values()]
}

/** Returns the configuration of a child pipeline: an include of the files that the trigger names. */
async function asParent(
  uses: Instance,
  {
    pipeline,
    trigger,
    actor,
  }: {
    pipeline: Pipeline
    trigger: Extract<PlannedTrigger, { include: unknown }>
    actor: Actor
  },
) {
  let depth = 1
  for (let above: Pipeline | undefined = pipeline; above?.parent_id != null; depth++) {
    above = await findPipeline(uses.db, above.parent_id)
  }
  if (depth > limits.pipelines.descent_max) {
    throw new BridgeError('reached_max_descendant_pipelines_depth')
  }
  const include = trigger.include.map(writeInclude)
  return {
    pipeline,
    // JSON is valid YAML.
    text: JSON.stringify({ include }),
    path: 'child.yml',
    readArtifact: (file: { job: string; path: string }) =>
      readFileOfJobArtifacts(uses, actor, pipeline.id, file),
  }
}

/** Returns the entry of `include` for a file. */
function writeInclude(file: Include): Record<string, string> {
  switch (file.kind) {
    case 'local':
      return { local: file.path }
    case 'project':
      return { project: file.project, file: file.path, ...(file.ref ? { ref: file.ref } : {}) }
    case 'template':
      return { template: file.name }
    case 'remote':
      return { remote: file.url }
    case 'artifact':
      return { job: file.job, artifact: file.path }
  }
}
