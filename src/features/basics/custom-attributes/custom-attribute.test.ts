import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const admin = () => world.as('admin')
const pathOf = {
  users: async () => `/users/${(await world.newUser()).user.id}`,
  projects: async () => `/projects/${(await world.newProject()).id}`,
  groups: async () => `/groups/${(await world.newGroup()).id}`,
}
const kinds = ['users', 'projects', 'groups'] as const

describe.each(kinds)('a custom attribute of %s', (kind) => {
  it('is set, changed, shown and deleted', async () => {
    const path = await pathOf[kind]()
    const url = `${path}/custom_attributes`
    const elsewhere = `${await pathOf[kind]()}/custom_attributes`
    await admin().put(`${elsewhere}/place`, { value: 'Bern' })
    expect((await admin().get(url)).json()).toEqual([])
    const made = await admin().put(`${url}/place`, { value: 'Oslo' })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toEqual({ key: 'place', value: 'Oslo' })
    await admin().put(`${url}/a.b%2Fc`, { value: '2' })
    const changed = await admin().put(`${url}/place`, { value: 'Rome' })
    expect(changed.statusCode).toBe(200)
    const list = await admin().get(url)
    expect(list.json()).toEqual([
      { key: 'place', value: 'Rome' },
      { key: 'a.b/c', value: '2' },
    ])
    expect(list.headers).not.toHaveProperty('x-page')
    expect((await admin().get(`${url}/place`)).json()).toEqual({ key: 'place', value: 'Rome' })
    const gone = await admin().delete(`${url}/place`)
    expect(gone.statusCode).toBe(204)
    expect(gone.body).toBe('')
    for (const answer of [
      await admin().get(`${url}/place`),
      await admin().delete(`${url}/place`),
    ]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: '404 Not found' })
    }
    expect((await admin().get(url)).json()).toEqual([{ key: 'a.b/c', value: '2' }])
    expect((await admin().get(`${elsewhere}/place`)).json().value).toBe('Bern')
  })

  it('is for administrators alone', async () => {
    const url = `${await pathOf[kind]()}/custom_attributes`
    const forbidden = { message: '403 Forbidden' }
    for (const who of ['anonymous', 'owner'] as const) {
      for (const path of [url, `${url}/k`, `/${kind}/999999/custom_attributes`]) {
        const read = await world.as(who).get(path)
        expect(read.statusCode).toBe(403)
        expect(read.json()).toEqual(forbidden)
      }
    }
    expect((await world.as('anonymous').put(`${url}/k`, { value: 'v' })).statusCode).toBe(401)
    expect((await world.as('anonymous').delete(`${url}/k`)).statusCode).toBe(401)
    expect((await world.as('owner').put(`${url}/k`, { value: 'v' })).json()).toEqual(forbidden)
    expect((await world.as('owner').delete(`${url}/k`)).json()).toEqual(forbidden)
  })

  it('is refused for nobody, and with a bad key or value', async () => {
    const unknown = `/${kind}/999999/custom_attributes`
    for (const answer of [
      await admin().get(unknown),
      await admin().get(`${unknown}/k`),
      await admin().put(`${unknown}/k`, { value: 'v' }),
      await admin().delete(`${unknown}/k`),
    ]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: '404 Not Found' })
    }
    const url = `${await pathOf[kind]()}/custom_attributes`
    const missing = await admin().put(`${url}/k`)
    expect(missing.statusCode).toBe(400)
    expect(missing.json()).toEqual({ error: 'value is missing' })
    const blank = await admin().put(`${url}/k`, { value: ' ' })
    expect(blank.statusCode).toBe(400)
    expect(blank.json()).toEqual({ message: { value: ["can't be blank"] } })
    const long = await admin().put(`${url}/${'k'.repeat(256)}`, { value: 'v'.repeat(10_001) })
    expect(long.json()).toEqual({
      message: {
        key: ['is too long (maximum is 255 characters)'],
        value: ['is too long (maximum is 10000 characters)'],
      },
    })
    expect((await admin().get(url)).json()).toEqual([])
  })

  it('is shown with the record, and filters lists, for administrators who ask', async () => {
    const [first, second] = [await pathOf[kind](), await pathOf[kind]()]
    const idOf = (path: string) => Number(path.split('/').at(-1))
    const long = `${'x'.repeat(9_000)}${idOf(first)}`
    const mark = `mark-${idOf(first)}`
    for (const path of [first, second]) {
      await admin().put(`${path}/custom_attributes/mark`, { value: mark })
    }
    await admin().put(`${first}/custom_attributes/long`, { value: long })
    await admin().put(`${second}/custom_attributes/long`, { value: `${long}-` })
    const attributes = [
      { key: 'mark', value: mark },
      { key: 'long', value: long },
    ]
    const single = await admin().get(`${first}?with_custom_attributes=true`)
    expect(single.json().custom_attributes).toEqual(attributes)
    expect((await admin().get(first)).json()).not.toHaveProperty('custom_attributes')
    const ids = async (query: string, who: 'admin' | 'owner' = 'admin') =>
      (await world.as(who).get(`/${kind}?per_page=100&${query}`))
        .json()
        .map(({ id }: { id: number }) => id)
        .sort((a: number, b: number) => a - b)
    const marked = `custom_attributes[mark]=${mark}`
    expect(await ids(marked)).toEqual([idOf(first), idOf(second)])
    const prefix = long.slice(0, 8_000)
    expect(await ids(`${marked}&custom_attributes[long]=${prefix}`)).toEqual([])
    expect(await ids(`${marked}&custom_attributes[long]=${long}`)).toEqual([idOf(first)])
    expect(await ids(`${marked}&custom_attributes[other]=1`)).toEqual([])
    const listed = await admin().get(`/${kind}?${marked}&with_custom_attributes=true`)
    const shown = listed.json().find(({ id }: { id: number }) => id === idOf(first))
    expect(shown.custom_attributes).toEqual(attributes)
    // Of others both are ignored.
    expect((await ids(marked, 'owner')).length).toBeGreaterThan(2)
    const others = await world.as('owner').get(`/${kind}?with_custom_attributes=true`)
    expect(others.json()[0]).not.toHaveProperty('custom_attributes')
    const bad = await admin().get(`/${kind}?custom_attributes=text`)
    expect(bad.statusCode).toBe(400)
    expect(bad.json()).toEqual({ error: 'custom_attributes is invalid' })
    const nested = await admin().get(`/${kind}?custom_attributes[a][b]=c`)
    expect(nested.json()).toEqual({ error: 'custom_attributes[a] is invalid' })
    const named = await admin().get(`/${kind}?custom_attributes[a][toString]=c`)
    expect(named.json()).toEqual({ error: 'custom_attributes[a] is invalid' })
    const one = await world.app.count(() =>
      admin().get(`/${kind}?with_custom_attributes=true&per_page=1`),
    )
    const many = await world.app.count(() =>
      admin().get(`/${kind}?with_custom_attributes=true&per_page=3`),
    )
    expect(many.queries).toBe(one.queries)
  })
})

