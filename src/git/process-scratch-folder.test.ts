import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { ProcessScratchFolder } from './process-scratch-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'bloomery-own-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let made = 0
const newParent = () => join(root, String(++made))

/** Makes it so long ago that the process of a folder last said that it lives. */
function silence(path: string, duration_ms: number): void {
  const then_s = (statSync(path).mtimeMs - duration_ms) / 1000
  utimesSync(path, then_s, then_s)
}

const minutes_ms = 60_000

describe('A folder of a process', () => {
  it('is beside those of others that live, and goes with its own process', async () => {
    const parent = newParent()
    const one = await ProcessScratchFolder.open(parent)
    writeFileSync(join(one.path, 'kept'), 'x')
    const two = await ProcessScratchFolder.open(parent)
    expect(existsSync(join(one.path, 'kept'))).toBe(true)
    await two.close()
    expect(existsSync(two.path)).toBe(false)
    expect(existsSync(join(one.path, 'kept'))).toBe(true)
    await one.close()
    expect(readdirSync(parent)).toEqual([])
  })

  it('is removed by others once nothing was heard of it for minutes, whatever is in it', async () => {
    const parent = newParent()
    const [dead, alive] = [join(parent, 'dead'), join(parent, 'alive')]
    for (const path of [dead, alive]) {
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'kept'), 'x')
      writeFileSync(join(path, 'alive'), '')
    }
    silence(join(dead, 'alive'), 6 * minutes_ms)
    silence(join(alive, 'alive'), 4 * minutes_ms)
    // Long ago, something was last added to the one whose process lives.
    silence(alive, 60 * minutes_ms)
    const own = await ProcessScratchFolder.open(parent)
    expect(readdirSync(parent).sort()).toEqual(['alive', own.path.slice(parent.length + 1)].sort())
    await own.close()
  })

  it('is not put out by what servers left there before they had such folders, which goes in time', async () => {
    const parent = newParent()
    mkdirSync(parent)
    for (const name of ['old', 'new']) writeFileSync(join(parent, name), 'x')
    silence(join(parent, 'old'), 6 * minutes_ms)
    const own = await ProcessScratchFolder.open(parent)
    expect(readdirSync(parent)).not.toContain('old')
    expect(readdirSync(parent)).toContain('new')
    await own.close()
  })

  it('is made anew if it was removed while its process lives, which goes on saying so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const own = await ProcessScratchFolder.open(newParent())
      rmSync(own.path, { recursive: true })
      vi.advanceTimersByTime(30_000)
      await vi.waitFor(() => expect(readdirSync(own.path)).toEqual(['alive']))
      await own.close()
      expect(existsSync(own.path)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})
