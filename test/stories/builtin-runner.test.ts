// Pipelines from a push to their end, on the runner that the server starts itself.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFolder, WorkingCopy } from '../kit/git.ts'
import { findProcesses } from '../kit/processes.ts'
import { withoutNamespaces } from '../kit/server.ts'

const token = 'glpat-the-token-of-a-built-in-runner'
const data = newFolder()
let server: Server

type Server = { child: ChildProcess; url: string; errors: () => string }
type Job = {
  id: number
  name: string
  status: string
  failure_reason?: string
  runner: { description: string } | null
}

/** The server as it is really run, in a process of its own, with its runner. */
async function serve({
  folder = data,
  wrapper = [],
}: {
  folder?: string
  wrapper?: string[]
} = {}): Promise<Server> {
  const [program = '', ...args] = [...wrapper, process.execPath, 'dist/main.js', 'serve']
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: folder,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
      A_SECRET_OF_THE_SERVER: 'not for jobs',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const url = /Bloomery serves (\S+)/.exec(output)?.[1]
    if (!url) continue
    child.stdout.resume()
    return { child, url, errors: () => errors }
  }
  throw new Error(`The server did not start: ${output}${errors}`)
}

beforeAll(async () => {
  server = await serve()
})
afterAll(() => {
  server.child.kill('SIGKILL')
})

