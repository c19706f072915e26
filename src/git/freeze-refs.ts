// Makes a repository read-only while it moves to another storage. A file in it tells every process that moves its
// references, which checks for the file while it holds their locks.
import { existsSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { monotonic_ms } from '../kernel/clock.ts'
import { repositoryReadOnly } from '../kernel/errors.ts'
import { syncFolder } from './fsync.ts'
import type { Repository } from './repository.ts'
import { isStaleLock, removeStaleLocks } from './stale-locks.ts'

const fenceOf = ({ path }: Repository) => join(path, 'moving')

/** Whether the references of the repository are frozen. Looks at the disk once. */
export function areRefsFrozen(repository: Repository): boolean {
  return existsSync(fenceOf(repository))
}

/**
 * Throws 503 if the references are frozen. Call it while the references are locked, so that none moves after they were
 * frozen.
 */
export function refuseIfRefsFrozen(repository: Repository): void {
  if (areRefsFrozen(repository)) throw repositoryReadOnly()
}

const look_ms = 5
/** Locks that are still there then may have been left by a process that died. */
const patience_ms = 10_000
const wait_ms_max = 15 * 60_000

/**
 * Freezes all references and returns when none can move any more: it waits for changes that had locked a reference before.
 * Does nothing if they are frozen already. Throws after a quarter of an hour.
 */
export async function freezeRefs(repository: Repository): Promise<void> {
  await (await open(fenceOf(repository), 'a')).close()
  await syncFolder(repository.path)
  const begin_ms = monotonic_ms()
  let removed_ms = begin_ms
  let locks = await listLocks(repository)
  for (;;) {
    locks = await filterHeld(locks)
    if (locks.length === 0) return
    const now_ms = monotonic_ms()
    if (now_ms > begin_ms + wait_ms_max)
      throw new Error(`Reference lock ${locks[0]} was not released within ${wait_ms_max} ms.`)
    if (now_ms > removed_ms + patience_ms) {
      await removeStaleLocks(repository, locks)
      removed_ms = monotonic_ms()
    }
    await setTimeout(look_ms)
  }
}

/** Lets references move again. */
export async function unfreezeRefs(repository: Repository): Promise<void> {
  await rm(fenceOf(repository), { force: true })
}

async function listLocks({ path }: Repository): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true })
  const names = ['HEAD', 'packed-refs'].map((name) => join(path, `${name}.lock`))
  return [
    ...names,
    ...below.filter((name) => name.endsWith('.lock')).map((name) => join(path, 'refs', name)),
  ]
}

async function filterHeld(locks: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    locks.map(async (lock) => ({ lock, stats: await stat(lock).catch(() => undefined) })),
  )
  return found.filter(({ stats }) => stats && !isStaleLock(stats.mtimeMs)).map(({ lock }) => lock)
}
