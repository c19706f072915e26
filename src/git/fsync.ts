import { open } from 'node:fs/promises'

/** Makes the contents of a file that was written without a sync survive a power failure. */
export const syncFile = sync

/** Makes the names in a folder survive a power failure; file contents are synced by their writers. */
export const syncFolder = sync

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
