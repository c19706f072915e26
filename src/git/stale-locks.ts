// git guards each change of a reference by a lock file, and waits for whoever made it. A process that
// was killed leaves its locks behind, and without this file nobody could change the reference again.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { monotonic_ms, systemClock } from '../kernel/clock.ts'
import { KeyCounts } from '../kernel/key-counts.ts'
import { GitError } from './errors.ts'
import type { RefName } from './names.ts'
import type { Repository } from './repository.ts'

/** When the first of all servers began that run on these repositories, by the clock that stamps files. */
let earliestStart_ms = systemClock().getTime() - monotonic_ms()

/**
 * Says when the first of several servers began that share the repositories, in milliseconds by the clock of this one:
 * locks made since may be held by it.
 */
export function setEarliestServerStart(started_ms: number): void {
  earliestStart_ms = started_ms
}

/** The programs of a server that was killed end within 2 s of it (spawn-helper.ts). */
const orphan_ms_max = 5_000
/** Nothing that changes references runs longer, here or on another node (limits.git_timeout_ms). */
const holder_ms_max = 15 * 60_000
/** A lock that no change is known to hold is taken for left behind when it is so old. */
const unheld_ms = 10_000
const looks_max = 20
const look_ms = 50

/** What maintenance writes under a lock, by its path in the repository. */
export const maintenanceLockedFiles = [
  'objects/info/commit-graph',
  'objects/info/commit-graphs/commit-graph-chain',
  'objects/pack/multi-pack-index',
] as const

/** How many changes that are under way in this process may hold a lock, by its path. */
const holders = new KeyCounts()

type LockLookup = (repository: Repository, lock: string) => Promise<boolean>
const noOthers: LockLookup = async () => false
let mayBeHeldElsewhere = noOthers

/**
 * Sets how to ask the other processes that work on the same repositories whether one of them may hold a lock; without a
 * lookup there are no others.
 */
export function setLockLookup(lookup = noOthers): void {
  mayBeHeldElsewhere = lookup
}

/** Whether a change that is under way in this process may hold the lock at this path. */
export function mayHoldLock(lock: string): boolean {
  return holders.of(lock) > 0
}

/**
 * Runs a change of the named files or references. If it fails on a stale lock, removes the lock and runs it once
 * more.
 */
export async function retryPastStaleLocks<T>(
  repository: Repository,
  names: readonly (RefName | (typeof maintenanceLockedFiles)[number])[],
  change: () => Promise<T>,
): Promise<T> {
  const locks = ['HEAD', 'packed-refs', ...names].map((name) =>
    join(repository.path, `${name}.lock`),
  )
  try {
    return await runAsHolder(locks, change)
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'locked') throw error
    // A reference `a` also cannot be made while `a/b.lock` keeps the folder `a` in place.
    const below = await Promise.all(names.map((name) => locksBelow(join(repository.path, name))))
    if (!(await removeStaleLocks(repository, [...locks, ...below.flat()]))) throw error
  }
  return runAsHolder(locks, change)
}

async function runAsHolder<T>(locks: readonly string[], change: () => Promise<T>): Promise<T> {
  for (const lock of locks) holders.add(lock)
  try {
    return await change()
  } finally {
    for (const lock of locks) holders.remove(lock)
  }
}

/** Whether any stale lock stood in the way; afterwards none does. */
async function removeStaleLocks(
  repository: Repository,
  locks: readonly string[],
): Promise<boolean> {
  const removed = await Promise.all(
    locks.map(async (lock) => {
      const made_ms = await readMade_ms(lock)
      if (made_ms === undefined) return false
      if (isStaleLock(made_ms)) await waitUntil(made_ms + orphan_ms_max)
      else if (!(await isUnheldForLong(repository, lock, made_ms))) return false
      // One that was made since is somebody's.
      if ((await readMade_ms(lock)) !== made_ms) return true
      await rm(lock, { force: true })
      return true
    }),
  )
  return removed.includes(true)
}

/**
 * Waits until a lock that no process holds is so old that no program of a dead process may be left that does. False at
 * once for one that is held, which is nearly always so.
 */
async function isUnheldForLong(
  repository: Repository,
  lock: string,
  made_ms: number,
): Promise<boolean> {
  const isSameLock = async () => (await readMade_ms(lock)) === made_ms
  if (await mayBeHeld(repository, lock)) return false
  if (!(await isSameLock())) return false
  await waitUntil(Math.max(made_ms + unheld_ms, systemClock().getTime() + orphan_ms_max))
  // Others that failed on the same lock try again now and then, for a tenth of a second each.
  for (let look = 0; look < looks_max; look++) {
    if (!(await mayBeHeld(repository, lock))) return isSameLock()
    await setTimeout(look_ms)
  }
  return false
}

async function mayBeHeld(repository: Repository, lock: string): Promise<boolean> {
  return mayHoldLock(lock) || (await mayBeHeldElsewhere(repository, lock))
}

async function readMade_ms(lock: string): Promise<number | undefined> {
  return (await stat(lock).catch(() => undefined))?.mtimeMs
}

/**
 * Whether no live process can hold a lock: it was made before any server started that runs now, or longer ago than any
 * holder lives.
 */
export function isStaleLock(changed_ms: number): boolean {
  return changed_ms < earliestStart_ms || systemClock().getTime() - changed_ms > holder_ms_max
}

async function waitUntil(time_ms: number): Promise<void> {
  const wait_ms = time_ms - systemClock().getTime()
  if (wait_ms > 0) await setTimeout(wait_ms)
}

async function locksBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  return entries.filter((name) => name.endsWith('.lock')).map((name) => join(folder, name))
}
