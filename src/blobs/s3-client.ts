// Calls S3 with signed requests (AWS Signature Version 4) and retries. Errors contain nothing secret: only the code of
// an error response is read, since the rest may contain the access key and the signed text.
import { createHash } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { monotonic_ms } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import type { S3Place } from './s3-place.ts'
import { reportS3Call, reportS3Failure } from './storage-calls.ts'

const { tries_max, pause_ms, sockets_max, answer_bytes_max, retry_after_s } = limits.s3

export type S3Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of an object, without the prefix of the place. Undefined for requests about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Sent again with each retry. */
  body?: readonly Buffer[]
  /** The SHA-256 of the body, if already known. */
  sha256?: string
  /** Statuses besides 2xx that are not errors. */
  accepts?: readonly number[]
  /** Whether S3 copies an object before it responds. */
  isLong?: boolean
}

/** An error response of S3, or a failed connection, for which `status` is 0. */
export class S3Error extends Error {
  readonly status: number
  readonly code: string

  constructor(call: S3Call, { status, code }: { status: number; code: string }) {
    const path = call.key ?? 'bucket'
    super(`S3 ${call.method} ${path}: ${status === 0 ? code : `${status} ${code}`}`)
    this.status = status
    this.code = code
  }

  /** Whether a retry may succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || passing.has(this.code) || this.status === 429
  }
}

/** Error codes of requests that were damaged or delayed in transit. */
const passing = new Set([
  'RequestTimeout',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'InvalidDigest',
  'IncompleteBody',
])

/** 503 for what could not be read or written; its cause is reported for the log. */
export function toStorageUnavailableError(cause: unknown): ApiError {
  reportS3Failure(cause)
  const isRefused = cause instanceof S3Error && !cause.isPassing
  const text = isRefused
    ? 'The object storage refuses the requests of this server. An administrator has to look at its log.'
    : 'The object storage does not answer. Please try again later.'
  return new ApiError('unavailable', `503 Service Unavailable - ${text}`, {
    headers: { 'retry-after': String(retry_after_s) },
    cause,
  })
}

export class S3Client {
  readonly #place: S3Place
  readonly #agent: http.Agent
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(place: S3Place) {
    this.#place = place
    const options = { keepAlive: true, maxSockets: sockets_max }
    this.#agent = place.url.startsWith('https:')
      ? new https.Agent(options)
      : new http.Agent(options)
  }

  /** Returns the response before its body is read. Throws a 503 after the last retry. */
  async open(call: S3Call): Promise<IncomingMessage> {
    return this.#repeat(() => this.#once(call))
  }

