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

  it('counts everything, in texts of digits and one query', async () => {
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
    const project = await world.newProject()
    await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'One' })
    const after = (await asked()).json()
    expect(Number(after.projects)).toBe(Number(before.projects) + 1)
    expect(Number(after.issues)).toBe(Number(before.issues) + 1)
    // The caller, and what is counted.
    expect((await world.app.count(asked)).queries).toBeLessThanOrEqual(2)
  })
})
