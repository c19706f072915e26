// A thread that reads repositories for a backup: thousands of small files, one after another.
import { parentPort } from 'node:worker_threads'
import { ChangedMeanwhile, type ReadTogether, readRepositories, type ToRead } from './objects.ts'
import {
  type CapturedFolder,
  captureRefsOfFolder,
  type FolderOfRepositories,
} from './repositories.ts'

export type Reading = { folder: FolderOfRepositories } | { repositories: readonly ToRead[] }
export type ReadingAnswer =
  | { captured: CapturedFolder }
  | { together: ReadTogether }
  | { changed: string }

parentPort?.on('message', ({ id, reading }: { id: number; reading: Reading }) => {
  const answer = answerTo(reading)
  const handedOver = 'together' in answer ? [answer.together.bytes.buffer] : []
  parentPort?.postMessage({ id, answer }, handedOver)
})

function answerTo(reading: Reading): ReadingAnswer {
  try {
    if ('folder' in reading) return { captured: captureRefsOfFolder(reading.folder) }
    return { together: readRepositories(reading.repositories) }
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    return { changed: error.message }
  }
}