  /** Returns the response with its whole body, which must be small. Throws a 503 after the last retry. */
  async ask(call: S3Call): Promise<{ response: IncomingMessage; text: string }> {
    return this.#repeat(async () => {
      const response = await this.#once(call)
      const text = await collect(response, this.#limitOf(call)).catch((error) => {
        throw new S3Error(call, { status: 0, code: codeOf(error) })
      })
      // For some calls S3 sends the status 200 at once and reports an error in the body.
      const isFailure = response.statusCode === 200 && text.includes('<Error>')
      const code = isFailure ? textOfXmlElement(text, 'Code') : undefined
      if (code !== undefined) throw new S3Error(call, { status: 500, code })
      return { response, text }
    })
  }

  /**
   * Returns a URL that gives anyone access to the object for `expires_s` seconds. `query` sets headers of the
   * response.
   */
  async presign(key: string, query: Record<string, string>, expires_s: number): Promise<string> {
    const url = this.#urlOf({ method: 'GET', key, query })
    url.searchParams.set('X-Amz-Expires', String(expires_s))
    const signed = await this.#sign({ method: 'GET', url: url.href, signQuery: true })
    return signed.url.href.replaceAll('+', '%20')
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (let nth = 1; ; nth++) {
      try {
        return await attempt()
      } catch (error) {
        const isPassing = error instanceof S3Error && error.isPassing
        if (!isPassing || nth === tries_max) throw toStorageUnavailableError(error)
        await sleep(pause_ms * nth)
      }
    }
  }

  async #once(call: S3Call): Promise<IncomingMessage> {
    const { method } = call
    const begin_ms = monotonic_ms()
    let isDone = false
    try {
      const response = await this.#try(call)
      isDone = true
      return response
    } finally {
      reportS3Call({ method, isDone, duration_ms: monotonic_ms() - begin_ms })
    }
  }

  async #try(call: S3Call): Promise<IncomingMessage> {
    const { method, body = [], accepts = [] } = call
    const bytes = body.reduce((sum, { length }) => sum + length, 0)
    const signed = await this.#sign({
      method,
      url: this.#urlOf(call).href,
      headers: { ...call.headers, 'x-amz-content-sha256': call.sha256 ?? sha256Of(body) },
    })
    const headers: Record<string, string> = Object.fromEntries(signed.headers)
    if (body.length > 0 || method === 'PUT' || method === 'POST') {
      headers['content-length'] = String(bytes)
    }
    const response = await this.#send(
      signed.url,
      { method, headers, body },
      this.#limitOf(call),
    ).catch((error) => {
      throw new S3Error(call, { status: 0, code: codeOf(error) })
    })
    const status = response.statusCode ?? 0
    if ((status >= 200 && status < 300) || accepts.includes(status)) return response
    const text = await collect(response, this.#place.call_ms).catch(() => '')
    throw new S3Error(call, { status, code: textOfXmlElement(text, 'Code') ?? 'no code' })
  }

  #send(
    url: URL,
    { method, headers, body }: { method: string; headers: object; body: readonly Buffer[] },
    call_ms: number,
  ): Promise<IncomingMessage> {
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const sending = request(url, { method, headers: { ...headers }, agent: this.#agent })
      const timer = setTimeout(() => sending.destroy(new TimeoutError()), call_ms)
      sending.on('response', (response) => {
        clearTimeout(timer)
        resolve(response)
      })
      sending.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      for (const chunk of body) sending.write(chunk)
      sending.end()
    })
  }

  #limitOf({ isLong = false }: S3Call): number {
    return this.#place.call_ms * (isLong ? limits.s3.long_call_times : 1)
  }

  #urlOf({ key, query }: S3Call): URL {
    const { url, prefix } = this.#place
    const full = new URL(key === undefined ? url : url + encodeS3Key(`${prefix}${key}`))
    for (const [name, value] of Object.entries(query ?? {})) full.searchParams.set(name, value)
    return full
  }

  #sign(request: { method: string; url: string; headers?: object; signQuery?: boolean }) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#place
    return new AwsV4Signer({
      ...request,
      headers: request.headers as Record<string, string>,
      accessKeyId,
      secretAccessKey,
      sessionToken,
      service: 's3',
      region,
      cache: this.#keys,
    }).sign()
  }
}

/** Returns a key as a URL has it: everything but slashes percent-encoded. */
export function encodeS3Key(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/')
}

class TimeoutError extends Error {
  readonly code = 'timed out'
}

/** Returns the code of a connection error. Its message may contain an address that should not be published. */
function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? 'connection failed'
}

function sha256Of(body: readonly Buffer[]): string {
  const digest = createHash('sha256')
  for (const chunk of body) digest.update(chunk)
  return digest.digest('hex')
}

async function collect(response: IncomingMessage, call_ms: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(new TimeoutError()), call_ms)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > answer_bytes_max) throw new Error('The answer of S3 is too long.')
      chunks.push(chunk)
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * Returns the text of the first element with that name. Texts that are read this way (codes, ids, keys of blobs) contain
 * no escapes.
 */
export function textOfXmlElement(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : xml.slice(start + name.length + 2, end)
}

/** Yields the contents of all elements with that name. */
export function* contentsOfXmlElements(xml: string, name: string): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = xml.indexOf(open); at >= 0; ) {
    const end = xml.indexOf(close, at)
    if (end < 0) return
    yield xml.slice(at + open.length, end)
    at = xml.indexOf(open, end)
  }
}
