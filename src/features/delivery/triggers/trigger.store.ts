import type { Insertable, Selectable, SqlBool, Updateable } from 'kysely'
import { parentNotExpiredCondition } from '../../../access/parent-not-expired-condition.ts'
import type { Db, PipelineTriggerTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'

export type TriggerRow = Selectable<PipelineTriggerTable>

/** A trigger with its owner, if that user still exists. */
export type Trigger = TriggerRow & {
  owner: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> | undefined
}

function triggerQuery(db: Db, project_id: number) {
  return db
    .selectFrom('pipeline_triggers')
    .leftJoin('users as owner', 'owner.id', 'pipeline_triggers.owner_id')
    .selectAll('pipeline_triggers')
    .select(['owner.username', 'owner.name as owner_name', 'owner.state', 'owner.avatar'])
    .where('pipeline_triggers.project_id', '=', project_id)
}

type Row = Awaited<ReturnType<ReturnType<typeof triggerQuery>['executeTakeFirstOrThrow']>>

function triggerOf({ username, owner_name, state, avatar, ...trigger }: Row): Trigger {
  const { owner_id } = trigger
  const owner =
    owner_id !== null && username !== null && owner_name !== null && state
      ? { id: owner_id, username, name: owner_name, state, avatar }
      : undefined
  return { ...trigger, owner }
}

/** Returns one page of a project's triggers in the order of their creation. */
export async function listTriggers(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Trigger[]; total: number | undefined }> {
  const matching = triggerQuery(db, project_id)
  const rows = await matching
    .orderBy('pipeline_triggers.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  const total = await countRows(db, matching.clearSelect().select('pipeline_triggers.id'))
  return { rows: rows.map(triggerOf), total }
}

export async function findTrigger(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<Trigger | undefined> {
  const row = await triggerQuery(db, project_id)
    .where('pipeline_triggers.id', '=', id)
    .executeTakeFirst()
  return row && triggerOf(row)
}

/** Returns the trigger with that token, and whether the access token that created it is still valid. */
export function findTriggerByTokenDigest(
  db: Db,
  { project_id, token_digest, today }: { project_id: number; token_digest: string; today: string },
): Promise<(TriggerRow & { is_in_force: SqlBool }) | undefined> {
  return db
    .selectFrom('pipeline_triggers')
    .selectAll()
    .select(parentNotExpiredCondition('pipeline_triggers', today).as('is_in_force'))
    .where('token_digest', '=', token_digest)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Whether the project has that many triggers. */
export async function hasTriggersAtLeast(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('pipeline_triggers')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertTrigger(
  tx: Db,
  trigger: Insertable<PipelineTriggerTable>,
): Promise<number> {
  const { id } = await tx
    .insertInto('pipeline_triggers')
    .values(trigger)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateTrigger(
  tx: Db,
  id: number,
  changes: Updateable<PipelineTriggerTable>,
): Promise<void> {
  await tx.updateTable('pipeline_triggers').set(changes).where('id', '=', id).execute()
}

export async function deleteTrigger(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('pipeline_triggers').where('id', '=', id).execute()
}
