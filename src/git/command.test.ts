import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Git, runGit } from './command.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from './git.ts'

const cache = mkdtempSync(join(tmpdir(), 'bloomery-cache-'))
let git: GitAccess
beforeAll(async () => {
  git = await openGitAccess({
    searchPath: process.env.PATH ?? '',
    cache,
    memory_bytes_max: 2 ** 28,
    now_ms: () => 0,
  })
})
afterAll(async () => {
  await closeGitAccess(git)
  rmSync(cache, { recursive: true })
})

it('loses nothing of what git printed before a busy server could look', async () => {
  const { spawner, turns } = git.git
  const busy = new Int32Array(new SharedArrayBuffer(4))
  const held = {
    turns,
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
