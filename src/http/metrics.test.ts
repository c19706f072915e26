import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type GitWorld, newGitWorld } from '../../test/kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const read = async () => (await world.as('anonymous').get('/-/metrics')).body
const figure = async (series: string) => {
  const line = (await read()).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('metrics', () => {
  it('count pushes and clones, by what came of them', async () => {
    const clones = () =>
      figure('bloomery_git_operations_total{service="upload-pack",transport="http",result="done"}')
    const pushes = () =>
      figure('bloomery_git_operations_total{service="receive-pack",transport="http",result="done"}')
    const before = { clones: await clones(), pushes: await pushes() }
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    await copy.commit({ b: 'b' })
    await copy.must(['push', 'origin', 'main'])
    await expect.poll(clones).toBeGreaterThan(before.clones)
    await expect.poll(pushes).toBeGreaterThan(before.pushes)
  })

  it('label requests by route, never by what was asked for', async () => {
    await world.as('owner').get(`/projects/${world.projects.open.id}`)
    await world.as('owner').get('/no/such/route')
    const body = await read()
    expect(body).toMatch(
      /bloomery_http_request_duration_seconds_count\{method="GET",route="\/api\/v4\/projects\/:id"\}/,
    )
    expect(body).not.toContain('no/such')
  })

  it('tell of git, the database and the disks', async () => {
    const body = await read()
    for (const series of [
      'bloomery_git_processes_running{kind="push"} 0',
      'bloomery_git_processes_waiting{kind="read"} 0',
      'bloomery_database_connections{state="waiting"} 0',
    ]) {
      expect(body).toContain(`${series}\n`)
    }
    expect(await figure('bloomery_disk_free_bytes{place="data"}')).toBeGreaterThan(0)
    expect(await figure('bloomery_disk_size_bytes{place="default"}')).toBeGreaterThan(0)
    expect(await figure('bloomery_disk_free_min_bytes{place="data"}')).toBe(256 * 1024 ** 2)
  })

  it('are all there that the dashboard shows', async () => {
    const path = join(import.meta.dirname, '../../deploy/grafana-dashboard.json')
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ title: 'Bloomery' })
    const shown = new Set([...text.matchAll(/\bbloomery_[a-z0-9_]+/g)].map(([name]) => name))
    expect(shown.size).toBeGreaterThan(20)
    const body = await read()
    const names = new Set(
      [...body.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
      ),
    )
    expect([...shown].filter((name) => !names.has(name))).toEqual([])
  })
})
