// Kills the server at random moments under load, again and again, and checks after each restart that
// nothing it acknowledged is lost. `node tools/kill-loop.ts [kills] [seed] [sqlite|postgres] [workers]`
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type Dirent, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { removeLeftoverFiles } from '../src/git/leftovers.ts'
import { repositoryInStorage } from '../src/git/repository.ts'
import { limits } from '../src/kernel/limits.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { descendantsOf, freePort, generator, startServer } from './server-process.ts'

const kills = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const postgres = process.argv[4] === 'postgres' ? await startPostgres() : undefined
/** How many processes the server has. The supervisor is killed, and all workers end with it. */
const workers = process.argv[5] ?? '1'
/** The longest time that the server may be blocked, whatever it has to recover. */
const stall_ms_max = 1000
const repositories_count = 3
const run_ms_max = 1500
const token = 'glpat-the-token-of-the-kill-loop-x'
const data = mkdtempSync(join(tmpdir(), 'bloomery-kill-'))
const storage = join(data, 'repositories')
const otherStorage = join(data, 'other')
const scratch = mkdtempSync(join(tmpdir(), 'bloomery-kill-clients-'))

const random = generator(seed)
const problems: string[] = []
function complain(problem: string): void {
  problems.push(problem)
  console.log(`PROBLEM: ${problem}`)
}

/** A commit that was acknowledged to a client as the tip of a branch, and a file in it. */
type Tip = { projectId: number; branch: string; oid: string; file: string }

/** Everything that was acknowledged to clients. */
const acknowledged = {
  tips: new Map<string, Tip>(),
  projects: new Set<number>(),
  counts: {
    pushes: 0,
    commits: 0,
    projects: 0,
    issues: 0,
    merges: 0,
    uploads: 0,
    pipelines: 0,
    moves: 0,
    exports: 0,
    rests: 0,
    failures: 0,
  },
  facts: [] as Fact[],
}

/** Something that was acknowledged: its path, the check of the response, and when the server may delete it (ms). */
type Fact = { path: string; holds: (answer: Buffer) => boolean; until: number }

const never = Number.POSITIVE_INFINITY

