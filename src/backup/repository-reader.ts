// Reads repositories for a backup, on disks of this machine or of another server
// (forwarding/remote-repository-reader.ts).
import { closeSync, fstatSync, openSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import {
  type ArchivedRepository,
  RepositoryChangedWhileRead,
  signatureOfPacks,
} from './archive-repositories.ts'
import { readFully } from './file-bytes.ts'
import type { ReaderPool } from './reader-pool.ts'
import {
  type FolderRefSnapshots,
  listTopFolders,
  type RefSnapshot,
  type StorageFolder,
  type StoredRepository,
  snapshotRefs,
} from './repositories.ts'

/** A file that is stored outside of archives. */
export type LargeFile = {
  size: number
  /** See `fileIdentity`. For a file on another machine, the storage is prepended. */
  identity: string | undefined
  /** Yields the content: `size` bytes, unless the file has become shorter. */
  read: () => AsyncIterable<Buffer>
  close: () => void
}

/** A repository, and its references as entries of an archive (`RefSnapshot.entries`). */
export type RepositoryWithRefs = { repository: StoredRepository; refs: Uint8Array }

/** Reads repositories of some storages. */
export interface RepositoryReader {
  /** The number of reads that may start before the first result is used. */
  readonly ahead: number
  /** Returns the names of the folders directly below the root of a storage, sorted. */
  listTopFolders(storage: string): Promise<string[]>
  /**
   * Reads the references of all repositories in a folder. Throws RepositoryChangedWhileRead as `snapshotRefs`
   * does.
   */
  capture(folder: StorageFolder): Promise<FolderRefSnapshots>
  snapshotRefs(repository: StoredRepository): Promise<RefSnapshot>
  /**
   * Reads repositories in the given order. The result is undefined for a repository that was not read because
   * those before it are large.
   */
  read(
    repositories: readonly RepositoryWithRefs[],
  ): Promise<(ArchivedRepository | RepositoryChangedWhileRead | undefined)[]>
  /** Opens a file; the caller must close it. Throws RepositoryChangedWhileRead if it is missing. */
  openLargeFile(repository: StoredRepository, path: string): Promise<LargeFile>
  /** Returns a signature that changes when the repository is packed. */
  readPacksSignature(repository: StoredRepository): Promise<string>
}

/** Reads the storages whose disks are on this machine. */
export class LocalRepositoryReader implements RepositoryReader {
  readonly #storages: Readonly<Record<string, { path: string }>>
  readonly #pool: ReaderPool

  constructor(storages: Readonly<Record<string, { path: string }>>, pool: ReaderPool) {
    this.#storages = storages
    this.#pool = pool
  }

  get ahead(): number {
    return this.#pool.ahead
  }

  async listTopFolders(storage: string): Promise<string[]> {
    return listTopFolders(this.#rootOf(storage))
  }

  capture(folder: StorageFolder): Promise<FolderRefSnapshots> {
    return this.#pool.capture(this.#rootOf(folder.storage), folder)
  }

  async snapshotRefs(repository: StoredRepository): Promise<RefSnapshot> {
    return snapshotRefs({ path: this.#pathOf(repository) })
  }

  read(
    repositories: readonly RepositoryWithRefs[],
  ): Promise<(ArchivedRepository | RepositoryChangedWhileRead | undefined)[]> {
    return this.#pool.read(
      repositories.map(({ repository, refs }) => ({ path: this.#pathOf(repository), refs })),
    )
  }

  async openLargeFile(repository: StoredRepository, path: string): Promise<LargeFile> {
    const descriptor = openIfThere(join(this.#pathOf(repository), path))
    const stats = fstatSync(descriptor)
    const { size } = stats
    return {
      size,
      identity: fileIdentity(stats),
      read: () => readBytes(descriptor, size),
      close: () => closeSync(descriptor),
    }
  }

  async readPacksSignature(repository: StoredRepository): Promise<string> {
    return signatureOfPacks(this.#pathOf(repository))
  }

  #rootOf(storage: string): string {
    const root = ownValue(this.#storages, storage)?.path
    if (root === undefined) throw new Error(`Storage ${storage} is not on a disk of this server.`)
    return root
  }

  #pathOf({ storage, name }: StoredRepository): string {
    return join(this.#rootOf(storage), name)
  }
}

/** Returns the identity of a file with several hard links, the same for all of them; undefined for a file with one name. */
export function fileIdentity({
  dev,
  ino,
  nlink,
}: Pick<Stats, 'dev' | 'ino' | 'nlink'>): string | undefined {
  return nlink > 1 ? `${dev}:${ino}` : undefined
}

function openIfThere(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RepositoryChangedWhileRead('A file of its objects went away.')
  }
}

async function* readBytes(descriptor: number, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const length = Math.min(limits.backup.chunk_bytes, size - position)
    const bytes = readFully(descriptor, { position, length })
    if (bytes.length === 0) return
    yield bytes
    position += bytes.length
  }
}
