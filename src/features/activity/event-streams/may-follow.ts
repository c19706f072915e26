// Who may follow what: whoever may read it (docs/api/event-streams.md, "Rights").

import { type Actor, anonymous } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type ApiError, forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { readIssuable } from '../../../subjects/issuable.ts'
import { readPipelines } from '../../../subjects/pipeline.ts'
import { findProjectsFor, type ProjectFor } from '../../../subjects/project.ts'
import type { Topic } from '../../basics/changes/change.ts'
import { type Known, reloadActors } from '../../people/credentials/credential.ts'
import { type FollowedIssuable, findFollowedIssuables, partsOf } from './event-stream.store.ts'

/** Who follows what; `projects` says which project each topic but users is of. */
export type Follower = {
  actor: Actor
  topics: readonly Topic[]
  projects: ReadonlyMap<Topic, number>
}

type Facts = {
  find: Awaited<ReturnType<typeof findProjectsFor>>['find']
  issuables: ReadonlyMap<Topic, FollowedIssuable>
}

/** Returns why the caller may not subscribe to all these topics; undefined if they may. */
export async function findFollowRefusal(db: Db, follower: Follower): Promise<ApiError | undefined> {
  const { find } = await findProjectsFor(db, pairsOf(follower))
  return judge(follower, { find, issuables: await findFollowedIssuables(db, follower.topics) })
}

/**
 * Returns the followers whose credential has ended or who have lost a right. Takes one query for each kind of
 * credential, and four more.
 */
export async function findLapsedFollowers<One extends Follower>(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  followers: readonly One[],
): Promise<One[]> {
  const renewed = await reloadActors(
    { db, clock },
    followers.map(({ actor }): Known => actor),
  )
  const asked = followers.map((follower, at) => {
    const now = renewed[at] ?? anonymous
    return { follower, actor: 'kind' in now ? undefined : now }
  })
  const standing = asked.flatMap(({ follower, actor }) => (actor ? { ...follower, actor } : []))
  const { find } = await findProjectsFor(db, standing.flatMap(pairsOf))
  const topics = standing.flatMap((follower) => follower.topics)
  const facts = { find, issuables: await findFollowedIssuables(db, topics) }
  return asked
    .filter(({ follower, actor }) => !actor || judge({ ...follower, actor }, facts) !== undefined)
    .map(({ follower }) => follower)
}

function pairsOf({ actor, projects }: Follower): ProjectFor[] {
  return [...new Set(projects.values())].map((id): ProjectFor => [actor.user?.id ?? 0, id])
}

/** 404 for what is hidden comes before 403 for what is not readable. */
function judge(
  { actor, topics, projects }: Follower,
  { find, issuables }: Facts,
): ApiError | undefined {
  let refusal: ApiError | undefined
  for (const topic of topics) {
    if (topic.startsWith('user:')) continue
    const found = find(actor, projects.get(topic) ?? 0)
    if (!found || !canSeeProject(actor, found)) return recordNotFound()
    const [kind] = partsOf(topic)
    const { project, level } = found
    if (kind === 'issue' || kind === 'merge_request') {
      const followed = issuables.get(topic)
      if (!followed) return recordNotFound()
      const { issuable, assignees } = followed
      const isAssignee = actor.user !== undefined && assignees.has(actor.user.id)
      const subject = { ...project, issuable, isAssignee }
      if (!readIssuable({ subject, level, actor })) return recordNotFound()
    } else if (kind !== 'project' && !readPipelines({ subject: project, level, actor })) {
      refusal ??= forbidden()
    }
  }
  return refusal
}
