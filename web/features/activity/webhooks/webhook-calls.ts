// API operations of webhooks, for a project and for a group.
import { invalidate } from '../../../api/cache.ts'
import type { GroupWebhook, ProjectWebhook } from '../../../api/operations.ts'
import { webhooks as words } from '../../../text/webhooks.ts'
import type { Place } from '../../../ui/page-module.ts'

export type Webhook = ProjectWebhook | GroupWebhook

const ofProject = {
  list: 'GET /projects/:id/hooks',
  get: 'GET /projects/:id/hooks/:hook_id',
  create: 'POST /projects/:id/hooks',
  change: 'PUT /projects/:id/hooks/:hook_id',
  remove: 'DELETE /projects/:id/hooks/:hook_id',
  deliveries: 'GET /projects/:id/hooks/:hook_id/events',
  resend: 'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend',
  test: 'POST /projects/:id/hooks/:hook_id/test/:trigger',
} as const
const ofGroup = {
  list: 'GET /groups/:id/hooks',
  get: 'GET /groups/:id/hooks/:hook_id',
  create: 'POST /groups/:id/hooks',
  change: 'PUT /groups/:id/hooks/:hook_id',
  remove: 'DELETE /groups/:id/hooks/:hook_id',
  deliveries: 'GET /groups/:id/hooks/:hook_id/events',
  resend: 'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend',
  test: 'POST /groups/:id/hooks/:hook_id/test/:trigger',
} as const

export const webhookRoutesOf = ({ kind }: Place) => (kind === 'group' ? ofGroup : ofProject)

export const manageWebhooksAbility = 'manage_webhooks'

type Event = (typeof words.eventWords)[number][0]

/** What a webhook may be called for, each with its name; groups know more. */
export function webhookEventsOf({ kind }: Place): readonly (readonly [Event, string])[] {
  const all = kind === 'group' ? [...words.eventWords, ...words.groupEventWords] : words.eventWords
  return all as readonly (readonly [Event, string])[]
}

export function invalidateWebhooks({ kind, id }: Place): void {
  invalidate(`/api/v4/${kind}s/${id}/hooks`)
}
