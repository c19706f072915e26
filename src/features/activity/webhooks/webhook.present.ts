import { type Static, type TSchema, Type } from 'typebox'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { hookFlagsByKind, type WebhookKind } from '../webhook-payloads/hook-event.ts'
import type { WebhookDeliveryRow } from './webhook.store.ts'
import type { Webhook, WebhookAlertStatus } from './webhook.ts'

const flagsJson = (kind: WebhookKind): Record<string, TSchema> =>
  Object.fromEntries(hookFlagsByKind[kind].map((flag) => [flag, Type.Boolean()]))

const commonJson = {
  id: Type.Integer(),
  url: Type.String(),
  created_at: Type.String(),
  enable_ssl_verification: Type.Boolean(),
}
const ownJson = {
  push_events_branch_filter: nullableText,
  name: nullableText,
  description: nullableText,
  alert_status: oneOf(['executable', 'temporarily_disabled', 'disabled']),
  disabled_until: nullableText,
}

export const WebhookJson = {
  system: namedObject('SystemWebhook', { ...commonJson, ...flagsJson('system') }),
  project: namedObject('ProjectWebhook', {
    ...commonJson,
    ...flagsJson('project'),
    project_id: Type.Integer(),
    ...ownJson,
  }),
  group: namedObject('GroupWebhook', {
    ...commonJson,
    ...flagsJson('group'),
    group_id: Type.Integer(),
    ...ownJson,
  }),
} as const

/** Presents a webhook without secrets: tokens and passwords can be written and never read. */
export function presentWebhook(
  webhook: Webhook,
  { kind, alert_status }: { kind: WebhookKind; alert_status: WebhookAlertStatus },
): Record<string, unknown> {
  const { id, url, created_at, enable_ssl_verification, events } = webhook
  const flags = hookFlagsByKind[kind].map((flag) => [flag, events.includes(flag)] as const)
  const of =
    kind === 'project' ? { project_id: webhook.project_id } : { group_id: webhook.namespace_id }
  return {
    id,
    url,
    created_at,
    ...Object.fromEntries(flags.slice(0, hookFlagsByKind.system.length)),
    enable_ssl_verification,
    ...(kind === 'system'
      ? {}
      : {
          ...of,
          ...Object.fromEntries(flags.slice(hookFlagsByKind.system.length)),
          push_events_branch_filter: webhook.push_events_branch_filter,
          name: webhook.name,
          description: webhook.description,
          alert_status,
          disabled_until: webhook.disabled_until,
        }),
  }
}

export const DeliveryJson = namedObject('WebhookDelivery', {
  id: Type.Integer(),
  url: Type.String(),
  trigger: Type.String(),
  request_headers: Type.Record(Type.String(), Type.String()),
  request_data: nullable(Type.Unknown()),
  response_headers: Type.Record(Type.String(), Type.String()),
  response_body: Type.String(),
  execution_duration: Type.Number(),
  response_status: Type.String(),
})

/** Presents a delivery. Without a response its status is `internal error` and its body contains the reason. */
export function presentDelivery(delivery: WebhookDeliveryRow): Static<typeof DeliveryJson> {
  const { id, url, trigger, request_body, response_status: status, error } = delivery
  return {
    id,
    url,
    trigger,
    request_headers: delivery.request_headers,
    request_data: request_body === null ? null : JSON.parse(request_body),
    response_headers: delivery.response_headers,
    response_body: error ?? delivery.response_body,
    execution_duration: delivery.duration_ms / 1000,
    response_status: status === null ? 'internal error' : String(status),
  }
}
