import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db, ResourceGroupTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Job } from '../pipeline-changes/job.ts'

export type ResourceGroup = Selectable<ResourceGroupTable>

export function findResourceGroup(db: Db, id: number): Promise<ResourceGroup | undefined> {
  return db.selectFrom('resource_groups').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findResourceGroupByKey(
  db: Db,
  { project_id, key }: { project_id: number; key: string },
): Promise<ResourceGroup | undefined> {
  return db
    .selectFrom('resource_groups')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Returns one page of a project's resource groups in the order of their creation. */
export async function listResourceGroups(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ResourceGroup[]; total: number | undefined }> {
  const matching = db.selectFrom('resource_groups').where('project_id', '=', project_id)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function updateResourceGroup(
  tx: Db,
  id: number,
  changes: Updateable<ResourceGroupTable>,
): Promise<ResourceGroup> {
  return tx
    .updateTable('resource_groups')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A job with one of these statuses still needs its resource. */
const needing = ['pending', 'preparing', 'running'] as const

export function jobNeedsResource({ status }: Pick<Job, 'status'>): boolean {
  return (needing as readonly string[]).includes(status)
}

/** Releases the resource if the job that has it no longer needs it. */
export async function releaseResource(db: Db, id: number): Promise<void> {
  await db
    .updateTable('resource_groups')
    .set({ job_id: null })
    .where('id', '=', id)
    .where('job_id', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('jobs.id')
        .where('jobs.status', 'not in', [...needing]),
    )
    .execute()
}

/** Assigns the resource to a job. Returns false if another job has it. */
export async function acquireResource(
  tx: Db,
  { id, job_id }: { id: number; job_id: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('resource_groups')
    .set({ job_id })
    .where('id', '=', id)
    .where('job_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export type JobWaitingForResource = { id: number; pipeline_id: number }

/** Returns the first job that waits for the resource, in the order of pipelines or of job ids. */
export function findJobWaitingForResource(
  db: Db,
  { id, by }: { id: number; by: 'id' | 'oldest' | 'newest' },
): Promise<JobWaitingForResource | undefined> {
  return (
    db
      .selectFrom('jobs')
      .select(['id', 'pipeline_id'])
      .where('resource_group_id', '=', id)
      // The status is a literal so that the partial index on it can be used.
      .where('status', '=', sql.lit('waiting_for_resource'))
      .$if(by !== 'id', (query) => query.orderBy('pipeline_id', by === 'newest' ? 'desc' : 'asc'))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  )
}

/** Whether a job of an earlier or later pipeline will need the resource but does not wait for it yet. */
export async function hasUpcomingResourceJob(
  db: Db,
  { group, side, pipeline_id }: { group: ResourceGroup; side: '<' | '>'; pipeline_id: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', group.project_id)
    .where('status', 'in', ['created', 'scheduled'])
    .where('resource_group_id', '=', group.id)
    .where('pipeline_id', side, pipeline_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns one page of the jobs that wait for the resource, in the order of the group's process mode. */
export async function listUpcomingResourceJobs(
  db: Db,
  { id, project_id, process_mode: mode }: ResourceGroup,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Job[]; total: number | undefined }> {
  const isOrdered = mode === 'oldest_first' || mode === 'newest_first'
  const isNewestFirst = mode === 'newest_first' || mode === 'newest_ready_first'
  const waiting = sql.lit('waiting_for_resource' as const)
  const matching = db
    .selectFrom('jobs')
    .where('project_id', '=', project_id)
    .where('resource_group_id', '=', id)
    .$if(isOrdered, (query) =>
      query.where('status', 'in', ['created', 'scheduled', 'waiting_for_resource']),
    )
    .$if(!isOrdered, (query) => query.where('status', '=', waiting))
  const rows = await matching
    .selectAll()
    .$if(mode !== 'unordered', (query) =>
      query.orderBy('pipeline_id', isNewestFirst ? 'desc' : 'asc'),
    )
    .orderBy((eb) => eb.case().when('status', '=', waiting).then(0).else(1).end())
    .orderBy('id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

/** Returns the groups whose resource is free although jobs wait for it. */
export async function listIdleResourceGroupIds(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('resource_groups')
    .select('id')
    .where('job_id', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('jobs.resource_group_id')
        .where('jobs.status', '=', sql.lit('waiting_for_resource')),
    )
    .execute()
  return rows.map(({ id }) => id)
}
