import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobPayload, JobUpdate } from '../src/ci/protocol.ts'
import { runJobs } from './job-loop.ts'
import { ProtocolClient } from './protocol-client.ts'

// The other end of the protocol, as a script of answers: what a server says when things go wrong is not
// to be had from a good one.

type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }
type Told = {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Happens a moment before the answer goes out. */
  before?: () => void
}

let folder = ''
let server: Server
let url = ''
let asked: Asked[] = []
/** The jobs to be handed out. */
let waiting: JobPayload[] = []
/** Answers other than the usual ones, taken one at a time, by the beginning of method and path. */
let answers: Record<string, Told[]> = {}
let logs: Map<number, Buffer> = new Map()
let updates: (JobUpdate & { id: number })[] = []
let onLog: (text: string) => void = () => {}
let leaving = new AbortController()
let stopping = new AbortController()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloomery-runner-'))
  ;[asked, waiting, answers, updates] = [[], [], {}, []]
  logs = new Map()
  onLog = () => {}
  leaving = new AbortController()
  stopping = new AbortController()
  server = createServer(async (request, response) => {
    const body = await buffer(request)
    tell(response, answer(request, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function tell(response: ServerResponse, { status, headers, body = '', before }: Told): void {
  if (before) {
    before()
    setTimeout(() => tell(response, { status, headers, body }), 50)
    return
  }
  response.writeHead(status, headers).end(body)
}

function answer({ method = '', url: path = '', headers }: IncomingMessage, body: Buffer): Told {
  asked.push({ method, path, headers, body })
  const name = `${method} ${path.replace('/api/v4', '')}`
  const key = Object.keys(answers).find((one) => name.startsWith(one) && answers[one]?.length)
  if (key) return answers[key]?.shift() as Told
  const id = Number(/\/jobs\/(\d+)/.exec(path)?.[1])
  if (path.endsWith('/jobs/request')) {
    const job = waiting.shift()
    if (job) return { status: 201, body: JSON.stringify(job) }
    // Nothing more to do, as soon as all have ended.
    if (updates.filter(({ state }) => state !== 'running').length >= expected) leaving.abort()
    return { status: 204, headers: { 'X-GitLab-Last-Update': String(asked.length) } }
  }
  if (method === 'PATCH') {
    const log = logs.get(id) ?? Buffer.alloc(0)
    const start = Number(String(headers['content-range']).split('-')[0])
    const next = start === log.length ? Buffer.concat([log, body]) : log
    logs.set(id, next)
    onLog(next.toString())
    const status = start + body.length === next.length ? 202 : 416
    return { status, headers: { Range: `0-${next.length}` } }
  }
  if (method === 'PUT') {
    const update = JSON.parse(body.toString()) as JobUpdate
    updates.push({ id, ...update })
    return { status: 200 }
  }
  return { status: 201 }
}

let expected = 1

async function run(
  jobs: JobPayload[],
  {
    data = join(folder, 'data'),
    concurrency = 1,
    isIsolated = true,
    idle_ms_max = Number.POSITIVE_INFINITY,
  }: { data?: string; concurrency?: number; isIsolated?: boolean; idle_ms_max?: number } = {},
): Promise<string[]> {
  waiting = jobs
  expected = jobs.length
  const messages: string[] = []
  await runJobs({
    client: new ProtocolClient(`${url}/`),
    runner: {
      token: 'runner-token',
      version: '1',
      searchPath: process.env.PATH ?? '',
      isIsolated,
      hidden: [],
    },
    data,
    concurrency,
    idle_ms_max,
    leaving: leaving.signal,
    stopping: stopping.signal,
    onMessage: (text) => messages.push(text),
  })
  return messages
}

const job = (script: string[], more: Partial<JobPayload> = {}): JobPayload => ({
  id: 7,
  token: 'job-token-0123',
  allow_git_fetch: true,
  job_info: { name: 'unit', stage: 'test', project_id: 4, project_name: 'demo' },
  git_info: {
    repo_url: `${url}/demo.git`,
    ref: 'main',
    sha: '0'.repeat(40),
    before_sha: '0'.repeat(40),
    ref_type: 'branch',
    refspecs: [],
    depth: 0,
  },
  runner_info: { timeout: 30 },
  steps: [{ name: 'script', script, timeout: 30, when: 'on_success', allow_failure: false }],
  image: null,
  services: null,
  artifacts: null,
  cache: null,
  credentials: null,
  dependencies: null,
  features: { trace_sections: true, failure_reasons: ['script_failure', 'runner_system_failure'] },
  ...more,
  variables: [
    { key: 'GIT_STRATEGY', value: 'none', public: true, masked: false },
    ...(more.variables ?? []),
  ],
})
const afterScript = (script: string[]): JobPayload['steps'][number] => ({
  name: 'after_script',
  script,
  timeout: 30,
  when: 'always',
  allow_failure: true,
})
const final = () => updates.filter(({ state }) => state !== 'running')
const logOf = (id = 7) => (logs.get(id) ?? '').toString()

describe('a job', () => {
  it('leaves when it has had no job for as long as it may', async () => {
    const quick = job(['echo done'])
    // With more to do than there is, nobody else tells it to leave.
    const running = run([quick], { idle_ms_max: 1 })
    expected = 2
    await running
    expect(leaving.signal.aborted).toBe(false)
    expect(updates.map(({ state }) => state)).toEqual(['success'])
  })

  it('is asked for, run, and told of with the whole log', async () => {
    await run([job(['echo "$CI_SERVER $CI_JOB_STATUS $HOME"', 'basename "$PWD"'])])
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: { 'runner-token': 'runner-token' },
    })
    expect(JSON.parse(String(asked[0]?.body))).toMatchObject({
      token: 'runner-token',
      info: { executor: 'shell', features: { refspecs: true, return_exit_code: true } },
    })
    expect(logOf()).toMatch(/\nyes running \S+\/jobs\/7\/home\n/)
    expect(logOf()).toMatch(/basename .*\n4\n/)
    expect(logOf()).toMatch(/Job succeeded.*\n$/)
    const [update] = final()
    expect(update).toMatchObject({
      id: 7,
      token: 'job-token-0123',
      state: 'success',
      output: { bytesize: logs.get(7)?.length },
    })
    expect(update).not.toHaveProperty('failure_reason')
    expect(readdirSync(join(folder, 'data/jobs'))).toEqual([])
  })

  it('fails with the status of its command, and still runs after_script in a shell of its own', async () => {
    const steps = job(['X=1', 'exit 42']).steps
    const after = afterScript([`echo "after $CI_JOB_STATUS \${X-unset}"`, 'exit 3'])
    await run([job([], { steps: [...steps, after] })])
    expect(final()).toMatchObject([
      { state: 'failed', failure_reason: 'script_failure', exit_code: 42 },
    ])
    expect(logOf()).toContain('\nafter failed unset\n')
    expect(logOf()).toContain('ERROR: Job failed: exit code 42')
  })

  it('ends with all it started when its time is over', async () => {
    const reasons = ['script_failure', 'job_execution_timeout']
    const after = afterScript(['echo never'])
    const slow = job(['sleep 60 & wait'], {
      runner_info: { timeout: 1 },
      features: { trace_sections: true, failure_reasons: reasons },
    })
    await run([{ ...slow, steps: [...slow.steps, after] }])
    expect(final()).toMatchObject([{ state: 'failed', failure_reason: 'job_execution_timeout' }])
    expect(logOf()).toContain('execution took longer than 1 s')
    expect(logOf()).not.toContain('never')
  })

  it('is killed when the server says it was cancelled, and nothing more is sent', async () => {
    const after = afterScript(['echo never'])
    const slow = job(['echo begun', 'sleep 60'])
    answers['PATCH /jobs/7'] = [{ status: 202, headers: { 'Job-Status': 'canceled' } }]
    expected = 0
    const ended = run([{ ...slow, steps: [...slow.steps, after] }])
    await expect
      .poll(() => asked.filter(({ method }) => method === 'PATCH').length, { timeout: 5000 })
      .toBe(1)
    leaving.abort()
    await ended
    expect(asked.filter(({ method }) => method === 'PATCH' || method === 'PUT')).toHaveLength(1)
    expect(existsSync(join(folder, 'data/jobs/7'))).toBe(false)
  })

  it('still runs after_script when the server asks it to end in good order', async () => {
    const slow = job(['echo begun', 'sleep 60'])
    const after = afterScript(['echo "after $CI_JOB_STATUS"'])
    // Nothing is stored of a piece that is answered with another range.
    answers['PATCH /jobs/7'] = [
      { status: 416, headers: { Range: '0-0', 'Job-Status': 'canceling' } },
    ]
    await run([{ ...slow, steps: [...slow.steps, after] }])
    expect(logOf()).toContain('\nafter canceled\n')
    expect(final()).toMatchObject([{ state: 'failed' }])
  })

  it('sends again what the server lost, and all of it when the sum is wrong', async () => {
    answers['PATCH /jobs/7'] = [{ status: 503 }, { status: 416, headers: { Range: '0-0' } }]
    answers['PUT /jobs/7'] = [{ status: 500 }, { status: 412 }, { status: 202 }]
    logs.set(7, Buffer.alloc(0))
    const before = run([job(['echo hello'])])
    await before
    expect(logOf()).toContain('\nhello\n')
    expect(final()).toMatchObject([{ state: 'success', output: { bytesize: logs.get(7)?.length } }])
  })

  it('sends a long log in pieces of a megabyte, and no more than its limit', async () => {
    await run([job(['head -c 6000000 /dev/zero | tr "\\0" x'])])
    const pieces = asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body.length)
    expect(Math.max(...pieces)).toBe(1024 * 1024)
    expect(logOf().length).toBeGreaterThan(4 * 1024 * 1024)
    expect(logOf().length).toBeLessThan(4 * 1024 * 1024 + 500)
    expect(logOf()).toContain('reached its limit of 4194304 bytes')
    expect(final()).toMatchObject([{ state: 'success' }])
  })

  it('shows no masked value, nor its own token', async () => {
    const variables = [{ key: 'KEY', value: 'sesame-open', public: false, masked: true }]
    const script = ['printf sesame', 'sleep 0.05', 'printf -- "-open\\n"', 'echo job-token-0123']
    await run([job(script, { variables })])
    expect(logOf()).not.toContain('job-token-0123')
    expect(logOf()).toContain('[MASKED]\n')
    await run([job(['printf sesame; sleep 0.1; printf -- "-open\\n"'], { variables })])
    expect(logOf()).not.toMatch(/^sesame-open$/m)
  })

  it('has file variables outside of its folder, for itself alone, and no longer', async () => {
    const variables = [{ key: 'CFG', value: 'a=$B', public: false, masked: false, file: true }]
    await run([job(['cat "$CFG"', 'stat -c %a "$CFG"', 'echo "$CFG"'], { variables })])
    expect(logOf()).toContain('\na=\u001b')
    expect(logOf()).toMatch(/\n600\n/)
    const path = /^(\/.*files\/CFG)$/m.exec(logOf())?.[1] ?? ''
    expect(path).toContain('/jobs/7/files/CFG')
    expect(existsSync(path)).toBe(false)
  })

  it('with services is refused in one clear line', async () => {
    await run([
      job(['echo never'], { services: [{ name: 'postgres:17' }], image: { name: 'alpine' } }),
    ])
    expect(logOf()).toContain('The image alpine is ignored: this runner has no containers.')
    expect(logOf()).toContain(
      'ERROR: Job failed: this runner has no containers, so it cannot start the services postgres:17',
    )
    expect(logOf()).not.toContain('never')
    // The reason of its own is not among those this server knows.
    expect(final()).toMatchObject([{ state: 'failed', failure_reason: 'runner_system_failure' }])
  })
})

describe('what jobs hand in and over', () => {
  const archive = {
    name: 'out-$CI_SERVER',
    untracked: null,
    paths: ['out/'],
    exclude: ['**/*.tmp'],
    when: null,
    expire_in: '1 week',
    artifact_type: 'archive',
    artifact_format: 'zip' as const,
  }
  const uploads = () =>
    asked
      .filter(({ method, path }) => method === 'POST' && path.includes('/artifacts'))
      .map(({ path, headers, body }) => {
        const begin = body.indexOf('\r\n\r\n')
        const end = body.lastIndexOf('\r\n--')
        return {
          path: path.replace('/api/v4', ''),
          token: headers['job-token'],
          length: headers['content-length'],
          filename: /filename="([^"]*)"/.exec(body.subarray(0, begin).toString())?.[1],
          bytes: body.subarray(begin + 4, end),
        }
      })
  const make = ['mkdir -p out', 'echo a >out/a', 'echo t >out/b.tmp', 'echo "<x/>" >r1.xml r2.xml']

  it('goes up as one archive, chunked, and is unpacked by the next job', async () => {
    await run([job(make, { artifacts: [archive] })])
    const [upload] = uploads()
    expect(upload).toMatchObject({
      path: '/jobs/7/artifacts?artifact_format=zip&artifact_type=archive&expire_in=1+week',
      token: 'job-token-0123',
      length: undefined,
      filename: 'out-yes.zip',
    })
    leaving = new AbortController()
    updates = []
    answers['GET /jobs/7/artifacts'] = [{ status: 503 }, { status: 200, body: upload?.bytes }]
    const artifacts_file = { filename: 'out.zip', size: upload?.bytes.length ?? 0 }
    const dependencies = [
      { id: 6, name: 'none', token: 'x' },
      { id: 7, name: 'unit', token: 'job-token-0123', artifacts_file },
    ]
    await run([job(['ls out', 'cat out/a'], { id: 8, dependencies })])
    const fetched = asked.filter(({ method }) => method === 'GET')
    expect(fetched.map(({ path }) => path)).toEqual(
      Array(2).fill('/api/v4/jobs/7/artifacts?direct_download=true'),
    )
    expect(logOf(8)).toMatch(/\$ ls out.*\na\n/)
    expect(final()).toMatchObject([{ id: 8, state: 'success' }])
  })

  it('goes up as compressed and raw reports, on failure too where they say so', async () => {
    const junit = {
      ...archive,
      name: 'junit.xml',
      paths: ['r*.xml'],
      when: 'always' as const,
      expire_in: null,
      artifact_type: 'junit',
      artifact_format: 'gzip' as const,
    }
    const raw = {
      ...junit,
      name: 'gl-sast.json',
      paths: ['r1.xml'],
      artifact_type: 'sast',
      artifact_format: 'raw' as const,
    }
    const files = ['printf one >r1.xml', 'printf two >r2.xml', 'exit 1']
    await run([job(files, { artifacts: [archive, junit, raw] })])
    const [compressed, plain, ...more] = uploads()
    expect(more).toEqual([])
    expect(compressed).toMatchObject({
      path: '/jobs/7/artifacts?artifact_format=gzip&artifact_type=junit',
      filename: 'junit.xml.gz',
    })
    expect(gunzipSync(compressed?.bytes ?? '').toString()).toBe('onetwo')
    expect(plain).toMatchObject({ filename: 'gl-sast.json' })
    expect(plain?.bytes.toString()).toBe('one')
  })

  it.each([
    [413, 'script_failure', 'they are too large'],
    [403, 'script_failure', 'HTTP 403'],
  ])('fails the job where the server answers %i', async (status, failure_reason, text) => {
    answers['POST /jobs/7/artifacts'] = [{ status }]
    await run([job(make, { artifacts: [archive] })])
    expect(final()).toMatchObject([{ state: 'failed', failure_reason }])
    expect(logOf()).toContain(text)
  })

  it('may be what git does not know, whatever else git prints', async () => {
    const trace = { key: 'GIT_TRACE', value: '1', public: true, masked: false }
    const untracked = { ...archive, untracked: true, paths: [] }
    await run([
      job(['git init --quiet', 'touch left'], { artifacts: [untracked], variables: [trace] }),
    ])
    expect(final()).toMatchObject([{ state: 'success' }])
    expect(logOf()).toContain('archive: 1 file as out-yes.zip')
    expect(uploads()).toHaveLength(1)
  })

  it('is no failure where there is nothing of it', async () => {
    await run([job(['true'], { artifacts: [archive] })])
    expect(uploads()).toEqual([])
    expect(logOf()).toContain('WARNING: out/: nothing has that name')
    expect(final()).toMatchObject([{ state: 'success' }])
  })

  it('is kept in caches by project and key', async () => {
    const cache = {
      key: 'k-$CI_SERVER',
      untracked: null,
      policy: 'pull-push',
      paths: ['vendor'],
      when: null,
    }
    const look = ['cat vendor/v || echo none', 'mkdir -p vendor', 'echo "$CI_JOB_STATUS" >vendor/v']
    const empty = [{ key: 'GIT_STRATEGY', value: 'empty', public: true, masked: false }]
    const jobs = [7, 8, 9].map((id) => job(look, { id, cache: [cache], variables: empty }))
    const pulls = [{ ...cache, key: 'other', policy: 'pull', fallback_keys: ['k-yes'] }]
    const other = { name: 'unit', stage: 'test', project_id: 5, project_name: 'demo' }
    await run([
      ...jobs.slice(0, 2),
      job(look, { id: 10, cache: pulls, variables: empty }),
      job(look, { id: 11, cache: [cache], variables: empty, job_info: other }),
    ])
    expect(logOf(7)).toContain('\nnone\n')
    expect(logOf(8)).toContain('\nrunning\n')
    expect(logOf(10)).toContain('k-yes: 1 file\n')
    expect(logOf(11)).toContain('\nnone\n')
  })

  it('of protected branches fall back to no job of another branch', async () => {
    const empty = [{ key: 'GIT_STRATEGY', value: 'empty', public: true, masked: false }]
    const cacheOf = (key: string, policy: string) => ({
      ...{ key, policy, untracked: null, paths: ['vendor'], when: null },
    })
    const look = ['cat vendor/v || echo none']
    const fallback = (value: string) => ({
      ...{ key: 'CACHE_FALLBACK_KEY', value, public: true, masked: false },
    })
    const own = { key: 'OWN', value: 'k-protected', public: true, masked: false }
    const reading = (id: number, value: string, isProtected: boolean) => {
      const made = job(look, {
        ...{ id, cache: [cacheOf(`other-${id}`, 'pull')] },
        variables: [...empty, own, fallback(value)],
      })
      return { ...made, git_info: { ...made.git_info, protected: isProtected } }
    }
    await run([
      job(['mkdir -p vendor', 'echo kept >vendor/v'], {
        ...{ id: 21, variables: empty, cache: [cacheOf('k-protected', 'push')] },
      }),
      reading(22, 'k-protected', false),
      reading(23, '$OWN', false),
      reading(24, 'k-protected', true),
    ])
    expect(logOf(22)).toContain('\nnone\n')
    expect(logOf(23)).toContain('\nnone\n')
    expect(logOf(24)).toContain('\nkept\n')
  })
})

