// Responses of a storage's owner to a backup that runs on another machine (remote-repository-reader.ts sends the
// requests).
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { RepositoryChangedWhileRead, signatureOfPacks } from '../backup/archive-repositories.ts'
import { ReaderPool } from '../backup/reader-pool.ts'
import { listTopFolders, type StoredRepository } from '../backup/repositories.ts'
import { fileIdentity } from '../backup/repository-reader.ts'
import type { Config } from '../config.ts'
import {
  defineStorageOwnerDownload,
  defineStorageOwnerRequest,
} from '../http/storage-owner-request.ts'
import { isPathInside } from '../kernel/is-path-inside.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { unlessGone } from '../kernel/unless-gone.ts'

type StoredFile = StoredRepository & { path: string }

/** A folder can have thousands of repositories, which are all read before the response begins. */
const timeout_ms = 15 * 60_000

/** References as in `RefSnapshot`, with the entries in Base64. */
export type CapturedJson = {
  name: string
  refs: { signature: string; entries: string } | 'unchanged'
}

export const listTopFoldersRequest = defineStorageOwnerRequest<{ storage: string }, string[]>({
  name: 'backup-list-top-folders',
  run: async ({ config }, { storage }) => listTopFolders(rootOf(config, storage)),
})

/**
 * Captures the references of the repositories in a folder, which may itself be a repository. Responds with the reason
 * instead if one cannot be read.
 */
export const captureRequest = defineStorageOwnerRequest<
  { storage: string; folder: string; signatures: [string, string][] },
  CapturedJson[] | { changed: string }
>({
  name: 'backup-capture',
  timeout_ms,
  async run({ config }, { storage, folder, signatures }) {
    const root = rootOf(config, storage)
    const asked = { storage, folder: inside(folder), signatures: new Map(signatures) }
    try {
      const captured = await withPool((pool) => pool.capture(root, asked))
      return captured.map(({ repository: { name }, refs }) => {
        if (refs === 'unchanged') return { name, refs }
        const { signature, entries } = refs
        return { name, refs: { signature, entries: Buffer.from(entries).toString('base64') } }
      })
    } catch (error) {
      if (error instanceof RepositoryChangedWhileRead) return { changed: error.message }
      throw error
    }
  },
})

/**
 * Downloads a line of JSON with `large` and `stamp`, then the archive without references. Empty if the repository changed.
 */
export const archiveDownload = defineStorageOwnerDownload<StoredRepository>({
  name: 'backup-archive',
  async open({ config }, repository) {
    const path = pathOf(config, repository)
    const [read] = await withPool((pool) => pool.read([{ path, refs: new Uint8Array() }]))
    if (!read || read instanceof RepositoryChangedWhileRead) return undefined
    const { large, stamp, archive } = read
    return Readable.from([Buffer.from(`${JSON.stringify({ large, stamp })}\n`), archive])
  },
})

/** Responds with null if the file is gone. */
export const statLargeFileRequest = defineStorageOwnerRequest<
  StoredFile,
  { size: number; identity?: string } | null
>({
  name: 'backup-stat-large-file',
  async run({ config }, { path, ...repository }) {
    const stats = await unlessGone(stat(join(pathOf(config, repository), inside(path))))
    return stats ? { size: stats.size, identity: fileIdentity(stats) } : null
  },
})

export const largeFileDownload = defineStorageOwnerDownload<StoredFile>({
  name: 'backup-large-file',
  async open({ config }, { path, ...repository }) {
    const file = await unlessGone(open(join(pathOf(config, repository), inside(path))))
    return file && createReadStream('', { fd: file, highWaterMark: limits.backup.chunk_bytes })
  },
})

export const packsSignatureRequest = defineStorageOwnerRequest<StoredRepository, string>({
  name: 'backup-packs-signature',
  run: async ({ config }, repository) => signatureOfPacks(pathOf(config, repository)),
})

export const backupRequests = [
  listTopFoldersRequest,
  captureRequest,
  statLargeFileRequest,
  packsSignatureRequest,
]
export const backupDownloads = [archiveDownload, largeFileDownload]

/** Threads that read for backups. They exist only during a backup, since each takes some 20 MB. */
const threads = {
  pool: undefined as ReaderPool | undefined,
  users: 0,
  closing: undefined as NodeJS.Timeout | undefined,
}
const idle_ms = 60_000

async function withPool<T>(read: (pool: ReaderPool) => Promise<T>): Promise<T> {
  const pool = threads.pool ?? new ReaderPool({ isInServer: true })
  threads.pool = pool
  threads.users++
  clearTimeout(threads.closing)
  try {
    return await read(pool)
  } finally {
    threads.users--
    if (threads.users === 0) threads.closing = setTimeout(closePool, idle_ms, pool).unref()
  }
}

function closePool(pool: ReaderPool): void {
  threads.pool = undefined
  void pool.close()
}

function rootOf({ storages }: Pick<Config, 'storages'>, storage: string): string {
  const root = ownValue(storages, storage)?.path
  if (root === undefined) throw new RepositoryElsewhereError({ storage })
  return root
}

function pathOf(config: Pick<Config, 'storages'>, { storage, name }: StoredRepository): string {
  return join(rootOf(config, storage), inside(name))
}

/** Returns the path. Throws if it leads out of its folder. */
function inside(path: string): string {
  if (!isPathInside(path)) throw new Error(`${path} leads out of its folder.`)
  return path
}
