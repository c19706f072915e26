// Harms two servers on one PostgreSQL and one data folder, again and again under load, and checks that nothing acknowledged is
// lost and that nobody reads anything but answers and 503. `node tools/fault-loop.ts [rounds] [seed] [owned]`: with `owned`
// each server has a storage of its own, the project of the load is on that of the first, and a second project moves from one to
// the other again and again while commits arrive.
//
// A round is one fault: a server is killed, or the helper that starts git for it; a server stands still for 15 seconds and goes
// on; the way from a server to PostgreSQL loses everything for 40 seconds; PostgreSQL is restarted, or killed and started.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../test/kit/postgres.ts'
import { type SilentProxy, startSilentProxy } from '../test/kit/silent-proxy.ts'
import { descendantsOf, freePort, generator, startServer } from './server-process.ts'

const rounds = Number(process.argv[2] ?? 50)
const random = generator(Number(process.argv[3] ?? 1))
const isOwned = process.argv[4] === 'owned'
const token = 'glpat-the-token-of-the-fault-loop-x'
/** How long a server is stopped. */
const stop_ms = 15_000
/** How long a server is cut off from its database: longer than other servers count it as running. */
const partition_ms = 40_000
/** The maximum duration of a move; it waits for a server that is down, with growing pauses. */
const move_ms_max = 5 * 60_000
/** After a fault every server answers again within this time; a killed one is started anew. */
const recovery_ms_max = 60_000

const faults = [
  'kill',
  'kill-helper',
  'stop',
  'partition',
  'restart-database',
  'kill-database',
] as const
type Fault = (typeof faults)[number]

const problems: string[] = []
function complain(problem: string): void {
  problems.push(problem)
  console.log(`PROBLEM: ${problem}`)
}

const folder = mkdtempSync(join(tmpdir(), 'bloomery-faults-'))
const storages = isOwned
  ? [join(folder, 'storage-0'), join(folder, 'storage-1')]
  : [join(folder, 'data/repositories')]
const postgres = await startPostgres()

type Node = {
  index: number
  port: number
  /** Its way to the database. */
  proxy: SilentProxy
  child: ChildProcess | undefined
  isExpectedToEnd: boolean
}
const nodes: Node[] = []

async function start(node: Node): Promise<void> {
  node.isExpectedToEnd = false
  const url = new URL(postgres.url)
  url.port = String(node.proxy.port)
  node.child = await startServer({
    settings: {
      BLOOMERY_PORT: String(node.port),
      BLOOMERY_DATA: join(folder, 'data'),
      BLOOMERY_DATABASE_URL: url.toString(),
      BLOOMERY_URL: 'http://bloomery.test',
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_LOG_LEVEL: 'warn',
      ...(isOwned ? ownedBy(node) : {}),
    },
    onLine: (line) => {
      if (line.level >= 50) logged.push(JSON.stringify(line))
    },
    onEnd(code, signal, output) {
      if (!node.isExpectedToEnd) complain(`a server ended with ${code ?? signal}: ${output}`)
    },
  })
}

/** Settings of a server that has one of the two storages. */
function ownedBy({ index, port }: Node): Record<string, string> {
  const pathOf = (at: number) => (at === index ? join(folder, `storage-${at}`) : null)
  return {
    BLOOMERY_NODE_URL: `http://127.0.0.1:${port}`,
    BLOOMERY_STORAGES: JSON.stringify({ a: { path: pathOf(0) }, b: { path: pathOf(1) } }),
  }
}

/** What the servers reported as errors in this round. */
let logged: string[] = []

type Answer = { status: number; text: string }
const statuses = new Map<string, number>()
const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1)

/** Returns undefined if the server was down, so that the caller tries another one. */
async function ask(
  { port }: Node,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}

/** A commit that was acknowledged to a client as the tip of a branch. */
type Tip = { project: number; branch: string; oid: string }
const tips = new Map<string, Tip>()
const counts = { commits: 0, pushes: 0, reads: 0 }
let isRunning = true
const anyNode = () => nodes[Math.floor(random() * nodes.length)] as Node

async function committer(project: number, branch: string): Promise<void> {
  for (let index = 0; isRunning; index++) {
    const answer = await ask(anyNode(), 'POST', `/api/v4/projects/${project}/repository/commits`, {
      branch,
      commit_message: `${branch} ${index}`,
      actions: [{ action: 'create', file_path: `${branch}/${index}`, content: String(index) }],
    })
    count(`commit ${answer?.status ?? 'away'}`)
    if (answer?.status === 201) {
      counts.commits++
      tips.set(branch, { project, branch, oid: JSON.parse(answer.text).id })
    } else {
      // What was not acknowledged may have happened all the same: the next file has another name.
      if (answer && answer.status !== 503)
        complain(`a commit answers ${answer.status} ${answer.text}`)
      await pause(100)
    }
  }
}

