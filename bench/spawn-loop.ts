// What starting git costs a Node process of a given size. Two uses, each printing JSON:
// `spawn-loop.ts rate <seconds> <git arguments...>`: starts a second, 16 at a time, by child_process.
// `spawn-loop.ts cost <helper|direct> <megabytes> <count>`: what one start takes, in the mean.
import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { gitEnvironment } from '../src/git/command.ts'
import { Spawner } from '../src/git/spawner.ts'

export type SpawnRate = { rate: number }
export type SpawnCost = {
  /** Processor time of the main thread, from the call to the news of the end. */
  cpu_us: number
  /** How long the call itself held the main thread; on a busy machine others may have run meanwhile. */
  call_us: number
  whole_ms: number
  rss_mb: number
}

const lanes = 16
const piece_bytes = 64 * 1024
const searchPath = process.env.PATH ?? ''

function spawnDirectly(args: readonly string[]): { exit: Promise<void> } {
  const child = spawn('git', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end()
  child.stdout.resume()
  child.stderr.resume()
  return { exit: new Promise((resolve) => child.once('close', () => resolve())) }
}

async function takeRate(duration_s: number, args: readonly string[]): Promise<SpawnRate> {
  const began = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() - began < duration_s * 1000) {
        await spawnDirectly(args).exit
        count++
      }
    }),
  )
  return { rate: (count * 1000) / (performance.now() - began) }
}

const rules = { together_bytes_max: 2 ** 40, danger_bytes: 0, ended_bytes_min: 2 ** 30 }
const program = { memory_bytes_max: 2 ** 30, rank: 2, isNice: false }

/** Memory that is really there: what a fork has to copy the page tables of. */
function growTo(megabytes: number): Buffer[] {
  const ballast: Buffer[] = []
  while (process.memoryUsage.rss() < megabytes * 1024 * 1024) {
    for (let piece = 0; piece < 16; piece++) ballast.push(Buffer.alloc(piece_bytes, 1))
  }
  return ballast
}

async function takeCost(how: string, megabytes: number, count: number): Promise<SpawnCost> {
  const spawner =
    how === 'helper'
      ? new Spawner({
          environment: { PATH: searchPath, ...gitEnvironment },
          rules,
          onLost: () => {},
        })
      : undefined
  const start = () => {
    if (!spawner) return spawnDirectly(['version'])
    const options = { program: 'git', args: ['version'], env: {}, timeout_ms: 10_000, ...program }
    const { io, exit } = spawner.spawn(options)
    return { exit: io.then((socket) => socket.resume().end()).then(() => exit) }
  }
  for (let warming = 0; warming < 50; warming++) await start().exit
  const ballast = growTo(megabytes)
  const before = process.threadCpuUsage()
  const began = performance.now()
  let calls_ms = 0
  for (let number = 0; number < count; number++) {
    const called = performance.now()
    const { exit } = start()
    calls_ms += performance.now() - called
    await exit
  }
  const whole_ms = (performance.now() - began) / count
  const { user, system } = process.threadCpuUsage(before)
  const rss_mb = process.memoryUsage.rss() / 1024 / 1024
  await spawner?.close()
  ballast.length = 0
  return {
    cpu_us: (user + system) / count,
    call_us: (calls_ms / count) * 1000,
    whole_ms,
    rss_mb,
  }
}

const [use, first = '', ...rest] = process.argv.slice(2)
const result =
  use === 'rate'
    ? await takeRate(Number(first), rest)
    : await takeCost(first, Number(rest[0]), Number(rest[1]))
process.stdout.write(JSON.stringify(result))
