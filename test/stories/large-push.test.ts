import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, it } from 'vitest'
import { type GitWorld, newGitWorld } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

it('a large push and clone pass through without being held in memory', async () => {
  const project = await world.newProject()
  const copy = await world.begin(project)
  const size = 24 * 1024 * 1024
  await copy.commit({ large: randomBytes(size) })
  let peak_bytes = 0
  let samples = 0
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  // What could be freed is not held, so it is freed before it is counted.
  const held = () => {
    collectGarbage()
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }
  const before_bytes = held()
  const sampler = setInterval(() => {
    samples++
    peak_bytes = Math.max(peak_bytes, held() - before_bytes)
  }, 250)
  try {
    await copy.must(['push', '--quiet', 'origin', 'HEAD:main'], {
      config: { 'core.compression': '0' },
    })
    await world.clone(project, { args: ['--bare'] })
  } finally {
    clearInterval(sampler)
  }
  expect(samples).toBeGreaterThan(0)
  expect(peak_bytes).toBeLessThan(size / 4)
})
