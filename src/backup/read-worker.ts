// A thread that reads repositories for a backup: thousands of small files, one after another.
import { parentPort } from 'node:worker_threads'
import {
  archiveRepositories,
  ChangedMeanwhile,
  type RepositoryReadBatch,
  type RepositoryToRead,
} from './archive-repositories.ts'
import {
  type CapturedFolder,
  captureRefsOfFolder,
  type FolderOfRepositories,
} from './repositories.ts'

export type ReadRequest =
  | { folder: FolderOfRepositories }
  | { repositories: readonly RepositoryToRead[] }
export type ReadResponse =
  | { captured: CapturedFolder }
  | { together: RepositoryReadBatch }
  | { changed: string }

parentPort?.on('message', ({ id, reading }: { id: number; reading: ReadRequest }) => {
  const answer = answerTo(reading)
  const handedOver = 'together' in answer ? [answer.together.bytes.buffer] : []
  parentPort?.postMessage({ id, answer }, handedOver)
})

function answerTo(reading: ReadRequest): ReadResponse {
  try {
    if ('folder' in reading) return { captured: captureRefsOfFolder(reading.folder) }
    return { together: archiveRepositories(reading.repositories) }
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    return { changed: error.message }
  }
}
