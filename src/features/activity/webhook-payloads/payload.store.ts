// Loads the data of payloads when a call is made.
import type { Selectable } from 'kysely'
import type { Db, RunnerTable } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

export function findPipeline(db: Db, id: number): Promise<Pipeline | undefined> {
  return db.selectFrom('pipelines').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a job with the fields of its events. */
export function findJobForPayload(db: Db, id: number) {
  return jobFacts(db).where('jobs.id', '=', id).executeTakeFirst()
}

/** Returns the jobs of a pipeline without retried ones, in the order of their stages, for payloads. */
export function listJobsForPayload(db: Db, pipeline_id: number) {
  return jobFacts(db)
    .where('jobs.pipeline_id', '=', pipeline_id)
    .where('jobs.retried', '=', false)
    .orderBy('jobs.stage_position')
    .orderBy('jobs.id')
    .execute()
}

export type JobForPayload = NonNullable<Awaited<ReturnType<typeof findJobForPayload>>>

function jobFacts(db: Db) {
  return db
    .selectFrom('jobs')
    .leftJoin('environments', 'environments.id', 'jobs.environment_id')
    .leftJoin('job_specs', 'job_specs.job_id', 'jobs.id')
    .leftJoin('job_artifacts as archives', (join) =>
      join.onRef('archives.job_id', '=', 'jobs.id').on('archives.file_type', '=', 'archive'),
    )
    .select([
      'jobs.id',
      'jobs.name',
      'jobs.stage',
      'jobs.status',
      'jobs.kind',
      'jobs.ref',
      'jobs.tag',
      'jobs.pipeline_id',
      'jobs.project_id',
      'jobs.user_id',
      'jobs.allow_failure',
      'jobs.failure_reason',
      'jobs.run_when',
      'jobs.created_at',
      'jobs.queued_at',
      'jobs.started_at',
      'jobs.finished_at',
      'jobs.runner_id',
      'jobs.environment_id',
      'environments.name as environment_name',
      'environments.tier as environment_tier',
      'job_specs.options',
      'archives.filename as archive_name',
      'archives.size as archive_size',
    ])
}

export type RunnerForPayload = Selectable<RunnerTable>

export async function findRunners(
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, RunnerForPayload>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const runners = await db.selectFrom('runners').selectAll().where('id', 'in', wanted).execute()
  return new Map(runners.map((runner) => [runner.id, runner]))
}

/** Returns the variables that a pipeline was started with, with encrypted values. */
export function listSealedPipelineVariables(db: Db, pipeline_id: number) {
  return db
    .selectFrom('pipeline_variables')
    .select(['key', 'value'])
    .where('pipeline_id', '=', pipeline_id)
    .orderBy('key')
    .execute()
}

/** Returns the pipeline whose job started this one, with its project. */
export function findUpstreamPipeline(db: Db, upstream_job_id: number) {
  return db
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select([
      'jobs.id as job_id',
      'jobs.pipeline_id',
      'projects.id as project_id',
      'projects.path',
      'namespaces.full_path as namespace_path',
    ])
    .where('jobs.id', '=', upstream_job_id)
    .executeTakeFirst()
}

/** Returns the deployment that a job creates. */
export function findDeploymentOfJob(db: Db, job_id: number) {
  return db
    .selectFrom('deployments')
    .innerJoin('environments', 'environments.id', 'deployments.environment_id')
    .selectAll('deployments')
    .select([
      'environments.name as environment',
      'environments.tier',
      'environments.slug',
      'environments.external_url',
    ])
    .where('deployments.job_id', '=', job_id)
    .executeTakeFirst()
}
