// A server under attack for as long as wanted, with honest users beside: hostile requests made of the
// endpoint list, and what has frozen servers before. Says what the honest ones waited, the longest stall,
// and the memory of the server with all it starts; fails on a fault, a stall over 1 s, or a lost server.
// `npm run fuzz -- [seconds] [seed] [honest users]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../src/features/families.ts'
import { encodePacket, flushPacket } from '../src/git/pkt-line.ts'
import {
  Fuzz,
  type FuzzRequest,
  hostileTexts,
  type Known,
  nextBesideApi,
} from '../test/kit/fuzz.ts'
import { freePort, memoryOf, startServer } from './server-process.ts'

const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? 1)
const honest_count = Number(process.argv[4] ?? 20)
const calm_s = Math.min(60, Math.max(10, seconds / 10))
const stall_ms_max = 1000
const token = 'glpat-the-token-of-the-fuzzer-xxxx'
const data = mkdtempSync(join(tmpdir(), 'bloomery-fuzz-'))
const port = await freePort()

const faults: string[] = []
const stalls: { duration_ms: number; work: string }[] = []
let isRunning = true

const server = await startServer({
  settings: {
    BLOOMERY_DATA: data,
    BLOOMERY_PORT: String(port),
    BLOOMERY_ROOT_TOKEN: token,
    BLOOMERY_SSH_PORT: '0',
    BLOOMERY_LOG_LEVEL: 'warn',
  },
  onLine(line) {
    if (line.level >= 50) faults.push(JSON.stringify(line).slice(0, 800))
    if (line.work) stalls.push({ duration_ms: Number(line.duration_ms), work: String(line.work) })
  },
  onEnd(code, signal, output) {
    if (isRunning) faults.push(`the server ended: ${code ?? signal} ${output}`)
  },
})

type Answer = { status: number; body: Buffer }

function send(
  agent: Agent,
  { method, url, headers, body }: FuzzRequest,
  timeout_ms = 120_000,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout_ms)
    const sent = openRequest({ host: '127.0.0.1', port, method, path: url, headers, agent, signal })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(body)
  })
}

const quiet = new Agent({ keepAlive: true, maxSockets: 100 })

async function must(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'private-token': token, 'content-type': 'application/json' }
  const payload = body && Buffer.from(JSON.stringify(body))
  const answer = await send(quiet, { method, url: `/api/v4${path}`, headers, body: payload })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body.toString())
}

type Person = { token: string; id: number; projectId: number; path: string }

