// Finds what interrupted writes leave in a repository: abandoned quarantines, partial packs, temporary files. git
// ignores them; they only take up space.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

/**
 * Untouched for this long, nothing is still being written, by this server or by another one: a pack grows at the least
 * rate while it is sent, and is checked for less than three hours (quarantine.ts).
 */
const quiet_ms_min = 3 * 60 * 60_000

/** Removes files of interrupted writes that ended long before `now_ms`. Returns their names. */
export async function removeLeftoverFiles(
  repository: Repository,
  now_ms: number,
): Promise<string[]> {
  const objects = join(repository.path, 'objects')
  const removed: string[] = []
  for (const name of await candidates(objects)) {
    const path = join(objects, name)
    if (now_ms - (await lastChange_ms(path)) < quiet_ms_min) continue
    await rm(path, { recursive: true, force: true })
    removed.push(name)
  }
  return removed
}

/** Names below `objects/` that nothing finished has. */
async function candidates(objects: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of await namesIn(objects)) {
    if (/^(incoming-|tmp_)/.test(folder)) found.push(folder)
    else if (/^([0-9a-f]{2}|pack)$/.test(folder)) {
      const names = await namesIn(join(objects, folder))
      const all = new Set(names)
      for (const name of names) {
        // git uses a pack once its index exists. Without one, the pack was never moved in completely.
        const isHalf = name.startsWith('pack-') && !all.has(name.replace(/\.\w+$/, '.idx'))
        if (isHalf || /^\.?tmp[_-]/.test(name)) found.push(join(folder, name))
      }
    }
  }
  return found
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** The newest change of a file or of anything in a folder; never, when it is gone already. */
async function lastChange_ms(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return Number.POSITIVE_INFINITY
  let newest_ms = stats.mtimeMs
  if (!stats.isDirectory()) return newest_ms
  for (const name of await namesIn(path)) {
    newest_ms = Math.max(newest_ms, await lastChange_ms(join(path, name)))
  }
  return newest_ms
}
