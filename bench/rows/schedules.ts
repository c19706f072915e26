// Pipeline schedules that are all due in one minute: until each has its pipeline. The floor is a transaction
// for each that inserts as many rows, by the bare driver.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Bench } from '../bench.ts'
import { databaseOf, startCiServer } from '../ci-server.ts'
import { time_ms } from '../measure.ts'
import { below, type Measured, type Row } from '../row.ts'
import { startServer } from '../server.ts'
import type { Sizes } from '../sizes.ts'

/** A pipeline, its job and its spec, the number of the pipeline, and two changes of a task. */
const writes_a_pipeline = 6

function floor_s(bench: Bench, pipelines: number): number {
  const db = new Database(join(bench.folder, `bare-${bench.nextNumber()}.sqlite`))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table bare (id integer primary key, text text)')
  const insert = db.prepare('insert into bare (text) values (?)')
  const text = 'x'.repeat(200)
  const began = performance.now()
  for (let made = 0; made < pipelines; made++) {
    db.transaction(() => {
      for (let write = 0; write < writes_a_pipeline; write++) insert.run(text)
    })()
  }
  const duration_s = (performance.now() - began) / 1000
  db.close()
  return duration_s
}

async function measure(bench: Bench, schedules: number): Promise<Measured> {
  const config = { build: { script: 'true', rules: [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }] } }
  const ci = await startCiServer(bench, { config })
  await ci.server.stop()
  const db = new Database(databaseOf(ci))
  const due_at = new Date().toISOString()
  const insert = db.prepare(
    `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone,
      active, next_run_at, created_at, updated_at)
     values (?, (select id from users where username = 'root'), 'Nightly', 'main', '0 1 * * *', ?,
      true, ?, ?, ?)`,
  )
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
  db.transaction(() => {
    for (let made = 0; made < schedules; made++) {
      insert.run(ci.project_id, zones[made % zones.length], due_at, due_at, due_at)
    }
  })()
  const server = await startServer({ data: ci.data })
  const count = (sql: string) => Number((db.prepare(sql).get() as { n: number }).n)
  const reached = async (sql: string, wanted: number) => {
    while (count(sql) < wanted) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  let claimed_ms = 0
  const ours_ms = await time_ms(async () => {
    claimed_ms = await time_ms(() =>
      reached(
        `select count(*) as n from pipeline_schedules where next_run_at > '${due_at}'`,
        schedules,
      ),
    )
    await reached(`select count(*) as n from pipelines where source = 'schedule'`, schedules)
  })
  db.close()
  await server.stop()
  return {
    floor: { value: floor_s(bench, schedules), unit: 's', of: 'a bare transaction each' },
    ours: { value: ours_ms / 1000, unit: 's' },
    note: `all claimed after ${(claimed_ms / 1000).toFixed(1)} s`,
  }
}

export function scheduleRows({ heavy_mb }: Sizes): Row[] {
  const schedules = heavy_mb > 100 ? 10_000 : 500
  return [
    {
      name: `${schedules} pipeline schedules due in one minute`,
      goal: below(60, 's'),
      measure: (bench) => measure(bench, schedules),
    },
  ]
}
