// git over HTTP beside the same over file://, and what many clones at once cost the server.
import { cp, readdir, rm } from 'node:fs/promises'
import { type Bench, projectOf } from '../bench.ts'
import { sideBranch } from '../histories.ts'
import { readProcessTree, runGit, runScript } from '../machine.ts'
import { type Pair, time_ms, timePairs } from '../measure.ts'
import type { Drained } from '../pack-drain.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const fetched_commits = 100

async function open(bench: Bench) {
  const site = await bench.repositorySite()
  const project = projectOf(site, 'heavy')
  const { server, token } = await bench.serve(site)
  const url = new URL(`${server.url}/${project.fullPath}.git`)
  url.username = 'smith'
  url.password = token
  return { project, server, token, url: url.href, fileUrl: `file://${project.repository}` }
}

function besideFile({ floor_ms, ours_ms }: { floor_ms: number; ours_ms: number }): Measured {
  return {
    floor: { value: floor_ms / 1000, unit: 's', of: 'the same over file://' },
    ours: { value: ours_ms / 1000, unit: 's' },
    note: 'medians',
  }
}

function samples(bench: Bench, pair: (index: number) => Pair): Pair[] {
  return Array.from({ length: bench.sizes.transfers }, (_, index) => pair(index))
}

async function measureClone(bench: Bench): Promise<Measured> {
  const { url, fileUrl } = await open(bench)
  const clone = async (from: string) => {
    await runGit(['clone', '--quiet', '--bare', from, `${base}-${bench.nextNumber()}`])
  }
  const base = bench.newFolder('clone')
  const measured = await timePairs(
    samples(bench, () => ({ floor: () => clone(fileUrl), ours: () => clone(url) })),
  )
  await removeAll(bench, 'clone')
  return besideFile(measured)
}

/** Removes what one row has left, so that disks stay small. */
async function removeAll(bench: Bench, prefix: string): Promise<void> {
  for (const name of await readdir(bench.folder)) {
    if (name.startsWith(`${prefix}-`)) {
      await rm(`${bench.folder}/${name}`, { recursive: true, force: true })
    }
  }
}

async function measureFetch(bench: Bench): Promise<Measured> {
  const { project, url, fileUrl } = await open(bench)
  const branch = `fetched-${bench.nextNumber()}`
  const first = bench.newFolder('fetcher')
  await runGit(['clone', '--quiet', '--bare', '--single-branch', '--branch=main', fileUrl, first])
  const repository = `--git-dir=${project.repository}`
  await runGit([repository, 'fast-import', '--quiet'], sideBranch(branch, fetched_commits))
  const copies: string[] = []
  for (let index = 0; index < bench.sizes.transfers * 2; index++) {
    const copy = bench.newFolder('fetcher')
    await runGit(['clone', '--quiet', '--bare', '--local', first, copy])
    copies.push(copy)
  }
  const refs = `refs/heads/${branch}:refs/heads/${branch}`
  const fetch = (from: string, into = '') =>
    runGit([`--git-dir=${into}`, 'fetch', '--quiet', from, refs])
  const measured = await timePairs(
    samples(bench, (index) => ({
      floor: () => fetch(fileUrl, copies[index * 2]),
      ours: () => fetch(url, copies[index * 2 + 1]),
    })),
  )
  await removeAll(bench, 'fetcher')
  return besideFile(measured)
}

async function measurePush(bench: Bench): Promise<Measured> {
  const { project, url, fileUrl } = await open(bench)
  const client = bench.newFolder('pusher')
  const copy = bench.newFolder('pusher')
  await runGit(['clone', '--quiet', '--bare', '--single-branch', '--branch=main', fileUrl, client])
  await cp(project.repository, copy, { recursive: true })
  const branches: string[] = []
  for (let index = 0; index < bench.sizes.transfers; index++) {
    const branch = `pushed-${bench.nextNumber()}`
    const stream = sideBranch(branch, bench.sizes.pushed_commits)
    await runGit([`--git-dir=${client}`, 'fast-import', '--quiet'], stream)
    branches.push(branch)
  }
  const push = (to: string, branch = '') =>
    runGit([`--git-dir=${client}`, 'push', '--quiet', to, branch])
  const measured = await timePairs(
    samples(bench, (index) => ({
      floor: () => push(`file://${copy}`, branches[index]),
      ours: () => push(url, branches[index]),
    })),
  )
  await removeAll(bench, 'pusher')
  return besideFile(measured)
}

/** Processor time of the server and of every git it has started. */
async function cpuOfClones(bench: Bench, count: number) {
  const { project, server, token } = await open(bench)
  const credentials = `Basic ${Buffer.from(`smith:${token}`).toString('base64')}`
  const spent = () => {
    const tree = readProcessTree(server.pid)
    const all_s = tree.reduce((sum, { cpu_s }) => sum + cpu_s, 0)
    return { all_s, server_s: tree[0]?.cpu_s ?? 0 }
  }
  const before = spent()
  const script = new URL('../pack-drain.ts', import.meta.url)
  const url = `${server.url}/${project.fullPath}.git`
  const whole_ms = await time_ms(() =>
    // An agent of its own, so that no answer made for an earlier round is still there.
    runScript<Drained>(script, [
      url,
      credentials,
      String(count),
      project.tip,
      `bench/${bench.nextNumber()}`,
    ]),
  )
  const after = spent()
  return {
    cpu_s: after.all_s - before.all_s,
    server_s: after.server_s - before.server_s,
    whole_s: whole_ms / 1000,
  }
}

async function measureParallel(bench: Bench): Promise<Measured> {
  const tell = (who: string, { server_s, whole_s }: { server_s: number; whole_s: number }) =>
    `${who} after ${whole_s.toFixed(1)} s, ${server_s.toFixed(2)} s of it the server's own`
  const one = await cpuOfClones(bench, 1)
  const many = await cpuOfClones(bench, bench.sizes.parallel_clones)
  return {
    floor: { value: one.cpu_s, unit: 's', of: 'processor time of one' },
    ours: { value: many.cpu_s, unit: 's' },
    note: `${tell('all', many)}; ${tell('one', one)}`,
  }
}

export function transferRows({ heavy_mb, pushed_commits, parallel_clones }: Sizes): Row[] {
  return [
    { name: `clone over HTTP, ${heavy_mb} MB`, goal: atMost(1.15), measure: measureClone },
    {
      name: `fetch of ${fetched_commits} new commits`,
      goal: atMost(1.15),
      measure: measureFetch,
    },
    { name: `push of ${pushed_commits} commits`, goal: atMost(1.15), measure: measurePush },
    {
      name: `${parallel_clones} clones at once`,
      goal: atMost(3),
      measure: measureParallel,
    },
  ]
}
