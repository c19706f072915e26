// Servers that share one database of PostgreSQL and one data folder, each a process of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, type ClientRequest, get } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '../../../../test/kit/database.ts'
import { newFolder, runRealGit } from '../../../../test/kit/git.ts'
import { type Server, startServer } from '../../../../test/kit/server.ts'
import { beginSlowPush, isUnpacking } from '../../../../test/kit/slow-push.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { descendantsOf } from '../../../../tools/server-process.ts'
import { readConfig } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { openDatabase } from '../../../db/open.ts'
import { serverVersion } from '../../../kernel/version.ts'
import { projectRepository } from '../../../subjects/project.ts'
import {
  deleteInUseQuestion,
  deleteLongSilentNodes,
  deleteNodes,
  insertInUseAnswer,
  insertInUseQuestion,
  insertNode,
  listInUseAnswers,
  listNodeRows,
  listUnansweredQuestions,
  touchNode,
} from './node.store.ts'
import { NodeRegistry } from './node-registry.ts'

const isPostgres = process.env.TEST_DB === 'postgres'

describe('GET /admin/nodes', () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  })

  it('is for administrators', async () => {
    expect((await world.as('anonymous').get('/admin/nodes')).statusCode).toBe(401)
    const refused = await world.as('owner').get('/admin/nodes')
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
  })

  it('lists the server that runs', async () => {
    const answer = await world.as('admin').get('/admin/nodes')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      {
        id: expect.any(String),
        name: expect.any(String),
        version: serverVersion,
        state: 'running',
        started_at: expect.any(String),
        seen_at: expect.any(String),
        url: null,
        storages: ['default'],
      },
    ])
  })
})

type Node = { id: string; state: string }

if (isPostgres) {
  it('a server has the time of its database', async () => {
    const { app } = await newWorld()
    const { db, git, config, secretKey } = app
    const hour_ms = 3_600_000
    for (const [behind_ms, offset_ms] of [
      [hour_ms, hour_ms],
      [-hour_ms, -hour_ms],
      [100, 0],
    ] as const) {
      const clock = () => new Date(Date.now() - behind_ms)
      const errors: unknown[] = []
      const onError = (error: unknown) => errors.push(error)
      const registry = await NodeRegistry.join({ db, git, config, secretKey, clock, onError })
      const measured_ms = registry.clockOffset_ms
      await registry.leave()
      expect(Math.abs(measured_ms - offset_ms)).toBeLessThan(200)
      expect(errors).toEqual([])
    }
  })

  const addNode = (db: Db, id: string) => {
    const how = {
      machine: 'm',
      pid: 1,
      version: serverVersion,
      key_fingerprint: 'k',
      shared_settings: {},
    }
    const place = { url: null, storages: [] }
    return insertNode(db, { id, name: id, ...how, ...place, age_ms: 0 })
  }

  it('a node is dead after some silence, and forgotten a day later', async () => {
    const { db } = (await newWorld()).app
    const ids = ['speaks', 'silent', 'forgotten', 'removed']
    for (const id of ids) await addNode(db, id)
    const lastSeen = (id: string, at: string) =>
      db.updateTable('nodes').set({ seen_at: at }).where('id', '=', id).execute()
    const before = (ms: number) => new Date(Date.now() - ms).toISOString()
    for (const id of ids) await lastSeen(id, before(60_000))
    await lastSeen('forgotten', before(25 * 3_600_000))
    expect([await touchNode(db, 'speaks'), await touchNode(db, 'nobody')]).toEqual([true, false])
    await deleteLongSilentNodes(db)
    await deleteNodes(db, ['removed'])
    const rows = (await listNodeRows(db)).filter(({ id }) => ids.includes(id))
    expect(Object.fromEntries(rows.map(({ id, is_alive }) => [id, is_alive]))).toEqual({
      speaks: true,
      silent: false,
    })
    await deleteNodes(db, ids)
  })

  it('a node answers each question of another once', async () => {
    const { db } = (await newWorld()).app
    for (const id of ['a', 'b', 'c']) await addNode(db, id)
    const ask = (asked_by: string, path: string) => insertInUseQuestion(db, { asked_by, path })
    const own = await ask('a', 'own')
    const [first, second] = [await ask('b', 'first'), await ask('b', 'second')]
    const paths = async (node_id: string) =>
      (await listUnansweredQuestions(db, node_id)).map(({ path }) => path).toSorted()
    expect(await paths('a')).toEqual(['first', 'second'])
    const answer = { node_id: 'a', is_in_use: true }
    await insertInUseAnswer(db, { question_id: first, ...answer })
    expect([await paths('a'), await paths('c')]).toEqual([['second'], ['first', 'own', 'second']])
    expect(await listInUseAnswers(db, first)).toEqual([answer])
    expect(await listInUseAnswers(db, second)).toEqual([])
    await deleteInUseQuestion(db, first)
    expect(await paths('c')).toEqual(['own', 'second'])
    for (const id of [own, second]) await deleteInUseQuestion(db, id)
    await deleteNodes(db, ['a', 'b', 'c'])
  })
}

