// Delivers one webhook call: headers, the log, and the consequences of failures (docs/api/webhooks.md, "Deliveries").

import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { monotonic_ms, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { serverVersion } from '../../../kernel/version.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAndListed,
  UnreachableError,
} from '../../../outgoing/address-policy.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import {
  type HookEvent,
  hookEventHeader,
  hookEventTrigger,
} from '../webhook-payloads/hook-event.ts'
import { sendWebhookHttpCall, type WebhookHttpAnswer } from './send-hook.ts'
import {
  incrementWebhookFailures,
  insertWebhookDelivery,
  pauseWebhook,
  resetWebhookFailures,
} from './webhook.store.ts'
import { type Webhook, webhookKindOf, webhookPauseAfterFailures_ms } from './webhook.ts'

export type WebhookDelivery = {
  webhook: Webhook
  event: HookEvent
  /** The payload as JSON. */
  body: string
  event_uuid?: string
  call_uuid?: string
}

/** The outcome of a delivery. `isMissing`: there was no response, so a retry may succeed. */
export type WebhookDeliveryOutcome =
  | { answer: WebhookHttpAnswer }
  | { error: string; isMissing: boolean }

/** A redirect counts as success: it is a response, and redirects are not followed. */
const isSuccess = (outcome: WebhookDeliveryOutcome): boolean =>
  'answer' in outcome && outcome.answer.status >= 200 && outcome.answer.status < 400

/** Sends a webhook request, stores the delivery, and counts a failure. */
export async function deliverWebhook(
  uses: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
  delivery: WebhookDelivery,
): Promise<WebhookDeliveryOutcome> {
  const { db, clock, secretKey } = uses
  const { webhook, event, body } = delivery
  const headers = headersOf(uses, delivery)
  const secrets: Record<string, string> = {}
  if (webhook.token !== null) {
    // Node writes headers as latin1, and the token must be sent as UTF-8.
    const token = Buffer.from(openSecret(secretKey, webhook.token))
    secrets['X-Gitlab-Token'] = token.toString('latin1')
  }
  if (webhook.credentials !== null) {
    const credentials = Buffer.from(openSecret(secretKey, webhook.credentials))
    secrets.Authorization = `Basic ${credentials.toString('base64')}`
  }
  const bytes = Buffer.from(body)
  const begun_ms = monotonic_ms()
  const outcome = await send(webhook, {
    headers: { ...headers, ...secrets },
    bytes,
    reach: await reachOf(db, webhook),
  })
  const duration_ms = Math.round(monotonic_ms() - begun_ms)
  const hidden = Object.keys(secrets).map((name) => [name, '[REDACTED]'])
  const answer = 'answer' in outcome ? outcome.answer : undefined
  await insertWebhookDelivery(db, {
    webhook_id: webhook.id,
    trigger: hookEventTrigger(event),
    url: webhook.url,
    request_headers: toJson({ ...headers, ...Object.fromEntries(hidden) }),
    request_body: bytes.length > limits.webhooks.kept_body_bytes ? null : body,
    response_status: answer?.status ?? null,
    response_headers: toJson(answer?.headers ?? {}),
    response_body: answer?.body ?? '',
    error: 'error' in outcome ? outcome.error : null,
    duration_ms,
    created_at: timestamp(clock),
  })
  if (!isSuccess(outcome)) await takeFailure(uses, webhook)
  else if (webhook.failures > 0) await resetWebhookFailures(db, webhook.id)
  return outcome
}

function headersOf(
  { config }: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
  { webhook, event, event_uuid = randomUUID(), call_uuid = randomUUID() }: WebhookDelivery,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Bloomery/${serverVersion}`,
    'X-Gitlab-Event': hookEventHeader(webhookKindOf(webhook), event),
    'X-Gitlab-Webhook-UUID': call_uuid,
    'X-Gitlab-Instance': serverUrl(config),
    'X-Gitlab-Event-UUID': event_uuid,
    'Idempotency-Key': call_uuid,
  }
}

/** Returns the addresses that the webhook may call; administrators decide separately about system hooks and all others. */
async function reachOf(db: Db, webhook: Webhook): Promise<AddressPolicy> {
  const settings = await readSettings(db)
  const isOpen =
    webhookKindOf(webhook) === 'system'
      ? settings.allow_local_requests_from_system_hooks
      : settings.allow_local_requests_from_web_hooks_and_services
  return isOpen ? allowAnyAddress : allowPublicAndListed(settings.outbound_local_requests_whitelist)
}

async function send(
  { url, enable_ssl_verification }: Webhook,
  {
    headers,
    bytes,
    reach,
  }: { headers: Record<string, string>; bytes: Buffer; reach: AddressPolicy },
): Promise<WebhookDeliveryOutcome> {
  if (bytes.length > limits.webhooks.body_bytes) {
    return { error: 'its body is too large to be sent', isMissing: false }
  }
  try {
    const answer = await sendWebhookHttpCall({
      url,
      headers,
      body: bytes,
      verifiesCertificate: enable_ssl_verification,
      reach,
    })
    return { answer }
  } catch (error) {
    // Maintainers of the webhook see the message, which may contain details about addresses, ports and
    // certificates.
    const isMissing = !(error instanceof UnreachableError)
    return { error: (error as Error).message || String(error), isMissing }
  }
}

async function takeFailure(
  { db, clock }: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
  { id }: Webhook,
): Promise<void> {
  await runTransaction(db, async (tx) => {
    const failures = await incrementWebhookFailures(tx, id)
    const pause_ms = failures === undefined ? undefined : webhookPauseAfterFailures_ms(failures)
    if (pause_ms === undefined) return
    await pauseWebhook(tx, id, new Date(clock().getTime() + pause_ms).toISOString())
  })
}
