import type { Insertable, Selectable } from 'kysely'
import type { Db, SecurityScanTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { CiStatus } from '../../../kernel/ci-status.ts'
import { vulnerabilityReportTypes } from '../vulnerabilities/report-types.ts'

export type ScanRow = Selectable<SecurityScanTable>

/** The pipeline statuses in which no job continues by itself. */
export const endedPipelineStatuses: readonly CiStatus[] = [
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
]

/** Returns the jobs that have created vulnerability reports. */
export async function filterJobIdsWithVulnerabilityReports(
  db: Db,
  jobIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('job_artifacts')
    .select('job_id')
    .distinct()
    .where('job_id', 'in', [...jobIds])
    .where('file_type', 'in', vulnerabilityReportTypes)
    .execute()
  return rows.map(({ job_id }) => job_id)
}

/** Whether a job of the pipeline, without retried ones, has a vulnerability report. */
export async function hasVulnerabilityReports(db: Db, pipeline_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('job_artifacts', 'job_artifacts.job_id', 'jobs.id')
    .select('jobs.id')
    .where('jobs.pipeline_id', '=', pipeline_id)
    .where('job_artifacts.file_type', 'in', vulnerabilityReportTypes)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the reports of a job that have not been read. */
export function listUnreadReportsOfJob(db: Db, job_id: number) {
  return db
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .innerJoin('projects', 'projects.id', 'pipelines.project_id')
    .leftJoin('security_scans', (join) =>
      join
        .onRef('security_scans.job_id', '=', 'job_artifacts.job_id')
        .onRef('security_scans.report_type', '=', 'job_artifacts.file_type'),
    )
    .select([
      'job_artifacts.id as artifact_id',
      'job_artifacts.file_type',
      'job_artifacts.blob',
      'jobs.pipeline_id',
      'pipelines.project_id',
      'pipelines.parent_id',
      'pipelines.ref',
      'pipelines.tag',
      'projects.default_branch',
    ])
    .where('job_artifacts.job_id', '=', job_id)
    .where('job_artifacts.file_type', 'in', vulnerabilityReportTypes)
    .where('security_scans.id', 'is', null)
    .orderBy('job_artifacts.id')
    .execute()
}

/** Returns the topmost parent of a pipeline, or the pipeline itself. */
export async function findRootPipelineId(db: Db, pipeline_id: number): Promise<number> {
  const row = await db
    .withRecursive('line(id, parent_id)', (cte) =>
      cte
        .selectFrom('pipelines')
        .select(['id', 'parent_id'])
        .where('id', '=', pipeline_id)
        .union(
          cte
            .selectFrom('pipelines')
            .innerJoin('line', 'line.parent_id', 'pipelines.id')
            .select(['pipelines.id', 'pipelines.parent_id']),
        ),
    )
    .selectFrom('line')
    .select('id')
    .where('parent_id', 'is', null)
    .executeTakeFirst()
  return row?.id ?? pipeline_id
}

/** Inserts a scan; returns false if the report has one already. */
export async function insertScan(db: Db, scan: Insertable<SecurityScanTable>): Promise<boolean> {
  const row = await db
    .insertInto('security_scans')
    .values(scan)
    .onConflict((conflict) => conflict.columns(['job_id', 'report_type']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the oldest finished pipeline of the project whose findings are not stored yet. */
export async function findPipelineIdWithUnstoredFindings(
  db: Db,
  project_id: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('security_scans')
    .innerJoin('pipelines', 'pipelines.id', 'security_scans.pipeline_id')
    .select('pipelines.id')
    .where('security_scans.project_id', '=', project_id)
    .where('security_scans.state', '=', 'pending')
    .where('pipelines.status', 'in', endedPipelineStatuses)
    .orderBy('security_scans.pipeline_id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Returns the scans of a pipeline, without those of retried jobs, with their reports. */
export function listScansWithReports(db: Db, pipeline_id: number) {
  return db
    .selectFrom('security_scans')
    .innerJoin('jobs', 'jobs.id', 'security_scans.job_id')
    .leftJoin('job_artifacts', (join) =>
      join
        .onRef('job_artifacts.job_id', '=', 'security_scans.job_id')
        .onRef('job_artifacts.file_type', '=', 'security_scans.report_type'),
    )
    .selectAll('security_scans')
    .select('job_artifacts.blob')
    .where('security_scans.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
    .orderBy('security_scans.job_id')
    .orderBy('security_scans.id')
    .execute()
}

/** Whether findings of the report type are stored for a newer pipeline of the project. */
export async function isScanSuperseded(
  db: Db,
  { project_id, report_type, root_pipeline_id }: ScanRow,
): Promise<boolean> {
  const row = await db
    .selectFrom('security_scans')
    .select('id')
    .where('project_id', '=', project_id)
    .where('report_type', '=', report_type)
    .where('state', '=', 'stored')
    .where('root_pipeline_id', '>', root_pipeline_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the state of all pending scans of a pipeline. */
export async function finishPendingScans(
  db: Db,
  { pipeline_id, stored }: { pipeline_id: number; stored: readonly number[] },
): Promise<void> {
  const pending = db
    .updateTable('security_scans')
    .where('pipeline_id', '=', pipeline_id)
    .where('state', '=', 'pending')
  if (stored.length > 0) {
    await pending
      .set({ state: 'stored' })
      .where('id', 'in', [...stored])
      .execute()
  }
  await pending.set({ state: 'seen' }).execute()
}

/** Returns one page of the scans of a pipeline, without those of retried jobs. */
export async function listScans(
  db: Db,
  pipeline_id: number,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const query = db
    .selectFrom('security_scans')
    .innerJoin('jobs', 'jobs.id', 'security_scans.job_id')
    .where('security_scans.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
  const rows = await query
    .selectAll('security_scans')
    .select('jobs.name as job_name')
    .orderBy('security_scans.job_id')
    .orderBy('security_scans.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('security_scans.id')) }
}
