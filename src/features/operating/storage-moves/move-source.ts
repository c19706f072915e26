// The source of a move: a repository on a disk of this server, or of another one, to which requests are sent.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { copyRemoteRepository } from '../../../git/copy-remote-repository.ts'
import {
  allRefPrefixes,
  copyRepository,
  digestRefs,
  isObjectFilePath,
  listObjectFiles,
  measureObjects,
  type ObjectFile,
  type OnCopiedBytes,
  packedRefLines,
  verifyRepositoryCopy,
} from '../../../git/copy-repository.ts'
import { freezeRefs, unfreezeRefs } from '../../../git/freeze-refs.ts'
import type { RefName } from '../../../git/names.ts'
import { listRefs, readHeadBranch, repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  defineStorageOwnerDownload,
  defineStorageOwnerRequest,
  downloadFromStorageOwner,
  requestFromStorageOwner,
} from '../../../http/storage-owner-request.ts'
import type { RepositoryName } from '../../../kernel/repository-elsewhere.ts'
import { unlessGone } from '../../../kernel/unless-gone.ts'
import { findRepository, isStorageElsewhere } from '../../../subjects/storage.ts'
import { ensureWikiRepository } from '../../content/wikis/change-wiki.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'config'>

/** A repository to move. If it is on another server that is down, all methods throw RepositoryElsewhereError. */
export type MoveSource = {
  /** Returns the bytes of its objects; 0 if the repository is missing. */
  measure: () => Promise<number>
  /**
   * Makes the repository read-only. If it is missing, it is created with `mayBegin`, so that nobody creates
   * it during the move; otherwise throws.
   */
  freeze: (options: { mayBegin: boolean }) => Promise<void>
  /** Copies the repository to `destination` and compares the two. The source must be frozen. */
  copyTo: (destination: Repository, onBytes: OnCopiedBytes) => Promise<void>
  /** Makes the repository writable again, if it exists. */
  unfreeze: () => Promise<void>
}

export function moveSourceOf(uses: Uses, name: RepositoryName): MoveSource {
  if (isStorageElsewhere(uses.config, name.storage)) return remoteSource(uses, name)
  const { git, config } = uses
  const source = findRepository(config, name)
  return {
    measure: () => measureIfThere(source),
    async freeze({ mayBegin }) {
      const isThere = await freezeIfThere(source, mayBegin)
      // The disk may be unmounted, for example. An empty repository must not replace the real one.
      if (!isThere) throw new Error(`Repository not found: ${source.path}`)
    },
    copyTo: (destination, onBytes) =>
      copyRepository(git.git, source, destination, {
        references: allRefPrefixes,
        check: (unfinished, onCompared) => verifyRepositoryCopy(source, unfinished, onCompared),
        onBytes,
      }),
    unfreeze: () => unfreezeIfThere(source),
  }
}

function remoteSource({ db, git }: Uses, name: RepositoryName): MoveSource {
  const { storage } = name
  return {
    measure: () => requestFromStorageOwner(db, measureRequest, { storage, input: name }),
    async freeze({ mayBegin }) {
      const input = { ...name, mayBegin }
      const isThere = await requestFromStorageOwner(db, freezeRequest, { storage, input })
      if (!isThere)
        throw new Error(`Repository of ${name.kind} ${name.id} not found on ${storage}.`)
    },
    async copyTo(destination, onBytes) {
      const state = await requestFromStorageOwner(db, readRefStateRequest, { storage, input: name })
      const source = {
        ...state,
        readRefs: async () => {
          const refs = await downloadFromStorageOwner(db, refsDownload, { storage, input: name })
          return refs ?? Readable.from([])
        },
        listObjectFiles: () =>
          requestFromStorageOwner(db, listObjectFilesRequest, { storage, input: name }),
        readObjectFile: (path: string) =>
          downloadFromStorageOwner(db, objectFileDownload, { storage, input: { ...name, path } }),
      }
      await copyRemoteRepository(git.git, source, destination, onBytes)
    },
    async unfreeze() {
      await requestFromStorageOwner(db, unfreezeRequest, { storage, input: name })
    },
  }
}

async function measureIfThere(source: Repository): Promise<number> {
  return repositoryExists(source) ? measureObjects(source) : 0
}

async function freezeIfThere(source: Repository, mayBegin: boolean): Promise<boolean> {
  if (!repositoryExists(source)) {
    if (!mayBegin) return false
    await ensureWikiRepository(source)
  }
  await freezeRefs(source)
  return true
}

async function unfreezeIfThere(source: Repository): Promise<void> {
  if (repositoryExists(source)) await unfreezeRefs(source)
}

const measureRequest = defineStorageOwnerRequest<RepositoryName, number>({
  name: 'measure-repository',
  run: ({ config }, name) => measureIfThere(findRepository(config, name)),
})

const freezeRequest = defineStorageOwnerRequest<RepositoryName & { mayBegin: boolean }, boolean>({
  name: 'freeze-repository',
  // As long as `freezeRefs` waits for writers.
  timeout_ms: 16 * 60_000,
  run: ({ config }, { mayBegin, ...name }) => freezeIfThere(findRepository(config, name), mayBegin),
})

const unfreezeRequest = defineStorageOwnerRequest<RepositoryName, void>({
  name: 'unfreeze-repository',
  run: ({ config }, name) => unfreezeIfThere(findRepository(config, name)),
})

const readRefStateRequest = defineStorageOwnerRequest<
  RepositoryName,
  { head: RefName | undefined; refsDigest: string }
>({
  name: 'read-ref-state',
  async run({ config }, name) {
    const source = findRepository(config, name)
    const refsDigest = await digestRefs(await listRefs(source, 'refs/'))
    return { head: readHeadBranch(source), refsDigest }
  },
})

const listObjectFilesRequest = defineStorageOwnerRequest<RepositoryName, ObjectFile[]>({
  name: 'list-object-files',
  timeout_ms: 60_000,
  run: ({ config }, name) => listObjectFiles(findRepository(config, name)),
})

const refsDownload = defineStorageOwnerDownload<RepositoryName>({
  name: 'read-refs',
  async open({ config }, name) {
    const refs = await listRefs(findRepository(config, name), 'refs/')
    return Readable.from(packedRefLines([refs]))
  },
})

const objectFileDownload = defineStorageOwnerDownload<RepositoryName & { path: string }>({
  name: 'read-object-file',
  async open({ config }, { path, ...name }) {
    if (!isObjectFilePath(path)) throw new Error(`${path} is not a file of objects.`)
    const file = await unlessGone(open(join(findRepository(config, name).path, path)))
    return file && createReadStream('', { fd: file, highWaterMark: read_bytes })
  },
})

const read_bytes = 256 * 1024

export const moveSourceRequests = [
  measureRequest,
  freezeRequest,
  unfreezeRequest,
  readRefStateRequest,
  listObjectFilesRequest,
]
export const moveSourceDownloads = [refsDownload, objectFileDownload]
