// Webhooks: their owners, which of them an event concerns, and what happens to one whose calls fail
// (docs/api/webhooks.md, "Failures").
import type { Selectable } from 'kysely'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db, WebhookTable } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type HookEvent,
  hookFlagsByKind,
  type WebhookKind,
} from '../webhook-payloads/hook-event.ts'

export type Webhook = Selectable<WebhookTable>

/**
 * The webhooks that an event calls: those of a project and the groups above it, those of a group, or those of the instance.
 */
export type WebhookScope = { project_id: number } | { namespace_id: number } | 'system'

const callable = [
  'id',
  'project_id',
  'namespace_id',
  'events',
  'push_events_branch_filter',
  'failures',
  'disabled_until',
] as const
export type CallableWebhook = Pick<Webhook, (typeof callable)[number]>

function systemHooks(db: Db) {
  return db
    .selectFrom('webhooks')
    .select(callable)
    .where('project_id', 'is', null)
    .where('namespace_id', 'is', null)
}

const hooksOfProject = defineListLoader((db, { project_id }: { project_id: number }) =>
  systemHooks(db)
    .unionAll(db.selectFrom('webhooks').select(callable).where('project_id', '=', project_id))
    .unionAll(
      db
        .selectFrom('projects')
        .innerJoin('namespace_ancestors', (join) =>
          join.onRef('namespace_ancestors.namespace_id', '=', 'projects.namespace_id'),
        )
        .innerJoin('webhooks', 'webhooks.namespace_id', 'namespace_ancestors.ancestor_id')
        .select(callable.map((column) => `webhooks.${column}` as const))
        .where('projects.id', '=', project_id),
    ),
)
const hooksOfGroup = defineListLoader((db, { namespace_id }: { namespace_id: number }) =>
  systemHooks(db).unionAll(
    db
      .selectFrom('namespace_ancestors')
      .innerJoin('webhooks', 'webhooks.namespace_id', 'namespace_ancestors.ancestor_id')
      .select(callable.map((column) => `webhooks.${column}` as const))
      .where('namespace_ancestors.namespace_id', '=', namespace_id),
  ),
)
const hooksOfInstance = defineListLoader((db) => systemHooks(db))

/** Returns all webhooks that an event there may call; one indexed query. */
export function listWebhooksOfScope(
  db: Db,
  scope: WebhookScope,
): Promise<readonly CallableWebhook[]> {
  if (scope === 'system') return hooksOfInstance(db, {})
  return 'project_id' in scope ? hooksOfProject(db, scope) : hooksOfGroup(db, scope)
}

export function webhookKindOf(hook: Pick<Webhook, 'project_id' | 'namespace_id'>): WebhookKind {
  if (hook.project_id !== null) return 'project'
  return hook.namespace_id === null ? 'system' : 'group'
}

/** Whether the webhook subscribes to the event. */
export function isSubscribedToEvent(hook: CallableWebhook, event: HookEvent): boolean {
  const kind = webhookKindOf(hook)
  if (event === 'system') return kind === 'system'
  const known: readonly string[] = hookFlagsByKind[kind]
  return known.includes(event) && hook.events.includes(event)
}

export type WebhookAlertStatus = 'executable' | 'temporarily_disabled' | 'disabled'

/** Returns the status of a webhook: executable, or disabled after failures. System hooks are never disabled. */
export function webhookAlertStatusOf(
  hook: Pick<Webhook, 'project_id' | 'namespace_id' | 'failures' | 'disabled_until'>,
  now: string,
): WebhookAlertStatus {
  if (webhookKindOf(hook) === 'system') return 'executable'
  if (hook.failures >= limits.webhooks.failures_max) return 'disabled'
  const isPaused = hook.disabled_until !== null && hook.disabled_until > now
  return isPaused ? 'temporarily_disabled' : 'executable'
}

/** Returns how long a webhook is paused after so many failures in a row; undefined for no pause. */
export function webhookPauseAfterFailures_ms(failures: number): number | undefined {
  const { failures_before_pause, failures_max, pause_ms, pause_ms_max } = limits.webhooks
  if (failures < failures_before_pause || failures >= failures_max) return undefined
  return Math.min(pause_ms * 2 ** (failures - failures_before_pause), pause_ms_max)
}
