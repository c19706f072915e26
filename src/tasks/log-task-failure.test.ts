// What an operator reads of tasks that fail.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { notFound } from '../kernel/errors.ts'
import { logTaskFailure } from './log-task-failure.ts'
import { defineTask, enqueue } from './task.ts'
import { Worker } from './worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(() => app.db.deleteFrom('tasks').execute())

type Line = { level: number; message: string; [field: string]: unknown }

/** Runs a task until it has failed as often as asked; returns what is logged of it. */
async function linesOf(
  run: () => Promise<void>,
  { runs = 1, ...kind }: { runs?: number; every_ms?: number; attempts_max?: number } = {},
): Promise<Line[]> {
  const lines: Line[] = []
  const at = (level: number) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields })
  const log = { debug: at(20), warn: at(40), error: at(50) }
  const task = defineTask({ name: 'fails', lane: 'mail', run, ...kind })
  const { db, clock } = app
  const worker = new Worker({
    ...{ db, clock: clock.now, tasks: [task], uses: {} },
    onError: (error, failed) => logTaskFailure(log, error, failed),
  })
  await enqueue(db, clock.now, { task, key: 'k', payload: {} })
  for (let count = 0; count < runs; count++) {
    await worker.drain()
    clock.advance(60 * 60_000)
  }
  return lines
}

const failWith = (error: unknown) => async () => {
  throw error
}
const deadlock = failWith(Object.assign(new Error('deadlock detected'), { code: '40P01' }))

describe('a failed run of a task', () => {
  it('that is tried again is a warning with its task and time', async () => {
    const next_ms = app.clock.now().getTime() + 10_000
    const [line, ...others] = await linesOf(deadlock)
    const { id } = await app.db.selectFrom('tasks').select('id').executeTakeFirstOrThrow()
    expect(others).toEqual([])
    expect(line).toMatchObject({
      level: 40,
      message: 'task runs again',
      task: 'fails',
      task_id: id,
      attempts: 1,
      runs_again_at: new Date(next_ms).toISOString(),
      err: { message: 'deadlock detected' },
    })
  })

  it('that was the last is an error', async () => {
    const lines = await linesOf(deadlock, { runs: 3, attempts_max: 2 })
    expect(lines).toMatchObject([
      { level: 40, attempts: 1 },
      { level: 50, message: 'task failed', attempts: 2, runs_again_at: undefined },
    ])
  })

  it('of a recurring task is an error from the third in a row on', async () => {
    const lines = await linesOf(deadlock, { runs: 4, every_ms: 60_000 })
    expect(lines.map(({ level }) => level)).toEqual([40, 40, 50, 50])
  })

  it.each([
    ['is not a function', new TypeError('x is not a function')],
    ['is not defined', new ReferenceError('x is not defined')],
    ['does not fit', new RangeError('Invalid array length')],
  ])('for a fault of the program (%s) is an error', async (_, error) => {
    expect(await linesOf(failWith(error))).toMatchObject([{ level: 50, err: error }])
  })

  it('for SQL that the database does not understand is an error', async () => {
    const lines = await linesOf(async () => {
      await app.db
        .selectFrom('nowhere' as 'tasks')
        .selectAll()
        .execute()
    })
    expect(lines).toMatchObject([{ level: 50 }])
  })

  it('for a network that refuses is a warning', async () => {
    const failed = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })
    expect(await linesOf(failWith(failed))).toMatchObject([{ level: 40 }])
  })

  it.each([
    ['a row refers to', () => referToMissingUser()],
    [
      'is asked for by SQL',
      async () => {
        await app.db.selectFrom('users').select('id').where('id', '=', -1).executeTakeFirstOrThrow()
      },
    ],
    ['is loaded', failWith(notFound('Project'))],
  ])('because a record was deleted that %s tells nothing at first', async (_, run) => {
    const lines = await linesOf(run, { runs: 2 })
    expect(lines.map(({ level }) => level)).toEqual([20, 40])
  })
})

describe('a fault of the queue', () => {
  it.each([
    ['a conflict with another transaction is a warning', '40001', 40, 'task runs again'],
    ['anything else is an error', 'XX000', 50, 'task failed'],
  ])('%s', (_, code, level, message) => {
    const lines: unknown[] = []
    const at = (level: number) => (_fields: object, message: string) =>
      void lines.push([level, message])
    const log = { debug: at(20), warn: at(40), error: at(50) }
    logTaskFailure(log, Object.assign(new Error('It did not work.'), { code }))
    expect(lines).toEqual([[level, message]])
  })
})

async function referToMissingUser(): Promise<void> {
  const row = { user_id: -1, project_id: -1, starred_since: new Date(0).toISOString() }
  await app.db.insertInto('project_stars').values(row).execute()
}
