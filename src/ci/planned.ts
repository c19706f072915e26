// The input and output types of the engine, shared with the code that creates pipelines.

/** The causes of pipelines, as in `CI_PIPELINE_SOURCE`. */
export const pipelineSources = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
] as const
export type PipelineSource = (typeof pipelineSources)[number]

/** A file that a configuration includes, by location. */
export type Include =
  | { kind: 'local'; path: string }
  | { kind: 'project'; project: string; ref: string | undefined; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'remote'; url: string }
  /** A file that a job of the parent pipeline has created. */
  | { kind: 'artifact'; job: string; path: string }

/** The access that a configuration has to the repository and its context. */
export type ConfigFiles = {
  /** Returns the text of an included file, or the message why it cannot be included. */
  read(file: Include): Promise<{ text: string } | { problem: string }>
  /** Lists all paths of the project at the commit, for wildcards in local includes and for `exists`. */
  listPaths(): Promise<readonly string[]>
  /**
   * Lists the paths that the event changed, compared with `compareTo` if given. Returns undefined if there is
   * no base.
   */
  listChanges(compareTo: string | undefined): Promise<readonly string[] | undefined>
}

/** The event for which a pipeline is planned. */
export type PipelineEvent = {
  source: PipelineSource
  /** The short name of the branch or tag. */
  ref: string
  tag: boolean
  /** The full path of the project, for `only: [main@group/project]`. */
  project_path: string
  /** Predefined variables. Variables of the configuration override them. */
  predefined: Readonly<Record<string, string>>
  /** Variables of the instance, groups, project and pipeline. They override variables of the configuration. */
  given: Readonly<Record<string, string>>
}

/** A variable of the configuration. `description` and `options` are for the form that starts a pipeline by hand. */
export type PlannedVariable = {
  key: string
  value: string
  raw?: true
  description?: string
  options?: string[]
}

export type PlannedNeed = {
  name: string
  /** Whether to download the archive of the needed job. */
  artifacts: boolean
  optional: boolean
}

/** A job of another pipeline whose artifacts a job downloads. */
export type PlannedForeignNeed =
  | { kind: 'project'; project: string; ref: string; job: string; artifacts: boolean }
  /** `pipeline` is the id of the parent or another ancestor pipeline, often given as a variable. */
  | { kind: 'pipeline'; pipeline: string; job: string; artifacts: boolean }

export const retryReasons = [
  'always',
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'missing_dependency_failure',
] as const

export type PlannedArtifacts = {
  name?: string
  paths?: string[]
  exclude?: string[]
  untracked?: boolean
  when?: 'on_success' | 'on_failure' | 'always'
  /** The text as written. The runner sends it back. */
  expire_in?: string
  expose_as?: string
  public?: boolean
  /** The paths of reports by type (`junit`, `dotenv`, ...). */
  reports?: Record<string, string[]>
}

export type PlannedCache = {
  /** The key as written. `files` are resolved when the job is handed to a runner. */
  key?: string | { files: string[]; prefix?: string }
  paths?: string[]
  untracked?: boolean
  policy?: 'pull' | 'push' | 'pull-push'
  when?: 'on_success' | 'on_failure' | 'always'
  unprotect?: boolean
  fallback_keys?: string[]
}

export type PlannedImage = {
  name: string
  entrypoint?: string[]
  pull_policy?: string[]
  docker?: { platform?: string; user?: string }
  kubernetes?: Record<string, unknown>
}

export type PlannedService = PlannedImage & {
  alias?: string
  command?: string[]
  variables?: Record<string, string>
}

export type PlannedEnvironment = {
  name: string
  url?: string
  on_stop?: string
  action: 'start' | 'prepare' | 'stop' | 'verify' | 'access'
  /** The text as written. */
  auto_stop_in?: string
  deployment_tier?: string
  kubernetes?: Record<string, unknown>
}

export type PlannedRelease = {
  tag_name: string
  tag_message?: string
  name?: string
  description: string
  ref?: string
  milestones?: string[]
  released_at?: string
  assets?: { links: Record<string, string>[] }
}

