// Who of those whom news may concern is told, and why: pure rules (docs/api/notification-settings.md, "Who is told").
import type { NotificationSettingTable } from '../../../db/db.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'
import {
  eventNameOf,
  type Happening,
  type IssuableNews,
  type Reason,
  reasons,
} from './notification.ts'

/** What connects somebody with an issue or a merge request. `named` is by its texts or notes. */
export type Source =
  | 'author'
  | 'assignee'
  | 'reviewer'
  | 'commenter'
  | 'named'
  | 'subscriber'
  /** Follows a label of it that is new. */
  | 'label'
  /** Has a setting by which one may be told of everything. */
  | 'setting'
  /** The news itself is about this person. */
  | 'news'

type Level = NotificationSettingTable['level']
export type Setting = { level: Level; events: Readonly<Record<string, boolean>> }

/** A setting, with where it is: `depth` of a group above the project, 0 of its own. */
export type PlacedSetting = Setting & {
  project_id: number | null
  namespace_id: number | null
  depth: number | null
}

/** The setting that counts: the nearest one that does not refer to the next. */
export function nearestSetting(settings: readonly PlacedSetting[]): Setting {
  const distance = ({ project_id, namespace_id, depth }: PlacedSetting) => {
    if (project_id !== null) return -1
    return namespace_id === null ? Number.POSITIVE_INFINITY : (depth ?? 0)
  }
  const [nearest] = settings
    .filter(({ level }) => level !== 'global')
    .toSorted((one, other) => distance(one) - distance(other))
  return nearest ?? { level: 'participating', events: {} }
}

export type Person = {
  user_id: number
  sources: ReadonlySet<Source>
  setting: Setting
  /** Has unsubscribed from the thread. */
  isUnsubscribed: boolean
}

/** How somebody comes to be told: it decides which levels let it through. */
type Way = { type: 'mention' | 'participating' | 'subscription' | 'watch'; reason: Reason }

const participating: Partial<Record<Source, Reason>> = {
  assignee: 'assigned',
  named: 'mentioned',
  reviewer: 'review_requested',
  author: 'author',
  commenter: 'participating',
}

/** What whoever watches everything of a project is not told of. */
const unwatched: ReadonlySet<Happening> = new Set(['push', 'due'])

/**
 * What of the news the person is told, and the strongest reason for it; undefined for one who is told nothing.
 * `named_ids` are those whom the text of the news names.
 */
export function chooseNewsFor(
  person: Person,
  news: IssuableNews,
  { kind, named_ids }: { kind: IssuableKind; named_ids: readonly number[] },
): { happenings: Happening[]; reason: Reason } | undefined {
  const found = new Set<Reason>()
  const happenings = news.happenings.filter((happening) => {
    const ways = waysTo(person, happening, { news, named_ids })
    const open = ways.filter((way) => letsThrough(person, way, { happening, kind }))
    for (const { reason } of open) found.add(reason)
    return open.length > 0
  })
  const reason = reasons.find((one) => found.has(one))
  return reason && { happenings, reason }
}

function waysTo(
  { user_id, sources }: Person,
  happening: Happening,
  { news, named_ids }: { news: IssuableNews; named_ids: readonly number[] },
): Way[] {
  const direct = directWays(user_id, happening, { news, named_ids })
  if (happening === 'mention') return direct
  const followed: Way[] =
    sources.has('label') && (happening === 'label' || happening === 'open')
      ? [{ type: 'subscription', reason: 'subscribed' }]
      : []
  if (happening === 'label') return followed
  if (happening === 'open' && sources.has('named')) {
    direct.push({ type: 'mention', reason: 'mentioned' })
  }
  const taking = [...sources].flatMap((source): Way[] => {
    const reason = participating[source]
    return reason ? [{ type: 'participating', reason }] : []
  })
  return [
    ...direct,
    ...followed,
    ...taking,
    ...(sources.has('subscriber') ? [{ type: 'subscription', reason: 'subscribed' } as const] : []),
    ...(sources.has('setting') ? [{ type: 'watch', reason: 'watching' } as const] : []),
  ]
}

/** What is said to somebody by name: that they are assigned, asked for a review or mentioned, or no longer so. */
function directWays(
  user_id: number,
  happening: Happening,
  { news, named_ids }: { news: IssuableNews; named_ids: readonly number[] },
): Way[] {
  const is = (ids: readonly number[] = []) => ids.includes(user_id)
  const way = (reason: Reason): Way[] => [{ type: 'mention', reason }]
  switch (happening) {
    case 'reassign':
      if (is(news.assigned_ids)) return way('assigned')
      return is(news.unassigned_ids) ? way('participating') : []
    case 'review':
      if (is(news.reviewer_ids)) return way('review_requested')
      return is(news.removed_reviewer_ids) ? way('participating') : []
    case 'note':
    case 'mention':
      return is(named_ids) ? way('mentioned') : []
    default:
      return []
  }
}

function letsThrough(
  { setting: { level, events }, isUnsubscribed }: Person,
  { type }: Way,
  { happening, kind }: { happening: Happening; kind: IssuableKind },
): boolean {
  if (isUnsubscribed && type !== 'mention') return false
  // Who subscribed to this one thing wants to be told of it, whatever holds for all others.
  if (type === 'subscription') return true
  switch (level) {
    case 'disabled':
      return false
    case 'mention':
      return type === 'mention'
    case 'watch':
      return type !== 'watch' || !unwatched.has(happening)
    case 'custom':
      return type !== 'watch' || ownValue(events, eventNameOf(happening, kind) ?? '') === true
    default:
      return type !== 'watch'
  }
}

/** Whether the one who started a pipeline is told how it ended. */
export function isToldOfPipeline(
  { level, events }: Setting,
  outcome: 'failed' | 'fixed' | 'success',
): boolean {
  if (level === 'custom') {
    // The two that concern one's own work are told unless they were turned off.
    return ownValue(events, `${outcome}_pipeline`) ?? outcome !== 'success'
  }
  return outcome !== 'success' && (level === 'watch' || level === 'participating')
}
