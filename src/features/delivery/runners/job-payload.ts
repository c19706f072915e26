// The payload of a job for its runner (docs/api/runners.md, "A job").

import { hash } from 'node:crypto'
import { createVariableLookup, expandVariables, type VariableLookup } from '../../../ci/expand.ts'
import type { JobOptions, PlannedArtifacts, PlannedCache } from '../../../ci/planned.ts'
import type {
  JobArtifacts,
  JobCache,
  JobImage,
  JobPayload,
  JobStep,
  JobVariable,
} from '../../../ci/protocol.ts'
import { checkTreePath, type Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { findJobDeployToken } from '../../repository/deploy-tokens/deploy-token.ts'
import { artifactFormatOf, defaultReportFileNames } from '../artifacts/report-formats.ts'
import { findEnvironmentSlug } from '../deployments/deployment.ts'
import { failureReasons } from '../jobs/failure-reasons.ts'
import { listJobVariables } from '../jobs/job.ts'
import type { Job, JobSpec } from '../pipeline-changes/job.ts'
import { collectPredefinedVariablesEffect } from '../pipeline-creation/collect-predefined-variables.ts'
import { type CiSettings, getCiSettings, listPipelineVariables } from '../pipelines/pipeline.ts'
import { buildPredefinedVariables } from '../pipelines/pipeline-variables.ts'
import { collectCiVariables } from '../variables/collect-variables.ts'
import { collectEnvironmentVariablesEffect } from './collect-environment-variables.ts'
import type { JobDependencyWithArchive } from './dependencies.ts'
import { createIdTokenVariables } from './id-tokens.ts'
import type { Runner } from './runner.store.ts'

export type JobPayloadSource = {
  job: Job
  spec: JobSpec
  dependencies: JobDependencyWithArchive[]
  pipeline: Pipeline
  project: Project
  runner: Runner
  token: string
  baseUrl: string
}

/** Returns the payload of a job that a runner has claimed. */
export async function buildJobPayload(
  uses: Instance,
  handed: JobPayloadSource,
): Promise<JobPayload> {
  const { job, spec, dependencies, pipeline, project, runner, token } = handed
  const options = spec.options as JobOptions & { parallel?: { index: number; total: number } }
  const settings = await getCiSettings(uses.db, project.id)
  const timeout_s = Math.min(
    job.timeout_s ?? settings.build_timeout,
    runner.maximum_timeout ?? Number.MAX_SAFE_INTEGER,
  )
  const variables = await variablesOf(uses, handed, {
    options,
    own: spec.variables as { key: string; value: string; raw?: true }[],
    settings,
  })
  const values = Object.fromEntries(variables.map(({ key, value }) => [key, value]))
  const config_path = settings.ci_config_path || '.gitlab-ci.yml'
  const bearer = { job, pipeline, project, runner, baseUrl: handed.baseUrl, options }
  const idTokens = await createIdTokenVariables(
    uses,
    { ...bearer, timeout_s, config_path },
    createVariableLookup(values),
  )
  return {
    id: job.id,
    token,
    allow_git_fetch: settings.build_git_strategy === 'fetch',
    job_info: {
      id: job.id,
      name: job.name,
      stage: job.stage,
      project_id: project.id,
      project_name: project.path,
      project_full_path: project.full_path,
      pipeline_id: pipeline.id,
      namespace_id: project.namespace_id,
    },
    git_info: gitInfoOf(handed, settings, values),
    runner_info: { timeout: timeout_s, runner_session_url: null },
    variables: [...variables, ...idTokens],
    steps: stepsOf(options, timeout_s),
    image: options.image ? imageOf(options.image) : null,
    services: (options.services ?? []).map((service) => ({
      ...imageOf(service),
      alias: service.alias ?? null,
      command: service.command ?? null,
      variables: Object.entries(service.variables ?? {}).map(([key, value]) => ({
        key,
        value,
        public: true,
        masked: false,
      })),
    })),
    artifacts: artifactsOf(options.artifacts),
    cache: await cachesOf(uses, handed, {
      caches: options.cache ?? [],
      variables: createVariableLookup(values),
    }),
    credentials: [],
    dependencies: dependencies.map((dependency) => ({
      id: dependency.job.id,
      name: dependency.job.name,
      token,
      ...(dependency.archive
        ? {
            artifacts_file: {
              filename: dependency.archive.filename,
              size: Number(dependency.archive.size),
            },
          }
        : {}),
    })),
    features: {
      trace_sections: true,
      token_mask_prefixes: ['glpat-', 'glcbt-', 'glrt-'],
      failure_reasons: failureReasons,
    },
    ...(options.hooks?.pre_get_sources_script
      ? {
          hooks: [{ name: 'pre_get_sources_script', script: options.hooks.pre_get_sources_script }],
        }
      : {}),
    ...(options.secrets ? { secrets: options.secrets } : {}),
  }
}

const depthPattern = /^\d{1,9}$/

function gitInfoOf(
  { pipeline, project, token, baseUrl }: JobPayloadSource,
  settings: CiSettings,
  values: Record<string, string>,
): JobPayload['git_info'] {
  const given = values.GIT_DEPTH ?? ''
  const depth = depthPattern.test(given) ? Number(given) : (settings.ci_default_git_depth ?? 0)
  const own = `+refs/pipelines/${pipeline.id}:refs/pipelines/${pipeline.id}`
  const one = pipeline.tag
    ? `+refs/tags/${pipeline.ref}:refs/tags/${pipeline.ref}`
    : `+refs/heads/${pipeline.ref}:refs/remotes/origin/${pipeline.ref}`
  // The commit of a merge request pipeline may be on no branch.
  const ones = pipeline.ref.startsWith('refs/') ? [] : [one]
  const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
  return {
    repo_url: repositoryUrl({ baseUrl, project, token }),
    ref: pipeline.ref,
    sha: pipeline.sha,
    before_sha: pipeline.before_sha ?? '0'.repeat(40),
    ref_type: pipeline.tag ? 'tag' : 'branch',
    refspecs: [own, ...(depth > 0 ? ones : all)],
    depth,
    protected: pipeline.protected,
    repo_object_format: 'sha1',
  }
}

function repositoryUrl({
  baseUrl,
  project,
  token,
}: Pick<JobPayloadSource, 'baseUrl' | 'project' | 'token'>): string {
  const url = new URL(`${baseUrl}/${project.full_path}.git`)
  url.username = 'gitlab-ci-token'
  url.password = token
  return url.href
}

type Image = NonNullable<JobOptions['image']>

function imageOf({ name, entrypoint, pull_policy, docker }: Image): JobImage {
  return {
    name,
    entrypoint: entrypoint ?? null,
    ports: [],
    ...(pull_policy ? { pull_policy } : {}),
    ...(docker ? { executor_opts: { docker } } : {}),
  }
}

/** `after_script` has a timeout of five minutes, whatever the timeout of the job. */
function stepsOf(options: JobOptions, timeout_s: number): JobStep[] {
  const { before_script = [], script = [], after_script = [], release } = options
  const step = (name: string, commands: string[]): JobStep => ({
    name,
    script: commands,
    timeout: timeout_s,
    when: 'on_success',
    allow_failure: false,
  })
  const steps = [step('script', [...before_script, ...script])]
  if (release) steps.push(step('release', [releaseCommand(release)]))
  if (after_script.length > 0) {
    steps.push({ ...step('after_script', after_script), when: 'always', allow_failure: true })
  }
  return steps
}

function releaseCommand(release: NonNullable<JobOptions['release']>): string {
  const quote = (text: string) => `"${text.replace(/(["`\\])/g, '\\$1')}"`
  const parts = ['release-cli create']
  const add = (flag: string, value: string | undefined) => {
    if (value !== undefined) parts.push(`--${flag} ${quote(value)}`)
  }
  add('name', release.name)
  add('description', release.description)
  add('tag-name', release.tag_name)
  add('tag-message', release.tag_message)
  add('ref', release.ref)
  add('released-at', release.released_at)
  for (const milestone of release.milestones ?? []) add('milestone', milestone)
  for (const link of release.assets?.links ?? [])
    parts.push(`--assets-link '${JSON.stringify(link).replaceAll("'", '')}'`)
  return parts.join(' ')
}

