// Public functions of jobs: their artifacts and logs, and their order.
import type { Selectable } from 'kysely'
import type { Db, JobArtifactTable, JobVariableTable } from '../../../db/db.ts'
import type { Job } from '../pipeline-changes/job.ts'

export type Artifact = Selectable<JobArtifactTable>

/** Returns the artifacts of jobs, oldest first. */
export function listJobArtifacts(db: Db, jobIds: readonly number[]): Promise<Artifact[]> {
  if (jobIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('job_artifacts')
    .selectAll()
    .where('job_id', 'in', [...jobIds])
    .orderBy('id')
    .execute()
}

/** Stores why a report cannot be read. */
export async function setArtifactReportError(
  tx: Db,
  artifact_id: number,
  error: string,
): Promise<void> {
  await tx
    .updateTable('job_artifacts')
    .set({ report_error: error })
    .where('id', '=', artifact_id)
    .execute()
}

/** Returns the variables that jobs have received, encrypted, by job and key. */
export function listJobVariables(
  db: Db,
  { jobIds, source }: { jobIds: readonly number[]; source: 'play' | 'dotenv' },
): Promise<Selectable<JobVariableTable>[]> {
  if (jobIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('job_variables')
    .selectAll()
    .where('job_id', 'in', [...jobIds])
    .where('source', '=', source)
    .orderBy('job_id')
    .orderBy('key')
    .execute()
}

/** Replaces the variables with that source. */
export async function setJobVariables(
  tx: Db,
  { job_id, source }: { job_id: number; source: 'play' | 'dotenv' },
  variables: readonly { key: string; value: string }[],
): Promise<void> {
  await tx
    .deleteFrom('job_variables')
    .where('job_id', '=', job_id)
    .where('source', '=', source)
    .execute()
  if (variables.length === 0) return
  await tx
    .insertInto('job_variables')
    .values(variables.map((variable) => ({ ...variable, job_id, source })))
    .execute()
}

/** Returns the jobs of a pipeline with these names, without retried ones. */
export function listJobsByName(
  db: Db,
  pipeline_id: number,
  names: readonly string[],
): Promise<Job[]> {
  if (names.length === 0) return Promise.resolve([])
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('name', 'in', [...names])
    .orderBy('id')
    .execute()
}

/** Returns the jobs of the stages before the given one, without retried ones. */
export function listJobsOfEarlierStages(
  db: Db,
  { pipeline_id, stage_position }: { pipeline_id: number; stage_position: number },
): Promise<Job[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('kind', '=', 'build')
    .where('stage_position', '<', stage_position)
    .orderBy('id')
    .execute()
}

/** Returns the status and coverage of the newest pipeline of a branch or tag; with a job name, the coverage of that job. */
export async function findPipelineStatusForBadge(
  db: Db,
  { project_id, ref, job }: { project_id: number; ref: string; job: string | undefined },
): Promise<{ status: string; coverage: number | null } | undefined> {
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['id', 'status', 'coverage'])
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('parent_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!pipeline || job === undefined) return pipeline
  const [named] = await listJobsByName(db, pipeline.id, [job])
  return { status: pipeline.status, coverage: named?.coverage ?? null }
}

/** Adds bytes, or removes negative ones, to the artifacts size of the project statistics. */
export async function addToArtifactsSize(
  tx: Db,
  { project_id, bytes, now }: { project_id: number; bytes: number; now: string },
): Promise<void> {
  await tx
    .insertInto('project_statistics')
    .values({ project_id, job_artifacts_size: bytes, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((eb) => ({
        job_artifacts_size: eb('project_statistics.job_artifacts_size', '+', bytes),
      })),
    )
    .execute()
}
