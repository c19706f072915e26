import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const body = { name: 'mine', scopes: ['read_api'] }
const create = (fields: object = {}) =>
  world.as('owner').post('/user/personal_access_tokens', { ...body, ...fields })

describe('POST /user/personal_access_tokens', () => {
  it('answers an anonymous caller with 401', async () => {
    const answer = await world.as('anonymous').post('/user/personal_access_tokens', body)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('answers the token once', async () => {
    const answer = await create({ scopes: 'read_api,read_user', expires_at: '2026-04-01' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      name: 'mine',
      revoked: false,
      created_at: '2026-03-01T12:00:00.000Z',
      scopes: ['read_api', 'read_user'],
      user_id: world.users.owner.id,
      last_used_at: null,
      active: true,
      expires_at: '2026-04-01',
      token: expect.stringMatching(/^glpat-[A-Za-z0-9_-]{26}$/),
    })
    const { id } = answer.json()
    const shown = await world.as('owner').get(`/personal_access_tokens/${id}`)
    expect(shown.json().token).toBeUndefined()
  })

  it.each([
    [{ name: undefined, scopes: undefined }, 400, { error: 'name is missing, scopes is missing' }],
    [{ scopes: [] }, 422, { message: "Scopes can't be blank" }],
    [{ scopes: ['everything'] }, 400, { error: 'scopes does not have a valid value' }],
    [{ expires_at: 'soon' }, 400, { error: 'expires_at is invalid' }],
    [{ expires_at: '2026-02-28' }, 422, { message: 'Expiration date cannot be in the past' }],
    [{ name: ' ' }, 422, { message: "Name can't be blank" }],
    [{ scopes: ['sudo'] }, 422, { message: 'Not permitted to create' }],
  ])('answers %j with %i', async (fields, status, expected) => {
    const answer = await create(fields)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('gives a token with fewer scopes no way to more', async () => {
    const { token } = (await create({ scopes: ['read_api', 'read_repository'] })).json()
    const answer = await world.app.client(token).post('/user/personal_access_tokens', body)
    expect(answer.statusCode).toBe(403)
  })
})

describe('POST /users/:user_id/personal_access_tokens', () => {
  const url = () => `/users/${world.users.guest.id}/personal_access_tokens`

  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).post(url(), body)).statusCode).toBe(status)
  })

  it('makes a token that acts as the user', async () => {
    const answer = await world.as('admin').post(url(), body)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ user_id: world.users.guest.id, scopes: ['read_api'] })
    const user = await world.app.client(answer.json().token).get('/user')
    expect(user.json()).toMatchObject({ id: world.users.guest.id })
  })

  it('answers an unknown user with 404, but bad parameters first', async () => {
    const answer = await world.as('admin').post('/users/999999/personal_access_tokens', body)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 User Not Found' })
    const bad = await world.as('owner').post('/users/999999/personal_access_tokens', {})
    expect(bad.json()).toEqual({ error: 'name is missing, scopes is missing' })
  })
})

