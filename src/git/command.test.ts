import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { splitIntoArgumentBatches } from './argument-batches.ts'
import { type Git, runGit, spawnGit } from './command.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from './git.ts'
import { Spawner } from './spawner.ts'

const cache = mkdtempSync(join(tmpdir(), 'bloomery-cache-'))
let git: GitAccess
let losses = 0
beforeAll(async () => {
  git = await openGitAccess({
    searchPath: process.env.PATH ?? '',
    cache,
    memory_bytes_max: 2 ** 28,
    now_ms: () => 0,
    onHelperLost: () => losses++,
  })
})
afterAll(async () => {
  await closeGitAccess(git)
  rmSync(cache, { recursive: true })
})

it('loses nothing of what git printed before a busy server could look', async () => {
  const { spawner, turns, memory } = git.git
  const busy = new Int32Array(new SharedArrayBuffer(4))
  const held = {
    turns,
    memory,
    spawner: {
      spawn(options: Parameters<typeof spawner.spawn>[0]) {
        const spawned = spawner.spawn(options)
        // The thread stands still from the connection on until git has surely ended.
        const io = spawned.io.then((socket) => {
          Atomics.wait(busy, 0, 0, 500)
          return socket
        })
        return { ...spawned, io }
      },
    },
  } as unknown as Git
  for (const stdin of [undefined, '']) {
    const output = await runGit(held, undefined, { args: ['version'], stdin })
    expect(output.toString()).toMatch(/^git version /)
  }
})

it('outlives arguments that are longer than the system takes', async () => {
  const args = ['version', 'x'.repeat(200_000)]
  await expect(runGit(git.git, undefined, { args })).rejects.toThrow('git version failed.')
  expect((await runGit(git.git, undefined, { args: ['version'] })).toString()).toMatch(/^git/)
})

const { arguments_max, argument_bytes_max, arguments_bytes_max, environment_bytes_max } =
  limits.git_command
const tooLong: [string, { args: string[]; env?: Record<string, string> }][] = [
  ['too many arguments', { args: Array(arguments_max + 1).fill('a') }],
  ['one argument that the kernel refuses', { args: ['a'.repeat(argument_bytes_max + 1)] }],
  ['an argument of 30 MB', { args: ['a'.repeat(30_000_000)] }],
  ['characters of several bytes', { args: ['\u{1f600}'.repeat(argument_bytes_max / 4 + 1)] }],
  ['arguments that are too long together', { args: Array(20).fill('a'.repeat(100_000)) }],
  ['a large environment', { args: [], env: { A: 'a'.repeat(environment_bytes_max) } }],
  ['a large environment of names', { args: [], env: { ['A'.repeat(environment_bytes_max)]: '' } }],
]
it.each(tooLong)('hands the helper nothing of a command with %s', async (_, { args, env }) => {
  const { spawned } = git.git.spawner
  const command = { args: ['version', ...args], env }
  await expect(runGit(git.git, undefined, command)).rejects.toMatchObject({
    kind: 'too-large',
    message: 'git version failed.',
  })
  expect(git.git.spawner.spawned).toBe(spawned)
  expect(git.git.spawner.running).toBe(0)
})

it('takes what is as long as it may be', async () => {
  const name = 'a'.repeat(argument_bytes_max)
  const room = arguments_bytes_max - argument_bytes_max * 7 - 100
  for (const args of [
    Array(arguments_max - 3).fill('a'),
    [...Array(7).fill(name), 'a'.repeat(room)],
  ]) {
    // git has no such option, and says so: it was started.
    const command = { args: ['version', '--', ...args] }
    const told = await runGit(git.git, undefined, command).catch((error) => error.stderr)
    expect(told.toString()).not.toMatch(/E2BIG|too long/)
  }
})

it('puts many names into batches that a command takes', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `${'n'.repeat(at % 1000)}${at}`)
  const batches = [...splitIntoArgumentBatches(names)]
  expect(batches.flat()).toEqual(names)
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(arguments_max / 2)
    expect(Buffer.byteLength(batch.join(' '))).toBeLessThan(arguments_bytes_max)
  }
  expect([...splitIntoArgumentBatches([])]).toEqual([])
})

/** The id of the spawn helper. What it starts looks like it until it runs its own program, and may have a lower id. */
function helperPid(): number {
  const [pid] = processesWith(git.git.spawner.folder ?? '').filter((each) =>
    readFileSync(`/proc/${each}/status`, 'latin1').includes(`\nPPid:\t${process.pid}\n`),
  )
  if (pid === undefined) throw new Error('No spawn helper is running.')
  return pid
}

/** Processes of this machine by what they were started with. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

it('starts a helper that died again, and fails only what that one did', async () => {
  const init = ['init', '--bare', '--quiet', join(cache, 'lost.git')]
  await runGit(git.git, undefined, { args: init })
  const repository = { path: join(cache, 'lost.git') } as Parameters<typeof spawnGit>[1]
  for (const round of [1, 2, 3]) {
    const running = await spawnGit(git.git, repository, { args: ['cat-file', '--batch'] })
    process.kill(helperPid(), 'SIGKILL')
    await expect(running.exit).rejects.toMatchObject({ kind: 'not-running' })
    expect((await runGit(git.git, undefined, { args: ['version'] })).toString()).toMatch(/^git/)
    await expect.poll(() => losses).toBe(round)
    // What it had started is ended too, though nobody has closed its input.
    await expect.poll(() => processesWith(`--git-dir=${repository.path}`)).toEqual([])
    running.io.destroy()
  }
  expect(git.git.spawner.running).toBe(0)
})

it('starts its helper with the first program, and ends it when none has run for a while', async () => {
  let lost = 0
  const spawner = new Spawner({
    environment: { PATH: process.env.PATH ?? '' },
    rules: { together_bytes_max: 2 ** 30, danger_bytes: 0, ended_bytes_min: 2 ** 30 },
    onLost: () => lost++,
    idle_ms: 100,
  })
  expect(spawner.folder).toBeUndefined()
  for (const _ of [1, 2]) {
    const { io, exit } = spawner.spawn({
      program: 'git',
      args: ['version'],
      timeout_ms: 10_000,
      memory_bytes_max: 2 ** 30,
      rank: 0,
      isNice: false,
    })
    expect((await text(await io)).startsWith('git version')).toBe(true)
    expect((await exit).code).toBe(0)
    const folder = spawner.folder ?? ''
    expect([processesWith(folder).length, existsSync(folder)]).toEqual([1, true])
    await expect.poll(() => processesWith(folder), { timeout: 5_000 }).toEqual([])
    expect([spawner.folder, existsSync(folder)]).toEqual([undefined, false])
  }
  expect(lost).toBe(0)
  await spawner.close()
})
