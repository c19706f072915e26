import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A group with a project, and where the milestones of the one or the other are. */
async function newPlace(kind: 'projects' | 'groups') {
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group, files: { a: 'a' } })
  const owner = kind === 'projects' ? project : group
  return { group, project, owner, url: `/${kind}/${owner.id}/milestones` }
}

const refused = (verb: string, fields: string) => ({
  message: `Failed to ${verb} milestone {${fields}}`,
})
const taken = ':title=>["already being used for another group or project milestone."]'

describe.each(['groups', 'projects'] as const)('Milestones of %s', (kind) => {
  it('are made, shown, changed, closed, opened and removed', async () => {
    const { owner, url } = await newPlace(kind)
    const client = world.as('developer')
    const made = await client.post(url, {
      title: 'foo & bar 1.1 -> 2.2',
      due_date: '2020-01-01T00:00:00Z',
    })
    const now = world.app.clock.now().toISOString()
    const place = kind === 'groups' ? `groups/${owner.full_path}` : owner.full_path
    const record = {
      id: expect.any(Number),
      iid: 1,
      [kind === 'groups' ? 'group_id' : 'project_id']: owner.id,
      title: 'foo & bar 1.1 -> 2.2',
      description: null,
      state: 'active',
      created_at: now,
      updated_at: now,
      due_date: '2020-01-01',
      start_date: null,
      expired: true,
      web_url: expect.stringMatching(new RegExp(`/${place}/-/milestones/1$`)),
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const one = `${url}/${made.json().id}`
    const shown = await world.as('guest').get(one)
    expect([shown.statusCode, shown.json()]).toEqual([200, record])
    const closed = await client.put(one, { state_event: 'close', title: '', due_date: '' })
    expect([closed.statusCode, closed.json()]).toEqual([
      200,
      { ...record, state: 'closed', due_date: null, expired: false },
    ])
    const again = await client.put(one, { state_event: 'close' })
    expect([again.statusCode, again.json().state]).toEqual([200, 'closed'])
    expect((await client.put(one, { state_event: 'activate' })).json().state).toBe('active')
    const gone = await client.delete(one)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    const missing = await client.get(one)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('tell their descriptions as HTML to who asks', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const made = (await client.post(url, { title: 'm', description: '*soon*' })).json()
    const one = `${url}/${made.id}`
    const description_html = '<p data-sourcepos="1:1-1:6" dir="auto"><em>soon</em></p>'
    const get = async (query: string) => (await client.get(`${one}${query}`)).json()
    expect(await get('?render_html=true')).toEqual({ ...made, description_html })
    expect(await get('')).toEqual(made)
  })

  it('are refused to who may not', async () => {
    const { url } = await newPlace(kind)
    const made = await world.as('developer').post(url, { title: 'one' })
    const one = `${url}/${made.json().id}`
    const statuses = async (who: Parameters<World['as']>[0]) => {
      const client = world.as(who)
      return [
        (await client.get(url)).statusCode,
        (await client.post(url, { title: 'two' })).statusCode,
        (await client.put(one, { title: 'two' })).statusCode,
        (await client.delete(one)).statusCode,
      ]
    }
    expect(await statuses('anonymous')).toEqual([401, 401, 401, 401])
    expect(await statuses('outsider')).toEqual([404, 404, 404, 404])
    expect(await statuses('reporter')).toEqual([200, 403, 403, 403])
  })

  it('answer bad input in their words, and change nothing', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const { id } = (await client.post(url, { title: 'one' })).json()
    const asked: [ReturnType<typeof client.post>, object][] = [
      [client.post(url, {}), { error: 'title is missing' }],
      [client.post(url, { title: ' ' }), refused('create', `:title=>["can't be blank"]`)],
      [client.post(url, { title: 'one' }), refused('create', taken)],
      [
        client.post(url, { title: 'two', start_date: '2026-01-02', due_date: '2026-01-02' }),
        refused('create', ':due_date=>["must be greater than start date"]'),
      ],
      [
        client.post(url, {
          title: 'two',
          start_date: '10000-01-01',
          due_date: '12345-01-01T00:00:00Z',
        }),
        refused(
          'create',
          ':start_date=>["date must not be after 9999-12-31"], :due_date=>["date must not be after 9999-12-31"]',
        ),
      ],
      [
        client.put(`${url}/${id}`, { due_date: '10000-01-01' }),
        refused('update', ':due_date=>["date must not be after 9999-12-31"]'),
      ],
      [
        client.put(`${url}/${id}`, {}),
        {
          error:
            'title, description, start_date, due_date, state_event are missing, at least one parameter must be provided',
        },
      ],
      [
        client.put(`${url}/${id}`, { state_event: 'open' }),
        { error: 'state_event does not have a valid value' },
      ],
      [client.get(`${url}?state=open`), { error: 'state does not have a valid value' }],
    ]
    for (const [request, body] of asked) {
      const answer = await request
      expect([answer.statusCode, answer.json()]).toEqual([400, body])
    }
    expect((await client.get(url)).json()).toHaveLength(1)
  })

  it('are listed by due date and filtered', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const dates = { late: '2030-02-01', none: undefined, soon: '2030-01-01', other: undefined }
    for (const [title, due_date] of Object.entries(dates)) {
      await client.post(url, { title, due_date, description: `About ${title}` })
    }
    const titles = async (query: string) =>
      (await client.get(`${url}?${query}`)).json().map(({ title }: { title: string }) => title)
    expect(await titles('')).toEqual(['soon', 'late', 'other', 'none'])
    expect(await titles('iids[]=1&iids[]=3')).toEqual(['soon', 'late'])
    expect(await titles('iids=2')).toEqual(['none'])
    expect(await titles('iids=2,2147483648')).toEqual(['none'])
    expect(await titles('title=Late')).toEqual([])
    expect(await titles('search=ABOUT%20S')).toEqual(['soon'])
    expect(await titles('state=closed')).toEqual([])
    const page = await client.get(`${url}?per_page=3&page=2`)
    expect([page.json().length, page.headers['x-total']]).toEqual([1, '4'])
    const { queries } = await world.app.count(() => client.get(url))
    const more = await world.app.count(() => client.get(`${url}?per_page=1`))
    expect(queries).toBe(more.queries)
  })
})

