import { beforeAll, describe, expect, it } from 'vitest'
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

async function newIssue(place: 'shut' | 'open' = 'shut') {
  const project = await world.newProject({ group: world.groups[place] })
  const url = `/projects/${project.id}/issues`
  const issue = (await world.as('reporter').post(url, { title: 't' })).json()
  const note = (await world.as('reporter').post(`${url}/1/notes`, { body: 'n' })).json()
  return { project, issue, note, url: `${url}/1` }
}

describe('Awards', () => {
  it('are given to issues and notes, shown and taken back', async () => {
    const another = await newIssue()
    for (const path of ['', `/notes/${another.note.id}`])
      await world.as('owner').post(`${another.url}${path}/award_emoji`, { name: 'tada' })
    const { issue, note, url } = await newIssue()
    const now = world.app.clock.now().toISOString()
    const client = world.as('guest')
    for (const [at, awardable_id, awardable_type] of [
      [url, issue.id, 'Issue'],
      [`${url}/notes/${note.id}`, note.id, 'Note'],
    ] as const) {
      const awards = `${at}/award_emoji`
      const made = await client.post(awards, { name: 'thumbsup' })
      const record = {
        id: made.json().id,
        name: 'thumbsup',
        user: expect.objectContaining({ id: world.users.guest.id }),
        created_at: now,
        updated_at: now,
        awardable_id,
        awardable_type,
      }
      expect([made.statusCode, made.json()]).toEqual([201, record])
      expect(await told(client.get(awards))).toEqual([200, [record]])
      expect(await told(client.get(`${awards}/${record.id}`))).toEqual([200, record])
      expect(await told(client.post(awards, { name: 'thumbsup' }))).toEqual([
        404,
        { message: '404 Award Emoji Name has already been taken Not Found' },
      ])
      expect(await told(client.post(awards, { name: 'no_such' }))).toEqual([
        404,
        { message: '404 Award Emoji Name is not a valid emoji name Not Found' },
      ])
      expect(await told(client.post(awards, {}))).toEqual([400, { error: 'name is missing' }])
      expect(await told(world.as('owner').delete(`${awards}/${record.id}`))).toEqual([
        401,
        { message: '401 Unauthorized' },
      ])
      const votes = async () => (await client.get(url)).json().upvotes
      expect(await votes()).toBe(awardable_type === 'Issue' ? 1 : 0)
      const headers = { 'if-unmodified-since': 'Sat, 03 Jan 1970 00:00:00 GMT' }
      const early = await client.delete(`${awards}/${record.id}`, undefined, { headers })
      expect(early.statusCode).toBe(412)
      expect(await told(client.delete(`${awards}/${record.id}`))).toEqual([204, ''])
      expect(await votes()).toBe(0)
      expect(await told(client.get(`${awards}/${record.id}`))).toEqual([
        404,
        { message: '404 Not found' },
      ])
    }
  })

  it('are read by everybody who sees the thing, and given by who is signed in', async () => {
    const { url } = await newIssue('open')
    await world.as('outsider').post(`${url}/award_emoji`, { name: 'tada' })
    const [award] = (await world.as('anonymous').get(`${url}/award_emoji`)).json()
    expect(award.name).toBe('tada')
    const given = await world.as('anonymous').post(`${url}/award_emoji`, { name: 'tada' })
    expect(given.statusCode).toBe(401)
    const { url: shut } = await newIssue()
    expect((await world.as('outsider').get(`${shut}/award_emoji`)).statusCode).toBe(404)
    expect((await world.as('outsider').post(`${shut}/award_emoji`, { name: 'x' })).statusCode).toBe(
      404,
    )
  })

  it('take as many queries whatever their number', async () => {
    const { url } = await newIssue()
    for (const name of ['tada', 'heart', 'rocket']) {
      await world.as('guest').post(`${url}/award_emoji`, { name })
    }
    const ask = (size: number) =>
      world.app.count(() => world.as('guest').get(`${url}/award_emoji?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })

  it('are done with in an archived project', async () => {
    const { project, url } = await newIssue()
    const { id } = (await world.as('guest').post(`${url}/award_emoji`, { name: 'tada' })).json()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('guest').delete(`${url}/award_emoji/${id}`)).statusCode).toBe(403)
    expect(await told(world.as('guest').post(`${url}/award_emoji`, { name: 'x' }))).toEqual([
      404,
      { message: '404 Award Emoji Not Found' },
    ])
  })

  it('of all notes are listed at once, without those of notes that the caller may not read', async () => {
    const { project, note, url } = await newIssue()
    const reporter = world.as('reporter')
    const internal = (await reporter.post(`${url}/notes`, { body: 'i', internal: true })).json()
    const give = async (id: number, name: string) =>
      (await reporter.post(`${url}/notes/${id}/award_emoji`, { name })).json()
    const given = [await give(note.id, 'tada'), await give(internal.id, 'eyes')]
    await reporter.post(`${url}/award_emoji`, { name: 'heart' })
    const another = await newIssue()
    await reporter.post(`${another.url}/notes/${another.note.id}/award_emoji`, { name: 'heart' })
    const list = `${url}/note_award_emoji`
    const answer = await reporter.get(list)
    expect([answer.headers['x-total'], answer.json()]).toEqual(['2', given])
    expect((await reporter.get(`${list}?per_page=1&page=2`)).json()).toEqual([given[1]])
    expect((await world.as('guest').get(list)).json()).toEqual([given[0]])
    expect(await told(world.as('anonymous').get(list))).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
    expect(await told(world.as('outsider').get(list))).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    await world.as('owner').put(`/projects/${project.id}`, { issues_access_level: 'disabled' })
    expect((await world.as('guest').get(list)).statusCode).toBe(404)
  })
})
