// The jobs whose archives a job fetches before it starts.
import type { JobOptions } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import { type Artifact, listArtifactsOf, listEarlierJobs, listJobsNamed } from '../jobs/job.ts'
import type { Job } from '../pipelines/job.ts'

export type Dependency = { job: Job; archive: Artifact | undefined }

/**
 * Those named by `needs` or `dependencies`, else all of the stages before; of the same pipeline. Jobs
 * without an archive are among them: they may have written variables.
 */
export async function findDependencies(
  db: Db,
  { job, options }: { job: Job; options: JobOptions },
): Promise<Dependency[]> {
  const jobs = await namedJobs(db, job, options)
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
