// Pipelines: made through the API, their jobs handed out and their logs taken in, and the way from a push to
// its first job. Floors write the same rows by the bare driver, with the same indexes.
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { planPipeline } from '../../src/ci/plan-pipeline.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import type { Bench } from '../bench.ts'
import { type CiServer, databaseOf, startCiServer } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { runGit } from '../machine.ts'
import { median, time_ms, timePairs } from '../measure.ts'
import { atMost, type Goal, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { type Kind, kinds } from '../town-server.ts'

const jobs_a_pipeline = 500
const jobs_pending = 10_000
const runners = 50
const projects = 10
const kb = 1024

const stages = ['build', 'check', 'test', 'pack', 'deploy']

/** So many jobs in five stages, of three lines each. */
function configOf(jobs: number): object {
  const job = (n: number) => ({
    stage: stages[n % stages.length],
    script: ['./configure', `make part-${n}`, 'make check'],
    variables: { PART: String(n) },
  })
  return {
    stages,
    ...Object.fromEntries(Array.from({ length: jobs }, (_, n) => [`part-${n}`, job(n)])),
  }
}

const p90Of = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? Number.NaN

/** A copy of a database as it is, to be written by the bare driver. */
async function copyOf(path: string): Promise<Database.Database> {
  const source = new Database(path)
  await source.backup(`${path}-copy`)
  source.close()
  const copy = new Database(`${path}-copy`)
  copy.pragma('journal_mode = WAL')
  copy.pragma('synchronous = FULL')
  copy.pragma('foreign_keys = ON')
  return copy
}

type BareRow = Record<string, unknown>

/** Inserts the row with some of its values changed, by a statement prepared once; answers its id. */
function inserter(db: Database.Database, table: string) {
  const names = db.pragma(`table_info(${table})`) as { name: string }[]
  const columns = names.map(({ name }) => name).filter((name) => name !== 'id')
  const statement = db.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return (row: BareRow, changes: BareRow) =>
    statement.run(columns.map((name) => (name in changes ? changes[name] : row[name])))
      .lastInsertRowid
}

/** Inserts a pipeline like the newest one, with its jobs and their specs, in one transaction. */
function bareInserts(db: Database.Database): () => void {
  const pipeline = db.prepare('select * from pipelines order by id desc limit 1').get() as BareRow
  const jobs = db.prepare('select * from jobs where pipeline_id = ?').all(pipeline.id) as BareRow[]
  const specs = new Map(
    (db.prepare('select * from job_specs').all() as BareRow[]).map((spec) => [spec.job_id, spec]),
  )
  const insertPipeline = inserter(db, 'pipelines')
  const insertJob = inserter(db, 'jobs')
  const insertSpec = inserter(db, 'job_specs')
  let iid = 1_000_000
  return db.transaction(() => {
    const pipeline_id = insertPipeline(pipeline, { iid: iid++, origin: null })
    for (const job of jobs) {
      const job_id = insertJob(job, { pipeline_id })
      insertSpec(specs.get(job.id) ?? {}, { job_id })
    }
  })
}

async function measureCreation(bench: Bench, jobs: number): Promise<Measured> {
  const config = configOf(jobs)
  const ci = await startCiServer(bench, { config })
  const create = () => ci.post(`/projects/${ci.project_id}/pipeline`, { ref: 'main' })
  for (let warming = 0; warming < 5; warming++) await create()
  const bare = await copyOf(databaseOf(ci))
  const insert = bareInserts(bare)
  const pairs = Array.from({ length: bench.sizes.samples }, () => ({
    floor: async () => insert(),
    ours: create,
  }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  bare.close()
  await ci.server.stop()
  const plans: number[] = []
  for (const _ of pairs) plans.push(await time_ms(() => plan(config)))
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'bare inserts' },
    ours: { value: ours_ms, unit: 'ms' },
    note: `${(1000 / ours_ms).toFixed(1)} a second; ${median(plans).toFixed(1)} ms of it planning`,
  }
}

const plan = (config: object) =>
  planPipeline({
    text: JSON.stringify(config),
    path: '.gitlab-ci.yml',
    event: {
      source: 'api',
      ref: 'main',
      tag: false,
      project_path: 'smith/furnace',
      predefined: {},
      given: {},
    },
    files: {
      read: async () => ({ problem: '' }),
      listPaths: async () => [],
      listChanges: async () => undefined,
    },
  })

type Queue = { ci: CiServer; tokens: string[]; close: () => Promise<void> }

/** A server with many pending jobs in some projects, and runners of the instance or of one project each. */
async function openQueue(
  bench: Bench,
  { kind, type, pending }: { kind: Kind; type: string; pending: number },
): Promise<Queue> {
  const postgres = kind === 'SQLite' ? undefined : await startPostgres()
  const env = postgres ? { BLOOMERY_DATABASE_URL: postgres.url } : undefined
  const parts = { parallel: 100, script: ['make'] }
  const config = { a: parts, b: parts, c: parts, d: parts, e: parts }
  const ci = await startCiServer(bench, { config, env })
  const ids: number[] = []
  for (let n = 0; n < projects; n++) ids.push(await ci.makeProject(`kiln-${n}`, config))
  for (let n = 0; n < pending / jobs_a_pipeline; n++) {
    await ci.post(`/projects/${ids[n % projects]}/pipeline`, { ref: 'main' })
  }
  const tokens: string[] = []
  for (let n = 0; n < runners; n++) {
    const of = type === 'project_type' ? { project_id: ids[n % projects] } : {}
    tokens.push((await ci.post('/user/runners', { runner_type: type, ...of })).json.token)
  }
  return {
    ci,
    tokens,
    async close() {
      await ci.server.stop()
      await postgres?.stop()
    },
  }
}

const p90Below = (most_ms: number): Goal => ({
  text: `p90 < ${most_ms} ms`,
  isMet: ({ note = '' }) => Number(/p90 ([\d.]+)/.exec(note)?.[1] ?? Infinity) < most_ms,
})

type QueueKind = { kind: Kind; type: string; pending: number }

/** How often the stock runner asks. */
const asks_every_ms = 3000

/** Every runner asks for a job now and then, and ends the one it got. The floor is a bare claim, right after. */
async function measureHandOut(bench: Bench, queue: QueueKind): Promise<Measured> {
  const { ci, tokens, close } = await openQueue(bench, queue)
  const times: number[] = []
  const end_ms = performance.now() + bench.sizes.rate_s * 3000
  await Promise.all(
    tokens.map(async (token, number) => {
      await setTimeout((asks_every_ms * number) / runners)
      while (performance.now() < end_ms) {
        const began = performance.now()
        const { status, json } = await ci.post('/jobs/request', { token })
        times.push(performance.now() - began)
        if (status === 201) await endJob(ci, json)
        await setTimeout(Math.max(0, asks_every_ms - (performance.now() - began)))
      }
    }),
  )
  const floor = queue.kind === 'SQLite' ? await bareClaims(ci, bench.sizes.rate_s * 250) : undefined
  await close()
  return {
    ...(floor && { floor: { value: 1000 / floor, unit: 'ms', of: 'two bare updates' } }),
    ours: { value: median(times), unit: 'ms' },
    note: `p90 ${p90Of(times).toFixed(1)} ms; each asks every 3 s and ends its job`,
  }
}

const endJob = (ci: CiServer, { id, token }: { id: number; token: string }) =>
  callWell(`${ci.server.url}/api/v4/jobs/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, state: 'success' }),
  })

/** All runners ask as fast as they are answered. */
async function measureRate(bench: Bench, queue: QueueKind): Promise<Measured> {
  const { ci, tokens, close } = await openQueue(bench, queue)
  let taken = 0
  const duration_ms = bench.sizes.rate_s * 1000
  const end_ms = performance.now() + duration_ms
  const whole_ms = await time_ms(() =>
    Promise.all(
      tokens.map(async (token) => {
        while (performance.now() < end_ms) {
          if ((await ci.post('/jobs/request', { token })).status === 201) taken++
        }
      }),
    ),
  )
  const floor = queue.kind === 'SQLite' ? await bareClaims(ci, duration_ms / 4) : undefined
  await close()
  return {
    ...(floor && { floor: { value: floor, unit: '/s', of: 'two bare updates' } }),
    ours: { value: (taken / whole_ms) * 1000, unit: '/s' },
  }
}

/** Jobs a second that are marked as running, with their pipelines, by the bare driver. */
async function bareClaims(ci: CiServer, duration_ms: number): Promise<number> {
  const db = await copyOf(databaseOf(ci))
  const find = db.prepare(`select id, pipeline_id from jobs where status = 'pending' limit 1`)
  const run = db.prepare(`update jobs set status = 'running', token_digest = ? where id = ?`)
  const touch = db.prepare('update pipelines set updated_at = ? where id = ?')
  let claimed = 0
  const whole_ms = await time_ms(async () => {
    const end_ms = performance.now() + duration_ms
    for (; performance.now() < end_ms; claimed++) {
      const job = find.get() as { id: number; pipeline_id: number } | undefined
      if (!job) break
      db.transaction(() => {
        touch.run(String(claimed), job.pipeline_id)
        run.run(String(claimed), job.id)
      })()
    }
  })
  db.close()
  return (claimed / whole_ms) * 1000
}

async function measureLog(bench: Bench, bytes: number): Promise<Measured> {
  const ci = await startCiServer(bench, { config: { build: { script: 'true' } } })
  await ci.post(`/projects/${ci.project_id}/pipeline`, { ref: 'main' })
  const job = await ci.takeJob()
  const bare = await copyOf(databaseOf(ci))
  const insert = bare.prepare('insert into job_log_parts values (?, ?, ?)')
  const body = Buffer.alloc(bytes, 'a line of a log\n')
  const pairs = Array.from({ length: bench.sizes.samples * 2 }, (_, n) => ({
    floor: async () => insert.run(job.id, n * bytes, body),
    ours: () =>
      callWell(`${ci.server.url}/api/v4/jobs/${job.id}/trace`, {
        method: 'PATCH',
        headers: {
          'job-token': job.token,
          'content-type': 'text/plain',
          'content-range': `${n * bytes}-${(n + 1) * bytes - 1}`,
        },
        body,
      }),
  }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  bare.close()
  await ci.server.stop()
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'bare insert with fsync' },
    ours: { value: ours_ms, unit: 'ms' },
    note: `${(1000 / ours_ms).toFixed(0)} parts a second`,
  }
}

/** A runner waits while somebody pushes. The floor is the same push over file://, without any pipeline. */
async function measurePush(bench: Bench): Promise<Measured> {
  const ci = await startCiServer(bench, { config: { build: { script: 'true' } } })
  const { token } = (await ci.post('/user/runners', { runner_type: 'instance_type' })).json
  // The job of the project's first commit.
  await endJob(ci, await ci.takeJob())
  const url = new URL(`${ci.server.url}/root/furnace.git`)
  url.username = 'root'
  url.password = ci.headers['private-token'] ?? ''
  const [copy, bare] = [bench.newFolder('pusher'), bench.newFolder('pushed')]
  await runGit(['clone', '--quiet', url.href, copy])
  await runGit(['clone', '--quiet', '--bare', url.href, bare])
  const git = (...args: string[]) =>
    runGit(['-C', copy, '-c', 'user.name=Smith', '-c', 'user.email=smith@bloomery.test', ...args])
  const floors: number[] = []
  const fromStart: number[] = []
  const fromEnd: number[] = []
  for (let n = 0; n < bench.sizes.samples; n++) {
    await git('commit', '--quiet', '--allow-empty', `--message=Stroke ${n}`)
    const sha = (await git('rev-parse', 'HEAD')).trim()
    floors.push(await time_ms(() => git('push', '--quiet', `file://${bare}`, 'main')))
    const taken = ci
      .post('/jobs/request', { token, last_update: 'waiting' })
      .then(({ json }) => ({ job: json, at_ms: performance.now() }))
    // Until it waits.
    await setTimeout(100)
    const began_ms = performance.now()
    await git('push', '--quiet', 'origin', 'main')
    const pushed_ms = performance.now()
    const { job, at_ms } = await taken
    if (job?.git_info?.sha !== sha) throw new Error('The runner got another job.')
    fromStart.push(at_ms - began_ms)
    fromEnd.push(Math.max(0, at_ms - pushed_ms))
    await endJob(ci, job)
  }
  await ci.server.stop()
  return {
    floor: { value: median(floors), unit: 'ms', of: 'the push over file://' },
    ours: { value: median(fromStart), unit: 'ms' },
    note: `from the start of the push; after its end p90 ${p90Of(fromEnd).toFixed(1)} ms`,
  }
}