async function newPerson(name: string): Promise<Person> {
  const made = await must('POST', '/users', {
    name,
    username: name,
    email: `${name}@bloomery.test`,
    password: `the password of ${name}`,
    skip_confirmation: true,
  })
  const id = Number(made.id)
  const made2 = await must('POST', `/users/${id}/personal_access_tokens`, {
    name: 't',
    scopes: ['api'],
  })
  const project = await must('POST', `/projects/user/${id}`, { name: 'work', visibility: 'public' })
  const projectId = Number(project.id)
  await must('POST', `/projects/${projectId}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: Array.from({ length: 20 }, (_, index) => ({
      action: 'create',
      file_path: `folder-${index % 4}/file-${index}`,
      content: `line\n`.repeat(50),
    })),
  })
  return { token: String(made2.token), id, projectId, path: String(project.path_with_namespace) }
}

/** Does what a user does all day and records each waiting time. */
async function live(person: Person, waits_ms: () => number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { 'private-token': person.token }
  const at = `/api/v4/projects/${person.projectId}`
  const reads = [
    '/api/v4/user',
    at,
    '/api/v4/projects?per_page=20',
    `${at}/repository/commits?per_page=20`,
    `${at}/repository/files/folder-1%2Ffile-1?ref=main`,
    `${at}/repository/files/folder-2%2Ffile-2/raw?ref=main`,
    `${at}/repository/branches`,
    `${at}/repository/tree?recursive=true`,
    `${at}/repository/commits/main/diff`,
  ]
  for (let step = 0; isRunning; step++) {
    const begun_ms = performance.now()
    const isWrite = step % 25 === 24
    const request: FuzzRequest = isWrite
      ? {
          method: 'POST',
          url: `${at}/repository/commits`,
          headers: { ...headers, 'content-type': 'application/json' },
          body: Buffer.from(
            JSON.stringify({
              branch: 'main',
              commit_message: `Step ${step}`,
              actions: [{ action: 'create', file_path: `more/${step}`, content: `${step}\n` }],
            }),
          ),
        }
      : { method: 'GET', url: reads[step % reads.length] as string, headers }
    try {
      const { status } = await send(agent, request)
      waits_ms().push(performance.now() - begun_ms)
      if (status >= 400) faults.push(`an honest ${request.method} ${request.url}: ${status}`)
    } catch (error) {
      faults.push(`an honest ${request.method} ${request.url}: ${(error as Error).message}`)
      await pause(100)
    }
    await pause(50 + (step % 7) * 10)
  }
}

function pause(wait_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait_ms))
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
}

const counts = new Map<string, number>()
function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

/** Sends hostile requests one after another on a connection of its own. */
async function walk(name: string, known: Known, tokens: readonly string[]): Promise<void> {
  const fuzz = new Fuzz(endpoints, seed * 1000 + name.length * 7 + Number(name.split(' ')[1]))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (isRunning) {
    const isApi = fuzz.isLikely(0.8)
    const request = isApi ? fuzz.next(known).request : nextBesideApi(fuzz, known.paths as string[])
    const credential = fuzz.pick(tokens)
    const headers: Record<string, string> = { ...request.headers }
    if (credential) headers['private-token'] = credential
    const url = isApi ? `/api/v4${request.url}` : request.url
    try {
      const { status } = await send(agent, { ...request, url, headers })
      count(`${Math.floor(status / 100)}xx`)
      if (status >= 500 && status !== 501 && status !== 503) {
        faults.push(`${status}: ${request.method} ${url.slice(0, 300)}`)
      }
    } catch (error) {
      count((error as NodeJS.ErrnoException).code ?? (error as Error).name)
    }
  }
}

/** Sends `pieces` on a connection of its own until it ends or `limit_ms` is over. */
async function stream(head: string, pieces: () => Buffer, limit_ms: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => {})
  socket.write(head)
  const end_ms = performance.now() + limit_ms
  while (isRunning && socket.writable && performance.now() < end_ms) {
    const piece = pieces()
    const hasRoom = piece.length > 0 && socket.write(piece)
    await pause(hasRoom ? 0 : 5)
  }
  socket.destroy()
}

function head(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: 'x', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Creates a tree in which each folder contains itself ten times, eight levels deep: a hundred million files. */
async function newBomb(person: Person): Promise<void> {
  const folder = mkdtempSync(join(data, 'bomb-'))
  const git = (args: string[], stdin = '') => runGit(folder, args, stdin)
  await git(['init', '--quiet', '--bare'])
  let entry = `100644 blob ${await git(['hash-object', '-w', '--stdin'], 'x\n')}`
  for (let level = 0; level < 8; level++) {
    const lines = Array.from({ length: 10 }, (_, index) => `${entry}\t${index}\n`)
    entry = `040000 tree ${await git(['mktree'], lines.join(''))}`
  }
  const tree = entry.split(' ')[2] as string
  const commit = await git(['commit-tree', tree, '-m', 'A bomb'])
  const url = `http://x:${person.token}@127.0.0.1:${port}/${person.path}.git`
  await git(['push', '--quiet', url, `${commit}:refs/heads/bomb`])
}

async function runGit(cwd: string, args: string[], stdin = ''): Promise<string> {
  const child = spawn('git', args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@bloomery.test',
      GIT_COMMITTER_NAME: 'c',
      GIT_COMMITTER_EMAIL: 'c@bloomery.test',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return output.trim()
}

/** Repeats requests that have blocked servers before. */
async function bombard(person: Person, small: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 300 })
  const at = `/api/v4/projects/${person.projectId}/repository`
  const own = { 'private-token': person.token }
  const json = { ...own, 'content-type': 'application/json' }
  const get = (path: string) => send(agent, { method: 'GET', url: path, headers: own }, 60_000)
  const actions = Buffer.from('{},'.repeat(20_000))
  const deep = Buffer.from('['.repeat(60_000))
  const base64 = Buffer.from('QUJD'.repeat(16_000))
  const attacks: [string, () => Promise<unknown>][] = [
    [
      'a large body with a small token',
      () =>
        stream(
          head(`${at}/commits`, { ...json, 'private-token': small, 'content-length': 1e8 }),
          () => actions,
          5000,
        ),
    ],
    [
      'many small actions',
      () =>
        stream(
          `${head(`${at}/commits`, { ...json, 'content-length': 1e8 })}{"actions":[`,
          () => actions,
          5000,
        ),
    ],
    [
      'deep nesting',
      () => stream(head(`${at}/commits`, { ...json, 'content-length': 1e8 }), () => deep, 5000),
    ],
    [
      'large contents, three at once',
      () =>
        Promise.all(
          [1, 2, 3].map(() =>
            stream(
              `${head(`${at}/files/x`, { ...json, 'content-length': 1.9e8 })}{"branch":"main","commit_message":"m","encoding":"base64","content":"`,
              () => base64,
              8000,
            ),
          ),
        ),
    ],
    [
      'bodies that never end',
      () =>
        Promise.all(
          Array.from({ length: 50 }, () =>
            stream(
              head('/api/v4/session', {
                'content-type': 'application/json',
                'content-length': 900,
              }),
              () => Buffer.from(''),
              3000,
            ),
          ),
        ),
    ],
    [
      'wrong passwords',
      () =>
        Promise.allSettled(
          Array.from({ length: 250 }, (_, index) => {
            const body = Buffer.from(
              JSON.stringify({ login: `n-${index % 20}`, password: 'wrong' }),
            )
            const headers = { 'content-type': 'application/json' }
            return send(agent, { method: 'POST', url: '/api/v4/session', headers, body })
          }),
        ),
    ],
    [
      'long texts',
      () =>
        Promise.allSettled(
          ['a', '\n', '=', '-', ' ', '.', '/'].map((sign) => {
            const text = sign.repeat(100_000)
            const body = Buffer.from(
              JSON.stringify({
                name: text,
                path: text,
                tag_name: text,
                ref: 'main',
                message: text,
                branch: text,
                author_name: text,
                commit_message: text,
              }),
            )
            return Promise.allSettled(
              [
                '/api/v4/projects',
                '/api/v4/groups',
                `${at}/tags`,
                `${at}/branches`,
                `${at}/commits`,
              ].map((url) => send(agent, { method: 'POST', url, headers: json, body })),
            )
          }),
        ),
    ],
    ['a bomb pushed', () => newBomb(person)],
    [
      'a bomb looked at',
      () =>
        Promise.allSettled(
          [
            `${at}/commits/bomb/diff`,
            `${at}/commits/bomb?stats=true`,
            `${at}/commits?ref_name=bomb&with_stats=true`,
            `${at}/compare?from=main&to=bomb`,
            `${at}/compare?from=main&to=bomb&straight=true`,
            `${at}/tree?ref=bomb&recursive=true`,
            `${at}/contributors?ref=bomb`,
            `${at}/commits?ref_name=bomb&path=0/1/2`,
          ].map(get),
        ),
    ],
    [
      'archives nobody reads',
      () =>
        Promise.all(
          Array.from({ length: 6 }, async () => {
            const socket = connect(port, '127.0.0.1')
            socket.on('error', () => {})
            socket.write(
              `GET ${at}/archive.tar.gz?sha=main HTTP/1.1\r\nhost: x\r\nprivate-token: ${person.token}\r\n\r\n`,
            )
            socket.pause()
            await pause(2000)
            socket.destroy()
          }),
        ),
    ],
    [
      'a thousand false deletions',
      () => {
        const lines = Array.from({ length: 1000 }, (_, index) =>
          encodePacket(
            `${'1'.repeat(40)} ${'0'.repeat(40)} refs/heads/none-${index}${index === 0 ? '\0report-status delete-refs' : ''}`,
          ),
        )
        return send(agent, {
          method: 'POST',
          url: `/${person.path}.git/git-receive-pack`,
          headers: {
            'content-type': 'application/x-git-receive-pack-request',
            authorization: `Basic ${Buffer.from(`x:${person.token}`).toString('base64')}`,
          },
          body: Buffer.concat([...lines, flushPacket]),
        })
      },
    ],
    [
      'searches',
      () =>
        Promise.allSettled(
          hostileTexts.map((text) =>
            get(
              `/api/v4/projects/${person.projectId}/search?scope=blobs&search=${encodeURIComponent(text.slice(0, 3000))}`,
            ),
          ),
        ),
    ],
  ]
  for (let turn = 0; isRunning; turn++) {
    const [name, attack] = attacks[turn % attacks.length] as (typeof attacks)[number]
    await attack().catch((error) => count(`${name}: ${(error as Error).message.slice(0, 60)}`))
    count(name)
    await pause(200)
  }
}

