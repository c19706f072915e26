import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import {
  BasicPipelineJson,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { PipelineSchedule, ScheduleVariable } from './pipeline-schedule.store.ts'

export const ScheduleVariableJson = namedObject('PipelineScheduleVariable', {
  key: Type.String(),
  variable_type: oneOf(['env_var', 'file']),
  value: Type.String(),
  raw: Type.Boolean(),
})

const fields = {
  id: Type.Integer(),
  description: Type.String(),
  ref: Type.String(),
  cron: Type.String(),
  cron_timezone: Type.String(),
  next_run_at: nullableText,
  active: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
  owner: nullable(BasicUserJson),
}

/** A schedule in lists. */
export const ScheduleJson = namedObject('PipelineSchedule', fields)

export const ScheduleDetailsJson = namedObject('PipelineScheduleDetails', {
  ...fields,
  last_pipeline: nullable(BasicPipelineJson),
  variables: Type.Optional(Type.Array(ScheduleVariableJson)),
})

/** The next times of a schedule, in UTC and in local time with the offset of the time zone. */
export const SchedulePreviewJson = namedObject('PipelineSchedulePreview', {
  next_run_at: Type.Array(Type.Object({ utc: Type.String(), local: Type.String() })),
})

export function presentSchedule(
  schedule: PipelineSchedule,
  baseUrl: string,
): Static<typeof ScheduleJson> {
  const { id, description, ref, cron, cron_timezone, next_run_at, active, owner } = schedule
  return {
    id,
    description,
    ref,
    cron,
    cron_timezone,
    next_run_at,
    active,
    created_at: schedule.created_at,
    updated_at: schedule.updated_at,
    owner: owner ? presentBasicUser(owner, baseUrl) : null,
  }
}

export function presentScheduleDetails(
  schedule: PipelineSchedule,
  {
    project,
    lastPipeline,
    baseUrl,
  }: { project: Project; lastPipeline: Pipeline | undefined; baseUrl: string },
): Static<typeof ScheduleDetailsJson> {
  return {
    ...presentSchedule(schedule, baseUrl),
    last_pipeline: lastPipeline ? presentBasicPipeline(lastPipeline, project, baseUrl) : null,
  }
}

/** Presents a variable with its decrypted value. */
export function presentScheduleVariable(
  { key, variable_type, value, raw }: ScheduleVariable,
  secretKey: Buffer,
): Static<typeof ScheduleVariableJson> {
  return { key, variable_type, value: openSecret(secretKey, value), raw }
}
