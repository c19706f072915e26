// The rules by which users are notified, and the reasons in the emails
// (docs/api/notification-settings.md, "Who is notified").
import type { NotificationSettingTable } from '../../../db/db.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'
import { isEventChosen } from '../../planning/notification-settings/chosen-events.ts'
import {
  type IssuableHappening,
  type IssuableNews,
  type NotificationReason,
  notificationEventNameOf,
  notificationReasons,
} from './notification.ts'

/** How a user is involved in an issue or merge request; `named` in its texts or notes. */
export type IssuableInvolvement =
  | 'author'
  | 'assignee'
  | 'reviewer'
  | 'commenter'
  | 'named'
  | 'subscriber'
  /** Subscribed to a label that was added. */
  | 'label'
  /** Has a notification setting that may include the project. */
  | 'setting'
  /** The change itself concerns this user, for example as a new assignee. */
  | 'news'

type Level = NotificationSettingTable['level']
export type NotificationLevelSetting = { level: Level; events: Readonly<Record<string, boolean>> }

/** A setting with its location: `depth` is the distance of a group from the project, 0 for its own group. */
export type NotificationSettingWithPlace = NotificationLevelSetting & {
  project_id: number | null
  namespace_id: number | null
  depth: number | null
}

/** Returns the setting that applies: the nearest one that does not inherit. */
export function nearestNotificationSetting(
  settings: readonly NotificationSettingWithPlace[],
): NotificationLevelSetting {
  const distance = ({ project_id, namespace_id, depth }: NotificationSettingWithPlace) => {
    if (project_id !== null) return -1
    return namespace_id === null ? Number.POSITIVE_INFINITY : (depth ?? 0)
  }
  const [nearest] = settings
    .filter(({ level }) => level !== 'global')
    .toSorted((one, other) => distance(one) - distance(other))
  return nearest ?? { level: 'participating', events: {} }
}

export type NotificationCandidate = {
  user_id: number
  connections: ReadonlySet<IssuableInvolvement>
  setting: NotificationLevelSetting
  /** Whether the user has unsubscribed from the thread. */
  isUnsubscribed: boolean
}

/** A cause of a notification. Its type decides for which levels it counts. */
type Cause = {
  type: 'mention' | 'participating' | 'subscription' | 'watch'
  reason: NotificationReason
}

const participating: Partial<Record<IssuableInvolvement, NotificationReason>> = {
  assignee: 'assigned',
  named: 'mentioned',
  reviewer: 'review_requested',
  author: 'author',
  commenter: 'participating',
}

/** Changes that users with the level `watch` are not notified of. */
const unwatched: ReadonlySet<IssuableHappening> = new Set(['push', 'due'])

/**
 * Returns which parts of the news the user is notified of, and the strongest reason; undefined for none. `named_ids` are
 * the users whom the text of the news mentions.
 */
export function chooseNewsForPerson(
  person: NotificationCandidate,
  news: IssuableNews,
  { kind, named_ids }: { kind: IssuableKind; named_ids: readonly number[] },
): { happenings: IssuableHappening[]; reason: NotificationReason } | undefined {
  const found = new Set<NotificationReason>()
  const happenings = news.happenings.filter((happening) => {
    const causes = listCauses(person, happening, { news, named_ids })
    const valid = causes.filter((cause) => isToldFor(person, cause, { happening, kind }))
    for (const { reason } of valid) found.add(reason)
    return valid.length > 0
  })
  const reason = notificationReasons.find((one) => found.has(one))
  return reason && { happenings, reason }
}

function listCauses(
  { user_id, connections }: NotificationCandidate,
  happening: IssuableHappening,
  { news, named_ids }: { news: IssuableNews; named_ids: readonly number[] },
): Cause[] {
  const direct = listDirectCauses(user_id, happening, { news, named_ids })
  if (happening === 'mention') return direct
  const followed: Cause[] =
    connections.has('label') && (happening === 'label' || happening === 'open')
      ? [{ type: 'subscription', reason: 'subscribed' }]
      : []
  if (happening === 'label') return followed
  if (happening === 'open' && connections.has('named')) {
    direct.push({ type: 'mention', reason: 'mentioned' })
  }
  const ofParticipation = [...connections].flatMap((connection): Cause[] => {
    const reason = participating[connection]
    return reason ? [{ type: 'participating', reason }] : []
  })
  return [
    ...direct,
    ...followed,
    ...ofParticipation,
    ...(connections.has('subscriber')
      ? [{ type: 'subscription', reason: 'subscribed' } as const]
      : []),
    ...(connections.has('setting') ? [{ type: 'watch', reason: 'watching' } as const] : []),
  ]
}

/** Returns the causes that concern a user by name: they were assigned, asked for a review or mentioned, or no longer are. */
function listDirectCauses(
  user_id: number,
  happening: IssuableHappening,
  { news, named_ids }: { news: IssuableNews; named_ids: readonly number[] },
): Cause[] {
  const is = (ids: readonly number[] = []) => ids.includes(user_id)
  const cause = (reason: NotificationReason): Cause[] => [{ type: 'mention', reason }]
  switch (happening) {
    case 'reassign':
      if (is(news.assigned_ids)) return cause('assigned')
      return is(news.unassigned_ids) ? cause('participating') : []
    case 'review':
      if (is(news.reviewer_ids)) return cause('review_requested')
      return is(news.removed_reviewer_ids) ? cause('participating') : []
    case 'note':
    case 'mention':
      return is(named_ids) ? cause('mentioned') : []
    default:
      return []
  }
}

/** Returns whether the user's notification level includes the cause. */
function isToldFor(
  { setting: { level, events }, isUnsubscribed }: NotificationCandidate,
  { type }: Cause,
  { happening, kind }: { happening: IssuableHappening; kind: IssuableKind },
): boolean {
  if (isUnsubscribed && type !== 'mention') return false
  // A subscription to this thread takes precedence over the level.
  if (type === 'subscription') return true
  switch (level) {
    case 'disabled':
      return false
    case 'mention':
      return type === 'mention'
    case 'watch':
      return type !== 'watch' || !unwatched.has(happening)
    case 'custom':
      return (
        type !== 'watch' || isEventChosen(events, notificationEventNameOf(happening, kind) ?? '')
      )
    default:
      return type !== 'watch'
  }
}

/** Whether the user who started a pipeline is notified of its result. */
export function isNotifiedOfPipeline(
  { level, events }: NotificationLevelSetting,
  outcome: 'failed' | 'fixed' | 'success',
): boolean {
  if (level === 'custom') return isEventChosen(events, `${outcome}_pipeline`)
  return outcome !== 'success' && (level === 'watch' || level === 'participating')
}
