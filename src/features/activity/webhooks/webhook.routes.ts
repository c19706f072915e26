import { Type } from 'typebox'
import { toJson } from '../../../db/dialect.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf, type ParameterRule } from '../../../http/parameters.ts'
import {
  MessageJson,
  namedObject,
  nullableText,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import { FairLimiter } from '../../../kernel/fair-limiter.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAndListed,
} from '../../../outgoing/address-policy.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import { buildWebhookPayload } from '../webhook-payloads/build-payload.ts'
import {
  type HookEvent,
  type HookFlag,
  hookEvents,
  hookFlagsByKind,
  type WebhookKind,
} from '../webhook-payloads/hook-event.ts'
import { deliverWebhook, type WebhookDeliveryOutcome } from './deliver.ts'
import { findSampleSubject } from './sample-subject.ts'
import { DeliveryJson, presentDelivery, presentWebhook, WebhookJson } from './webhook.present.ts'
import {
  deleteWebhook,
  findOwnerWebhook,
  findWebhookDelivery,
  type HttpStatusRange,
  hasWebhooksAtLeast,
  insertWebhook,
  listWebhookDeliveries,
  listWebhooks,
  updateWebhook,
  type WebhookOwner,
} from './webhook.store.ts'
import { type Webhook, webhookAlertStatusOf } from './webhook.ts'
import {
  groupHookOwnerLoader,
  instanceHookOwnerLoader,
  mayAdminWebhooks,
  projectHookOwnerLoader,
} from './webhook-owner.ts'
import { checkWebhookBranchFilter, checkWebhookToken, parseWebhookUrl } from './webhook-problems.ts'

type HookContext<Input> = Context<WebhookOwner, Input>
type HookId = { hook_id: number }
type Given = {
  url?: string
  token?: string | null
  push_events_branch_filter?: string | null
  name?: string | null
  description?: string | null
  enable_ssl_verification?: boolean
} & Partial<Record<HookFlag, boolean>>

/** The flags of a new webhook by default; all others are off. */
const usualFlags: Record<WebhookKind, readonly HookFlag[]> = {
  project: ['push_events'],
  group: ['push_events'],
  system: ['repository_update_events'],
}
const most = {
  project: limits.webhooks.per_project_max,
  group: limits.webhooks.per_group_max,
  system: limits.webhooks.per_instance_max,
} as const

/** Limits test calls: they wait for other servers and must not delay other requests. */
const trials = new FairLimiter(limits.webhooks.trials)

const textInput = Type.Optional(nullableText)
const commonInput = {
  token: textInput,
  enable_ssl_verification: optionalBoolean,
  push_events_branch_filter: textInput,
  name: textInput,
  description: textInput,
}
const inputOf = (kind: WebhookKind) => ({
  ...commonInput,
  ...Object.fromEntries(hookFlagsByKind[kind].map((flag) => [flag, optionalBoolean])),
})

async function getWebhook({ db, subject, input }: HookContext<HookId>): Promise<Webhook> {
  const found = await findOwnerWebhook(db, subject, input.hook_id)
  if (!found) throw recordNotFound()
  return found
}

function show({ subject, clock }: HookContext<unknown>, webhook: Webhook) {
  const alert_status = webhookAlertStatusOf(webhook, timestamp(clock))
  return presentWebhook(webhook, { kind: subject.kind, alert_status })
}

/** Returns the addresses that webhooks of this owner may call, as far as the URL alone tells. */
async function reachOf({ db, subject }: HookContext<unknown>): Promise<AddressPolicy> {
  const settings = await readSettings(db)
  const isOpen =
    subject.kind === 'system'
      ? settings.allow_local_requests_from_system_hooks
      : settings.allow_local_requests_from_web_hooks_and_services
  return isOpen ? allowAnyAddress : allowPublicAndListed(settings.outbound_local_requests_whitelist)
}

/** Returns the columns of the input. Throws 422 with the problems of the fields. */
async function columnsOf(context: HookContext<unknown>, given: Given, before: readonly string[]) {
  const { subject, secretKey, clock } = context
  const { url, token, push_events_branch_filter, name, description } = given
  const address = url === undefined ? undefined : parseWebhookUrl(url, await reachOf(context))
  checkWebhookBranchFilter(push_events_branch_filter)
  checkWebhookToken(token)
  const flags = hookFlagsByKind[subject.kind].filter((flag) => given[flag] ?? before.includes(flag))
  const seal = (text: string | null | undefined) => (text ? sealSecret(secretKey, text) : null)
  return {
    ...(address ? { url: address.url, credentials: seal(address.credentials) } : {}),
    ...(token === undefined ? {} : { token: seal(token) }),
    ...(push_events_branch_filter === undefined ? {} : { push_events_branch_filter }),
    ...(name === undefined ? {} : { name: shortened(name, limits.name_characters) }),
    ...(description === undefined
      ? {}
      : { description: shortened(description, limits.description_characters) }),
    events: toJson(flags),
    updated_at: timestamp(clock),
  }
}

