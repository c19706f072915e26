import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
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

/** A project of which somebody new is a Developer. */
async function newPlace() {
  const project = await world.newProject()
  const { user, client } = await world.newUser()
  const member = { user_id: user.id, access_level: 30 }
  await world.as('owner').post(`/projects/${project.id}/members`, member)
  return { project, user, client, url: `/projects/${project.id}/issues` }
}

describe('To-do items', () => {
  it('come from being assigned and named, one that waits for each thing', async () => {
    const { project, user, client, url } = await newPlace()
    const owner = world.as('owner')
    await owner.post(url, { title: 'one', assignee_id: user.id, description: `@${user.username}` })
    await owner.post(url, { title: 'two', description: `Ask @${user.username}.` })
    await owner.post(url, { title: 'three' })
    const note = await owner.post(`${url}/3/notes`, { body: `@${user.username}: look` })
    const list = (await client.get('/todos')).json()
    const shape = list.map((todo: { action_name: string; body: string }) => [
      todo.action_name,
      todo.body,
    ])
    expect(shape).toEqual([
      ['directly_addressed', `@${user.username}: look`],
      ['mentioned', 'two'],
      [expect.any(String), 'one'],
    ])
    const { subscribed: _, ...issue } = (await client.get(`${url}/3`)).json()
    const group = world.groups.shut
    expect(list[0]).toEqual({
      id: expect.any(Number),
      project: {
        id: project.id,
        description: null,
        name: project.name,
        name_with_namespace: `${group.name} / ${project.name}`,
        path: project.path,
        path_with_namespace: project.full_path,
        created_at: expect.any(String),
      },
      author: expect.objectContaining({ id: world.users.owner.id }),
      action_name: 'directly_addressed',
      target_type: 'Issue',
      target: { ...issue, references: { ...issue.references, relative: issue.references.full } },
      target_url: `${issue.web_url}#note_${note.json().id}`,
      body: `@${user.username}: look`,
      state: 'pending',
      created_at: world.app.clock.now().toISOString(),
      updated_at: world.app.clock.now().toISOString(),
    })
    await owner.post(`${url}/3/notes`, { body: `@${user.username} again` })
    expect((await client.get('/todos')).json()).toHaveLength(3)
    expect((await owner.get(`/todos?project_id=${project.id}`)).json()).toEqual([])
  })

  it('are filtered', async () => {
    const { project, user, client, url } = await newPlace()
    await world.as('owner').post(url, { title: 'one', assignee_id: user.id })
    const count = async (query: string) => (await client.get(`/todos?${query}`)).json().length
    const { owner, guest } = world.users
    for (const [query, number] of [
      ['action=assigned', 1],
      ['action=mentioned', 0],
      ['action=approval_required', 0],
      [`author_id=${owner.id}`, 1],
      [`author_id=${guest.id}`, 0],
      [`project_id=${project.id}`, 1],
      [`project_id=${world.projects.open.id}`, 0],
      [`group_id=${world.groups.shut.id}`, 1],
      [`group_id=${world.groups.open.id}`, 0],
      ['state=done', 0],
      ['type=Issue', 1],
      ['type=MergeRequest', 0],
      ['type=Epic', 0],
    ] as const) {
      expect([query, await count(query)]).toEqual([query, number])
    }
    for (const [query, field] of [
      ['action=done', 'action'],
      ['type=Task', 'type'],
      ['state=all', 'state'],
    ]) {
      expect(await told(client.get(`/todos?${query}`))).toEqual([
        400,
        { error: `${field} does not have a valid value` },
      ])
    }
  })

  it('are done one by one or all at once, by their user alone', async () => {
    const { client, url, project } = await newPlace()
    for (const title of ['one', 'two']) await world.as('owner').post(url, { title })
    const ofOther = await world.as('reporter').post(`${url}/2/todo`)
    expect(ofOther.statusCode).toBe(201)
    const made = await client.post(`${url}/1/todo`)
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      { action_name: 'marked', target: { title: 'one' }, state: 'pending', body: 'one' },
    ])
    expect(await told(client.post(`${url}/1/todo`))).toEqual([304, ''])
    await client.post(`${url}/2/todo`)
    const one = `/todos/${made.json().id}/mark_as_done`
    for (const who of ['owner', 'outsider'] as const) {
      expect(await told(world.as(who).post(one))).toEqual([404, { message: '404 Not found' }])
    }
    const done = await client.post(one)
    expect([done.statusCode, done.json().state]).toEqual([201, 'done'])
    expect((await client.post(one)).statusCode).toBe(201)
    expect((await client.get('/user_counts')).json()).toEqual({
      merge_requests: 0,
      assigned_issues: 0,
      assigned_merge_requests: 0,
      review_requested_merge_requests: 0,
      todos: 1,
      attention_requests: 0,
    })
    expect(await told(client.post('/todos/mark_as_done'))).toEqual([204, ''])
    expect((await client.get('/todos')).json()).toEqual([])
    expect((await client.get('/todos?state=done')).json()).toHaveLength(2)
    const left = await world.as('reporter').get(`/todos?project_id=${project.id}`)
    expect(left.json()).toMatchObject([{ id: ofOther.json().id, state: 'pending' }])
    for (const path of ['/todos', '/user_counts']) {
      expect((await world.as('anonymous').get(path)).statusCode).toBe(401)
    }
    expect((await world.as('anonymous').post(`${url}/1/todo`)).statusCode).toBe(401)
    expect((await world.as('outsider').post(`${url}/1/todo`)).statusCode).toBe(404)
  })

  it('are done by one’s own comment, award and closing', async () => {
    const { user, client, url } = await newPlace()
    const steps = [
      () => client.post(`${url}/1/notes`, { body: 'x' }),
      () => client.post(`${url}/2/award_emoji`, { name: 'tada' }),
      () => client.put(`${url}/3`, { state_event: 'close' }),
    ]
    for (const _ of steps) {
      await world.as('owner').post(url, { title: 't', assignee_id: user.id })
    }
    expect((await client.get('/user_counts')).json()).toMatchObject({
      assigned_issues: 3,
      todos: 3,
    })
    for (const [at, step] of steps.entries()) {
      await step()
      expect((await client.get('/todos')).json()).toHaveLength(2 - at)
    }
  })

  it('of what one no longer sees are neither told nor counted', async () => {
    const { project, user, client, url } = await newPlace()
    await world.as('owner').post(url, { title: 'one', assignee_id: user.id })
    await world.as('owner').delete(`/projects/${project.id}/members/${user.id}`)
    expect((await client.get('/todos')).json()).toEqual([])
    expect((await client.get('/user_counts')).json()).toMatchObject({
      assigned_issues: 0,
      todos: 0,
    })
  })

  it('of a request, an internal note or a confidential issue go with the right to read it', async () => {
    const options = { group: world.groups.open }
    const { project, url: requests } = await newBranches(world, { options })
    const hidden = await newBranches(world)
    const { user, client } = await world.newUser()
    const owner = world.as('owner')
    const at = (of: { id: number }) => `/projects/${of.id}`
    const body = `@${user.username}`
    for (const one of [project, hidden.project]) {
      await owner.post(`${at(one)}/members`, { user_id: user.id, access_level: 30 })
      await owner.post(`${at(one)}/issues`, { title: `open in ${one.id}` })
    }
    const hidden_request = await newRequest(world, hidden, { reviewer_ids: [user.id] })
    const request = await newRequest(world, { url: requests }, { reviewer_ids: [user.id] })
    await owner.post(`${at(project)}/issues`, { title: 't', description: body, confidential: true })
    await owner.post(`${at(project)}/issues/1/notes`, { body: `${body} within`, internal: true })
    await owner.post(`${at(hidden.project)}/issues/1/notes`, { body: `${body} open` })
    const told = async () =>
      (await client.get('/todos')).json().map((todo: { body: string }) => todo.body)
    const open = [`${body} open`, request.title, hidden_request.title]
    expect((await told()).toSorted()).toEqual([...open, 't', `${body} within`].toSorted())
    expect((await client.get('/user_counts')).json()).toMatchObject({
      review_requested_merge_requests: 2,
      todos: 5,
    })
    await owner.delete(`${at(project)}/members/${user.id}`)
    await owner.put(`${at(hidden.project)}/members/${user.id}`, { access_level: 10 })
    expect((await told()).toSorted()).toEqual([`${body} open`, request.title].toSorted())
    expect((await client.get('/user_counts')).json()).toMatchObject({
      review_requested_merge_requests: 1,
      todos: 2,
    })
    await owner.delete(at(hidden.project))
    await owner.delete(at(project))
    expect(await told()).toEqual([])
    expect((await client.get('/user_counts')).json()).toMatchObject({
      review_requested_merge_requests: 0,
      todos: 0,
    })
  })

  it('are one for each user and thing, and their end is kept', async () => {
    const { project, client, url } = await newPlace()
    const other = await world.newUser()
    const member = { user_id: other.user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    for (const title of ['one', 'two']) await world.as('owner').post(url, { title })
    const mark = async (by: typeof client, iid: number) => {
      const answer = await by.post(`${url}/${iid}/todo`)
      return answer.statusCode === 201 ? answer.json().target.title : answer.statusCode
    }
    expect(await mark(client, 1)).toBe('one')
    expect(await mark(client, 2)).toBe('two')
    expect(await mark(other.client, 1)).toBe('one')
    expect(await mark(client, 1)).toBe(304)
    const first = world.app.clock.now().toISOString()
    expect((await client.post('/todos/mark_as_done')).statusCode).toBe(204)
    expect((await other.client.get('/todos')).json()).toHaveLength(1)
    expect(await mark(client, 1)).toBe('one')
    world.app.clock.advance(60_000)
    await client.post('/todos/mark_as_done')
    const done = (await client.get('/todos?state=done')).json()
    expect(done.map((todo: { updated_at: string }) => todo.updated_at).toSorted()).toEqual([
      first,
      first,
      world.app.clock.now().toISOString(),
    ])
  })

  it('stand beside counts of what is open and assigned to one or for one to review', async () => {
    const { project, url: requests } = await newBranches(world)
    const { user, client } = await world.newUser()
    const { user: other } = await world.newUser()
    const owner = world.as('owner')
    for (const { id } of [user, other]) {
      const member = { user_id: id, access_level: 30 }
      await owner.post(`/projects/${project.id}/members`, member)
    }
    const issues = `/projects/${project.id}/issues`
    for (const title of ['one', 'two', 'closed']) {
      await owner.post(issues, { title, assignee_id: user.id })
    }
    await owner.post(issues, { title: 'of another one', assignee_id: other.id })
    await owner.put(`${issues}/3`, { state_event: 'close' })
    const fields = { assignee_id: user.id, reviewer_ids: [other.id] }
    const { iid } = await newRequest(world, { url: requests }, fields)
    const counts = async () => {
      const { assigned_issues, assigned_merge_requests, review_requested_merge_requests } = (
        await client.get('/user_counts')
      ).json()
      return [assigned_issues, assigned_merge_requests, review_requested_merge_requests]
    }
    expect(await counts()).toEqual([2, 1, 0])
    await owner.put(`${requests}/${iid}`, { assignee_id: other.id, reviewer_ids: [user.id] })
    expect(await counts()).toEqual([2, 0, 1])
    await owner.put(`${requests}/${iid}`, { state_event: 'close' })
    expect(await counts()).toEqual([2, 0, 0])
  })

  it('take as many queries whatever their number', async () => {
    const { user, client, url } = await newPlace()
    for (const title of ['a', 'b', 'c']) {
      await world.as('owner').post(url, { title, assignee_id: user.id, labels: 'x' })
    }
    const ask = (size: number) => world.app.count(() => client.get(`/todos?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })
})
