import type { Insertable } from 'kysely'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import type { Db, ProjectStarTable } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { User } from '../../../subjects/user.ts'

/** Stars a project; returns false if the user has starred it already. */
export async function insertStar(db: Db, star: Insertable<ProjectStarTable>): Promise<boolean> {
  const inserted = await db
    .insertInto('project_stars')
    .values(star)
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Removes a star; returns false if there is none. */
export async function deleteStar(
  db: Db,
  { project_id, user_id }: { project_id: number; user_id: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('project_stars')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type UserWhoStarred = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> & {
  starred_since: string
}

/** Returns one page of the users who starred a project, latest first, and their total. */
export async function listUsersWhoStarred(
  db: Db,
  { actor, project_id, search }: { actor: Actor; project_id: number; search?: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: UserWhoStarred[]; total: number | undefined }> {
  let matching = db
    .selectFrom('project_stars')
    .innerJoin('users', 'users.id', 'project_stars.user_id')
    .where('project_stars.project_id', '=', project_id)
  // Stars of private profiles are hidden from other users.
  if (!isAdmin(actor)) {
    matching = matching.where((eb) =>
      eb.or([eb('users.private_profile', '=', false), eb('users.id', '=', actor.user?.id ?? 0)]),
    )
  }
  if (search) {
    matching = matching.where(containsTextCondition(db, ['users.name', 'users.username'], search))
  }
  const rows = await matching
    .select(['users.id', 'users.username', 'users.name', 'users.state', 'users.avatar'])
    .select('project_stars.starred_since')
    .orderBy('project_stars.starred_since', 'desc')
    .orderBy('users.id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('users.id')) }
}
