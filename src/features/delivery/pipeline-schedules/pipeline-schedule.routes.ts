import { type Static, Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { notBlank } from '../../../http/parameters.ts'
import {
  MessageJson,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { newRequestId } from '../../../kernel/ids.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { BasicPipelineJson, presentBasicPipeline } from '../../../subjects/pipeline.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import {
  mayAdminSchedule,
  mayChangeSchedule,
  mayCreateSchedules,
  mayPlaySchedule,
  mayReadSchedules,
  pipelineScheduleLoader,
  type ScheduleInProject,
} from './pipeline-schedule.policy.ts'
import {
  presentSchedule,
  presentScheduleDetails,
  presentScheduleVariable,
  ScheduleDetailsJson,
  ScheduleJson,
  SchedulePreviewJson,
} from './pipeline-schedule.present.ts'
import {
  deleteSchedule,
  findLastPipelineOfSchedule,
  findSchedule,
  hasSchedulesAtLeast,
  insertSchedule,
  listSchedulePipelines,
  listSchedules,
  listScheduleVariables,
  type ScheduleRow,
  updateSchedule,
} from './pipeline-schedule.store.ts'
import { runScheduleTask } from './pipeline-schedule.tasks.ts'
import { mayRunPipelineOnRef } from './run-schedule.ts'
import {
  nextScheduleRunAt,
  nextScheduleRuns,
  scheduleProblems,
  scheduleTimeProblems,
} from './schedule-problems.ts'

const tag = 'Pipeline schedules'
const inProject = endpointFactory({ tag, on: projectLoader, signIn: 'always' })
const endpoint = endpointFactory({ tag, on: pipelineScheduleLoader, signIn: 'always' })
const url = '/projects/:id/pipeline_schedules' as const

const idInput = { pipeline_schedule_id: Type.Integer() }
const cronInput = Type.String({ description: 'Five fields, or `@daily` and the like.' })
const zoneInput = Type.Optional(
  Type.String({ description: 'Name of a time zone; UTC by default.' }),
)

const previewed_runs = 5

type Fields = Pick<ScheduleRow, 'description' | 'ref' | 'cron' | 'cron_timezone'>

/** Returns the columns of a schedule that is saved now. Throws 400 if fields are invalid. */
function savedNow({ clock }: Pick<Context<unknown, unknown>, 'clock'>, given: Fields) {
  const fields = { ...given, cron: given.cron.trim() }
  const problems = scheduleProblems(fields, clock())
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const updated_at = timestamp(clock)
  return { ...fields, next_run_at: nextScheduleRunAt(fields, clock()), updated_at }
}

/** Loads and presents the record after a change. */
async function showSchedule(
  context: Pick<Context<unknown, unknown>, 'db' | 'baseUrl'>,
  { project, schedule }: { project: ScheduleInProject['project']; schedule: { id: number } },
): Promise<Static<typeof ScheduleDetailsJson>> {
  const { db, baseUrl } = context
  const found = await findSchedule(db, { project_id: project.id, id: schedule.id })
  if (!found) throw notFound('Pipeline Schedule')
  const lastPipeline = await findLastPipelineOfSchedule(db, found.id)
  return presentScheduleDetails(found, { project, lastPipeline, baseUrl })
}

export const pipelineScheduleEndpoints = [
  inProject({
    route: `GET ${url}`,
    summary: 'List the pipeline schedules of a project',
    allow: mayReadSchedules,
    input: Type.Object({ scope: Type.Optional(oneOf(['active', 'inactive'])), ...pageInput }),
    answer: Type.Array(ScheduleJson),
    async run({ db, subject: project, input: { scope }, range, baseUrl }) {
      const active = scope === undefined ? undefined : scope === 'active'
      const { rows, total } = await listSchedules(db, { project_id: project.id, active }, range)
      return new Page({ items: rows.map((row) => presentSchedule(row, baseUrl)), total })
    },
  }),

  inProject({
    route: `GET ${url}/preview`,
    summary: 'Preview the next runs of a pipeline schedule',
    allow: mayCreateSchedules,
    input: Type.Object({ cron: cronInput, cron_timezone: zoneInput }),
    answer: SchedulePreviewJson,
    async run({ clock, input: { cron, cron_timezone = 'UTC' } }) {
      const times = { cron: cron.trim(), cron_timezone }
      const now = clock()
      const problems = scheduleTimeProblems(times, now)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      return { next_run_at: nextScheduleRuns(times, { now, count: previewed_runs }) }
    },
  }),

  endpoint({
    route: `GET ${url}/:pipeline_schedule_id`,
    summary: 'Get a pipeline schedule',
    allow: () => true, // The loader finds only schedules that the caller may read.
    input: Type.Object(idInput),
    answer: ScheduleDetailsJson,
    async run(context) {
      const { db, subject, secretKey } = context
      const shown = await showSchedule(context, subject)
      if (!mayAdminSchedule(context)) return shown
      const variables = await listScheduleVariables(db, subject.schedule.id)
      return {
        ...shown,
        variables: variables.map((variable) => presentScheduleVariable(variable, secretKey)),
      }
    },
  }),

  endpoint({
    route: `GET ${url}/:pipeline_schedule_id/pipelines`,
    summary: 'List the pipelines of a pipeline schedule',
    allow: () => true, // The loader finds only schedules that the caller may read.
    input: Type.Object({ ...idInput, ...pageInput }),
    answer: Type.Array(BasicPipelineJson),
    async run({ db, subject: { project, schedule }, range, baseUrl }) {
      const { rows, total } = await listSchedulePipelines(db, schedule.id, range)
      const items = rows.map((row) => presentBasicPipeline(row, project, baseUrl))
      return new Page({ items, total })
    },
  }),

  inProject({
    route: `POST ${url}`,
    summary: 'Create a pipeline schedule',
    allow: mayCreateSchedules,
    input: Type.Object({
      description: Type.String(),
      ref: Type.String({ description: 'Branch or tag.' }),
      cron: cronInput,
      cron_timezone: zoneInput,
      active: optionalBoolean,
    }),
    rules: [notBlank('ref')],
    status: 201,
    answer: ScheduleDetailsJson,
    async run(context) {
      const { db, subject: project, input, user, config } = context
      const maximum = config.schedules_max
      await lockOwner(db, { kind: 'project', id: project.id })
      if (await hasSchedulesAtLeast(db, project.id, maximum)) {
        const text = `Maximum number of ci pipeline schedules (${maximum}) exceeded`
        throw invalid({ base: [text] })
      }
      const { active = true, cron_timezone = 'UTC', ...fields } = input
      const saved = savedNow(context, { ...fields, cron_timezone })
      const schedule = await insertSchedule(db, {
        ...saved,
        project_id: project.id,
        owner_id: user.id,
        active,
        created_at: saved.updated_at,
      })
      return showSchedule(context, { project, schedule })
    },
  }),

  endpoint({
    route: `PUT ${url}/:pipeline_schedule_id`,
    summary: 'Update a pipeline schedule (only its owner)',
    allow: mayChangeSchedule,
    input: Type.Object({
      ...idInput,
      description: optionalText,
      ref: optionalText,
      cron: Type.Optional(cronInput),
      cron_timezone: zoneInput,
      active: optionalBoolean,
    }),
    rules: [notBlank('ref')],
    answer: ScheduleDetailsJson,
    async run(context) {
      const { db, subject, input } = context
      const { schedule } = subject
      const {
        description = schedule.description,
        ref = schedule.ref,
        cron = schedule.cron,
        cron_timezone = schedule.cron_timezone,
        active = schedule.active,
      } = input
      const saved = savedNow(context, { description, ref, cron, cron_timezone })
      await updateSchedule(db, schedule.id, { ...saved, active })
      return showSchedule(context, subject)
    },
  }),

  endpoint({
    route: `POST ${url}/:pipeline_schedule_id/take_ownership`,
    summary: 'Take ownership of a pipeline schedule',
    allow: mayAdminSchedule,
    input: Type.Object(idInput),
    status: 201,
    answer: ScheduleDetailsJson,
    async run(context) {
      const { db, clock, subject, user } = context
      const { schedule } = subject
      const next_run_at = nextScheduleRunAt(schedule, clock())
      const changes = { owner_id: user.id, next_run_at, updated_at: timestamp(clock) }
      await updateSchedule(db, schedule.id, changes)
      return showSchedule(context, subject)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:pipeline_schedule_id`,
    summary: 'Delete a pipeline schedule',
    allow: mayAdminSchedule,
    input: Type.Object(idInput),
    answer: ScheduleDetailsJson,
    async run(context) {
      const { db, subject, request } = context
      checkIfUnmodifiedSince(request, subject.schedule.updated_at)
      const shown = await showSchedule(context, subject)
      await deleteSchedule(db, subject.schedule.id)
      return shown
    },
  }),

  endpoint({
    route: `POST ${url}/:pipeline_schedule_id/play`,
    summary: 'Run a pipeline schedule now',
    allow: mayPlaySchedule,
    input: Type.Object(idInput),
    status: 201,
    answer: MessageJson,
    authorize(context) {
      const { subject, actor, level } = context
      const { project, schedule } = subject
      return mayRunPipelineOnRef(context, { project, ref: schedule.ref, actor, level })
    },
    async run(context) {
      const { db, clock, user } = context
      const { schedule } = context.subject
      const origin = `schedule:${schedule.id}:${newRequestId()}`
      const payload = { pipeline_schedule_id: schedule.id, user_id: user.id, origin }
      await enqueue(db, clock, { task: runScheduleTask, key: origin, payload })
      return { message: '201 Created' }
    },
  }),
]
