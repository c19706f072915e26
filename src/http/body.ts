// The body of a request to the API. Its first bytes are read as they arrive; the rest is read only after the caller was
// authenticated and authorized, and when there is memory for it.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { tooLarge, unsupportedMediaType } from '../kernel/errors.ts'
import { FairLimiter } from '../kernel/fair-limiter.ts'
import { limits } from '../kernel/limits.ts'
import { markWorkResumed } from '../kernel/work-attribution.ts'
import { renameAliasedParameters } from './brand.ts'
import { JsonReader } from './json-reader.ts'
import type { RawParameters } from './parameters.ts'
import { parseForm, parseJson, parseMultipart, readBody } from './raw-parameters.ts'

const bodies = new FairLimiter(limits.bodies)

/** The beginning of a body, and the rest of the stream if there is more. */
export type IncomingBody = { head: Buffer; rest: Readable | undefined }

/** Reads a body to its end, or to slightly more than the limit for callers who are not identified yet. */
export async function readBodyHead(stream: Readable): Promise<IncomingBody> {
  const { fault, ...incoming } = await readBodyPrefix(stream, limits.unsettled_body_bytes)
  if (fault !== undefined) throw fault
  return incoming
}

/**
 * Reads a body up to `bytes_max` or slightly more. `fault` is the error that interrupted it, and `head` the bytes before
 * that.
 */
export async function readBodyPrefix(
  stream: Readable,
  bytes_max: number,
): Promise<IncomingBody & { fault?: unknown }> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > bytes_max) return { head: Buffer.concat(chunks), rest: stream }
    }
  } catch (fault) {
    return { head: Buffer.concat(chunks), rest: undefined, fault }
  }
  return { head: Buffer.concat(chunks), rest: undefined }
}

/** Returns the content length that the client announced, in bytes; 0 without one. */
export function contentLengthOf({ headers }: Pick<FastifyRequest, 'headers'>): number {
  return Number(headers['content-length'] ?? 0) || 0
}

/**
 * Returns the parameters in a body. Throws 413 beyond `bytes_max`, and 415 for a type other than JSON and forms. `keep`
 * receives the function that frees the memory of the body, to be called when nothing needs it any more.
 */
export async function readRawParameters(
  request: FastifyRequest,
  { head, rest }: IncomingBody,
  { bytes_max, keep }: { bytes_max: number; keep: (release: () => void) => void },
): Promise<RawParameters> {
  if (head.length > bytes_max) throw tooLarge()
  const [given = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  const type = given.trim()
  const isForm = type === 'application/x-www-form-urlencoded'
  const most = isForm ? Math.min(bytes_max, limits.form_body_bytes) : bytes_max
  if (contentLengthOf(request) > most) throw tooLarge()
  if (rest) keep(await bodies.acquire({ cost: megabytes(contentLengthOf(request) || most) }))
  switch (type) {
    case 'application/json':
      return renameAliasedParameters(rest ? await readJson(head, rest, most) : parseJson(head))
    case 'application/x-www-form-urlencoded':
      return renameAliasedParameters(parseForm((await readRest(head, rest, most)).toString('utf8')))
    case 'multipart/form-data':
      return renameAliasedParameters(
        await parseMultipart(request.headers, streamWholeBody({ head, rest }), most),
      )
    default: {
      if (head.length === 0) return {}
      throw unsupportedMediaType(type)
    }
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024))
}

async function readRest(
  head: Buffer,
  rest: Readable | undefined,
  bytes_max: number,
): Promise<Buffer> {
  if (!rest) return head
  return Buffer.concat([head, await readBody(rest, bytes_max - head.length)])
}

/**
 * Yields a whole body, including its head. If the reader stops early, the connection stays open, since a response is still
 * to be sent.
 */
export async function* streamWholeBody({ head, rest }: IncomingBody): AsyncGenerator<Buffer> {
  yield head
  if (rest) yield* rest.iterator({ destroyOnReturn: false })
}

/** Reads the parameters of a JSON body. A body that is not an object has no parameters. */
async function readJson(head: Buffer, rest: Readable, bytes_max: number): Promise<RawParameters> {
  const reader = new JsonReader()
  let bytes = 0
  for await (const chunk of streamWholeBody({ head, rest })) {
    markWorkResumed()
    bytes += chunk.length
    if (bytes > bytes_max) throw tooLarge()
    reader.write(chunk)
  }
  const value = reader.end()
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isObject ? (value as RawParameters) : {}
}
