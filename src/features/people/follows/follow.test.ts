import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const ids = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

describe('following', () => {
  it('is begun and ended once each, and counted in the record', async () => {
    const { user, client } = await world.newUser()
    const { user: fan, client: follower } = await world.newUser()
    const url = `/users/${user.id}`
    const answer = await follower.post(`${url}/follow`)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://bloomery.test/${user.username}`,
    })
    const again = await follower.post(`${url}/follow`)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await client.post(`/users/${world.users.guest.id}/follow`)
    const record = async () => (await world.as('outsider').get(url)).json()
    expect(await record()).toMatchObject({ followers: 1, following: 1 })
    expect(ids(await world.as('outsider').get(`${url}/followers`))).toEqual([fan.id])
    expect(ids(await client.get(`${url}/following`))).toEqual([world.users.guest.id])
    expect((await follower.post(`${url}/unfollow`)).json()).toMatchObject({ id: user.id })
    expect((await follower.post(`${url}/unfollow`)).statusCode).toBe(304)
    expect(await record()).toMatchObject({ followers: 0, following: 1 })
    expect(ids(await client.get(`${url}/followers`))).toEqual([])
  })

  it('ends for the follower and the followed alone', async () => {
    const one = await world.newUser()
    const two = await world.newUser()
    const [first, second] = [`/users/${one.user.id}`, `/users/${two.user.id}`]
    await two.client.post(`${first}/follow`)
    await world.as('guest').post(`${first}/follow`)
    await world.as('guest').post(`${second}/follow`)
    await world.as('guest').post(`${first}/unfollow`)
    const { guest } = world.users
    expect(ids(await one.client.get(`${first}/followers`))).toEqual([two.user.id])
    expect(ids(await two.client.get(`${second}/followers`))).toEqual([guest.id])
  })

  it('lists who began last first, in pages, in two queries beside the caller', async () => {
    const { user } = await world.newUser()
    const fans = [await world.newUser(), await world.newUser(), await world.newUser()]
    for (const { client } of fans) await client.post(`/users/${user.id}/follow`)
    const url = `/users/${user.id}/followers?per_page=2`
    const page = await world.as('guest').get(url)
    expect(ids(page)).toEqual([fans[2]?.user.id, fans[1]?.user.id])
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' })
    const counted = await world.app.count(() => world.as('guest').get(url))
    expect(counted).toEqual({ queries: 4, processes: 0 })
  })

  it('is not of oneself', async () => {
    const { user, client } = await world.newUser()
    expect((await client.post(`/users/${user.id}/follow`)).statusCode).toBe(304)
    expect((await client.get('/user')).json()).toMatchObject({ followers: 0, following: 0 })
  })

  it('counts on when two follow each other at the same time, or a user is removed', async () => {
    const one = await world.newUser()
    const two = await world.newUser()
    const answers = await Promise.all([
      one.client.post(`/users/${two.user.id}/follow`),
      two.client.post(`/users/${one.user.id}/follow`),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect((await one.client.get('/user')).json()).toMatchObject({ followers: 1, following: 1 })
    const { db } = world.app
    await db.deleteFrom('namespaces').where('owner_id', '=', two.user.id).execute()
    await db.deleteFrom('users').where('id', '=', two.user.id).execute()
    expect((await one.client.get('/user')).json()).toMatchObject({ followers: 0, following: 0 })
  })

  it('shows nothing of a private profile but to its owner and administrators', async () => {
    const { user, client } = await world.newUser({ private_profile: true })
    for (const side of ['followers', 'following']) {
      const url = `/users/${user.id}/${side}`
      const answer = await world.as('guest').get(url)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: '404 User Not Found' })
      expect((await client.get(url)).statusCode).toBe(200)
      expect((await world.as('admin').get(url)).statusCode).toBe(200)
    }
  })

  it.each(['followers', 'following'])(
    'does not tell the %s to nobody in particular',
    async (side) => {
      for (const id of [world.users.guest.id, 999999]) {
        const answer = await world.as('anonymous').get(`/users/${id}/${side}`)
        expect([answer.statusCode, answer.json()]).toEqual([
          403,
          { message: '403 Forbidden - Not authorized!' },
        ])
      }
    },
  )

  it.each(['follow', 'unfollow'])('answers a bad POST /users/:id/%s', async (verb) => {
    const url = `/users/${world.users.guest.id}/${verb}`
    expect((await world.as('anonymous').post(url)).statusCode).toBe(401)
    const unknown = await world.as('guest').post(`/users/999999/${verb}`)
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toEqual({ message: '404 User Not Found' })
    expect((await world.as('guest').get('/users/999999/followers')).statusCode).toBe(404)
  })
})
