import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, PipelineScheduleTable, PipelineScheduleVariableTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { User } from '../../../subjects/user.ts'
import { publishChange } from '../../basics/changes/change.ts'

export type ScheduleRow = Selectable<PipelineScheduleTable>

/** A schedule with its owner, if that user still exists. */
export type PipelineSchedule = ScheduleRow & {
  owner: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> | undefined
}

/** A variable as stored, with an encrypted value. */
export type ScheduleVariable = Selectable<PipelineScheduleVariableTable>

type Page = { offset: number; per_page: number }

function scheduleQuery(db: Db, project_id: number) {
  return db
    .selectFrom('pipeline_schedules')
    .leftJoin('users as owner', 'owner.id', 'pipeline_schedules.owner_id')
    .selectAll('pipeline_schedules')
    .select(['owner.username', 'owner.name as owner_name', 'owner.state', 'owner.avatar'])
    .where('pipeline_schedules.project_id', '=', project_id)
}

type Row = Awaited<ReturnType<ReturnType<typeof scheduleQuery>['executeTakeFirstOrThrow']>>

function scheduleOf({ username, owner_name, state, avatar, ...schedule }: Row): PipelineSchedule {
  const { owner_id } = schedule
  const owner =
    owner_id !== null && username !== null && owner_name !== null && state
      ? { id: owner_id, username, name: owner_name, state, avatar }
      : undefined
  return { ...schedule, owner }
}

/** Returns one page of a project's schedules in the order of their creation: all, or by `active`. */
export async function listSchedules(
  db: Db,
  { project_id, active }: { project_id: number; active: boolean | undefined },
  { offset, per_page }: Page,
): Promise<{ rows: PipelineSchedule[]; total: number | undefined }> {
  const matching = scheduleQuery(db, project_id).$if(active !== undefined, (query) =>
    query.where('pipeline_schedules.active', '=', active ?? true),
  )
  const rows = await matching
    .orderBy('pipeline_schedules.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  const total = await countRows(db, matching.clearSelect().select('pipeline_schedules.id'))
  return { rows: rows.map(scheduleOf), total }
}

export async function findSchedule(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<PipelineSchedule | undefined> {
  const row = await scheduleQuery(db, project_id)
    .where('pipeline_schedules.id', '=', id)
    .executeTakeFirst()
  return row && scheduleOf(row)
}

export function findScheduleById(db: Db, id: number): Promise<ScheduleRow | undefined> {
  return db.selectFrom('pipeline_schedules').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the project has that many schedules. */
export async function hasSchedulesAtLeast(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  if (count === 0) return true
  const row = await db
    .selectFrom('pipeline_schedules')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSchedule(
  tx: Db,
  schedule: Insertable<PipelineScheduleTable>,
): Promise<ScheduleRow> {
  const made = await tx
    .insertInto('pipeline_schedules')
    .values(schedule)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishChange(tx, `project:${made.project_id}`)
  return made
}

export async function updateSchedule(
  tx: Db,
  id: number,
  changes: Updateable<PipelineScheduleTable>,
): Promise<ScheduleRow> {
  const changed = await tx
    .updateTable('pipeline_schedules')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishChange(tx, `project:${changed.project_id}`)
  return changed
}

export async function deleteSchedule(tx: Db, id: number): Promise<void> {
  const removed = await tx
    .deleteFrom('pipeline_schedules')
    .where('id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (removed) await publishChange(tx, `project:${removed.project_id}`)
}

/** Deactivates all schedules of which the user is the owner. */
export async function deactivateSchedulesOfUser(
  tx: Db,
  { user_id, now }: { user_id: number; now: string },
): Promise<void> {
  await tx
    .updateTable('pipeline_schedules')
    .set({ active: false, updated_at: now })
    .where('owner_id', '=', user_id)
    .where('active', '=', true)
    .execute()
}

/** Returns a page of the pipelines of a schedule, oldest first. */
export async function listSchedulePipelines(
  db: Db,
  pipeline_schedule_id: number,
  { offset, per_page }: Page,
): Promise<{ rows: Pipeline[]; total: number | undefined }> {
  const matching = db
    .selectFrom('pipelines')
    .where('pipeline_schedule_id', '=', pipeline_schedule_id)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

export function findLastPipelineOfSchedule(
  db: Db,
  pipeline_schedule_id: number,
): Promise<Pipeline | undefined> {
  return db
    .selectFrom('pipelines')
    .selectAll()
    .where('pipeline_schedule_id', '=', pipeline_schedule_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns all variables in the order of their creation; a limit bounds their number. */
export function listScheduleVariables(
  db: Db,
  pipeline_schedule_id: number,
): Promise<ScheduleVariable[]> {
  return db
    .selectFrom('pipeline_schedule_variables')
    .selectAll()
    .where('pipeline_schedule_id', '=', pipeline_schedule_id)
    .orderBy('id')
    .execute()
}

export function findScheduleVariable(
  db: Db,
  { pipeline_schedule_id, key }: { pipeline_schedule_id: number; key: string },
): Promise<ScheduleVariable | undefined> {
  return db
    .selectFrom('pipeline_schedule_variables')
    .selectAll()
    .where('pipeline_schedule_id', '=', pipeline_schedule_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Inserts a variable; returns undefined if the schedule has one with that key. */
export function insertScheduleVariable(
  tx: Db,
  variable: Insertable<PipelineScheduleVariableTable>,
): Promise<ScheduleVariable | undefined> {
  return tx
    .insertInto('pipeline_schedule_variables')
    .values(variable)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateScheduleVariable(
  tx: Db,
  id: number,
  changes: Updateable<PipelineScheduleVariableTable>,
): Promise<ScheduleVariable> {
  return tx
    .updateTable('pipeline_schedule_variables')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteScheduleVariable(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('pipeline_schedule_variables').where('id', '=', id).execute()
}

export type DueSchedule = Pick<ScheduleRow, 'id' | 'cron' | 'cron_timezone'> & {
  next_run_at: string
}

/** Returns active schedules that are due, the longest overdue first. */
export function listDueSchedules(
  db: Db,
  { now, limit }: { now: string; limit: number },
): Promise<DueSchedule[]> {
  return db
    .selectFrom('pipeline_schedules')
    .select(['id', 'cron', 'cron_timezone', 'next_run_at'])
    .where('active', '=', true)
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(limit)
    .$narrowType<{ next_run_at: string }>()
    .execute()
}

/** Sets the next time of schedules that are still due at `due_at`; returns the ids of those. */
export async function setNextRunOfSchedules(
  tx: Db,
  { ids, due_at, next_run_at }: { ids: number[]; due_at: string; next_run_at: string | null },
): Promise<number[]> {
  const moved = await tx
    .updateTable('pipeline_schedules')
    .set({ next_run_at })
    .where('id', 'in', ids)
    .where('next_run_at', '=', due_at)
    .where('active', '=', true)
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}
