// The thread that reads repositories for a backup: thousands of small files.
import { parentPort } from 'node:worker_threads'
import {
  type ArchivedRepositoryBatch,
  archiveRepositories,
  RepositoryChangedWhileRead,
  type RepositoryToArchive,
} from './archive-repositories.ts'
import {
  type FolderRefSnapshots,
  type StorageFolder,
  snapshotRefsOfFolder,
} from './repositories.ts'

export type ReadWorkerRequest =
  | { root: string; folder: StorageFolder }
  | { repositories: readonly RepositoryToArchive[] }
export type ReadWorkerResponse =
  | { captured: FolderRefSnapshots }
  | { together: ArchivedRepositoryBatch }
  | { changed: string }

parentPort?.on('message', ({ id, reading }: { id: number; reading: ReadWorkerRequest }) => {
  const answer = answerTo(reading)
  const handedOver = 'together' in answer ? [answer.together.bytes.buffer] : []
  parentPort?.postMessage({ id, answer }, handedOver)
})

function answerTo(reading: ReadWorkerRequest): ReadWorkerResponse {
  try {
    if ('folder' in reading) {
      return { captured: snapshotRefsOfFolder(reading.root, reading.folder) }
    }
    return { together: archiveRepositories(reading.repositories) }
  } catch (error) {
    if (!(error instanceof RepositoryChangedWhileRead)) throw error
    return { changed: error.message }
  }
}
