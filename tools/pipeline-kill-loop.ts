// Kills the server and its built-in runner at random moments while pipelines run, and checks at the end that
// none was lost, that no job ran twice, and that what succeeded has its whole log and its artifacts.
// `node tools/pipeline-kill-loop.ts [pipelines] [seed]`
// Jobs count themselves in a file of the machine, which they do not see in a sandbox: it is run where none can be made,
// by `unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec node tools/...'`.
import type { ChildProcess } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf, freePort, generator, startServer } from './server-process.ts'

const pipelines_count = Number(process.argv[2] ?? 100)
const random = generator(Number(process.argv[3] ?? 1))
const token = 'glpat-the-token-of-the-kill-loop-x'
const data = mkdtempSync(join(tmpdir(), 'bloomery-kill-'))
const tally = join(data, 'tally')
const base = `http://127.0.0.1:${await freePort()}`
/** Longer than a job is waited for that its runner had not begun yet. */
const settling_ms_max = 5 * 60_000

const problems: string[] = []
function complain(problem: string): void {
  problems.push(problem)
  console.log(`PROBLEM: ${problem}`)
}

let server: ChildProcess | undefined
let isUp = false
let isEnding = false

async function start(): Promise<void> {
  server = await startServer({
    settings: {
      BLOOMERY_DATA: join(data, 'server'),
      BLOOMERY_PORT: new URL(base).port,
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_LOG_LEVEL: 'warn',
      BLOOMERY_RUNNER: 'builtin',
    },
    onLine(line) {
      if (line.level >= 50) complain(`the log says: ${JSON.stringify(line).slice(0, 1500)}`)
    },
    onEnd(code, signal, output) {
      if (signal !== 'SIGKILL' && !isEnding) complain(`the server ended with ${code}: ${output}`)
    },
  })
  isUp = true
}

function runnerOf(pid: number): number | undefined {
  return descendantsOf(pid).find((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('runner/main.ts')
    } catch {
      return false
    }
  })
}

/** Kills the runner, the server, or the server with all processes that it started. */
async function killSomething(): Promise<void> {
  const child = server
  if (child?.pid === undefined) return
  const kind = Math.floor(random() * 3)
  if (kind === 0) {
    const runner = runnerOf(child.pid)
    if (runner !== undefined) process.kill(runner, 'SIGKILL')
    return
  }
  const victims = kind === 2 ? descendantsOf(child.pid) : []
  isUp = false
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  for (const victim of victims) {
    try {
      process.kill(victim, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  await gone
  await start()
}

/** Undefined where the server went away before it answered. */
async function ask(method: string, path: string, body?: object): Promise<Response | undefined> {
  const headers = { 'private-token': token, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(30_000)
  return fetch(`${base}/api/v4${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
    signal,
  }).catch(() => undefined)
}

async function must<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await ask(method, path, body)
  if (answer?.ok) return (await answer.json()) as T
  throw new Error(`${method} ${path}: ${answer?.status} ${await answer?.text()}`)
}

async function listAll<T>(path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const some = await must<T[]>('GET', `${path}&per_page=100&page=${page}`)
    rows.push(...some)
    if (some.length < 100) return rows
  }
}

const config = {
  stages: ['make', 'use'],
  default: { retry: 2 },
  make: {
    stage: 'make',
    script: [`echo "$CI_JOB_ID" >>${tally}`, 'seq 2000', 'echo "$CI_JOB_ID" >made'],
    artifacts: { paths: ['made'] },
  },
  use: {
    stage: 'use',
    script: [`echo "$CI_JOB_ID" >>${tally}`, 'test -s made', 'sleep 0.2'],
  },
}

type Job = {
  id: number
  name: string
  status: string
  failure_reason?: string
  artifacts_file?: object
}

const final = ['success', 'failed', 'canceled', 'skipped']

async function main(): Promise<void> {
  appendFileSync(tally, '')
  await start()
  await must('PUT', '/application/settings', { allow_jobs_without_isolation: true })
  const { id } = await must<{ id: number }>('POST', '/projects', { name: 'p' })
  await must('POST', `/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'The pipeline [skip ci]',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: JSON.stringify(config) }],
  })
  const made = new Set<number>()
  let kills = 0
  let unanswered = 0
  while (made.size < pipelines_count) {
    if (random() < 0.15) {
      kills++
      await killSomething()
    }
    const answer = await ask('POST', `/projects/${id}/pipeline?ref=main`)
    if (answer?.status === 201) made.add(((await answer.json()) as { id: number }).id)
    else if (answer) complain(`a pipeline was refused: ${answer.status} ${await answer.text()}`)
    else unanswered++
    await pause(random() * 400)
  }
  const until = Date.now() + settling_ms_max
  for (;;) {
    const alive = await listAll<Job>(`/projects/${id}/pipelines?`)
    const open = alive.filter(({ status }) => !final.includes(status))
    if (open.length === 0) break
    if (Date.now() > until) {
      complain(`${open.length} pipelines never ended`)
      break
    }
    await pause(1000)
  }
  await check(id, made, unanswered)
  isEnding = true
  server?.kill('SIGTERM')
  console.log(`${kills} kills, ${problems.length} problems`)
}

async function check(id: number, made: ReadonlySet<number>, unanswered: number): Promise<void> {
  const pipelines = await listAll<{ id: number; status: string }>(
    `/projects/${id}/pipelines?source=api`,
  )
  const known = new Set(pipelines.map((pipeline) => pipeline.id))
  for (const one of made) if (!known.has(one)) complain(`pipeline ${one} is lost`)
  if (pipelines.length > made.size + unanswered)
    complain('there are more pipelines than were asked')
  const runs = new Map<string, number>()
  for (const line of readFileSync(tally, 'utf8').split('\n').filter(Boolean)) {
    runs.set(line, (runs.get(line) ?? 0) + 1)
  }
  if (runs.size === 0) complain('no job has counted itself: jobs run in a sandbox here')
  for (const [job, count] of runs) if (count > 1) complain(`job ${job} ran ${count} times`)
  const jobs = await listAll<Job>(`/projects/${id}/jobs?include_retried=true`)
  const reasons = new Map<string, number>()
  for (const job of jobs) {
    const why = job.status === 'failed' ? `failed: ${job.failure_reason}` : job.status
    reasons.set(why, (reasons.get(why) ?? 0) + 1)
    if (job.failure_reason === 'script_failure') complain(`job ${job.id} failed by its script`)
    if (job.status !== 'success') continue
    if (runs.get(String(job.id)) !== 1) complain(`job ${job.id} succeeded without having run`)
    const log = await (await ask('GET', `/projects/${id}/jobs/${job.id}/trace`))?.text()
    if (!log?.includes('Job succeeded')) complain(`the log of job ${job.id} has no end`)
    if (job.name === 'make') {
      if (!log?.includes('\n1999\n2000\n')) complain(`the log of job ${job.id} is not whole`)
      if (!job.artifacts_file) complain(`job ${job.id} has no artifacts`)
    }
  }
  console.log(`${pipelines.length} pipelines, ${jobs.length} jobs`, Object.fromEntries(reasons))
}

try {
  await main()
} finally {
  isEnding = true
  server?.kill('SIGTERM')
  await pause(isUp ? 3000 : 0)
  rmSync(data, { recursive: true, force: true })
}
process.exit(problems.length > 0 ? 1 : 0)
