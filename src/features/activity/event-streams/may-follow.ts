// Who may follow what: whoever may read it (docs/api/event-streams.md, "Rights").
import { type Actor, anonymous } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type ApiError, forbidden, recordNotFound } from '../../../kernel/errors.ts'
import { readPipelines } from '../../../subjects/pipeline.ts'
import { findProjectsFor, type ProjectFor } from '../../../subjects/project.ts'
import type { Topic } from '../../basics/changes/change.ts'
import { type Known, reloadActors } from '../../people/credentials/credential.ts'

/** Who follows what; `projects` says which project each topic but users is of. */
export type Follower = {
  actor: Actor
  topics: readonly Topic[]
  projects: ReadonlyMap<Topic, number>
}

type Find = Awaited<ReturnType<typeof findProjectsFor>>['find']

/** Returns why the caller may not subscribe to all these topics; undefined if they may. */
export async function findFollowRefusal(db: Db, follower: Follower): Promise<ApiError | undefined> {
  const { find } = await findProjectsFor(db, pairsOf(follower))
  return judge(follower, find)
}

/**
 * Returns the followers whose credential has ended or who have lost a right. Takes one query for each kind of
 * credential, and two more.
 */
export async function findLapsedFollowers<One extends Follower>(
  { db, clock }: { db: Db; clock: Clock },
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
  return asked
    .filter(({ follower, actor }) => !actor || judge({ ...follower, actor }, find) !== undefined)
    .map(({ follower }) => follower)
}

function pairsOf({ actor, projects }: Follower): ProjectFor[] {
  return [...new Set(projects.values())].map((id): ProjectFor => [actor.user?.id ?? 0, id])
}

/** 404 for what is hidden comes before 403 for what is not readable. */
function judge({ actor, topics, projects }: Follower, find: Find): ApiError | undefined {
  let refusal: ApiError | undefined
  for (const topic of topics) {
    if (topic.startsWith('user:')) continue
    const found = find(actor, projects.get(topic) ?? 0)
    if (!found || !canSeeProject(actor, found)) return recordNotFound()
    const isReadable =
      topic.startsWith('project:') ||
      readPipelines({ subject: found.project, level: found.level, actor })
    if (!isReadable) refusal ??= forbidden()
  }
  return refusal
}
