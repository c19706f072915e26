import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { type GitWorld, newGitWorld } from '../kit/git.ts'
import { peakHeld_bytes } from '../kit/memory.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

it('a large push and clone pass through without being held in memory', async () => {
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
