// Streams of events that nobody tells anything: what a thousand of them keep in memory and take of a processor, beside
// as many that a bare server holds.
import { mkdir } from 'node:fs/promises'
import { Agent, type ClientRequest, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { readProcessTree } from '../machine.ts'
import { below, type Measured, type Row } from '../row.ts'
import { startServer } from '../server.ts'

const streams = 1_000
const users = 40
const idle_ms = 20_000
const token = 'bench-root-token-of-its-own'

const sleep = (duration_ms: number) => new Promise((resolve) => setTimeout(resolve, duration_ms))
const agent = new Agent({ maxSockets: Infinity })

async function openStream(url: string, headers: Record<string, string>): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>()
  const request = get(url, { agent, headers }, (incoming) => {
    if (incoming.statusCode !== 200) reject(new Error(`${url}: ${incoming.statusCode}`))
    incoming.resume().once('data', () => resolve(request))
  }).on('error', reject)
  return promise
}

/** What each of as many responses keeps in a process that only holds them, in KB. */
async function measureBare(): Promise<number> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 3000\n\n')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const before = process.memoryUsage().rss
  const open = await Promise.all(Array.from({ length: streams }, () => openStream(url, {})))
  await sleep(1_000)
  // Both ends are in this process.
  const kb = (process.memoryUsage().rss - before) / 1024 / streams / 2
  for (const request of open) request.destroy()
  server.close()
  return kb
}

async function measureIdle(bench: Bench): Promise<Measured> {
  const data = bench.newFolder('streams')
  await mkdir(data)
  const server = await startServer({ data, env: { BLOOMERY_ROOT_TOKEN: token } })
  bench.whenClosed(server.stop)
  const api = `${server.url}/api/v4`
  const post = async (path: string, body: object) => {
    const headers = { 'private-token': token, 'content-type': 'application/json' }
    const answer = await callWell(`${api}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return JSON.parse(answer.body.toString())
  }
  const { id } = await post('/projects', { name: 'furnace', visibility: 'internal' })
  const tokens: string[] = []
  for (let at = 0; at < users; at++) {
    const name = `smith${at}`
    const user = await post('/users', {
      ...{ name, username: name, email: `${name}@bloomery.test`, skip_confirmation: true },
      password: `a password of smith ${at}`,
    })
    const made = await post(`/users/${user.id}/personal_access_tokens`, {
      name,
      scopes: ['read_api'],
    })
    tokens.push(made.token)
  }
  const url = `${api}/events/stream?topics[]=project:${id}&topics[]=user`
  const memory_kb = () =>
    1024 * readProcessTree(server.pid).reduce((sum, { rss_mb }) => sum + rss_mb, 0)
  const before_kb = memory_kb()
  const open: ClientRequest[] = []
  for (const one of tokens) {
    const some = Array.from({ length: streams / users }, () =>
      openStream(url, { 'private-token': one }),
    )
    open.push(...(await Promise.all(some)))
  }
  await sleep(idle_ms)
  const kb = (memory_kb() - before_kb) / streams
  for (const request of open) request.destroy()
  await server.stop()
  return {
    floor: { value: await measureBare(), unit: 'KB', of: 'bare server, each' },
    ours: { value: kb, unit: 'KB' },
    note: `${streams} streams of ${users} users, after ${idle_ms / 1000} s: ${((kb * streams) / 1024).toFixed(0)} MB`,
  }
}

export const eventStreamRows: Row[] = [
  {
    name: `event streams, ${streams} idle, each`,
    goal: below(60, 'KB'),
    measure: measureIdle,
  },
]
