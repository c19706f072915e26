// The jobs whose archives a job fetches before it starts.

import type { Actor } from '../../../access/actor.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import { readPipelines } from '../../../subjects/pipeline.ts'
import { findProject } from '../../../subjects/project.ts'
import { actorUserOf, findUser } from '../../../subjects/user.ts'
import { findLatestSuccess } from '../artifacts/artifact.ts'
import { type Artifact, listArtifactsOf, listEarlierJobs, listJobsNamed } from '../jobs/job.ts'
import type { Job } from '../pipelines/job.ts'
import { findPipeline } from '../pipelines/pipeline.ts'

export type Dependency = { job: Job; archive: Artifact | undefined }

/**
 * Those named by `needs` or `dependencies`, else all of the stages before; of the same pipeline. Jobs
 * without an archive are among them: they may have written variables.
 */
export async function findDependencies(
  db: Db,
  { job, options }: { job: Job; options: JobOptions },
): Promise<Dependency[]> {
  const jobs = [
    ...(await namedJobs(db, job, options)),
    ...(await findForeignJobs(db, job, options)),
  ]
  const archives = await listArtifactsOf(
    db,
    jobs.map(({ id }) => id),
  )
  return jobs.map((one) => ({
    job: one,
    archive: archives.find(({ job_id, file_type }) => job_id === one.id && file_type === 'archive'),
  }))
}

async function namedJobs(db: Db, job: Job, { dependencies }: JobOptions): Promise<Job[]> {
  const needs = job.needs?.filter(({ artifacts }) => artifacts).map(({ name }) => name)
  const names =
    needs && dependencies
      ? needs.filter((name) => dependencies.includes(name))
      : (needs ?? dependencies)
  return names ? listJobsNamed(db, job.pipeline_id, names) : listEarlierJobs(db, job)
}

/** Whether an archive the job asks for by name was made and is gone. */
export function lacksDependency(
  dependencies: readonly Dependency[],
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

/** Jobs of a parent pipeline, or of the latest success of another project that the job's user may read. */
async function findForeignJobs(
  db: Db,
  job: Job,
  { foreign_needs = [] }: JobOptions,
): Promise<Job[]> {
  const wanted = foreign_needs.filter(({ artifacts }) => artifacts)
  if (wanted.length === 0 || job.user_id === null) return []
  const user = await findUser(db, job.user_id)
  if (!user) return []
  const actor = { user: actorUserOf(user), token: undefined }
  const found: Job[] = []
  for (const need of wanted) {
    const pipeline_id =
      need.kind === 'pipeline'
        ? await findAncestor(db, job.pipeline_id, Number(need.pipeline))
        : await findLatest(db, actor, need)
    if (pipeline_id !== undefined) found.push(...(await listJobsNamed(db, pipeline_id, [need.job])))
  }
  return found
}

/** The id, if it is that of the pipeline's parent or grandparent. */
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

async function findLatest(
  db: Db,
  actor: Actor,
  { project: path, ref }: { project: string; ref: string },
): Promise<number | undefined> {
  const found = path.includes('\0') ? undefined : await findProject(db, actor, { path })
  if (!found || !canSeeProject(actor, found)) return undefined
  const { project, level } = found
  if (!readPipelines({ subject: project, level, actor })) return undefined
  return findLatestSuccess(db, { project_id: project.id, ref })
}
