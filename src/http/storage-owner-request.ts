// Requests from one server to the owner of a storage, which has its disk, for cases in which a whole request cannot be
// forwarded: a list with several repositories, or the part of a request that needs the disk.
import type { Readable } from 'node:stream'
import { databaseKeyOf } from '../db/after-commit.ts'
import type { Db } from '../db/db.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import type { Instance } from './endpoint.ts'

/** `run` responds, on the owner. Input and output are JSON. */
export type StorageOwnerRequest<Input, Output> = {
  readonly name: string
  /** For how long the owner may say nothing, in milliseconds, where that is more than for most. */
  readonly timeout_ms?: number
  readonly run: (uses: Instance, input: Input) => Promise<Output>
}

/** `open` responds with bytes, on the owner; with undefined where there is nothing to read. The input is JSON. */
export type StorageOwnerDownload<Input> = {
  readonly name: string
  readonly open: (uses: Instance, input: Input) => Promise<Readable | undefined>
}

/** Declares a request in the feature that sends it; its family lists it. */
export function defineStorageOwnerRequest<Input, Output>(
  request: StorageOwnerRequest<Input, Output>,
): StorageOwnerRequest<Input, Output> {
  return request
}

/** Declares a download in the feature that reads it; its family lists it. */
export function defineStorageOwnerDownload<Input>(
  download: StorageOwnerDownload<Input>,
): StorageOwnerDownload<Input> {
  return download
}

/** Sends requests to the owners of storages. What is thrown is RepositoryElsewhereError, as below. */
export type StorageOwnerClient = {
  request: (
    storage: string,
    request: { name: string; timeout_ms?: number; input: unknown },
  ) => Promise<unknown>
  download: (
    storage: string,
    download: { name: string; input: unknown },
  ) => Promise<AsyncIterable<Buffer> | undefined>
}

const clients = new WeakMap<object, StorageOwnerClient>()

/** Sets what sends the requests of the server of a database. */
export function setStorageOwnerClient(db: Db, client: StorageOwnerClient): void {
  clients.set(databaseKeyOf(db), client)
}

function clientOf(db: Db): StorageOwnerClient {
  const client = clients.get(databaseKeyOf(db))
  if (!client) throw new Error('This server has no settings of other servers.')
  return client
}

/**
 * Returns what the owner of the storage responds. Throws RepositoryElsewhereError where it cannot be reached, or has failed
 * to respond.
 */
export async function requestFromStorageOwner<Input, Output>(
  db: Db,
  { name, timeout_ms }: StorageOwnerRequest<Input, Output>,
  { storage, input }: { storage: string; input: Input },
): Promise<Output> {
  return (await clientOf(db).request(storage, { name, timeout_ms, input })) as Output
}

/** Returns the same, or undefined where the owner cannot be reached: for lists, which are shown without it. */
export async function requestFromReachableOwner<Input, Output>(
  db: Db,
  request: StorageOwnerRequest<Input, Output>,
  asked: { storage: string; input: Input },
): Promise<Output | undefined> {
  try {
    return await requestFromStorageOwner(db, request, asked)
  } catch (error) {
    if (error instanceof RepositoryElsewhereError) return undefined
    throw error
  }
}

/**
 * Returns bytes that the owner of the storage reads, which have arrived whole once they end; undefined where it has nothing
 * to read. Throws RepositoryElsewhereError where it cannot be reached, has failed, or breaks off.
 */
export function downloadFromStorageOwner<Input>(
  db: Db,
  { name }: StorageOwnerDownload<Input>,
  { storage, input }: { storage: string; input: Input },
): Promise<AsyncIterable<Buffer> | undefined> {
  return clientOf(db).download(storage, { name, input })
}