describe('GET /personal_access_tokens', () => {
  it("lists the caller's own, filtered", async () => {
    const { client, user } = await world.newUser()
    await client.post('/user/personal_access_tokens', { name: 'one', scopes: ['read_api'] })
    const two = (
      await client.post('/user/personal_access_tokens', { name: 'two', scopes: ['api'] })
    ).json()
    await client.delete(`/personal_access_tokens/${two.id}`)
    const names = async (query: string) =>
      (await client.get(`/personal_access_tokens?${query}`))
        .json()
        .map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['test', 'one', 'two'])
    expect(await names('state=active')).toEqual(['test', 'one'])
    expect(await names('state=inactive')).toEqual(['two'])
    expect(await names('revoked=true')).toEqual(['two'])
    expect(await names('search=ON')).toEqual(['one'])
    expect(await names('search=_')).toEqual([])
    expect(await names(`user_id=${user.id}`)).toEqual(['test', 'one', 'two'])
    const use = world.app.clock.now().getTime()
    const at = (later_s: number) => new Date(use + later_s * 1000).toISOString()
    expect(await names(`created_after=${at(0)}`)).toEqual(['test', 'one', 'two'])
    expect(await names(`created_after=${at(1)}`)).toEqual([])
    expect(await names(`created_before=${at(0)}`)).toEqual(['test', 'one', 'two'])
    expect(await names(`created_before=${at(-1)}`)).toEqual([])
    expect(await names(`last_used_after=${at(0)}`)).toEqual(['test'])
    expect(await names(`last_used_before=${at(0)}`)).toEqual(['test'])
    expect(await names(`last_used_before=${at(-1)}`)).toEqual([])
    const paged = await client.get('/personal_access_tokens?per_page=2')
    expect(paged.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' })
  })

  it('counts a token as inactive from the day on which it expires', async () => {
    const { client, user } = await world.newUser()
    const add = (name: string, expires_at: string | null) =>
      client.post('/user/personal_access_tokens', { name, scopes: ['api'], expires_at })
    await add('soon', '2026-03-02')
    await add('later', '2026-03-03')
    await add('never', null)
    const listed = async () => {
      const url = `/personal_access_tokens?user_id=${user.id}&state=`
      const states = ['active', 'inactive'].map((state) => world.as('admin').get(url + state))
      return (await Promise.all(states)).map((answer) =>
        answer.json().map(({ name }: { name: string }) => name),
      )
    }
    expect(await listed()).toEqual([['test', 'soon', 'later', 'never'], []])
    world.app.clock.advance(24 * 60 * 60_000)
    expect(await listed()).toEqual([['test', 'later', 'never'], ['soon']])
    world.app.clock.advance(-24 * 60 * 60_000)
  })

  it("hides others' from all but administrators", async () => {
    const query = `/personal_access_tokens?user_id=${world.users.guest.id}`
    expect((await world.as('owner').get(query)).statusCode).toBe(401)
    const answer = await world.as('admin').get(query)
    expect(answer.json()[0]).toMatchObject({ user_id: world.users.guest.id })
    expect((await world.as('anonymous').get(query)).statusCode).toBe(401)
  })
})

describe('GET /personal_access_tokens/:id', () => {
  it('answers its owner and administrators only', async () => {
    const { id, token: _, ...shown } = (await create()).json()
    const url = `/personal_access_tokens/${id}`
    expect((await world.as('owner').get(url)).json()).toEqual({ id, ...shown })
    expect((await world.as('admin').get(url)).statusCode).toBe(200)
    expect((await world.as('guest').get(url)).statusCode).toBe(401)
    expect((await world.as('owner').get('/personal_access_tokens/999999')).statusCode).toBe(401)
    const absent = await world.as('admin').get('/personal_access_tokens/999999')
    expect(absent.statusCode).toBe(404)
    expect(absent.json()).toEqual({ message: '404 Not found' })
  })

  it('answers the calling token as self, with the time of its use', async () => {
    const { token, id } = (await create()).json()
    const answer = await world.app.client(token).get('/personal_access_tokens/self')
    expect(answer.json()).toMatchObject({ id, last_used_at: '2026-03-01T12:00:00.000Z' })
  })
})

describe('POST /personal_access_tokens/:id/rotate', () => {
  it('by several at once leaves none of the new tokens in force', async () => {
    const { id } = (await create({ scopes: ['api'] })).json()
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        world.as('owner').post(`/personal_access_tokens/${id}/rotate`),
      ),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 400, 400])
    const made = answers.find(({ statusCode }) => statusCode === 200)?.json()
    expect((await world.app.client(made.token).get('/user')).statusCode).toBe(401)
  })

  it('of one that was rotated long ago ends all that took its place', async () => {
    const rotate = (id: number) => world.as('owner').post(`/personal_access_tokens/${id}/rotate`)
    const { id } = (await create({ scopes: ['api'] })).json()
    const second = (await rotate(id)).json()
    const third = (await rotate(second.id)).json()
    const client = world.app.client(third.token)
    const fields = { name: 'made with the third', scopes: ['api'] }
    const made = (await client.post('/user/personal_access_tokens', fields)).json()
    const clients = [client, world.app.client(made.token)]
    const statuses = () =>
      Promise.all(clients.map(async (one) => (await one.get('/user')).statusCode))
    expect(await statuses()).toEqual([200, 200])
    expect((await rotate(id)).statusCode).toBe(400)
    expect(await statuses()).toEqual([401, 401])
  })
})

