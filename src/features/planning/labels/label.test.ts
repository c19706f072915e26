import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A group with a project, and where the labels of the one or the other are. */
async function newPlace(kind: 'projects' | 'groups') {
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group })
  const owner = kind === 'projects' ? project : group
  return { group, project, owner, url: `/${kind}/${owner.id}/labels` }
}

type Answered = { statusCode: number; body: string; json: () => unknown }
const told = async (answer: Promise<Answered>) => {
  const { statusCode, body, json } = await answer
  return [statusCode, body === '' ? '' : json()]
}
const names = (labels: { name: string }[]) => labels.map(({ name }) => name)

describe.each(['projects', 'groups'] as const)('Labels of %s', (kind) => {
  const own = kind === 'projects' ? { priority: null, is_project_label: true } : {}

  it('are made, shown, changed and removed, by id, by name and by the body', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('reporter')
    const made = await client.post(url, { name: ' scope: a/b ', color: '#abc' })
    const record = {
      id: made.json().id,
      name: 'scope: a/b',
      color: '#aabbcc',
      description: null,
      description_html: null,
      text_color: '#333333',
      subscribed: false,
      ...own,
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const path = encodeURIComponent(record.name)
    for (const name of [path, record.id]) {
      expect(await told(world.as('guest').get(`${url}/${name}`))).toEqual([200, record])
    }
    const changed = { ...record, description: 'a < b', description_html: 'a &lt; b' }
    expect(await told(client.put(`${url}/${path}`, { description: 'a < b' }))).toEqual([
      200,
      changed,
    ])
    const renamed = { ...changed, name: 'new', color: '#ff0000', text_color: '#FFFFFF' }
    expect(
      await told(client.put(url, { name: record.name, new_name: 'new', color: 'red' })),
    ).toEqual([200, renamed])
    expect(await told(client.put(url, { label_id: record.id, description: null }))).toEqual([
      200,
      { ...renamed, description: null, description_html: null },
    ])
    expect(await told(client.delete(`${url}/new`))).toEqual([204, ''])
    expect(await told(client.get(`${url}/new`))).toEqual([404, { message: '404 Label Not Found' }])
    await client.post(url, { name: 'other', color: '#FFFFFF' })
    expect(await told(client.delete(`${url}?name=other`))).toEqual([204, ''])
  })

  it('are refused to who may not', async () => {
    const { url } = await newPlace(kind)
    const { id } = (await world.as('owner').post(url, { name: 'a', color: 'red' })).json()
    const statuses = async (who: Who) => {
      const client = world.as(who)
      return [
        (await client.get(url)).statusCode,
        (await client.get(`${url}/${id}`)).statusCode,
        (await client.post(url, { name: 'b', color: 'red' })).statusCode,
        (await client.put(`${url}/${id}`, { description: 'd' })).statusCode,
        (await client.delete(`${url}/${id}`)).statusCode,
        (await client.post(`${url}/a/subscribe`)).statusCode,
      ]
    }
    expect(await statuses('anonymous')).toEqual([401, 401, 401, 401, 401, 401])
    expect(await statuses('outsider')).toEqual([404, 404, 404, 404, 404, 404])
    expect(await statuses('guest')).toEqual([200, 200, 403, 403, 403, 201])
  })

  it('answer bad input in their words, and change nothing', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('reporter')
    await client.post(url, { name: 'one', color: 'red' })
    await client.post(url, { name: 'two', color: 'red' })
    const fields = kind === 'projects' ? ', priority' : ''
    const cases: [ReturnType<typeof client.post>, number, unknown][] = [
      [client.post(url, {}), 400, { error: 'name is missing, color is missing' }],
      [
        client.post(url, { name: 'a', color: 'reddish' }),
        400,
        { message: { color: ['must be a valid color code'] } },
      ],
      [
        client.post(url, { name: 'a,b', color: 'red' }),
        400,
        { message: { title: ['is invalid'] } },
      ],
      [
        client.post(url, { name: ' ', color: 'red' }),
        400,
        { message: { title: ["can't be blank"] } },
      ],
      [client.post(url, { name: 'one', color: 'red' }), 409, { message: 'Label already exists' }],
      [
        client.put(`${url}/two`, {}),
        400,
        {
          error: `new_name, color, description${fields} are missing, at least one parameter must be provided`,
        },
      ],
      [
        client.put(`${url}/two`, { new_name: 'one' }),
        400,
        { message: { title: ['has already been taken'] } },
      ],
      [
        client.put(url, { new_name: 'x' }),
        400,
        { error: 'label_id, name are missing, exactly one parameter must be provided' },
      ],
      [
        client.put(url, { name: 'one', label_id: 1, new_name: 'x' }),
        400,
        { error: 'label_id, name are mutually exclusive' },
      ],
      [client.delete(`${url}/none`), 404, { message: '404 Label Not Found' }],
    ]
    for (const [request, status, body] of cases) {
      expect(await told(request)).toEqual([status, body])
    }
    expect(names((await client.get(url)).json())).toEqual(['one', 'two'])
  })

  it('are subscribed to once', async () => {
    const { url } = await newPlace(kind)
    await world.as('reporter').post(url, { name: 'a', color: 'red' })
    const client = world.as('guest')
    const first = await client.post(`${url}/a/subscribe`)
    expect([first.statusCode, first.json().subscribed]).toEqual([201, true])
    expect(await told(client.post(`${url}/a/subscribe`))).toEqual([304, ''])
    expect((await client.get(`${url}/a`)).json().subscribed).toBe(true)
    expect((await client.post(`${url}/a/unsubscribe`)).json().subscribed).toBe(false)
    expect(await told(client.post(`${url}/a/unsubscribe`))).toEqual([304, ''])
  })

  it('are listed by name, found and counted, in as many queries whatever their number', async () => {
    const { project, url } = await newPlace(kind)
    const client = world.as('reporter')
    for (const name of ['b', 'a', 'c']) {
      await client.post(url, { name, color: 'red', description: `About ${name}` })
    }
    expect(names((await client.get(url)).json())).toEqual(['a', 'b', 'c'])
    expect(names((await client.get(`${url}?search=ABOUT%20B`)).json())).toEqual(['b'])
    const page = await client.get(`${url}?per_page=2&page=2`)
    expect([names(page.json()), page.headers['x-total']]).toEqual([['c'], '3'])
    const issues = `/projects/${project.id}/issues`
    await client.post(issues, { title: 'open', labels: 'a' })
    await client.post(issues, { title: 'hidden', labels: 'a', confidential: true })
    const { iid } = (await client.post(issues, { title: 'closed', labels: 'a' })).json()
    await client.put(`${issues}/${iid}`, { state_event: 'close' })
    const counted = (await client.get(`${url}?with_counts=true`)).json()[0]
    expect(counted).toMatchObject({
      open_issues_count: 2,
      closed_issues_count: 1,
      open_merge_requests_count: 0,
    })
    const guests = (await world.as('guest').get(`${url}?with_counts=true`)).json()[0]
    expect(guests.open_issues_count).toBe(1)
    const ask = (size: number) =>
      world.app.count(() => client.get(`${url}?with_counts=true&per_page=${size}`))
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })
})

