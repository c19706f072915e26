// Moves references: a single one that is created or moved by writing its file, as git does; everything else with git.
import type { Socket } from 'node:net'
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { GitError } from './errors.ts'
import { refuseIfRefsFrozen } from './freeze-refs.ts'
import { type Oid, type RefName, zeroOid } from './names.ts'
import { readHeadBranch } from './refs.ts'
import { type Repository, requireWritable } from './repository.ts'
import { retryAfterRemovingStaleLocks } from './stale-locks.ts'
import { lockRef, writeHead } from './write-ref.ts'

/** A requested change: the reference must point at `oldOid`, where the zero id means that it must not exist. */
export type RefUpdate = { name: RefName; oldOid: Oid; newOid: Oid }

/**
 * Called while the references are locked and known to have their old values, so that nothing can change after the check.
 * Throws to refuse the update; then no reference moves. It must be quick, since these references stay locked meanwhile.
 */
export type ConfirmRefUpdate = () => Promise<void>

/** Confirms changes that the server makes itself, which need no access check. */
export const confirmAlways: ConfirmRefUpdate = async () => {}

/** The time per reference on a slow disk, since each one is a file that is flushed. */
const update_ms = 20
/** Less than the age from which on a lock counts as left behind (stale-locks.ts). */
const update_ms_max = 14 * 60_000

/**
 * Applies all updates or none, if `confirm` agrees, and syncs them to disk. `areObjectsKnown` says that the caller has read
 * or written the new objects, and that new objects of branches are commits; otherwise git checks. Throws GitError
 * `ref-moved`, `ref-conflict` (a name below or above another) or `locked`; throws 503 while the repository is being moved to
 * another storage, or if it is on another server.
 */
export async function updateRefs(
  git: Git,
  repository: Repository,
  {
    updates,
    areObjectsKnown = false,
    confirm,
  }: { updates: readonly RefUpdate[]; areObjectsKnown?: boolean; confirm: ConfirmRefUpdate },
): Promise<void> {
  const [update] = updates
  if (!update) return
  requireWritable(repository)
  const names = updates.map(({ name }) => name)
  const mayWrite = areObjectsKnown && updates.length === 1 && update.newOid !== zeroOid
  await retryAfterRemovingStaleLocks(repository, names, async () => {
    const isMoved = mayWrite && (await moveRef(repository, update, confirm))
    if (!isMoved) await runUpdateRef(git, repository, { updates, confirm })
  })
}

/** Makes or moves one reference; false, and nothing is changed, where that is better left to git. */
async function moveRef(
  repository: Repository,
  update: RefUpdate,
  confirm: ConfirmRefUpdate,
): Promise<boolean> {
  const lock = await lockRef(repository, update)
  if (!lock) return false
  try {
    refuseIfRefsFrozen(repository)
    await confirm()
    await lock.commit()
  } finally {
    await lock.release()
  }
  return true
}

/** Does the same with `git update-ref --stdin`, in one transaction. */
async function runUpdateRef(
  git: Git,
  repository: Repository,
  { updates, confirm }: { updates: readonly RefUpdate[]; confirm: ConfirmRefUpdate },
): Promise<void> {
  let commands = 'start\0'
  for (const { name, oldOid, newOid } of updates) {
    commands +=
      newOid === zeroOid ? `delete ${name}\0${oldOid}\0` : `update ${name}\0${newOid}\0${oldOid}\0`
  }
  const { io, exit } = await spawnGit(git, repository, {
    args: ['update-ref', '-z', '--stdin'],
    timeout_ms: Math.min(limits.git_timeout_ms + updates.length * update_ms, update_ms_max),
  })
  try {
    io.write(`${commands}prepare\0`)
    // git ends without output if it cannot lock all references, or if one has moved.
    const isPrepared = await says(io, 'prepare: ok\n')
    if (isPrepared) {
      refuseIfRefsFrozen(repository)
      await confirm()
    }
    io.end(isPrepared ? 'commit\0' : '')
    await exit
    if (!isPrepared)
      throw new GitError('failed', 'git update-ref exited before the transaction was prepared.')
  } catch (error) {
    // git releases the locks at the end of its input. The error is thrown only after that.
    io.end()
    await exit.catch(() => {})
    throw error
  } finally {
    io.destroy()
  }
}

/** Reads what a program prints until `words` end it; false where the program ends before. */
async function says(io: Socket, words: string): Promise<boolean> {
  let said = ''
  try {
    for await (const chunk of io.iterator({ destroyOnReturn: false })) {
      said += chunk
      if (said.endsWith(words)) return true
    }
  } catch {
    // A program that ends without reading all of its input resets the stream. Its exit status shows whether it failed.
  }
  return false
}

/** Makes HEAD point to `branch`, which need not exist. Throws 503 while the repository is being moved to another storage. */
export async function setHead(repository: Repository, branch: RefName): Promise<void> {
  if (readHeadBranch(repository) === branch) return
  await retryAfterRemovingStaleLocks(repository, [], () =>
    writeHead(repository, branch, () => refuseIfRefsFrozen(repository)),
  )
}
