// Payloads of pipelines, jobs and deployments (docs/api/webhooks.md, "Pipelines").

import { isFinal } from '../../../ci/job-states.ts'
import type { Config } from '../../../config.ts'
import type { CiStatus } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import { ciStatusLabel } from '../../delivery/pipelines/status-words.ts'
import {
  findMergeRequestForPayload,
  type MergeRequestForPayload,
} from './issuable-payload.store.ts'
import {
  findDeploymentOfJob,
  findJobForPayload,
  findPipeline,
  findRunners,
  findUpstreamPipeline,
  type JobForPayload,
  listJobsForPayload,
  listSealedPipelineVariables,
  type RunnerForPayload,
} from './payload.store.ts'
import {
  formatWebhookTime,
  presentCommitBlock,
  presentFullRepositoryBlock,
  presentProjectBlock,
  presentShortProjectBlock,
  presentUserBlock,
  webUrlOfProject,
} from './payload-blocks.ts'
import { findProjectForPayload, type ProjectForPayload } from './webhook-payload.ts'
import type { WebhookSubject } from './webhook-subject.ts'

type Of<Kind extends WebhookSubject['kind']> = Extract<WebhookSubject, { kind: Kind }>

export async function buildPipelinePayload(
  uses: Instance,
  { pipeline_id, status }: Of<'pipeline'>,
) {
  const { db, config, secretKey } = uses
  const pipeline = await findPipeline(db, pipeline_id)
  const project = pipeline && (await findProjectForPayload(db, pipeline.project_id))
  if (!pipeline || !project) return undefined
  const jobs = await listJobsForPayload(db, pipeline_id)
  const users = await findUsersByIds(db, [pipeline.user_id, ...jobs.map(({ user_id }) => user_id)])
  const runners = await findRunners(
    db,
    jobs.map(({ runner_id }) => runner_id),
  )
  const user = pipeline.user_id === null ? undefined : users.get(pipeline.user_id)
  const variables = await listSealedPipelineVariables(db, pipeline_id)
  const commit = await findCommit(uses, project, pipeline.sha)
  const upstream =
    pipeline.upstream_job_id === null
      ? undefined
      : await findUpstreamPipeline(db, pipeline.upstream_job_id)
  const request =
    pipeline.merge_request_id === null
      ? undefined
      : await findMergeRequestForPayload(db, pipeline.merge_request_id)
  const web_url = webUrlOfProject(config, project)
  const hasEnded = isFinal(status)
  const hasWarnings = jobs.some((job) => job.status === 'failed' && job.allow_failure)
  const builds = jobs.filter(({ kind }) => kind !== 'external')
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: pipeline.id,
      iid: pipeline.iid,
      name: pipeline.name,
      ref: pipeline.ref,
      tag: pipeline.tag,
      sha: pipeline.sha,
      before_sha: pipeline.before_sha ?? '0'.repeat(40),
      source: pipeline.source,
      status,
      detailed_status: ciStatusLabel(status, { hasWarnings }),
      stages: [...new Set(jobs.map(({ stage }) => stage))],
      created_at: formatWebhookTime(pipeline.created_at),
      finished_at: hasEnded ? formatWebhookTime(pipeline.finished_at) : null,
      duration: hasEnded ? whole(pipeline.duration) : null,
      queued_duration: whole(pipeline.queued_duration),
      protected_ref: pipeline.protected,
      variables: variables.map(({ key, value }) => ({ key, value: openSecret(secretKey, value) })),
      url: `${web_url}/-/pipelines/${pipeline.id}`,
    },
    merge_request: request ? mergeRequestBlock(config, project, request) : null,
    user: user ? presentUserBlock(config, user) : null,
    project: presentShortProjectBlock(config, project),
    commit: commit ? presentCommitBlock(commit, web_url) : null,
    ...(upstream
      ? {
          source_pipeline: {
            project: {
              id: upstream.project_id,
              web_url: `${serverUrl(config)}/${upstream.namespace_path}/${upstream.path}`,
              path_with_namespace: `${upstream.namespace_path}/${upstream.path}`,
            },
            job_id: upstream.job_id,
            pipeline_id: upstream.pipeline_id,
          },
        }
      : {}),
    builds: builds.map((job) => {
      const runner = job.runner_id === null ? undefined : runners.get(job.runner_id)
      const starter = job.user_id === null ? undefined : users.get(job.user_id)
      return buildBlock(uses, job, { runner, user: starter })
    }),
  }
}

function mergeRequestBlock(
  config: Config,
  project: ProjectForPayload,
  request: MergeRequestForPayload,
) {
  const { id, iid, title, state, source_branch, source_project_id } = request
  return {
    ...{ id, iid, title, source_branch, source_project_id },
    target_branch: request.target_branch,
    target_project_id: request.project_id,
    state,
    merge_status: request.merge_status,
    url: `${webUrlOfProject(config, project)}/-/merge_requests/${iid}`,
  }
}

function buildBlock(
  { config, clock }: Instance,
  job: JobForPayload,
  { runner, user }: { runner: RunnerForPayload | undefined; user: User | undefined },
) {
  const now = clock().toISOString()
  return {
    id: job.id,
    stage: job.stage,
    name: job.name,
    status: job.status,
    created_at: formatWebhookTime(job.created_at),
    started_at: formatWebhookTime(job.started_at),
    finished_at: formatWebhookTime(job.finished_at),
    duration: secondsOf(job.started_at, job.finished_at ?? now),
    queued_duration: secondsOf(job.queued_at, job.started_at ?? job.finished_at ?? now),
    failure_reason: job.status === 'failed' ? job.failure_reason : null,
    when: job.run_when ?? 'on_success',
    manual: job.run_when === 'manual',
    allow_failure: job.allow_failure,
    user: user ? presentUserBlock(config, user) : null,
    runner: runner ? runnerBlock(runner) : null,
    artifacts_file: {
      filename: job.archive_name,
      size: job.archive_size === null ? null : Number(job.archive_size),
    },
    environment:
      job.environment_name === null
        ? null
        : {
            name: job.environment_name,
            action: actionOf(job),
            deployment_tier: job.environment_tier,
          },
  }
}

