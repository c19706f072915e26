// References in any number: more than 400,000 tags, in a repository whose other readers notice nothing of them.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/kernel/limits.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, runRealGit, type WorkingCopy } from '../kit/git.ts'
import { longestStall } from '../kit/stall.ts'

const count = 450_000
let world: GitWorld
let project: Project
let copy: WorkingCopy
let tips: string[]

beforeAll(async () => {
  world = await newGitWorld()
  project = await world.newProject()
  copy = await world.begin(project)
  tips = [await copy.commit({ readme: 'r\n' })]
  for (let at = 1; at < 5; at++) tips.push(await copy.commit({}, `commit ${at}`))
  await copy.must(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'])
  const lines = Array.from({ length: count }, (_, at) => {
    const name = `refs/tags/v${String(at).padStart(6, '0')}`
    return `${tips[at % tips.length]} ${name}\n`
  })
  const path = join(world.repository(project), 'packed-refs')
  writeFileSync(path, '# pack-refs with: peeled fully-peeled sorted \n')
  for (let at = 0; at < count; at += 50_000)
    appendFileSync(path, lines.slice(at, at + 50_000).join(''))
}, 120_000)

const get = (rest: string) => world.as('reporter').get(`/projects/${project.id}/repository${rest}`)

describe('450,000 tags', () => {
  it.each([
    ['/branches', ['main']],
    ['/branches?search=ma', ['main']],
    ['/tags?per_page=2&order_by=name&sort=asc', ['v000000', 'v000001']],
    ['/tags?per_page=1&order_by=name&sort=asc&page=450000', ['v449999']],
    ['/tags?per_page=1&order_by=name&pagination=keyset&page_token=v300000', ['v299999']],
    ['/tags?per_page=1&search=^v4499', ['v449999']],
    ['/tags?per_page=2', ['v449999', 'v449998']],
    ['/tags?per_page=1&page=2', ['v449998']],
    ['/tags?per_page=1&order_by=version', ['v449999']],
  ] as const)(
    'are listed by %s without a stall',
    async (url, names) => {
      const stall_ms = await longestStall(async () => {
        const answer = await get(url)
        expect(answer.json().map(({ name }: { name: string }) => name)).toEqual(names)
      })
      expect(stall_ms).toBeLessThan(500)
    },
    60_000,
  )

  it('are looked up one by one, without reading the others', async () => {
    const stall_ms = await longestStall(async () => {
      for (const at of [0, 1, 77_777, 449_999]) {
        const name = `v${String(at).padStart(6, '0')}`
        const answer = await get(`/tags/${name}`)
        expect(answer.json()).toMatchObject({ name, target: tips[at % tips.length] })
      }
      expect((await get('/tags/v450000')).statusCode).toBe(404)
      expect((await get('/commits/v123456?stats=false')).json().id).toBe(tips[123_456 % 5])
      expect((await get('/files/readme?ref=main')).statusCode).toBe(200)
    })
    expect(stall_ms).toBeLessThan(200)
  })

  it('do not keep commits from being listed over all of them', async () => {
    const stall_ms = await longestStall(async () => {
      const answer = await get('/commits?all=true&per_page=2')
      const ids = answer.json().map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(2)
      expect(tips).toEqual(expect.arrayContaining(ids))
    })
    expect(stall_ms).toBeLessThan(500)
    const again = await world.app.count(() => get('/commits?all=true&per_page=2'))
    expect(again.processes).toBe(0)
  }, 60_000)

  it('are told to who pushes, and a push among them lands, without a stall', async () => {
    const stall_ms = await longestStall(async () => {
      await copy.must(['push', '--quiet', 'origin', 'HEAD:refs/heads/topic', 'HEAD:refs/tags/v0'])
    })
    expect(stall_ms).toBeLessThan(500)
    expect((await get('/tags/v0')).json()).toMatchObject({ target: tips[4] })
    const remote = await runRealGit(['ls-remote', '--heads', world.remote(project)])
    expect(remote.stdout).toContain('refs/heads/topic')
  }, 60_000)

  it('are copied with a fork', async () => {
    const forked = await world
      .as('owner')
      .post(`/projects/${project.id}/fork`, { path: 'copied', name: 'copied' })
    expect(forked.statusCode).toBe(201)
  }, 60_000)
})

describe('as many references as a repository may have', () => {
  it('let no other one in, by a push or the API, and change as before', async () => {
    const full = await world.newProject({ files: { a: 'a' } })
    const clone = await world.clone(full)
    const tip = await clone.must(['rev-parse', 'HEAD'])
    const path = join(world.repository(full), 'packed-refs')
    writeFileSync(path, '# pack-refs with: peeled fully-peeled sorted \n')
    for (let at = 0; at < limits.refs_max; at += 100_000) {
      const lines = Array.from({ length: 100_000 }, (_, more) => {
        return `${tip} refs/tags/t${String(at + more).padStart(7, '0')}\n`
      })
      appendFileSync(path, lines.join(''))
    }
    const refused = await clone.run(['push', 'origin', 'HEAD:refs/heads/other'])
    expect(refused.stderr).toContain('remote: A repository has at most 1000000 references.')
    const url = `/projects/${full.id}/repository`
    for (const body of [
      await world.as('owner').post(`${url}/branches`, { branch: 'other', ref: 'main' }),
      await world.as('owner').post(`${url}/tags`, { tag_name: 'other', ref: 'main' }),
    ]) {
      expect([body.statusCode, body.json().message]).toEqual([
        400,
        expect.stringContaining('A repository has at most 1000000 references.'),
      ])
    }
    await clone.commit({ b: 'b' })
    await clone.must(['push', '--quiet', 'origin', 'HEAD:main'])
  }, 120_000)
})
