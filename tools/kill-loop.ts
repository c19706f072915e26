// Kills the server at random moments under load, again and again, and checks after each restart that
// nothing it acknowledged is lost. `node tools/kill-loop.ts [kills] [seed] [sqlite|postgres]`
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type Dirent, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { removeLeftovers } from '../src/git/leftovers.ts'
import { repositoryOf } from '../src/git/repository.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { descendantsOf, freePort, generator, startServer } from './server-process.ts'

const kills = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const postgres = process.argv[4] === 'postgres' ? await startPostgres() : undefined
/** The server must not stand still for longer, whatever it has to take up again. */
const stall_ms_max = 1000
const repositories_count = 3
const run_ms_max = 1500
const token = 'glpat-the-token-of-the-kill-loop-x'
const data = mkdtempSync(join(tmpdir(), 'bloomery-kill-'))
const storage = join(data, 'repositories')
const scratch = mkdtempSync(join(tmpdir(), 'bloomery-kill-clients-'))

const random = generator(seed)
const problems: string[] = []
function complain(problem: string): void {
  problems.push(problem)
  console.log(`PROBLEM: ${problem}`)
}

/** A commit some client was told is on a branch, and a file that it holds. */
type Tip = { projectId: number; branch: string; oid: string; file: string }

/** What the clients were told has happened. */
const acknowledged = {
  tips: new Map<string, Tip>(),
  projects: new Set<number>(),
  counts: { pushes: 0, commits: 0, projects: 0, failures: 0 },
}

const port = await freePort()
const base = `http://127.0.0.1:${port}`
let server: ChildProcess | undefined
let isRunning = true
/** Writers wait here while there is no server. */
let up = Promise.withResolvers<void>()

async function start(): Promise<void> {
  server = await startServer({
    settings: {
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: String(port),
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_LOG_LEVEL: 'warn',
      ...(postgres && { BLOOMERY_DATABASE_URL: postgres.url }),
    },
    onLine(line) {
      const isStall = Number(line.duration_ms) > stall_ms_max
      if (line.level >= 50 || isStall) {
        complain(`the log says: ${JSON.stringify(line).slice(0, 1500)}`)
      }
    },
    onEnd(code, signal, output) {
      if (signal !== 'SIGKILL') complain(`the server ended with ${code ?? signal}: ${output}`)
    },
  })
  up.resolve()
}

/** Ends the server as a crash does; every other time with all that it has started. */
async function kill(withChildren: boolean): Promise<void> {
  up = Promise.withResolvers<void>()
  const child = server
  if (child?.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const victims = withChildren ? descendantsOf(child.pid) : []
  child.kill('SIGKILL')
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  await gone
}

type Answer = { status: number; body: Record<string, unknown> }

/** Asks the API; undefined when the server went away before it answered. */
async function ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${base}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}

async function must(method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await ask(method, path, body)
  if (answer && answer.status < 300) return answer.body
  throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
}

const gitEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: scratch,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@bloomery.test',
  GIT_COMMITTER_NAME: 'c',
  GIT_COMMITTER_EMAIL: 'c@bloomery.test',
}

type GitRun = { status: number | null; stdout: string; stderr: string }

function git(cwd: string, args: string[], stdin = ''): Promise<GitRun> {
  const child = spawn('git', args, { cwd, env: gitEnvironment })
  const run = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    run.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    run.stderr += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...run })))
}

