// A thread that reads repositories for a backup: thousands of small files, one after another.
import { parentPort } from 'node:worker_threads'
import { ChangedMeanwhile, type RepositoryRead, readRepository } from './objects.ts'
import { type CapturedFolder, captureFolder, type FolderOfRepositories } from './repositories.ts'

export type Reading = { folder: FolderOfRepositories } | { path: string; refs: Uint8Array }
export type ReadingAnswer =
  | { captured: CapturedFolder }
  | { read: RepositoryRead }
  | { changed: string }

parentPort?.on('message', ({ id, reading }: { id: number; reading: Reading }) => {
  const answer = answerTo(reading)
  const handedOver = 'read' in answer ? [answer.read.archive.buffer as ArrayBuffer] : []
  parentPort?.postMessage({ id, answer }, handedOver)
})

function answerTo(reading: Reading): ReadingAnswer {
  try {
    if ('folder' in reading) return { captured: captureFolder(reading.folder) }
    return { read: readRepository(reading.path, reading.refs) }
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    return { changed: error.message }
  }
}
