import { type Static, Type } from 'typebox'
import { derivePipelineStatus } from '../../../ci/job-states.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  namedObject,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
} from '../../../http/schema.ts'
import { ciStatuses } from '../../../kernel/ci-status.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import { BasicUserJson, findUsersByIds, presentBasicUser } from '../../../subjects/user.ts'
import { presentCommit } from '../../repository/commits/commit.ts'
import { loadCommits } from '../../repository/commits/load-commits.ts'
import { listJobOutcomesByStage } from './pipeline.store.ts'

/** Fields that a list of pipelines has on request. */
export const PipelineDetailsJson = namedObject('PipelineDetails', {
  user: Type.Optional(nullable(BasicUserJson)),
  duration: Type.Optional(nullableInteger),
  finished_at: Type.Optional(nullableText),
  commit_title: Type.Optional(nullableText),
  stages: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), status: oneOf(ciStatuses) })),
  ),
})

/**
 * Returns pipelines with their users, durations, commits and stages. The number of queries does not depend on how
 * many.
 */
export async function presentPipelineDetails(
  { db, git, config, baseUrl }: Pick<Instance, 'db' | 'git' | 'config'> & { baseUrl: string },
  project: Project,
  pipelines: readonly Pipeline[],
): Promise<Static<typeof PipelineDetailsJson>[]> {
  const shas = [...new Set(pipelines.map(({ sha }) => sha as Oid))]
  const [users, outcomes, commits] = await Promise.all([
    findUsersByIds(
      db,
      pipelines.map(({ user_id }) => user_id),
    ),
    listJobOutcomesByStage(
      db,
      pipelines.map(({ id }) => id),
    ),
    loadCommits({ db, git, config }, project, shas),
  ])
  const titles = new Map(commits.map((commit) => [commit.oid, presentCommit(commit, '').title]))
  const byPipeline = Map.groupBy(outcomes, ({ pipeline_id }) => pipeline_id)
  return pipelines.map(({ id, user_id, duration, finished_at, sha }) => {
    const user = user_id === null ? undefined : users.get(user_id)
    const byStage = Map.groupBy(byPipeline.get(id) ?? [], ({ stage }) => stage)
    return {
      user: user ? presentBasicUser(user, baseUrl) : null,
      duration,
      finished_at,
      commit_title: titles.get(sha as Oid) ?? null,
      stages: [...byStage].map(([name, jobs]) => ({ name, status: derivePipelineStatus(jobs) })),
    }
  })
}
