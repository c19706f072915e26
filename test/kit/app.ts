// A running application for tests: real SQLite or PostgreSQL, real git, requests through inject.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import Value from 'typebox/value'
import { inject as provided } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { readPoolStats } from '../../src/db/pool-stats.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { freePort } from '../../tools/server-process.ts'
import { createDatabase } from './database.ts'
import { begin_ms, rootToken } from './first-database.ts'

export { rootToken }

/** A clock that stands still until a test moves it. */
export class TestClock {
  #now_ms = begin_ms

  readonly now = (): Date => new Date(this.#now_ms)

  advance(duration_ms: number): void {
    this.#now_ms += duration_ms
  }
}

export type Answer = Awaited<ReturnType<App['server']['inject']>>
type Body = string | Buffer | object

/** Requests as one caller; a body that is an object is sent as JSON. */
export type Client = {
  get: (url: string, options?: RequestOptions) => Promise<Answer>
  head: (url: string, options?: RequestOptions) => Promise<Answer>
  post: (url: string, body?: Body, options?: RequestOptions) => Promise<Answer>
  put: (url: string, body?: Body, options?: RequestOptions) => Promise<Answer>
  patch: (url: string, body?: Body, options?: RequestOptions) => Promise<Answer>
  delete: (url: string, body?: Body, options?: RequestOptions) => Promise<Answer>
}
export type RequestOptions = { headers?: Record<string, string> }

export type TestApp = App & {
  config: Config
  clock: TestClock
  /** Lines of the log, parsed, since the start. */
  log: Record<string, unknown>[]
  /** How many statements and processes `task` takes. */
  count: (task: () => Promise<unknown>) => Promise<{ queries: number; processes: number }>
  /** A client that sends this token, or none. */
  client: (token?: string) => Client
}

const isPostgres = () => process.env.TEST_DB === 'postgres'

/** Starts an application of its own; most tests share one through `newWorld`. */
export async function startApp(
  settings: Record<string, string> = {},
  options: Pick<AppOptions, 'sendEmail' | 'body_ms'> = {},
): Promise<TestApp> {
  const data = mkdtempSync(join(tmpdir(), 'bloomery-test-'))
  const first = provided('firstDatabase')
  // A place of somebody's own has its database.
  const isOwn = settings.BLOOMERY_DATA !== undefined
  const database =
    isPostgres() && !isOwn ? await createDatabase(provided('postgresUrl'), first) : undefined
  if (!database && !isOwn) copyFileSync(first, join(data, 'bloomery.sqlite'))
  const config = readConfig({
    PATH: process.env.PATH,
    BLOOMERY_DATA: data,
    BLOOMERY_PORT: '0',
    BLOOMERY_URL: 'http://bloomery.test',
    // Nobody listens there: what tests find does not hang on the names of the world.
    BLOOMERY_DNS_SERVERS: '127.0.0.1:1',
    ...(database ? { BLOOMERY_DATABASE_URL: database.url } : {}),
    ...settings,
  })
  const clock = new TestClock()
  const log: Record<string, unknown>[] = []
  let queries = 0
  const appOptions = {
    clock: clock.now,
    logStream: { write: (line: string) => log.push(JSON.parse(line)) },
    onQuery: () => {
      queries++
    },
    onAnswer: checkAnswer,
    ...options,
  }
  const isForwarded = process.env.TEST_FORWARDED === 'yes' && database !== undefined
  const nodeUrl = isForwarded ? `http://127.0.0.1:${await freePort()}` : undefined
  const app = await createApp({ ...appOptions, config: { ...config, nodeUrl } })
  await app.server.ready()
  const front =
    nodeUrl === undefined ? undefined : await startFront(app, { config, nodeUrl, appOptions })
  const server = front?.server ?? app.server
  return {
    ...app,
    server,
    config,
    clock,
    log,
    async count(task) {
      // A statement that an earlier request left running would be counted as one of this task.
      while (readPoolStats(app.db).busy > 0) await setImmediate()
      const before = { queries, processes: app.git.git.spawner.spawned }
      await task()
      return {
        queries: queries - before.queries,
        processes: app.git.git.spawner.spawned - before.processes,
      }
    },
    client: (token) => clientOf({ server }, token),
    async close() {
      await front?.close()
      await app.close()
      await database?.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a second server of the same database, which has no disk and has the first answer whatever needs a repository. With
 * TEST_FORWARDED=yes, on PostgreSQL, all requests of tests go to such a server.
 */
async function startFront(
  owner: App,
  {
    config,
    nodeUrl,
    appOptions,
  }: { config: Config; nodeUrl: string; appOptions: Omit<AppOptions, 'config'> },
): Promise<App> {
  await owner.server.listen({ host: '127.0.0.1', port: Number(new URL(nodeUrl).port) })
  const { storages } = config
  const front = await createApp({
    ...appOptions,
    config: { ...config, storages: {}, storagesElsewhere: storages },
  })
  await front.server.ready()
  return front
}

/** Every JSON answer of every test is held against the schema its endpoint declares. */
function checkAnswer(endpoint: Endpoint, status: number, body: unknown): void {
  const schema = endpoint.answers[status]
  const sent = JSON.parse(JSON.stringify(body))
  if (schema && Value.Check(schema, sent)) return
  const problems = schema
    ? JSON.stringify([...Value.Errors(schema, sent)].slice(0, 3))
    : 'no schema'
  throw new Error(`${endpoint.method} ${endpoint.path} ${status} is not as declared: ${problems}`)
}

function clientOf(app: Pick<App, 'server'>, token: string | undefined): Client {
  const send = (
    method: NonNullable<InjectOptions['method']>,
    path: string,
    body?: Body,
    options: RequestOptions = {},
  ) => {
    const url = path.startsWith('/-/') || path.startsWith('/api/') ? path : `/api/v4${path}`
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
    const headers: Record<string, string> = {
      host: 'bloomery.test',
      ...(token === undefined ? {} : { 'private-token': token }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    }
    const payload = isJson ? JSON.stringify(body) : body
    return app.server.inject({ method, url, headers, payload: payload as string | undefined })
  }
  return {
    get: (url, options) => send('GET', url, undefined, options),
    head: (url, options) => send('HEAD', url, undefined, options),
    post: (url, body, options) => send('POST', url, body, options),
    put: (url, body, options) => send('PUT', url, body, options),
    patch: (url, body, options) => send('PATCH', url, body, options),
    delete: (url, body, options) => send('DELETE', url, body, options),
  }
}
