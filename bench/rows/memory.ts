// Resident memory of the server and its spawn helper, idle and under a steady load; the git processes
// that come and go are told beside it.
import { mkdir } from 'node:fs/promises'
import { type Bench, fileUrl, projectOf } from '../bench.ts'
import { call, callWell } from '../client.ts'
import { paths, sideBranch, threeActions } from '../histories.ts'
import { type ProcessFacts, readProcessTree, readShare_mb, runGit } from '../machine.ts'
import { below, type Measured, type Row } from '../row.ts'
import { type Server, startFloorServer, startServer } from '../server.ts'
import type { Site } from '../site.ts'
import type { Sizes } from '../sizes.ts'

const settling_ms = 3000

function sleep(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms))
}

type Memory = { node_mb: number; git_mb: number }

function memoryOf(server: Server): Memory {
  const tree = readProcessTree(server.pid)
  const sum = (processes: ProcessFacts[]) =>
    processes.reduce((total, { rss_mb }) => total + rss_mb, 0)
  const isGit = ({ name }: ProcessFacts) => name.startsWith('git')
  return {
    node_mb: sum(tree.filter((process) => !isGit(process))),
    git_mb: sum(tree.filter(isGit)),
  }
}

async function bareMemory(bench: Bench): Promise<Measured['floor']> {
  const folder = bench.newFolder('bare')
  await mkdir(folder)
  const server = await startFloorServer(folder)
  await sleep(settling_ms)
  const { node_mb } = memoryOf(server)
  await server.stop()
  return { value: node_mb, unit: 'MB', of: 'bare Fastify, idle' }
}

async function measureIdle(bench: Bench): Promise<Measured> {
  const data = bench.newFolder('idle')
  await mkdir(data)
  const server = await startServer({ data })
  await sleep(settling_ms)
  const tree = readProcessTree(server.pid)
  const parts = tree.map(({ rss_mb }) => rss_mb.toFixed(0))
  const share_mb = tree.reduce((sum, { pid }) => sum + readShare_mb(pid), 0)
  const { node_mb } = memoryOf(server)
  await server.stop()
  return {
    floor: await bareMemory(bench),
    ours: { value: node_mb, unit: 'MB' },
    note: `server and helper: ${parts.join(' + ')} MB; shared pages counted once ${share_mb.toFixed(0)} MB`,
  }
}

/** Starts `task` so often a second until the time is over; the first failure is thrown at the end. */
async function repeat(
  rate: number,
  duration_s: number,
  task: (number: number) => Promise<unknown>,
): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let number = 0; number < rate * duration_s; number++) {
    const started = task(number)
    started.catch(() => {})
    running.push(started)
    await sleep(1000 / rate)
  }
  await Promise.all(running)
}

async function burden(bench: Bench, site: Site, server: Server): Promise<void> {
  const { load_s } = bench.sizes
  const headers = { 'private-token': site.token }
  const plain = projectOf(site, 'plain')
  const long = projectOf(site, 'long')
  const remote = server.url.replace('://', `://smith:${site.token}@`)
  const client = bench.newFolder('load')
  const from = `${remote}/${plain.fullPath}.git`
  await runGit(['clone', '--quiet', '--bare', from, client])
  const branch = `load-${bench.nextNumber()}`
  await runGit([`--git-dir=${client}`, 'fast-import', '--quiet'], sideBranch(branch, 1))
  const urls = [
    '/api/v4/user',
    fileUrl(plain, paths.read, '?ref=main'),
    fileUrl(long, paths.read, '/raw?ref=main'),
    fileUrl(long, paths.blamed, '/blame?ref=main'),
    `/api/v4/projects/${plain.id}`,
  ]
  const push = async (number: number) => {
    await runGit([`--git-dir=${client}`, 'fast-import', '--quiet'], threeActions(branch, number))
    await runGit([`--git-dir=${client}`, 'push', '--quiet', from, branch])
  }
  let pushed = Promise.resolve()
  await Promise.all([
    repeat(20, load_s, (number) =>
      callWell(server.url + (urls[number % urls.length] ?? ''), { headers }),
    ),
    repeat(2, load_s, (number) => {
      const folder = bench.newFolder('pulled')
      const source = number % 2 === 0 ? from : `${remote}/${long.fullPath}.git`
      return runGit(['clone', '--quiet', '--bare', '--depth=50', source, folder])
    }),
    repeat(1, load_s, (number) => {
      pushed = pushed.then(() => push(number))
      return pushed
    }),
  ])
  await call(`${server.url}/-/health`)
}

async function measureLoad(bench: Bench): Promise<Measured> {
  const site = await bench.repositorySite()
  const server = await startServer({ data: site.data })
  const most: Memory = { node_mb: 0, git_mb: 0 }
  const watch = setInterval(() => {
    const { node_mb, git_mb } = memoryOf(server)
    most.node_mb = Math.max(most.node_mb, node_mb)
    most.git_mb = Math.max(most.git_mb, git_mb)
  }, 200)
  try {
    await burden(bench, site, server)
  } finally {
    clearInterval(watch)
    await server.stop()
  }
  return {
    floor: await bareMemory(bench),
    ours: { value: most.node_mb, unit: 'MB' },
    note: `at most; git processes beside it at most ${most.git_mb.toFixed(0)} MB`,
  }
}

export function memoryRows({ load_s }: Sizes): Row[] {
  return [
    { name: 'memory, idle', goal: below(120, 'MB'), measure: measureIdle },
    {
      name: `memory, 20 API + 2 pulls + 1 push a second for ${load_s} s`,
      goal: below(400, 'MB'),
      measure: measureLoad,
    },
  ]
}
