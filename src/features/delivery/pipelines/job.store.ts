// The rows of jobs as pipelines change them.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { WaitingJob } from '../../../ci/job-states.ts'
import type { CiStatus, Db, JobSpecTable, JobTable } from '../../../db/db.ts'

export type Job = Selectable<JobTable>

export function findJob(db: Db, id: number): Promise<Job | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

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

/** Changes those of the jobs that are in one of the statuses; answers which. */
export async function moveJobs(
  tx: Db,
  { ids, from }: { ids: readonly number[]; from: readonly CiStatus[] },
  changes: Updateable<JobTable> & { status: CiStatus },
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

/** Makes a new row of a job, which takes the place of the old one; answers its id. */
export async function cloneJob(
  tx: Db,
  old: Job,
  changes: Pick<Insertable<JobTable>, 'status' | 'created_at' | 'updated_at' | 'attempt'> &
    Partial<Insertable<JobTable>>,
): Promise<number> {
  await tx
    .updateTable('jobs')
    .set({ retried: true, updated_at: changes.updated_at })
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
    user_id: old.user_id,
    allow_failure: old.allow_failure,
    run_when: old.run_when,
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
    .values({ ...kept, ...changes })
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
  return id
}

export async function findSpec(db: Db, job_id: number): Promise<Selectable<JobSpecTable>> {
  return db
    .selectFrom('job_specs')
    .selectAll()
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow()
}

export async function updateJobRow(
  tx: Db,
  id: number,
  changes: Updateable<JobTable>,
): Promise<void> {
  await tx.updateTable('jobs').set(changes).where('id', '=', id).execute()
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

/** Makes deployments say what has become of their jobs. */
export async function followJobs(
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
  tx: Db,
  { pipeline_id, now, after }: { pipeline_id: number; now: string; after?: number },
): Promise<void> {
  let query = tx
    .updateTable('jobs')
    .set({ status: 'created', finished_at: null, updated_at: now })
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('kind', '<>', 'external')
    .where('status', '=', 'skipped')
  if (after !== undefined) query = query.where('stage_position', '>=', after)
  await query.execute()
}
