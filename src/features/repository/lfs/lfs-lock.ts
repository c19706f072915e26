// Locks on paths: one user's at a time, in the whole project whatever the branch (git-lfs: docs/api/locking.md, where
// `ref` is for authentication only).

import type { Db } from '../../../db/db.ts'
import { checkTreePath } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  deleteLfsLock,
  findLfsLock,
  insertLfsLock,
  type LfsLock,
  type LfsLockFilter,
  listLfsLocks,
} from './lfs-lock.store.ts'

/** Why a lock is refused: the status and message, and the existing lock. */
export type LfsLockRefusal = { status: 403 | 404 | 409 | 422; message: string; lock?: LfsLock }
type LockResult = { lock: LfsLock } | { refusal: LfsLockRefusal }

function refuse(status: LfsLockRefusal['status'], message: string, lock?: LfsLock): LockResult {
  return { refusal: { status, message, ...(lock ? { lock } : {}) } }
}

/** Locks a path for the user. If it is locked already, the refusal contains the existing lock. */
export async function createLfsLock(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  { project_id, user_id, path }: { project_id: number; user_id: number; path: string },
): Promise<LockResult> {
  const checked = checkTreePath(path)
  if ('problem' in checked) return refuse(422, 'The path is none a file can have.')
  const lock = { project_id, user_id, path: checked.path, created_at: timestamp(clock) }
  const id = await insertLfsLock(db, lock)
  const found = await findLfsLock(
    db,
    project_id,
    id === undefined ? { path: checked.path } : { id },
  )
  if (id === undefined) return refuse(409, 'already locked', found)
  return found ? { lock: found } : refuse(404, 'Lock not found')
}

/** Removes one's own lock, or with `force`, as a Maintainer, anybody's. */
export async function removeLfsLock(
  db: Db,
  request: {
    project_id: number
    id: number
    user_id: number
    force: boolean
    isMaintainer: boolean
  },
): Promise<LockResult> {
  const { project_id, id, user_id, force, isMaintainer } = request
  const lock = await findLfsLock(db, project_id, { id })
  if (!lock) return refuse(404, 'Lock not found')
  if (lock.user_id !== user_id && !force) {
    return refuse(403, `${lock.path} is locked by Bloomery User ${lock.user_id}`)
  }
  if (lock.user_id !== user_id && !isMaintainer) {
    return refuse(403, 'You must have maintainer access to force delete a lock')
  }
  return (await deleteLfsLock(db, id)) ? { lock } : refuse(404, 'Lock not found')
}

/** Returns a page of locks, and the cursor of the next page if there are more. */
export async function listLfsLocksPage(
  db: Db,
  projectId: number,
  { limit, ...filter }: LfsLockFilter & { limit?: number },
): Promise<{ locks: LfsLock[]; next_cursor?: string }> {
  const size = limit && limit < limits.lfs_locks_max ? limit : limits.lfs_locks_max
  const rows = await listLfsLocks(db, projectId, { ...filter, limit: size + 1 })
  const locks = rows.slice(0, size)
  const last = locks.at(-1)
  return rows.length > size && last ? { locks, next_cursor: String(last.id) } : { locks }
}

/** Presents a lock; the time has whole seconds. */
export function presentLfsLock({ id, path, created_at, owner_name }: LfsLock) {
  return {
    id: String(id),
    path,
    locked_at: created_at.replace(/\.\d+Z$/, 'Z'),
    owner: { name: owner_name },
  }
}