describe('Labels', () => {
  it('of a subgroup are those of it and of the groups above, not those beside or below', async () => {
    const top = await world.newMemberedGroup()
    const sub = await world.newGroup({ parent: top })
    const below = await world.newGroup({ parent: sub })
    const beside = await world.newGroup({ parent: top })
    const [project, other] = [
      await world.newProject({ group: sub }),
      await world.newProject({ group: sub }),
    ]
    const lowest = await world.newProject({ group: below })
    const admin = world.as('admin')
    for (const [name, url] of Object.entries({
      above: `/groups/${top.id}`,
      beside: `/groups/${beside.id}`,
      below: `/groups/${below.id}`,
      own: `/groups/${sub.id}`,
      'of the other project': `/projects/${other.id}`,
      'of the project below': `/projects/${lowest.id}`,
      'of the project': `/projects/${project.id}`,
    })) {
      await admin.post(`${url}/labels`, { name, color: 'red' })
    }
    const listed = async (query: string) => names((await admin.get(query)).json())
    const ofGroup = `/groups/${sub.id}/labels`
    expect(await listed(ofGroup)).toEqual(['above', 'own'])
    expect(await listed(`${ofGroup}?search=OWN`)).toEqual(['own'])
    expect(await listed(`${ofGroup}?include_descendant_groups=true`)).toEqual([
      ...['above', 'below', 'own'],
    ])
    expect(await listed(`${ofGroup}?only_group_labels=false`)).toEqual([
      ...['above', 'of the other project', 'of the project', 'own'],
    ])
    expect(await listed(`/projects/${project.id}/labels`)).toEqual([
      ...['above', 'of the project', 'own'],
    ])
    expect((await admin.get(`${ofGroup}/beside`)).statusCode).toBe(404)
    for (const name of ['beside', 'below', 'of the other project']) {
      const made = await admin.post(`/projects/${project.id}/labels`, { name, color: 'red' })
      expect([name, made.statusCode]).toEqual([name, 201])
    }
    const issues = `/projects/${lowest.id}/issues`
    const fields = { title: 't', labels: 'above,beside,of the other project' }
    const guest = await world.newUser()
    const member = { user_id: guest.user.id, access_level: 10 }
    await admin.post(`/projects/${lowest.id}/members`, member)
    expect((await guest.client.post(issues, fields)).json().labels).toEqual(['above'])
  })

  it('have priorities and subscribers one by one', async () => {
    const { group, project } = await newPlace('groups')
    const client = world.as('reporter')
    const own = `/projects/${project.id}/labels`
    await client.post(own, { name: 'own', color: 'red', priority: 3 })
    await client.post(own, { name: 'more', color: 'red', priority: 4 })
    await client.put(`${own}/own`, { priority: null })
    expect((await client.get(`${own}/more`)).json().priority).toBe(4)

    const url = `/groups/${group.id}/labels`
    const guest = world.as('guest')
    for (const name of ['a', 'b']) {
      await client.post(url, { name, color: 'red' })
      await client.post(`${url}/${name}/subscribe`)
    }
    await guest.post(`${url}/a/subscribe`)
    const subscribed = async (by: typeof guest) =>
      (await by.get(url)).json().map((label: { subscribed: boolean }) => label.subscribed)
    expect(await subscribed(guest)).toEqual([true, false])
    await client.post(`${url}/a/unsubscribe`)
    expect(await subscribed(guest)).toEqual([true, false])
    expect(await subscribed(client)).toEqual([false, true])
  })

  it('count what the caller sees below the group', async () => {
    const top = await world.newGroup({ visibility: 'public' })
    const sub = await world.newGroup({ parent: top, visibility: 'public' })
    const admin = world.as('admin')
    await admin.post(`/groups/${top.id}/labels`, { name: 'a', color: 'red' })
    const { project, url } = await newBranches(world, { options: { group: sub } })
    const [beside, leaving] = [
      await world.newProject({ group: top }),
      await world.newProject({ group: sub }),
    ]
    await newRequest(world, { url }, { who: 'admin', labels: 'a' })
    for (const { id } of [project, beside, leaving]) {
      await admin.post(`/projects/${id}/issues`, { title: 'open', labels: 'a' })
      await admin.post(`/projects/${id}/issues`, { title: 'x', labels: 'a', confidential: true })
    }
    await admin.delete(`/projects/${leaving.id}`)
    const counts = async (of: string, who: Who) => {
      const [label] = (await world.as(who).get(`${of}/labels?with_counts=true`)).json()
      return [label.open_issues_count, label.open_merge_requests_count]
    }
    expect(await counts(`/groups/${sub.id}`, 'admin')).toEqual([2, 1])
    expect(await counts(`/groups/${sub.id}`, 'outsider')).toEqual([1, 1])
    expect(await counts(`/projects/${beside.id}`, 'outsider')).toEqual([1, 0])
    await admin.put(`/projects/${project.id}`, { merge_requests_access_level: 'private' })
    expect(await counts(`/groups/${sub.id}`, 'outsider')).toEqual([1, 0])
    await admin.put(`/projects/${project.id}`, {
      merge_requests_access_level: 'enabled',
      issues_access_level: 'private',
    })
    expect(await counts(`/groups/${sub.id}`, 'outsider')).toEqual([0, 1])
  })
})

