// The main work on a repository of a size that users have, 200,000 objects, while programs of git may hold no more
// than a small machine has. `npm run bench -- large` does the same at full size.
import { beforeAll, describe, expect, it } from 'vitest'
import { deepPath, ledgerPath, wideHistory } from '../../bench/large-histories.ts'
import { maintainRepository } from '../../src/git/maintenance.ts'
import { limits } from '../../src/kernel/limits.ts'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit, WorkingCopy } from '../kit/git.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

const memory_mb = 256
const commits = 13_500

let world: SshWorld
let project: Project
let source: WorkingCopy
beforeAll(async () => {
  world = await newSshWorld({ BLOOMERY_GIT_MEMORY_MAX: String(memory_mb) })
  project = await world.newProject()
  source = new WorkingCopy()
  await source.must(['init', '--quiet', '--bare'])
  const history = [...wideHistory({ commits, tags: 100 })].join('')
  await source.must(['-c', 'core.compression=1', 'fast-import', '--quiet'], { stdin: history })
  await source.must(['push', '--quiet', world.remote(project), 'main', '--tags'])
})

const at = (rest: string) => `/projects/${project.id}/repository${rest}`
const get = (rest: string) => world.as('reporter').get(at(rest))
const faults = () => world.app.log.filter(({ level }) => Number(level) >= 50)
const countObjects = async (copy: WorkingCopy) => {
  const text = await copy.must(['count-objects', '-v'])
  return Number(/^in-pack: (\d+)$/m.exec(text)?.[1])
}

describe.each(['before upkeep', 'after upkeep'] as const)('%s', (when) => {
  if (when === 'after upkeep') {
    beforeAll(async () => {
      await maintainRepository(world.app.git.git, { path: world.repository(project) })
    })
  }

  it('is cloned whole, shallow and without blobs', async () => {
    const whole = await world.clone(project, { args: ['--bare', '--quiet'] })
    expect(await countObjects(whole)).toBe(await countObjects(source))
    const shallow = await world.clone(project, { args: ['--bare', '--quiet', '--depth=1'] })
    expect(await shallow.must(['rev-list', '--count', 'main'])).toBe('1')
    const blobless = ['--bare', '--quiet', '--filter=blob:none']
    const copy = await world.clone(project, { args: blobless })
    expect(await copy.must(['rev-list', '--count', 'main'])).toBe(
      await source.must(['rev-list', '--count', 'main']),
    )
    expect(faults()).toEqual([])
  })

  it('is cloned by four over SSH at once', async () => {
    const key = await world.keyOf('reporter')
    const { memory } = world.app.git.git
    let waiting = 0
    const sampler = setInterval(() => {
      waiting = Math.max(waiting, memory.waiting)
    }, 20)
    const clones = await Promise.all(
      [1, 2, 3, 4].map(() =>
        runRealGit(['clone', '--bare', '--quiet', world.sshUrl(project)], { env: world.env(key) }),
      ),
    ).finally(() => clearInterval(sampler))
    expect(clones.map(({ status }) => status)).toEqual([0, 0, 0, 0])
    // Without a bitmap two fit beside each other, and the others wait; with one all fit.
    if (when === 'before upkeep') expect(waiting).toBeGreaterThan(0)
    else expect(waiting).toBe(0)
    expect(faults()).toEqual([])
  })
})

it('is read as any other', async () => {
  const blame = await get(`/files/${ledgerPath}/blame?ref=main`)
  expect(blame.statusCode).toBe(200)
  expect(blame.json().length).toBeGreaterThan(400)
  const oldest = await get(`/commits?ref_name=main&path=${encodeURIComponent(deepPath)}`)
  expect(oldest.json().map(({ title }: { title: string }) => title)).toEqual([
    `Change ${commits / 2}: adjust the furnace`,
    'Change 0: adjust the furnace',
  ])
  const compared = (await get('/compare?from=v1&to=v99')).json()
  // More files differ than one answer holds.
  expect(compared).toMatchObject({ compare_timeout: true, commit: { title: expect.any(String) } })
  expect(Object.keys(compared).sort()).toEqual([
    'commit',
    'commits',
    'compare_same_ref',
    'compare_timeout',
    'diffs',
    'web_url',
  ])
  expect(compared.commits.length).toBeGreaterThan(1000)
  expect(compared.commits.at(-1)).toEqual(compared.commit)
  expect(compared.diffs).toHaveLength(limits.diff_files_max)
  expect((await get('/archive.tar.gz?sha=main')).statusCode).toBe(200)
  expect((await get('/contributors?per_page=100')).json()).toHaveLength(100)
  expect(faults()).toEqual([])
})

it('tells the last commit of every entry of a folder, at the latest when asked again', async () => {
  const ask = () => get('/tree?with_last_commit=true&per_page=100&ref=main')
  await expect
    .poll(async () => (await ask()).headers['x-truncated'], { timeout: 60_000 })
    .toBe(undefined)
  const entries = (await ask()).json()
  expect(entries).toHaveLength(22)
  for (const { path, last_commit } of entries) {
    expect([path, last_commit?.id]).toEqual([
      path,
      await source.must(['rev-list', '-1', 'main', '--', path]),
    ])
  }
})
