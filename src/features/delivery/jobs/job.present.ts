import { type Static, Type } from 'typebox'
import type { Commit } from '../../../git/objects.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { ciStatuses } from '../../../kernel/ci-status.ts'
import {
  BasicPipelineJson,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { ProfileJson, showProfile } from '../../people/users/show-user.ts'
import { CommitJson, presentCommit } from '../../repository/commits/commit.ts'
import type { Job } from '../pipeline-changes/job.ts'
import type { JobRunner } from './job.store.ts'
import type { Artifact } from './job.ts'

const FileJson = namedObject('JobFile', {
  file_type: Type.String(),
  size: Type.Integer(),
  filename: Type.String(),
  file_format: Type.String(),
  report_error: Type.Optional(Type.String({ description: 'Why a report cannot be read.' })),
})

export const JobRunnerJson = namedObject('JobRunner', {
  id: Type.Integer(),
  description: nullableText,
  ip_address: nullableText,
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: oneOf(['instance_type', 'group_type', 'project_type']),
  name: nullableText,
  online: nullable(Type.Boolean()),
  status: oneOf(['online', 'offline', 'stale', 'never_contacted']),
})

const commonFields = {
  id: Type.Integer(),
  status: oneOf(ciStatuses),
  stage: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  coverage: nullable(Type.Number()),
  allow_failure: Type.Boolean(),
  created_at: Type.String(),
  started_at: nullableText,
  finished_at: nullableText,
  erased_at: nullableText,
  duration: nullable(Type.Number()),
  queued_duration: nullable(Type.Number()),
  user: nullable(ProfileJson),
  commit: nullable(CommitJson),
  pipeline: BasicPipelineJson,
  failure_reason: Type.Optional(nullableText),
  web_url: Type.String(),
  project: namedObject('JobTokenScope', { ci_job_token_scope_enabled: Type.Boolean() }),
}

export const JobJson = namedObject('Job', {
  ...commonFields,
  artifacts_file: Type.Optional(
    namedObject('JobArchive', { filename: Type.String(), size: Type.Integer() }),
  ),
  artifacts: Type.Array(FileJson),
  runner: nullable(JobRunnerJson),
  artifacts_expire_at: nullableText,
  tag_list: Type.Array(Type.String()),
})

export const BridgeJson = namedObject('Bridge', {
  ...commonFields,
  downstream_pipeline: nullable(BasicPipelineJson),
})

/** The records that jobs are presented with, loaded once for a page. */
export type JobPresenterInput = {
  project: Project
  limitsTokens: boolean
  pipelines: ReadonlyMap<number, Pipeline>
  commits: ReadonlyMap<string, Commit>
  users: ReadonlyMap<number, User>
  runners: ReadonlyMap<number, JobRunner>
  tags: ReadonlyMap<number, string[]>
  artifacts: ReadonlyMap<number, Artifact[]>
  now: string
  baseUrl: string
}

function presentCommon(job: Job, view: JobPresenterInput) {
  const pipeline = view.pipelines.get(job.pipeline_id)
  if (!pipeline) throw new Error(`Pipeline ${job.pipeline_id} of job ${job.id} was not loaded.`)
  const user = job.user_id === null ? undefined : view.users.get(job.user_id)
  const commit = view.commits.get(pipeline.sha)
  const url = projectUrl(view.baseUrl, view.project)
  return {
    id: job.id,
    status: job.status,
    stage: job.stage,
    name: job.name,
    ref: job.ref,
    tag: job.tag,
    coverage: job.coverage,
    allow_failure: job.allow_failure,
    created_at: job.created_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    erased_at: job.erased_at,
    duration: job.started_at === null ? null : seconds(job.started_at, job.finished_at ?? view.now),
    queued_duration:
      job.queued_at === null
        ? null
        : seconds(job.queued_at, job.started_at ?? job.finished_at ?? view.now),
    user: user ? showProfile(user, view.baseUrl) : null,
    commit: commit ? presentCommit(commit, url) : null,
    pipeline: presentBasicPipeline(pipeline, view.project, view.baseUrl),
    ...(job.status === 'failed' ? { failure_reason: job.failure_reason } : {}),
    web_url: `${url}/-/jobs/${job.id}`,
    project: { ci_job_token_scope_enabled: view.limitsTokens },
  }
}

export function presentJob(job: Job, view: JobPresenterInput): Static<typeof JobJson> {
  const files = view.artifacts.get(job.id) ?? []
  const archive = files.find(({ file_type }) => file_type === 'archive')
  const runner = job.runner_id === null ? undefined : view.runners.get(job.runner_id)
  return {
    ...presentCommon(job, view),
    ...(archive
      ? { artifacts_file: { filename: archive.filename, size: Number(archive.size) } }
      : {}),
    artifacts: [
      ...files.map(({ file_type, size, filename, file_format, report_error }) => ({
        file_type,
        size: Number(size),
        filename,
        file_format,
        ...(report_error !== null && { report_error }),
      })),
      ...(Number(job.log_bytes) > 0
        ? [
            {
              file_type: 'trace',
              size: Number(job.log_bytes),
              filename: 'job.log',
              file_format: 'raw',
            },
          ]
        : []),
    ],
    runner: runner ? presentJobRunner(runner, view.now) : null,
    artifacts_expire_at: job.artifacts_expire_at,
    tag_list: (job.tag_set_id === null ? undefined : view.tags.get(job.tag_set_id)) ?? [],
  }
}

export function presentBridge(job: Job, view: JobPresenterInput): Static<typeof BridgeJson> {
  const downstream =
    job.downstream_pipeline_id === null ? undefined : view.pipelines.get(job.downstream_pipeline_id)
  return {
    ...presentCommon(job, view),
    downstream_pipeline: downstream
      ? presentBasicPipeline(downstream, view.project, view.baseUrl)
      : null,
  }
}

/** A runner is shown as online for this long after its last contact. It is stale after `runner_stale_ms_min`. */
export const runner_online_ms_max = 2 * 60 * 60_000
export const runner_stale_ms_min = 91 * 24 * 60 * 60_000

/** Returns the status of a runner by its last contact. */
export function runnerStatus(
  { contacted_at, created_at }: Pick<JobRunner, 'contacted_at' | 'created_at'>,
  now: string,
): Pick<Static<typeof JobRunnerJson>, 'online' | 'status'> {
  const now_ms = Date.parse(now)
  if (contacted_at === null) {
    const isStale = now_ms - Date.parse(created_at) > runner_stale_ms_min
    return { online: null, status: isStale ? 'stale' : 'never_contacted' }
  }
  const silent_ms = now_ms - Date.parse(contacted_at)
  const online = silent_ms < runner_online_ms_max
  return {
    online,
    status: online ? 'online' : silent_ms < runner_stale_ms_min ? 'offline' : 'stale',
  }
}

/** Presents a runner inside of jobs and in lists. */
export function presentJobRunner(runner: JobRunner, now: string): Static<typeof JobRunnerJson> {
  return {
    id: runner.id,
    description: runner.description,
    ip_address: runner.ip_address,
    active: !runner.paused,
    paused: runner.paused,
    is_shared: runner.runner_type === 'instance_type',
    runner_type: runner.runner_type,
    name: runner.name,
    ...runnerStatus(runner, now),
  }
}

function seconds(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000
}
