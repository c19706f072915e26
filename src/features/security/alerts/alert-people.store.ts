import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'

type Place = { id: number; namespace_id: number }

/** Selects the ids of users with at least the given level on a project. */
function membersOf(db: Db, { id, namespace_id }: Place, level: number) {
  const ofProject = db
    .selectFrom('project_access')
    .select('user_id')
    .where('project_id', '=', id)
    .where('access_level', '>=', level)
  const ofNamespace = db
    .selectFrom('namespace_access')
    .select('user_id')
    .where('namespace_id', '=', namespace_id)
    .where('access_level', '>=', level)
  return ofProject.union(ofNamespace)
}

/** Returns the Maintainers and Owners of a project ordered by id, starting after `after`. */
export async function listProjectMaintainerIds(
  db: Db,
  place: Place,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom(membersOf(db, place, Level.maintainer).as('members'))
    .select('user_id')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Returns the users who can see the project's alerts, ordered by id. */
export async function filterAlertAssignableUserIds(
  db: Db,
  place: Place,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom(membersOf(db, place, Level.developer).as('members'))
    .select('user_id')
    .where('user_id', 'in', [...ids])
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function replaceAlertAssignees(
  tx: Db,
  alert_id: number,
  user_ids: readonly number[],
): Promise<void> {
  await tx.deleteFrom('alert_assignees').where('alert_id', '=', alert_id).execute()
  if (user_ids.length === 0) return
  const rows = user_ids.map((user_id) => ({ alert_id, user_id }))
  await tx.insertInto('alert_assignees').values(rows).execute()
}

export type AlertAssignee = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** Returns the assignees of each alert, ordered by id. */
export async function listAlertAssignees(
  db: Db,
  alert_ids: readonly number[],
): Promise<Map<number, AlertAssignee[]>> {
  if (alert_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('alert_assignees')
    .innerJoin('users', 'users.id', 'alert_assignees.user_id')
    .select(['alert_id', 'users.id', 'username', 'name', 'state', 'avatar'])
    .where('alert_id', 'in', [...alert_ids])
    .orderBy('users.id')
    .execute()
  return Map.groupBy(rows, ({ alert_id }) => alert_id)
}