export function pipelineRows({ heavy_mb }: Sizes): Row[] {
  const pending = heavy_mb > 100 ? jobs_pending : 1000
  const types = { instance_type: 'of the instance', project_type: 'of projects' }
  return [
    {
      name: 'pipeline of 1 job',
      measure: (bench) => measureCreation(bench, 1),
    },
    {
      name: `pipeline of ${jobs_a_pipeline} jobs`,
      goal: atMost(4),
      measure: (bench) => measureCreation(bench, jobs_a_pipeline),
    },
    ...kinds.flatMap((kind) =>
      Object.entries(types).flatMap(([type, text]): Row[] => [
        {
          name: `job hand-out, ${pending} pending, ${runners} runners ${text}, ${kind}`,
          goal: p90Below(20),
          measure: (bench) => measureHandOut(bench, { kind, type, pending }),
        },
        {
          name: `jobs handed out, ${pending} pending, ${runners} runners ${text}, ${kind}`,
          measure: (bench) => measureRate(bench, { kind, type, pending }),
        },
      ]),
    ),
    { name: 'log, part of 4 KB', measure: (bench) => measureLog(bench, 4 * kb) },
    { name: 'log, part of 1 MiB', measure: (bench) => measureLog(bench, kb * kb) },
    { name: 'push to first job', goal: p90Below(150), measure: measurePush },
  ]
}
