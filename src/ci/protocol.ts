// The messages of the public runner protocol, as types only. Server and runner import them; the runner imports nothing
// else of `src`.

/** The features that a runner supports; missing ones count as false. */
export type RunnerFeatures = Partial<Record<RunnerFeature, boolean>>
export type RunnerFeature =
  | 'variables'
  | 'image'
  | 'services'
  | 'artifacts'
  | 'artifacts_exclude'
  | 'upload_multiple_artifacts'
  | 'upload_raw_artifacts'
  | 'cache'
  | 'fallback_cache_keys'
  | 'refspecs'
  | 'masking'
  | 'raw_variables'
  | 'multi_build_steps'
  | 'trace_reset'
  | 'trace_checksum'
  | 'trace_size'
  | 'cancelable'
  | 'cancel_gracefully'
  | 'return_exit_code'
  | 'shared'
  | 'proxy'
  | 'session'
  | 'terminal'
  | 'vault_secrets'
  | 'service_variables'

/** The program and platform of a runner. */
export type RunnerInfo = {
  name?: string
  version?: string
  revision?: string
  platform?: string
  architecture?: string
  executor?: string
  shell?: string
  features?: RunnerFeatures
  /** Why jobs would run without a sandbox. Only the built-in runner sends it. */
  isolation_problem?: string
}

/** `POST /runners`: creates a runner with a registration token. */
export type RegisterRequest = {
  token: string
  description?: string
  maintenance_note?: string
  /** The tags, separated by commas. */
  tag_list?: string
  run_untagged?: boolean
  locked?: boolean
  paused?: boolean
  access_level?: 'not_protected' | 'ref_protected'
  /** In seconds. */
  maximum_timeout?: number
  info?: RunnerInfo
}

/** The response of `POST /runners` and `POST /runners/verify`. */
export type RunnerCredentials = { id: number; token: string; token_expires_at: string | null }

/** `POST /runners/verify`. */
export type VerifyRequest = { token: string; system_id?: string; info?: RunnerInfo }

/** `POST /jobs/request`. */
export type JobRequest = {
  token: string
  system_id?: string
  info?: RunnerInfo
  /** The header `X-GitLab-Last-Update` of the last response without a job. */
  last_update?: string
}

/** A variable of a job. If several have the same key, the last one wins. */
export type JobVariable = {
  key: string
  value: string
  public: boolean
  masked: boolean
  /** The variable contains the path of a file with the value. */
  file?: boolean
  /** The value is not expanded: `$` has no meaning in it. */
  raw?: boolean
}

/** Commands that run in one shell. */
export type JobStep = {
  name: string
  script: string[]
  /** In seconds. */
  timeout: number
  when: RunnerWhen
  allow_failure: boolean
}

export type RunnerWhen = 'on_success' | 'on_failure' | 'always'

export type JobImage = {
  name: string
  alias?: string | null
  entrypoint?: string[] | null
  command?: string[] | null
  ports?: unknown[]
  variables?: { key: string; value: string }[]
  pull_policy?: string[]
  executor_opts?: { docker?: { platform?: string; user?: string } }
}

/** Files to upload: the archive, or a report. */
export type JobArtifacts = {
  name?: string | null
  untracked: boolean | null
  paths: string[] | null
  exclude?: string[]
  when: RunnerWhen | null
  /** A duration as written in the configuration. The runner sends it back unparsed. */
  expire_in?: string | null
  artifact_type: string
  artifact_format: 'zip' | 'gzip' | 'raw' | null
}

export type JobCache = {
  key: string
  untracked: boolean | null
  policy: string | null
  paths: string[] | null
  when: RunnerWhen | null
  fallback_keys?: string[]
}

/** A job whose artifacts are downloaded. Without artifacts it has no `artifacts_file`. */
export type JobDependency = {
  id: number
  name: string
  /** The token to download the archive: that of the downloading job. */
  token: string
  artifacts_file?: { filename: string; size: number }
}

export type JobHook = {
  name: string
  script: string[]
}

/** The job in the response (201) of `POST /jobs/request`. */
export type JobPayload = {
  id: number
  /** Valid while the job runs. */
  token: string
  /** Whether the working copy of the previous job may be reused. */
  allow_git_fetch: boolean
  job_info: {
    name: string
    stage: string
    project_id: number
    project_name: string
    [more: string]: unknown
  }
  git_info: {
    /** The URL contains the job's credentials. */
    repo_url: string
    ref: string
    sha: string
    before_sha: string
    ref_type: 'branch' | 'tag'
    refspecs: string[]
    /** The number of commits to fetch; 0 for the whole history. */
    depth: number
    repo_object_format?: 'sha1' | 'sha256'
    protected?: boolean
  }
  /** In seconds. */
  runner_info: { timeout: number; runner_session_url?: string | null }
  variables: JobVariable[]
  steps: JobStep[]
  hooks?: JobHook[]
  image: JobImage | null
  services: JobImage[] | null
  artifacts: JobArtifacts[] | null
  cache: JobCache[] | null
  credentials: { type: string; url: string; username: string; password: string }[] | null
  dependencies: JobDependency[] | null
  secrets?: Record<string, unknown>
  features: {
    trace_sections: boolean
    /** The failure reasons that the server supports. */
    failure_reasons: readonly string[]
    token_mask_prefixes?: string[]
  }
}

/** The reasons with which a runner reports a failed job. */
export type RunnerFailureReason =
  | 'script_failure'
  | 'runner_system_failure'
  | 'runner_unsupported'
  | 'job_execution_timeout'

/** `PUT /jobs/:id`. */
export type JobUpdate = {
  token: string
  state: 'pending' | 'running' | 'success' | 'failed'
  failure_reason?: string
  exit_code?: number
  /** The checksum of the log (`crc32:` and eight hexadecimal digits) and its length in bytes. */
  checksum?: string
  output?: { checksum: string; bytesize: number }
  info?: RunnerInfo
}

/** The state of a job in the header `Job-Status` of responses to its runner. */
export type JobStatusHeader = 'running' | 'canceling' | 'canceled' | 'failed' | (string & {})
