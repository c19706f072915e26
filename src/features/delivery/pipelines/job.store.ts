// The rows of jobs as pipelines change them.
import type { Insertable } from 'kysely'
import { statusesBefore, type WaitingJob } from '../../../ci/job-states.ts'
import type { CiStatus, Db, JobSpecTable, JobTable } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import type { Job, JobChanges } from './job.ts'
import type { LockedPipeline } from './locked-pipeline.ts'

/** The jobs of a pipeline that still count, with what decides when each starts. */
export async function listCurrentJobs(
  db: Db,
  pipeline_id: number,
): Promise<
  (WaitingJob & Pick<Job, 'kind' | 'start_in_s' | 'resource_group_id' | 'environment_id'>)[]
> {
  const rows = await db
    .selectFrom('jobs')
    .select([
      'id',
      'name',
      'kind',
      'status',
      'allow_failure',
      'stage_position',
      'run_when',
      'needs',
      'start_in_s',
      'resource_group_id',
      'environment_id',
    ])
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, hasResourceGroup: row.resource_group_id !== null }))
}

/** Changes those of the pipeline's jobs that are in one of the statuses; answers which. */
export async function moveJobs(
  { tx }: LockedPipeline,
  { ids, from }: { ids: readonly number[]; from: readonly CiStatus[] },
  changes: JobChanges & { status: CiStatus },
): Promise<number[]> {
  if (ids.length === 0) return []
  const moved = await tx
    .updateTable('jobs')
    .set(changes)
    .where('id', 'in', ids)
    .where('status', 'in', from)
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}

/** Sets the due time of jobs that are scheduled now. */
export async function setDueTimes(
  tx: Db,
  due: readonly { id: number; scheduled_at: string }[],
): Promise<void> {
  for (const { id, scheduled_at } of due) {
    await tx.updateTable('jobs').set({ scheduled_at }).where('id', '=', id).execute()
  }
}

export type NewJob = {
  row: Insertable<JobTable>
  spec: Insertable<Omit<JobSpecTable, 'job_id'>>
}

/** So many rows of jobs a statement: each has some 25 values. */
const rows_a_statement = 100

/** Inserts jobs with their specs; answers their ids in that order. */
export async function insertJobs(tx: Db, jobs: readonly NewJob[]): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < jobs.length; at += rows_a_statement) {
    const part = jobs.slice(at, at + rows_a_statement)
    const inserted = await tx
      .insertInto('jobs')
      .values(part.map(({ row }) => row))
      .returning(['id', 'name'])
      .execute()
    const idOf = new Map(inserted.map(({ id, name }) => [name, id]))
    const partIds = part.map(({ row }) => idOf.get(row.name) ?? 0)
    await tx
      .insertInto('job_specs')
      .values(part.map(({ spec }, index) => ({ ...spec, job_id: partIds[index] ?? 0 })))
      .execute()
    ids.push(...partIds)
  }
  return ids
}

/** The id of the list of tags, which is made if nobody has had it. */
export async function ensureTagSet(tx: Db, tags: readonly string[]): Promise<number> {
  const text = JSON.stringify([...new Set(tags)].toSorted())
  const find = () =>
    tx.selectFrom('tag_sets').select('id').where('tags', '=', text).executeTakeFirst()
  const found = await find()
  if (found) return found.id
  await tx
    .insertInto('tag_sets')
    .values({ tags: text })
    .onConflict((conflict) => conflict.column('tags').doNothing())
    .execute()
  return (await find())?.id ?? 0
}

/** The resource group of that key, which is made if there is none. */
export async function ensureResourceGroup(
  tx: Db,
  { project_id, key, now }: { project_id: number; key: string; now: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('resource_groups')
    .values({ project_id, key, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet({ key }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Sets the status of the jobs' deployments to that of the jobs. */
export async function syncDeploymentStatus(
  tx: Db,
  { ids, status, now }: { ids: readonly number[]; status: CiStatus; now: string },
): Promise<void> {
  const followed = { running: 1, success: 1, failed: 1, canceled: 1, skipped: 1 }
  if (ids.length === 0 || !(status in followed)) return
  await tx
    .updateTable('deployments')
    .set({
      status: status as 'running',
      updated_at: now,
      ...(status === 'running' ? {} : { finished_at: now }),
    })
    .where('job_id', 'in', ids)
    .execute()
}

/** Jobs of a pipeline that are in one of the statuses. */
export function listCancelable(
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

/** Failed and cancelled jobs of a pipeline that still count. */
export function listRetryable(db: Db, pipeline_id: number): Promise<Job[]> {
  return listCancelable(db, { pipeline_id, statuses: ['failed', 'canceled'] })
}

/** Skipped jobs wait again for those before them, of all stages or of those after one. */
export async function resetSkipped(
  { tx, clock, id }: LockedPipeline,
  { after }: { after?: number } = {},
): Promise<void> {
  let query = tx
    .updateTable('jobs')
    .set({ status: 'created', finished_at: null, updated_at: timestamp(clock) })
    .where('pipeline_id', '=', id)
    .where('retried', '=', false)
    .where('kind', '<>', 'external')
    .where('status', 'in', statusesBefore('reset'))
  if (after !== undefined) query = query.where('stage_position', '>=', after)
  await query.execute()
}
