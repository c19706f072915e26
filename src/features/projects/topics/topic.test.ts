import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Answered = { statusCode: number; body: string; json: () => unknown }
const told = async (answer: Promise<Answered>) => {
  const { statusCode, body, json } = await answer
  return [statusCode, body === '' ? '' : json()]
}
const admin = () => world.as('admin')
let made = 0
const unique = () => `topic-${++made}`

const tag = async (topics: string[], visibility: 'private' | 'public' = 'private') => {
  const group = world.groups[visibility === 'public' ? 'open' : 'shut']
  const { id } = await world.newProject({ group })
  await world.as('owner').put(`/projects/${id}`, { topics })
  return id
}

describe('Topics', () => {
  it('are made, shown to everybody, changed and removed by administrators', async () => {
    const name = unique()
    const { statusCode, json } = await admin().post('/topics', { name, description: 'd' })
    const record = {
      id: json().id,
      name,
      title: name,
      description: 'd',
      total_projects_count: 0,
      avatar_url: null,
    }
    expect([statusCode, json()]).toEqual([201, record])
    const one = `/topics/${record.id}`
    expect(await told(world.as('anonymous').get(one))).toEqual([200, record])
    expect(await told(admin().put(one, { title: 'A title', description: null }))).toEqual([
      200,
      { ...record, title: 'A title', description: null },
    ])
    for (const [who, status] of [
      ['anonymous', 401],
      ['owner', 403],
    ] as const) {
      const client = world.as(who)
      expect((await client.post('/topics', { name: 'x' })).statusCode).toBe(status)
      expect((await client.put(one, { title: 'x' })).statusCode).toBe(status)
      expect((await client.delete(one)).statusCode).toBe(status)
    }
    expect(await told(admin().delete(one))).toEqual([204, ''])
    expect(await told(admin().get(one))).toEqual([404, { message: '404 Not found' }])
  })

  it('answer bad input in their words', async () => {
    const name = unique()
    const { id } = (await admin().post('/topics', { name })).json()
    const taken = { message: { name: ['has already been taken'] } }
    const cases: [ReturnType<ReturnType<typeof admin>['post']>, unknown][] = [
      [admin().post('/topics', {}), { error: 'name is missing' }],
      [admin().post('/topics', { name: ' ' }), { message: { name: ["can't be blank"] } }],
      [admin().post('/topics', { name: name.toUpperCase() }), taken],
      [
        admin().put(`/topics/${id}`, { name: 'x'.repeat(256) }),
        { message: { name: ['is too long (maximum is 255 characters)'] } },
      ],
    ]
    for (const [request, body] of cases) expect(await told(request)).toEqual([400, body])
    const other = (await admin().post('/topics', { name: unique() })).json()
    expect(await told(admin().put(`/topics/${other.id}`, { name }))).toEqual([400, taken])
  })

  it('come into being by tagging projects, and are listed with most projects first', async () => {
    const [rare, common] = [`Mark-${unique()}`, `mark-${unique()}`]
    await tag([rare, common], 'public')
    await tag([common.toUpperCase()], 'public')
    const list = (await world.as('anonymous').get('/topics?search=MARK-')).json()
    const shape = list.map((topic: { name: string; total_projects_count: number }) => [
      topic.name,
      topic.total_projects_count,
    ])
    expect(shape).toEqual([
      [common, 2],
      [rare, 1],
    ])
    const unused = (await admin().post('/topics', { name: `mark-${unique()}` })).json()
    const without = await admin().get('/topics?search=mark-&without_projects=true')
    expect(without.json().map(({ id }: { id: number }) => id)).toEqual([unused.id])
    const ask = (size: number) => world.app.count(() => admin().get(`/topics?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })

  it('are given to a project by several at once, and count it once', async () => {
    const { id } = await world.newProject()
    const topics = ['at-once', 'also-at-once']
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.as('owner').put(`/projects/${id}`, { topics })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    const found = (await world.as('owner').get('/topics?search=at-once')).json()
    expect(
      found.map(
        ({ total_projects_count }: { total_projects_count: number }) => total_projects_count,
      ),
    ).toEqual([1, 1])
  })

  it('of hidden projects are for those who see one', async () => {
    const [shared, hidden] = [unique(), unique()]
    await tag([shared], 'public')
    await tag([shared, hidden])
    const { id } = (await admin().get(`/topics?search=${hidden}`)).json()[0]
    const seen = async (who: Parameters<World['as']>[0]) => {
      const count = async (name: string) =>
        (await world.as(who).get(`/topics?search=${name}`))
          .json()
          .map((topic: { total_projects_count: number }) => topic.total_projects_count)
      const { statusCode } = await world.as(who).get(`/topics/${id}`)
      return [await count(shared), await count(hidden), statusCode]
    }
    expect(await seen('anonymous')).toEqual([[2], [], 404])
    expect(await seen('outsider')).toEqual([[2], [], 404])
    expect(await seen('guest')).toEqual([[2], [1], 200])
    expect(await seen('admin')).toEqual([[2], [1], 200])
    const total = await world.as('anonymous').get(`/topics?search=${hidden}`)
    expect(total.headers['x-total']).toBe('0')
  })

  it('count the projects that have them now, and those of a deleted one no more', async () => {
    const [kept, other] = [unique(), unique()]
    const first = await tag([kept, other])
    await tag([kept])
    const counts = async () => {
      const topics = (await admin().get('/topics?per_page=100')).json()
      const countOf = (name: string) =>
        topics.find((topic: { name: string }) => topic.name === name)?.total_projects_count
      return [countOf(kept), countOf(other)]
    }
    expect(await counts()).toEqual([2, 1])
    await world.as('owner').put(`/projects/${first}`, { topics: [kept.toUpperCase(), other] })
    expect(await counts()).toEqual([2, 1])
    await world.as('owner').put(`/projects/${first}`, { topics: [kept] })
    expect(await counts()).toEqual([2, 0])
    await world.as('owner').delete(`/projects/${first}`)
    await world.app.worker.drain()
    expect(await counts()).toEqual([1, 0])
  })

  it('are renamed, merged and removed in projects too', async () => {
    const [first, second, third] = [unique(), unique(), unique()]
    const both = await tag([first, second])
    const one = await tag([first])
    const topics = async (id: number) =>
      (await world.as('owner').get(`/projects/${id}`)).json().topics
    const find = async (name: string) => (await admin().get(`/topics?search=${name}`)).json()[0]
    const source = await find(first)
    const target = await find(second)
    const ids = { source_topic_id: source.id, target_topic_id: target.id }
    expect(await told(admin().post('/topics/merge', ids))).toEqual([
      201,
      { ...target, total_projects_count: 2 },
    ])
    expect([await topics(both), await topics(one)]).toEqual([[second], [second]])
    expect((await admin().get(`/topics/${source.id}`)).statusCode).toBe(404)
    expect((await admin().post('/topics/merge', ids)).statusCode).toBe(404)
    const same = { source_topic_id: target.id, target_topic_id: target.id }
    expect((await admin().post('/topics/merge', same)).statusCode).toBe(400)
    await admin().put(`/topics/${target.id}`, { name: third })
    expect(await topics(one)).toEqual([third])
    await admin().delete(`/topics/${target.id}`)
    expect(await topics(one)).toEqual([])
  })

  it('have a picture, which an empty text takes away', async () => {
    const { body, options } = multipart({
      name: unique(),
      avatar: { filename: 'a.png', content: png() },
    })
    const topic = (await admin().post('/topics', body, options)).json()
    expect(topic.avatar_url).toMatch(/\/uploads\/-\/system\/topic\/avatar\/\d+\/a\.png$/)
    const url = topic.avatar_url.replace('http://bloomery.test', '')
    const shown = await world.app.server.inject({ url })
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
    expect((await admin().put(`/topics/${topic.id}`, { avatar: '' })).json().avatar_url).toBe(null)
    expect((await world.app.server.inject({ url })).statusCode).toBe(404)
  })
})