describe('Milestones', () => {
  it('are listed with those above and below that the caller sees', async () => {
    const top = await world.newGroup()
    const group = await world.newGroup({ parent: top })
    const below = await world.newGroup({ parent: group })
    const beside = await world.newGroup({ parent: top })
    const project = await world.newProject({ group })
    const { user, client } = await world.newUser()
    const admin = world.as('admin')
    await admin.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
    for (const [title, url] of Object.entries({
      above: `/groups/${top.id}`,
      beside: `/groups/${beside.id}`,
      below: `/groups/${below.id}`,
      own: `/groups/${group.id}`,
      'of the project': `/projects/${project.id}`,
    })) {
      expect((await admin.post(`${url}/milestones`, { title })).statusCode).toBe(201)
    }
    const titles = async (by: typeof client, query: string) =>
      (await by.get(query)).json().map(({ title }: { title: string }) => title)
    const ofGroup = `/groups/${group.id}/milestones`
    const all = `${ofGroup}?include_ancestors=true&include_descendants=true`
    expect(await titles(admin, ofGroup)).toEqual(['own'])
    expect(await titles(admin, all)).toEqual(['own', 'below', 'above'])
    expect(await titles(client, all)).toEqual(['own', 'above'])
    const ofProject = `/projects/${project.id}/milestones?include_ancestors=true`
    expect(await titles(admin, ofProject)).toEqual(['of the project', 'own', 'above'])
  })

  it('are found by state and time of their last change', async () => {
    const { url } = await newPlace('projects')
    const client = world.as('developer')
    for (const title of ['one', 'two']) await client.post(url, { title })
    const first = world.app.clock.now().toISOString()
    world.app.clock.advance(60_000)
    const [two] = (await client.get(url)).json()
    await client.put(`${url}/${two.id}`, { state_event: 'close' })
    const second = world.app.clock.now().toISOString()
    const titles = async (query: string) =>
      (await client.get(`${url}?${query}`)).json().map(({ title }: { title: string }) => title)
    expect(await titles('state=active')).toEqual(['one'])
    expect(await titles('state=closed')).toEqual(['two'])
    expect(await titles('search=TWO')).toEqual(['two'])
    expect(await titles(`updated_before=${first}`)).toEqual(['one'])
    expect(await titles(`updated_after=${second}`)).toEqual(['two'])
    expect(await titles(`updated_after=${first}&updated_before=${second}`)).toEqual(['two', 'one'])
  })

  it('are shown and given to issues by their own project and the groups above it', async () => {
    const top = await world.newMemberedGroup()
    const group = await world.newGroup({ parent: top })
    const [project, other] = [await world.newProject({ group }), await world.newProject({ group })]
    const beside = await world.newGroup({ parent: top })
    const admin = world.as('admin')
    const make = async (url: string, title: string) =>
      (await admin.post(`${url}/milestones`, { title })).json().id
    const ids = {
      above: await make(`/groups/${top.id}`, 'above'),
      own: await make(`/projects/${project.id}`, 'own'),
      other: await make(`/projects/${other.id}`, 'other'),
      beside: await make(`/groups/${beside.id}`, 'beside'),
    }
    const given = async (milestone_id: number) => {
      const fields = { title: 't', milestone_id }
      const made = (await admin.post(`/projects/${project.id}/issues`, fields)).json()
      return made.milestone?.title
    }
    expect(await given(ids.above)).toBe('above')
    expect(await given(ids.own)).toBe('own')
    expect(await given(ids.other)).toBeUndefined()
    expect(await given(ids.beside)).toBeUndefined()
    for (const url of [`/projects/${project.id}`, `/groups/${top.id}`]) {
      for (const id of [ids.other, ids.beside]) {
        expect((await admin.get(`${url}/milestones/${id}`)).statusCode).toBe(404)
      }
    }
  })
})

