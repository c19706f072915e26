// Determines which open lists of issues and merge requests a change affects, and which of their readers are notified:
// those who may read the changed record (docs/api/event-streams.md, "Rights").

import { setImmediate } from 'node:timers/promises'
import { Level } from '../../../access/level.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'
import { loadProjectsForUsers, type UserProjectPair } from '../../../subjects/project.ts'
import type { ChangeTopic, PublishedTopic } from '../../basics/changes/change.ts'
import {
  type FollowedIssuable,
  findAncestorGroupIds,
  findFollowedIssuables,
} from './event-stream.store.ts'
import {
  issuableKindOfTopic,
  mayReadFollowedIssuable,
  mayReadIssuableList,
  type TopicFollower,
} from './may-follow.ts'

/** The number of changes in one query, and of followers that are checked before other requests can run. */
const at_once = 100
/** If more records changed, the message contains no ids. */
const ids_max = 20

/**
 * `whole` is a change of a list that names no record, such as a deletion. `secret` is a change that only
 * Reporters can see.
 */
type Change = {
  kind: IssuableKind
  project_id: number
  what: FollowedIssuable | 'whole' | 'secret'
}

/** Whether a published topic may change lists. */
export function canTopicChangeLists(topic: PublishedTopic): boolean {
  return /^(?:issue|merge_request|(?:project|group|confidential)_(?:issues|merge_requests)):/.test(
    topic,
  )
}

export const isListTopic = (topic: ChangeTopic) => /^(?:project|group)_/.test(topic)

/** The ids of changed records of a list; undefined if any of them may have changed. */
type News = Set<number> | undefined

/**
 * Notifies each follower of lists which of their topics have changed, once each, with the ids of the changed records if
 * there are few.
 */
export async function notifyFollowersOfChangedLists<One extends TopicFollower>(
  db: Db,
  {
    published,
    followersOf,
    tell,
  }: {
    published: readonly PublishedTopic[]
    followersOf: (topic: ChangeTopic) => Iterable<One>
    tell: (follower: One, topic: ChangeTopic, ids: readonly number[] | undefined) => void
  },
): Promise<void> {
  const news = new Map<One, Map<ChangeTopic, News>>()
  const note = (follower: One, topic: ChangeTopic, what: Change['what']) => {
    const topics = news.get(follower) ?? new Map<ChangeTopic, News>()
    const known = topics.has(topic) ? topics.get(topic) : new Set<number>()
    const ids = typeof what === 'object' ? known?.add(what.issuable.id) : undefined
    news.set(follower, topics.set(topic, ids && ids.size <= ids_max ? ids : undefined))
  }
  const isAnything = (follower: One, topic: ChangeTopic) => {
    const topics = news.get(follower)
    return topics?.has(topic) === true && topics.get(topic) === undefined
  }
  for (const topic of published) {
    if (!topic.startsWith('group_')) continue
    for (const follower of followersOf(topic as ChangeTopic))
      note(follower, topic as ChangeTopic, 'whole')
  }
  for (const news of splitIntoBatches(published, at_once)) {
    const changes = await readChanges(db, news)
    const above = await findAncestorGroupIds(db, [...new Set(changes.map((one) => one.project_id))])
    const asked = changes.flatMap((change) =>
      listsOf(change, above).flatMap((topic) =>
        [...followersOf(topic)].map((follower) => ({ follower, topic, change })),
      ),
    )
    for (const batch of splitIntoBatches(asked, at_once)) {
      const some = batch.filter(({ follower, topic }) => !isAnything(follower, topic))
      const { find } = await loadProjectsForUsers(
        db,
        some.map(
          ({ follower, change }): UserProjectPair => [
            follower.actor.user?.id ?? 0,
            change.project_id,
          ],
        ),
      )
      for (const { follower, topic, change } of some) {
        const found = find(follower.actor, change.project_id)
        if (found && canSeeProject(follower.actor, found) && mayKnow(follower, found, change)) {
          note(follower, topic, change.what)
        }
      }
      await setImmediate()
    }
  }
  for (const [follower, topics] of news) {
    for (const [topic, ids] of topics) tell(follower, topic, ids && [...ids])
  }
}

async function readChanges(db: Db, published: readonly PublishedTopic[]): Promise<Change[]> {
  const issuables = await findFollowedIssuables(db, published as readonly ChangeTopic[])
  return published.flatMap((topic): Change[] => {
    const followed = issuables.get(topic as ChangeTopic)
    if (followed) {
      const { kind, project_id } = followed.issuable
      return [{ kind, project_id, what: followed }]
    }
    const [name = '', id] = topic.split(':')
    const change = { kind: issuableKindOfTopic(name), project_id: Number(id) }
    if (name.startsWith('confidential_')) return [{ ...change, what: 'secret' }]
    return name.startsWith('project_') ? [{ ...change, what: 'whole' }] : []
  })
}

function listsOf(
  { kind, project_id }: Change,
  above: ReadonlyMap<number, readonly number[]>,
): ChangeTopic[] {
  const name = `${kind}s` as const
  return [
    `project_${name}:${project_id}`,
    ...(above.get(project_id) ?? []).map((id): ChangeTopic => `group_${name}:${id}`),
  ]
}

function mayKnow(
  { actor }: TopicFollower,
  found: Parameters<typeof mayReadIssuableList>[1],
  { kind, what }: Change,
): boolean {
  if (typeof what === 'object') return mayReadFollowedIssuable(actor, found, what)
  return (
    mayReadIssuableList(actor, found, kind) && (what === 'whole' || found.level >= Level.reporter)
  )
}