async function mustGit(cwd: string, args: string[], stdin?: string): Promise<string> {
  const { status, stdout, stderr } = await git(cwd, args, stdin)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function acknowledge(tip: Tip): void {
  acknowledged.tips.set(`${tip.projectId} ${tip.branch}`, tip)
}

/** Pushes one commit after another to a branch of its own; some pushes are large. */
async function pusher(project: { id: number; path: string }, name: string): Promise<void> {
  const folder = mkdtempSync(join(scratch, 'pusher-'))
  await mustGit(folder, ['init', '--quiet', '--bare'])
  const url = `http://x:${token}@127.0.0.1:${port}/${project.path}.git`
  // The first kill may come before all have begun.
  while ((await git(folder, ['fetch', '--quiet', url, 'main:main'])).status !== 0) await pause(100)
  let tip = await mustGit(folder, ['rev-parse', 'main'])
  for (let index = 0; isRunning; index++) {
    const size = random() < 0.1 ? 3_000_000 : 200
    const text = `${name} ${index} ${Array.from({ length: size / 16 }, () => random().toString(36)).join('')}`
    const blob = await mustGit(folder, ['hash-object', '-w', '--stdin'], text)
    const tree = await mustGit(folder, ['mktree'], `100644 blob ${blob}\t${name}\n`)
    tip = await mustGit(folder, ['commit-tree', tree, '-p', tip, '-m', `${name} ${index}`])
    await up.promise
    const { status, stderr } = await git(folder, [
      'push',
      '--quiet',
      url,
      `${tip}:refs/heads/${name}`,
    ])
    if (status === 0) {
      acknowledged.counts.pushes++
      acknowledge({ projectId: project.id, branch: name, oid: tip, file: name })
    } else {
      acknowledged.counts.failures++
      if (/rejected|denied|500/.test(stderr)) complain(`a push was refused: ${stderr}`)
      await pause(50)
    }
  }
}

/** Commits by API to a branch of its own. */
async function committer(project: { id: number }, name: string): Promise<void> {
  for (let index = 0; isRunning; index++) {
    await up.promise
    const answer = await ask('POST', `/projects/${project.id}/repository/commits`, {
      branch: name,
      commit_message: `${name} ${index}`,
      actions: [1, 2, 3].map((part) => ({
        action: 'create',
        file_path: `${name}/${index}/${part}`,
        content: `${index} ${part}`,
      })),
    })
    if (answer?.status === 201) {
      acknowledged.counts.commits++
      acknowledge({
        projectId: project.id,
        branch: name,
        oid: String(answer.body.id),
        file: `${name}/${index}/3`,
      })
    } else {
      acknowledged.counts.failures++
      if (answer) complain(`a commit was refused: ${JSON.stringify(answer)}`)
      await pause(50)
    }
  }
}

async function creator(): Promise<void> {
  for (let index = 0; isRunning; index++) {
    await up.promise
    const answer = await ask('POST', '/projects', { name: `made-${index}-${process.pid}` })
    if (answer?.status === 201) {
      acknowledged.counts.projects++
      acknowledged.projects.add(Number(answer.body.id))
    } else {
      acknowledged.counts.failures++
      if (answer) complain(`a project was refused: ${JSON.stringify(answer)}`)
    }
    await pause(100)
  }
}

function pause(wait_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait_ms))
}

/** Holds what clients were told before the crash against what is there after it. */
async function check(tips: readonly Tip[], projects: readonly number[]): Promise<void> {
  for (const { projectId, branch, oid, file } of tips) {
    const { path } = repositoryOf(storage, 'project', projectId)
    const contains = ['merge-base', '--is-ancestor', oid, `refs/heads/${branch}`]
    const { status, stderr } = await git(path, contains)
    if (status !== 0) complain(`lost: ${oid} on ${branch} of project ${projectId} ${stderr}`)
    const url = `/projects/${projectId}/repository/files/${encodeURIComponent(file)}?ref=${oid}`
    const answer = await ask('GET', url)
    if (answer?.status !== 200) complain(`${url} answers ${answer?.status}`)
  }
  for (const id of projects) {
    const answer = await ask('GET', `/projects/${id}`)
    if (answer?.status !== 200) complain(`project ${id} answers ${answer?.status}`)
  }
}

/** All paths below a folder that may change while it is read: what vanishes meanwhile is left out. */
function walk(folder: string): string[] {
  const found: string[] = []
  let entries: Dirent[] = []
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return found
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    found.push(path)
    if (entry.isDirectory()) found.push(...walk(path))
  }
  return found
}

function countLocks(): number {
  const paths = projects.flatMap(({ id }) => walk(repositoryOf(storage, 'project', id).path))
  return paths.filter((path) => path.endsWith('.lock')).length
}

