// A thread that reads objects for a backup: thousands of small files, one after another.
import { parentPort } from 'node:worker_threads'
import { ChangedMeanwhile, type ObjectsRead, readObjects } from './objects.ts'

export type ReadRequest = { id: number; path: string }
export type ReadAnswer = { id: number } & (
  | { read: Omit<ObjectsRead, 'archive'> & { archive: Uint8Array<ArrayBuffer> } }
  | { changed: string }
)

parentPort?.on('message', ({ id, path }: ReadRequest) => {
  try {
    const { archive, ...rest } = readObjects(path)
    // What is handed over must not be a part of what the thread goes on to use.
    const own = new Uint8Array(archive)
    parentPort?.postMessage({ id, read: { ...rest, archive: own } }, [own.buffer])
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    parentPort?.postMessage({ id, changed: error.message })
  }
})
