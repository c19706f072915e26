// Where a run keeps all it writes. Tests prove no durability against a loss of power, so a file system in
// memory serves them as well as a disk, and nothing waits for the disk's syncs.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Several times what a run ever holds at once. */
const free_bytes_min = 4 * 1024 ** 3
const prefix = 'bloomery-tests-'
const leftover_ms_min = 60 * 60_000

/** A folder of a run's own, and how to remove it with all that is still in it. */
export function newRunFolder(): { path: string; remove: () => void } {
  const parent = hasRoom(memory) ? memory : tmpdir()
  removeLeftovers(parent)
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // PostgreSQL may run as another user, who must reach the folder inside.
  chmodSync(path, 0o755)
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  // A run that is called off has no time for more.
  process.once('exit', remove)
  return { path, remove }
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= free_bytes_min
  } catch {
    return false
  }
}

/** What a run that was killed has left. A young one may be of a run whose process is not seen from here. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    const age_ms =
      Date.now() - (statSync(join(parent, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age_ms < leftover_ms_min || isRunning(pid)) continue
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
