import { Type } from 'typebox'
import { toJson } from '../../../db/dialect.ts'
import { ownParameterName } from '../../../http/brand.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory, type Instance } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullable,
  nullableText,
  oneOf,
  optionalBoolean,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { isRecord } from '../../../kernel/record.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { presentRecordedAlerts, readAlertSettings } from '../alerts/alert.ts'
import { alertFields } from '../alerts/parse-alert.ts'
import { parseAlertPayload } from '../alerts/parse-alert-payload.ts'
import type { AlertPayload } from '../alerts/payload.ts'
import { recordAlerts } from '../alerts/record-alerts.ts'
import {
  mayReadAlertIntegrations,
  maySendTestAlerts,
  mayWriteAlertIntegrations,
} from './alert-integration.policy.ts'
import {
  AlertIntegrationJson,
  alertFieldMappingTypes,
  alertIntegrationTypes,
  presentAlertIntegration,
} from './alert-integration.present.ts'
import {
  deleteAlertIntegration,
  findAlertIntegration,
  hasAlertIntegrationsAtLeast,
  insertAlertIntegration,
  listAlertIntegrations,
  lockAlertIntegrations,
  updateAlertIntegration,
} from './alert-integration.store.ts'
import { type AlertIntegration, alertParsingOptionsOf } from './alert-integration.ts'

const endpoint = endpointFactory({ tag: 'Alert integrations', on: projectLoader, signIn: 'always' })
const url = '/projects/:id/alert_management/integrations' as const
const anyObject = Type.Unsafe<AlertPayload>({ type: 'object', additionalProperties: true })
const idInput = { integration_id: Type.Integer() }

const detailsInput = {
  name: Type.Optional(nullableText),
  active: optionalBoolean,
  payload_example: Type.Optional(nullable(Type.Unknown())),
  payload_attribute_mappings: Type.Optional(
    Type.Array(
      namedObject('AlertMappingInput', {
        field_name: Type.String(),
        path: Type.Array(Type.String(), { notBlank: true }),
        type: Type.Optional(oneOf(alertFieldMappingTypes, { default: 'STRING' })),
        label: Type.Optional(nullableText),
      }),
    ),
  ),
}

type MappingInput = {
  field_name: string
  path: string[]
  type?: (typeof alertFieldMappingTypes)[number]
  label?: string | null
}
type DetailsInput = {
  name?: string | null
  active?: boolean
  payload_example?: unknown
  payload_attribute_mappings?: MappingInput[]
}
type IntegrationContext<Input> = Context<Project, Input>

const identifier_characters = 16
const token_characters = 32

async function getIntegration({
  db,
  subject: project,
  input,
}: IntegrationContext<{ integration_id: number }>): Promise<AlertIntegration> {
  const found = await findAlertIntegration(db, project.id, input.integration_id)
  if (!found) throw recordNotFound()
  return found
}

type Details = Pick<AlertIntegration, 'name' | 'active' | 'payload_example'> & {
  payload_attribute_mappings: string
}

/**
 * Returns the columns of the input; fields that are not given are taken from `before`. Throws 400 with the
 * problems.
 */
function readDetails(input: DetailsInput, before: AlertIntegration | undefined): Details {
  const problems: FieldErrors = {}
  const name = input.name === undefined ? (before?.name ?? null) : input.name?.trim() || null
  const maximum = limits.name_characters
  if (name !== null && [...name].length > maximum) {
    problems.name = [`is too long (maximum is ${maximum} characters)`]
  }
  const example =
    input.payload_example === undefined ? undefined : readExample(input.payload_example)
  if (example === 'wrong') problems.payload_example = ['must be a valid json object']
  const given = input.payload_attribute_mappings?.map(withOwnName)
  const problem = given && mappingProblem(given)
  if (problem) problems.payload_attribute_mappings = [problem]
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    name,
    active: input.active ?? before?.active ?? true,
    payload_example: example === undefined ? (before?.payload_example ?? null) : example,
    payload_attribute_mappings: toJson(given ?? before?.payload_attribute_mappings ?? []),
  }
}

/** Returns the example payload: an object, or the JSON text of one; null without one. */
function readExample(given: unknown): string | null {
  if (given === null || given === '') return null
  let value = given
  try {
    if (typeof given === 'string') value = JSON.parse(given)
  } catch {
    return 'wrong'
  }
  return isRecord(value) ? toJson(value) : 'wrong'
}

function withOwnName({ field_name, path, type = 'STRING', label = null }: MappingInput) {
  return { field_name: ownParameterName(field_name.toLowerCase()), path, type, label }
}

function mappingProblem(mappings: readonly MappingInput[]): string | undefined {
  const names = mappings.map(({ field_name }) => field_name)
  if (names.some((name) => !alertFields.some((field) => field === name)))
    return 'has an unknown field'
  if (new Set(names).size < names.length) return 'has a field twice'
  const { path_parts_max } = limits.alerts
  const isLong = mappings.some(
    ({ path, label }) =>
      path.length > path_parts_max ||
      (label ?? '').length > limits.name_characters ||
      path.some((part) => part.length > limits.name_characters),
  )
  return isLong ? 'has a path or label that is too long' : undefined
}

/** Removes the parameters of the paid tiers, which the free tier ignores. */
function paidFor<Input extends DetailsInput>({ config, input }: IntegrationContext<Input>): Input {
  if (config.tier !== 'free') return input
  return { ...input, payload_example: undefined, payload_attribute_mappings: undefined }
}

