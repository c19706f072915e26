// Who may follow a topic: callers who may read its records (docs/api/event-streams.md, "Rights").

import { type Actor, anonymous } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type ApiError, forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { loadGroupVisibilityForUsers, type UserGroupPair } from '../../../subjects/group.ts'
import {
  type IssuableKind,
  mayReadIssuable,
  mayReadIssuablesByKind,
} from '../../../subjects/issuable.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import {
  loadProjectsForUsers,
  type Project,
  type UserProjectPair,
} from '../../../subjects/project.ts'
import type { ChangeTopic } from '../../basics/changes/change.ts'
import { type ActorReference, reloadActors } from '../../people/credentials/credential.ts'
import {
  type FollowedIssuable,
  findFollowedIssuables,
  splitChangeTopic,
} from './event-stream.store.ts'

/** A caller and the topics they follow; `projects` are the projects of topics that belong to one. */
export type TopicFollower = {
  actor: Actor
  topics: readonly ChangeTopic[]
  projects: ReadonlyMap<ChangeTopic, number>
}

type Facts = {
  find: Awaited<ReturnType<typeof loadProjectsForUsers>>['find']
  sees: Awaited<ReturnType<typeof loadGroupVisibilityForUsers>>['sees']
  issuables: ReadonlyMap<ChangeTopic, FollowedIssuable>
}

/** Returns why the caller may not subscribe to all these topics; undefined if they may. */
export async function findSubscriptionRefusal(
  db: Db,
  follower: TopicFollower,
): Promise<ApiError | undefined> {
  return judge(follower, await findFacts(db, [follower]))
}

/**
 * Returns the followers whose credential has ended or who have lost a right. Takes one query for each kind of
 * credential, and five more.
 */
export async function findFollowersWithoutAccess<One extends TopicFollower>(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  followers: readonly One[],
): Promise<One[]> {
  const renewed = await reloadActors(
    { db, clock },
    followers.map(({ actor }): ActorReference => actor),
  )
  const asked = followers.map((follower, at) => {
    const now = renewed[at] ?? anonymous
    return { follower, actor: 'kind' in now ? undefined : now }
  })
  const standing = asked.flatMap(({ follower, actor }) => (actor ? { ...follower, actor } : []))
  const facts = await findFacts(db, standing)
  return asked
    .filter(({ follower, actor }) => !actor || judge({ ...follower, actor }, facts) !== undefined)
    .map(({ follower }) => follower)
}

async function findFacts(db: Db, followers: readonly TopicFollower[]): Promise<Facts> {
  const { find } = await loadProjectsForUsers(db, followers.flatMap(pairsOf))
  const { sees } = await loadGroupVisibilityForUsers(db, followers.flatMap(groupPairsOf))
  const topics = followers.flatMap((follower) => follower.topics)
  return { find, sees, issuables: await findFollowedIssuables(db, topics) }
}

function pairsOf({ actor, projects }: TopicFollower): UserProjectPair[] {
  return [...new Set(projects.values())].map((id): UserProjectPair => [actor.user?.id ?? 0, id])
}

function groupPairsOf({ actor, topics }: TopicFollower): UserGroupPair[] {
  const ids = topics
    .map(splitChangeTopic)
    .flatMap(([kind, id]) => (kind.startsWith('group_') ? [id] : []))
  return [...new Set(ids)].map((id): UserGroupPair => [actor.user?.id ?? 0, id])
}

/** Throws 404 for topics that the caller cannot see before 403 for topics that the caller may not read. */
function judge(
  { actor, topics, projects }: TopicFollower,
  { find, sees, issuables }: Facts,
): ApiError | undefined {
  let refusal: ApiError | undefined
  for (const topic of topics) {
    const [kind, id] = splitChangeTopic(topic)
    if (kind === 'user') continue
    if (kind === 'group_issues' || kind === 'group_merge_requests') {
      if (!sees(actor, id)) return recordNotFound()
      continue
    }
    const found = find(actor, projects.get(topic) ?? 0)
    if (!found || !canSeeProject(actor, found)) return recordNotFound()
    if (kind === 'issue' || kind === 'merge_request') {
      const followed = issuables.get(topic)
      if (!followed || !mayReadFollowedIssuable(actor, found, followed)) return recordNotFound()
    } else if (kind === 'project_issues' || kind === 'project_merge_requests') {
      if (!mayReadIssuableList(actor, found, issuableKindOfTopic(kind))) refusal ??= forbidden()
    } else if (kind !== 'project') {
      const { project, level } = found
      if (!mayReadPipelines({ subject: project, level, actor })) refusal ??= forbidden()
    }
  }
  return refusal
}

type Found = { project: Project; level: number }

/** Whether a caller who can see the project may read the issue or merge request in it. */
export function mayReadFollowedIssuable(
  actor: Actor,
  { project, level }: Found,
  { issuable, assignees }: FollowedIssuable,
): boolean {
  const isAssignee = actor.user !== undefined && assignees.has(actor.user.id)
  return mayReadIssuable({ subject: { ...project, issuable, isAssignee }, level, actor })
}

/** Whether a caller who can see the project may read its issues or merge requests that are not confidential. */
export function mayReadIssuableList(
  actor: Actor,
  { project, level }: Found,
  kind: IssuableKind,
): boolean {
  return mayReadIssuablesByKind[kind]({ subject: project, level, actor })
}

/** Returns the kind of records in the lists of a topic. */
export function issuableKindOfTopic(kind: string): IssuableKind {
  return kind.endsWith('issues') ? 'issue' : 'merge_request'
}
