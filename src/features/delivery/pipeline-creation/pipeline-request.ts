// A request to create a pipeline.

import type { ActorUser } from '../../../access/actor.ts'
import type { ConfigFiles, PipelineSource } from '../../../ci/planned.ts'
import type { Oid } from '../../../git/names.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'

export type PipelineVariable = {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
  raw?: boolean
}

export type PipelineRequest = {
  project: Project
  /** The short or full name of a branch or tag. */
  ref: string
  source: PipelineSource
  user: ActorUser
  variables: readonly PipelineVariable[]
  /**
   * The event that the pipeline is created for. A second request with the same origin returns the pipeline of
   * the first.
   */
  origin?: string
  pipeline_schedule_id?: number
  pipeline_trigger_id?: number
  trigger_short_token?: string
  upstream_job_id?: number
  /** For a child pipeline: its parent, and its configuration. */
  parent?: { pipeline: Pipeline; text: string; path: string; readArtifact: ReadArtifact }
  /**
   * For a merge request pipeline: the merge request. `ref` is then the reference of the merge request and
   * `sha` its head.
   */
  merge_request?: MergeRequestPipelineSource
  /** The commit, if it is not the head of the reference: the pushed commit or that of the parent pipeline. */
  sha?: Oid
  before_sha?: string
  /** Whether to store a failed pipeline if the configuration is invalid. */
  keepsErrors?: boolean
  /** Whether to store a skipped pipeline without jobs. */
  isSkipped?: boolean
}

export type MergeRequestPipelineSource = {
  id: number
  /** Variables such as `CI_MERGE_REQUEST_IID`. */
  variables: Record<string, string>
}

type ReadArtifact = (file: { job: string; path: string }) => ReturnType<ConfigFiles['read']>
