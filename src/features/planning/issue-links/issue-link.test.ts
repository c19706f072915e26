import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld(await startApp({ BLOOMERY_TIER: 'free' }))
})
afterAll(() => world.app.close())

type Answered = { statusCode: number; body: string; json: () => unknown }
const told = async (answer: Promise<Answered>) => {
  const { statusCode, json } = await answer
  return [statusCode, json()]
}

/** Two projects with an issue each. */
async function newPair() {
  const one = await world.newProject()
  const other = await world.newProject()
  for (const { id } of [one, other]) {
    await world.as('reporter').post(`/projects/${id}/issues`, { title: `In ${id}` })
  }
  const url = `/projects/${one.id}/issues/1`
  return { one, other, url, links: `${url}/links`, back: `/projects/${other.id}/issues/1/links` }
}

describe('Links between issues', () => {
  it('are made, listed from both sides, and removed from either', async () => {
    const { one, other, url, links, back } = await newPair()
    const client = world.as('reporter')
    const target = { target_project_id: String(other.id), target_issue_iid: 1 }
    const made = await client.post(links, target)
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      {
        source_issue: { project_id: one.id, iid: 1 },
        target_issue: { project_id: other.id, iid: 1 },
        link_type: 'relates_to',
      },
    ])
    expect(made.json().source_issue).not.toHaveProperty('references')
    const now = world.app.clock.now().toISOString()
    const { subscribed: _, ...issue } = (await client.get(`/projects/${other.id}/issues/1`)).json()
    const record = {
      ...issue,
      references: { ...issue.references, relative: `${other.full_path}#1` },
      issue_link_id: made.json().id,
      link_type: 'relates_to',
      link_created_at: now,
      link_updated_at: now,
    }
    expect(await told(world.as('guest').get(links))).toEqual([200, [record]])
    expect((await world.as('guest').get(back)).json()).toMatchObject([{ project_id: one.id }])
    expect((await client.get(`${links}/${made.json().id}`)).json()).toEqual(made.json())
    const notes = async (at: string) => (await client.get(`${at}/notes`)).json()[0].body
    expect(await notes(url)).toBe(`marked this issue as related to ${other.path}#1`)
    expect(
      await told(client.post(links, { ...target, target_project_id: other.full_path })),
    ).toEqual([409, { message: 'Issue(s) already assigned' }])
    const turned = { target_project_id: one.id, target_issue_iid: 1 }
    expect((await client.post(back, turned)).statusCode).toBe(409)
    expect((await client.post(links, turned)).statusCode).toBe(409)
    const gone = await client.delete(`${back}/${made.json().id}`)
    expect([gone.statusCode, gone.json()]).toMatchObject([200, made.json()])
    expect((await client.get(links)).json()).toEqual([])
    expect(await told(client.delete(`${links}/${made.json().id}`))).toEqual([
      404,
      { message: '404 Not Found' },
    ])
  })

  it('are listed as far as the reader sees the issue on the other side', async () => {
    const { other, links, back } = await newPair()
    const client = world.as('reporter')
    const issues = `/projects/${other.id}/issues`
    await client.post(issues, { title: 'hidden', confidential: true })
    for (const target_issue_iid of [1, 2]) {
      await client.post(links, { target_project_id: other.id, target_issue_iid })
    }
    await client.post(back, { target_project_id: other.id, target_issue_iid: 2 })
    const titles = async (who: Who) =>
      (await world.as(who).get(links)).json().map(({ title }: { title: string }) => title)
    expect(await titles('reporter')).toEqual([`In ${other.id}`, 'hidden'])
    expect(await titles('guest')).toEqual([`In ${other.id}`])
    await world.as('owner').delete(`/projects/${other.id}`)
    expect(await titles('reporter')).toEqual([])
  })

  it('take a Reporter on both sides', async () => {
    const { other, links } = await newPair()
    const post = (who: Who, body: object = {}) =>
      world.as(who).post(links, { target_project_id: other.id, target_issue_iid: 1, ...body })
    expect((await post('anonymous')).statusCode).toBe(401)
    expect((await post('outsider')).statusCode).toBe(404)
    expect((await post('guest')).statusCode).toBe(403)
    const { client, user } = await world.newUser()
    const elsewhere = (await client.post('/projects', { name: 'Own' })).json()
    await client.post(`/projects/${elsewhere.id}/issues`, { title: 't' })
    await world.as('owner').post(`/projects/${other.id}/members`, {
      user_id: user.id,
      access_level: 10,
    })
    const own = `/projects/${elsewhere.id}/issues/1/links`
    const message = 'No matching issue found. Make sure that you are adding a valid issue URL.'
    const target = { target_project_id: other.id, target_issue_iid: 1 }
    expect(await told(client.post(own, target))).toEqual([404, { message }])
    expect(await told(client.post(own, { ...target, target_issue_iid: 9 }))).toEqual([
      404,
      { message },
    ])
    expect(await told(post('reporter', { link_type: 'blocks' }))).toEqual([
      400,
      { error: 'link_type does not have a valid value' },
    ])
    expect(await told(world.as('reporter').post(links, {}))).toEqual([
      400,
      { error: 'target_project_id is missing, target_issue_iid is missing' },
    ])
  })

  it('take as many queries whatever their number, and a pair is linked once by two at once', async () => {
    const { one, other, links, back } = await newPair()
    const client = world.as('reporter')
    const ask = () => world.app.count(() => client.get(links))
    await ask()
    const post = (at: string, id: number) =>
      client.post(at, { target_project_id: id, target_issue_iid: 1 })
    const both = await Promise.all([post(links, other.id), post(back, one.id)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const { queries } = await ask()
    await client.post(`/projects/${one.id}/issues`, { title: 'another' })
    await client.post(links, { target_project_id: one.id, target_issue_iid: 2 })
    expect((await ask()).queries).toBe(queries)
  })
})

