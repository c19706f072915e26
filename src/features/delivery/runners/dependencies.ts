// The jobs whose archives a job downloads before it starts.

import { type Actor, anonymous } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import { findProject } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { findLatestSuccessfulPipelineId } from '../artifacts/artifact.ts'
import { findReadableJobArchives } from '../artifacts/find-readable-job-archives.ts'
import { mayReadJobOutput } from '../artifacts/open-archive.ts'
import { type Artifact, listJobsByName, listJobsOfEarlierStages } from '../jobs/job.ts'
import { findJobActor } from '../jobs/job-token.ts'
import { getJobSpec, type Job } from '../pipeline-changes/job.ts'
import { findPipeline } from '../pipelines/pipeline.ts'

export type JobDependencyWithArchive = { job: Job; archive: Artifact | undefined }

/**
 * Returns the jobs of `needs` or `dependencies`, otherwise all jobs of earlier stages of the same pipeline. Includes jobs
 * without an archive that the job's user may read, since they may have set variables.
 */
export async function listDependencyJobs(
  db: Db,
  { job, user, options }: { job: Job; user: User | undefined; options: JobOptions },
): Promise<JobDependencyWithArchive[]> {
  const own = await namedJobs(db, job, options)
  if (own.length === 0 && !options.foreign_needs) return []
  // The archives are read with the rights of the job's token.
  const actor = user ? await findJobActor(db, job, user) : anonymous
  const jobs = [...own, ...(await findForeignJobs(db, { job, actor }, options))]
  const ids = jobs.map(({ id }) => id)
  const archives = await findReadableJobArchives(db, actor, ids)
  return jobs.map((one) => ({ job: one, archive: archives.get(one.id) }))
}

async function namedJobs(db: Db, job: Job, { dependencies }: JobOptions): Promise<Job[]> {
  const needs = job.needs?.filter(({ artifacts }) => artifacts).map(({ name }) => name)
  const names =
    needs && dependencies
      ? needs.filter((name) => dependencies.includes(name))
      : (needs ?? dependencies)
  return names ? listJobsByName(db, job.pipeline_id, names) : listJobsOfEarlierStages(db, job)
}

/** Whether an archive that the job requires by name was uploaded and is gone. */
export function hasMissingDependencyArchive(
  dependencies: readonly JobDependencyWithArchive[],
  { job, options, now }: { job: Job; options: JobOptions; now: string },
): boolean {
  if (!options.dependencies && !job.needs) return false
  return dependencies.some(
    ({ job: made, archive }) =>
      !archive &&
      (made.erased_at !== null ||
        (made.artifacts_expire_at !== null && made.artifacts_expire_at <= now)),
  )
}

/**
 * Returns jobs of a parent pipeline, and of the latest successful pipelines of other projects that the job's
 * user may read.
 */
async function findForeignJobs(
  db: Db,
  { job, actor }: { job: Job; actor: Actor },
  { foreign_needs = [] }: JobOptions,
): Promise<Job[]> {
  const wanted = foreign_needs.filter(({ artifacts }) => artifacts)
  if (!actor.user) return []
  const found: Job[] = []
  for (const need of wanted) {
    if (need.kind === 'project') found.push(...(await listJobsElsewhere(db, actor, need)))
    else {
      const pipeline_id = await findAncestor(db, job.pipeline_id, Number(need.pipeline))
      if (pipeline_id) found.push(...(await listJobsByName(db, pipeline_id, [need.job])))
    }
  }
  return found
}

/** Returns the id if it is the id of an ancestor of the pipeline. */
async function findAncestor(
  db: Db,
  pipeline_id: number,
  wanted: number,
): Promise<number | undefined> {
  let pipeline = await findPipeline(db, pipeline_id)
  while (pipeline?.parent_id) {
    if (pipeline.parent_id === wanted) return wanted
    pipeline = await findPipeline(db, pipeline.parent_id)
  }
  return undefined
}

/** Returns the jobs of other pipelines whose output the actor may read, which includes variables they set. */
async function listJobsElsewhere(
  db: Db,
  actor: Actor,
  { project: path, ref, job: name }: { project: string; ref: string; job: string },
): Promise<Job[]> {
  const found = path.includes('\0') ? undefined : await findProject(db, actor, { path })
  if (!found || !canSeeProject(actor, found)) return []
  const { project, level } = found
  const pipeline_id = await findLatestSuccessfulPipelineId(db, { project_id: project.id, ref })
  if (pipeline_id === undefined) return []
  const readable: Job[] = []
  for (const job of await listJobsByName(db, pipeline_id, [name])) {
    const { artifacts } = (await getJobSpec(db, job.id)).options as JobOptions
    const output = { public: artifacts?.public ?? true }
    if (mayReadJobOutput({ subject: project, level, actor }, output)) readable.push(job)
  }
  return readable
}