function shortened(text: string | null, characters_max: number): string | null {
  return text === null ? null : [...text].slice(0, characters_max).join('')
}

/** Records an audit event with the URL only, without secrets. */
async function audit(
  context: HookContext<unknown>,
  action: 'webhook_created' | 'webhook_changed' | 'webhook_removed',
  { id, url, events }: Webhook,
): Promise<void> {
  const { kind, id: owner_id } = context.subject
  await recordAuditEvent(context, {
    action,
    entity: { kind: kind === 'system' ? 'instance' : kind, id: owner_id },
    target: { kind: 'webhook', id, name: new URL(url).origin },
    details: { events },
  })
}

async function create(context: HookContext<Given & { url: string }>) {
  const { db, clock, subject, input } = context
  const { kind } = subject
  const columns = await columnsOf(context, input, usualFlags[kind])
  await lockOwner(db, subject)
  if (await hasWebhooksAtLeast(db, subject, most[kind])) {
    throw unprocessable({ base: [`Maximum number of ${kind} hooks (${most[kind]}) exceeded`] })
  }
  const webhook = await insertWebhook(db, subject, {
    ...columns,
    url: columns.url ?? '',
    enable_ssl_verification: input.enable_ssl_verification ?? true,
    created_at: timestamp(clock),
  })
  await audit(context, 'webhook_created', webhook)
  return show(context, webhook)
}

async function change(context: HookContext<Given & HookId>) {
  const { db, input } = context
  const before = await getWebhook(context)
  const { enable_ssl_verification = before.enable_ssl_verification } = input
  const columns = await columnsOf(context, input, before.events)
  // For a new URL the count of failures starts again at 0.
  const isElsewhere = columns.url !== undefined && columns.url !== before.url
  // A new URL does not get the token of the former receiver.
  const isTokenForgotten = isElsewhere && input.token === undefined
  const webhook = await updateWebhook(db, before.id, {
    ...columns,
    enable_ssl_verification,
    ...(isElsewhere ? { failures: 0, disabled_until: null } : {}),
    ...(isTokenForgotten ? { token: null } : {}),
  })
  await audit(context, 'webhook_changed', webhook)
  return show(context, webhook)
}

const namedStatuses: Record<string, HttpStatusRange> = {
  successful: { from: 200, to: 299 },
  client_failure: { from: 400, to: 499 },
  server_failure: { from: 500, to: 599 },
}

function statusOf(text: string): HttpStatusRange | undefined {
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : undefined
  if (status !== undefined) return { from: status, to: status }
  return ownValue(namedStatuses, text)
}

const knownStatuses: ParameterRule = ({ status }) => {
  const given = (status ?? []) as string[]
  return given.every(statusOf) ? undefined : 'status does not have a valid value'
}

/** Returns the status of a test call. Throws 422 with the error of a failed one. */
function checkOutcome(outcome: WebhookDeliveryOutcome): number {
  if ('error' in outcome) throw unprocessable(outcome.error)
  const { status, body } = outcome.answer
  if (status < 200 || status > 299) throw unprocessable(body)
  return status
}
const ResentJson = namedObject('ResentDelivery', { response_status: Type.Integer() })