function artifactsOf(artifacts: PlannedArtifacts | undefined): JobArtifacts[] {
  if (!artifacts) return []
  const { paths = [], exclude = [], untracked = false, when = 'on_success', expire_in } = artifacts
  const common = { when, ...(expire_in === undefined ? {} : { expire_in }) }
  const archive: JobArtifacts = {
    ...common,
    ...(artifacts.name === undefined ? {} : { name: artifacts.name }),
    untracked,
    paths,
    ...(exclude.length > 0 ? { exclude } : {}),
    artifact_type: 'archive',
    artifact_format: 'zip',
  }
  const reports = Object.entries(artifacts.reports ?? {}).map(
    ([type, reportPaths]): JobArtifacts => ({
      ...common,
      // Reports are uploaded for failed jobs too, since they explain the failure.
      when: 'always',
      name: defaultReportFileNames.get(type) ?? `${type}`,
      untracked: false,
      paths: reportPaths,
      artifact_type: type,
      artifact_format: artifactFormatOf(type),
    }),
  )
  return [...(paths.length > 0 || untracked ? [archive] : []), ...reports]
}

async function cachesOf(
  uses: Instance,
  handed: JobPayloadSource,
  { caches, variables }: { caches: readonly PlannedCache[]; variables: VariableLookup },
): Promise<JobCache[]> {
  const suffix = (cache: PlannedCache) =>
    handed.job.protected && !cache.unprotect ? '-protected' : '-non_protected'
  return Promise.all(
    caches.map(async (cache) => ({
      key: `${await cacheKey(uses, handed, cache, variables)}${suffix(cache)}`,
      untracked: cache.untracked ?? false,
      policy: cache.policy ?? 'pull-push',
      paths: cache.paths ?? [],
      when: cache.when ?? 'on_success',
      fallback_keys: (cache.fallback_keys ?? []).map((key) => `${key}${suffix(cache)}`),
    })),
  )
}