it('Events of milestones are for those who have issues or merge requests in the project', async () => {
  const project = await world.newProject({ group: world.groups.open })
  const url = `/projects/${project.id}`
  await world.as('developer').post(`${url}/milestones`, { title: 'm' })
  const seen = async (access: string) => {
    const settings = { issues_access_level: access, merge_requests_access_level: access }
    await world.as('owner').put(url, settings)
    const events = `${url}/events?target_type=milestone`
    const of = async (who: 'outsider' | 'guest') => (await world.as(who).get(events)).json().length
    return [await of('outsider'), await of('guest')]
  }
  expect(await seen('enabled')).toEqual([1, 1])
  expect(await seen('private')).toEqual([0, 1])
  expect(await seen('disabled')).toEqual([0, 0])
})

describe('A title', () => {
  it('may be used again in a group or project beside, and is kept by a change', async () => {
    const top = await world.newMemberedGroup()
    const [group, beside] = [
      await world.newGroup({ parent: top }),
      await world.newGroup({ parent: top }),
    ]
    const [project, other] = [await world.newProject({ group }), await world.newProject({ group })]
    const admin = world.as('admin')
    const status = async (of: string, title: string) =>
      (await admin.post(`${of}/milestones`, { title })).statusCode
    expect(await status(`/groups/${beside.id}`, 'x')).toBe(201)
    expect(await status(`/projects/${other.id}`, 'x')).toBe(201)
    expect(await status(`/projects/${project.id}`, 'x')).toBe(201)
    expect(await status(`/projects/${project.id}`, 'x')).toBe(400)
    for (const parent of [`/groups/${group.id}`, `/groups/${top.id}`]) {
      expect(await status(parent, 'x')).toBe(400)
    }
    expect(await status(`/groups/${beside.id}`, 'y')).toBe(201)
    expect(await status(`/groups/${top.id}`, 'y')).toBe(400)
    const [milestone] = (await admin.get(`/projects/${project.id}/milestones`)).json()
    const url = `/projects/${project.id}/milestones/${milestone.id}`
    expect((await admin.put(url, { title: 'x', description: 'd' })).statusCode).toBe(200)
  })

  it('is used once among a group and all its projects', async () => {
    const { group, project } = await newPlace('groups')
    const client = world.as('developer')
    expect((await client.post(`/groups/${group.id}/milestones`, { title: 'x' })).statusCode).toBe(
      201,
    )
    const again = await client.post(`/projects/${project.id}/milestones`, { title: 'x' })
    expect([again.statusCode, again.json()]).toEqual([400, refused('create', taken)])
    await client.post(`/projects/${project.id}/milestones`, { title: 'y' })
    const above = await client.post(`/groups/${group.id}/milestones`, { title: 'y' })
    expect([above.statusCode, above.json()]).toEqual([400, refused('create', taken)])
  })

  it('has no tags', async () => {
    const { url } = await newPlace('projects')
    const made = await world.as('developer').post(url, { title: ' <b>a</b> &amp; 1 < 2 ' })
    expect(made.json().title).toBe('a & 1 < 2')
  })
})

