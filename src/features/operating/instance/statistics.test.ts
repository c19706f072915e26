import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('GET /application/statistics', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).get('/application/statistics')).statusCode).toBe(status)
  })

  it('counts everything once, in texts of digits and one query', async () => {
    const digits = expect.stringMatching(/^\d+$/)
    const asked = () => world.as('admin').get('/application/statistics')
    const before = (await asked()).json()
    expect(before).toEqual({
      forks: digits,
      issues: digits,
      merge_requests: digits,
      notes: digits,
      snippets: '0',
      ssh_keys: digits,
      milestones: digits,
      users: digits,
      groups: digits,
      projects: digits,
      active_users: digits,
    })
    const active = async () => (await world.as('admin').get('/license')).json().active_users
    const activeBefore = await active()
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    await world.newUser()
    const { user } = await world.newUser()
    await world.as('admin').post(`/users/${user.id}/block`)
    const group = await world.newMemberedGroup()
    const url = `/projects/${project.id}`
    for (const [path, body] of [
      ['issues', { title: 'One' }],
      ['merge_requests', { title: 'One', source_branch: 'topic', target_branch: 'main' }],
      ['fork', { namespace_id: group.id }],
      ['access_tokens', { name: 'bot', scopes: ['api'], expires_at: '2026-06-01' }],
    ] as const) {
      const made = await world.as('owner').post(`${url}/${path}`, body)
      expect([path, made.statusCode]).toEqual([path, 201])
    }
    const after = (await asked()).json()
    const more = Object.keys(after).map((kind) => [kind, Number(after[kind]) - before[kind]])
    expect(Object.fromEntries(more)).toMatchObject({
      ...{ projects: 2, forks: 1, issues: 1, merge_requests: 1, groups: 1 },
      ...{ users: 2, active_users: 1 },
    })
    expect((await active()) - activeBefore).toBe(1)
    // The caller, and what is counted.
    expect((await world.app.count(asked)).queries).toBeLessThanOrEqual(2)
  })
})