/** The pipeline that a trigger job creates: one of another project, or a child pipeline. */
export type PlannedTrigger = {
  strategy?: 'depend' | 'mirror'
  forward: { yaml_variables: boolean; pipeline_variables: boolean }
} & ({ project: string; branch?: string } | { include: Include[] })

/** The options of a job that only runners read. Empty lists are left out. */
export type JobOptions = {
  before_script?: string[]
  script?: string[]
  after_script?: string[]
  hooks?: { pre_get_sources_script?: string[] }
  image?: PlannedImage
  services?: PlannedService[]
  artifacts?: PlannedArtifacts
  cache?: PlannedCache[]
  /**
   * The jobs whose archives are downloaded. If undefined, these are the needed jobs, or all jobs of earlier
   * stages.
   */
  dependencies?: string[]
  foreign_needs?: PlannedForeignNeed[]
  retry?: { max: number; when: string[]; exit_codes?: number[] }
  allow_failure_exit_codes?: number[]
  release?: PlannedRelease
  pages?: { publish?: string }
  secrets?: Record<string, unknown>
  id_tokens?: Record<string, { aud: string | string[] }>
  trigger?: PlannedTrigger
  /** The expression between the slashes. Its flags are written in front, as `(?i)`. */
  coverage?: string
  environment?: PlannedEnvironment
  manual_confirmation?: string
}

/** A job of a planned pipeline, with everything its row and its runner need. */
export type PlannedJob = {
  name: string
  kind: 'build' | 'bridge'
  stage: string
  when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'
  /** The delay of a `delayed` job. */
  start_in_s?: number
  allow_failure: boolean
  /** If undefined, the job waits for the earlier stages; if empty, for nothing. */
  needs?: PlannedNeed[]
  /** The tags with expanded variables. */
  tags: string[]
  /**
   * Variables of the configuration, including those of rules and the matrix, in the order in which runners
   * get them.
   */
  variables: PlannedVariable[]
  /** The name with the variables expanded that are known when the pipeline is created. */
  resource_group?: string
  interruptible: boolean
  timeout_s?: number
  /** For a copy of a parallel job: its number, starting at 1, and the number of copies. */
  parallel?: { index: number; total: number }
  options: JobOptions
}

/** A planned pipeline, before any row is written. */
export type Plan = {
  name?: string
  /** The stages that have jobs, in order. */
  stages: string[]
  jobs: PlannedJob[]
  auto_cancel?: {
    on_new_commit?: 'conservative' | 'interruptible' | 'none'
    on_job_failure?: 'all' | 'none'
  }
}

/** A problem of a configuration. `text` is the message that clients receive. */
export type Diagnostic = {
  severity: 'error' | 'warning'
  text: string
  /** The location of the problem, if known. Lines and columns start at 1. */
  file?: string
  line?: number
  column?: number
  /** The problem concerns this event only, since the jobs that its rules select do not fit together. */
  isOfEvent?: true
}

/** Why a configuration without errors makes no pipeline. */
export type PlanRefusal = 'workflow' | 'no-jobs'

export type IncludedFile = Include & { blob?: string }

/** A job as the configuration defines it, before its rules are evaluated (`include_jobs` of the lint operation). */
export type ConfiguredJob = {
  name: string
  stage: string
  before_script: string[]
  script: string[]
  after_script: string[]
  tag_list: string[]
  only: unknown
  except: unknown
  environment: string | null
  when: string
  allow_failure: boolean
  needs: { name: string; artifacts: boolean; optional: boolean }[] | null
}

export type PlanResult = {
  diagnostics: Diagnostic[]
  /**
   * The configuration as YAML with includes and `extends` resolved. Undefined if it cannot be parsed or is
   * too long.
   */
  merged_yaml: string | undefined
  includes: IncludedFile[]
  jobs: ConfiguredJob[]
  /** The variables of the configuration. */
  variables: PlannedVariable[]
  /** Undefined if there are errors or the plan was refused. */
  plan: Plan | undefined
  refusal: PlanRefusal | undefined
}

/*
 * The only entry point of the engine, in `plan-pipeline.ts`:
 *   planPipeline({ text, path, event, files }): Promise<PlanResult>
 * It never throws because of an invalid configuration.
 */
