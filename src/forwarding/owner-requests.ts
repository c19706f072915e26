// How what a feature asks of the server of a storage gets there (http/owner-request.ts).
import { hash } from 'node:crypto'
import { json } from 'node:stream/consumers'
import type { Forwarder } from './forwarder.ts'

/** Where a server answers requests of others by their name. */
export const ownerRequestUrl = (name: string) => `/-/nodes/requests/${name}`

/** Sends a request of that name and returns the answer. Throws RepositoryElsewhereError where there is none. */
export async function sendOwnerRequest(
  forwarder: Pick<Forwarder, 'request'>,
  storage: string,
  { name, input }: { name: string; input: unknown },
): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(input))
  const answer = await forwarder.request(storage, {
    method: 'POST',
    url: ownerRequestUrl(name),
    // The signature covers the facts alone.
    facts: { digest: hash('sha256', body) },
    body,
  })
  return json(answer)
}