async function ask(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
) {
  const response = await fetch(`${server.url}/api/v4${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (response.status >= 400) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }
  return response
}

let projects = 0

class Project {
  readonly id: number
  readonly name: string
  readonly copy: WorkingCopy

  constructor(id: number, name: string, copy: WorkingCopy) {
    this.id = id
    this.name = name
    this.copy = copy
  }

  static async make(): Promise<Project> {
    const name = `project-${++projects}`
    const created = await ask('/projects', { method: 'POST', body: { name } })
    const { id, path_with_namespace } = (await created.json()) as {
      id: number
      path_with_namespace: string
    }
    const copy = new WorkingCopy()
    const remote = new URL(`${server.url}/${path_with_namespace}.git`)
    remote.username = 'root'
    remote.password = token
    await copy.must(['init', '--quiet'])
    await copy.must(['remote', 'add', 'origin', remote.toString()])
    return new Project(id, name, copy)
  }

  async push(config: string, files: Record<string, string> = {}): Promise<void> {
    await this.copy.commit({ '.gitlab-ci.yml': config, ...files })
    await this.copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
  }

  /** The jobs, by name; of several with one name the last. */
  async jobs(): Promise<Record<string, Job>> {
    const jobs = (await (await ask(`/projects/${this.id}/jobs`)).json()) as Job[]
    return Object.fromEntries(jobs.toReversed().map((job) => [job.name, job]))
  }

  async hasJobs(count: number): Promise<void> {
    const countJobs = async () =>
      ((await (await ask(`/projects/${this.id}/jobs`)).json()) as Job[]).length
    await expect.poll(countJobs, { timeout: 20_000 }).toBe(count)
  }

  /** The job as soon as it has this status. */
  async job(name: string, status: string): Promise<Job> {
    const statusOf = async () => (await this.jobs())[name]?.status
    await expect.poll(statusOf, { timeout: 20_000 }).toBe(status)
    return (await this.jobs())[name] as Job
  }

  async log({ id }: Job): Promise<string> {
    return (await ask(`/projects/${this.id}/jobs/${id}/trace`)).text()
  }
}

describe('a server without jobs', () => {
  it('has its runner online, and no process of it', async () => {
    const state = async () => {
      const runners = (await (await ask('/runners/all')).json()) as { status: string }[]
      return runners.map(({ status }) => status)
    }
    await expect.poll(state, { timeout: 20_000 }).toEqual(['online'])
    expect(runnersOf(server)).toEqual([])
  })
})

describe('a pipeline on the built-in runner', () => {
  it('goes from a push to artifacts that the next job has', async () => {
    const project = await Project.make()
    await project.push(
      [
        'stages: [build, test]',
        'variables: { GREETING: "hello from $CI_COMMIT_BRANCH" }',
        'make:',
        '  stage: build',
        '  script:',
        '    - echo "$GREETING"',
        '    - mkdir out && cp source out/made',
        '    - env | grep -c A_SECRET_OF_THE_SERVER || true',
        '  artifacts: { paths: [out/], expire_in: 1 week }',
        'use:',
        '  stage: test',
        '  script: [cat out/made]',
        '',
      ].join('\n'),
      { source: 'from the repository' },
    )
    const use = await project.job('use', 'success')
    const { make } = await project.jobs()
    expect(make).toMatchObject({ status: 'success', runner: { description: 'Built-in runner' } })
    const log = await project.log(make as Job)
    expect(log).toContain('hello from main\n')
    expect(log).toMatch(/A_SECRET_OF_THE_SERVER.*\n0\n/)
    expect(log).toContain('archive: 1 file as artifacts.zip\n')
    expect(await project.log(use)).toContain('from the repository')
    expect(make).toMatchObject({ artifacts_file: { filename: 'artifacts.zip' } })
    const file = await ask(`/projects/${project.id}/jobs/${make?.id}/artifacts/out/made`)
    expect(await file.text()).toBe('from the repository')
  })

  it('fails with the status of its script, after after_script', async () => {
    const project = await Project.make()
    await project.push(
      'bad:\n  script: [exit 42]\n  after_script: ["echo after $CI_JOB_STATUS"]\n  allow_failure: { exit_codes: 42 }\n',
    )
    const bad = await project.job('bad', 'failed')
    expect(bad).toMatchObject({ failure_reason: 'script_failure', allow_failure: true })
    const log = await project.log(bad)
    expect(log).toContain('\nafter failed\n')
    expect(log).toContain('ERROR: Job failed: exit code 42')
  })

  it('ends with all it has started when somebody cancels it', async () => {
    const project = await Project.make()
    await project.push(`slow:\n  script: ['sleep 300.25 & wait']\n  after_script: [echo never]\n`)
    const slow = await project.job('slow', 'running')
    await expect.poll(() => processesOf('sleep 300.25').length, { timeout: 10_000 }).toBe(1)
    await ask(`/projects/${project.id}/jobs/${slow.id}/cancel`, { method: 'POST' })
    expect((await project.job('slow', 'canceled')).status).toBe('canceled')
    await expect.poll(() => processesOf('sleep 300.25'), { timeout: 20_000 }).toEqual([])
    expect(await project.log(slow)).not.toContain('never')
  })

  it('ends when its time is over', async () => {
    const project = await Project.make()
    await project.push('slow:\n  timeout: 2 seconds\n  script: [sleep 300]\n')
    const slow = await project.job('slow', 'failed')
    expect(slow).toMatchObject({ failure_reason: 'job_execution_timeout' })
    expect(await project.log(slow)).toContain('execution took longer than 2 s')
  })

  it('sends a log of more than a megabyte whole, and a masked variable never', async () => {
    const project = await Project.make()
    await ask(`/projects/${project.id}/variables`, {
      method: 'POST',
      body: { key: 'PASSWORD', value: 'open-sesame-1001', masked: true },
    })
    await project.push(
      [
        'long:',
        '  script:',
        '    - seq 200000',
        '    - echo "$PASSWORD"',
        '    - printf open-sesame; sleep 1.2; echo -1001',
        '',
      ].join('\n'),
    )
    const log = await project.log(await project.job('long', 'success'))
    expect(log.length).toBeGreaterThan(1024 * 1024)
    const lines = log.split('\n')
    const first = lines.indexOf('1')
    expect(lines.slice(first, first + 200_000)).toEqual(
      Array.from({ length: 200_000 }, (_, i) => String(i + 1)),
    )
    expect(log).not.toContain('open-sesame-1001')
    expect(log.match(/\[MASKED\]\n/g)).toHaveLength(2)
  })

  it('fetches submodules with the token of the job, which is in no file', async () => {
    const library = await Project.make()
    const oid = await library.copy.commit({ file: 'of the library' })
    await library.copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
    const project = await Project.make()
    const config = (strategy: string) =>
      `one:\n  variables: { GIT_SUBMODULE_STRATEGY: ${strategy} }\n  script: ["cat lib/file || true", "grep -rc glcbt .git || true", "ls lib"]\n`
    const modules = `[submodule "lib"]\n\tpath = lib\n\turl = ../${library.name}.git\n`
    await project.copy.must(['update-index', '--add', '--cacheinfo', `160000,${oid},lib`])
    await project.push(config('recursive'), { '.gitmodules': modules })
    const first = await project.log(await project.job('one', 'success'))
    expect(first).toMatch(/cat lib\/file.*\nof the library/)
    expect(first).not.toMatch(/:[1-9]\d*$/m)
    // What the last job left is used again, but for its submodules.
    await project.push(config('none'))
    await project.hasJobs(2)
    const second = await project.log(await project.job('one', 'success'))
    expect(second).toContain('No such file or directory')
    await project.push(config('normal'))
    await project.hasJobs(3)
    const third = await project.log(await project.job('one', 'success'))
    expect(third).toMatch(/cat lib\/file.*\nof the library/)
    expect(third).not.toContain('Fetch failed')
  })

  it('fails a job with services, and says why', async () => {
    const project = await Project.make()
    await project.push('db:\n  services: [postgres:17]\n  script: [echo never]\n')
    const job = await project.job('db', 'failed')
    expect(job).toMatchObject({ failure_reason: 'runner_unsupported' })
    expect(await project.log(job)).toContain('it cannot start the services postgres:17')
  })
})

/** The processes of a command: in a sandbox they have other ids than outside. */
function processesOf(command: string): number[] {
  return findProcesses((one) => one === command)
}

/** The processes of the runner, which is told its token on its input alone. */
function runnersOf(server: Server): number[] {
  return findProcesses((one) => one.includes('runner/main.ts') && one.includes(server.url))
}

describe('the built-in runner', () => {
  it('is started again when it is killed, and its jobs are told to be lost', async () => {
    const project = await Project.make()
    await project.push('slow:\n  script: [sleep 300.5]\n')
    await expect.poll(() => processesOf('sleep 300.5').length, { timeout: 20_000 }).toBe(1)
    const [pid] = runnersOf(server)
    if (pid === undefined) throw new Error('There is no runner.')
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('--token-stdin')
    process.kill(pid, 'SIGKILL')
    const slow = await project.job('slow', 'failed')
    expect(slow).toMatchObject({ failure_reason: 'runner_system_failure' })
    await project.push('quick:\n  script: [echo again]\n')
    await project.job('quick', 'success')
  })

  it('ends with a killed server, and so do its jobs; the next server tells that they are lost', async () => {
    const project = await Project.make()
    await project.push('slow:\n  script: [sleep 300.75]\n')
    await expect.poll(() => processesOf('sleep 300.75').length, { timeout: 20_000 }).toBe(1)
    const pids = [...processesOf('sleep 300.75'), ...runnersOf(server)]
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    const alive = () => pids.filter((pid) => existsSync(`/proc/${pid}`))
    await expect.poll(alive, { timeout: 10_000 }).toEqual([])
    server = await serve()
    const slow = await project.job('slow', 'failed')
    expect(slow).toMatchObject({ failure_reason: 'runner_system_failure' })
  })

  it('tells of its jobs and ends when the server is stopped', async () => {
    const project = await Project.make()
    await project.push('slow:\n  script: [echo begun, sleep 300]\n')
    await project.job('slow', 'running')
    server.child.kill('SIGTERM')
    const [code] = await once(server.child, 'exit')
    expect(code).toBe(0)
    expect(runnersOf(server)).toEqual([])
    server = await serve()
    const slow = await project.job('slow', 'failed')
    expect(slow).toMatchObject({ failure_reason: 'runner_system_failure' })
    expect(await project.log(slow)).toContain('the runner was stopped')
  })
})

describe('a job on the built-in runner', () => {
  it('sees no file of the server, and asks it for what it may have', async () => {
    const project = await Project.make()
    await project.push(
      [
        'curious:',
        '  script:',
        `    - ls ${data}; ls ${data}/runner; cat ${data}/secret.key || echo no key`,
        '    - ps -e -o args | grep -c "[m]ain.ts" || true',
        '    - git ls-remote "$CI_REPOSITORY_URL" refs/heads/main',
        '    - \'curl --silent --fail --header "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/job" >job.json && echo asked\'',
        '',
      ].join('\n'),
    )
    const log = await project.log(await project.job('curious', 'success'))
    expect(log).toContain('in a sandbox')
    expect(log).toMatch(/\nrunner\nbuilds\njobs\n/)
    expect(log).toMatch(/secret\.key.*\n(?:.*\n)?no key\n/)
    expect(log).toMatch(/grep -c .*\n0\n/)
    expect(log).toMatch(/\n[0-9a-f]{40}\trefs\/heads\/main\n/)
    expect(log).toContain('\nasked\n')
  })
})

describe('where the system makes no sandbox', () => {
  let usual: Server

  beforeAll(async () => {
    usual = server
    server = await serve({ folder: newFolder(), wrapper: withoutNamespaces })
  })
  afterAll(() => {
    server.child.kill('SIGKILL')
    server = usual
  })

  it('jobs wait until an administrator lets them run without', async () => {
    const project = await Project.make()
    await project.push('test:\n  script: [echo ran]\n')
    const { id } = await project.job('test', 'pending')
    const told = async () =>
      (await ask(`/projects/${project.id}/jobs/${id}?with_abilities=true`)).json() as Promise<
        Job & { isolation_problem: string | null }
      >
    await expect
      .poll(async () => (await told()).isolation_problem, { timeout: 20_000 })
      .toContain('unshare')
    expect(await told()).toMatchObject({
      status: 'pending',
      abilities: { allow_jobs_without_isolation: true },
    })
    expect(server.errors()).toContain('allow_jobs_without_isolation=true')
    await ask('/application/settings?allow_jobs_without_isolation=true', { method: 'PUT' })
    const log = await project.log(await project.job('test', 'success'))
    expect(log).toContain('without a sandbox')
    expect(log).toContain('\nran\n')
    expect(await told()).toMatchObject({
      isolation_problem: null,
      abilities: { allow_jobs_without_isolation: false },
    })
  })
})
