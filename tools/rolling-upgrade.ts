// Upgrades two servers on one PostgreSQL one after the other under load, behind a proxy, and checks that no client notices.
// `node tools/rolling-upgrade.ts <folder of the older version, built> [rounds]`
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, createServer, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createDatabase } from '../test/kit/database.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { askBy } from './sample.ts'
import { freePort, startServer } from './server-process.ts'

if (!process.argv[2]) {
  console.error(
    'Usage: node tools/rolling-upgrade.ts <folder of the older version, built> [rounds]',
  )
  process.exit(2)
}
const older = resolve(process.argv[2])
const newer = join(import.meta.dirname, '..')
const rounds = Number(process.argv[3] ?? 1)
const token = 'glpat-the-token-of-rolling-upgrade'
/** How long the clients work between two steps. */
const step_ms = 5_000
/** How often the proxy checks whether a server is ready. */
const check_ms = 1_000

const problems: string[] = []
function complain(problem: string): void {
  problems.push(problem)
  console.log(`PROBLEM: ${problem}`)
}

type Backend = { name: string; port: number; isReady: boolean; child: ChildProcess }
const backends = new Set<Backend>()

/** Sends requests in turn to the servers that are ready, over kept connections, as plain proxies do. */
async function startProxy(): Promise<{ url: string; close: () => void }> {
  const agent = new Agent({ keepAlive: true })
  const checks = setInterval(async () => {
    for (const backend of backends) {
      const answer = await fetch(`http://127.0.0.1:${backend.port}/-/readiness`).catch(
        () => undefined,
      )
      backend.isReady = answer?.ok === true
    }
  }, check_ms)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const ready = [...backends].filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (!backend) {
      outgoing.writeHead(502).end('no server is ready')
      return
    }
    const { method, url, headers } = incoming
    const to = { agent, host: '127.0.0.1', port: backend.port, method, path: url, headers }
    const sent = openRequest(to, (answer) => {
      const { connection: _, ...answered } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, answered)
      answer.pipe(outgoing)
    })
    sent.on('error', (error) => {
      complain(`${backend.name} did not answer ${method} ${url}: ${error.message}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(error.message)
    })
    incoming.pipe(sent)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () => {
    clearInterval(checks)
    agent.destroy()
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const postgres = await startPostgres()
const scratch = mkdtempSync(join(tmpdir(), 'bloomery-upgrade-'))
const proxy = await startProxy()
const ask = askBy(proxy.url, token)

async function startBackend(
  name: string,
  root: string,
  place: { data: string; database: string },
): Promise<Backend> {
  const port = await freePort()
  const child = await startServer({
    root,
    settings: {
      BLOOMERY_DATA: place.data,
      BLOOMERY_DATABASE_URL: place.database,
      BLOOMERY_PORT: String(port),
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_LOG_LEVEL: 'warn',
      BLOOMERY_URL: proxy.url,
    },
    onLine(line) {
      if (line.level >= 50) complain(`${name} logs ${JSON.stringify(line).slice(0, 1500)}`)
    },
    onEnd(code, signal, output) {
      if (code !== 0) complain(`${name} ended with ${code ?? signal}: ${output}`)
    },
  })
  const backend = { name, port, isReady: true, child }
  backends.add(backend)
  console.log(`${name} started`)
  return backend
}

/** Ends a server as an operator does, and waits for it. */
async function stopBackend(backend: Backend): Promise<void> {
  const ended = new Promise((done) => backend.child.once('exit', done))
  backend.child.kill('SIGTERM')
  await ended
  backends.delete(backend)
  console.log(`${backend.name} stopped`)
}

let isRunning = true
const counts: Record<string, number> = {}
/** Paths that were told to exist, each with what its answer must hold. */
const told = new Map<string, string>()

function git(cwd: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
  const names = ['-c', 'user.name=a', '-c', 'user.email=a@bloomery.test']
  const child = spawn('git', [...names, ...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((done, fail) =>
    child.on('close', (status) =>
      status === 0 ? done(output.trim()) : fail(new Error(`git ${args.join(' ')}: ${output}`)),
    ),
  )
}

/** Does the same again and again until the end; whatever goes wrong is a problem. */
async function repeat(name: string, work: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; isRunning; index++) {
    try {
      await work(index)
      counts[name] = (counts[name] ?? 0) + 1
    } catch (error) {
      complain(`${name}: ${(error as Error).message}`)
      await setTimeout(200)
    }
  }
}

async function startClients(): Promise<Promise<void>[]> {
  const config = JSON.stringify({ build: { script: 'true' } })
  const project = await ask('POST /projects', { name: `anvil-${told.size}` })
  const id = Number(project.id)
  const path = String(project.path_with_namespace)
  const first = [{ action: 'create', file_path: '.gitlab-ci.yml', content: config }]
  await ask(`POST /projects/${id}/repository/commits`, {
    ...{ branch: 'main', commit_message: 'Begin', actions: first },
  })
  const clone = mkdtempSync(join(scratch, 'clone-'))
  const url = proxy.url.replace('//', `//x:${token}@`)
  await git(clone, 'clone', '--quiet', `${url}/${path}.git`, '.')
  return [
    repeat('pushes', async (index) => {
      await git(clone, 'commit', '--quiet', '--allow-empty', '--message', `Push ${index}`)
      await git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/pushed')
      const head = await git(clone, 'rev-parse', 'HEAD')
      told.set(`/projects/${id}/repository/branches/pushed`, head)
    }),
    repeat('clones', async () => {
      const folder = mkdtempSync(join(scratch, 'copy-'))
      await git(folder, 'clone', '--quiet', `${url}/${path}.git`, '.')
      rmSync(folder, { recursive: true })
    }),
    repeat('commits and pipelines', async (index) => {
      const action = { action: 'create', file_path: `committed/${index}`, content: String(index) }
      const made = await ask(`POST /projects/${id}/repository/commits`, {
        ...{ branch: 'main', commit_message: `Commit ${index}`, actions: [action] },
      })
      told.set(`/projects/${id}/repository/branches/main`, String(made.id))
    }),
    repeat('merges', async (index) => {
      const branch = `topic-${index}`
      const action = { action: 'create', file_path: `merged/${index}`, content: String(index) }
      await ask(`POST /projects/${id}/repository/commits`, {
        ...{ branch, start_branch: 'main', commit_message: branch, actions: [action] },
      })
      const { iid } = await ask(`POST /projects/${id}/merge_requests`, {
        ...{ source_branch: branch, target_branch: 'pushed', title: branch },
      })
      told.set(`/projects/${id}/merge_requests/${iid}`, branch)
    }),
    repeat('issues', async (index) => {
      const { iid } = await ask(`POST /projects/${id}/issues`, { title: `Issue ${index}` })
      await ask(`PUT /projects/${id}/issues/${iid}`, { state_event: 'close', labels: 'a' })
      told.set(`/projects/${id}/issues/${iid}`, '"closed"')
    }),
    repeat('reads', async () => {
      for (const read of ['', '/events', '/pipelines', '/jobs', '/repository/tree', '/issues'])
        await ask(`GET /projects/${id}${read}`)
    }),
  ]
}

async function checkRepositories(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.git')) continue
    await git(join(folder, entry), 'fsck', '--connectivity-only').catch((error: Error) =>
      complain(`${entry}: ${error.message}`),
    )
    counts['repositories checked'] = (counts['repositories checked'] ?? 0) + 1
  }
}

async function upgrade(round: number): Promise<void> {
  const database = await createDatabase(postgres.url)
  const data = mkdtempSync(join(scratch, 'data-'))
  const place = { data, database: database.url }
  const before = [await startBackend(`older ${round}.1`, older, place)]
  before.push(await startBackend(`older ${round}.2`, older, place))
  isRunning = true
  const clients = await startClients()
  await setTimeout(step_ms)
  for (const [index, old] of before.entries()) {
    await startBackend(`newer ${round}.${index + 1}`, newer, place)
    await setTimeout(step_ms)
    await stopBackend(old)
    await setTimeout(step_ms)
  }
  isRunning = false
  await Promise.all(clients)
  for (const [path, text] of told) {
    const answer = JSON.stringify(await ask(`GET ${path}`).catch((error: Error) => error.message))
    if (!answer.includes(text)) complain(`${path} does not hold ${text}: ${answer.slice(0, 300)}`)
  }
  counts['facts checked'] = (counts['facts checked'] ?? 0) + told.size
  told.clear()
  for (const backend of [...backends]) await stopBackend(backend)
  await checkRepositories(data)
  await database.drop()
}

try {
  for (let round = 1; round <= rounds; round++) await upgrade(round)
} finally {
  for (const { child } of backends) child.kill('SIGKILL')
  proxy.close()
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
console.log(JSON.stringify(counts))
console.log(`${rounds} rounds, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