it('finds projects and groups by path', async () => {
  const { shut: project } = world.projects
  const { shut: group } = world.groups
  const byPath = `/projects/${encodeURIComponent(project.full_path)}/custom_attributes`
  await admin().put(`${byPath}/k`, { value: 'v' })
  const byId = await admin().get(`/projects/${project.id}/custom_attributes`)
  expect(byId.json()).toEqual([{ key: 'k', value: 'v' }])
  const ofGroup = await admin().put(`/groups/${group.full_path}/custom_attributes/k`, {
    value: 'g',
  })
  expect(ofGroup.json()).toEqual({ key: 'k', value: 'g' })
})

it('is bounded', async () => {
  const { user } = await world.newUser()
  const now = '2026-03-01T12:00:00.000Z'
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    user_id: user.id,
    project_id: null,
    namespace_id: null,
    key: `k${at}`,
    value: 'v',
    created_at: now,
    updated_at: now,
  }))
  await world.app.db.insertInto('custom_attributes').values(rows).execute()
  const url = `/users/${user.id}/custom_attributes`
  const refused = await admin().put(`${url}/more`, { value: 'v' })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toEqual({ message: { base: ['cannot have more than 1000'] } })
  expect((await admin().put(`${url}/k7`, { value: 'w' })).statusCode).toBe(200)
  const another = `${await pathOf.users()}/custom_attributes`
  expect((await admin().put(`${another}/more`, { value: 'v' })).statusCode).toBe(200)
  const query = Array.from({ length: 21 }, (_, at) => `custom_attributes[k${at}]=v`).join('&')
  expect((await admin().get(`/users?${query}`)).json()).toEqual({
    error: 'custom_attributes is invalid',
  })
})
