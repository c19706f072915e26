import type { Db } from '../../../db/db.ts'

/** A lock with the name of its owner. */
export type LfsLock = {
  id: number
  path: string
  created_at: string
  user_id: number
  owner_name: string
}

function lockQuery(db: Db, projectId: number) {
  return db
    .selectFrom('lfs_locks as locks')
    .innerJoin('users', 'users.id', 'locks.user_id')
    .select([
      'locks.id',
      'locks.path',
      'locks.created_at',
      'locks.user_id',
      'users.name as owner_name',
    ])
    .where('locks.project_id', '=', projectId)
}

export type LfsLockFilter = { id?: number; path?: string; after?: number }

/** Returns the locks of a project in the order of creation, after the one with id `after`. */
export function listLfsLocks(
  db: Db,
  projectId: number,
  { id, path, after, limit }: LfsLockFilter & { limit: number },
): Promise<LfsLock[]> {
  return lockQuery(db, projectId)
    .$if(id !== undefined, (query) => query.where('locks.id', '=', id ?? 0))
    .$if(path !== undefined, (query) => query.where('locks.path', '=', path ?? ''))
    .$if(after !== undefined, (query) => query.where('locks.id', '>', after ?? 0))
    .orderBy('locks.id')
    .limit(limit)
    .execute()
}

export async function findLfsLock(
  db: Db,
  projectId: number,
  filter: LfsLockFilter,
): Promise<LfsLock | undefined> {
  return (await listLfsLocks(db, projectId, { ...filter, limit: 1 }))[0]
}

const locks_checked_max = 10_000

/** Returns the locks of other users, up to a limit. */
export function listLfsLocksOfOthers(
  db: Db,
  { project_id, user_id }: { project_id: number; user_id: number },
): Promise<LfsLock[]> {
  return lockQuery(db, project_id)
    .where('locks.user_id', '!=', user_id)
    .orderBy('locks.id')
    .limit(locks_checked_max)
    .execute()
}

/** Returns the id of the new lock; undefined if the path is locked. */
export async function insertLfsLock(
  db: Db,
  lock: { project_id: number; user_id: number; path: string; created_at: string },
): Promise<number | undefined> {
  const row = await db
    .insertInto('lfs_locks')
    .values(lock)
    .onConflict((conflict) => conflict.columns(['project_id', 'path']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Deletes a lock. Returns false if it was deleted meanwhile. */
export async function deleteLfsLock(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('lfs_locks')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
