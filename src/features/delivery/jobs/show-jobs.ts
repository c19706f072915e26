import type { Static } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { findProject, type Project } from '../../../subjects/project.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { getCiSettings } from '../pipelines/pipeline.ts'
import {
  BridgeJson,
  JobJson,
  type JobPresenterInput,
  presentBridge,
  presentJob,
} from './job.present.ts'

export {
  JobRunnerJson,
  presentJobRunner,
  runner_online_ms_max,
  runner_stale_ms_min,
} from './job.present.ts'

import { loadCommits } from '../../repository/commits/load-commits.ts'
import { findJobRelations, listRunnerTagSets } from './job.store.ts'
import { listJobArtifacts } from './job.ts'

export const ShownJobJson = JobJson
export const ShownBridgeJson = BridgeJson

type Viewer = Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & { baseUrl: string }

/** Returns the records of jobs of a project. Runs as many queries for a page as for one job. */
export async function showJobs(
  viewer: Viewer,
  project: Project,
  jobs: readonly Job[],
): Promise<Static<typeof JobJson>[]> {
  const view = await viewJobs(viewer, project, jobs)
  return jobs.map((job) => presentJob(job, view))
}

/**
 * Returns the records of jobs of several projects in order, without those whose project the viewer cannot see. A page has
 * few projects.
 */
export async function showJobsOfProjects(
  viewer: Viewer & { actor: Actor },
  jobs: readonly Job[],
): Promise<Static<typeof JobJson>[]> {
  const shown = new Map<number, Static<typeof JobJson>>()
  for (const [id, own] of Map.groupBy(jobs, ({ project_id }) => project_id)) {
    const found = await findProject(viewer.db, viewer.actor, { id })
    if (!found) continue
    for (const job of await showJobs(viewer, found.project, own)) shown.set(job.id, job)
  }
  return jobs.flatMap(({ id }) => shown.get(id) ?? [])
}

export async function showJob(
  viewer: Viewer,
  project: Project,
  job: Job,
): Promise<Static<typeof JobJson>> {
  return presentJob(job, await viewJobs(viewer, project, [job]))
}

/** Returns the records of trigger jobs with the pipelines that they started. */
export async function showBridges(
  viewer: Viewer,
  project: Project,
  jobs: readonly Job[],
): Promise<Static<typeof BridgeJson>[]> {
  const view = await viewJobs(viewer, project, jobs)
  return jobs.map((job) => presentBridge(job, view))
}

async function viewJobs(
  { db, git, clock, config, baseUrl }: Viewer,
  project: Project,
  jobs: readonly Job[],
): Promise<JobPresenterInput> {
  const idsOf = (pick: (job: Job) => number | null) => [
    ...new Set(jobs.map(pick).filter((id) => id !== null)),
  ]
  const [related, artifacts, tagSets, settings] = await Promise.all([
    findJobRelations(db, {
      pipelineIds: [
        ...idsOf(({ pipeline_id }) => pipeline_id),
        ...idsOf(({ downstream_pipeline_id }) => downstream_pipeline_id),
      ],
      userIds: idsOf(({ user_id }) => user_id),
      runnerIds: idsOf(({ runner_id }) => runner_id),
    }),
    listJobArtifacts(
      db,
      jobs.map(({ id }) => id),
    ),
    listRunnerTagSets(
      db,
      idsOf(({ tag_set_id }) => tag_set_id),
    ),
    getCiSettings(db, project.id),
  ])
  const shas = [...new Set([...related.pipelines.values()].map(({ sha }) => sha as Oid))]
  const commits = await loadCommits({ db, git, config }, project, shas)
  return {
    project,
    limitsTokens: settings.ci_job_token_scope_enabled,
    ...related,
    commits: new Map(commits.map((commit) => [commit.oid, commit])),
    tags: new Map(tagSets.map(({ id, tags }) => [id, JSON.parse(tags) as string[]])),
    artifacts: Map.groupBy(artifacts, ({ job_id }) => job_id),
    now: timestamp(clock),
    baseUrl,
  }
}
