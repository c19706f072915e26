import { hash } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import type { Forwarder } from './forwarder.ts'

/** Where the owner of a storage responds to the requests of that name (http/storage-owner-request.ts). */
export const storageOwnerRequestUrl = (name: string) => `/-/nodes/requests/${name}`

/**
 * Sends a request with its input to the owner of a storage and returns the response. Throws RepositoryElsewhereError where
 * the owner cannot be reached, has failed, or breaks off.
 */
export async function sendStorageOwnerRequest(
  forwarder: Pick<Forwarder, 'request'>,
  storage: string,
  { name, input }: { name: string; input: unknown },
): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(input))
  const response = await forwarder.request(storage, {
    method: 'POST',
    url: storageOwnerRequestUrl(name),
    // The signature covers the facts alone.
    facts: { digest: hash('sha256', body) },
    body,
  })
  return json(response).catch((cause) => {
    throw new RepositoryElsewhereError({ storage }, { cause })
  })
}