describe('Issues of a milestone', () => {
  it('are those of a group and of its own projects, by label priority', async () => {
    const { group, project } = await newPlace('groups')
    const inner = await world.newGroup({ parent: group })
    const below = await world.newProject({ group: inner })
    const client = world.as('owner')
    const { id } = (await client.post(`/groups/${group.id}/milestones`, { title: 'm' })).json()
    await client.post(`/projects/${project.id}/labels`, {
      name: 'first',
      color: 'red',
      priority: 0,
    })
    const issue = (at: { id: number }, fields: object) =>
      client.post(`/projects/${at.id}/issues`, { milestone_id: id, ...fields })
    await issue(project, { title: 'urgent', labels: 'first' })
    await issue(project, { title: 'plain' })
    await issue(project, { title: 'hidden', confidential: true })
    const inBelow = { title: 'below', milestone_id: id }
    const made = await world.as('admin').post(`/projects/${below.id}/issues`, inBelow)
    expect([made.statusCode, made.json().milestone.id]).toEqual([201, id])
    const titles = async (who: 'guest' | 'owner' | 'admin') =>
      (await world.as(who).get(`/groups/${group.id}/milestones/${id}/issues`))
        .json()
        .map(({ title }: { title: string }) => title)
    expect(await titles('owner')).toEqual(['urgent', 'hidden', 'plain'])
    expect(await titles('guest')).toEqual(['urgent', 'plain'])
    expect(await titles('admin')).toEqual(['urgent', 'hidden', 'plain'])
    const requests = await client.get(`/groups/${group.id}/milestones/${id}/merge_requests`)
    expect([requests.statusCode, requests.json()]).toEqual([200, []])
    const missing = await client.get(`/groups/${group.id}/milestones/999999/issues`)
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
    await client.delete(`/groups/${group.id}/milestones/${id}`)
    expect((await client.get(`/projects/${project.id}/issues/1`)).json().milestone).toBeNull()
  })

  it('burn down as they are made, closed and opened again', async () => {
    const { project, group } = await newPlace('groups')
    const client = world.as('owner')
    const url = `/groups/${group.id}/milestones`
    const bare = (await client.post(url, { title: 'bare' })).json()
    expect((await client.get(`${url}/${bare.id}/burndown_events`)).json()).toEqual([])
    const day = world.app.clock.now().toISOString().slice(0, 10)
    const dates = { start_date: '2020-01-01', due_date: day }
    const { id } = (await client.post(url, { title: 'm', ...dates })).json()
    const issues = `/projects/${project.id}/issues`
    await client.post(issues, { title: 'one', milestone_id: id, weight: 3 })
    await client.post(issues, { title: 'old', milestone_id: id, created_at: '2019-01-01' })
    await client.put(`${issues}/1`, { state_event: 'close' })
    await client.put(`${issues}/1`, { state_event: 'close' })
    await client.put(`${issues}/1`, { state_event: 'reopen' })
    const events = await client.get(`${url}/${id}/burndown_events`)
    const created_at = world.app.clock.now().toISOString()
    expect([events.statusCode, events.json()]).toEqual([
      200,
      ['created', 'closed', 'reopened'].map((action) => ({ created_at, weight: 3, action })),
    ])
    expect((await world.as('anonymous').get(`${url}/${id}/burndown_events`)).statusCode).toBe(401)
    world.app.clock.advance(2 * 24 * 60 * 60_000)
    await client.post(issues, { title: 'late', milestone_id: id, weight: 1 })
    await client.put(`${issues}/3`, { state_event: 'close' })
    await client.put(`${issues}/1`, { state_event: 'close' })
    expect((await client.get(`${url}/${id}/burndown_events`)).json()).toEqual(events.json())
    const later = world.app.clock.now().toISOString().slice(0, 10)
    await client.put(`${url}/${id}`, { start_date: later, due_date: '2099-01-01' })
    const actions = (await client.get(`${url}/${id}/burndown_events`)).json()
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      ...['created', 'closed', 'closed'],
    ])
  })
})

