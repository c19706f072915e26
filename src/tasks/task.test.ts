import { CompiledQuery, type RootOperationNode } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { withoutTable } from '../../test/kit/without-table.ts'
import { isPostgres, toJson } from '../db/dialect.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { pauseLanes } from './lane-pause.ts'
import { readLaneStats } from './lane-stats.ts'
import { claimTask, createDueTaskFinder, releaseAbandonedTasks } from './task.store.ts'
import {
  awaitMakeTasksDueWrites,
  cancelWaitingTask,
  defineTask,
  enqueue,
  enqueueAll,
  lanes,
  makeInterruptedTasksDue,
  makeTasksDue,
  restartTask,
} from './task.ts'
import { Worker, type WorkerOptions } from './worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('tasks').execute()
  await app.db.deleteFrom('workers').execute()
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

type Tools = { runs: unknown[]; during?: () => Promise<void>; fails?: boolean }

const note = defineTask({
  name: 'note',
  lane: 'mail',
  async run(tools: Tools, payload: { value: number }) {
    tools.runs.push(payload.value)
    await tools.during?.()
    if (tools.fails) throw new Error('It did not work.')
  },
})

/** Work that begins and does not end before it is let go, of the lane given. */
function gated(lane: keyof typeof lanes, name = `gated-${lane}`) {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  ends.push(open)
  const state = { began: 0, ended: 0, open }
  const task = defineTask({
    name,
    lane,
    async run() {
      state.began++
      await isOpen
      state.ended++
    },
  })
  return { ...task, state }
}

const workerFor = (
  tools: Tools,
  errors: unknown[] = [],
  tasks: WorkerOptions<Tools>['tasks'] = [note],
  storages?: readonly string[],
) =>
  new Worker<Tools>({
    db: app.db,
    clock: app.clock.now,
    tasks,
    uses: tools,
    storages,
    onError: (error) => errors.push(String(error)),
  })
/** One that looks for work by itself. */
async function startWorker(tasks: WorkerOptions<Tools>['tasks'], tools: Tools = { runs: [] }) {
  const errors: unknown[] = []
  const worker = workerFor(tools, errors, tasks)
  await worker.start()
  ends.push(() => worker.stop())
  return { worker, errors, tools }
}
/** Makes a task look as if a worker that was seen just now ran it. */
async function holdByAnother() {
  const id = 'another'
  const seen_at = app.clock.now().toISOString()
  await app.db.insertInto('workers').values({ id, seen_at }).execute()
  await app.db.updateTable('tasks').set({ owner_id: id, attempts: 1 }).execute()
}
const ask = (value: number, options: { key?: string; delay_ms?: number } = {}) =>
  enqueue(app.db, app.clock.now, {
    task: note,
    key: options.key ?? 'k',
    payload: { value },
    ...options,
  })
const rows = () => app.db.selectFrom('tasks').selectAll().orderBy('id').execute()