async function rows(): Promise<{ id: number; state: string }[]> {
  const query = 'select id, state from projects'
  if (postgres) {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const found = await client.query<{ id: string; state: string }>(query)
    await client.end()
    return found.rows.map(({ id, state }) => ({ id: Number(id), state }))
  }
  const db = new SqliteDatabase(join(data, 'bloomery.sqlite'), { readonly: true })
  try {
    return db.prepare<[], { id: number; state: string }>(query).all()
  } finally {
    db.close()
  }
}

async function checkAtTheEnd(): Promise<void> {
  const deadline_ms = Date.now() + 180_000
  while ((await rows()).some(({ state }) => state !== 'ready') && Date.now() < deadline_ms)
    await pause(1000)
  // Nothing repacks a repository while it is checked.
  await kill(true)
  const all = await rows()
  for (const { id, state } of all)
    if (state !== 'ready') complain(`project ${id} is stuck in ${state}`)
  const expected = new Set(all.map(({ id }) => repositoryOf(storage, 'project', id).path))
  const folders = walk(storage).map((path) => relative(storage, path))
  const present = new Set(
    folders.filter((name) => /^..\/..\/[^/]+$/.test(name)).map((name) => join(storage, name)),
  )
  for (const path of expected) if (!present.has(path)) complain(`a row has no repository: ${path}`)
  for (const path of present) if (!expected.has(path)) complain(`a folder has no row: ${path}`)
  let leftovers = 0
  for (const path of present) {
    leftovers += (await removeLeftovers({ path }, Date.now() + 4 * 60 * 60_000)).length
    const left = walk(path).filter((name) => /incoming-|tmp_/.test(name))
    if (left.length > 0) complain(`left in ${path}: ${left.join(', ')}`)
    const { status, stdout, stderr } = spawnSync('git', ['fsck', '--full', '--no-dangling'], {
      cwd: path,
      env: { ...gitEnvironment, GIT_DIR: path },
      encoding: 'utf8',
    })
    // An empty repository's HEAD names a branch that is not there yet.
    const text = `${stdout}${stderr}`.replaceAll(/^notice: .*\n/gm, '').trim()
    if (status !== 0 || text !== '') complain(`git fsck of ${path}: ${status} ${text}`)
  }
  console.log(
    `checked ${present.size} repositories with git fsck --full; ${leftovers} leftovers of interrupted writes removed by maintenance`,
  )
}

process.on('exit', () => server?.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

await start()
const projects: { id: number; path: string }[] = []
for (let index = 0; index < repositories_count; index++) {
  const project = await must('POST', '/projects', { name: `base-${index}` })
  const id = Number(project.id)
  projects.push({ id, path: String(project.path_with_namespace) })
  await must('POST', `/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'a', content: 'a' }],
  })
  await must('POST', `/projects/${id}/repository/commits`, {
    branch: `api-${index}`,
    start_branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'b', content: 'b' }],
  })
}
const writers = [
  ...projects.flatMap((project, index) => [
    pusher(project, `push-${index}-a`),
    pusher(project, `push-${index}-b`),
    committer(project, `api-${index}`),
  ]),
  creator(),
]

const began_ms = Date.now()
let stale = 0
for (let index = 1; index <= kills; index++) {
  await pause(random() * run_ms_max)
  const tips = [...acknowledged.tips.values()]
  const made = [...acknowledged.projects].slice(-20)
  await kill(index % 2 === 0)
  stale += countLocks()
  await start()
  await check(tips, made)
  if (index % 20 === 0) {
    console.log(
      `${index} kills: ${JSON.stringify(acknowledged.counts)}, ${stale} locks left behind, ${problems.length} problems`,
    )
  }
}
isRunning = false
await Promise.all(writers)
await check([...acknowledged.tips.values()], [...acknowledged.projects])
await checkAtTheEnd()
console.log(
  `${kills} kills in ${Math.round((Date.now() - began_ms) / 1000)} s: ${JSON.stringify(acknowledged.counts)}`,
)
console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems.`)
if (problems.length === 0) rmSync(data, { recursive: true, force: true })
else console.log(`The data is kept in ${data}`)
rmSync(scratch, { recursive: true, force: true })
await postgres?.stop()
process.exit(problems.length === 0 ? 0 : 1)