/** Returns the key as written, or a digest of the commits that last changed the files that it names. */
async function cacheKey(
  { git, config }: Instance,
  { project, pipeline }: JobPayloadSource,
  { key }: PlannedCache,
  variables: VariableLookup,
): Promise<string> {
  if (key === undefined) return 'default'
  if (typeof key === 'string') return key
  const repository = projectRepository(config, project)
  const commits = await Promise.all(
    key.files.map((file) => {
      const text = expandVariables(file, variables, limits.ci.path_characters)
      const checked = text === undefined ? undefined : checkTreePath(text)
      // No file in a tree can have such a path.
      if (!checked || 'problem' in checked) return undefined
      return git.history.lastCommit(repository, pipeline.sha as Oid, checked.path)
    }),
  )
  const found = commits.filter((commit) => commit !== undefined)
  const digest = found.length === 0 ? 'default' : hash('sha1', found.toSorted().join('-'))
  return key.prefix === undefined ? digest : `${key.prefix}-${digest}`
}

type Own = { key: string; value: string; raw?: true }

/** Returns the variables in ascending order of precedence (docs/api/ci.md, "Variables"). */
async function variablesOf(
  uses: Instance,
  handed: JobPayloadSource,
  {
    options,
    own,
    settings,
  }: {
    options: JobOptions & { parallel?: { index: number; total: number } }
    own: readonly Own[]
    settings: CiSettings
  },
): Promise<JobVariable[]> {
  const { db, secretKey } = uses
  const { job, pipeline, project, dependencies } = handed
  const environment = options.environment?.name
  const [collected, started, played, written] = await Promise.all([
    collectCiVariables(uses, { project, isProtected: job.protected, environment }),
    listPipelineVariables(db, pipeline.id),
    listJobVariables(db, { jobIds: [job.id], source: 'play' }),
    listJobVariables(db, {
      jobIds: dependencies.map((dependency) => dependency.job.id),
      source: 'dotenv',
    }),
  ])
  const open = (value: string) => openSecret(secretKey, value)
  return [
    ...(await predefinedOf(uses, handed, { options, settings })),
    ...(await deployVariables(uses, project)),
    ...(await deploymentVariables(uses, handed, options.environment)),
    ...own.map(({ key, value, raw }) => ({
      key,
      value,
      public: true,
      masked: false,
      ...(raw ? { raw } : {}),
    })),
    ...written.map(({ key, value }) => ({
      key,
      value: open(value),
      public: false,
      masked: false,
      raw: true as const,
    })),
    ...collected.map(({ key, value, masked, raw, variable_type }) => ({
      key,
      value,
      public: false,
      masked,
      ...(variable_type === 'file' ? { file: true as const } : {}),
      ...(raw ? { raw: true as const } : {}),
    })),
    ...started.map(({ key, value, variable_type, raw }) => ({
      key,
      value: open(value),
      public: false,
      masked: false,
      ...(variable_type === 'file' ? { file: true as const } : {}),
      ...(raw ? { raw: true as const } : {}),
    })),
    ...played.map(({ key, value }) => ({ key, value: open(value), public: false, masked: false })),
  ]
}

/** The variables of the deploy token for jobs (docs/api/deploy-tokens.md, "Jobs"). */
async function deployVariables({ db, clock, secretKey }: Instance, project: Project) {
  const token = await findJobDeployToken({ db, clock }, project.id)
  if (!token) return []
  return [
    { key: 'CI_DEPLOY_USER', value: token.username, public: true, masked: false },
    {
      key: 'CI_DEPLOY_PASSWORD',
      value: openSecret(secretKey, token.token),
      public: false,
      masked: true,
    },
  ]
}

