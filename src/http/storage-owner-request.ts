// What a server requests from the owner of a storage, which has its disk, where a whole request would be too much to forward:
// a list of several repositories, or the part of a request that needs the disk.
import { databaseKeyOf } from '../db/after-commit.ts'
import type { Db } from '../db/db.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import type { Instance } from './endpoint.ts'

/** `run` responds, on the owner. Input and output are JSON. */
export type StorageOwnerRequest<Input, Output> = {
  readonly name: string
  readonly run: (uses: Instance, input: Input) => Promise<Output>
}

/** Declares a request in the feature that sends it; its family lists it. */
export function defineStorageOwnerRequest<Input, Output>(
  request: StorageOwnerRequest<Input, Output>,
): StorageOwnerRequest<Input, Output> {
  return request
}

type Send = (storage: string, request: { name: string; input: unknown }) => Promise<unknown>

const senders = new WeakMap<object, Send>()

/** Sets what sends the requests of the server of a database. */
export function setStorageOwnerSender(db: Db, send: Send): void {
  senders.set(databaseKeyOf(db), send)
}

/**
 * Returns what the owner of the storage responds. Throws RepositoryElsewhereError where it cannot be reached, or has failed
 * to respond.
 */
export async function requestFromStorageOwner<Input, Output>(
  db: Db,
  { name }: StorageOwnerRequest<Input, Output>,
  { storage, input }: { storage: string; input: Input },
): Promise<Output> {
  const send = senders.get(databaseKeyOf(db))
  if (!send) throw new Error('This server has no settings of other servers.')
  return (await send(storage, { name, input })) as Output
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
