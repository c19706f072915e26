import { type Static, Type } from 'typebox'
import { isFinal } from '../../../ci/job-states.ts'
import { namedObject, nullable, nullableInteger, nullableText } from '../../../http/schema.ts'
import {
  BasicPipelineJson,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import { ciStatusLabel, ciStatusWords } from './status-words.ts'

const DetailedStatusJson = namedObject('DetailedStatus', {
  icon: Type.String(),
  text: Type.String(),
  label: Type.String(),
  group: Type.String(),
  tooltip: Type.String(),
  has_details: Type.Boolean(),
  details_path: Type.String(),
  illustration: Type.Null(),
  favicon: Type.String(),
})

export const PipelineJson = namedObject('Pipeline', {
  ...BasicPipelineJson.properties,
  name: nullableText,
  before_sha: Type.String(),
  tag: Type.Boolean(),
  yaml_errors: nullableText,
  user: nullable(BasicUserJson),
  started_at: nullableText,
  finished_at: nullableText,
  committed_at: nullableText,
  duration: nullableInteger,
  queued_duration: nullableInteger,
  coverage: nullableText,
  detailed_status: DetailedStatusJson,
})

export type PipelinePresenterInput = {
  project: Project
  user: User | undefined
  /** Whether the pipeline passed although a job with `allow_failure` failed. */
  hasWarnings: boolean
  baseUrl: string
}

/** Presents a single pipeline. */
export function presentPipeline(
  pipeline: Pipeline,
  { project, user, hasWarnings, baseUrl }: PipelinePresenterInput,
): Static<typeof PipelineJson> {
  const basic = presentBasicPipeline(pipeline, project, baseUrl)
  return {
    ...basic,
    name: pipeline.name,
    before_sha: pipeline.before_sha ?? '0'.repeat(40),
    tag: pipeline.tag,
    yaml_errors: pipeline.yaml_errors,
    user: user ? presentBasicUser(user, baseUrl) : null,
    started_at: pipeline.started_at,
    finished_at: pipeline.finished_at,
    committed_at: pipeline.committed_at,
    duration: pipeline.duration,
    queued_duration: pipeline.queued_duration,
    coverage: pipeline.coverage === null ? null : pipeline.coverage.toFixed(2),
    detailed_status: describeStatus(pipeline, {
      details_path: `/${project.full_path}/-/pipelines/${pipeline.id}`,
      hasWarnings,
    }),
  }
}

function describeStatus(
  { status }: Pick<Pipeline, 'status'>,
  { details_path, hasWarnings }: { details_path: string; hasWarnings: boolean },
): Static<typeof DetailedStatusJson> {
  const isWarned = status === 'success' && hasWarnings
  const { text = status, icon = `status_${status}` } = ciStatusWords[status] ?? {}
  return {
    icon: isWarned ? 'status_warning' : icon,
    text,
    label: ciStatusLabel(status, { hasWarnings }),
    group: isWarned ? 'success-with-warnings' : status.replaceAll('_', '-'),
    tooltip: isWarned ? 'passed with warnings' : text,
    has_details: true,
    details_path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  }
}

/** Whether a pipeline of this status can have warnings. */
export const canPipelineHaveWarnings = ({ status }: Pick<Pipeline, 'status'>): boolean =>
  isFinal(status) && status === 'success'