it('Labels of a merge request are left as they are by its author below Developer', async () => {
  const { project, url } = await newBranches(world)
  const { user, client } = await world.newUser()
  const members = `/projects/${project.id}/members`
  await world.as('owner').post(members, { user_id: user.id, access_level: 30 })
  const branches = { source_branch: 'topic', target_branch: 'main' }
  const { iid } = (await client.post(url, { title: 'Old', labels: 'a', ...branches })).json()
  await world.as('owner').put(`${members}/${user.id}`, { access_level: 20 })
  const changed = await client.put(`${url}/${iid}`, { title: 'New', labels: 'b' })
  expect(changed.json()).toMatchObject({ title: 'New', labels: ['a'] })
})

describe('Labels of groups', () => {
  it('serve their projects, which do not change them, and give them priorities of their own', async () => {
    const { group, project } = await newPlace('groups')
    const client = world.as('reporter')
    await client.post(`/groups/${group.id}/labels`, { name: 'shared', color: 'red' })
    const url = `/projects/${project.id}/labels`
    const [label] = (await client.get(url)).json()
    expect(label).toMatchObject({ name: 'shared', is_project_label: false, priority: null })
    expect((await client.get(`${url}?include_ancestor_groups=false`)).json()).toEqual([])
    expect(await told(client.put(`${url}/shared`, { description: 'd' }))).toEqual([
      404,
      { message: '404 Label Not Found' },
    ])
    expect((await client.delete(`${url}/shared`)).statusCode).toBe(404)
    expect(await told(client.post(url, { name: 'shared', color: 'red' }))).toEqual([
      409,
      { message: 'Label already exists' },
    ])
    const own = await client.post(url, { name: 'own', color: 'red', priority: 3 })
    expect(own.json().priority).toBe(3)
    expect((await client.put(`${url}/own`, { priority: null })).json().priority).toBe(null)
  })

  it('are told with those of subgroups and projects below, as far as these are seen', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const hidden = await world.newGroup({ parent: group, visibility: 'private' })
    const project = await world.newProject({ group, visibility: 'private' })
    const admin = world.as('admin')
    await admin.post(`/groups/${group.id}/labels`, { name: 'open', color: 'red' })
    await admin.post(`/groups/${hidden.id}/labels`, { name: 'below', color: 'red' })
    await admin.post(`/projects/${project.id}/labels`, { name: 'secret', color: 'red' })
    const url = `/groups/${group.id}/labels?include_descendant_groups=true&only_group_labels=false`
    expect(names((await admin.get(url)).json())).toEqual(['below', 'open', 'secret'])
    expect(names((await world.as('outsider').get(url)).json())).toEqual(['open'])
  })
})