/** Creates the endpoints that webhooks of projects, groups and the instance share. */
function endpointsOf(
  base: '/projects/:id/hooks' | '/groups/:id/hooks' | '/hooks',
  { kind, on }: { kind: WebhookKind; on: SubjectLoader<WebhookOwner> },
): readonly Endpoint[] {
  const endpoint = endpointFactory({
    tag: kind === 'system' ? 'System hooks' : 'Webhooks',
    on,
    signIn: 'always',
    tier: kind === 'group' ? 'premium' : 'free',
  })
  const whose = kind === 'system' ? 'the instance' : `a ${kind}`
  const input = inputOf(kind)
  const changeable = ['url', ...Object.keys(input)]
  const one = `${base}/:hook_id` as const
  const idInput = { hook_id: Type.Integer() }
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the webhooks of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object(pageInput),
      answer: Type.Array(WebhookJson[kind]),
      async run(context) {
        const { rows, total } = await listWebhooks(context.db, context.subject, context.range)
        return new Page({ items: rows.map((row) => show(context, row)), total })
      },
    }),

    endpoint({
      route: `GET ${one}`,
      summary: `Get a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object(idInput),
      answer: WebhookJson[kind],
      run: async (context) => show(context, await getWebhook(context)),
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Create a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object({ url: Type.String(), ...input }),
      status: 201,
      answer: WebhookJson[kind],
      run: create,
    }),

    endpoint({
      route: `PUT ${one}`,
      summary: `Change a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object({ ...idInput, url: optionalText, ...input }),
      rules: [atLeastOneOf(...changeable)],
      answer: WebhookJson[kind],
      run: change,
    }),

    endpoint({
      route: `DELETE ${one}`,
      summary: `Delete a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object(idInput),
      status: 204,
      async run(context) {
        const webhook = await getWebhook(context)
        checkIfUnmodifiedSince(context.request, webhook.updated_at)
        await deleteWebhook(context.db, webhook.id)
        await audit(context, 'webhook_removed', webhook)
      },
    }),

    endpoint({
      route: `GET ${one}/events`,
      summary: `List the recent deliveries of a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      input: Type.Object({
        ...idInput,
        status: Type.Optional(
          Type.Array(Type.String(), {
            description: '200 to 599, `successful`, `client_failure` or `server_failure`.',
          }),
        ),
        ...pageInput,
      }),
      rules: [knownStatuses],
      answer: Type.Array(DeliveryJson),
      async run(context) {
        const { db, clock, input, range } = context
        const { id: webhook_id } = await getWebhook(context)
        const since = new Date(clock().getTime() - limits.webhooks.kept_ms).toISOString()
        const statuses = input.status?.flatMap((text) => statusOf(text) ?? [])
        const { rows, total } = await listWebhookDeliveries(
          db,
          { webhook_id, since, statuses },
          range,
        )
        return new Page({ items: rows.map(presentDelivery), total })
      },
    }),

    endpoint({
      route: `POST ${one}/events/:hook_event_id/resend`,
      summary: `Resend a delivery of a webhook of ${whose}`,
      allow: mayAdminWebhooks,
      // No transaction is open while the call waits for the receiver.
      transaction: 'none',
      input: Type.Object({ ...idInput, hook_event_id: Type.Integer() }),
      status: 201,
      answer: ResentJson,
      async run(context) {
        const { db, input } = context
        const webhook = await getWebhook(context)
        const by = { webhook_id: webhook.id, id: input.hook_event_id }
        const sent = await findWebhookDelivery(db, by)
        if (!sent) throw recordNotFound()
        const { request_body: body } = sent
        if (body === null) throw unprocessable('Its body was too long to be kept.')
        const event_uuid = sent.request_headers['X-Gitlab-Event-UUID']
        const event = eventOf(sent.trigger)
        const delivery = { webhook, event, body, event_uuid }
        const outcome = await trials.run(() => deliverWebhook(context, delivery))
        return { response_status: checkOutcome(outcome) }
      },
    }),
  ]
}

/** Returns the event of a delivery. */
function eventOf(trigger: string): HookEvent {
  const found = Object.entries(hookEvents).find(([, event]) => event.trigger === trigger)
  return found ? (found[0] as HookFlag) : 'system'
}

function testEndpoint(
  base: '/projects/:id/hooks' | '/groups/:id/hooks',
  { kind, on }: { kind: 'project' | 'group'; on: SubjectLoader<WebhookOwner> },
): Endpoint {
  const endpoint = endpointFactory({ tag: 'Webhooks', on, signIn: 'always' })
  return endpoint({
    route: `POST ${base}/:hook_id/test/:trigger`,
    summary: `Test a webhook of a ${kind}`,
    tier: kind === 'group' ? 'premium' : 'free',
    allow: mayAdminWebhooks,
    transaction: 'none',
    input: Type.Object({ hook_id: Type.Integer(), trigger: oneOf(hookFlagsByKind[kind]) }),
    status: 201,
    answer: MessageJson,
    async run(context) {
      const { subject: owner, input, user } = context
      const webhook = await getWebhook(context)
      const { trigger: event } = input
      const about = await findSampleSubject(context, { owner, flag: event, user_id: user.id })
      const told = await buildWebhookPayload(context, about, kind)
      if (!told) throw recordNotFound()
      const delivery = { webhook, event, body: JSON.stringify(told) }
      checkOutcome(await trials.run(() => deliverWebhook(context, delivery)))
      return { message: '201 Created' }
    },
  })
}

/** The payload of a test call of a system hook. */
const sampleProject = {
  event_name: 'project_create',
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'example@example.com',
}

const aSystemHook = endpointFactory({
  tag: 'System hooks',
  on: instanceHookOwnerLoader,
  signIn: 'always',
})

export const webhookEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/hooks', { kind: 'project', on: projectHookOwnerLoader }),
  testEndpoint('/projects/:id/hooks', { kind: 'project', on: projectHookOwnerLoader }),
  ...endpointsOf('/groups/:id/hooks', { kind: 'group', on: groupHookOwnerLoader }),
  testEndpoint('/groups/:id/hooks', { kind: 'group', on: groupHookOwnerLoader }),
  ...endpointsOf('/hooks', { kind: 'system', on: instanceHookOwnerLoader }),
  aSystemHook({
    route: 'POST /hooks/:hook_id',
    summary: 'Test a system hook',
    allow: mayAdminWebhooks,
    transaction: 'none',
    input: Type.Object({ hook_id: Type.Integer() }),
    status: 201,
    answer: Type.Object({
      event_name: Type.String(),
      name: Type.String(),
      path: Type.String(),
      project_id: Type.Integer(),
      owner_name: Type.String(),
      owner_email: Type.String(),
    }),
    async run(context) {
      const webhook = await getWebhook(context)
      const body = JSON.stringify(sampleProject)
      await trials.run(() => deliverWebhook(context, { webhook, event: 'system', body }))
      return sampleProject
    },
  }),
]
