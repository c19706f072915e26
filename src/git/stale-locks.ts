// Removes stale lock files. git guards each change of a reference by a lock file and waits for its holder. A process
// that was killed leaves its locks behind, and nobody could change these references again.
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
 * Sets when the first of the servers that share the repositories was started, in milliseconds by this server's clock. That
 * server may hold locks made since then.
 */
export function setEarliestServerStart(started_ms: number): void {
  earliestStart_ms = started_ms
}

/** The programs of a server that was killed end within 2 s of it (spawn-helper.ts). */
const orphan_ms_max = 5_000
/** The maximum duration of a change of references, here or on another node (limits.git_timeout_ms). */
const holder_ms_max = 15 * 60_000
/** A lock that no running change holds counts as stale at this age. */
const unheld_ms = 10_000
const looks_max = 20
const look_ms = 50

/** Files that maintenance writes under a lock, relative to the repository. */
export const maintenanceLockedFiles = [
  'objects/info/commit-graph',
  'objects/info/commit-graphs/commit-graph-chain',
  'objects/pack/multi-pack-index',
] as const

/** How many running changes of this process may hold a lock, by its path. */
const holders = new KeyCounts()

/** Returns those of the locks, by path, that another process may hold. */
type LockLookup = (repository: Repository, locks: readonly string[]) => Promise<readonly string[]>
const noOthers: LockLookup = async () => []
let listHeldElsewhere = noOthers

/**
 * Sets the function that asks the other processes with the same repositories which locks they hold. Without it there are no
 * other processes.
 */
export function setHeldLockLookup(lookup = noOthers): void {
  listHeldElsewhere = lookup
}

/** Returns those of the locks, by path, that a running change in this process may hold. */
export function listHeldLocks(locks: readonly string[]): string[] {
  return locks.filter((lock) => holders.of(lock) > 0)
}

/**
 * Runs a change of the named files or references. If a stale lock makes it fail, removes the lock and runs the change once
 * more.
 */
export async function retryAfterRemovingStaleLocks<T>(
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

/** A lock file, and its creation time in milliseconds by the clock of the file system. */
type Lock = { path: string; made_ms: number }

/**
 * Removes those of the locks at these paths that no process can hold any more. Returns whether there were any. Waits some
 * seconds if that is uncertain, but not for locks that are known to be held, as nearly all are.
 */
export async function removeStaleLocks(
  repository: Repository,
  paths: readonly string[],
): Promise<boolean> {
  const locks = await findLocks(paths)
  const old = new Set(locks.filter(({ made_ms }) => isStaleLock(made_ms)))
  const young = locks.filter((lock) => !old.has(lock))
  await waitUntil(latestOf([...old]) + orphan_ms_max)
  const stale = [...old, ...(await waitForUnheld(repository, young))]
  // A lock that was created since belongs to a running process.
  const unchanged = await filterUnchanged(stale)
  await Promise.all(unchanged.map(({ path }) => rm(path, { force: true })))
  return stale.length > 0
}

/**
 * Waits until those of the locks that no process holds are so old that no program of a dead process may be left that does,
 * and returns them.
 */
async function waitForUnheld(repository: Repository, locks: readonly Lock[]): Promise<Lock[]> {
  const candidates = await filterUnchanged((await divideByHolder(repository, locks)).unheld)
  if (candidates.length === 0) return []
  await waitUntil(
    Math.max(latestOf(candidates) + unheld_ms, systemClock().getTime() + orphan_ms_max),
  )
  const found: Lock[] = []
  // Other processes that failed on these locks retry now and then, for a tenth of a second each.
  for (let look = 0, left = candidates; left.length > 0 && look < looks_max; look++) {
    if (look > 0) await setTimeout(look_ms)
    const { unheld, held } = await divideByHolder(repository, left)
    found.push(...(await filterUnchanged(unheld)))
    left = held
  }
  return found
}

/** Divides locks by whether any process may hold them; the others are asked once. */
async function divideByHolder(
  repository: Repository,
  locks: readonly Lock[],
): Promise<{ unheld: Lock[]; held: Lock[] }> {
  const heldHere = new Set(listHeldLocks(locks.map(({ path }) => path)))
  const asked = locks.map(({ path }) => path).filter((path) => !heldHere.has(path))
  const elsewhere = asked.length > 0 ? await listHeldElsewhere(repository, asked) : []
  const held = heldHere.union(new Set(elsewhere))
  return {
    unheld: locks.filter(({ path }) => !held.has(path)),
    held: locks.filter(({ path }) => held.has(path)),
  }
}

async function findLocks(paths: readonly string[]): Promise<Lock[]> {
  const found = await Promise.all(
    paths.map(async (path) => ({ path, made_ms: await readMade_ms(path) })),
  )
  return found.filter((lock): lock is Lock => lock.made_ms !== undefined)
}

/** The locks that are still there and were not made anew. */
async function filterUnchanged(locks: readonly Lock[]): Promise<Lock[]> {
  const now = await findLocks(locks.map(({ path }) => path))
  const times = new Map(now.map(({ path, made_ms }) => [path, made_ms]))
  return locks.filter(({ path, made_ms }) => times.get(path) === made_ms)
}

/** Returns the creation time of the newest lock; 0 for an empty list. */
function latestOf(locks: readonly Lock[]): number {
  return locks.reduce((latest, { made_ms }) => Math.max(latest, made_ms), 0)
}

async function readMade_ms(lock: string): Promise<number | undefined> {
  return (await stat(lock).catch(() => undefined))?.mtimeMs
}

/**
 * Whether no live process can hold a lock: it was made before the first running server started, or is older than the maximum
 * duration of a change.
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
