import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('Resource events', () => {
  it('tell which weight an issue was given, from creation on', async () => {
    const project = await world.newProject()
    const issues = `/projects/${project.id}/issues`
    const client = world.as('developer')
    const issue = (await client.post(issues, { title: 't', weight: 3 })).json()
    await client.put(`${issues}/1`, { weight: 2 })
    await client.put(`${issues}/1`, { weight: 2, title: 'same weight' })
    await client.put(`${issues}/1`, { weight: null })
    const url = `${issues}/1/resource_weight_events`
    const list = await world.as('guest').get(url)
    const shared = {
      id: expect.any(Number),
      user: expect.objectContaining({ id: world.users.developer.id }),
      created_at: world.app.clock.now().toISOString(),
      issue_id: issue.id,
    }
    expect([list.statusCode, list.json()]).toEqual([
      200,
      [
        { ...shared, weight: 3 },
        { ...shared, weight: 2 },
        { ...shared, weight: null },
      ],
    ])
    const [first] = list.json()
    expect((await world.as('guest').get(`${url}/${first.id}`)).json()).toEqual(first)
    const missing = await client.get(`${url}/99999999`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
    const wrong = await client.get(`${url}/x`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'event_id is invalid' }])
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
    expect((await world.as('outsider').get(url)).statusCode).toBe(404)
    const request = `/projects/${project.id}/merge_requests/1/resource_weight_events`
    expect((await client.get(request)).statusCode).toBe(404)
  })

  it('tell what happened to labels, milestone and state, from creation on', async () => {
    const project = await world.newProject()
    const client = world.as('developer')
    const post = async (title: string) =>
      (await client.post(`/projects/${project.id}/milestones`, { title })).json()
    const [one, two] = [await post('one'), await post('two')]
    const issues = `/projects/${project.id}/issues`
    const issue = (
      await client.post(issues, { title: 't', labels: 'a', milestone_id: one.id })
    ).json()
    const url = `${issues}/1`
    await client.put(url, { labels: 'b', milestone_id: two.id })
    await client.put(url, { milestone_id: 0, state_event: 'close' })
    await client.put(url, { state_event: 'reopen' })
    await client.delete(`/projects/${project.id}/labels/a`)
    const list = async (kind: string) =>
      (await world.as('guest').get(`${url}/resource_${kind}_events`)).json()
    const labels = await list('label')
    const shared = {
      id: expect.any(Number),
      user: expect.objectContaining({ id: world.users.developer.id }),
      created_at: world.app.clock.now().toISOString(),
      resource_type: 'Issue',
      resource_id: issue.id,
    }
    const b = {
      id: expect.any(Number),
      name: 'b',
      color: '#6699cc',
      description: null,
      description_html: null,
      text_color: '#FFFFFF',
    }
    expect(labels).toEqual([
      { ...shared, label: null, action: 'add' },
      { ...shared, label: b, action: 'add' },
      { ...shared, label: null, action: 'remove' },
    ])
    expect(await list('milestone')).toEqual([
      { ...shared, milestone: one, action: 'add' },
      { ...shared, milestone: two, action: 'add' },
      { ...shared, milestone: two, action: 'remove' },
    ])
    expect(await list('state')).toEqual([
      { ...shared, state: 'closed' },
      { ...shared, state: 'reopened' },
    ])
    const single = await client.get(`${url}/resource_label_events/${labels[1].id}`)
    expect([single.statusCode, single.json()]).toEqual([200, labels[1]])
    const other = await client.get(`${url}/resource_state_events/${labels[1].id}`)
    expect([other.statusCode, other.json()]).toEqual([404, { message: '404 Not found' }])
    const path = `${url}/resource_label_events`
    expect((await world.as('anonymous').get(path)).statusCode).toBe(401)
    expect((await world.as('outsider').get(path)).statusCode).toBe(404)
    for (const kind of ['label', 'milestone']) {
      const ask = (size: number) =>
        world.app.count(() => client.get(`${url}/resource_${kind}_events?per_page=${size}`))
      await ask(1)
      expect((await ask(20)).queries).toBe((await ask(1)).queries)
    }
    const page = await client.get(`${path}?per_page=1&page=2`)
    expect([page.json()[0].id, page.headers['x-total']]).toEqual([labels[1].id, '3'])
  })
})
