// Public functions of reports: finds those of a pipeline.
import { hash } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { limits } from '../../../kernel/limits.ts'

export type ReportArtifact = { id: number; file_type: string; file_format: string; blob: string }

/** Returns the reports with those types of a pipeline's jobs without retried ones, in the order of the jobs. */
export function listReportArtifacts(
  db: Db,
  pipeline_id: number,
  types: readonly string[],
): Promise<ReportArtifact[]> {
  return db
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .select([
      'job_artifacts.id',
      'job_artifacts.file_type',
      'job_artifacts.file_format',
      'job_artifacts.blob',
    ])
    .where('jobs.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
    .where('job_artifacts.file_type', 'in', [...types])
    .orderBy('jobs.id')
    .orderBy('job_artifacts.id')
    .limit(limits.reports.reports_max)
    .execute()
}

/** Returns a key for data that is derived from these reports. Artifacts never change, so other reports have another key. */
export function reportSourceKey(reports: readonly Pick<ReportArtifact, 'id'>[]): string {
  return `reports:${hash('sha256', reports.map(({ id }) => id).join(' '))}`
}
