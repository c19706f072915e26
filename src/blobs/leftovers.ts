import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from './blob-store.ts'

/** Untouched for this long, no upload is still going on: limits.upload_idle_ms ends one long before. */
const quiet_ms_min = 60 * 60_000

/** Removes what uploads left that ended long before `now_ms`, a time of the system's clock; answers the names. */
export async function removeBlobLeftovers(store: BlobStore, now_ms: number): Promise<string[]> {
  const folder = join(store.path, 'incoming')
  const removed: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (!stats || now_ms - stats.mtimeMs < quiet_ms_min) continue
    await rm(path, { force: true })
    removed.push(name)
  }
  return removed
}