describe('DELETE /personal_access_tokens/:id', () => {
  it('revokes at once', async () => {
    const { token, id } = (await create()).json()
    const answer = await world.as('owner').delete(`/personal_access_tokens/${id}`)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await world.app.client(token).get('/user')).statusCode).toBe(401)
    const again = await world.as('owner').delete(`/personal_access_tokens/${id}`)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({ message: '400 Bad request' })
  })

  it("leaves others' tokens alone", async () => {
    const { token, id } = (await create()).json()
    const answer = await world.as('maintainer').delete(`/personal_access_tokens/${id}`)
    expect(answer.statusCode).toBe(400)
    expect((await world.app.client(token).get('/user')).statusCode).toBe(200)
    const absent = await world.as('owner').delete('/personal_access_tokens/999999')
    expect(absent.json()).toEqual({ message: '404 Not found' })
  })

  it('revokes the calling token as self', async () => {
    const { token } = (await create({ scopes: ['api'] })).json()
    const client = world.app.client(token)
    expect((await client.delete('/personal_access_tokens/self')).statusCode).toBe(204)
    expect((await client.get('/user')).statusCode).toBe(401)
  })
})

describe('a token made with another', () => {
  const make = async (token: string, fields: object = {}, url = '/user/personal_access_tokens') => {
    const given = { name: 'child', scopes: ['api'], ...fields }
    const answer = await world.app.client(token).post(url, given)
    return { status: answer.statusCode, ...answer.json() }
  }
  const own = (fields: object = {}) => create({ scopes: ['api'], ...fields })
  const statusOf = async (token: string) => (await world.app.client(token).get('/user')).statusCode

  it('ends when that one does, at the latest', async () => {
    const { token } = (await own({ expires_at: '2026-03-10' })).json()
    const child = await make(token)
    expect(child).toMatchObject({ status: 201, expires_at: '2026-03-10' })
    expect(await make(token, { expires_at: null })).toMatchObject({ expires_at: '2026-03-10' })
    expect(await make(token, { expires_at: '2026-03-09' })).toMatchObject({ status: 201 })
    expect(await make(token, { expires_at: '2026-03-11' })).toEqual({
      status: 422,
      message: 'Expiration date cannot be later than that of the token it is made with',
    })
    expect(await make(child.token, { expires_at: '2026-03-11' })).toMatchObject({ status: 422 })
  })

  it('is revoked with it, and so are those made with that one in turn', async () => {
    const { token, id } = (await own()).json()
    const child = await make(token)
    const grandchild = await make(child.token)
    const other = (await own()).json()
    expect((await world.as('owner').delete(`/personal_access_tokens/${id}`)).statusCode).toBe(204)
    expect(await Promise.all([token, child.token, grandchild.token].map(statusOf))).toEqual([
      401, 401, 401,
    ])
    expect(await statusOf(other.token)).toBe(200)
    const shown = await world.as('owner').get(`/personal_access_tokens/${grandchild.id}`)
    expect(shown.json()).toMatchObject({ revoked: true, active: false })
  })

  it('by an administrator for somebody else is bound to it too', async () => {
    const admin = world.as('admin')
    const { id } = world.users.guest
    const fields = { name: 't', scopes: ['api'], expires_at: '2026-03-10' }
    const parent = (await admin.post('/user/personal_access_tokens', fields)).json()
    for (const kind of ['personal_access_tokens', 'impersonation_tokens']) {
      const url = `/users/${id}/${kind}`
      expect(await make(parent.token, {}, url)).toMatchObject({ expires_at: '2026-03-10' })
      const later = await make(parent.token, { expires_at: '2026-03-11' }, url)
      const more = await make(parent.token, { scopes: ['sudo'] }, url)
      expect([later.status, more.status]).toEqual(
        kind === 'impersonation_tokens' ? [400, 400] : [422, 422],
      )
    }
    const theirs = await make(parent.token, {}, `/users/${id}/personal_access_tokens`)
    const acting = await make(parent.token, {}, `/users/${id}/impersonation_tokens`)
    expect(await Promise.all([theirs.token, acting.token].map(statusOf))).toEqual([200, 200])
    await admin.delete(`/personal_access_tokens/${parent.id}`)
    expect(await Promise.all([theirs.token, acting.token].map(statusOf))).toEqual([401, 401])
  })

  it('while that one is being revoked does not outlive it', async () => {
    for (let round = 0; round < 5; round++) {
      const { token, id } = (await own()).json()
      const [, ...children] = await Promise.all([
        world.as('owner').delete(`/personal_access_tokens/${id}`),
        ...Array.from({ length: 4 }, () => make(token)),
      ])
      const texts = children.flatMap(({ token }) => token ?? [])
      expect(await Promise.all(texts.map(statusOf))).toEqual(texts.map(() => 401))
    }
  })
})