describe('the runner', () => {
  it('runs as many jobs at once as it has slots, each in a folder of its own', async () => {
    const meet = (own: number, other: number) =>
      job(
        [`touch ${folder}/${own}`, `until [ -e ${folder}/${other} ]; do sleep 0.02; done`, 'pwd'],
        { id: own },
      )
    // They meet in a folder of the machine.
    await run([meet(1, 2), meet(2, 1)], { concurrency: 2, isIsolated: false })
    expect(final().map(({ state }) => state)).toEqual(['success', 'success'])
    expect(logOf(1)).toContain('/builds/0/4\n')
    expect(logOf(2)).toContain('/builds/1/4\n')
  })

  it('ends and reports its jobs when it is stopped', async () => {
    onLog = (text) => {
      if (!text.includes('begun')) return
      leaving.abort()
      stopping.abort()
    }
    await run([job(['echo be""gun', 'sleep 60'])])
    expect(logOf()).toContain('ERROR: Job failed: the runner was stopped')
    expect(final()).toMatchObject([{ state: 'failed', failure_reason: 'runner_system_failure' }])
  })

  it('takes a job that was on its way when it was stopped, and reports that', async () => {
    // The server holds the request, and hands the job out as the runner is told to stop.
    answers['POST /jobs/request'] = [
      {
        status: 201,
        body: JSON.stringify(job(['echo never'])),
        before: () => {
          leaving.abort()
          stopping.abort()
        },
      },
    ]
    await run([])
    expect(logOf()).toContain('ERROR: Job failed: the runner was stopped')
    expect(final()).toMatchObject([{ state: 'failed', failure_reason: 'runner_system_failure' }])
  })

  it('lets its jobs go on when it only leaves', async () => {
    onLog = () => leaving.abort()
    await run([job(['echo begun', 'sleep 1.5', 'echo end""ed'])])
    expect(logOf()).toContain('\nended\n')
    expect(final()).toMatchObject([{ state: 'success' }])
  })

  it('tells of the jobs that a former life lost, and removes what that left', async () => {
    const data = join(folder, 'data')
    mkdirSync(join(data, 'jobs/5'), { recursive: true })
    mkdirSync(join(data, 'builds/0/4'), { recursive: true })
    writeFileSync(join(data, 'jobs/5/job.json'), JSON.stringify({ id: 5, token: 'lost-token' }))
    const messages = await run([job(['true'])], { data })
    expect(messages).toEqual(['Job 5 failed: the runner stopped while the job was running.'])
    expect(final()[0]).toEqual({
      id: 5,
      token: 'lost-token',
      state: 'failed',
      failure_reason: 'runner_system_failure',
    })
    expect(existsSync(join(data, 'jobs/5'))).toBe(false)
  })

  it('asks again where the server is away, and ends where it is refused', async () => {
    answers['POST /jobs/request'] = [{ status: 502 }, { status: 409 }, { status: 403 }]
    await expect(run([])).rejects.toThrow('rejected the runner token')
    expect(asked).toHaveLength(3)
  })

  it('hands back the mark of the last answer, and asks at once where it is new', async () => {
    const headers = { 'X-GitLab-Last-Update': 'mark' }
    answers['POST /jobs/request'] = [{ status: 204, headers }, { status: 403 }]
    await expect(run([])).rejects.toThrow()
    const marks = asked.map(({ body }) => JSON.parse(body.toString()).last_update)
    expect(marks).toEqual([undefined, 'mark'])
  })
})