async function git(
  cwd: string,
  ...args: string[]
): Promise<{ status: number | null; output: string }> {
  const child = spawn('git', args, {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, output: output.trim() }
}

async function pusher(project: number, path: string, branch: string): Promise<void> {
  const copy = join(folder, branch)
  mkdirSync(copy)
  await git(copy, 'init', '--quiet')
  for (let index = 0; isRunning; index++) {
    const identity = ['-c', 'user.name=p', '-c', 'user.email=p@bloomery.test']
    await git(copy, ...identity, 'commit', '--quiet', '--allow-empty', '-m', `${branch} ${index}`)
    const { output: oid } = await git(copy, 'rev-parse', 'HEAD')
    const url = `http://x:${token}@127.0.0.1:${anyNode().port}/${path}.git`
    const { status, output } = await git(copy, 'push', '--quiet', url, `HEAD:refs/heads/${branch}`)
    count(status === 0 ? 'push done' : 'push failed')
    if (status === 0) {
      counts.pushes++
      tips.set(branch, { project, branch, oid })
    } else {
      // Whoever's git was killed is told so.
      const isTold = /error: 503|failed to update ref/.test(output)
      if (!isTold && /rejected|denied|returned error/.test(output)) {
        complain(`a push was refused: ${output}`)
      }
      await pause(100)
    }
  }
}

async function reader(project: number): Promise<void> {
  const paths = ['', '/repository/branches', '/issues', '/repository/commits']
  while (isRunning) {
    for (const path of paths) {
      const answer = await ask(anyNode(), 'GET', `/api/v4/projects/${project}${path}`)
      count(`read ${answer?.status ?? 'away'}`)
      if (answer?.status === 200) counts.reads++
      else if (answer && answer.status !== 503) {
        complain(`GET ${path} answers ${answer.status} ${answer.text.slice(0, 300)}`)
      }
    }
    await pause(20)
  }
}

/** Moves a project to the other storage, and back, and so on. Every move ends, whatever happens to the servers. */
async function mover(project: number): Promise<void> {
  while (isRunning) {
    const moves = `/api/v4/projects/${project}/repository_storage_moves`
    const answer = await ask(anyNode(), 'POST', moves, {})
    count(`move ${answer?.status ?? 'away'}`)
    // One that was not acknowledged may have begun all the same.
    const listed = await ask(anyNode(), 'GET', moves)
    const [move] = listed?.status === 200 ? JSON.parse(listed.text) : []
    if (move) await waitForMove(`${moves}/${move.id}`)
    await pause(1000)
  }
}

async function waitForMove(path: string): Promise<void> {
  const begin_ms = performance.now()
  while (performance.now() - begin_ms < move_ms_max) {
    const answer = await ask(anyNode(), 'GET', path)
    const { state, problem } = answer?.status === 200 ? JSON.parse(answer.text) : {}
    if (['finished', 'failed', 'cleanup failed'].includes(state)) {
      count(`move ${state}`)
      if (state === 'cleanup failed') complain(`a move has not removed its source: ${problem}`)
      return
    }
    await pause(200)
  }
  complain(`a move has not ended after ${move_ms_max} ms: ${path}`)
}

async function endNode(node: Node, signal: NodeJS.Signals): Promise<void> {
  node.isExpectedToEnd = true
  const gone = new Promise((resolve) => node.child?.once('exit', resolve))
  node.child?.kill(signal)
  await gone
}

/** The process that starts git for a server: the child of it that runs a script of ours. */
function helperOf(node: Node): number | undefined {
  return descendantsOf(node.child?.pid ?? 0).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('spawn-helper')
    } catch {
      return false
    }
  })
}

async function harm(fault: Fault): Promise<void> {
  const node = anyNode()
  switch (fault) {
    case 'kill':
      await endNode(node, 'SIGKILL')
      await pause(random() * 3000)
      return start(node)
    case 'kill-helper': {
      const pid = helperOf(node)
      if (pid) process.kill(pid, 'SIGKILL')
      else count('no helper to kill')
      return
    }
    case 'stop':
      node.child?.kill('SIGSTOP')
      await pause(stop_ms)
      node.child?.kill('SIGCONT')
      return
    case 'partition':
      node.proxy.silence()
      await pause(partition_ms)
      node.proxy.replace()
      return
    default:
      return postgres.restart(fault === 'restart-database' ? 'SIGINT' : 'SIGQUIT')
  }
}

