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

/** `open` returns the bytes of the response, on the owner; undefined if there is nothing to read. The input is JSON. */
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

/** Sends requests to the owners of storages. Its methods throw RepositoryElsewhereError as the functions below do. */
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

/** Sets the client that sends the requests of the server with that database. */
export function setStorageOwnerClient(db: Db, client: StorageOwnerClient): void {
  clients.set(databaseKeyOf(db), client)
}

function clientOf(db: Db): StorageOwnerClient {
  const client = clients.get(databaseKeyOf(db))
  if (!client) throw new Error('This server has no settings of other servers.')
  return client
}

/** Returns the response of the storage's owner. Throws RepositoryElsewhereError if it cannot be reached or fails. */
export async function requestFromStorageOwner<Input, Output>(
  db: Db,
  { name, timeout_ms }: StorageOwnerRequest<Input, Output>,
  { storage, input }: { storage: string; input: Input },
): Promise<Output> {
  return (await clientOf(db).request(storage, { name, timeout_ms, input })) as Output
}

/**
 * Like `requestFromStorageOwner`, but returns undefined if the owner cannot be reached. For lists, which are shown without
 * it.
 */
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
 * Returns bytes from the storage's owner, complete when the stream ends; undefined if it has nothing to read. Throws
 * RepositoryElsewhereError if the owner cannot be reached, fails, or breaks off.
 */
export function downloadFromStorageOwner<Input>(
  db: Db,
  { name }: StorageOwnerDownload<Input>,
  { storage, input }: { storage: string; input: Input },
): Promise<AsyncIterable<Buffer> | undefined> {
  return clientOf(db).download(storage, { name, input })
}
