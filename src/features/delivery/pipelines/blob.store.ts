import type { Db } from '../../../db/db.ts'

type JobBlobs = { job_id: number; names: { kind: 'artifacts' | 'logs'; name: string }[] }

/** Jobs a statement looks at. */
const jobs_max = 500

/** The blobs of jobs, in the order of their ids from the first after `after` on; jobs without any too. */
export async function listBlobsOf(
  db: Db,
  of: { pipeline_id: number } | { project_id: number },
  after: number,
): Promise<JobBlobs[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['jobs.id', 'jobs.log_blob'])
    .where('jobs.id', '>', after)
    .$if('project_id' in of, (query) =>
      query.where('jobs.project_id', '=', 'project_id' in of ? of.project_id : 0),
    )
    .$if('pipeline_id' in of, (query) =>
      query.where('jobs.pipeline_id', 'in', (eb) =>
        eb
          .selectFrom('pipelines')
          .select('pipelines.id')
          .where((inner) => {
            const id = 'pipeline_id' in of ? of.pipeline_id : 0
            return inner.or([inner('pipelines.id', '=', id), inner('pipelines.parent_id', '=', id)])
          }),
      ),
    )
    .orderBy('jobs.id')
    .limit(jobs_max)
    .execute()
  if (jobs.length === 0) return []
  const artifacts = await db
    .selectFrom('job_artifacts')
    .select(['job_id', 'blob'])
    .where(
      'job_id',
      'in',
      jobs.map(({ id }) => id),
    )
    .execute()
  return jobs.map(({ id, log_blob }) => ({
    job_id: id,
    names: [
      ...(log_blob === null ? [] : [{ kind: 'logs' as const, name: log_blob }]),
      ...artifacts
        .filter(({ job_id }) => job_id === id)
        .map(({ blob }) => ({ kind: 'artifacts' as const, name: blob })),
    ],
  }))
}
