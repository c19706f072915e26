// Public functions of the rows of jobs.
import { type Selectable, sql, type Updateable } from 'kysely'
import { jobStatusesBeforeEvent } from '../../../ci/job-states.ts'
import type { CiStatus, Db, JobSpecTable, JobTable } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { nextInternalId } from '../../basics/internal-ids/internal-id.ts'
import type { LockedPipeline } from './locked-pipeline.ts'

export type Job = Selectable<JobTable>
export type JobSpec = Selectable<JobSpecTable>
/** The fields of a job that any code may change. Its status is changed by `transitionJob` only. */
export type JobChanges = Omit<Updateable<JobTable>, 'status'>

export function findJob(db: Db, id: number): Promise<Job | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Inserts a new row that replaces a job and waits for the jobs before it. Returns its id. A copy of a manual or delayed job
 * starts by itself.
 */
export async function cloneJob(
  locked: LockedPipeline,
  old: Job,
  { attempt, user_id = old.user_id }: { attempt: number; user_id?: number | null },
): Promise<number> {
  const { tx, clock } = locked
  const now = timestamp(clock)
  locked.recordJobChange()
  await tx
    .updateTable('jobs')
    .set({ retried: true, updated_at: now })
    .where('id', '=', old.id)
    .execute()
  const kept = {
    pipeline_id: old.pipeline_id,
    project_id: old.project_id,
    kind: old.kind,
    name: old.name,
    stage: old.stage,
    stage_position: old.stage_position,
    ref: old.ref,
    tag: old.tag,
    allow_failure: old.allow_failure,
    run_when: old.run_when === 'manual' || old.run_when === 'delayed' ? 'on_success' : old.run_when,
    start_in_s: old.start_in_s,
    needs: old.needs === null ? null : JSON.stringify(old.needs),
    tag_set_id: old.tag_set_id,
    protected: old.protected,
    interruptible: old.interruptible,
    timeout_s: old.timeout_s,
    resource_group_id: old.resource_group_id,
    environment_id: old.environment_id,
  }
  const { id } = await tx
    .insertInto('jobs')
    .values({ ...kept, status: 'created', user_id, attempt, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('job_specs')
    .columns(['job_id', 'options', 'variables'])
    .expression((eb) =>
      eb
        .selectFrom('job_specs')
        .select([sql<number>`${id}`.as('job_id'), 'options', 'variables'])
        .where('job_id', '=', old.id),
    )
    .execute()
  if (old.environment_id !== null) {
    await copyDeployment(tx, { from: old.id, to: id, now })
  }
  return id
}

/** Creates the deployment of a retried job. */
async function copyDeployment(
  tx: Db,
  { from, to, now }: { from: number; to: number; now: string },
): Promise<void> {
  const last = await tx
    .selectFrom('deployments')
    .selectAll()
    .where('job_id', '=', from)
    .executeTakeFirst()
  if (!last) return
  const { project_id, environment_id, user_id, ref, tag, sha, on_stop } = last
  const iid = await nextInternalId(tx, project_id, 'deployments')
  await tx
    .insertInto('deployments')
    .values({
      ...{ project_id, environment_id, user_id, ref, tag, sha, on_stop, iid },
      job_id: to,
      status: 'created',
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export async function getJobSpec(db: Db, job_id: number): Promise<JobSpec> {
  return db
    .selectFrom('job_specs')
    .selectAll()
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow()
}

export async function updateJobRow(tx: Db, id: number, changes: JobChanges): Promise<void> {
  await tx.updateTable('jobs').set(changes).where('id', '=', id).execute()
}

/** Returns the jobs of a pipeline that have one of the given statuses. */
export function listCancelableJobs(
  db: Db,
  { pipeline_id, statuses }: { pipeline_id: number; statuses: readonly CiStatus[] },
): Promise<Job[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('kind', '<>', 'external')
    .where('status', 'in', [...statuses])
    .orderBy('id')
    .execute()
}

/** Returns the failed and canceled jobs of a pipeline, without retried ones. */
export function listRetryableJobs(db: Db, pipeline_id: number): Promise<Job[]> {
  return listCancelableJobs(db, { pipeline_id, statuses: ['failed', 'canceled'] })
}

/**
 * Resets skipped jobs of all stages, or from a stage on, with their deployments, so that they wait for the jobs before them
 * again.
 */
export async function resetSkippedJobs(
  locked: LockedPipeline,
  { after }: { after?: number } = {},
): Promise<void> {
  const { tx, clock, id } = locked
  const waiting = { status: 'created', finished_at: null, updated_at: timestamp(clock) } as const
  let query = tx
    .updateTable('jobs')
    .set(waiting)
    .where('pipeline_id', '=', id)
    .where('retried', '=', false)
    .where('kind', '<>', 'external')
    .where('status', 'in', jobStatusesBeforeEvent('reset'))
  if (after !== undefined) query = query.where('stage_position', '>=', after)
  const reset = await query.returning(['id', 'environment_id']).execute()
  if (reset.length > 0) locked.recordJobChange()
  const deploying = reset.filter(({ environment_id }) => environment_id !== null)
  if (deploying.length === 0) return
  await tx
    .updateTable('deployments')
    .set(waiting)
    .where(
      'job_id',
      'in',
      deploying.map((job) => job.id),
    )
    .where('status', '=', 'skipped')
    .execute()
}