/** The variables about the environment that a job deploys to. */
async function deploymentVariables(
  uses: Instance,
  { job, project }: JobPayloadSource,
  environment: JobOptions['environment'],
): Promise<JobVariable[]> {
  if (!environment) return []
  const { name, kubernetes } = environment
  const slug = await findEnvironmentSlug(uses.db, job.environment_id ?? 0)
  const asked = kubernetes?.namespace
  const namespace = typeof asked === 'string' ? asked : undefined
  const variables: JobVariable[] = []
  const described = { environment: { name, slug, namespace }, isProtected: job.protected }
  await collectEnvironmentVariablesEffect.run({ uses, project, ...described, variables })
  return variables
}

async function predefinedOf(
  { db, git, config }: Instance,
  handed: JobPayloadSource,
  {
    options,
    settings,
  }: {
    options: JobOptions & { parallel?: { index: number; total: number } }
    settings: CiSettings
  },
): Promise<JobVariable[]> {
  const { job, pipeline, project, runner, token, baseUrl } = handed
  const repository = projectRepository(config, project)
  const commit = await git.objects.commit(repository, pipeline.sha as Oid)
  if (!commit) throw new Error(`Commit ${pipeline.sha} of pipeline ${pipeline.id} was not found.`)
  const user = job.user_id === null ? undefined : await findUser(db, job.user_id)
  const plain = buildPredefinedVariables({
    project,
    baseUrl,
    pages: config.pages,
    source: pipeline.source,
    ref: pipeline.ref,
    tag: pipeline.tag,
    isProtected: pipeline.protected,
    commit,
    before_sha: pipeline.before_sha,
    config_path: settings.ci_config_path || '.gitlab-ci.yml',
    user,
    event_variables: pipeline.event_variables,
  })
  await collectPredefinedVariablesEffect.run({ db, project, variables: plain })
  const { environment, image, parallel } = options
  const more: Record<string, string> = {
    ...plain,
    CI_PIPELINE_ID: String(pipeline.id),
    CI_PIPELINE_IID: String(pipeline.iid),
    CI_PIPELINE_URL: `${baseUrl}/${project.full_path}/-/pipelines/${pipeline.id}`,
    CI_PIPELINE_CREATED_AT: pipeline.created_at,
    ...(pipeline.name === null ? {} : { CI_PIPELINE_NAME: pipeline.name }),
    CI_JOB_ID: String(job.id),
    CI_JOB_URL: `${baseUrl}/${project.full_path}/-/jobs/${job.id}`,
    CI_JOB_NAME: job.name,
    CI_JOB_STAGE: job.stage,
    CI_JOB_STARTED_AT: job.started_at ?? '',
    ...(job.run_when === 'manual' ? { CI_JOB_MANUAL: 'true' } : {}),
    ...(image ? { CI_JOB_IMAGE: image.name } : {}),
    CI_BUILD_ID: String(job.id),
    CI_BUILD_NAME: job.name,
    CI_BUILD_STAGE: job.stage,
    CI_NODE_TOTAL: String(parallel?.total ?? 1),
    ...(parallel ? { CI_NODE_INDEX: String(parallel.index) } : {}),
    CI_RUNNER_ID: String(runner.id),
    CI_RUNNER_DESCRIPTION: runner.description ?? '',
    CI_RUNNER_TAGS: JSON.stringify(runner.tags),
    ...(environment
      ? {
          CI_ENVIRONMENT_NAME: environment.name,
          CI_ENVIRONMENT_SLUG: await findEnvironmentSlug(db, job.environment_id ?? 0),
          CI_ENVIRONMENT_ACTION: environment.action,
          ...(environment.url ? { CI_ENVIRONMENT_URL: environment.url } : {}),
          ...(environment.deployment_tier
            ? { CI_ENVIRONMENT_TIER: environment.deployment_tier }
            : {}),
        }
      : {}),
  }
  const secrets: Record<string, string> = {
    CI_JOB_TOKEN: token,
    CI_BUILD_TOKEN: token,
    CI_REGISTRY_PASSWORD: token,
    CI_REPOSITORY_URL: repositoryUrl({ baseUrl, project, token }),
  }
  return [
    ...Object.entries(more).map(([key, value]) => ({ key, value, public: true, masked: false })),
    { key: 'CI_REGISTRY_USER', value: 'gitlab-ci-token', public: true, masked: false },
    ...Object.entries(secrets).map(([key, value]) => ({
      key,
      value,
      public: false,
      masked: key !== 'CI_REPOSITORY_URL',
    })),
  ]
}