describe('An issue that blocks another', () => {
  it('is told as such at its end, and at the other as what blocks that', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'ultimate' })
    onTestFinished(() => app.close())
    const { as, newProject } = await newWorld(app)
    const client = as('reporter')
    const { id } = await newProject()
    for (const title of ['First', 'Second', 'Third']) {
      await client.post(`/projects/${id}/issues`, { title })
    }
    const at = (iid: number) => `/projects/${id}/issues/${iid}`
    const link = (from: number, to: number, link_type: string) =>
      client.post(`${at(from)}/links`, {
        ...{ target_project_id: String(id), target_issue_iid: to, link_type },
      })
    expect((await link(1, 2, 'blocks')).json()).toMatchObject({
      link_type: 'blocks',
      source_issue: { iid: 1 },
    })
    expect((await link(1, 3, 'is_blocked_by')).json()).toMatchObject({
      link_type: 'blocks',
      source_issue: { iid: 3 },
    })
    const typesAt = async (iid: number) =>
      (await client.get(`${at(iid)}/links`))
        .json()
        .map((one: { iid: number; link_type: string }) => [one.iid, one.link_type])
    expect(await typesAt(1)).toEqual([
      [2, 'blocks'],
      [3, 'is_blocked_by'],
    ])
    expect(await typesAt(2)).toEqual([[1, 'is_blocked_by']])
    expect(await typesAt(3)).toEqual([[1, 'blocks']])
    const noteOf = async (iid: number) => (await client.get(`${at(iid)}/notes`)).json()[0].body
    expect([await noteOf(2), await noteOf(3)]).toEqual([
      'marked this issue as blocked by #1',
      'marked this issue as blocking #1',
    ])
  })
})

describe('Quick actions', () => {
  const say = (who: Who, url: string, body: string) => world.as(who).post(`${url}/notes`, { body })

  it('link issues, as far as their writer may', async () => {
    const { one, other, url, links } = await newPair()
    await world.as('reporter').post(`/projects/${one.id}/issues`, { title: 'Beside' })
    const linked = async () => {
      const found = (await world.as('reporter').get(links)).json()
      return found.map(({ title }: { title: string }) => title).sort()
    }
    await say('guest', url, '/relate #2')
    expect(await linked()).toEqual([])
    await say('reporter', url, `/relate #2 ${other.full_path}#1 #404 #1`)
    expect(await linked()).toEqual(['Beside', `In ${other.id}`])
    // What the operation refuses on the free tier is left out.
    await world.as('reporter').post(`/projects/${one.id}/issues`, {
      title: 'Behind',
      description: 'Text\n/relate #1\n/blocks #2',
    })
    expect(await linked()).toEqual(['Behind', 'Beside', `In ${other.id}`])
  })

  it('say which issue blocks which on paid tiers', async () => {
    const paid = await newWorld(await startApp({ BLOOMERY_TIER: 'premium' }))
    onTestFinished(() => paid.app.close())
    const { id } = await paid.newProject()
    const client = paid.as('reporter')
    for (const title of ['One', 'Two', 'Three'])
      await client.post(`/projects/${id}/issues`, { title })
    await client.post(`/projects/${id}/issues/1/notes`, { body: '/blocks #2\n/blocked_by #3' })
    const links = (await client.get(`/projects/${id}/issues/1/links`)).json()
    const types = links.map(({ title, link_type }: { title: string; link_type: string }) => [
      title,
      link_type,
    ])
    expect(Object.fromEntries(types)).toEqual({ Two: 'blocks', Three: 'is_blocked_by' })
  })

  it('copy and move an issue, as far as their writer may there', async () => {
    const { one, other, url } = await newPair()
    const titles = async (id: number) => {
      const found = (await world.as('reporter').get(`/projects/${id}/issues`)).json()
      return found.map(({ title }: { title: string }) => title).sort()
    }
    await say('guest', url, `/move ${other.full_path}\n/clone`)
    await say('reporter', url, `/move ${one.full_path}\n/move no/such`)
    expect([await titles(one.id), await titles(other.id)]).toEqual([
      [`In ${one.id}`],
      [`In ${other.id}`],
    ])
    // A text asks for one copy, however often it says so.
    await say('reporter', url, '/clone\n/clone\n/clone')
    expect(await titles(one.id)).toEqual([`In ${one.id}`, `In ${one.id}`])
    await say('reporter', url, 'Worth keeping')
    await say('reporter', url, `/clone ${other.full_path} --with_notes`)
    const copies = (await world.as('reporter').get(`/projects/${other.id}/issues`)).json()
    const copy = copies.find(({ title }: { title: string }) => title === `In ${one.id}`)
    const notes = (
      await world.as('reporter').get(`/projects/${other.id}/issues/${copy.iid}/notes`)
    ).json()
    expect(notes.map(({ body }: { body: string }) => body)).toContain('Worth keeping')
    await say('reporter', url, `/move ${other.full_path}`)
    expect((await world.as('reporter').get(url)).json()).toMatchObject({
      state: 'closed',
      moved_to_id: expect.any(Number),
    })
    expect(await titles(other.id)).toEqual([`In ${one.id}`, `In ${one.id}`, `In ${other.id}`])
  })
})
