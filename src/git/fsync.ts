import { open } from 'node:fs/promises'

/** Syncs a written file to disk, so that its content survives a power failure. */
export const syncFile = sync

/** Syncs a folder to disk, so that the names in it survive a power failure. Does not sync the contents of its files. */
export const syncFolder = sync

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
