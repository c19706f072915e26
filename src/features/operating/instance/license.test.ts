import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('The licence of the instance', () => {
  it('is its tier without an end, for administrators', async () => {
    const answer = await world.as('admin').get('/license')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id: 1, plan: 'ultimate', expires_at: null, expired: false, overage: 0, user_limit: 0 },
    ])
    expect(answer.json().active_users).toBeGreaterThan(5)
    expect((await world.as('owner').get('/license')).statusCode).toBe(403)
    expect((await world.as('anonymous').get('/license')).statusCode).toBe(401)
  })

  it('takes no key', async () => {
    const entered = await world.as('admin').post('/license', { license: 'abc' })
    expect([entered.statusCode, entered.json()]).toEqual([
      400,
      { message: { license: ['The license key is invalid.'] } },
    ])
    expect((await world.as('admin').delete('/license/1')).statusCode).toBe(404)
  })
})