const people = await Promise.all(
  Array.from({ length: honest_count }, (_, index) => newPerson(`honest-${index}`)),
)
const attackers = await Promise.all([1, 2].map((index) => newPerson(`attacker-${index}`)))
const small = await must('POST', `/users/${attackers[0]?.id}/personal_access_tokens`, {
  name: 's',
  scopes: ['read_user'],
})

const calm_ms: number[] = []
const storm_ms: number[] = []
let isStorm = false
const lives = people.map((person) => live(person, () => (isStorm ? storm_ms : calm_ms)))
await pause(calm_s * 1000)
stalls.length = 0

let most_bytes = 0
const watch = setInterval(() => {
  if (server.pid) most_bytes = Math.max(most_bytes, memoryOf(server.pid))
}, 250)
isStorm = true
const known: Known = {
  '/projects/:id': attackers.flatMap(({ projectId, path }) => [projectId, path]),
  '/users/:id': attackers.map(({ id }) => id),
  '/users/:user_id': attackers.map(({ id }) => id),
  user_id: attackers.map(({ id }) => id),
  ref: ['main', 'bomb'],
  ref_name: ['main', 'bomb'],
  branch: ['main', 'bomb', 'other'],
  sha: ['main', 'bomb'],
  from: ['main'],
  to: ['bomb'],
  file_path: ['folder-1/file-1', 'new'],
  tag_name: ['v1'],
  paths: attackers.map(({ path }) => path),
}
const tokens = [...attackers.map((attacker) => attacker.token), String(small.token), '']
const walks = Array.from({ length: 4 }, (_, index) => walk(`walk ${index}`, known, tokens))
const bombs = attackers.map((attacker) => bombard(attacker, String(small.token)))
const minutes = Math.max(1, Math.floor(seconds / 60))
for (let minute = 1; minute <= minutes; minute++) {
  await pause((seconds / minutes) * 1000)
  const longest = Math.max(0, ...stalls.map(({ duration_ms }) => duration_ms))
  console.log(
    `${minute}: honest p50 ${percentile(storm_ms, 0.5)} p99 ${percentile(storm_ms, 0.99)} ms of ${storm_ms.length}; ${stalls.length} stalls, longest ${longest} ms; peak ${Math.round(most_bytes / 1e6)} MB; ${faults.length} faults`,
  )
}
isRunning = false
await Promise.all([...lives, ...walks, ...bombs])
clearInterval(watch)