describe('Promotion', () => {
  it('takes a group to promote to', async () => {
    const { user, client } = await world.newUser()
    const project = (await client.post('/projects', { name: `p-${user.username}` })).json()
    const url = `/projects/${project.id}/milestones`
    const { id } = (await client.post(url, { title: 'Alone' })).json()
    const answer = await client.post(`${url}/${id}/promote`)
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    for (const none of ['2026-02-31', '0000-01-01']) {
      const dated = await client.put(`${url}/${id}`, { start_date: none, due_date: none })
      expect(dated.json()).toMatchObject({ start_date: null, due_date: null })
    }
  })

  it('makes one milestone of those of a name in all projects of a group', async () => {
    const { group, project } = await newPlace('groups')
    const other = await world.newProject({ group })
    const client = world.as('developer')
    const make = async (at: { id: number }) =>
      (await client.post(`/projects/${at.id}/milestones`, { title: 'same' })).json().id
    const stranger = (await newPlace('groups')).project
    const [id, second] = [await make(project), await make(other)]
    const third = await make(stranger)
    const elsewhere = await client.post(`/projects/${other.id}/milestones`, { title: 'another' })
    const milestone_id = elsewhere.json().id
    await client.post(`/projects/${other.id}/issues`, { title: 'i', milestone_id: second })
    await client.post(`/projects/${other.id}/issues`, { title: 'j', milestone_id })
    const boards = `/projects/${other.id}/boards`
    const board = `${boards}/${(await client.post(boards, { name: 'b' })).json().id}/lists`
    await client.post(board, { milestone_id: second })
    const url = `/projects/${project.id}/milestones/${id}/promote`
    expect((await world.as('reporter').post(url)).statusCode).toBe(403)
    const made = await client.post(url)
    expect([made.statusCode, made.json()]).toMatchObject([200, { group_id: group.id, iid: 1 }])
    const issue = await client.get(`/projects/${other.id}/issues/1`)
    expect(issue.json().milestone.id).toBe(made.json().id)
    expect((await client.get(board)).json()).toMatchObject([{ milestone: { id: made.json().id } }])
    const untouched = await client.get(`/projects/${other.id}/issues/2`)
    expect(untouched.json().milestone.title).toBe('another')
    expect((await client.get(`/projects/${project.id}/milestones`)).json()).toEqual([])
    expect((await client.get(`/projects/${other.id}/milestones`)).json()).toMatchObject([
      { title: 'another' },
    ])
    const apart = await client.get(`/projects/${stranger.id}/milestones/${third}`)
    expect(apart.json().project_id).toBe(stranger.id)
    const parents = `/projects/${project.id}/milestones?include_parent_milestones=true&title=same`
    expect((await client.get(parents)).json()).toHaveLength(1)
  })
})
