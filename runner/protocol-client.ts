// Client of the public runner protocol over HTTP. Knows only messages, nothing about running jobs.
import { createReadStream, createWriteStream } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type {
  JobArtifacts,
  JobPayload,
  JobRequest,
  JobUpdate,
  RegisterRequest,
  RunnerCredentials,
  VerifyRequest,
} from '../src/ci/protocol.ts'

/** A response; `body` is its text. */
export type ServerAnswer = { status: number; headers: IncomingHttpHeaders; body: string }

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  headers?: Record<string, string | number>
  body?: string | Buffer
  signal?: AbortSignal
}

/** An unexpected response; the message contains that of the server. */
export class ServerRefusedError extends Error {
  readonly status: number

  constructor(what: string, { status, body }: ServerAnswer) {
    super(`${what} was rejected, HTTP ${status}: ${messageIn(body)}`)
    this.status = status
  }
}

/** Longer than a server holds a request for a job. */
const silence_ms_max = 120_000
const answer_bytes_max = 4 * 1024 * 1024

export class ProtocolClient {
  /** The URL of the server without a trailing slash. */
  readonly url: string

  /** `url` is the URL of the server. A trailing slash or `/ci` is removed. */
  constructor(url: string) {
    const parsed = URL.parse(url)
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
      throw new Error(`The URL of the server must begin with http:// or https://, not ${url}.`)
    }
    let path = parsed.pathname
    while (path.endsWith('/')) path = path.slice(0, -1)
    if (path.endsWith('/ci')) path = path.slice(0, -3)
    this.url = `${parsed.origin}${path}`
  }

  async register(request: RegisterRequest): Promise<RunnerCredentials> {
    const answer = await this.#send({ method: 'POST', path: '/runners', ...json(request) })
    if (answer.status !== 201) throw new ServerRefusedError('The registration', answer)
    return JSON.parse(answer.body)
  }

  async verify(request: VerifyRequest, signal?: AbortSignal): Promise<RunnerCredentials> {
    const call: Call = { method: 'POST', path: '/runners/verify', ...json(request), signal }
    const answer = await this.#sendAgain({ ...call, headers: asRunner(request.token) })
    if (answer.status !== 200) throw new ServerRefusedError('The runner', answer)
    return JSON.parse(answer.body)
  }

  /** Requests a job, without retries. A server may hold the request until there is a job. */
  requestJob(
    request: JobRequest,
    signal: AbortSignal,
  ): Promise<ServerAnswer & { job?: JobPayload }> {
    const call: Call = { method: 'POST', path: '/jobs/request', ...json(request), signal }
    return this.#send({ ...call, headers: asRunner(request.token) }).then((answer) =>
      answer.status === 201 ? { ...answer, job: JSON.parse(answer.body) } : answer,
    )
  }

  /** Reports the state of a job, without retries. */
  updateJob(id: number, update: JobUpdate, signal?: AbortSignal): Promise<ServerAnswer> {
    const call: Call = { method: 'PUT', path: `/jobs/${id}`, ...json(update), signal }
    return this.#send({ ...call, headers: { 'JOB-TOKEN': update.token } })
  }

  /** Appends `bytes` at the offset `start` of the log, without retries. */
  appendLog(
    { id, token }: { id: number; token: string },
    { start, bytes, isDebug }: { start: number; bytes: Buffer; isDebug: boolean },
    signal?: AbortSignal,
  ): Promise<ServerAnswer> {
    return this.#send({
      method: 'PATCH',
      path: `/jobs/${id}/trace?debug_trace=${isDebug}`,
      headers: {
        'JOB-TOKEN': token,
        'Content-Type': 'text/plain',
        'Content-Range': `${start}-${start + bytes.length - 1}`,
      },
      body: bytes,
      signal,
    })
  }

  /** Uploads a file, read from disk as it is sent. */
  async uploadArtifacts(
    { id, token }: { id: number; token: string },
    { path, filename, artifacts }: { path: string; filename: string; artifacts: JobArtifacts },
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    const query = new URLSearchParams({
      artifact_format: artifacts.artifact_format ?? 'zip',
      artifact_type: artifacts.artifact_type,
    })
    if (artifacts.expire_in) query.set('expire_in', artifacts.expire_in)
    const boundary = `----bloomery${process.hrtime.bigint().toString(36)}`
    const call: Call = {
      method: 'POST',
      path: `/jobs/${id}/artifacts?${query}`,
      headers: { 'JOB-TOKEN': token, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      signal,
    }
    const { request, response } = this.#open(call)
    const name = filename.replaceAll(/["\r\n\\]/g, '_')
    request.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
    // An early response ends the upload: the response counts, and not the error of the connection.
    const sent = pipeline(createReadStream(path), request, { end: false }).then(
      () => request.end(`\r\n--${boundary}--\r\n`),
      () => {},
    )
    const answer = await readAnswer(await response)
    request.destroy()
    await sent
    return answer
  }

  /** Downloads the archive of a job into a new file. Returns the status. */
  async downloadArtifacts(
    { id, token }: { id: number; token: string },
    path: string,
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    const call: Call = {
      method: 'GET',
      path: `/jobs/${id}/artifacts?direct_download=true`,
      headers: { 'JOB-TOKEN': token },
      signal,
    }
    let response = await this.#open(call, true).response
    const { statusCode, headers } = response
    if ((statusCode === 302 || statusCode === 307) && headers.location) {
      // The archive is stored elsewhere, so the token is not sent there.
      response.resume()
      response = await open(new URL(headers.location), { method: 'GET', headers: {}, signal }, true)
        .response
    }
    if (response.statusCode !== 200) return readAnswer(response)
    await pipeline(response, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    return { status: 200, headers: response.headers, body: '' }
  }

  async #send(call: Call): Promise<ServerAnswer> {
    return readAnswer(await this.#open(call, true).response)
  }

  /**
   * Sends a request, with retries while the server is unavailable or overloaded. The server may set the
   * delay.
   */
  async #sendAgain(call: Call): Promise<ServerAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(call).catch((error: Error) => {
        if (call.signal?.aborted || attempt === 5) throw error
      })
      if (answer && (!isRetryable(answer.status) || attempt === 5)) return answer
      const told_s = Number(answer?.headers['retry-after'])
      await wait(told_s > 0 ? Math.min(told_s, 60) * 1000 : 100 * 4 ** attempt, undefined, {
        signal: call.signal,
      })
    }
  }

  #open({ path, headers = {}, ...call }: Call, isWhole = false) {
    const hasText = typeof call.body === 'string'
    const sent = hasText ? { 'Content-Type': 'application/json', ...headers } : headers
    return open(new URL(`${this.url}/api/v4${path}`), { ...call, headers: sent }, isWhole)
  }
}

/** Whether a retry may get another response than this status. */
export function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

function open(
  url: URL,
  { method, headers, body, signal }: Omit<Call, 'path'>,
  isWhole: boolean,
): { request: ReturnType<typeof httpRequest>; response: Promise<IncomingMessage> } {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const request = send(url, {
    method,
    headers: { Accept: 'application/json', ...length, ...headers },
    signal,
  })
  request.setTimeout(silence_ms_max, () => request.destroy(new Error('The server went silent.')))
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  if (isWhole) request.end(body)
  return { request, response }
}

async function readAnswer(response: IncomingMessage): Promise<ServerAnswer> {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answer_bytes_max) response.destroy(new Error('The server said too much.'))
  })
  const body = await text(response)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

function json(body: object): { body: string } {
  return { body: JSON.stringify(body) }
}

function asRunner(token: string): Record<string, string> {
  return { 'RUNNER-TOKEN': token }
}

/** Returns the message of an error response, in any of its formats. */
function messageIn(body: string): string {
  try {
    const { message = body, error = message } = JSON.parse(body)
    return typeof error === 'string' ? error : JSON.stringify(error)
  } catch {
    return body.slice(0, 200)
  }
}
