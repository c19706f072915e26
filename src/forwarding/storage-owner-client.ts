// Sends requests to the owner of a storage (http/storage-owner-request.ts).
import { createHash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { StorageOwnerClient } from '../http/storage-owner-request.ts'
import { limits } from '../kernel/limits.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import type { Forwarder } from './forwarder.ts'

/** Returns the URL path at which the owner of a storage responds to requests with that name. */
export const storageOwnerRequestUrl = (name: string) => `/-/nodes/requests/${name}`

/** Returns the URL path at which the owner of a storage responds to downloads with that name. */
export const storageOwnerDownloadUrl = (name: string) => `/-/nodes/downloads/${name}`

/** The trailer of a download: the SHA-256 of its bytes, in hexadecimal digits. */
export const digestTrailer = 'bloomery-digest'

export function createStorageOwnerClient(
  forwarder: Pick<Forwarder, 'request'>,
): StorageOwnerClient {
  const send = (storage: string, url: string, asked: { input: unknown; timeout_ms?: number }) => {
    const body = Buffer.from(JSON.stringify(asked.input))
    // Only the facts are signed, so they contain the digest of the body.
    const facts = { digest: hash('sha256', body) }
    return forwarder.request(storage, {
      ...{ method: 'POST', url, facts, body },
      timeout_ms: asked.timeout_ms ?? limits.nodes.question_ms,
    })
  }
  return {
    async request(storage, { name, ...asked }) {
      const response = await send(storage, storageOwnerRequestUrl(name), asked)
      return json(response).catch((cause) => {
        throw new RepositoryElsewhereError({ storage }, { cause })
      })
    },
    async download(storage, { name, input }) {
      const timeout_ms = limits.git_transfer_idle_ms
      const response = await send(storage, storageOwnerDownloadUrl(name), { input, timeout_ms })
      if (response.statusCode === 200) return readWhole(storage, response)
      response.resume()
      return undefined
    },
  }
}

/** Yields the bytes of a download. Throws at the end if the digest differs. */
async function* readWhole(storage: string, response: IncomingMessage): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      digest.update(bytes)
      yield bytes
    }
  } catch (cause) {
    throw new RepositoryElsewhereError({ storage }, { cause })
  }
  const sent = response.trailers[digestTrailer]
  if (sent === digest.digest('hex')) return
  throw new RepositoryElsewhereError(
    { storage },
    { cause: new Error('A download does not match its digest.') },
  )
}
