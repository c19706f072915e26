// What a server asks the one that has the disk of a repository, where a whole request would be too much: a request of
// several repositories, or the part of one that needs the disk.
import { databaseKeyOf } from '../db/after-commit.ts'
import type { Db } from '../db/db.ts'
import type { Instance } from './endpoint.ts'

/** `run` answers on the owner. What goes in and out is JSON. */
export type OwnerRequest<Input, Output> = {
  readonly name: string
  readonly run: (uses: Instance, input: Input) => Promise<Output>
}

/** Declares such a request in the feature that asks it; its family lists it. */
export function defineOwnerRequest<Input, Output>(
  request: OwnerRequest<Input, Output>,
): OwnerRequest<Input, Output> {
  return request
}

type Ask = (storage: string, name: string, input: unknown) => Promise<unknown>

const asking = new WeakMap<object, Ask>()

/** Sets how the server of a database asks others. */
export function setOwnerRequests(db: Db, ask: Ask): void {
  asking.set(databaseKeyOf(db), ask)
}

/**
 * Has the server with the disk of the storage answer. Throws RepositoryElsewhereError where it cannot be reached, and what it
 * refuses as the ApiError that it is.
 */
export async function askOwner<Input, Output>(
  db: Db,
  request: OwnerRequest<Input, Output>,
  { storage, input }: { storage: string; input: Input },
): Promise<Output> {
  const ask = asking.get(databaseKeyOf(db))
  if (!ask) throw new Error('This server knows no others.')
  return (await ask(storage, request.name, input)) as Output
}
