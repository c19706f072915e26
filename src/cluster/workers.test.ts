// One server of several processes (docs/operating/workers.md), as it is really run.
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '../../test/kit/database.ts'
import { follow } from '../../test/kit/event-stream.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { newFolder, runRealGit } from '../../test/kit/git.ts'
import { type Server, startServer } from '../../test/kit/server.ts'
import { beginSlowPush, isUnpacking } from '../../test/kit/slow-push.ts'
import { descendantsOf, freePort } from '../../tools/server-process.ts'
import { readConfig } from '../config.ts'
import { randomText } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'
import { projectRepository } from '../subjects/project.ts'

const isPostgres = process.env.TEST_DB === 'postgres'

/** Settings of a server with several workers, on a database of its own. */
async function newPlace(settings: Record<string, string> = {}): Promise<Record<string, string>> {
  const place = { BLOOMERY_WORKERS: '2', BLOOMERY_DATA: newFolder(), ...settings }
  if (!isPostgres) return place
  const database = await createDatabase(inject('postgresUrl'))
  atFileEnd(database.drop)
  return { ...place, BLOOMERY_DATABASE_URL: database.url }
}

/** Resolves when both workers serve. */
function areServing(server: Server): Promise<void> {
  return vi.waitFor(
    async () => expect(await readMetric(server, 'bloomery_workers')).toBe(2),
    30_000,
  )
}

async function start(): Promise<Server> {
  const server = await startServer(await newPlace())
  onTestFinished(() => server.stop('SIGKILL'))
  await areServing(server)
  return server
}

type Pushed = { push_data?: { ref: string } }
type Answer = { status: number; json: () => never; headers: Record<string, unknown> }

