import type { Db } from '../../../db/db.ts'

/** Returns the test reports of a pipeline's jobs without retried ones, in the order of the jobs. */
export function listTestReportArtifacts(db: Db, pipeline_id: number, limit: number) {
  return db
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .select(['jobs.id as job_id', 'jobs.name', 'job_artifacts.blob', 'job_artifacts.size'])
    .where('jobs.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
    .where('job_artifacts.file_type', '=', 'junit')
    .orderBy('jobs.id')
    .limit(limit)
    .execute()
}
