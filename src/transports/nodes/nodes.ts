// Requests between the servers of one database (docs/decisions/0060). Each is signed with the key that they share; for
// other clients these endpoints do not exist.
import { createHash, hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fetchMethod, repositoryUrlPath } from '../../forwarding/mirrors.ts'
import { factsHeader, verifyFacts } from '../../forwarding/signed-facts.ts'
import {
  digestTrailer,
  storageOwnerDownloadUrl,
  storageOwnerRequestUrl,
} from '../../forwarding/storage-owner-client.ts'
import type { Instance } from '../../http/endpoint.ts'
import { readBody } from '../../http/raw-parameters.ts'
import { allowSlowBody } from '../../http/server.ts'
import type { StorageOwnerDownload, StorageOwnerRequest } from '../../http/storage-owner-request.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { runWithRepositoryAccess } from '../../kernel/repository-elsewhere.ts'
import { findRepository } from '../../subjects/storage.ts'
import { serveFetch } from '../git-http/git-http.ts'
import { ForwardedIo } from './command-stream.ts'
import { commandUrl, type ForwardedCommand } from './forward-command.ts'

type Uses = Instance & {
  // biome-ignore lint/suspicious/noExplicitAny: each request knows its own input.
  storageOwnerRequests: readonly StorageOwnerRequest<any, unknown>[]
  // biome-ignore lint/suspicious/noExplicitAny: each download knows its own input.
  storageOwnerDownloads: readonly StorageOwnerDownload<any>[]
}

export function mountNodes(app: FastifyInstance, services: Uses): void {
  const { storageOwnerRequests, storageOwnerDownloads } = services
  app.post(storageOwnerRequestUrl(':name'), async (request, reply) => {
    const { asked, input } = await readRequest(services, request, storageOwnerRequests)
    const output = await runWithRepositoryAccess({ isForwarded: true }, () =>
      asked.run(services, input),
    )
    return reply.header('content-type', 'application/json').send(JSON.stringify(output ?? null))
  })
  app.post(storageOwnerDownloadUrl(':name'), async (request, reply) => {
    const { asked, input } = await readRequest(services, request, storageOwnerDownloads)
    const bytes = await runWithRepositoryAccess({ isForwarded: true }, () =>
      asked.open(services, input),
    )
    if (!bytes) return reply.code(204).send()
    reply.hijack()
    await sendDownload(bytes, reply.raw, request.log)
  })
  const place = '/-/nodes/repositories/:storage/:kind/:repository'
  app.get(`${place}/info/refs`, (request, reply) => serveRepository(services, request, reply))
  app.post(`${place}/git-upload-pack`, (request, reply) =>
    serveRepository(services, request, reply),
  )
  app.post(commandUrl, (request, reply) => runForwardedCommand(services, request, reply))
}

/** Reads what another server requests by name. Throws 404 where it has not signed the request, or none has that name. */
async function readRequest<Named extends { name: string }>(
  services: Pick<Instance, 'secretKey' | 'clock'>,
  request: FastifyRequest,
  named: readonly Named[],
): Promise<{ asked: Named; input: unknown }> {
  const facts = requireFacts<{ digest: string }>(services, request)
  const body = request.body ? await readBody(request.body as Readable, limits.body_bytes) : empty
  const { name } = request.params as { name: string }
  const asked = named.find((one) => one.name === name)
  if (!asked || hash('sha256', body) !== facts.digest) throw unknownRoute()
  return { asked, input: JSON.parse(body.toString('utf8')) }
}

/** Sends bytes and their digest. What cannot be read whole breaks off. */
async function sendDownload(
  bytes: Readable,
  response: ServerResponse,
  log: FastifyBaseLogger,
): Promise<void> {
  const digest = createHash('sha256')
  response.writeHead(200, { 'content-type': 'application/octet-stream', trailer: digestTrailer })
  const withDigest = async function* (read: AsyncIterable<Buffer>) {
    for await (const chunk of read) {
      digest.update(chunk)
      yield chunk
    }
    response.addTrailers({ [digestTrailer]: digest.digest('hex') })
  }
  try {
    await pipeline(bytes, withDigest, response)
  } catch (error) {
    log.warn({ err: error }, 'download by another server broke off')
    response.destroy()
  }
}

/** Throws 404 for a request that no server of this database has signed. */
function requireFacts<Facts extends object>(
  services: Pick<Instance, 'secretKey' | 'clock'>,
  request: FastifyRequest,
  signed = { method: request.method, url: request.originalUrl },
): Facts {
  const header = request.headers[factsHeader]
  const facts =
    typeof header === 'string' ? verifyFacts<Facts>(services, { ...signed, header }) : undefined
  if (!facts) throw unknownRoute()
  return facts
}

const empty = Buffer.alloc(0)

/** Lets another server fetch from a repository that is here. */
async function serveRepository(
  services: Instance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { storage, kind, repository = '' } = request.params as Record<string, string>
  const [, id] = /^(\d{1,15})\.git$/.exec(repository) ?? []
  if (storage === undefined || id === undefined || (kind !== 'project' && kind !== 'wiki')) {
    throw unknownRoute()
  }
  const name = { storage, kind, id: Number(id) } as const
  requireFacts(services, request, { method: fetchMethod, url: repositoryUrlPath(name) })
  const isAdvertisement = request.method === 'GET'
  return serveFetch(services, findRepository(services.config, name), {
    isAdvertisement,
    request,
    reply,
  })
}

/** Runs a command of git over SSH whose client has reached another server. */
async function runForwardedCommand(
  services: Instance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const command = requireFacts<ForwardedCommand>(services, request)
  // Loaded only where it is wanted.
  const { runCommand } = await import('../git-ssh/run-command.ts')
  allowSlowBody(request)
  const aborter = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) aborter.abort()
  })
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'application/octet-stream' })
  reply.raw.flushHeaders()
  const input = (request.body as Readable | undefined) ?? request.raw
  const io = new ForwardedIo({ input, output: reply.raw, signal: aborter.signal })
  const stallAfter = () => {}
  const context = { ...command, io, limits: limits.ssh, stallAfter, log: request.log }
  try {
    const status = await runWithRepositoryAccess({ isForwarded: true }, () =>
      runCommand(services, context),
    )
    io.finish(status)
  } catch (error) {
    if (!aborter.signal.aborted) request.log.error({ err: error }, 'forwarded command failed')
    reply.raw.destroy()
  }
}
