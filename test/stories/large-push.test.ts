import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { peakHeld_bytes } from '../kit/memory.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

describe('a large push and clone pass through without being held in memory', () => {
  it('over HTTP', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    const size = 24 * 1024 * 1024
    await copy.commit({ large: randomBytes(size) })
    const peak_bytes = await peakHeld_bytes(size / 4, async () => {
      await copy.must(['push', '--quiet', 'origin', 'HEAD:main'], {
        config: { 'core.compression': '0' },
      })
      await world.clone(project, { args: ['--bare'] })
    })
    expect(peak_bytes).toBeLessThan(size / 4)
  })

  it('over SSH', async () => {
    const project = await world.newProject()
    const copy = await world.beginOverSsh(project, await world.keyOf('owner'))
    const size = 100 * 1024 * 1024
    await copy.must(['config', 'core.compression', '0'])
    await copy.commit({ large: randomBytes(size) })
    const peak_bytes = await peakHeld_bytes(size / 4, async () => {
      await copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
      const clone = await world.cloneOverSsh(project, await world.keyOf('reporter'), ['--bare'])
      expect(await clone.must(['cat-file', '-s', 'HEAD:large'])).toBe(String(size))
    })
    expect(peak_bytes).toBeLessThan(size / 4)
  }, 60_000)
})
