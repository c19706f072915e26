import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const sources = [
  ['project', 'maintainer', 'developer'],
  ['group', 'owner', 'maintainer'],
] as const

describe.each(sources)('Requests to be let into a %s', (kind, lowest, tooLow) => {
  const of = (place: 'open' | 'shut' = 'open') =>
    `/${kind}s/${(kind === 'project' ? world.projects : world.groups)[place].id}`
  const requests = (place: 'open' | 'shut' = 'open') => `${of(place)}/access_requests`

  it('are made once, listed, and approved', async () => {
    const { client, user } = await world.newUser()
    const made = await client.post(requests())
    const record = {
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://bloomery.test/${user.username}`,
    }
    const requested_at = '2026-03-01T12:00:00.000Z'
    expect([made.statusCode, made.json()]).toEqual([201, { ...record, requested_at }])
    const again = await client.post(requests())
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { message: { user_id: ['already exists in source'] } },
    ])
    const other = await world.newUser()
    const ofOther = (await other.client.post(requests())).json()
    const list = await world.as(lowest).get(requests())
    expect([list.statusCode, list.json()]).toEqual([200, [made.json(), ofOther]])
    const approve = `${requests()}/${user.id}/approve`
    const refused = await world.as(tooLow).put(approve)
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    const let_in = await world.as(lowest).put(approve)
    expect([let_in.statusCode, let_in.json()]).toEqual([
      201,
      { ...record, access_level: 30, created_at: requested_at, expires_at: null },
    ])
    expect((await world.as(lowest).get(requests())).json()).toEqual([ofOther])
    const gone = await world.as(lowest).put(approve)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    expect((await client.post(requests())).statusCode).toBe(403)
    const othersApprove = `${requests()}/${other.user.id}/approve`
    expect((await world.as(lowest).put(othersApprove)).json().id).toBe(other.user.id)
  })

  it('are seen, approved and taken back there alone', async () => {
    const { client, user } = await world.newUser()
    const another = await world.newGroup({ visibility: 'public' })
    const inAnother = await world.newProject({ group: another, visibility: 'public' })
    const others = `/${kind}s/${kind === 'project' ? inAnother.id : another.id}/access_requests`
    const made = (await client.post(others)).json()
    expect((await world.as('admin').get(requests())).json()).toEqual([])
    const approve = await world.as('admin').put(`${requests()}/${user.id}/approve`)
    expect(approve.statusCode).toBe(404)
    await client.post(requests())
    expect((await client.delete(`${requests()}/${user.id}`)).statusCode).toBe(204)
    expect((await world.as('admin').get(others)).json()).toEqual([made])
  })

  it('are turned away, or taken back', async () => {
    const { client, user } = await world.newUser()
    const other = await world.newUser()
    const ofOther = (await other.client.post(requests())).json()
    const one = `${requests()}/${user.id}`
    for (const who of [world.as(lowest), client]) {
      await client.post(requests())
      expect((await world.as(tooLow).delete(one)).statusCode).toBe(403)
      expect((await who.delete(one)).statusCode).toBe(204)
      const gone = await who.delete(one)
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    }
    expect((await world.as(lowest).get(requests())).json()).toEqual([ofOther])
    await other.client.delete(`${requests()}/${other.user.id}`)
  })

  it('are nobody’s to make who may not', async () => {
    expect((await world.as('anonymous').post(requests())).statusCode).toBe(401)
    expect((await world.as('outsider').post(requests('shut'))).statusCode).toBe(404)
    expect((await world.as('guest').post(requests())).statusCode).toBe(403)
    expect((await world.as(tooLow).get(requests())).statusCode).toBe(403)
    await world.as('owner').put(of(), { request_access_enabled: false })
    const off = await world.as('outsider').post(requests())
    expect([off.statusCode, off.json()]).toEqual([403, { message: '403 Forbidden' }])
    await world.as('owner').put(of(), { request_access_enabled: true })
  })

  it('end with whoever is let in otherwise', async () => {
    const { client, user } = await world.newUser()
    await client.post(requests())
    const added = { user_id: user.id, access_level: 20 }
    expect((await world.as('owner').post(`${of()}/members`, added)).statusCode).toBe(201)
    expect((await world.as('owner').get(requests())).json()).toEqual([])
  })
})
