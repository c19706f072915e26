// Writes a single reference without starting a program: creates a lock file beside it, which then replaces it (git's
// Documentation/gitrepository-layout.txt; `git update-ref` with "files" references does the same). A git that uses the
// repository meanwhile sees the old or the new value, and waits for the lock.
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { GitError } from './errors.ts'
import { type Oid, type RefName, zeroOid } from './names.ts'
import { findPackedRef, hasPackedRefBelow } from './packed-refs.ts'
import { readRef, readSymbolicRef } from './refs.ts'
import type { Repository } from './repository.ts'

/** A lock on a reference: nobody else can move it until the lock is released. */
export type RefLock = {
  /** Gives it its new value, synced to disk. */
  commit: () => Promise<void>
  /** Removes the lock, if the reference was not moved. */
  release: () => Promise<void>
}

/**
 * How often a lock is checked, about every 11 ms: in total about as long as git waits (`core.filesRefLockTimeout` in
 * command.ts). Checks are counted instead of time, since a holder in this process makes no progress while the process is
 * stopped.
 */
const looks_max = 90
const attempts_max = 5

/**
 * Locks a reference that is to be created or moved, and checks its old value. Returns undefined for a symbolic reference.
 * Throws GitError `locked`, `ref-moved` or `ref-conflict`.
 */
export async function lockRef(
  repository: Repository,
  { name, oldOid, newOid }: { name: RefName; oldOid: Oid; newOid: Oid },
): Promise<RefLock | undefined> {
  const path = join(repository.path, name)
  const lockPath = `${path}.lock`
  const refuseMoved = () => {
    const present: Oid = readRef(repository, name) ?? zeroOid
    if (present !== oldOid) throw new GitError('ref-moved', 'A reference has moved.')
  }
  refuseMoved()
  const file = await openLock(lockPath)
  let isMoved = false
  const lock: RefLock = {
    async commit() {
      await file.writeFile(`${newOid}\n`)
      await file.sync()
      await takePlace(lockPath, path)
      isMoved = true
    },
    async release() {
      await file.close()
      if (!isMoved) await rm(lockPath, { force: true })
    },
  }
  try {
    if (readSymbolicRef(repository, name) !== undefined) {
      await lock.release()
      return undefined
    }
    refuseMoved()
    if (oldOid === zeroOid) await refuseConflicts(repository, name)
  } catch (error) {
    await lock.release()
    throw error
  }
  return lock
}

/**
 * Makes HEAD point to `branch`, which need not exist, as `git symbolic-ref` does. `confirm` is called while HEAD is locked,
 * and throws to refuse. Throws GitError `locked`.
 */
export async function writeHead(
  repository: Repository,
  branch: RefName,
  confirm: () => void,
): Promise<void> {
  const path = join(repository.path, 'HEAD')
  const lockPath = `${path}.lock`
  const file = await openLock(lockPath)
  try {
    confirm()
    await file.writeFile(`ref: ${branch}\n`)
    await file.sync()
    await rename(lockPath, path)
  } catch (error) {
    await rm(lockPath, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Makes the lock file, and waits a while where somebody else has it. */
async function openLock(path: string): Promise<FileHandle> {
  for (let [attempt, looks] = [1, 1]; ; ) {
    try {
      return await open(path, 'wx')
    } catch (error) {
      switch ((error as NodeJS.ErrnoException).code) {
        // Either the lock exists, or a reference has the name of a folder that this one needs.
        case 'EEXIST':
        case 'ENOTDIR':
          if (await isBelowFile(path)) throw conflict()
          if (looks++ === looks_max) throw new GitError('locked', 'A reference is locked.')
          await setTimeout(1 + Math.random() * 20)
          break
        // git removes folders that have become empty at any time.
        case 'ENOENT':
          if (attempt++ === attempts_max) throw error
          await mkdir(dirname(path), { recursive: true }).catch(ignoreFile)
          break
        case 'ENAMETOOLONG':
          throw new GitError('failed', 'The name of a reference is too long for a file.')
        default:
          throw error
      }
    }
  }
}

/** The next attempt to make a file below says what is in the way of the folder. */
function ignoreFile(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw error
}

/** Whether a file is in the place of a folder of the path. */
async function isBelowFile(path: string): Promise<boolean> {
  try {
    await readdir(dirname(path))
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

const conflict = () =>
  new GitError('ref-conflict', 'A reference has a name above or below that of another.')

/** Throws if another reference has the name of one of the folders of this one, or is below it. */
async function refuseConflicts(repository: Repository, name: string): Promise<void> {
  // Loose references first: one that is packed meanwhile is then found twice rather than not at all.
  await removeEmpty(join(repository.path, name))
  if (hasPackedRefBelow(repository, `${name}/`)) throw conflict()
  const parts = name.split('/')
  for (let length = 2; length < parts.length; length++) {
    if (findPackedRef(repository, parts.slice(0, length).join('/'))) throw conflict()
  }
}

/** Renames the lock to the reference; empty folders of the same name make way for it. */
async function takePlace(lockPath: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(lockPath, path)
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(code) || attempt === attempts_max) throw error
      await removeEmpty(path)
    }
  }
}

/**
 * Removes a folder that has none but empty folders in it, after what locks a reference in it has ended. Throws `ref-conflict` for
 * a reference in it, `locked` for a lock that stays. Whoever holds a lock below waits for nobody above, so one of the two moves.
 */
async function removeEmpty(folder: string): Promise<void> {
  for (let looks = 1; await isInUse(folder); looks++) {
    if (looks === looks_max) throw new GitError('locked', 'A reference below this one is locked.')
    await setTimeout(1 + Math.random() * 20)
  }
}

/** Removes the folder, unless something is in it: a lock, for which this is true, or a reference, for which it throws `ref-conflict`. */
async function isInUse(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw error
    },
  )
  if (!entries) return false
  for (const entry of entries) {
    if (entry.isDirectory()) {
      if (await isInUse(join(folder, entry.name))) return true
    } else if (entry.name.endsWith('.lock')) return true
    else throw conflict()
  }
  try {
    await rmdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A reference in it has just been locked.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return true
    if (code !== 'ENOENT') throw error
  }
  return false
}