describe('a task', () => {
  it('runs once however often it was asked for while it waited', async () => {
    const tools: Tools = { runs: [] }
    await ask(1)
    await ask(2)
    await ask(3, { key: 'other' })
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 3])
    expect(await rows()).toEqual([])
  })

  it('is asked for among many without being asked for twice', async () => {
    const tools: Tools = { runs: [] }
    await ask(1, { delay_ms: 1000 })
    const request = (key: string, value: number) => ({ key, payload: { value } })
    const requests = [request('k', 2), request('other', 3)]
    const askAll = () => enqueueAll(app.db, app.clock.now, { task: note, requests })
    await askAll()
    await enqueueAll(app.db, app.clock.now, { task: note, requests: [] })
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([3])
    app.clock.advance(1000)
    tools.during = async () => {
      tools.during = undefined
      await askAll()
    }
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([3, 1, 1, 3])
    expect(await rows()).toEqual([])
  })

  it('runs again when it was asked for while it ran', async () => {
    const tools: Tools = { runs: [] }
    tools.during = async () => {
      tools.during = undefined
      await ask(2)
    }
    await ask(1)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toEqual([])
  })

  it('waits for its time, and can be taken back', async () => {
    const tools: Tools = { runs: [] }
    await ask(1, { delay_ms: 5000 })
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([])
    app.clock.advance(5000)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
    await ask(2)
    await ask(3, { key: 'other' })
    await enqueue(app.db, app.clock.now, {
      task: { name: 'other', lane: 'upkeep' },
      key: 'k',
      payload: {},
    })
    await cancelWaitingTask(app.db, { task: note, key: 'k' })
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 3])
    expect(await rows()).toMatchObject([{ name: 'other', key: 'k' }])
  })

  it('is made due by its name and key, if it waits', async () => {
    const delay_ms = 5000
    for (const key of ['waits', 'runs', 'failed', 'other']) await ask(1, { key, delay_ms })
    const another = { name: 'other', lane: 'mail' } as const
    const request = { key: 'waits', payload: {}, delay_ms }
    await enqueue(app.db, app.clock.now, { task: another, ...request })
    const set = (key: string, fields: { owner_id?: string; failed_at?: string }) =>
      app.db.updateTable('tasks').set(fields).where('key', '=', key).execute()
    await set('runs', { owner_id: 'another' })
    await set('failed', { failed_at: app.clock.now().toISOString() })
    makeTasksDue(app.db, app.clock.now, { task: note, keys: ['waits', 'runs', 'failed'] })
    await awaitMakeTasksDueWrites()
    const now = app.clock.now().toISOString()
    const due = (await rows()).filter(({ run_at }) => run_at <= now)
    expect(due).toMatchObject([{ name: 'note', key: 'waits' }])
  })

  it('is found after those that have begun', async () => {
    for (const key of ['first', 'second']) await ask(1, { key })
    const [first, second] = (await rows()).map(({ id }) => id)
    const find = createDueTaskFinder('mail', ['note'])
    const findBesides = async (...ids: (number | undefined)[]) => {
      const besides = new Set(ids.map((id) => id ?? 0))
      return (await find(app.db, { now: app.clock.now().toISOString(), besides }))?.id
    }
    expect(await findBesides()).toBe(first)
    expect(await findBesides(first)).toBe(second)
    expect(await findBesides(first, second)).toBeUndefined()
  })

  it('runs again at once when it was asked for while it failed', async () => {
    const tools: Tools = { runs: [], fails: true }
    tools.during = async () => {
      tools.during = undefined
      await ask(1)
    }
    await ask(1)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toMatchObject([{ attempts: 1, failed_at: null }])
  })

  it('is claimed only while it is due, nobody runs it, it has not failed and its lane is free', async () => {
    const claim = async () => {
      const [task] = await rows()
      const now = app.clock.now().toISOString()
      return claimTask(app.db, { id: task?.id ?? 0, lane: 'mail', owner_id: 'me', now })
    }
    const set = (fields: { owner_id?: string | null; failed_at?: string | null }) =>
      app.db.updateTable('tasks').set(fields).execute()
    await ask(1, { delay_ms: 1000 })
    expect(await claim()).toBe(false)
    app.clock.advance(1000)
    await set({ owner_id: 'another' })
    expect(await claim()).toBe(false)
    await set({ owner_id: null, failed_at: app.clock.now().toISOString() })
    expect(await claim()).toBe(false)
    await set({ failed_at: null })
    const { release } = await pauseLanes(app.db, app.clock.now, {
      lanes: ['mail'],
      onLost: () => {},
    })
    expect(await claim()).toBe(false)
    await release()
    expect(await claim()).toBe(true)
  })

  it('is tried again after ever longer waits when it fails', async () => {
    const errors: unknown[] = []
    const tools: Tools = { runs: [], fails: true }
    await ask(1)
    await workerFor(tools, errors).drain()
    expect(errors).toEqual(['Error: It did not work.'])
    const [first] = await rows()
    expect(first).toMatchObject({
      attempts: 1,
      owner_id: null,
      failed_at: null,
      last_error: 'Error: It did not work.',
    })
    expect(Date.parse(first?.run_at ?? '') - app.clock.now().getTime()).toBe(10_000)
    app.clock.advance(10_000)
    await workerFor(tools, errors).drain()
    const [second] = await rows()
    expect(Date.parse(second?.run_at ?? '') - app.clock.now().getTime()).toBe(20_000)
    app.clock.advance(20_000)
    tools.fails = false
    await workerFor(tools, errors).drain()
    expect(await rows()).toEqual([])
    expect(tools.runs).toEqual([1, 1, 1])
  })

  it('held by a worker that has gone silent is taken up within seconds', async () => {
    const tools: Tools = { runs: [] }
    await ask(1)
    await holdByAnother()
    app.clock.advance(10_000)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([])
    app.clock.advance(1)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
  })

  it('held by a dead worker is taken up at once where there is no other instance', async () => {
    const tools: Tools = { runs: [] }
    await ask(1, { delay_ms: 60_000 })
    await holdByAnother()
    const due_at = app.clock.now().toISOString()
    await ask(2, { key: 'due' })
    await ask(3, { key: 'failed', delay_ms: 60_000 })
    const failed = { failed_at: due_at }
    await app.db.updateTable('tasks').set(failed).where('key', '=', 'failed').execute()
    const before = (await rows())[2]
    app.clock.advance(1)
    await makeInterruptedTasksDue(app.db, app.clock.now)
    // What waited already keeps its place, and is not taken for cut short; what failed stays as it is.
    expect((await rows())[1]).toMatchObject({ key: 'due', run_at: due_at, last_error: null })
    expect((await rows())[2]).toEqual(before)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([2, 1])
  })

  it('of a newer version waits for a server of that version, and holds up no other', async () => {
    const [errors, tools]: [unknown[], Tools] = [[], { runs: [] }]
    const newer = { ...note, name: 'newer' }
    await enqueue(app.db, app.clock.now, { task: newer, key: 'k', payload: { value: 1 } })
    await ask(2)
    await workerFor(tools, errors).drain()
    expect([tools.runs, errors]).toEqual([[2], []])
    expect(await rows()).toMatchObject([{ name: 'newer', attempts: 0, owner_id: null }])
    await workerFor(tools, errors, [note, newer]).drain()
    expect([tools.runs, errors]).toEqual([[2, 1], []])
  })

  it('runs in one worker of several', async () => {
    const tools: Tools = { runs: [] }
    for (let value = 0; value < 20; value++) await ask(value, { key: String(value) })
    await Promise.all([1, 2, 3].map(() => workerFor(tools).drain()))
    expect(tools.runs.toSorted((a, b) => Number(a) - Number(b))).toEqual([...Array(20).keys()])
  })
})

