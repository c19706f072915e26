import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('POST /projects/:id/housekeeping', () => {
  it('asks for maintenance, once however often', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    // That of the commit itself is done first.
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    world.app.clock.advance(-60_000)
    for (const body of [{}, { task: 'eager' }, { task: 'prune' }]) {
      const answer = await world.as('maintainer').post(`/projects/${project.id}/housekeeping`, body)
      expect([answer.statusCode, answer.json()]).toEqual([201, null])
    }
    const waiting = await world.app.db
      .selectFrom('tasks')
      .select('name')
      .where('key', '=', String(project.id))
      .execute()
    expect(waiting).toEqual([{ name: 'maintain-project' }])
    await world.app.worker.drain()
    const record = await world.as('maintainer').get(`/projects/${project.id}?statistics=true`)
    expect(record.json().statistics.commit_count).toBe(1)
  })

  it.each([
    ['anonymous', 'open', {}, 401, { message: '401 Unauthorized' }],
    ['outsider', 'shut', {}, 404, { message: '404 Project Not Found' }],
    ['developer', 'shut', {}, 403, { message: '403 Forbidden' }],
    ['owner', 'shut', { task: 'x' }, 400, { error: 'task does not have a valid value' }],
  ] as const)(
    'answers %s of the %s project and %j with %i',
    async (who, place, body, status, json) => {
      const url = `/projects/${world.projects[place].id}/housekeeping`
      const answer = await world.as(who).post(url, body)
      expect([answer.statusCode, answer.json()]).toEqual([status, json])
    },
  )
})

describe('GET /projects/:id/storage', () => {
  it('tells an administrator where the repository lies', async () => {
    const { id } = world.projects.shut
    const answer = await world.as('admin').get(`/projects/${id}/storage`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        project_id: id,
        disk_path: expect.stringMatching(/^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{60}$/),
        created_at: '2026-03-01T12:00:00.000Z',
        repository_storage: 'default',
      },
    ])
    const root = world.app.config.storages.default?.path ?? ''
    expect(existsSync(join(root, `${answer.json().disk_path}.git`, 'HEAD'))).toBe(true)
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['owner', 403, '403 Forbidden'],
  ] as const)('answers %s with %i', async (who, status, message) => {
    const answer = await world.as(who).get(`/projects/${world.projects.shut.id}/storage`)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })
})
