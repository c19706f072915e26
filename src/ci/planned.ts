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

/** A file that a configuration includes, by where it is. */
export type Include =
  | { kind: 'local'; path: string }
  | { kind: 'project'; project: string; ref: string | undefined; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'remote'; url: string }
  /** Made by a job of the parent pipeline. */
  | { kind: 'artifact'; job: string; path: string }

/** The repository and the context, as far as a configuration reaches them. */
export type ConfigFiles = {
  /** The text of an included file, or why there is none, in the words a client is told. */
  read(file: Include): Promise<{ text: string } | { problem: string }>
  /** Every path of the project at the commit, for wildcards of local includes and `exists`. */
  listPaths(): Promise<readonly string[]>
  /** Paths the event changed, against `compareTo` if given; undefined where nothing is to compare with. */
  listChanges(compareTo: string | undefined): Promise<readonly string[] | undefined>
}

/** For what a pipeline is planned. */
export type PipelineEvent = {
  source: PipelineSource
  /** Short name of the branch or tag. */
  ref: string
  tag: boolean
  /** Full path of the project, for `only: [main@group/project]`. */
  project_path: string
  /** Variables that give way to those of the configuration: the predefined ones. */
  predefined: Readonly<Record<string, string>>
  /** Variables that win over those of the configuration: instance, group, project, pipeline. */
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
  /** Whether the archive of the needed job is fetched. */
  artifacts: boolean
  optional: boolean
}

/** A job of another pipeline whose artifacts a job downloads. */
export type PlannedForeignNeed =
  | { kind: 'project'; project: string; ref: string; job: string; artifacts: boolean }
  /** `pipeline` is an id, often as a variable, of the pipeline or an upstream one. */
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
  /** The text as written, which the runner hands back. */
  expire_in?: string
  expose_as?: string
  public?: boolean
  /** Type of report (`junit`, `dotenv`, ...) to its paths. */
  reports?: Record<string, string[]>
}

export type PlannedCache = {
  /** As written; files are resolved by who hands the job out. */
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
  /** Jobs whose archives are fetched; unsaid means those before it, or those needed. */
  dependencies?: string[]
  foreign_needs?: PlannedForeignNeed[]
  retry?: { max: number; when: string[]; exit_codes?: number[] }
  allow_failure_exit_codes?: number[]
  release?: PlannedRelease
  pages?: { publish?: string }
  secrets?: Record<string, unknown>
  id_tokens?: Record<string, { aud: string | string[] }>
  trigger?: PlannedTrigger
  /** The expression between the slashes, its flags as `(?i)` before it. */
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
  /** For `delayed`. */
  start_in_s?: number
  allow_failure: boolean
  /** Undefined: it waits for the stages before it. Empty: for nothing. */
  needs?: PlannedNeed[]
  /** With variables expanded. */
  tags: string[]
  /** Of the configuration, those of rules and matrix included, in the order in which a runner gets them. */
  variables: PlannedVariable[]
  /** With variables expanded, as far as they are known when the pipeline is made. */
  resource_group?: string
  interruptible: boolean
  timeout_s?: number
  /** Of jobs that run in several copies: which one, counted from 1, and of how many. */
  parallel?: { index: number; total: number }
  options: JobOptions
}

/** A planned pipeline, before any row is written. */
export type Plan = {
  name?: string
  /** Those that have jobs, in order. */
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
  /** The file, line and column it is about, counted from 1, where that is known. */
  file?: string
  line?: number
  column?: number
  /** Wrong for this event alone: what its rules leave does not fit together. */
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
  /** The configuration with includes and `extends` resolved, as YAML; undefined where it cannot be read, or goes on and on. */
  merged_yaml: string | undefined
  includes: IncludedFile[]
  jobs: ConfiguredJob[]
  /** Those of the whole configuration. */
  variables: PlannedVariable[]
  /** Undefined where there are errors or a refusal. */
  plan: Plan | undefined
  refusal: PlanRefusal | undefined
}

/*
 * The one door of the engine, in `plan-pipeline.ts`:
 *   planPipeline({ text, path, event, files }): Promise<PlanResult>
 * It never throws for what a caller wrote.
 */
