// Two worker processes beside one. The load generator shares the machine with them, so where the system allows it each
// process gets a quarter of a core: then what two of them add does not depend on how many cores there are.
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, fileUrl, projectOf } from '../bench.ts'
import { paths } from '../histories.ts'
import { rateOf } from '../load.ts'
import { readProcessTree, readShare_mb } from '../machine.ts'
import { atLeast, below, type Measured, type Row } from '../row.ts'
import { type Server, startServer } from '../server.ts'
import type { Site } from '../site.ts'

/** A quarter of a core is given out in tenths of a second. */
const rate_s_min = 5
const settling_ms = 4000
/** The controller of processor time, where control groups of version 1 are mounted; only root may write there. */
const controller = '/sys/fs/cgroup/cpu'
const period_us = 100_000
const share_us = 25_000

type Ready = { server: Server; processes: number[]; end: () => Promise<void> }

async function startWorkers(data: string, workers: number): Promise<Ready> {
  const server = await startServer({ data, env: { BLOOMERY_WORKERS: String(workers) } })
  // The workers beside the first start when that one serves.
  await new Promise((resolve) => setTimeout(resolve, settling_ms))
  const tree = readProcessTree(server.pid).map(({ pid }) => pid)
  const processes = workers === 1 ? [server.pid] : tree.filter((pid) => pid !== server.pid)
  return { server, processes, end: () => server.stop() }
}

/** Gives each process a quarter of a core; returns what takes that back, undefined where the system does not allow it. */
function limitProcessors(processes: readonly number[]): (() => void) | undefined {
  const groups = processes.map((pid) => join(controller, `bloomery-bench-${pid}`))
  try {
    for (const [at, group] of groups.entries()) {
      mkdirSync(group)
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(period_us))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(share_us))
      writeFileSync(join(group, 'cgroup.procs'), String(processes[at]))
    }
  } catch {
    return undefined
  }
  return () => {
    for (const group of groups) rmdirSync(group)
  }
}

async function measureRate(
  bench: Bench,
  site: Site,
  workers: number,
): Promise<{ rate: number; isLimited: boolean }> {
  const { server, processes, end } = await startWorkers(site.data, workers)
  const giveBack = limitProcessors(processes)
  const url = server.url + fileUrl(projectOf(site, 'plain'), paths.read, '?ref=main')
  try {
    const rate = await rateOf(url, {
      duration_s: Math.max(bench.sizes.rate_s, rate_s_min),
      headers: { 'private-token': site.token },
    })
    return { rate, isLimited: giveBack !== undefined }
  } finally {
    await end()
    giveBack?.()
  }
}

async function measureReads(bench: Bench): Promise<Measured> {
  const site = await bench.repositorySite()
  const one = await measureRate(bench, site, 1)
  const two = await measureRate(bench, site, 2)
  return {
    floor: { value: one.rate, unit: '/s', of: 'one process' },
    ours: { value: two.rate, unit: '/s' },
    note: two.isLimited
      ? 'each process with a quarter of a core'
      : 'the load generator takes a part of the cores',
  }
}

async function measureMemory(bench: Bench): Promise<Measured> {
  const share_mb = async (workers: number) => {
    const data = bench.newFolder(`workers-${workers}`)
    mkdirSync(data)
    const { server, end } = await startWorkers(data, workers)
    const sum_mb = readProcessTree(server.pid).reduce((sum, { pid }) => sum + readShare_mb(pid), 0)
    await end()
    return sum_mb
  }
  const [two_mb, three_mb] = [await share_mb(2), await share_mb(3)]
  return {
    ours: { value: three_mb - two_mb, unit: 'MB' },
    note: `idle, shared pages counted once: two workers and their supervisor ${two_mb.toFixed(0)} MB, three ${three_mb.toFixed(0)} MB`,
  }
}

export const workerRows: Row[] = [
  { name: 'workers, rate of files with two', goal: atLeast(1.7), measure: measureReads },
  { name: 'workers, memory of a further one', goal: below(90, 'MB'), measure: measureMemory },
]