const typeNames = { http: 'HTTP', prometheus: 'Prometheus' } as const

/** Throws 400 if the project may have no further integration of this type. */
async function checkRoom(
  { db, subject: project, config }: IntegrationContext<unknown>,
  type: AlertIntegration['type'],
): Promise<void> {
  await lockAlertIntegrations(db)
  const isOneOnly = type === 'prometheus' || config.tier === 'free'
  const count = isOneOnly ? 1 : limits.alerts.integrations_max
  if (!(await hasAlertIntegrationsAtLeast(db, { project_id: project.id, type, count }))) return
  throw invalid(
    isOneOnly
      ? `Multiple ${typeNames[type]} integrations are not supported for this project`
      : `Maximum number of alert integrations (${count}) exceeded`,
  )
}

/** Records an audit event without the key of the integration. */
async function audit(
  context: IntegrationContext<unknown>,
  action: 'added' | 'changed' | 'removed' | 'token_reset',
  { id, name, type }: AlertIntegration,
): Promise<void> {
  await recordAuditEvent(context, {
    action: `alert_integration_${action}`,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'alert_integration', id, name: name ?? type },
  })
}

const newToken = ({ secretKey }: Pick<Instance, 'secretKey'>) =>
  sealSecret(secretKey, randomHex(token_characters))

export const alertIntegrationEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the alert integrations of a project',
    allow: mayReadAlertIntegrations,
    input: Type.Object(pageInput),
    answer: Type.Array(AlertIntegrationJson),
    async run(context) {
      const { db, subject: project, range } = context
      const { rows, total } = await listAlertIntegrations(db, project.id, range)
      return new Page({ items: rows.map((row) => presentAlertIntegration(row, context)), total })
    },
  }),

  endpoint({
    route: `GET ${url}/:integration_id`,
    summary: 'Get an alert integration',
    allow: mayReadAlertIntegrations,
    input: Type.Object(idInput),
    answer: AlertIntegrationJson,
    async run(context) {
      return presentAlertIntegration(await getIntegration(context), context)
    },
  }),

  endpoint({
    route: `POST ${url}`,
    summary: 'Create an alert integration',
    allow: mayWriteAlertIntegrations,
    input: Type.Object({
      type: Type.Optional(oneOf(alertIntegrationTypes, { default: 'http' })),
      ...detailsInput,
    }),
    status: 201,
    answer: AlertIntegrationJson,
    async run(context) {
      const { db, clock, subject: project } = context
      const input = paidFor(context)
      const { type = 'http' } = input
      const details = readDetails(input, undefined)
      await checkRoom(context, type)
      const now = timestamp(clock)
      const row = await insertAlertIntegration(db, {
        ...details,
        project_id: project.id,
        type,
        identifier: randomHex(identifier_characters),
        token: newToken(context),
        created_at: now,
        updated_at: now,
      })
      await audit(context, 'added', row)
      return presentAlertIntegration(row, context)
    },
  }),

  endpoint({
    route: `PUT ${url}/:integration_id`,
    summary: 'Change an alert integration',
    allow: mayWriteAlertIntegrations,
    input: Type.Object({ ...idInput, ...detailsInput }),
    answer: AlertIntegrationJson,
    async run(context) {
      const { db, clock } = context
      const before = await getIntegration(context)
      const details = readDetails(paidFor(context), before)
      const row = await updateAlertIntegration(db, before.id, {
        ...details,
        updated_at: timestamp(clock),
      })
      await audit(context, 'changed', row)
      return presentAlertIntegration(row, context)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:integration_id`,
    summary: 'Remove an alert integration',
    allow: mayWriteAlertIntegrations,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      const row = await getIntegration(context)
      checkIfUnmodifiedSince(context.request, row.updated_at)
      await deleteAlertIntegration(context.db, row.id)
      await audit(context, 'removed', row)
    },
  }),

  endpoint({
    route: `POST ${url}/:integration_id/reset_token`,
    summary: 'Reset the key of an alert integration',
    allow: mayWriteAlertIntegrations,
    input: Type.Object(idInput),
    status: 201,
    answer: AlertIntegrationJson,
    async run(context) {
      const { db, clock } = context
      const before = await getIntegration(context)
      const changes = { token: newToken(context), updated_at: timestamp(clock) }
      const row = await updateAlertIntegration(db, before.id, changes)
      await audit(context, 'token_reset', row)
      return presentAlertIntegration(row, context)
    },
  }),

  endpoint({
    route: `POST ${url}/:integration_id/test`,
    summary: 'Send a test alert to an integration',
    allow: maySendTestAlerts,
    input: Type.Object({ ...idInput, payload: Type.Optional(anyObject) }),
    answer: Type.Array(Type.Object({ iid: Type.Integer(), title: Type.String() })),
    async run(context) {
      const { db: tx, clock, subject: project, config, input } = context
      const integration = await getIntegration(context)
      const { payload = testPayload } = input
      const reading = alertParsingOptionsOf(integration, {
        tier: config.tier,
        now: timestamp(clock),
      })
      const place = { project_id: project.id, settings: await readAlertSettings(tx, project.id) }
      return presentRecordedAlerts(
        await recordAlerts({ tx, clock }, place, parseAlertPayload(payload, reading)),
      )
    },
  }),
]

const testPayload: AlertPayload = { title: 'Test alert', severity: 'info' }