describe('Promotion', () => {
  it('makes a group label of those of the same name in all projects of the group', async () => {
    const { group, project } = await newPlace('projects')
    const other = await world.newProject({ group })
    const client = world.as('reporter')
    for (const { id } of [project, other]) {
      await client.post(`/projects/${id}/labels`, { name: 'bug', color: 'red' })
      await client.post(`/projects/${id}/issues`, { title: 't', labels: 'bug' })
    }
    const url = `/projects/${project.id}/labels`
    const promoted = await client.put(`${url}/promote`, { name: 'bug' })
    expect([promoted.statusCode, promoted.json()]).toEqual([
      200,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#ff0000',
        description: null,
        description_html: null,
        text_color: '#FFFFFF',
        subscribed: false,
      },
    ])
    expect((await client.get(`${url}/bug`)).json().is_project_label).toBe(false)
    const [issue] = (await client.get(`/projects/${other.id}/issues?labels=bug`)).json()
    expect(issue.labels).toEqual(['bug'])
    expect(names((await client.get(`/groups/${group.id}/labels`)).json())).toEqual(['bug'])
    expect(await told(client.put(`${url}/bug/promote`))).toEqual([
      404,
      { message: '404 Label Not Found' },
    ])
  })

  it('takes in no label of another name or another group, and keeps priorities and subscribers', async () => {
    const { group, project } = await newPlace('projects')
    const [other, stranger] = [
      await world.newProject({ group }),
      (await newPlace('projects')).project,
    ]
    const client = world.as('reporter')
    const place = (one: { id: number }) => `/projects/${one.id}/labels`
    for (const one of [project, other, stranger]) {
      await client.post(place(one), { name: 'bug', color: 'red', priority: one.id })
    }
    await client.post(place(other), { name: 'kept', color: 'red', priority: 1 })
    await client.post(place(project), { name: 'kept', color: 'red' })
    await world.as('guest').post(`${place(other)}/bug/subscribe`)
    await world.as('guest').post(`${place(other)}/kept/subscribe`)
    const issue = `/projects/${other.id}/issues`
    await client.post(issue, { title: 't', labels: 'kept' })
    const boards = `/projects/${other.id}/boards`
    const board = `${boards}/${(await client.post(boards, { name: 'Plan' })).json().id}`
    for (const name of ['bug', 'kept']) {
      const label_id = (await client.get(`${place(other)}/${name}`)).json().id
      await client.post(`${board}/lists`, { label_id })
    }
    await client.put(`${place(project)}/bug/promote`)
    const label = async (of: { id: number }, name: string, who: Who = 'reporter') => {
      const { is_project_label, priority, subscribed } = (
        await world.as(who).get(`${place(of)}/${name}`)
      ).json()
      return [is_project_label, priority, subscribed]
    }
    expect(await label(project, 'bug')).toEqual([false, project.id, false])
    expect(await label(other, 'bug', 'guest')).toEqual([false, other.id, true])
    expect(await label(stranger, 'bug')).toEqual([true, stranger.id, false])
    expect(await label(other, 'kept', 'guest')).toEqual([true, 1, true])
    expect(await label(project, 'kept', 'guest')).toEqual([true, null, false])
    const lists = (await client.get(board)).json().lists
    expect(lists).toMatchObject([{ label: { name: 'bug' } }, { label: { name: 'kept' } }])
    const events = (await client.get(`${issue}/1/resource_label_events`)).json()
    expect(events).toMatchObject([{ label: { name: 'kept' } }])
  })

  it('is refused in a personal project', async () => {
    const { client } = await world.newUser()
    const { id } = (await client.post('/projects', { name: 'Own' })).json()
    await client.post(`/projects/${id}/labels`, { name: 'bug', color: 'red' })
    const answer = await client.put(`/projects/${id}/labels/bug/promote`)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: '400 Bad request - Failed to promote project label to group label' },
    ])
  })
})

