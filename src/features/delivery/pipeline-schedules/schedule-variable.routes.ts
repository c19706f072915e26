import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { oneOf, optionalBoolean } from '../../../http/schema.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { variableProblems } from '../variables/variable-problems.ts'
import {
  mayAdminSchedule,
  mayChangeSchedule,
  pipelineScheduleLoader,
  type ScheduleInProject,
} from './pipeline-schedule.policy.ts'
import { presentScheduleVariable, ScheduleVariableJson } from './pipeline-schedule.present.ts'
import {
  deleteScheduleVariable,
  findScheduleVariable,
  insertScheduleVariable,
  listScheduleVariables,
  type ScheduleVariable,
  updateScheduleVariable,
} from './pipeline-schedule.store.ts'

const tag = 'Pipeline schedules'
const endpoint = endpointFactory({ tag, on: pipelineScheduleLoader, signIn: 'always' })
const url = '/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables' as const

const idInput = { pipeline_schedule_id: Type.Integer() }
const keyInput = { ...idInput, key: Type.String() }
const variableTypes = ['env_var', 'file'] as const

/** Returns the variable with the given key. Throws 404 if it does not exist. */
async function getVariable({
  db,
  subject: { schedule },
  input,
}: Context<ScheduleInProject, { key: string }>): Promise<ScheduleVariable> {
  const by = { pipeline_schedule_id: schedule.id, key: input.key }
  const found = await findScheduleVariable(db, by)
  if (!found) throw notFound('Pipeline Schedule Variable')
  return found
}

/**
 * Throws 400 if the variable is invalid. Variables of schedules are never masked and have no environment
 * scope.
 */
function checkVariable(variable: { key: string; value: string }): void {
  const plain = { masked: false, raw: false, environment_scope: '*', description: null }
  const problems: FieldErrors = variableProblems({ ...variable, ...plain })
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

export const scheduleVariableEndpoints = [
  endpoint({
    route: `POST ${url}`,
    summary: 'Create a variable of a pipeline schedule',
    allow: mayChangeSchedule,
    input: Type.Object({
      ...idInput,
      key: Type.String(),
      value: Type.String(),
      variable_type: Type.Optional(oneOf(variableTypes, { default: 'env_var' })),
      raw: optionalBoolean,
    }),
    status: 201,
    answer: ScheduleVariableJson,
    async run({ db, subject: { schedule }, input, secretKey }) {
      const { key, value, variable_type = 'env_var', raw = false } = input
      checkVariable(input)
      const maximum = limits.variables_max.schedule
      await lockOwner(db, { kind: 'pipeline_schedule', id: schedule.id })
      const others = await listScheduleVariables(db, schedule.id)
      if (others.length >= maximum) {
        const text = `Maximum number of pipeline schedule variables (${maximum}) exceeded`
        throw invalid({ base: [text] })
      }
      const variable = { key, value: sealSecret(secretKey, value), variable_type, raw }
      const row = await insertScheduleVariable(db, {
        ...variable,
        pipeline_schedule_id: schedule.id,
      })
      if (!row) throw invalid({ key: ['has already been taken'] })
      return presentScheduleVariable(row, secretKey)
    },
  }),

  endpoint({
    route: `PUT ${url}/:key`,
    summary: 'Change a variable of a pipeline schedule',
    allow: mayChangeSchedule,
    input: Type.Object({
      ...keyInput,
      value: Type.String(),
      variable_type: Type.Optional(oneOf(variableTypes)),
      raw: optionalBoolean,
    }),
    answer: ScheduleVariableJson,
    async run(context) {
      const { db, input, secretKey } = context
      const before = await getVariable(context)
      const { variable_type = before.variable_type, raw = before.raw } = input
      checkVariable({ key: before.key, value: input.value })
      const value = sealSecret(secretKey, input.value)
      const row = await updateScheduleVariable(db, before.id, { value, variable_type, raw })
      return presentScheduleVariable(row, secretKey)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:key`,
    summary: 'Delete a variable of a pipeline schedule',
    allow: mayAdminSchedule,
    input: Type.Object(keyInput),
    status: 202,
    answer: ScheduleVariableJson,
    async run(context) {
      const variable = await getVariable(context)
      await deleteScheduleVariable(context.db, variable.id)
      return presentScheduleVariable(variable, context.secretKey)
    },
  }),
]
