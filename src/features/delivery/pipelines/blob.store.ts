import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'

type JobBlobs = { job_id: number; names: { kind: 'artifacts' | 'logs'; name: string }[] }

/** The number of jobs that one statement reads. */
const jobs_max = 500

/** Selects the ids of a pipeline and of all its descendants. */
function familyOf(db: Db, id: number) {
  return db
    .withRecursive('family(id)', (family) =>
      family
        .selectNoFrom(sql<number>`cast(${id} as bigint)`.as('id'))
        .unionAll(
          family
            .selectFrom('pipelines')
            .innerJoin('family', 'family.id', 'pipelines.parent_id')
            .select('pipelines.id'),
        ),
    )
    .selectFrom('family')
    .select('family.id')
}

/** Subtracts the artifacts of a pipeline that is deleted from the statistics of its project. */
export async function subtractArtifactsSize(tx: Db, pipeline_id: number): Promise<void> {
  const { bytes } = await tx
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .select(({ fn }) => fn.sum<number | string | null>('job_artifacts.size').as('bytes'))
    .where('jobs.pipeline_id', 'in', familyOf(tx, pipeline_id))
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('project_statistics')
    .set((eb) => ({ job_artifacts_size: eb('job_artifacts_size', '-', Number(bytes ?? 0)) }))
    .where('project_id', '=', (eb) =>
      eb.selectFrom('pipelines').select('pipelines.project_id').where('id', '=', pipeline_id),
    )
    .execute()
}

/** Returns the blobs of jobs by job id, after the job `after`; includes jobs without any. */
export async function listJobBlobs(
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
      query.where('jobs.pipeline_id', 'in', familyOf(db, 'pipeline_id' in of ? of.pipeline_id : 0)),
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