function runnerBlock({ id, description, runner_type, paused, tags }: RunnerForPayload) {
  return {
    id,
    description,
    runner_type,
    active: !paused,
    is_shared: runner_type === 'instance_type',
    tags,
  }
}

/** Returns the action of a job on its environment, as configured. */
function actionOf({ options }: JobForPayload): string {
  const environment = options?.environment as { action?: string } | undefined
  return environment?.action ?? 'start'
}

export async function buildJobPayload(uses: Instance, { job_id, status }: Of<'job'>) {
  const { db, config, clock } = uses
  const job = await findJobForPayload(db, job_id)
  const project = job && (await findProjectForPayload(db, job.project_id))
  const pipeline = job && (await findPipeline(db, job.pipeline_id))
  if (!job || !project || !pipeline) return undefined
  const users = await findUsersByIds(db, [job.user_id])
  const user = job.user_id === null ? undefined : users.get(job.user_id)
  const runners = await findRunners(db, [job.runner_id])
  const runner = job.runner_id === null ? undefined : runners.get(job.runner_id)
  const commit = await findCommit(uses, project, pipeline.sha)
  const hasStarted = job.started_at !== null && isAtLeast(status, 'running')
  const hasEnded = isFinal(status)
  const now = clock().toISOString()
  return {
    object_kind: 'build',
    ref: job.ref,
    tag: job.tag,
    before_sha: pipeline.before_sha ?? '0'.repeat(40),
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: status,
    build_created_at: formatWebhookTime(job.created_at),
    build_started_at: hasStarted ? formatWebhookTime(job.started_at) : null,
    build_finished_at: hasEnded ? formatWebhookTime(job.finished_at) : null,
    build_duration: hasStarted
      ? exactly(job.started_at, (hasEnded ? job.finished_at : null) ?? now)
      : null,
    build_queued_duration: exactly(job.queued_at, job.started_at ?? job.finished_at ?? now),
    build_allow_failure: job.allow_failure,
    build_failure_reason:
      (status === 'failed' ? job.failure_reason : undefined) ?? 'unknown_failure',
    pipeline_id: pipeline.id,
    runner: runner ? runnerBlock(runner) : null,
    project_id: project.id,
    project_name: project.full_name,
    user: user ? presentUserBlock(config, user) : null,
    commit: {
      id: pipeline.id,
      name: pipeline.name,
      sha: pipeline.sha,
      message: commit?.message ?? null,
      author_name: commit?.author.name ?? null,
      author_email: commit?.author.email ?? null,
      author_url: commit ? `mailto:${commit.author.email}` : null,
      status: pipeline.status,
      duration: whole(pipeline.duration),
      started_at: formatWebhookTime(pipeline.started_at),
      finished_at: formatWebhookTime(pipeline.finished_at),
    },
    repository: presentFullRepositoryBlock(config, project),
    environment:
      job.environment_name === null
        ? null
        : {
            name: job.environment_name,
            action: actionOf(job),
            deployment_tier: job.environment_tier,
          },
  }
}

export async function buildDeploymentPayload(
  uses: Instance,
  { job_id, status, at }: Of<'deployment'>,
) {
  const { db, config } = uses
  const deployment = await findDeploymentOfJob(db, job_id)
  const project = deployment && (await findProjectForPayload(db, deployment.project_id))
  if (!deployment || !project) return undefined
  const users = await findUsersByIds(db, [deployment.user_id])
  const user = deployment.user_id === null ? undefined : users.get(deployment.user_id)
  const commit = await findCommit(uses, project, deployment.sha)
  const web_url = webUrlOfProject(config, project)
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: `${at.slice(0, 19).replace('T', ' ')} +0000`,
    deployment_id: deployment.id,
    deployable_id: job_id,
    deployable_url: `${web_url}/-/jobs/${job_id}`,
    environment: deployment.environment,
    environment_tier: deployment.tier,
    environment_slug: deployment.slug,
    environment_external_url: deployment.external_url,
    project: presentProjectBlock(config, project),
    ref: deployment.ref,
    short_sha: deployment.sha.slice(0, 8),
    user: user ? presentUserBlock(config, user) : null,
    user_url: user ? `${serverUrl(config)}/${user.username}` : null,
    commit_url: `${web_url}/-/commit/${deployment.sha}`,
    commit_title: commit?.message.split('\n', 1)[0] ?? null,
  }
}

function findCommit(
  { git, config }: Instance,
  project: ProjectForPayload,
  sha: string,
): Promise<Commit | undefined> {
  return git.objects.commit(projectRepository(config, project), sha as Oid)
}

const isAtLeast = (status: CiStatus, least: 'running'): boolean =>
  status === least || isFinal(status)

/** Rounds down, since receivers written in Go declare these fields as integers. */
function whole(seconds: number | null): number | null {
  return seconds === null ? null : Math.floor(seconds)
}

function exactly(from: string | null, to: string): number | null {
  return from === null ? null : (Date.parse(to) - Date.parse(from)) / 1000
}

function secondsOf(from: string | null, to: string): number | null {
  return whole(exactly(from, to))
}
