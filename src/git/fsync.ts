import { open } from 'node:fs/promises'

/** Makes the names in a folder survive a power failure; file contents are synced by their writers. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
