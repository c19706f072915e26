// A repository that is on its way to another storage is read-only. A file in it says so to whoever moves its
// references, in this process or another, at the one moment that counts: while they hold the locks.
import { existsSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { monotonic_ms } from '../kernel/clock.ts'
import { repositoryReadOnly } from '../kernel/errors.ts'
import { syncFolder } from './fsync.ts'
import type { Repository } from './repository.ts'
import { isStaleLock } from './stale-locks.ts'

const fenceOf = ({ path }: Repository) => join(path, 'moving')

/** Whether its references stay as they are for now. One look at the disk. */
export function areRefsFrozen(repository: Repository): boolean {
  return existsSync(fenceOf(repository))
}

/** Throws 503 where they do. Asked while the references are locked, so that none moves behind a fence. */
export function refuseIfRefsFrozen(repository: Repository): void {
  if (areRefsFrozen(repository)) throw repositoryReadOnly()
}

const look_ms = 5
const wait_ms_max = 15 * 60_000

/**
 * Puts up the fence, and answers once no reference can move any more: whoever held a lock before it was
 * there may not have seen it, and is waited for. One that is up already stays.
 */
export async function freezeRefs(repository: Repository): Promise<void> {
  await (await open(fenceOf(repository), 'a')).close()
  await syncFolder(repository.path)
  const end_ms = monotonic_ms() + wait_ms_max
  for (const lock of await heldLocks(repository)) {
    while (await isHeld(lock)) {
      if (monotonic_ms() > end_ms)
        throw new Error(`Reference lock ${lock} was not released within ${wait_ms_max} ms.`)
      await setTimeout(look_ms)
    }
  }
}

/** Takes the fence away, if there is one. */
export async function unfreezeRefs(repository: Repository): Promise<void> {
  await rm(fenceOf(repository), { force: true })
}

async function heldLocks({ path }: Repository): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true })
  const names = ['HEAD', 'packed-refs'].map((name) => join(path, `${name}.lock`))
  return [
    ...names,
    ...below.filter((name) => name.endsWith('.lock')).map((name) => join(path, 'refs', name)),
  ]
}

async function isHeld(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  return found !== undefined && !isStaleLock(found.mtimeMs)
}
