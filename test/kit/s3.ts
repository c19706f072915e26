// A real S3 server on a folder (versitygw), or the one that TEST_S3_URL names, with a proxy before it that can break
// what passes.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readS3Place, type S3Place } from '../../src/blobs/s3-place.ts'
import { freePort } from '../../tools/server-process.ts'
import { atFileEnd } from './file-end.ts'
import { newFolder } from './git.ts'
import { findTestProgram } from './programs.ts'

/**
 * What happens to a request in place of its answer, or to the bytes of either. `lost` is an answer that does not arrive,
 * `forgotten` that of a server which knows no upload that has ended, as some do.
 */
export type Fault = 'error' | 'reset' | 'stall' | 'corrupt' | 'denied' | 'lost' | 'forgotten'
type Call = { method: string; path: string }

export type S3Server = {
  /** Settings of a Bloomery server whose blobs are here, in a folder of their own. */
  settings: (query?: Record<string, string>, folder?: string) => Record<string, string>
  place: (query?: Record<string, string>, folder?: string) => S3Place
  /** From now on decides for each request what is broken. */
  breakBy: (decide: (call: Call) => Fault | undefined) => void
  /** Requests since the last call. */
  takeCalls: () => Call[]
}

/** Starts a server that ends with the file. */
export async function startS3(): Promise<S3Server> {
  const { target, bucket, key, secret } = findGiven() ?? (await startGateway())
  const calls: Call[] = []
  let decide: (call: Call) => Fault | undefined = () => undefined
  const proxy = createServer((incoming, outgoing) => {
    const call = { method: incoming.method ?? '', path: incoming.url ?? '' }
    calls.push(call)
    pass({ incoming, outgoing, target }, decide(call))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const settings: S3Server['settings'] = (query = {}, folder = randomUUID()) => ({
    BLOOMERY_BLOBS: `s3://${bucket}/${folder}?${new URLSearchParams({ endpoint, ...query })}`,
    AWS_ACCESS_KEY_ID: key,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_REGION: 'us-east-1',
  })
  return {
    settings,
    place(query, folder) {
      const { BLOOMERY_BLOBS = '', ...environment } = settings(query, folder)
      return readS3Place(BLOOMERY_BLOBS, environment, (text) => new Error(text))
    },
    breakBy: (next) => {
      decide = next
    },
    takeCalls: () => calls.splice(0),
  }
}

type Target = { target: URL; bucket: string; key: string; secret: string }

function findGiven(): Target | undefined {
  const { TEST_S3_URL, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  if (!TEST_S3_URL) return undefined
  const { hostname: bucket, searchParams } = new URL(TEST_S3_URL)
  const target = new URL(searchParams.get('endpoint') ?? '')
  return { target, bucket, key: AWS_ACCESS_KEY_ID, secret: AWS_SECRET_ACCESS_KEY }
}

async function startGateway(): Promise<Target> {
  const program = findTestProgram('versitygw')
  if (program === undefined) throw new Error('versitygw is not installed.')
  const folder = newFolder()
  for (const name of ['data', 'data/blobs', 'attributes']) mkdirSync(join(folder, name))
  const port = await freePort()
  const given = { key: 'test-key', secret: 'a secret of the test server' }
  const child = spawn(
    program,
    [
      ...['--port', `127.0.0.1:${port}`, '--quiet', 'posix'],
      ...['--sidecar', join(folder, 'attributes'), join(folder, 'data')],
    ],
    {
      env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: given.key, ROOT_SECRET_KEY: given.secret },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  atFileEnd(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const target = new URL(`http://127.0.0.1:${port}`)
  while (!(await isListening(target))) {
    if (child.exitCode !== null) throw new Error(`versitygw ended: ${log}`)
  }
  return { target, bucket: 'blobs', ...given }
}

async function isListening(url: URL): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer !== undefined
}

type Passing = { incoming: IncomingMessage; outgoing: ServerResponse; target: URL }

function pass({ incoming, outgoing, target }: Passing, fault: Fault | undefined): void {
  const hasAnswer = incoming.method === 'GET'
  if (fault === 'error') refuse(incoming, outgoing, 500, 'InternalError')
  else if (fault === 'denied') refuse(incoming, outgoing, 403, 'AccessDenied')
  else if (fault === 'forgotten') refuse(incoming, outgoing, 404, 'NoSuchUpload')
  else if (fault === 'reset' && !hasAnswer) incoming.socket.resetAndDestroy()
  else if (fault === 'stall' && !hasAnswer) incoming.resume()
  else forward({ incoming, outgoing, target }, fault)
}

function forward({ incoming, outgoing, target }: Passing, fault: Fault | undefined): void {
  const { hostname, port } = target
  const { method, url: path, headers } = incoming
  // The host is signed, so it stays that of the proxy.
  const forwarded = request({ hostname, port, method, path, headers, agent: false })
  forwarded.on('error', () => incoming.socket.destroy())
  forwarded.on('response', (answer) => {
    if (fault === 'lost') incoming.socket.resetAndDestroy()
    else sendAnswer(answer, { incoming, outgoing }, fault)
  })
  outgoing.on('close', () => forwarded.destroy())
  if (fault === 'corrupt' && incoming.method !== 'GET') sendCorrupted(incoming, forwarded)
  else incoming.pipe(forwarded)
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  status: number,
  code: string,
): void {
  incoming.resume()
  outgoing.writeHead(status, { 'content-type': 'application/xml' })
  outgoing.end(`<Error><Code>${code}</Code><AWSAccessKeyId>test-key</AWSAccessKeyId></Error>`)
}

async function sendCorrupted(incoming: IncomingMessage, forwarded: ClientRequest): Promise<void> {
  let isFirst = true
  for await (const chunk of incoming) {
    forwarded.write(isFirst ? corrupted(chunk) : chunk)
    isFirst = false
  }
  forwarded.end()
}

/** The answer, of which a fault leaves the first half, or changes a byte. */
async function sendAnswer(
  answer: IncomingMessage,
  { incoming, outgoing }: Omit<Passing, 'target'>,
  fault: Fault | undefined,
): Promise<void> {
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
  outgoing.flushHeaders()
  const half = Number(answer.headers['content-length'] ?? 0) / 2
  let bytes = 0
  try {
    for await (const chunk of answer) {
      if ((fault === 'reset' || fault === 'stall') && bytes + chunk.length > half) {
        outgoing.write(chunk.subarray(0, half - bytes), () => {
          if (fault === 'reset') incoming.socket.destroySoon()
        })
        return
      }
      const isLooked = fault === 'corrupt' && bytes <= half && half < bytes + chunk.length
      bytes += chunk.length
      if (!outgoing.write(isLooked ? corrupted(chunk) : chunk)) {
        await roomIn(outgoing)
      }
    }
    outgoing.end()
  } catch {
    incoming.socket.destroy()
  }
}

function roomIn(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go)
      resolve()
    }
    outgoing.on('drain', go).on('close', go)
  })
}

function corrupted(chunk: Buffer): Buffer {
  const other = Buffer.from(chunk)
  const middle = other.length >> 1
  other[middle] = (other[middle] ?? 0) ^ 1
  return other
}
