// git guards each change of a reference by a lock file, and waits for whoever made it. A process that
// was killed leaves its locks behind, and without this file nobody could change the reference again.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { monotonic_ms, systemClock } from '../kernel/clock.ts'
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

/** What maintenance writes under a lock, by its path in the repository. */
export const maintenanceLockedFiles = [
  'objects/info/commit-graph',
  'objects/info/commit-graphs/commit-graph-chain',
  'objects/pack/multi-pack-index',
] as const

/**
 * Runs a change of the named files or references. If it fails on a stale lock, removes the lock and runs it once
 * more.
 */
export async function retryPastStaleLocks<T>(
  repository: Repository,
  names: readonly (RefName | (typeof maintenanceLockedFiles)[number])[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'locked') throw error
    if (!(await removeStaleLocks(repository, names))) throw error
  }
  return change()
}

/** Whether any stale lock stood in the way of these names; afterwards none does. */
async function removeStaleLocks(
  repository: Repository,
  names: readonly string[],
): Promise<boolean> {
  const paths = ['HEAD.lock', 'packed-refs.lock', ...names.map((name) => `${name}.lock`)].map(
    (name) => join(repository.path, name),
  )
  // A reference `a` also cannot be made while `a/b.lock` keeps the folder `a` in place.
  for (const name of names) paths.push(...(await locksBelow(join(repository.path, name))))
  let hasRemoved = false
  for (const path of paths) {
    const changed_ms = (await stat(path).catch(() => undefined))?.mtimeMs
    if (changed_ms === undefined || !isStaleLock(changed_ms)) continue
    await waitUntil(changed_ms + orphan_ms_max)
    await rm(path, { force: true })
    hasRemoved = true
  }
  return hasRemoved
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
  if (wait_ms > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms))
}

async function locksBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  return entries.filter((name) => name.endsWith('.lock')).map((name) => join(folder, name))
}