/** How many of the newest facts are checked after each restart; all of them are checked at the end. */
const facts_count = 40

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
      BLOOMERY_WORKERS: workers,
      BLOOMERY_STORAGES: JSON.stringify({
        default: { path: storage, weight: 100 },
        other: { path: otherStorage, weight: 0 },
      }),
      ...(postgres && { BLOOMERY_DATABASE_URL: postgres.url }),
    },
    onLine(line) {
      const isStall = Number(line.duration_ms) > stall_ms_max
      // The loop kills the process under some tasks twice in a row.
      const isRest = String((line.err as Error | undefined)?.message).startsWith(
        'The process that ran this task died',
      )
      if (isRest) acknowledged.counts.rests++
      else if (line.level >= 50 || isStall) {
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
async function askBytes(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; bytes: Buffer } | undefined> {
  const isForm = body instanceof FormData
  try {
    const answer = await fetch(`${base}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  } catch {
    return undefined
  }
}

/** The same of an answer in JSON. */
async function ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
  const answer = await askBytes(method, path, body)
  if (!answer) return undefined
  return { status: answer.status, body: JSON.parse(answer.bytes.toString()) }
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

/** Creates commits by the API on a branch of its own. */
async function committer(project: { id: number }, name: string): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const commit = await change(`/projects/${project.id}/repository/commits`, {
      branch: name,
      commit_message: `${name} ${index}`,
      actions: [1, 2, 3].map((part) => ({
        action: 'create',
        file_path: `${name}/${index}/${part}`,
        content: `${index} ${part}`,
      })),
    })
    if (!commit) continue
    acknowledged.counts.commits++
    const file = `${name}/${index}/3`
    acknowledge({ projectId: project.id, branch: name, oid: String(commit.id), file })
  }
}

async function creator(): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const made = await change('/projects', { name: `made-${index}-${process.pid}` })
    if (made) {
      acknowledged.counts.projects++
      acknowledged.projects.add(Number(made.id))
    }
    await pause(100)
  }
}

/**
 * Returns the response to a write once the server is up; undefined if the connection broke or the write was refused,
 * which is logged.
 */
async function change(
  path: string,
  body: object,
  { method = 'POST', expected = [201] }: { method?: string; expected?: number[] } = {},
): Promise<Answer['body'] | undefined> {
  await up.promise
  const answer = await ask(method, path, body)
  if (answer && expected.includes(answer.status)) return answer.body
  acknowledged.counts.failures++
  if (answer) complain(`${method} ${path} answers ${JSON.stringify(answer)}`)
  await pause(50)
  return undefined
}

function remember(path: string, fields: Record<string, unknown>, until = never): void {
  acknowledged.facts.push({
    path,
    until,
    holds: (answer) => {
      const record = JSON.parse(answer.toString())
      return Object.entries(fields).every(([name, value]) => record[name] === value)
    },
  })
}

/** Opens issues, writes a note to each and closes it. */
async function planner({ id }: { id: number }): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const title = `Issue ${index} ${random()}`
    const issue = await change(`/projects/${id}/issues`, { title })
    if (issue) {
      const url = `/projects/${id}/issues/${issue.iid}`
      const note = await change(`${url}/notes`, { body: title })
      if (note) remember(`${url}/notes/${note.id}`, { body: title })
      const closing = { method: 'PUT', expected: [200] }
      const closed = await change(url, { state_event: 'close' }, closing)
      remember(url, closed ? { title, state: 'closed' } : { title })
      acknowledged.counts.issues++
    }
    await pause(100)
  }
}

/** Merges one request after another into `main`, which nobody else changes. */
async function merger({ id }: { id: number }): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const branch = `topic-${index}`
    const actions = [{ action: 'create', file_path: branch, content: branch }]
    const commit = { branch, start_branch: 'main', commit_message: branch, actions }
    const fields = { source_branch: branch, target_branch: 'main', title: branch }
    if (!(await change(`/projects/${id}/repository/commits`, commit))) continue
    const made = await change(`/projects/${id}/merge_requests`, fields)
    if (!made) continue
    const url = `/projects/${id}/merge_requests/${made.iid}`
    const merged = await change(`${url}/merge`, {}, { method: 'PUT', expected: [200] })
    if (!merged) continue
    acknowledged.counts.merges++
    const oid = String(merged.merge_commit_sha)
    remember(url, { state: 'merged', merge_commit_sha: oid })
    acknowledge({ projectId: id, branch: 'main', oid, file: branch })
    await pause(100)
  }
}

async function uploader({ id }: { id: number }): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const bytes = Buffer.from(`${index} ${random()}`.repeat(random() < 0.1 ? 100_000 : 10))
    const form = new FormData()
    form.set('file', new Blob([bytes]), `file-${index}.bin`)
    const made = await change(`/projects/${id}/uploads`, form)
    if (made) {
      acknowledged.counts.uploads++
      const path = `/projects/${id}${made.url}`
      acknowledged.facts.push({ path, until: never, holds: (answer) => answer.equals(bytes) })
    }
    await pause(100)
  }
}

async function pipeliner({ id }: { id: number }): Promise<void> {
  while (isRunning) {
    const made = await change(`/projects/${id}/pipeline`, { ref: 'main' })
    if (made) {
      acknowledged.counts.pipelines++
      acknowledged.facts.push({
        path: `/projects/${id}/pipelines/${made.id}/jobs`,
        until: never,
        holds: (answer) => JSON.parse(answer.toString()).length === 2,
      })
    }
    await pause(300)
  }
}

type Move = { id: number; state: string; destination_storage_name: string }

/** Moves a repository between two storages, and back; to the end of the last move, asked for or answered. */
async function mover({ id }: { id: number }): Promise<void> {
  const url = `/projects/${id}/repository_storage_moves`
  remember(`/projects/${id}/repository/files/a?ref=main`, { file_path: 'a' })
  for (;;) {
    await pause(100)
    await up.promise
    const moves = (await ask('GET', `${url}?per_page=1`))?.body as Move[] | undefined
    if (!moves) continue
    const [last] = moves
    if (last?.state.includes('failed')) complain(`move ${last.id}: ${last.state}`)
    else if (last && last.state !== 'finished') continue
    if (!isRunning) return
    const destination_storage_name =
      last?.destination_storage_name === 'other' ? 'default' : 'other'
    const move = await change(url, { destination_storage_name })
    if (!move) continue
    acknowledged.counts.moves++
    remember(`${url}/${move.id}`, { destination_storage_name })
  }
}

async function exporter({ id }: { id: number }): Promise<void> {
  while (isRunning) {
    const until = Date.now() + limits.vulnerability_exports.kept_ms
    const made = await change(
      `/security/projects/${id}/vulnerability_exports`,
      {},
      { expected: [201, 429] },
    )
    if (made?.id !== undefined) {
      acknowledged.counts.exports++
      remember(`/security/vulnerability_exports/${made.id}`, { id: made.id }, until)
    }
    await pause(2_000)
  }
}

function pause(wait_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait_ms))
}

/** Holds what clients were told before the crash against what is there after it. */
async function check(
  tips: readonly Tip[],
  projects: readonly number[],
  facts: readonly Fact[],
): Promise<void> {
  for (const { path, holds, until } of facts) {
    const answer = await askBytes('GET', path)
    if (Date.now() >= until) continue
    const isThere = answer?.status === 200 || answer?.status === 202
    if (!isThere || !holds(answer.bytes)) {
      const text = answer?.bytes.toString('utf8', 0, 1500)
      complain(`${path} answers ${answer?.status} ${text}`)
    }
  }
  for (const { projectId, branch, oid, file } of tips) {
    const { path } = repositoryInStorage(storage, 'project', projectId)
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

/** Lists all paths below a folder without those in skipped folders. Files that are deleted meanwhile are skipped. */
function walk(folder: string, isSkipped = (_path: string) => false): string[] {
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
    if (entry.isDirectory() && !isSkipped(path)) found.push(...walk(path, isSkipped))
  }
  return found
}

function countLocks(): number {
  // Git locks no loose object, and there are tens of thousands of them in the end.
  const isOfLooseObjects = (path: string) => /\/objects\/[0-9a-f]{2}$/.test(path)
  const paths = projects.flatMap(({ id }) =>
    walk(repositoryInStorage(storage, 'project', id).path, isOfLooseObjects),
  )
  return paths.filter((path) => path.endsWith('.lock')).length
}

type ProjectRow = { id: number; state: string; repository_storage: string }

async function rows(): Promise<ProjectRow[]> {
  const query = 'select id, state, repository_storage from projects'
  if (postgres) {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const found = await client.query<ProjectRow>(query)
    await client.end()
    return found.rows.map((row) => ({ ...row, id: Number(row.id) }))
  }
  const db = new SqliteDatabase(join(data, 'bloomery.sqlite'), { readonly: true })
  try {
    return db.prepare<[], ProjectRow>(query).all()
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
  const expected = new Set(
    all.map(({ id, repository_storage }) => {
      const folder = repository_storage === 'other' ? otherStorage : storage
      return repositoryInStorage(folder, 'project', id).path
    }),
  )
  const present = new Set(
    [storage, otherStorage].flatMap((folder) =>
      walk(folder).filter((path) => /^..\/..\/[^/]+$/.test(relative(folder, path))),
    ),
  )
  for (const path of expected) if (!present.has(path)) complain(`a row has no repository: ${path}`)
  for (const path of present) if (!expected.has(path)) complain(`a folder has no row: ${path}`)
  let leftovers = 0
  for (const path of present) {
    leftovers += (await removeLeftoverFiles({ path }, Date.now() + 4 * 60 * 60_000)).length
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

/** Creates a project whose `main` has one file. */
async function newProject(name: string, file: { file_path: string; content: string }) {
  const project = await must('POST', '/projects', { name })
  const id = Number(project.id)
  await must('POST', `/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin [skip ci]',
    actions: [{ action: 'create', ...file }],
  })
  return { id, path: String(project.path_with_namespace) }
}

const file = { file_path: 'a', content: 'a' }
const moved = await newProject('moved', file)
const built = await newProject('built', {
  file_path: '.gitlab-ci.yml',
  content: 'one: { script: "true" }\ntwo: { script: "true", needs: [one] }\n',
})
const first = await newProject('base-0', file)
const projects = [first]
for (let index = 1; index < repositories_count; index++) {
  projects.push(await newProject(`base-${index}`, file))
}
for (const [index, { id }] of projects.entries()) {
  await must('POST', `/projects/${id}/repository/commits`, {
    branch: `api-${index}`,
    start_branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'b', content: 'b' }],
  })
}
const writers = [
  planner(first),
  merger(first),
  uploader(first),
  pipeliner(built),
  mover(moved),
  exporter(first),
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
  const facts = acknowledged.facts.slice(-facts_count)
  await kill(index % 2 === 0)
  stale += countLocks()
  await start()
  await check(tips, made, facts)
  if (index % 20 === 0) {
    console.log(
      `${index} kills: ${JSON.stringify(acknowledged.counts)}, ${stale} locks left behind, ${problems.length} problems`,
    )
  }
}
isRunning = false
await Promise.all(writers)
await check([...acknowledged.tips.values()], [...acknowledged.projects], acknowledged.facts)
await checkAtTheEnd()
console.log(
  `${kills} kills in ${Math.round((Date.now() - began_ms) / 1000)} s: ${JSON.stringify(acknowledged.counts)}`,
)
console.log(
  problems.length === 0 ? 'PASSED: nothing was lost' : `FAILED: ${problems.length} problems`,
)
if (problems.length === 0) rmSync(data, { recursive: true, force: true })
else console.log(`data kept in ${data}`)
rmSync(scratch, { recursive: true, force: true })
await postgres?.stop()
process.exit(problems.length === 0 ? 0 : 1)
