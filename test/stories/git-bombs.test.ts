// Few objects that stand for more files than anybody could list: a tree whose entries are all the same tree,
// and so on downwards. What they cost git must be bounded, and known after the first time.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { beforeAll, expect, it } from 'vitest'
import { listRegularFiles } from '../../src/git/files.ts'
import { maintainRepository } from '../../src/git/maintenance.ts'
import type { Oid } from '../../src/git/names.ts'
import { limits } from '../../src/kernel/limits.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, processesOf, type WorkingCopy } from '../kit/git.ts'
import { longestStall } from '../kit/stall.ts'

let world: GitWorld
let project: Project
let copy: WorkingCopy
let bomb: string
/** How often the server looks at programs, and what they grow by until it looks again: one on each processor. */
const look_ms = 50
const grown_bytes = availableParallelism() * 50 * 1024 * 1024

/** `width` entries in each of `depth` trees: width to the power of depth files. */
async function growTree(width: number, depth: number): Promise<string> {
  const leaf = await copy.must(['hash-object', '-w', '--stdin'], { stdin: 'a\n' })
  let entry = `100644 blob ${leaf}`
  let tree = ''
  for (let level = 0; level < depth; level++) {
    const lines = Array.from({ length: width }, (_, at) => `${entry}\tf${at + 10}\n`)
    tree = await copy.must(['mktree'], { stdin: lines.join('') })
    entry = `040000 tree ${tree}`
  }
  return tree
}

beforeAll(async () => {
  world = await newGitWorld()
  project = await world.newProject()
  copy = await world.begin(project)
  const first = await copy.commit({ readme: 'r\n' })
  const tree = await growTree(31, 8)
  bomb = await copy.must(['commit-tree', tree, '-p', first, '-m', 'bomb'])
  await copy.must(['push', '--quiet', 'origin', `${first}:refs/heads/main`])
  await copy.must(['push', '--quiet', 'origin', `${bomb}:refs/heads/bomb`])
})

/**
 * The most that the programs working on the repository held for themselves while the task ran, and what that may
 * be where so many answer one caller at once. Where the machine is so busy that looks come late, programs grow longer.
 */
async function peakOf(
  task: () => Promise<unknown>,
  { programs = 1 } = {},
): Promise<{ peak_bytes: number; allowed_bytes: number }> {
  let peak_bytes = 0
  let gap_ms = look_ms
  let looked_ms = performance.now()
  const sampler = setInterval(() => {
    gap_ms = Math.max(gap_ms, performance.now() - looked_ms)
    let sum_kb = 0
    for (const id of processesOf(world.repository(project))) {
      try {
        const status = readFileSync(`/proc/${id}/status`, 'latin1')
        sum_kb += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0)
      } catch {
        // It ended while it was looked at.
      }
    }
    peak_bytes = Math.max(peak_bytes, sum_kb * 1024)
    looked_ms = performance.now()
  }, look_ms)
  await task().finally(() => clearInterval(sampler))
  // The looks of the server and those of this test come late together, and one after another.
  const late = Math.max(1, (2 * gap_ms) / (3 * look_ms))
  const allowed_bytes = programs * world.app.git.git.memory.answerMax_bytes() + late * grown_bytes
  return { peak_bytes, allowed_bytes }
}

const at = (rest: string) => `/projects/${project.id}/repository${rest}`
const get = (rest: string) => world.as('reporter').get(at(rest))

it.each([
  ['/commits/bomb/diff', 200, []],
  ['/commits/bomb', 200, { stats: { additions: 0, deletions: 0, total: 0 } }],
  [
    '/commits?ref_name=bomb&with_stats=true',
    200,
    [{ stats: { total: 0 } }, { stats: { total: 1 } }],
  ],
  ['/compare?from=main&to=bomb', 200, { diffs: [], compare_timeout: true }],
  ['/compare?from=main&to=bomb&straight=true', 200, { diffs: [], compare_timeout: true }],
  ['/compare?from=bomb&to=main&straight=true', 200, { diffs: [], compare_timeout: true }],
  ['/commits?ref_name=bomb&path=f10/f10/f10/f10/f10/f10/f10/f10', 200, [{ title: 'bomb' }]],
  ['/files/f10%2Ff10%2Ff10%2Ff10%2Ff10%2Ff10%2Ff10%2Ff10/blame?ref=bomb', 503, {}],
  ['/tree?ref=bomb&recursive=true&per_page=1', 200, [{ name: 'f10' }]],
  ['/contributors', 200, [{ commits: 1 }]],
] as const)(
  'answers %s within its bounds, and costs nothing when asked again',
  async (url, status, body) => {
    const { peak_bytes, allowed_bytes } = await peakOf(async () => {
      const stall_ms = await longestStall(async () => {
        const answer = await get(url)
        expect([answer.statusCode, answer.json()]).toMatchObject([status, body])
      })
      expect(stall_ms).toBeLessThan(1000)
    })
    expect(peak_bytes).toBeLessThan(allowed_bytes)
    const again = await world.app.count(() => get(url))
    expect(again.processes).toBe(0)
  },
)

it('bounds what many ask at once, over all programs together', async () => {
  const tips = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      copy.must(['commit-tree', `${bomb}^{tree}`, '-m', `another ${at}`]),
    ),
  )
  await copy.must([
    'push',
    '--quiet',
    'origin',
    ...tips.map((tip, at) => `${tip}:refs/heads/many-${at}`),
  ])
  const { peak_bytes, allowed_bytes } = await peakOf(
    () =>
      Promise.all(
        tips.map(async (_, at) => {
          const answer = await get(`/commits/many-${at}/diff`)
          expect([answer.statusCode, answer.json()]).toEqual([200, []])
        }),
      ),
    { programs: limits.git_turns.read.running_of_one_max },
  )
  expect(peak_bytes).toBeLessThan(allowed_bytes)
})

it('refuses an archive that git cannot make, and lets the next one have its place', async () => {
  const { peak_bytes, allowed_bytes } = await peakOf(async () => {
    expect((await get('/archive.tar?sha=bomb')).statusCode).toBe(503)
  })
  expect(peak_bytes).toBeLessThan(allowed_bytes)
  await expect.poll(() => world.app.git.git.turns.running('archive')).toBe(0)
  expect((await get('/archive.tar?sha=main')).statusCode).toBe(200)
})

it('is picked, searched, cloned, counted and maintained within the same bounds', async () => {
  const { peak_bytes, allowed_bytes } = await peakOf(async () => {
    const picked = await world
      .as('owner')
      .post(at(`/commits/${bomb}/cherry_pick`), { branch: 'main', dry_run: true })
    expect(picked.statusCode).toBe(200)
    const found = await world
      .as('reporter')
      .get(`/projects/${project.id}/search?scope=blobs&search=nowhere&ref=bomb`)
    expect([found.statusCode, found.json()]).toEqual([200, []])
    await world.clone(project, { args: ['--bare', '--quiet'] })
    const repository = { path: world.repository(project) }
    const { git } = world.app.git
    expect(await listRegularFiles(git, repository, { commit: bomb as Oid, files_max: 1000 })).toBe(
      undefined,
    )
    await maintainRepository(git, repository)
  })
  expect(peak_bytes).toBeLessThan(allowed_bytes)
})