describe('the sources', () => {
  it('are fetched by git, used again, and cannot make it run what a job left', async () => {
    const origin = join(folder, 'origin')
    const git = (...args: string[]) => {
      const result = spawnSync('git', ['-C', origin, ...args], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          GIT_AUTHOR_NAME: 'A',
          GIT_AUTHOR_EMAIL: 'a@b.test',
          GIT_COMMITTER_NAME: 'A',
          GIT_COMMITTER_EMAIL: 'a@b.test',
        },
      })
      if (result.status !== 0) throw new Error(result.stderr)
      return result.stdout.trim()
    }
    mkdirSync(origin)
    git('init', '--quiet', '--initial-branch=main')
    writeFileSync(join(origin, 'a'), 'one')
    writeFileSync(join(origin, '.gitignore'), '*.o\n')
    git('add', '.')
    git('commit', '--quiet', '-m', 'one')
    const first = git('rev-parse', 'HEAD')
    writeFileSync(join(origin, 'a'), 'two')
    git('commit', '--quiet', '-am', 'two')
    const second = git('rev-parse', 'HEAD')
    const at = (id: number, sha: string, script: string[], strategy = '') =>
      job(script, {
        id,
        git_info: {
          repo_url: `file://${origin}`,
          ref: 'main',
          sha,
          before_sha: first,
          ref_type: 'branch',
          refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
          depth: 0,
        },
        variables: [{ key: 'GIT_STRATEGY', value: strategy, public: true, masked: false }],
      })
    const plant = [
      'cat a',
      'touch left.o left',
      `git config core.fsmonitor "touch ${folder}/planted; false"`,
      `printf '#!/bin/sh\\ntouch ${folder}/planted\\n' >.git/hooks/post-checkout || mkdir .git/hooks`,
      `printf '#!/bin/sh\\ntouch ${folder}/planted\\n' >.git/hooks/post-checkout`,
      'chmod +x .git/hooks/post-checkout',
      'touch .git/index.lock',
    ]
    // The repository is a folder of the machine.
    await run(
      [
        at(1, first, plant),
        at(2, second, ['cat a', 'ls', 'git config --get core.fsmonitor || echo clean']),
        at(3, first, ['echo spoilt >.git/HEAD', 'rm -rf .git/objects'], 'clone'),
        at(4, second, ['cat a']),
      ],
      { isIsolated: false },
    )
    expect(final().map(({ state }) => state)).toEqual(Array(4).fill('success'))
    expect(logOf(1)).toMatch(/\$ cat a.*\none/)
    expect(logOf(2)).toMatch(/\$ cat a.*\ntwo/)
    expect(logOf(2)).not.toContain('left')
    expect(logOf(2)).toContain('\nclean\n')
    expect(existsSync(join(folder, 'planted'))).toBe(false)
    expect(logOf(4)).toContain('Fetch failed, cloning into an empty folder.')
    expect(logOf(4)).toMatch(/\$ cat a.*\ntwo/)
  })
})
