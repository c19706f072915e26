import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe.each(['projects', 'groups'] as const)('Boards of %s', (kind) => {
  async function newPlace() {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const owner = kind === 'projects' ? project : group
    return { owner, url: `/${kind}/${owner.id}/boards`, labels: `/${kind}/${owner.id}/labels` }
  }

  it('are made with lists that can be moved', async () => {
    const { owner, url, labels } = await newPlace()
    const client = world.as('reporter')
    expect((await client.get(url)).json()).toEqual([])
    const made = await client.post(url, { name: 'Plan' })
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      { name: 'Plan', lists: [], hide_backlog_list: false, milestone: null, labels: [] },
    ])
    const { project, group } = made.json()
    if (kind === 'projects') {
      const [simple] = (await client.get(`/projects?simple=true&search=${owner.path}`)).json()
      expect([project, group]).toEqual([simple, undefined])
    } else {
      const { id, name, web_url } = (await client.get(`/groups/${owner.id}`)).json()
      expect([project, group]).toEqual([undefined, { id, name, web_url }])
    }
    const one = `${url}/${made.json().id}`
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) {
      const label = (await client.post(labels, { name, color: '#abc' })).json()
      const list = await client.post(`${one}/lists`, { label_id: label.id })
      expect([list.statusCode, list.json()]).toMatchObject([
        201,
        { label: { name, color: '#aabbcc', text_color: '#333333' }, position: ids.length },
      ])
      ids.push(list.json().id)
    }
    const order = async () =>
      (await client.get(one))
        .json()
        .lists.map((list: { label: { name: string } }) => list.label.name)
    const moved = await client.put(`${one}/lists/${ids[2]}`, { position: 0 })
    expect([moved.statusCode, moved.json().position]).toEqual([200, 0])
    expect(await order()).toEqual(['c', 'a', 'b'])
    await client.put(`${one}/lists/${ids[2]}`, { position: 1 })
    expect(await order()).toEqual(['a', 'c', 'b'])
    expect((await client.delete(`${one}/lists/${ids[0]}`)).statusCode).toBe(204)
    expect((await client.get(`${one}/lists`)).json()).toMatchObject([
      { position: 0 },
      { position: 1 },
    ])
    const changed = await client.put(one, { name: 'Other', hide_closed_list: true, weight: 2 })
    expect(changed.json()).toMatchObject({ name: 'Other', hide_closed_list: true, weight: 2 })
    expect((await client.delete(one)).statusCode).toBe(204)
    expect((await client.get(one)).json()).toEqual({ message: '404 Not found' })
  })

  it('have lists of assignees and milestones too', async () => {
    const { owner, url, labels } = await newPlace()
    const client = world.as('reporter')
    const one = `${url}/${(await client.post(url, { name: 'Plan' })).json().id}`
    const milestones = `/${kind}/${owner.id}/milestones`
    const developer = world.as('developer')
    const milestone = (await developer.post(milestones, { title: 'Soon, or later' })).json()
    const label = (await client.post(labels, { name: 'a', color: 'red' })).json()
    const { id, username } = world.users.guest
    const lists = `${one}/lists`
    expect((await client.post(lists, { label_id: label.id })).json()).toEqual({
      id: expect.any(Number),
      label: expect.objectContaining({ name: 'a' }),
      position: 0,
    })
    const [assignee] = (await client.get(`/users?username=${username}`)).json()
    expect((await client.post(lists, { assignee_id: id })).json()).toEqual({
      id: expect.any(Number),
      label: null,
      position: 1,
      assignee,
    })
    const made = await client.post(lists, { milestone_id: milestone.id })
    expect([made.statusCode, made.json()]).toEqual([
      201,
      { id: expect.any(Number), label: null, position: 2, milestone },
    ])
    const shown = (await client.get(one)).json().lists
    expect(shown).toEqual((await client.get(lists)).json())
    expect(shown.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2])
    expect((await client.get(`${lists}/${made.json().id}`)).json()).toEqual(made.json())
    const refusals: [object, string][] = [
      [
        {},
        'label_id, assignee_id, milestone_id are missing, exactly one parameter must be provided',
      ],
      [{ label_id: 1, milestone_id: 1 }, 'label_id, milestone_id are mutually exclusive'],
    ]
    for (const [body, error] of refusals) {
      const refused = await client.post(lists, body)
      expect([refused.statusCode, refused.json()]).toEqual([400, { error }])
    }
    const elsewhere = await newPlace()
    const other = `/${kind}/${elsewhere.owner.id}/milestones`
    const foreign = (await developer.post(other, { title: 'x' })).json().id
    const notFound: [object, string][] = [
      [{ assignee_id: world.users.outsider.id }, 'User not found!'],
      [{ assignee_id: 99_999_999 }, 'User not found!'],
      [{ milestone_id: foreign }, 'Milestone not found!'],
      [{ assignee_id: id }, 'User has already been taken'],
      [{ milestone_id: milestone.id }, 'Milestone has already been taken'],
      [{ label_id: label.id }, 'Label has already been taken'],
    ]
    for (const [body, error] of notFound) {
      const refused = await client.post(lists, body)
      expect([refused.statusCode, refused.json()]).toEqual([400, { message: { error } }])
    }
    await developer.delete(`${milestones}/${milestone.id}`)
    expect((await client.get(lists)).json()).toHaveLength(2)
  })

  it('stay as they are when another board is changed, and take no labels from elsewhere', async () => {
    const { url, labels } = await newPlace()
    const elsewhere = await newPlace()
    const client = world.as('reporter')
    const newLabel = async (at: string, name: string) =>
      (await client.post(at, { name, color: 'red' })).json().id
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push(await newLabel(labels, name))
    const newBoard = async (at: string) =>
      `${at}/${(await client.post(at, { name: 'x' })).json().id}`
    const [one, other] = [await newBoard(url), await newBoard(url)]
    for (const board of [one, other]) {
      for (const label_id of ids) await client.post(`${board}/lists`, { label_id })
    }
    await client.put(one, { labels: 'a' })
    await client.put(other, { labels: 'b' })
    await client.put(one, { labels: 'a,c' })
    const lists = async (board: string) => (await client.get(`${board}/lists`)).json()
    const positions = async (board: string) =>
      (await lists(board)).map((list: { label: { name: string }; position: number }) => [
        list.label.name,
        list.position,
      ])
    const [, b, c] = await lists(one)
    await client.put(`${one}/lists/${b.id}`, { position: 2 })
    expect(await positions(one)).toEqual([
      ['a', 0],
      ['c', 1],
      ['b', 2],
    ])
    await client.delete(`${one}/lists/${c.id}`)
    expect(await positions(one)).toEqual([
      ['a', 0],
      ['b', 1],
    ])
    expect(await positions(other)).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    expect((await client.get(other)).json().labels).toMatchObject([{ name: 'b' }])
    const label_id = await newLabel(elsewhere.labels, 'd')
    expect((await client.post(`${one}/lists`, { label_id })).statusCode).toBe(400)
    const stranger = (await newBoard(elsewhere.url)).replace(elsewhere.url, url)
    expect((await client.get(stranger)).statusCode).toBe(404)
    expect((await client.delete(stranger)).statusCode).toBe(404)
  })

  it('are refused to who may not, and for what is not there', async () => {
    const { url } = await newPlace()
    const client = world.as('reporter')
    const { id } = (await client.post(url, { name: 'Plan' })).json()
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
    expect((await world.as('outsider').get(url)).statusCode).toBe(404)
    expect((await world.as('guest').get(url)).statusCode).toBe(200)
    expect((await world.as('guest').post(url, { name: 'x' })).statusCode).toBe(403)
    expect((await client.post(url, {})).json()).toEqual({ error: 'name is missing' })
    const unknown = await client.post(`${url}/${id}/lists`, { label_id: 99_999_999 })
    expect([unknown.statusCode, unknown.json()]).toEqual([
      400,
      { message: { error: 'Label not found!' } },
    ])
  })
})

it('Boards of a project are for those who read its issues', async () => {
  const project = await world.newProject({ group: world.groups.open, visibility: 'public' })
  const url = `/projects/${project.id}/boards`
  const statuses = async (issues_access_level: string) => {
    await world.as('owner').put(`/projects/${project.id}`, { issues_access_level })
    const read = (who: Who) => world.as(who).get(url)
    const answers = [await read('outsider'), await read('guest'), await read('owner')]
    const made = await world.as('owner').post(url, { name: issues_access_level })
    return [...answers, made].map(({ statusCode }) => statusCode)
  }
  expect(await statuses('enabled')).toEqual([200, 200, 200, 201])
  expect(await statuses('private')).toEqual([403, 200, 200, 201])
  expect(await statuses('disabled')).toEqual([403, 403, 403, 403])
})
