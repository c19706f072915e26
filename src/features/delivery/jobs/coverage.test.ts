import { beforeAll, describe, expect, it } from 'vitest'
import { takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { longestStall } from '../../../../test/kit/stall.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** The coverage that a job has whose log says so. */
async function coverageOf(
  pattern: string,
  log: string,
): Promise<{ coverage: number; stall: number }> {
  const project = await newCiProject(world, { build: { script: 'x', coverage: pattern } })
  const { runner, job } = await takeFirstJob(world, project)
  for (let at = 0; at < log.length; at += 500_000) {
    await runner.log(job, log.slice(at, at + 500_000), at)
  }
  const stall = await longestStall(() => runner.end(job, 'success'))
  const { coverage } = (
    await world.as('owner').get(`/projects/${project.id}/jobs/${job.id}`)
  ).json()
  return { coverage, stall }
}

const lines = (count: number, line: string) => `${line}\n`.repeat(count)

describe('The coverage of a job', () => {
  it.each([
    ['/TOTAL.*? (100(?:\\.0+)?%|[1-9]?\\d(?:\\.\\d+)?%)$/', 'TOTAL   87.5%\n', 87.5],
    [
      '/(?i)lines: \\d+/',
      `Lines: 42\n${lines(10_000, 'ordinary words of a log, line by line')}`,
      42,
    ],
    ['/nothing (\\d+)/', 'TOTAL 12\n', null],
  ])('is what %s finds', async (pattern, log, coverage) => {
    expect((await coverageOf(pattern, log)).coverage).toBe(coverage)
  })

  it.each([
    ['of many steps', '/(?:.*){300}[xz]$/'],
    ['of nested repetitions', '/(?:(a|b|c|d)*){60}[yz]$/'],
    ['of some steps', '/(?:.*){40}[xz]$/'],
    ['that nearly fits', '/(x+x+)+y/'],
  ])('holds nobody up for an expression %s', { timeout: 60_000 }, async (_, pattern) => {
    const log = lines(50, 'a'.repeat(10_000)) + lines(4000, 'ab '.repeat(40))
    const { stall } = await coverageOf(pattern, log)
    expect(stall).toBeLessThan(2_000)
  })
})
