// The only way to create a pipeline from the project's configuration, whatever its cause.

import { type Actor, withoutAdminRights } from '../../../access/actor.ts'
import type { ConfigFiles, Plan, PlanResult } from '../../../ci/planned.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { branchRef, type Oid, tagRef, zeroOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { type ApiError, invalid } from '../../../kernel/errors.ts'
import { mayCreatePipelines, type Pipeline } from '../../../subjects/pipeline.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { enqueue } from '../../../tasks/task.ts'
import {
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import {
  isProtectedTag,
  listTagProtectionRules,
  mayCreateTag,
} from '../../repository/protected-tags/protected-tag.ts'
import { advancePipeline, pipelineFollowUpTaskNames } from '../pipeline-changes/change-pipeline.ts'
import { wakeWaitingJobRequests } from '../pipeline-changes/job-queue.ts'
import { lockNewPipeline } from '../pipeline-changes/locked-pipeline.ts'
import { pipelineChangedEffect } from '../pipeline-changes/pipeline-changed.ts'
import { type CiSettings, getCiSettings, getPipeline } from '../pipelines/pipeline.ts'
import {
  buildPredefinedVariables,
  type PredefinedVariablesInput,
  sourceRefOfPipeline,
} from '../pipelines/pipeline-variables.ts'
import { maySetCustomVariables } from '../pipelines/run-right.ts'
import { collectCiVariables } from '../variables/collect-variables.ts'
import { collectPipelineVariablesEffect } from './collect-pipeline-variables.ts'
import { collectPredefinedVariablesEffect } from './collect-predefined-variables.ts'
import { createConfigFileReader, readConfigFileAt } from './config-files.ts'
import { insertPlannedPipeline } from './insert-pipeline.ts'
import { findPipelineByOrigin } from './pipeline-creation.store.ts'
import type { PipelineRequest } from './pipeline-request.ts'

/**
 * Returns the 400 `{"message":{"base":[...]}}` with the reason why no pipeline is created (docs/api/ci.md,
 * "Starting a pipeline").
 */
function refuse(text: string): ApiError {
  return invalid({ base: [text] })
}

const refusals = {
  'no-jobs':
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
  workflow: 'Pipeline filtered out by workflow rules.',
}

/** Creates a pipeline with its jobs, and starts those that can start. Throws 400 if it is refused. */
export async function createPipeline(uses: Instance, request: PipelineRequest): Promise<Pipeline> {
  const { db } = uses
  if (request.origin !== undefined) {
    const made = await findPipelineByOrigin(db, request.origin)
    if (made) return made
  }
  const actor: Actor = { user: request.user, token: undefined }
  const found = await findProject(db, actor, { id: request.project.id })
  if (!found) throw refuse('Project is deleted!')
  const { project, level } = found
  if (project.builds_access_level === 'disabled') throw refuse('Pipelines are disabled!')
  if (!mayCreatePipelines({ subject: project, level, actor })) {
    throw refuse('Insufficient permissions to create a new pipeline')
  }
  const target = findTarget(uses.config, project, request)
  const parent = request.parent?.pipeline
  const event_variables = { ...(request.merge_request?.variables ?? parent?.event_variables) }
  const branch = sourceRefOfPipeline({ ref: target.ref, event_variables })
  const { tag } = target
  await collectPipelineVariablesEffect.run({
    db,
    project,
    ref: branch,
    tag,
    variables: event_variables,
  })
  const judged = { project, level, actor, target: { ref: branch, tag } }
  const isProtected = await checkProtection(db, judged)
  const settings = await getCiSettings(db, project.id)
  refuseVariables(request, settings, level)
  const commit = await findCommit(uses, project, { target, sha: request.sha })
  const config_path = settings.ci_config_path || '.gitlab-ci.yml'
  const facts = {
    project,
    baseUrl: serverUrl(uses.config),
    pages: uses.config.pages,
    source: request.source,
    ...target,
    isProtected,
    commit,
    before_sha: request.before_sha ?? null,
    config_path,
    user: request.user,
    trigger_short_token: request.trigger_short_token,
    event_variables,
  }
  const planned = request.isSkipped
    ? undefined
    : await plan(uses, request, {
        facts,
        actor: { ...actor, user: withoutAdminRights(request.user) },
        config_path,
      })
  const problem = planned && problemOf(planned)
  if (planned && problem !== undefined && !(request.keepsErrors && hasErrors(planned))) {
    throw refuse(problem)
  }
  return store(uses, request, {
    facts,
    settings,
    plan: planned?.plan,
    yaml_errors: problem,
  })
}

type Target = { ref: string; tag: boolean; oid: Oid | undefined }

/** Returns what the name refers to: a branch or tag; for a child pipeline, the reference of its parent. */
function findTarget(
  config: Config,
  project: Project,
  { ref, parent, sha, merge_request }: PipelineRequest,
): Target {
  if (merge_request) return { ref, tag: false, oid: sha }
  if (parent) return { ref: parent.pipeline.ref, tag: parent.pipeline.tag, oid: sha }
  const repository = projectRepository(config, project)
  const short = ref.replace(/^refs\/(heads|tags)\//, '')
  const branch = ref.startsWith('refs/tags/') ? undefined : branchRef(short)
  const tag = ref.startsWith('refs/heads/') ? undefined : tagRef(short)
  const [onBranch, onTag] = [branch, tag].map((name) => name && readRef(repository, name))
  if (onBranch && onTag) throw refuse('Ref is ambiguous')
  const oid = onBranch ?? onTag
  if (!oid && !sha) throw refuse('Reference not found')
  return {
    ref: short,
    tag: onBranch === undefined && (onTag !== undefined || branch === undefined),
    oid,
  }
}

async function findCommit(
  { git, config }: Instance,
  project: Project,
  { target, sha }: { target: Target; sha: Oid | undefined },
): Promise<Commit> {
  const repository = projectRepository(config, project)
  const named = sha ?? target.oid
  const oid = named && (await peelToCommit(git.objects, repository, named))
  const commit = oid && (await git.objects.commit(repository, oid))
  if (!commit) throw refuse('Commit not found')
  return commit
}

/**
 * Returns whether the reference is protected. Throws if the caller may neither push to nor merge into the
 * branch, or may not create the tag.
 */
async function checkProtection(db: Db, asked: Judged): Promise<boolean> {
  const { target } = asked
  const { isProtected, isAllowed } = target.tag
    ? await judgeTag(db, asked)
    : await judgeBranch(db, asked)
  if (isAllowed) return isProtected
  throw refuse(
    `You do not have sufficient permission to run a pipeline on '${target.ref}'. Please select a different branch or contact your administrator for assistance.`,
  )
}

type Judged = {
  project: Project
  level: number
  actor: Actor
  target: Pick<Target, 'ref' | 'tag'>
}

async function judgeTag(db: Db, { project, target, ...caller }: Judged) {
  const rules = await listTagProtectionRules(db, project.id, caller.actor)
  return {
    isProtected: isProtectedTag(rules, target.ref),
    isAllowed: mayCreateTag(rules, target.ref, caller),
  }
}

async function judgeBranch(db: Db, { project, target, ...caller }: Judged) {
  const matching = rulesMatchingBranch(
    await listBranchProtectionRules(db, project.id, caller.actor),
    target.ref,
  )
  const isProtected = matching.length > 0
  const isAllowed =
    !isProtected ||
    isAllowedByProtectionRules(matching, 'push', caller) ||
    isAllowedByProtectionRules(matching, 'merge', caller)
  return { isProtected, isAllowed }
}

/**
 * Throws if the caller may not set pipeline variables. A project may restrict them to Maintainers, for pipelines from the
 * API, triggers, pushes, schedules and jobs of other projects. Those of child pipelines come from the same project's
 * pipeline, and the payload of a trigger comes from the server.
 */
function refuseVariables(
  { variables, source }: PipelineRequest,
  settings: CiSettings,
  level: number,
): void {
  if (source === 'parent_pipeline') return
  const given = variables.filter(({ key }) => source !== 'trigger' || key !== 'TRIGGER_PAYLOAD')
  if (given.length === 0 || maySetCustomVariables(settings, { level })) return
  throw refuse('Insufficient permissions to set pipeline variables')
}

async function plan(
  uses: Instance,
  request: PipelineRequest,
  {
    facts,
    actor,
    config_path,
  }: { facts: PredefinedVariablesInput; actor: Actor; config_path: string },
): Promise<PlanResult> {
  const { project, commit, isProtected } = facts
  const files = createConfigFileReader(uses, {
    project,
    actor,
    commit: commit.oid as Oid,
    before: request.before_sha === zeroOid ? undefined : request.before_sha,
    readArtifact: request.parent?.readArtifact,
  })
  const text =
    request.parent?.text ?? (await readConfig(uses, files, { project, commit, path: config_path }))
  const collected = await collectCiVariables(uses, { project, isProtected, environment: undefined })
  const given = [...collected, ...request.variables].map(({ key, value }) => [key, value] as const)
  const predefined = buildPredefinedVariables(facts)
  await collectPredefinedVariablesEffect.run({ db: uses.db, project, variables: predefined })
  // The parser of configurations is loaded with the first pipeline, since loading it would slow the start of
  // the server.
  const { planPipeline } = await import('../../../ci/plan-pipeline.ts')
  return planPipeline({
    text,
    path: request.parent?.path ?? config_path,
    event: {
      source: request.source,
      ref: sourceRefOfPipeline(facts),
      tag: facts.tag,
      project_path: project.full_path,
      predefined,
      given: Object.fromEntries(given),
    },
    files,
  })
}

/**
 * Reads the configuration of a commit. `path@group/project` and `path@group/project:ref` name files of other
 * projects.
 */
async function readConfig(
  uses: Instance,
  files: ConfigFiles,
  { project, commit, path }: { project: Project; commit: Commit; path: string },
): Promise<string> {
  const at = path.indexOf('@')
  const elsewhere = at > 0 ? path.slice(at + 1).split(':') : undefined
  const read = elsewhere
    ? await files.read({
        kind: 'project',
        project: elsewhere[0] ?? '',
        ref: elsewhere[1],
        path: path.slice(0, at),
      })
    : await readConfigFileAt(uses, { project, commit: commit.oid as Oid, path })
  if ('text' in read) return read.text
  throw refuse('Missing CI config file')
}

const hasErrors = ({ diagnostics }: PlanResult): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')

function problemOf(planned: PlanResult): string | undefined {
  const errors = planned.diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return errors.map(({ text }) => text).join(', ')
  return planned.refusal && refusals[planned.refusal]
}

async function store(
  uses: Instance,
  request: PipelineRequest,
  made: {
    facts: PredefinedVariablesInput
    settings: CiSettings
    plan: Plan | undefined
    yaml_errors: string | undefined
  },
): Promise<Pipeline> {
  const { db, clock } = uses
  try {
    const pipeline = await runTransaction(db, async (tx) => {
      const inserted = await insertPlannedPipeline(tx, uses, request, {
        ...made,
        now: timestamp(clock),
      })
      if (made.plan) await advancePipeline(lockNewPipeline(tx, clock, inserted), { isNew: true })
      else await enqueuePipelineEnded(tx, clock, inserted)
      if (made.plan && made.settings.auto_cancel_pending_pipelines === 'enabled') {
        await enqueue(tx, clock, {
          task: pipelineFollowUpTaskNames.cancelOutdated,
          key: String(inserted.id),
          payload: { pipeline_id: inserted.id },
        })
      }
      // The row is read inside the transaction, since the pipeline may be deleted right after the commit.
      return getPipeline(tx, inserted.id)
    })
    wakeWaitingJobRequests()
    return pipeline
  } catch (error) {
    const isTwin = findViolatedIndex(error)?.includes('origin') ?? false
    const twin = isTwin && request.origin && (await findPipelineByOrigin(db, request.origin))
    if (twin) return twin
    throw error
  }
}

/**
 * Enqueues what follows the end of a pipeline that never runs, because its configuration is invalid or its push skipped
 * it.
 */
function enqueuePipelineEnded(tx: Db, clock: Clock, pipeline: Pipeline): Promise<void> {
  const { id: pipeline_id, project_id, status } = pipeline
  return pipelineChangedEffect.run({
    tx,
    clock,
    pipeline_id,
    project_id,
    status,
    before: null,
    jobs: [],
  })
}
