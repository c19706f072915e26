// Enqueues webhook calls: the transaction of an event looks up whether any webhook wants it, and enqueues a task for
// each. Without webhooks this costs one index lookup.
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import { enqueueAll, type TaskName } from '../../../tasks/task.ts'
import type { HookEvent } from '../webhook-payloads/hook-event.ts'
import type { WebhookSubject } from '../webhook-payloads/webhook-subject.ts'
import {
  type CallableWebhook,
  isSubscribedToEvent,
  listWebhooksOfScope,
  type WebhookScope,
  webhookAlertStatusOf,
} from './webhook.ts'

/** The name of the task; the work is in webhook.tasks.ts. */
export const callWebhookTaskName = {
  name: 'call-webhook',
  lane: 'hooks',
} as const satisfies TaskName

export type HookCallPayload = {
  webhook_id: number
  event: HookEvent
  about: WebhookSubject
  /** The same for all calls with the same cause. */
  event_uuid: string
  /** The id of this call; the same for all attempts. */
  call_uuid: string
  /** The number of attempts without a response. */
  attempt: number
}

export type HookCallRequest = {
  event: HookEvent
  /** The function is called only if a webhook subscribes to the event. */
  about: WebhookSubject | (() => Promise<WebhookSubject>)
  /** The branch of a push, since webhooks may be limited to some branches. */
  branch?: string
}

/**
 * Enqueues calls of every webhook in `scope` that subscribes to one of the events. `cause` gives tasks of a repeated
 * step the same keys.
 */
export async function enqueueHookCalls(
  { tx, clock }: { tx: Db; clock: Clock },
  scope: WebhookScope,
  asked: {
    calls: readonly HookCallRequest[]
    cause?: string
    /** The webhooks of the scope, if they are already loaded. */
    hooks?: readonly CallableWebhook[]
  },
): Promise<void> {
  const { calls, cause = randomUUID() } = asked
  if (calls.length === 0) return
  const hooks = asked.hooks ?? (await listWebhooksOfScope(tx, scope))
  const now = timestamp(clock)
  const open = hooks.filter((hook) => webhookAlertStatusOf(hook, now) === 'executable')
  const requests: { key: string; payload: HookCallPayload }[] = []
  for (const [index, call] of calls.entries()) {
    const wanting = open.filter((hook) => wantsCall(hook, call))
    if (wanting.length === 0) continue
    const about = typeof call.about === 'function' ? await call.about() : call.about
    for (const { id } of wanting) {
      requests.push({
        key: `${cause}:${index}:${id}`,
        payload: {
          webhook_id: id,
          event: call.event,
          about,
          event_uuid: cause,
          call_uuid: randomUUID(),
          attempt: 0,
        },
      })
    }
  }
  await enqueueAll(tx, clock, { task: callWebhookTaskName, requests })
}

function wantsCall(hook: CallableWebhook, { event, branch }: HookCallRequest): boolean {
  if (!isSubscribedToEvent(hook, event)) return false
  const filter = hook.push_events_branch_filter
  return branch === undefined || !filter || matchesWildcard(filter, branch)
}