/** Waits until each server is ready and reads the repository; returns how long that took. */
async function recover(project: number): Promise<number> {
  const begin_ms = performance.now()
  for (const node of nodes) {
    for (;;) {
      const ready = await ask(node, 'GET', '/-/readiness')
      const path = `/api/v4/projects/${project}/repository/branches`
      const read = ready?.status === 200 && (await ask(node, 'GET', path))
      if (read && read.status === 200) break
      if (performance.now() - begin_ms > recovery_ms_max) {
        complain(
          `a server is not back after ${recovery_ms_max} ms: ${ready?.status} ${ready?.text}`,
        )
        break
      }
      await pause(50)
    }
  }
  return Math.round(performance.now() - begin_ms)
}

/** The repositories of the projects and their wikis, by hashes. */
function repositories(): string[] {
  return storages.flatMap((storage) =>
    readdirSync(storage, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.git'))
      .map((name) => join(storage, name)),
  )
}

/** Checks that every acknowledged commit is on its branch, on whichever server. */
async function checkTips(): Promise<void> {
  for (const { project, branch, oid } of [...tips.values()]) {
    const node = anyNode()
    const at = `/api/v4/projects/${project}/repository/commits/${oid}/refs?type=branch&per_page=100`
    const answer = await ask(node, 'GET', at)
    const names = answer?.status === 200 ? JSON.parse(answer.text) : []
    if (!names.some(({ name }: { name: string }) => name === branch)) {
      complain(`${branch} has lost ${oid}: ${answer?.status} ${answer?.text.slice(0, 300)}`)
    }
  }
}

for (let index = 0; index < 2; index++) {
  const node = {
    index,
    port: await freePort(),
    child: undefined,
    isExpectedToEnd: false,
    proxy: await startSilentProxy(Number(new URL(postgres.url).port)),
  }
  nodes.push(node)
  await start(node)
}
const apiBranches = ['api-1', 'api-2']
const movedBranches = ['moved-1', 'moved-2']

async function makeProject(
  name: string,
  branches: readonly string[],
): Promise<{ id: number; path_with_namespace: string }> {
  const made = await ask(nodes[0] as Node, 'POST', '/api/v4/projects', {
    name,
    initialize_with_readme: true,
    ...(isOwned ? { repository_storage: 'a' } : {}),
  })
  const project = JSON.parse(made?.text ?? '{}')
  for (const branch of branches) {
    const path = `/api/v4/projects/${project.id}/repository/branches`
    await ask(nodes[0] as Node, 'POST', path, { branch, ref: 'main' })
  }
  return project
}

const { id, path_with_namespace } = await makeProject('harmed', apiBranches)
const work = [
  ...apiBranches.map((branch) => committer(id, branch)),
  ...['git-1', 'git-2'].map((branch) => pusher(id, path_with_namespace, branch)),
  reader(id),
  reader(id),
]
if (isOwned) {
  const moved = await makeProject('moved', movedBranches)
  work.push(mover(moved.id), ...movedBranches.map((branch) => committer(moved.id, branch)))
}
const recoveries = new Map<Fault, number[]>()
for (let round = 1; round <= rounds; round++) {
  await pause(1000 + random() * 2000)
  const fault = faults[(round - 1) % faults.length] as Fault
  logged = []
  await harm(fault)
  const took = await recover(id)
  recoveries.set(fault, [...(recoveries.get(fault) ?? []), took])
  await checkTips()
  if (logged.length > 0)
    console.log(`round ${round}, ${fault}: ${logged.length} errors: ${logged[0]?.slice(0, 700)}`)
}
isRunning = false
await Promise.all(work)
await checkTips()
const names = repositories().map((path) => basename(path))
if (new Set(names).size < names.length) complain('a repository is on both storages')
// No upkeep takes a pack away while it is read.
for (const node of nodes) await endNode(node, 'SIGTERM')
for (const path of repositories()) {
  const { status, output } = await git(path, 'fsck', '--full', '--no-dangling')
  if (status !== 0) complain(`git fsck of ${path}: ${output}`)
}
for (const { proxy } of nodes) await proxy.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify({ ...counts, ...Object.fromEntries([...statuses].sort()) }))
for (const [fault, all] of recoveries) {
  const sorted = all.toSorted((a, b) => a - b)
  console.log(
    `${fault}: ${all.length} times, back after ${sorted[Math.floor(all.length / 2)]} ms, at most ${sorted.at(-1)} ms`,
  )
}
console.log(`${rounds} faults, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