/** Asks by one connection that stays open, so that one worker answers all. */
type Connection = (
  route: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>

/** Opens a connection. Node gives them to the workers in turn, so that of two one is with each. */
function connect({ url, root }: Server): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (route, body, headers = {}) => {
    const [method, path] = route.split(' ')
    const sent = request(`${url}/api/v4${path}`, {
      ...{ method, agent },
      headers: {
        'private-token': root.token,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
    })
    sent.end(body && JSON.stringify(body))
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    return {
      status: response.statusCode,
      headers: response.headers,
      json: () => JSON.parse(text) as never,
    }
  }
}

/** Connections of which one is with each worker. */
async function connectToAll(server: Server): Promise<[Connection, Connection]> {
  const [one, other] = [connect(server), connect(server)]
  // Opened one after the other.
  for (const connection of [one, other]) expect((await connection('GET /user')).status).toBe(200)
  return [one, other]
}

/** The process ids of the workers, the first one before the others. */
function workersOf({ pid }: Server): number[] {
  const roleOf = (worker: number) =>
    readFileSync(`/proc/${worker}/cmdline`, 'utf8')
      .split('\0')
      .find((word) => /^(first|further)$/.test(word))
  return descendantsOf(pid)
    .map((worker) => ({ worker, role: roleOf(worker) }))
    .filter(({ role }) => role !== undefined)
    .toSorted((a, b) => (a.role ?? '').localeCompare(b.role ?? ''))
    .map(({ worker }) => worker)
}

/** The sum of a metric over all its labels. */
async function readMetric({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/-/metrics`)).text()
  const lines = text
    .split('\n')
    .filter(
      (line) =>
        new Set([' ', '{']).has(line.slice(name.length, name.length + 1)) && line.startsWith(name),
    )
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const asRoot = ({ root }: Server) => ({ 'private-token': root.token })

/** A token of a new user. */
async function newToken({ ask }: Server): Promise<string> {
  const username = `smith-${randomText(8)}`.toLowerCase()
  const { id } = await ask<{ id: number }>('POST /users', {
    ...{ username, name: 'A smith', email: `${username}@bloomery.test` },
    ...{ password: 'a long pass phrase of a smith', skip_confirmation: true },
  })
  const { token } = await ask<{ token: string }>(`POST /users/${id}/personal_access_tokens`, {
    name: 'test',
    scopes: ['api'],
  })
  return token
}

type Project = { id: number; path: string; route: string }

async function newProject({ ask }: Server): Promise<Project> {
  const path = `anvil-${randomText(8)}`.toLowerCase()
  const storage = { repository_storage: 'default' }
  const project = { name: path, path, initialize_with_readme: true, ...storage }
  const { id } = await ask<{ id: number }>('POST /projects', project)
  return { id, path, route: `/projects/${id}` }
}

describe('a server with two workers', { timeout: 120_000 }, () => {
  const data = newFolder()
  const settings = {
    BLOOMERY_DATA: data,
    BLOOMERY_TRUSTED_PROXIES: '127.0.0.1',
    BLOOMERY_STORAGES: JSON.stringify({
      default: { path: join(data, 'repositories') },
      other: { path: newFolder() },
    }),
  }
  let server: Server
  let sshPort: number
  beforeAll(async () => {
    sshPort = await freePort()
    server = await startServer(await newPlace({ ...settings, BLOOMERY_SSH_PORT: `${sshPort}` }))
    await areServing(server)
  }, 60_000)

  it('writes by both at once, and each sees what the other wrote', async () => {
    const connections = await connectToAll(server)
    const project = await newProject(server)
    const issues_each = 40
    const made = await Promise.all(
      connections.map(async (ask, worker) => {
        const numbers: number[] = []
        for (let issue = 0; issue < issues_each; issue++) {
          const answer = await ask(`POST ${project.route}/issues`, { title: `${worker} ${issue}` })
          expect(answer.status).toBe(201)
          numbers.push((answer.json() as { iid: number }).iid)
        }
        return numbers
      }),
    )
    const all = Array.from({ length: 2 * issues_each }, (_, at) => at + 1)
    expect(made.flat().toSorted((a, b) => a - b)).toEqual(all)
    for (const ask of connections) {
      const { headers } = await ask(`GET ${project.route}/issues?per_page=1`)
      expect(headers['x-total']).toBe(String(all.length))
    }
  })

  it('runs what a request to either of them asks for in the background', async () => {
    const project = await newProject(server)
    for (const [at, ask] of (await connectToAll(server)).entries()) {
      const branch = `fix-${at}`
      const action = { action: 'create', file_path: branch, content: 'Hot' }
      const commit = { start_branch: 'main', branch, commit_message: 'Fix', actions: [action] }
      expect((await ask(`POST ${project.route}/repository/commits`, commit)).status).toBe(201)
      await vi.waitFor(async () => {
        const events = (await ask(`GET ${project.route}/events`)).json() as Pushed[]
        expect(events.map(({ push_data }) => push_data?.ref)).toContain(branch)
      }, 20_000)
    }
  })

  it('tells pages of what was changed through the other', async () => {
    const project = await newProject(server)
    const topic = `project_issues:${project.id}`
    // Each opens a connection, so there are some with each worker.
    const readers = await Promise.all(
      Array.from({ length: 4 }, () =>
        follow(server.url, [topic], { 'private-token': server.root.token }),
      ),
    )
    onTestFinished(() => {
      for (const { close } of readers) close()
    })
    await vi.waitFor(() => expect(readers.every(({ told }) => told.length > 0)).toBe(true))
    const told = Promise.all(readers.map(({ next }) => next(topic)))
    await server.ask(`POST ${project.route}/issues`, { title: 'Forge' })
    await told
  })

  it('counts requests for rate limits over both, also those that are set while it runs', async () => {
    const server = await start()
    const [one, other] = await connectToAll(server)
    const limits = { rate_limits: { authenticated_api: { requests: 30, period_s: 600 } } }
    writeFileSync(join(server.data, 'bloomery.json'), JSON.stringify(limits))
    process.kill(server.pid, 'SIGHUP')
    // Both workers read their settings again, and look for limits that were set once a second.
    await setTimeout(4_000)
    const before = Math.floor(Date.now() / 600_000)
    const statuses: number[] = []
    for (let asked = 0; asked < 20; asked++) {
      statuses.push((await one('GET /user')).status, (await other('GET /user')).status)
      // So long that each has heard of the other's.
      if (asked % 5 === 0) await setTimeout(400)
    }
    // Unless a new window has begun meanwhile.
    if (before !== Math.floor(Date.now() / 600_000)) return
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect([(await one('GET /user')).status, (await other('GET /user')).status]).toEqual([429, 429])
  })

  it('bars an address after failed sign-ins through either', async () => {
    const [one, other] = await connectToAll(server)
    const failures_max = 20
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const signIn = (ask: Connection, password: string) =>
      ask('POST /session', { login: 'root', password }, { ...from, 'private-token': '' })
    for (let failure = 0; failure < failures_max; failure++) {
      expect((await signIn(failure % 2 ? one : other, `wrong ${failure}`)).status).toBe(401)
    }
    await vi.waitFor(async () => {
      expect((await signIn(one, server.root.password)).status).toBe(403)
      expect((await signIn(other, server.root.password)).status).toBe(403)
    })
  })

  it('opens so many event streams of one user over both', async () => {
    const { of_one_max } = limits.event_streams
    const token = await newToken(server)
    const open = () => follow(server.url, ['user'], { 'private-token': token })
    const all = await Promise.all(Array.from({ length: of_one_max }, open))
    onTestFinished(() => {
      for (const { close } of all) close()
    })
    expect(all.every(({ status }) => status === 200)).toBe(true)
    // One for each worker.
    for (const refused of [await open(), await open()]) {
      await refused.ended
      expect([refused.status, refused.text()]).toEqual([429, '{"message":"429 Too Many Requests"}'])
    }
    expect((await follow(server.url, ['user'], asRoot(server))).status).toBe(200)
    all[0]?.close()
    await vi.waitFor(async () => expect((await open()).status).toBe(200))
  })

  it('lets so many connections over SSH in from one address over both, and says so to one more', async () => {
    const { connections_per_address_max } = limits.ssh
    const all: { socket: Socket; text: string }[] = []
    const open = async () => {
      const opened = { socket: openSocket(sshPort, '127.0.0.1'), text: '' }
      all.push(opened)
      opened.socket
        .on('error', () => {})
        .on('data', (chunk) => {
          opened.text += String(chunk)
        })
      await vi.waitFor(() => expect(opened.text).not.toBe(''))
      return opened.text
    }
    onTestFinished(() => {
      for (const { socket } of all) socket.destroy()
    })
    for (let count = 0; count < connections_per_address_max; count++) {
      expect(await open()).toMatch(/^SSH-2\.0-/)
    }
    const refusal =
      'Too many connections from your address, at most 64 at once. Try again later.\r\n'
    expect([await open(), await open()]).toEqual([refusal, refusal])
    all[0]?.socket.destroy()
    await vi.waitFor(async () => expect(await open()).toMatch(/^SSH-2\.0-/))
  })

  it('adds up the metrics of both', async () => {
    const name = 'bloomery_http_requests_total'
    const before = await readMetric(server, name)
    const requests_each = 15
    for (const ask of await connectToAll(server)) {
      for (let asked = 1; asked < requests_each; asked++) await ask('GET /user')
    }
    // And one for reading them the first time.
    expect(await readMetric(server, name)).toBe(before + 2 * requests_each + 1)
  })

  it.each([
    ['the first', 0],
    ['the other', 1],
  ])('replaces %s when it dies, while the one that is left serves', async (_name, victim) => {
    const server = await start()
    const project = await newProject(server)
    const before = workersOf(server)
    const acknowledged: string[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let at = 0; !isOver; at++) {
        // A connection each time, as of many people: those that the dead one held are lost.
        const title = `${writer}.${at}`
        await server.ask(`POST ${project.route}/issues`, { title }).then(
          () => acknowledged.push(title),
          () => {},
        )
      }
    }
    const writers = [1, 2, 3, 4].map(write)
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 30_000)
    process.kill(before[victim] ?? 0, 'SIGKILL')
    const atDeath = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(atDeath + 20), 30_000)
    await vi.waitFor(
      async () => expect(await readMetric(server, 'bloomery_workers')).toBe(2),
      30_000,
    )
    isOver = true
    await Promise.all(writers)
    const after = workersOf(server)
    expect(after).toHaveLength(2)
    expect(after[1 - victim]).toBe(before[1 - victim])
    expect(after[victim]).not.toBe(before[victim])
    const titles = new Set<string>()
    for (let page = 1; ; page++) {
      const issues = await server.ask<{ title: string }[]>(
        `GET ${project.route}/issues?per_page=100&page=${page}`,
      )
      for (const { title } of issues) titles.add(title)
      if (issues.length < 100) break
    }
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([])
  })

  it('removes no repository that the other still works on', async () => {
    const project = await newProject(server)
    // A push whose pack comes slowly, with the worker that runs no tasks.
    const [, further = 0] = workersOf(server)
    const beginPush = (branch: string) => beginSlowPush(server, { path: project.path, branch })
    const areUnpacking = (count: number) =>
      vi.waitFor(
        () => expect(descendantsOf(server.pid).filter(isUnpacking)).toHaveLength(count),
        10_000,
      )
    let push = beginPush('new-1')
    await areUnpacking(1)
    if (!descendantsOf(further).some(isUnpacking)) {
      const first = push
      push = beginPush('new-2')
      await areUnpacking(2)
      first.destroy()
      await areUnpacking(1)
    }
    expect(descendantsOf(further).filter(isUnpacking)).toHaveLength(1)
    const config = readConfig(settings)
    const source = projectRepository(config, { id: project.id, repository_storage: 'default' }).path
    const destination = { destination_storage_name: 'other' }
    const move = await server.ask<{ id: number }>(
      `POST ${project.route}/repository_storage_moves`,
      destination,
    )
    const state = async () =>
      (await server.ask<{ state: string }>(`GET /project_repository_storage_moves/${move.id}`))
        .state
    await vi.waitFor(async () => expect(await state()).toBe('replicated'), 30_000)
    // Long enough for the source to be removed, if nobody worked on it.
    await setTimeout(10_000)
    expect([await state(), existsSync(source)]).toEqual(['replicated', true])
    push.destroy()
    await vi.waitFor(async () => expect(await state()).toBe('finished'), 30_000)
    expect(existsSync(source)).toBe(false)
  })

  it('changes a branch whose lock was left behind by a worker that died', async () => {
    const project = await newProject(server)
    const config = readConfig(settings)
    const { path } = projectRepository(config, { id: project.id, repository_storage: 'default' })
    const lock = join(path, 'refs/heads/new.lock')
    writeFileSync(lock, '')
    await server.ask(`POST ${project.route}/repository/branches?branch=new&ref=main`, {})
    expect(existsSync(lock)).toBe(false)
  })

  it('is cloned and pushed to', async () => {
    const { path } = await newProject(server)
    const cwd = newFolder()
    const url = `${server.url.replace('//', `//root:${server.root.token}@`)}/root/${path}.git`
    await runRealGit(['clone', '--quiet', url, 'one'], { cwd })
    for (let push = 0; push < 6; push++) {
      await runRealGit(['commit', '--quiet', '--allow-empty', '--message', `${push}`], {
        cwd: join(cwd, 'one'),
      })
      await runRealGit(['push', '--quiet'], { cwd: join(cwd, 'one') })
    }
    await runRealGit(['clone', '--quiet', url, 'two'], { cwd })
    const log = await runRealGit(['log', '--format=%s'], { cwd: join(cwd, 'two') })
    expect(log.stdout.split('\n').slice(0, 6)).toEqual(['5', '4', '3', '2', '1', '0'])
  })

  it('ends with all its workers, when it is told to and when the supervisor is killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await start()
      const workers = workersOf(server)
      await server.stop(signal)
      const isGone = (pid: number) => !existsSync(`/proc/${pid}`)
      await vi.waitFor(() => expect(workers.every(isGone)).toBe(true), 20_000)
    }
  })

  it('does not start where the port is taken or the setting is none, and says why', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const place = await newPlace()
    await expect(startServer({ ...place, BLOOMERY_PORT: String(port) })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use.`,
    )
    for (const [given, refused] of [
      ['0', 'workers takes a whole number from 1 to 64, not 0.'],
      ['many', 'workers takes a whole number from 1 to 64, not many.'],
    ] as const) {
      await expect(startServer({ ...place, BLOOMERY_WORKERS: given })).rejects.toThrow(refused)
    }
  })
})
