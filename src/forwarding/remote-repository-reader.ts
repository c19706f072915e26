import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import {
  type ArchivedRepository,
  insertRefs,
  RepositoryChangedWhileRead,
} from '../backup/archive-repositories.ts'
import type {
  FolderRefSnapshots,
  RefSnapshot,
  StorageFolder,
  StoredRepository,
} from '../backup/repositories.ts'
import type {
  LargeFile,
  RepositoryReader,
  RepositoryWithRefs,
} from '../backup/repository-reader.ts'
import type { Db } from '../db/db.ts'
import { downloadFromStorageOwner, requestFromStorageOwner } from '../http/storage-owner-request.ts'
import { limits } from '../kernel/limits.ts'
import {
  archiveDownload,
  type CapturedJson,
  captureRequest,
  largeFileDownload,
  listTopFoldersRequest,
  packsSignatureRequest,
  statLargeFileRequest,
} from './backup-requests.ts'

/**
 * Reads repositories on the disks of other servers for a backup. All methods throw RepositoryElsewhereError if the server
 * cannot be reached.
 */
export class RemoteRepositoryReader implements RepositoryReader {
  /** The next batch is read while one is written. */
  readonly ahead = 1
  readonly #db: Db

  /** Requests are sent by the client that is registered for `db`. */
  constructor(db: Db) {
    this.#db = db
  }

  listTopFolders(storage: string): Promise<string[]> {
    return requestFromStorageOwner(this.#db, listTopFoldersRequest, { storage, input: { storage } })
  }

  async capture({ storage, folder, signatures }: StorageFolder): Promise<FolderRefSnapshots> {
    const input = { storage, folder, signatures: [...signatures] }
    const captured = await requestFromStorageOwner(this.#db, captureRequest, { storage, input })
    if ('changed' in captured) throw new RepositoryChangedWhileRead(captured.changed)
    return captured.map(({ name, refs }) => ({
      repository: { storage, name },
      refs: refs === 'unchanged' ? refs : refsFromJson(refs),
    }))
  }

  async snapshotRefs({ storage, name }: StoredRepository): Promise<RefSnapshot> {
    const [captured] = await this.capture({ storage, folder: name, signatures: new Map() })
    if (!captured || captured.refs === 'unchanged') {
      throw new RepositoryChangedWhileRead('The repository went away.')
    }
    return captured.refs
  }

  async read(
    repositories: readonly RepositoryWithRefs[],
  ): Promise<(ArchivedRepository | RepositoryChangedWhileRead)[]> {
    const reads: (ArchivedRepository | RepositoryChangedWhileRead)[] = []
    let held_bytes = 0
    for (const one of repositories) {
      if (held_bytes >= limits.backup.container_bytes_max) break
      const read = await this.#readOne(one)
      reads.push(read)
      if ('archive' in read) held_bytes += read.archive.length
    }
    return reads
  }

  async #readOne({
    repository,
    refs,
  }: RepositoryWithRefs): Promise<ArchivedRepository | RepositoryChangedWhileRead> {
    const { storage } = repository
    const asked = { storage, input: repository }
    const download = await downloadFromStorageOwner(this.#db, archiveDownload, asked)
    if (!download)
      return new RepositoryChangedWhileRead('The repository changed while it was read.')
    const bytes = await buffer(download)
    const end = bytes.indexOf('\n')
    const { large, stamp } = JSON.parse(bytes.toString('utf8', 0, end))
    const archive = insertRefs(bytes.subarray(end + 1), refs)
    return { archive, sha256: hash('sha256', archive), large, stamp }
  }

  async openLargeFile(repository: StoredRepository, path: string): Promise<LargeFile> {
    const db = this.#db
    const asked = { storage: repository.storage, input: { ...repository, path } }
    const stats = await requestFromStorageOwner(db, statLargeFileRequest, asked)
    if (!stats) throw fileWentAway()
    async function* read(): AsyncGenerator<Buffer> {
      const download = await downloadFromStorageOwner(db, largeFileDownload, asked)
      if (!download) throw fileWentAway()
      yield* download
    }
    // Inodes of another machine are only unique together with the storage.
    const identity = stats.identity && `${repository.storage} ${stats.identity}`
    return { size: stats.size, identity, read, close: () => {} }
  }

  readPacksSignature(repository: StoredRepository): Promise<string> {
    const { storage } = repository
    const asked = { storage, input: repository }
    return requestFromStorageOwner(this.#db, packsSignatureRequest, asked)
  }
}

const fileWentAway = () => new RepositoryChangedWhileRead('A file of its objects went away.')

function refsFromJson({
  signature,
  entries,
}: Exclude<CapturedJson['refs'], 'unchanged'>): RefSnapshot {
  return { signature, entries: Buffer.from(entries, 'base64') }
}