const longest = stalls.sort((a, b) => b.duration_ms - a.duration_ms).slice(0, 10)
console.log(
  `calm:  p50 ${percentile(calm_ms, 0.5)} p90 ${percentile(calm_ms, 0.9)} p99 ${percentile(calm_ms, 0.99)} ms of ${calm_ms.length} requests of ${honest_count} users`,
)
console.log(
  `storm: p50 ${percentile(storm_ms, 0.5)} p90 ${percentile(storm_ms, 0.9)} p99 ${percentile(storm_ms, 0.99)} ms of ${storm_ms.length}`,
)
console.log(`hostile: ${JSON.stringify(Object.fromEntries(counts))}`)
console.log(`stalls over 200 ms: ${stalls.length}; longest: ${JSON.stringify(longest)}`)
console.log(`peak memory of the server and its processes: ${Math.round(most_bytes / 1e6)} MB`)
for (const fault of new Set(faults)) console.log(`FAULT ${fault}`)
server.kill('SIGTERM')
await once(server, 'exit')
rmSync(data, { recursive: true, force: true })
const isBad = faults.length > 0 || (longest[0]?.duration_ms ?? 0) > stall_ms_max
console.log(isBad ? 'FAILED: faults or long stalls, see above.' : 'PASSED')
process.exit(isBad ? 1 : 0)
