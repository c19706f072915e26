// How soon a background task begins after it was asked for, and how many a lane runs, on both databases
// and with many waiting. The floor is the statements that cannot be done without, by the bare driver.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/db/db.ts'
import { isPostgres, toJson } from '../../src/db/dialect.ts'
import { openDatabase } from '../../src/db/open.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import {
  defineTask,
  enqueue,
  type Task,
  type TaskName,
  type TaskPayload,
} from '../../src/tasks/task.ts'
import { Worker } from '../../src/tasks/worker.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import type { Bench } from '../bench.ts'
import { median, time_ms } from '../measure.ts'
import type { Measured, Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { type Kind, kinds } from '../town-server.ts'

const many = 100_000

type Queue = {
  db: Db
  /** Runs a statement by the bare driver. */
  bare: (text: string) => Promise<unknown>
  close: () => Promise<void>
}

async function openQueue(bench: Bench, kind: Kind): Promise<Queue> {
  return kind === 'SQLite' ? onSqlite(bench.newFolder('queue')) : onPostgres()
}

async function onSqlite(folder: string): Promise<Queue> {
  mkdirSync(folder, { recursive: true })
  const db = await openDatabase({ url: join(folder, 'bloomery.sqlite') })
  const driver = new Database(join(folder, 'bare.sqlite'))
  driver.pragma('journal_mode = WAL')
  driver.pragma('synchronous = FULL')
  return {
    db,
    bare: async (text) => driver.prepare(text).run(),
    async close() {
      driver.close()
      await db.destroy()
    },
  }
}

async function onPostgres(): Promise<Queue> {
  const postgres = await startPostgres()
  const db = await openDatabase({ url: postgres.url })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  return {
    db,
    bare: (text) => client.query(text),
    async close() {
      await client.end()
      await db.destroy()
      await postgres.stop()
    },
  }
}

/** Rows `from` up to `to` of a task, due at once or in an hour. */
async function fill(
  db: Db,
  { task, from, to, isDue }: { task: TaskName; from: number; to: number; isDue: boolean },
): Promise<void> {
  const now_ms = systemClock().getTime()
  const now = new Date(now_ms).toISOString()
  const run_at = new Date(now_ms + (isDue ? 0 : 3_600_000)).toISOString()
  const row = { name: task.name, lane: task.lane, payload: toJson({}), run_at, created_at: now }
  for (let at = from; at < to; at += 1000) {
    const keys = Array.from({ length: Math.min(1000, to - at) }, (_, n) => String(at + n))
    await db
      .insertInto('tasks')
      .values(keys.map((key) => ({ ...row, key })))
      .execute()
  }
  await (isPostgres(db) ? sql`vacuum analyze tasks` : sql`analyze`).execute(db)
}

function workerOf(db: Db, tasks: Task<TaskPayload, unknown>[]): Worker<unknown> {
  const onError = (error: unknown) => {
    throw error
  }
  return new Worker<unknown>({ db, clock: systemClock, tasks, uses: undefined, onError })
}

/** An email asked for while repositories are packed: half of what waits is due in that lane, half is mail for later. */
async function measureStart(
  { db, bare }: Queue,
  waiting: number,
  samples: number,
): Promise<Measured> {
  let begun = () => {}
  const email = defineTask({ name: 'email', lane: 'mail', run: async () => begun() })
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  const stuck = defineTask({ name: 'stuck', lane: 'upkeep', run: () => isOpen })
  await fill(db, { task: stuck, from: 0, to: waiting / 2, isDue: true })
  await fill(db, { task: email, from: waiting / 2, to: waiting, isDue: false })
  const worker = workerOf(db, [email, stuck])
  await worker.start()
  await bare('create table bare (id integer primary key, owner text)')
  const floors: number[] = []
  const ours: number[] = []
  try {
    for (let n = 0; n < samples; n++) {
      floors.push(
        await time_ms(async () => {
          await bare(`insert into bare (id) values (${n})`)
          await bare(`update bare set owner = 'me' where id = ${n} and owner is null`)
        }),
      )
      ours.push(
        await time_ms(async () => {
          const hasBegun = new Promise<void>((resolve) => {
            begun = resolve
          })
          await enqueue(db, systemClock, { task: email, key: `new-${n}`, payload: {} })
          await hasBegun
        }),
      )
    }
  } finally {
    await db.deleteFrom('tasks').where('name', '=', 'stuck').where('owner_id', 'is', null).execute()
    open()
    await worker.stop()
  }
  ours.sort((a, b) => a - b)
  const p90 = ours[Math.floor(ours.length * 0.9)] ?? 0
  return {
    floor: { value: median(floors), unit: 'ms', of: 'bare insert and update' },
    ours: { value: median(ours), unit: 'ms' },
    note: `p90 ${p90.toFixed(1)} ms`,
  }
}

/** Tasks that do nothing, of one lane in one process. */
async function measureRate({ db, bare }: Queue, rate_s: number): Promise<Measured> {
  let runs = 0
  const nothing = defineTask({ name: 'nothing', lane: 'mail', run: async () => void runs++ })
  await fill(db, { task: nothing, from: 0, to: many, isDue: true })
  const worker = workerOf(db, [nothing])
  const ours_ms = await time_ms(async () => {
    await worker.start()
    await new Promise((resolve) => setTimeout(resolve, rate_s * 1000))
    await worker.stop()
  })
  await bare('create table bare (id integer primary key, owner text)')
  let pairs = 0
  const floor_ms = await time_ms(async () => {
    const end_ms = systemClock().getTime() + rate_s * 1000
    for (; systemClock().getTime() < end_ms; pairs++) {
      await bare(`insert into bare (id) values (${pairs})`)
      await bare(`delete from bare where id = ${pairs}`)
    }
  })
  return {
    floor: { value: (pairs / floor_ms) * 1000, unit: '/s', of: 'two bare writes' },
    ours: { value: (runs / ours_ms) * 1000, unit: '/s' },
    note: 'claimed, run and removed',
  }
}

async function withQueue(
  bench: Bench,
  kind: Kind,
  measure: (queue: Queue) => Promise<Measured>,
): Promise<Measured> {
  const queue = await openQueue(bench, kind)
  try {
    return await measure(queue)
  } finally {
    await queue.close()
  }
}

export function taskRows({ samples, rate_s }: Sizes): Row[] {
  return kinds.flatMap((kind) => [
    ...[0, many].map(
      (waiting): Row => ({
        name: `task begins after it is asked for, ${waiting} waiting, ${kind}`,
        goal: {
          text: 'p90 < 50 ms',
          isMet: ({ note = '' }) => Number(/p90 ([\d.]+)/.exec(note)?.[1] ?? Infinity) < 50,
        },
        measure: (bench) =>
          withQueue(bench, kind, (queue) => measureStart(queue, waiting, samples * 5)),
      }),
    ),
    {
      name: `tasks of one lane, ${many} waiting, ${kind}`,
      measure: (bench) => withQueue(bench, kind, (queue) => measureRate(queue, rate_s)),
    },
  ])
}
