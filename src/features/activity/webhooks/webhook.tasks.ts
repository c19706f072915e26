import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { buildWebhookPayload } from '../webhook-payloads/build-payload.ts'
import { callWebhookTaskName as callName, type HookCallPayload } from './call-hooks.ts'
import { deliverWebhook } from './deliver.ts'
import { deleteOldWebhookDeliveries, findWebhook } from './webhook.store.ts'
import { webhookAlertStatusOf, webhookKindOf } from './webhook.ts'

/**
 * The number of running calls by webhook. It is limited, so that a slow receiver does not block the whole
 * lane.
 */
const underWay = new Map<number, number>()

/**
 * Builds the payload and sends it. Retries only without a response, since a receiver that responds has the payload. A
 * crash between the call and its log repeats the call with the same `Idempotency-Key`.
 */
const callWebhook = defineTask({
  ...callName,
  async run(uses: Instance, payload: HookCallPayload) {
    const { db, clock } = uses
    const { webhook_id: id, event, about, event_uuid, call_uuid, attempt } = payload
    const { calls_max, wait_ms, retries_ms } = limits.webhooks
    const again = (key: string, delay_ms: number, changed: HookCallPayload) =>
      enqueue(db, clock, { task: callName, key, payload: changed, delay_ms })
    const calls = underWay.get(id) ?? 0
    if (calls >= calls_max) return again(`${call_uuid}:waits`, wait_ms, payload)
    underWay.set(id, calls + 1)
    try {
      const webhook = await findWebhook(db, id)
      // Events during a pause are not delivered later.
      if (!webhook || webhookAlertStatusOf(webhook, timestamp(clock)) !== 'executable') return
      const told = await buildWebhookPayload(uses, about, webhookKindOf(webhook))
      if (!told) return
      const body = JSON.stringify(told)
      const outcome = await deliverWebhook(uses, { webhook, event, body, event_uuid, call_uuid })
      const delay_ms = retries_ms[attempt]
      if ('answer' in outcome || !outcome.isMissing || delay_ms === undefined) return
      const next = attempt + 1
      await again(`${call_uuid}:${next}`, delay_ms, { ...payload, attempt: next })
    } finally {
      const left = (underWay.get(id) ?? 1) - 1
      if (left === 0) underWay.delete(id)
      else underWay.set(id, left)
    }
  },
})

/** Deletes old deliveries, some at a time. Safe to repeat. */
export async function removeOldDeliveries({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const { kept_ms, removed_max } = limits.webhooks
  const until = new Date(clock().getTime() - kept_ms).toISOString()
  await deleteOldWebhookDeliveries(db, { until, limit: removed_max })
}

export const webhookTasks = [
  callWebhook,
  defineTask({
    name: 'remove-old-hook-deliveries',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeOldDeliveries,
  }),
]
