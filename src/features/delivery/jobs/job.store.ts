import { type Selectable, sql } from 'kysely'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { CiStatus, Db, RunnerTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import type { Job } from '../pipeline-changes/job.ts'
import type { Artifact } from './job.ts'

const jobByDigest = defineRowLoader((db, { digest }: { digest: string }) =>
  db.selectFrom('jobs').selectAll().where('token_digest', '=', digest),
)

export function findJobByTokenDigest(db: Db, digest: string): Promise<Job | undefined> {
  return jobByDigest(db, { digest })
}

export type JobFilter = {
  project_id: number
  pipeline_id?: number
  kind?: 'build' | 'bridge'
  /** Jobs with one of these statuses; all jobs if empty. */
  statuses?: readonly CiStatus[]
  withRetried: boolean
}

/** Returns one page of jobs, newest first; for a pipeline also the total. */
export async function listJobs(
  db: Db,
  { project_id, pipeline_id, kind = 'build', statuses = [], withRetried }: JobFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Job[]; total: number | undefined }> {
  const matching = db
    .selectFrom('jobs')
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .$if(pipeline_id !== undefined, (query) => query.where('pipeline_id', '=', pipeline_id ?? 0))
    .$if(statuses.length > 0, (query) => query.where('status', 'in', statuses))
    .$if(!withRetried, (query) => query.where('retried', '=', false))
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  const total =
    pipeline_id === undefined ? undefined : await countRows(db, matching.select('jobs.id'))
  return { rows, total }
}

/** Returns one page of the jobs of all projects, newest first. */
export function listInstanceJobs(
  db: Db,
  { statuses = [] }: Pick<JobFilter, 'statuses'>,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<Job[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', 'build')
    .$if(statuses.length > 0, (query) => query.where('status', 'in', statuses))
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
}

/** Returns one page of a project's jobs with an artifacts archive, newest archive first. */
export async function listJobsWithArtifacts(
  db: Db,
  {
    project_id,
    statuses = [],
    withRetried,
  }: Pick<JobFilter, 'project_id' | 'statuses' | 'withRetried'>,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<Job[]> {
  return db
    .selectFrom('job_artifacts')
    .innerJoin('jobs', 'jobs.id', 'job_artifacts.job_id')
    .where('job_artifacts.project_id', '=', project_id)
    .where('job_artifacts.file_type', '=', 'archive')
    .$if(statuses.length > 0, (query) => query.where('status', 'in', statuses))
    .$if(!withRetried, (query) => query.where('retried', '=', false))
    .selectAll('jobs')
    .orderBy('job_artifacts.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
}

export function listRunnerTagSets(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('tag_sets')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
}

/** Appends to the log of a running job if its length is `start`. Returns the resulting length. */
export async function appendJobLogPart(
  db: Db,
  { job_id, start, bytes }: { job_id: number; start: number; bytes: Buffer },
): Promise<{ isAppended: boolean; log_bytes: number }> {
  return runTransaction(db, async (tx) => {
    const grown = await tx
      .updateTable('jobs')
      .set({ log_bytes: sql<number>`log_bytes + ${bytes.length}` })
      .where('id', '=', job_id)
      .where('log_bytes', '=', start)
      .where('status', '=', 'running')
      .returning('log_bytes')
      .executeTakeFirst()
    if (!grown) {
      const job = await tx
        .selectFrom('jobs')
        .select('log_bytes')
        .where('id', '=', job_id)
        .executeTakeFirst()
      return { isAppended: false, log_bytes: Number(job?.log_bytes ?? 0) }
    }
    await tx.insertInto('job_log_parts').values({ job_id, start_byte: start, bytes }).execute()
    return { isAppended: true, log_bytes: Number(grown.log_bytes) }
  })
}

/** Returns the parts of a log from the one that contains `start`, a few at a time. */
export function listJobLogParts(
  db: Db,
  { job_id, start, limit }: { job_id: number; start: number; limit: number },
) {
  return db
    .selectFrom('job_log_parts')
    .select(['start_byte', 'bytes'])
    .where('job_id', '=', job_id)
    .where('start_byte', '>=', start)
    .orderBy('start_byte')
    .limit(limit)
    .execute()
}

export async function deleteJobLogParts(tx: Db, job_id: number): Promise<void> {
  await tx.deleteFrom('job_log_parts').where('job_id', '=', job_id).execute()
}

/** Returns the running jobs of the built-in runner. */
export function listJobsOfBuiltinRunner(db: Db, limit: number) {
  return db
    .selectFrom('jobs')
    .innerJoin('runners', 'runners.id', 'jobs.runner_id')
    .select(['jobs.id', 'jobs.pipeline_id'])
    .where('jobs.status', '=', sql.lit('running'))
    .where('runners.builtin', '=', true)
    .orderBy('jobs.id')
    .limit(limit)
    .execute()
}

/**
 * Returns running jobs whose runner has not reported since a time, which is sooner for the built-in runner, and jobs that
 * have been pending since then.
 */
export function listStuckJobs(
  db: Db,
  {
    runningBefore,
    builtinBefore,
    pendingBefore,
    limit,
  }: { runningBefore: string; builtinBefore: string; pendingBefore: string; limit: number },
) {
  return db
    .selectFrom('jobs')
    .select(['id', 'pipeline_id', 'status', 'resource_group_id', 'environment_id'])
    .where('kind', '=', 'build')
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', sql.lit('running')), eb('updated_at', '<', runningBefore)]),
        eb.and([
          eb('status', '=', sql.lit('running')),
          eb('updated_at', '<', builtinBefore),
          eb('runner_id', 'in', eb.selectFrom('runners').select('id').where('builtin', '=', true)),
        ]),
        eb.and([eb('status', '=', sql.lit('pending')), eb('queued_at', '<', pendingBefore)]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type JobRunner = Selectable<RunnerTable>

/** Returns the rows with these ids, by id. */
export async function findJobRelations(
  db: Db,
  {
    pipelineIds,
    userIds,
    runnerIds,
  }: { pipelineIds: readonly number[]; userIds: readonly number[]; runnerIds: readonly number[] },
): Promise<{
  pipelines: Map<number, Pipeline>
  users: Map<number, User>
  runners: Map<number, JobRunner>
}> {
  const [pipelines, users, runners] = await Promise.all([
    pipelineIds.length === 0
      ? []
      : db
          .selectFrom('pipelines')
          .selectAll()
          .where('id', 'in', [...pipelineIds])
          .execute(),
    findUsersByIds(db, userIds),
    runnerIds.length === 0
      ? []
      : db
          .selectFrom('runners')
          .selectAll()
          .where('id', 'in', [...runnerIds])
          .execute(),
  ])
  return { pipelines: byId(pipelines), users, runners: byId(runners) }
}

function byId<Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the job of the project with that id. */
export function findProjectJob(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<Job | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .where('kind', '<>', 'external')
    .executeTakeFirst()
}

export type DeletedArtifact = Pick<Artifact, 'id' | 'project_id' | 'blob' | 'size'>

/** Deletes rows; returns those that still existed. */
export function deleteArtifacts(tx: Db, ids: readonly number[]): Promise<DeletedArtifact[]> {
  return tx
    .deleteFrom('job_artifacts')
    .where('id', 'in', [...ids])
    .returning(['id', 'project_id', 'blob', 'size'])
    .execute()
}

/** Returns unfinished jobs of a user, up to a limit. */
export function listUnfinishedUserJobs(
  db: Db,
  { user_id, limit }: { user_id: number; limit: number },
): Promise<Pick<Job, 'id' | 'pipeline_id'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'pipeline_id'])
    .where('user_id', '=', user_id)
    .where('kind', '<>', 'external')
    .where('status', 'not in', ['success', 'failed', 'canceled', 'skipped'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns why the built-in runner has no sandbox for jobs, as it last reported; null if it has one. */
export async function findReportedIsolationProblem(db: Db): Promise<string | null> {
  const runner = await db
    .selectFrom('runners')
    .select('isolation_problem')
    .where('builtin', '=', true)
    .executeTakeFirst()
  return runner?.isolation_problem ?? null
}