/** Settings of servers on a new database. */
async function newPlace(): Promise<Record<string, string>> {
  const database = await createDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  return { BLOOMERY_DATABASE_URL: database.url, BLOOMERY_DATA: newFolder() }
}

async function start(settings: Record<string, string>): Promise<Server> {
  const server = await startServer(settings)
  onTestFinished(() => server.stop('SIGKILL'))
  return server
}

async function startTwo(): Promise<[Server, Server, Record<string, string>]> {
  const place = await newPlace()
  const first = await start(place)
  return [first, await start(place), place]
}

function repositoryPath(place: Record<string, string>, id: number): string {
  return projectRepository(readConfig(place), { id, repository_storage: 'default' }).path
}

/** Begins a push to root's project `anvil`, and waits until the server works on it. */
async function beginPush(server: Server): Promise<ClientRequest> {
  const push = beginSlowPush(server, { path: 'anvil', branch: 'new' })
  await vi.waitFor(() => expect(descendantsOf(server.pid).some(isUnpacking)).toBe(true), 10_000)
  return push
}

const list = (server: Server) => server.ask<Node[]>('GET /admin/nodes')

if (isPostgres) {
  describe('two servers on one database', { timeout: 60_000 }, () => {
    it('are listed by either, until they stop or die', async () => {
      const [first, second, place] = await startTwo()
      const both = await list(first)
      expect(both.map(({ state }) => state)).toEqual(['running', 'running'])
      expect((await list(second)).map(({ id }) => id)).toEqual(both.map(({ id }) => id))
      await second.stop('SIGTERM')
      expect(await list(first)).toMatchObject([{ id: both[0]?.id, state: 'running' }])

      // On this machine the process tells that it is dead; that of another one is silent.
      const third = await start(place)
      await third.stop('SIGKILL')
      await vi.waitFor(async () => expect(await list(first)).toHaveLength(1), 15_000)
      const db = await openDatabase({ url: place.BLOOMERY_DATABASE_URL ?? '' })
      onTestFinished(() => db.destroy())
      const [self] = await db.selectFrom('nodes').selectAll().execute()
      if (!self) throw new Error('The first server has no row.')
      const elsewhere = { id: 'elsewhere', machine: 'another', pid: 1 }
      const long_ago = new Date(Date.now() - 60_000).toISOString()
      const shared_settings = JSON.stringify(self.shared_settings)
      const row = {
        ...self,
        ...elsewhere,
        shared_settings,
        storages: JSON.stringify(self.storages),
        started_at: long_ago,
        seen_at: long_ago,
      }
      await db.insertInto('nodes').values(row).execute()
      expect(await list(first)).toMatchObject([{ id: 'elsewhere', state: 'lost' }, { id: self.id }])
    })

    it('count requests for rate limits, and failed sign-ins, together', async () => {
      const limits = { rate_limits: { authenticated_api: { requests: 60, period_s: 600 } } }
      const place = await newPlace()
      mkdirSync(place.BLOOMERY_DATA ?? '', { recursive: true })
      writeFileSync(join(place.BLOOMERY_DATA ?? '', 'bloomery.json'), JSON.stringify(limits))
      const settings = { ...place, BLOOMERY_TRUSTED_PROXIES: '127.0.0.1' }
      const both = [await start(settings), await start(settings)] as const
      const [first, second] = both
      const listeners = async () => {
        const db = await openDatabase({ url: place.BLOOMERY_DATABASE_URL ?? '', migrates: false })
        const { rows } = await sql`select 1 from pg_stat_activity
          where application_name = 'bloomery_counts' and datname = current_database()`.execute(db)
        await db.destroy()
        return rows.length
      }
      // The first hears of the second at its next beat.
      await expect.poll(listeners).toBe(2)
      const statusOf = async ({ url, root }: Server) => {
        const headers = { 'private-token': root.token }
        return (await fetch(`${url}/api/v4/user`, { headers })).status
      }
      const window = () => Math.floor(Date.now() / 600_000)
      const before = window()
      for (let asked = 0; asked < 31; asked++) {
        await statusOf(first)
        await statusOf(second)
      }
      // Each has answered half of what one may ask. It is asked so few times more that it refuses for the other's half alone.
      const refused = new Set<Server>()
      for (let tries = 0; tries < 20 && refused.size < 2; tries++) {
        await setTimeout(300)
        for (const server of both) if ((await statusOf(server)) === 429) refused.add(server)
      }
      // Unless a new window has begun meanwhile.
      if (before === window()) expect(refused.size).toBe(2)

      const signIn = async ({ url }: Server, password: string) => {
        const answer = await fetch(`${url}/api/v4/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
          body: JSON.stringify({ login: 'nobody', password }),
        })
        return answer.status
      }
      for (let failure = 0; failure < 20; failure++) {
        expect(await signIn(both[failure % 2 ? 1 : 0], `wrong ${failure}`)).toBe(401)
      }
      const barring = new Set<Server>()
      for (let tries = 0; tries < 8 && barring.size < 2; tries++) {
        await setTimeout(500)
        for (const server of both) if ((await signIn(server, 'wrong')) === 403) barring.add(server)
      }
      expect(barring.size).toBe(2)

      // Alone again, it listens to nobody.
      await second.stop('SIGTERM')
      await expect.poll(listeners).toBe(0)
    })

    it('one that stops goes on serving until proxies have noticed', async () => {
      const [first, second] = await startTwo()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => agent.destroy())
      const read = (path: string) =>
        new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
          const request = get(`${second.url}${path}`, { agent }, (answer) => {
            answer
              .resume()
              .once('end', () => resolve([answer.statusCode, answer.headers.connection]))
          })
          request.once('error', reject)
        })
      expect(await read('/-/readiness')).toEqual([200, 'keep-alive'])
      const stopped = second.stop('SIGTERM')
      await vi.waitFor(async () => expect(await read('/-/readiness')).toEqual([503, 'close']), 5000)
      // It is still there for those who have not heard of it.
      expect(await read('/api/v4/projects')).toEqual([200, 'close'])
      const made = await second.ask<{ path: string }>('POST /projects', { path: 'late' })
      expect(made.path).toBe('late')
      await stopped
      await expect(read('/-/readiness')).rejects.toThrow(/ECONNREFUSED/)
      expect(await list(first)).toHaveLength(1)
    })

    it('have the same key, or the second does not start', async () => {
      const place = await newPlace()
      const first = await start(place)
      const other = { ...place, BLOOMERY_DATA: newFolder() }
      await expect(start(other)).rejects.toThrow(
        /The secret\.key of this server is not that of \S+ \(process \d+\), which runs on the same database\. Copy that file into the data folder of this server\./,
      )
      expect(await list(first)).toHaveLength(1)
      const key = readFileSync(join(first.data, 'secret.key'))
      writeFileSync(join(other.BLOOMERY_DATA, 'secret.key'), key)
      await start(other)
      expect(await list(first)).toHaveLength(2)
    })

    it('have the same address, or the second does not start', async () => {
      const place = await newPlace()
      await start({ ...place, BLOOMERY_URL: 'https://one.test' })
      await expect(start({ ...place, BLOOMERY_URL: 'https://two.test' })).rejects.toThrow(
        /The setting BLOOMERY_URL of this server is "https:\/\/two\.test", but \S+ \(process \d+\), which runs on the same database, has "https:\/\/one\.test"\. Set it alike on all servers\./,
      )
    })

    it('remove no lock of one that works on the repository', async () => {
      const place = await newPlace()
      const first = await start(place)
      const { id } = await first.ask<{ id: number }>('POST /projects', {
        ...{ name: 'anvil', initialize_with_readme: true },
      })
      const lock = join(repositoryPath(place, id), 'refs/heads/held.lock')
      mkdirSync(dirname(lock), { recursive: true })
      // Made after the first server began and before the second one.
      writeFileSync(lock, '')
      const second = await start(place)
      await beginPush(first)
      const create = () =>
        second.ask(`POST /projects/${id}/repository/branches?branch=held&ref=main`, {})
      await expect(create()).rejects.toThrow()
      expect(existsSync(lock)).toBe(true)
      await first.stop('SIGKILL')
      await vi.waitFor(create, { timeout: 30_000, interval: 500 })
      expect(existsSync(lock)).toBe(false)
    })

    it('begin empty repositories and wikis at once', async () => {
      const [first, second] = await startTwo()
      const servers = [first, second]
      for (let round = 0; round < 10; round++) {
        const { id } = await first.ask<{ id: number }>('POST /projects', {
          name: `anvil ${round}`,
        })
        const path = `/projects/${id}`
        const made = await Promise.allSettled(
          servers.flatMap((server, at) => [
            server.ask(`POST ${path}/repository/branches?branch=b${at}&ref=main`, {}),
            server.ask(`POST ${path}/wikis`, { title: `Page ${at}`, content: 'Hot' }),
          ]),
        )
        expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
      }
    })

    it('remove no repository that the other still works on', async () => {
      const place = await newPlace()
      const storages = {
        default: { path: join(place.BLOOMERY_DATA ?? '', 'repositories') },
        other: { path: newFolder() },
      }
      const settings = { ...place, BLOOMERY_STORAGES: JSON.stringify(storages) }
      const [first, second] = [await start(settings), await start(settings)]
      const { id } = await first.ask<{ id: number }>('POST /projects', {
        ...{ name: 'anvil', repository_storage: 'default', initialize_with_readme: true },
      })

      const push = await beginPush(second)
      const source = repositoryPath(place, id)
      const move = await first.ask<{ id: number }>(
        `POST /projects/${id}/repository_storage_moves`,
        {
          destination_storage_name: 'other',
        },
      )
      const state = async () =>
        (await first.ask<{ state: string }>(`GET /project_repository_storage_moves/${move.id}`))
          .state
      await vi.waitFor(async () => expect(await state()).toBe('replicated'), 30_000)
      // Long enough for the source to be removed, if nobody worked on it.
      await setTimeout(15_000)
      expect([await state(), existsSync(source)]).toEqual(['replicated', true])
      push.destroy()
      await vi.waitFor(async () => expect(await state()).toBe('finished'), 30_000)
      expect(existsSync(source)).toBe(false)
    }, 120_000)

    it('agree on the default branch when each has the first push', async () => {
      const [first, second, place] = await startTwo()
      const cwd = newFolder()
      const git = (...args: string[]) => runRealGit(args, { cwd })
      await git('init', '--quiet')
      await git('commit', '--quiet', '--allow-empty', '--message', 'Begin')
      for (let round = 0; round < 10; round++) {
        const { id, path } = await first.ask<{ id: number; path: string }>('POST /projects', {
          name: `tongs-${round}`,
        })
        await Promise.all(
          [first, second].map(({ url, root }, at) => {
            const target = `${url.replace('//', `//root:${root.token}@`)}/root/${path}.git`
            return git('push', '--quiet', target, `HEAD:refs/heads/branch-${at}`)
          }),
        )
        const { default_branch } = await second.ask<{ default_branch: string }>(
          `GET /projects/${id}`,
        )
        const head = readFileSync(join(repositoryPath(place, id), 'HEAD'), 'utf8')
        expect(head).toBe(`ref: refs/heads/${default_branch}\n`)
      }
    })
  })
}