describe('Naming a label that is not there', () => {
  it('makes it once, by however many at once, where one may manage labels', async () => {
    const { project } = await newPlace('projects')
    const url = `/projects/${project.id}/issues`
    const client = world.as('reporter')
    const made = await Promise.all(
      Array.from({ length: 20 }, () => client.post(url, { title: 't', labels: ['same'] })),
    )
    for (const { statusCode, json } of made) {
      expect([statusCode, json().labels]).toEqual([201, ['same']])
    }
    const labels = (await client.get(`/projects/${project.id}/labels`)).json()
    expect([names(labels), labels[0].color]).toEqual([['same'], '#6699cc'])
    const byGuest = await world.as('guest').post(url, { title: 't', labels: 'same,new' })
    expect(byGuest.json().labels).toEqual(['same'])
  })

  it('of two creations at once one is a conflict', async () => {
    const { url } = await newPlace('projects')
    const client = world.as('reporter')
    const made = await Promise.all(
      Array.from({ length: 10 }, () => client.post(url, { name: 'x', color: 'red' })),
    )
    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(409)])
  })
})

it('Labels of a project are there for those who have issues or merge requests in it', async () => {
  const project = await world.newProject({ group: world.groups.open })
  const url = `/projects/${project.id}/labels`
  const status = async (issues: string, requests: string) => {
    const settings = { issues_access_level: issues, merge_requests_access_level: requests }
    await world.as('owner').put(`/projects/${project.id}`, settings)
    const made = await world.as('owner').post(url, { name: `${issues} ${requests}`, color: 'red' })
    const read = async (who: Who) => (await world.as(who).get(url)).statusCode
    return [await read('outsider'), await read('guest'), await read('owner'), made.statusCode]
  }
  expect(await status('enabled', 'disabled')).toEqual([200, 200, 200, 201])
  expect(await status('disabled', 'enabled')).toEqual([200, 200, 200, 201])
  expect(await status('private', 'private')).toEqual([403, 200, 200, 201])
  expect(await status('disabled', 'disabled')).toEqual([403, 403, 403, 403])
})
