// Streams of events over several nodes, over lost connections, at the end of a server, and very many of them.
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { follow, type Reader } from '../../../../test/kit/event-stream.ts'
import { newWorld } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

const isPostgres = process.env.TEST_DB === 'postgres'
const headers = { 'private-token': rootToken }

async function start(beside?: TestApp): Promise<{ app: TestApp; url: string }> {
  const { data, databaseUrl } = beside?.config ?? {}
  const app = await startApp({
    ...(data ? { BLOOMERY_DATA: data } : {}),
    ...(databaseUrl ? { BLOOMERY_DATABASE_URL: databaseUrl } : {}),
  })
  return { app, url: await app.server.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Two nodes on one database, and a stream at the first that has seen a whole round of looking. */
async function startTwo() {
  const first = await start()
  const second = await start(first.app)
  onTestFinished(async () => {
    await second.app.close()
    await first.app.close()
  })
  const world = await newWorld(first.app)
  const project = await world.newProject({ files: { a: 'a' } })
  const topic = `project:${project.id}`
  const reader = await follow(first.url, [topic], headers)
  onTestFinished(() => reader.close())
  await hasSettled(reader)
  let made = 0
  const changeAtSecond = () =>
    second.app
      .client(rootToken)
      .post(`/projects/${project.id}/environments`, { name: `live-${++made}` })
  return { world, first, second, reader, topic, changeAtSecond }
}

/** After its first sign of life the next look at everything is `beat_ms` away: what is told before was heard. */
const hasSettled = (reader: Reader) =>
  vi.waitFor(() => expect(reader.text()).toContain('\n:\n\n'), 5_000)

const soon_ms = 5_000

describe('two nodes on one database', () => {
  it('tell what happens at the other', async () => {
    const { reader, topic, changeAtSecond } = await startTwo()
    const next = reader.next(topic, soon_ms)
    expect((await changeAtSecond()).statusCode).toBe(201)
    expect((await next).topic).toBe(topic)
  }, 20_000)

  // SQLite's file has no connection that could be lost, and tells no other process which issue has changed.
  if (isPostgres) {
    it('tell followers of lists what happens at the other, and nobody of a confidential issue', async () => {
      const { world, first, second, topic } = await startTwo()
      const id = topic.split(':')[1]
      const list = `project_issues:${id}`
      const root = second.app.client(rootToken)
      const guest = await world.newUser()
      await root.post(`/projects/${id}/members`, { user_id: guest.user.id, access_level: 10 })
      const readers = [
        await follow(first.url, [list], headers),
        await follow(first.url, [list], { 'private-token': guest.token }),
      ] as const
      onTestFinished(() => readers.forEach((reader) => void reader.close()))
      for (const reader of readers) await vi.waitFor(() => expect(reader.told).toHaveLength(1))
      const open = (fields: object) =>
        root.post(`/projects/${id}/issues`, { title: 'Sweep', ...fields })
      const secret = readers[0].next(list, soon_ms)
      expect((await open({ confidential: true })).statusCode).toBe(201)
      await secret
      const seen = readers.map((reader) => reader.next(list, soon_ms))
      await open({})
      await Promise.all(seen)
      expect(readers.map(({ told }) => told.length)).toEqual([3, 2])
    }, 20_000)

    it('miss nothing over a lost connection', async () => {
      const { first, reader, topic, changeAtSecond } = await startTwo()
      const next = reader.next(topic, soon_ms)
      const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended
      from pg_stat_activity where datname = current_database() and application_name = 'bloomery_changes'`.execute(
        first.app.db,
      )
      expect(rows).toHaveLength(2)
      await changeAtSecond()
      expect((await next).topic).toBe(topic)

      const again = reader.next(topic, soon_ms)
      await changeAtSecond()
      await again
    }, 20_000)
  }
})

describe('a server that ends', () => {
  it('does not wait for its streams', async () => {
    const { app, url } = await start()
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => follow(url, ['user'], headers)),
    )
    await app.close()
    await Promise.all(readers.map(({ ended }) => ended))
  })
})

describe('very many streams', () => {
  it('are open at once up to a bound, and 503 beyond', async () => {
    const { app, url } = await start()
    onTestFinished(() => app.close())
    const world = await newWorld(app)
    const { streams_max, of_one_max } = limits.event_streams
    const people = await Promise.all(
      Array.from({ length: streams_max / of_one_max }, () => world.newUser()),
    )
    const readers: Reader[] = []
    onTestFinished(() => {
      for (const reader of readers) reader.close()
    })
    for (const { token } of people) {
      const open = () => follow(url, ['user'], { 'private-token': token })
      readers.push(...(await Promise.all(Array.from({ length: of_one_max }, open))))
    }
    expect(readers.filter(({ status }) => status !== 200)).toEqual([])
    const one_more = await follow(url, ['user'], headers)
    expect(one_more.status).toBe(503)

    const [someone] = people
    const told = readers.slice(0, of_one_max).map((reader) => reader.next('user'))
    const project = await world.newProject()
    await world.as('owner').post(`/projects/${project.id}/members`, {
      ...{ user_id: someone?.user.id, access_level: 30 },
    })
    await world.as('owner').post(`/projects/${project.id}/issues`, {
      ...{ title: 'Sweep', assignee_ids: [someone?.user.id] },
    })
    await Promise.all(told)
  }, 60_000)
})
