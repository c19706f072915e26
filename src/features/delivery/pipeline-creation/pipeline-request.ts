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
  /** Short name of a branch or tag, or the full name of one. */
  ref: string
  source: PipelineSource
  user: ActorUser
  variables: readonly PipelineVariable[]
  /**
   * What it is made for: a second request with the same origin is answered with the pipeline of the first.
   */
  origin?: string
  pipeline_schedule_id?: number
  pipeline_trigger_id?: number
  trigger_short_token?: string
  upstream_job_id?: number
  /** Of a child pipeline: its parent, and the configuration it runs. */
  parent?: { pipeline: Pipeline; text: string; path: string; readArtifact: ReadArtifact }
  /** The merge request it runs for; `ref` is then the reference of that, and `sha` its head. */
  merge_request?: MergeRequestPipelineSource
  /** The commit, where it is not the head of the reference: that of a push, or a parent's. */
  sha?: Oid
  before_sha?: string
  /** Stores a pipeline that failed, where the configuration cannot be used. */
  keepsErrors?: boolean
  /** Stores a pipeline without jobs instead, skipped. */
  isSkipped?: boolean
}

export type MergeRequestPipelineSource = {
  id: number
  /** `CI_MERGE_REQUEST_IID` and the like. */
  variables: Record<string, string>
}

type ReadArtifact = (file: { job: string; path: string }) => ReturnType<ConfigFiles['read']>