describe('lanes', () => {
  it('run beside each other: one that is stuck delays no other', async () => {
    const stuck = gated('upkeep')
    const { tools } = await startWorker([stuck, note])
    await enqueue(app.db, app.clock.now, { task: stuck, key: 'k', payload: {} })
    await expect.poll(() => stuck.state.began).toBe(1)
    for (const value of [1, 2, 3]) {
      await ask(value)
      await expect.poll(() => tools.runs.length, { timeout: 5000 }).toBe(value)
    }
    expect(stuck.state.ended).toBe(0)
  })

  it('run as many at once as they may, and the rest after them', async () => {
    const few = gated('upkeep')
    const more = gated('mail')
    for (const task of [few, more]) {
      const requests = [...Array(6).keys()].map((key) => ({ key: String(key), payload: {} }))
      await enqueueAll(app.db, app.clock.now, { task, requests })
    }
    await startWorker([few, more])
    const running = async () => (await rows()).filter(({ owner_id }) => owner_id !== null).length
    await expect.poll(running).toBe(lanes.upkeep + lanes.mail)
    await expect.poll(() => [few.state.began, more.state.began]).toEqual([1, 4])
    expect(await readLaneStats(app.db, app.clock.now())).toMatchObject([
      { lane: 'upkeep', waiting: 5, waiting_s_max: 0, running: 1, failed: 0 },
      { lane: 'removal', waiting: 0, waiting_s_max: 0, running: 0, failed: 0 },
      { lane: 'expiry' },
      { lane: 'mail', waiting: 2, running: 4 },
      { lane: 'notifications' },
      { lane: 'events' },
      { lane: 'delivery' },
      { lane: 'reports' },
      { lane: 'hooks' },
      { lane: 'mirrors' },
      { lane: 'domains' },
      { lane: 'moves' },
      { lane: 'exports' },
      { lane: 'backups' },
    ])
    app.clock.advance(3000)
    const [upkeep] = await readLaneStats(app.db, app.clock.now())
    expect(upkeep).toMatchObject({ waiting: 5, waiting_s_max: 3 })
    few.state.open()
    more.state.open()
    await expect.poll(rows).toEqual([])
    expect([few.state.ended, more.state.ended]).toEqual([6, 6])
  })

  it('begin what is asked for as soon as its transaction has ended', {
    timeout: 10_000,
  }, async () => {
    const { tools } = await startWorker([note])
    // By looking once a second only, so many one after another would take far longer than they may.
    for (let value = 1; value <= 30; value++) {
      await app.db.transaction().execute(async (tx) => {
        await enqueue(tx, app.clock.now, { task: note, key: 'k', payload: { value } })
        await new Promise((resolve) => setTimeout(resolve, 5))
      })
      await expect.poll(() => tools.runs.length, { interval: 2 }).toBe(value)
    }
  })

  it('leave room for everything else, however much is due', async () => {
    const tools: Tools = { runs: [] }
    const requests = [...Array(100).keys()].map((key) => ({ key: String(key), payload: {} }))
    await enqueueAll(app.db, app.clock.now, { task: note, requests })
    await startWorker([note], tools)
    await new Promise((resolve) => setImmediate(resolve))
    expect(tools.runs.length).toBeLessThan(100)
    await expect.poll(() => tools.runs.length, { timeout: 10_000 }).toBe(100)
  })

  it('find what is due by an index, however much waits', async () => {
    const { db, clock } = app
    const run_at = clock.now().toISOString()
    const row = { name: 'note', payload: toJson({}), created_at: run_at }
    for (const lane of ['mail', 'upkeep']) {
      for (const hours of [0, 1]) {
        const at = new Date(clock.now().getTime() + hours * 3_600_000).toISOString()
        const keys = [...Array(1000).keys()].map((key) => `${lane}-${hours}-${key}`)
        await db
          .insertInto('tasks')
          .values(keys.map((key) => ({ ...row, key, lane, run_at: at })))
          .execute()
      }
    }
    const nodes: RootOperationNode[] = []
    const told = db.withPlugin({
      transformQuery: ({ node }) => {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await createDueTaskFinder('mail', ['note'])(told, { now: run_at, besides: new Set([1, 2]) })
    if (isPostgres(db)) await db.executeQuery(CompiledQuery.raw('analyze tasks'))
    const [node] = nodes
    if (!node) throw new Error('Nothing was asked.')
    const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' })
    const explain = isPostgres(db) ? 'explain' : 'explain query plan'
    // The moment is given to the compiled query when it runs.
    const given = parameters.map((value) => (typeof value === 'object' ? run_at : value))
    const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, given))
    expect(JSON.stringify(rows)).toContain('tasks_waiting')
    expect(JSON.stringify(rows)).not.toMatch(/sort|b-tree/i)
  })
})

const every = (name: string, run: () => Promise<void>) =>
  defineTask({ name, lane: 'expiry', every_ms: 60_000, run })

describe('a recurring task', () => {
  it('that throws starves none of the others, is told of, and runs again', async () => {
    const runs: string[] = []
    const fails = every('a-fails', async () => {
      runs.push('fails')
      throw new Error('It did not work.')
    })
    const others = ['b', 'c'].map((name) => every(name, async () => void runs.push(name)))
    const { errors } = await startWorker([fails, ...others])
    await expect.poll(() => runs).toEqual(['fails', 'b', 'c'])
    await expect
      .poll(async () => (await rows()).map(({ owner_id }) => owner_id))
      .toEqual(Array(3).fill(null))
    expect(errors).toEqual(['Error: It did not work.'])
    const run_at = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const last_error = 'Error: It did not work.'
    expect(await rows()).toMatchObject([
      { name: 'a-fails', attempts: 1, run_at, last_error, failed_at: null },
      { name: 'b', attempts: 0, run_at, last_error: null },
      { name: 'c', attempts: 0, run_at, last_error: null },
    ])
    // However often it has failed.
    await app.db
      .updateTable('tasks')
      .set({ attempts: 1000 })
      .where('name', '=', 'a-fails')
      .execute()
    app.clock.advance(60_000)
    await expect.poll(() => runs, { timeout: 5000 }).toHaveLength(6)
    expect(runs.toSorted()).toEqual(['b', 'b', 'c', 'c', 'fails', 'fails'])
  })

  it('runs in one process of several, once in its time', async () => {
    let runs = 0
    const task = every('alone', async () => void runs++)
    const workers = await Promise.all([1, 2, 3].map(() => startWorker([task])))
    await expect.poll(() => runs).toBe(1)
    app.clock.advance(60_000)
    await expect.poll(() => runs, { timeout: 5000 }).toBe(2)
    for (const { worker } of workers) await worker.drain()
    expect(runs).toBe(2)
    expect(await rows()).toHaveLength(1)
  })
})

describe('a task that keeps failing', () => {
  it('fails after its last attempt until it is enqueued again', async () => {
    const tools: Tools = { runs: [], fails: true }
    const errors: unknown[] = []
    const twice = { ...note, attempts_max: 2 }
    await ask(1)
    for (let round = 0; round < 5; round++) {
      await workerFor(tools, errors, [twice]).drain()
      app.clock.advance(60 * 60_000)
    }
    expect(tools.runs).toEqual([1, 1])
    expect(errors).toHaveLength(2)
    const last_error = 'Error: It did not work.'
    const failed = await rows()
    expect(failed).toMatchObject([{ attempts: 2, last_error, failed_at: expect.any(String) }])
    await ask(3, { key: 'later', delay_ms: 1000 })
    const figures = await readLaneStats(app.db, app.clock.now())
    expect(figures.find(({ lane }) => lane === 'mail')).toMatchObject({ waiting: 0, failed: 1 })
    await cancelWaitingTask(app.db, { task: note, key: 'later' })
    await makeInterruptedTasksDue(app.db, app.clock.now)
    expect(await rows()).toEqual(failed)
    await workerFor(tools, errors, [twice]).drain()
    expect(tools.runs).toEqual([1, 1])
    await ask(2)
    expect(await rows()).toMatchObject([{ attempts: 0, payload: { value: 2 }, failed_at: null }])
    tools.fails = false
    await workerFor(tools, errors, [twice]).drain()
    expect(tools.runs).toEqual([1, 1, 2])
    expect(await rows()).toEqual([])
  })

  it('fails too if its process dies of it each time', async () => {
    const tools: Tools = { runs: [] }
    await ask(1)
    await holdByAnother()
    await app.db.updateTable('tasks').set({ attempts: 20 }).execute()
    app.clock.advance(10_001)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([])
    expect(await rows()).toMatchObject([{ failed_at: expect.any(String), owner_id: null }])
  })

  /** Each way in which others learn that a process died while it ran its tasks. */
  const deaths: [string, () => Promise<unknown>][] = [
    ['others that miss it', async () => app.clock.advance(10_001)],
    ['the next start', () => makeInterruptedTasksDue(app.db, app.clock.now)],
  ]
  it.each(deaths)('fails when its process died twice while it ran, seen by %s', async (_, find) => {
    const tools: Tools = { runs: [] }
    await ask(1)
    const die = async () => {
      await app.db.deleteFrom('workers').execute()
      await holdByAnother()
      await find()
    }
    await die()
    tools.during = die
    const errors: unknown[] = []
    // The first run after a death begins, and its process dies again.
    await workerFor(tools, errors).drain()
    await workerFor(tools, errors).drain()
    expect(tools.runs).toEqual([1])
    const last_error = 'Error: The process that ran this task died twice.'
    expect(await rows()).toMatchObject([
      { failed_at: expect.any(String), owner_id: null, last_error },
    ])
    expect(errors).toEqual([last_error])
    tools.during = undefined
    // Neither a start nor time moves it; an administrator or whoever asks anew does.
    await makeInterruptedTasksDue(app.db, app.clock.now)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
    const [row] = await rows()
    expect(await restartTask(app.db, app.clock.now, row?.id ?? 0)).toBe(true)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toEqual([])
  })

  it('is restarted alone, and not while it runs', async () => {
    await ask(1, { key: 'running' })
    await holdByAnother()
    await ask(2, { key: 'first', delay_ms: 1000 })
    await ask(3, { key: 'second', delay_ms: 1000 })
    const [running, first, second] = await rows()
    const restart = (id = 0) => restartTask(app.db, app.clock.now, id)
    expect([await restart(running?.id), await restart(second?.id)]).toEqual([false, true])
    expect((await rows()).slice(0, 2)).toEqual([running, first])
    const tools: Tools = { runs: [] }
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([3])
  })

  it('runs on when the deaths of its process are not in a row', async () => {
    const tools: Tools = { runs: [], fails: true }
    await ask(1)
    for (let round = 0; round < 4; round++) {
      await app.db.deleteFrom('workers').execute()
      await holdByAnother()
      app.clock.advance(10_001)
      await workerFor(tools).drain()
      app.clock.advance(60 * 60_000)
    }
    expect(tools.runs).toEqual([1, 1, 1, 1])
    // Asked for while it ran, it waits as if for the first time.
    await app.db.deleteFrom('workers').execute()
    await holdByAnother()
    app.clock.advance(10_001)
    tools.fails = false
    tools.during = async () => {
      tools.during = undefined
      await ask(2)
      expect((await rows())[0]?.last_error).toBe('The process that ran this task died.')
    }
    await workerFor(tools).drain()
    expect(tools.runs).toHaveLength(6)
    expect(await rows()).toEqual([])
  })

  it('that must end waits when its process died twice, and runs again', async () => {
    const tools: Tools = { runs: [] }
    const task = { ...note, runsAfterDeaths: true as const }
    await ask(1)
    for (const _ of [1, 2]) {
      await app.db.deleteFrom('workers').execute()
      await holdByAnother()
      await makeInterruptedTasksDue(app.db, app.clock.now)
    }
    await workerFor(tools, [], [task]).drain()
    expect(tools.runs).toEqual([])
    expect(await rows()).toMatchObject([{ failed_at: null, owner_id: null }])
    app.clock.advance(60 * 60_000)
    await workerFor(tools, [], [task]).drain()
    expect(tools.runs).toEqual([1])
    expect(await rows()).toEqual([])
  })

  it('of the recurring ones waits for its next time when its process died twice', async () => {
    let runs = 0
    const task = every('deadly', async () => void runs++)
    await enqueue(app.db, app.clock.now, { task, key: 'recurring', payload: {} })
    for (const _ of [1, 2]) {
      await app.db.deleteFrom('workers').execute()
      await holdByAnother()
      await makeInterruptedTasksDue(app.db, app.clock.now)
    }
    await workerFor({ runs: [] }, [], [task]).drain()
    expect(runs).toBe(0)
    expect(await rows()).toMatchObject([{ failed_at: null, owner_id: null }])
    app.clock.advance(60_000)
    await workerFor({ runs: [] }, [], [task]).drain()
    expect(runs).toBe(1)
  })
})

describe('a worker', () => {
  it('never runs what another one runs, even if it is asked for meanwhile', async () => {
    const tools: Tools = { runs: [] }
    tools.during = async () => {
      tools.during = undefined
      await ask(2)
      await workerFor(tools).drain()
      expect(tools.runs).toEqual([1])
    }
    await ask(1)
    const errors: unknown[] = []
    await workerFor(tools, errors).drain()
    expect(errors).toEqual([])
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toEqual([])
  })

  it('releases its own task alone when that was asked for while it ran', async () => {
    await ask(5, { key: 'other' })
    await holdByAnother()
    await ask(6, { key: 'other' })
    const tools: Tools = { runs: [] }
    tools.during = async () => {
      tools.during = undefined
      await ask(2)
    }
    await ask(1)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toMatchObject([
      { key: 'other', owner_id: 'another', again_at: expect.any(String) },
    ])
  })

  it('keeps what it runs for as long as it says that it lives', async () => {
    const slow = gated('upkeep')
    await enqueue(app.db, app.clock.now, { task: slow, key: 'k', payload: {} })
    await startWorker([slow])
    await expect.poll(() => slow.state.began).toBe(1)
    const seen = async () => {
      const workers = await app.db.selectFrom('workers').select('seen_at').execute()
      return workers.map(({ seen_at }) => seen_at)
    }
    app.clock.advance(9000)
    await expect.poll(seen, { timeout: 5000 }).toEqual([app.clock.now().toISOString()])
    app.clock.advance(9000)
    await workerFor({ runs: [] }, [], [slow]).drain()
    expect(slow.state.began).toBe(1)
  })

  it('keeps its tasks when another worker has died', async () => {
    const tools: Tools = { runs: [] }
    await ask(1, { key: 'alive' })
    await holdByAnother()
    await ask(2, { key: 'dead' })
    await app.db.updateTable('tasks').set({ owner_id: 'dead' }).where('key', '=', 'dead').execute()
    await workerFor(tools).drain()
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([2])
    expect(await rows()).toMatchObject([{ key: 'alive', owner_id: 'another' }])
  })

  it('releases only tasks that it does not run any more', async () => {
    await ask(1, { key: 'runs' })
    await ask(2, { key: 'ended' })
    await holdByAnother()
    const [runs] = await rows()
    await releaseAbandonedTasks(app.db, {
      id: 'another',
      isRunning: (id) => id === runs?.id,
      seen_before: app.clock.now().toISOString(),
    })
    expect(await rows()).toMatchObject([
      { key: 'runs', owner_id: 'another' },
      { key: 'ended', owner_id: null },
    ])
  })

  it('that stops does not release the tasks of other workers', async () => {
    await ask(1, { key: 'other' })
    await holdByAnother()
    await ask(2)
    const { worker, tools } = await startWorker([note])
    await expect.poll(() => tools.runs).toEqual([2])
    await worker.stop()
    expect(await rows()).toMatchObject([{ key: 'other', owner_id: 'another' }])
    const workers = await app.db.selectFrom('workers').select('id').execute()
    expect(workers).toEqual([{ id: 'another' }])
  })

  it('takes up what it could not say the end of', async () => {
    const tools: Tools = { runs: [] }
    tools.during = async () => {
      tools.during = undefined
      await app.db.schema.alterTable('tasks').renameTo('elsewhere').execute()
    }
    await ask(1)
    const worker = workerFor(tools)
    await expect(worker.drain()).rejects.toThrow()
    await app.db.schema.alterTable('elsewhere').renameTo('tasks').execute()
    await worker.drain()
    expect(tools.runs).toEqual([1, 1])
    expect(await rows()).toEqual([])
  })

  it('that stops begins nothing more, lets what runs end, and leaves the rest to others', async () => {
    const slow = gated('upkeep')
    for (const key of ['a', 'b', 'c']) {
      await enqueue(app.db, app.clock.now, { task: slow, key, payload: {} })
    }
    const { worker } = await startWorker([slow])
    await expect.poll(() => slow.state.began).toBe(1)
    const stopping = worker.stop()
    await enqueue(app.db, app.clock.now, { task: slow, key: 'd', payload: {} })
    slow.state.open()
    await stopping
    expect(slow.state).toMatchObject({ began: 1, ended: 1 })
    const left = await rows()
    expect(left.map(({ key, owner_id }) => [key, owner_id])).toEqual([
      ['b', null],
      ['c', null],
      ['d', null],
    ])
    expect(await app.db.selectFrom('workers').select('id').execute()).toEqual([])
  })

  it('that stops waits no longer than it may, and gives back what is stuck', async () => {
    const stuck = gated('upkeep')
    await enqueue(app.db, app.clock.now, { task: stuck, key: 'k', payload: {} })
    const { worker } = await startWorker([stuck])
    await expect.poll(() => stuck.state.began).toBe(1)
    await worker.stop(1)
    expect(stuck.state.ended).toBe(0)
    expect(await rows()).toMatchObject([{ owner_id: null, failed_at: null, attempts: 1 }])
    stuck.state.open()
    await expect.poll(() => stuck.state.ended).toBe(1)
    // It belongs to whoever takes it up now.
    expect(await rows()).toHaveLength(1)
  })

  it('that cannot say that it stops, stops all the same', async () => {
    await ask(1)
    const { worker, errors, tools } = await startWorker([note])
    await expect.poll(() => tools.runs).toEqual([1])
    await withoutTable(app.db, 'workers', () => worker.stop())
    expect(errors).toEqual([expect.stringContaining('workers')])
  })
})

describe('a task that needs a repository on the disk of another server', () => {
  const inStorage = (tools: Tools, errors: unknown[], storages: readonly string[]) =>
    workerFor(tools, errors, [note], storages)
  const elsewhere = (storage: string): Tools => ({
    runs: [],
    during: () => Promise.reject(new RepositoryElsewhereError({ storage })),
  })
  const row = () =>
    app.db.selectFrom('tasks').select(['storage', 'attempts', 'failed_at']).executeTakeFirst()

  it('waits for that server, and has not been attempted before', async () => {
    const errors: unknown[] = []
    await enqueue(app.db, app.clock.now, { task: note, key: 'k', payload: { value: 1 } })
    // A server that has no disk runs what nobody has found to need one.
    await inStorage(elsewhere('b'), errors, []).drain()
    expect(await row()).toEqual({ storage: 'b', attempts: 0, failed_at: null })
    for (const storages of [[], ['a']]) {
      const tools: Tools = { runs: [] }
      await inStorage(tools, errors, storages).drain()
      expect(tools.runs).toEqual([])
    }
    const owner: Tools = { runs: [] }
    await inStorage(owner, errors, ['a', 'b']).drain()
    expect([owner.runs, errors, await row()]).toEqual([[1], [], undefined])
  })

  it('waits longer and longer, and ends, when it goes from server to server for ever', async () => {
    const errors: unknown[] = []
    await enqueue(app.db, app.clock.now, { task: note, key: 'k', payload: { value: 1 } })
    const waits_ms: number[] = []
    for (let turn = 0; turn < 30 && (await row())?.failed_at === null; turn++) {
      const [here, there] = turn % 2 === 0 ? ['a', 'b'] : ['b', 'a']
      await inStorage(elsewhere(there ?? ''), errors, [here ?? '']).drain()
      const { run_at } = await app.db.selectFrom('tasks').select('run_at').executeTakeFirstOrThrow()
      waits_ms.push(Date.parse(run_at) - app.clock.now().getTime())
      app.clock.advance(60 * 60_000)
    }
    expect(waits_ms.slice(0, 6)).toEqual([0, 0, 0, 10_000, 20_000, 40_000])
    expect((await row())?.failed_at).toBeTypeOf('string')
    expect(errors).toHaveLength(1)
  })
})
