import type { Db } from '../../../db/db.ts'

/** The reports of tests of a pipeline's jobs that still count, in the order of the jobs. */
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
