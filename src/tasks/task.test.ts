import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { defineTask, dequeue, enqueue, enqueueAll, resumeTasks } from './task.ts'
import { Worker } from './worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(() => app.db.deleteFrom('tasks').execute())

type Tools = { runs: unknown[]; during?: () => Promise<void>; fails?: boolean }

const note = defineTask({
  name: 'note',
  lease_ms: 60_000,
  async run(tools: Tools, payload: { value: number }) {
    tools.runs.push(payload.value)
    await tools.during?.()
    if (tools.fails) throw new Error('It did not work.')
  },
})

const workerFor = (tools: Tools, errors: unknown[] = []) =>
  new Worker<Tools>({
    db: app.db,
    clock: app.clock.now,
    tasks: [note],
    tools,
    recurring: [],
    onError: (error) => errors.push(String(error)),
  })
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
    await dequeue(app.db, { task: note, key: 'k' })
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
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
      leased_until: null,
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

  it('held by a dead worker is taken up when its lease ends', async () => {
    const tools: Tools = { runs: [] }
    await ask(1)
    const lease = new Date(app.clock.now().getTime() + 60_000).toISOString()
    await app.db.updateTable('tasks').set({ leased_until: lease }).execute()
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([])
    app.clock.advance(60_001)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
  })

  it('held by a dead worker is taken up at once where there is no other instance', async () => {
    const tools: Tools = { runs: [] }
    await ask(1, { delay_ms: 60_000 })
    const lease = new Date(app.clock.now().getTime() + 60_000).toISOString()
    await app.db.updateTable('tasks').set({ leased_until: lease }).execute()
    await resumeTasks(app.db, app.clock.now)
    await workerFor(tools).drain()
    expect(tools.runs).toEqual([1])
  })

  it('of a name nobody knows is reported and kept', async () => {
    const errors: unknown[] = []
    await enqueue(app.db, app.clock.now, { task: { name: 'unknown' }, key: 'k', payload: {} })
    await workerFor({ runs: [] }, errors).drain()
    expect(errors).toEqual(['Error: No task is named unknown.'])
    expect(await rows()).toHaveLength(1)
  })

  it('runs in one worker of several', async () => {
    const tools: Tools = { runs: [] }
    for (let value = 0; value < 20; value++) await ask(value, { key: String(value) })
    await Promise.all([1, 2, 3].map(() => workerFor(tools).drain()))
    expect(tools.runs.toSorted((a, b) => Number(a) - Number(b))).toEqual([...Array(20).keys()])
  })
})
