import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  // What the base tier has; weights and more are told of at the end.
  world = await newWorld(await startApp({ BLOOMERY_TIER: 'free' }))
})
afterAll(() => world.app.close())

type Answered = { statusCode: number; body: string; json: () => unknown }
const told = async (answer: Promise<Answered>) => {
  const { statusCode, body, json } = await answer
  return [statusCode, body === '' ? '' : json()]
}
const titles = (issues: { title: string }[]) => issues.map(({ title }) => title)

async function newPlace(options: Parameters<World['newProject']>[0] = {}) {
  const project = await world.newProject(options)
  return { project, url: `/projects/${project.id}/issues` }
}

const make = async (url: string, fields: object = {}, who: Who = 'reporter') =>
  (await world.as(who).post(url, { title: 'An issue', ...fields })).json()

const basicUser = (user: { id: number; username: string; name: string }) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: 'active',
  avatar_url: expect.anything(),
  web_url: expect.stringMatching(new RegExp(`/${user.username}$`)),
})

function recordOf(project: Project, issue: { id: number; iid: number }) {
  const now = world.app.clock.now().toISOString()
  const self = new RegExp(`/api/v4/projects/${project.id}/issues/${issue.iid}$`)
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: project.id,
    title: 'An issue',
    description: null,
    state: 'opened',
    created_at: now,
    updated_at: now,
    closed_at: null,
    closed_by: null,
    labels: [],
    milestone: null,
    assignees: [],
    author: expect.objectContaining({ username: world.users.reporter.username }),
    type: 'ISSUE',
    assignee: null,
    user_notes_count: 0,
    merge_requests_count: 0,
    upvotes: 0,
    downvotes: 0,
    due_date: null,
    confidential: false,
    discussion_locked: null,
    issue_type: 'issue',
    web_url: expect.stringMatching(new RegExp(`/${project.full_path}/-/issues/${issue.iid}$`)),
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    task_completion_status: { count: 0, completed_count: 0 },
    has_tasks: false,
    _links: {
      self: expect.stringMatching(self),
      notes: expect.stringMatching(/\/issues\/\d+\/notes$/),
      award_emoji: expect.stringMatching(/\/issues\/\d+\/award_emoji$/),
      project: expect.stringMatching(new RegExp(`/api/v4/projects/${project.id}$`)),
      closed_as_duplicate_of: null,
    },
    references: {
      short: `#${issue.iid}`,
      relative: `#${issue.iid}`,
      full: `${project.full_path}#${issue.iid}`,
    },
    severity: 'UNKNOWN',
    subscribed: true,
    moved_to_id: null,
    service_desk_reply_to: null,
  }
}

describe('An issue', () => {
  it('is made and shown with its whole record, and in lists without what is the caller’s', async () => {
    const { project, url } = await newPlace()
    const made = await world.as('reporter').post(url, { title: ' An issue ', id: 7 })
    const record = recordOf(project, made.json())
    expect([made.statusCode, made.json()]).toEqual([201, record])
    expect(made.json().iid).toBe(1)
    expect(made.json().author).toEqual({
      ...basicUser(world.users.reporter),
      avatar_url: made.json().author.avatar_url,
    })
    expect(await told(world.as('guest').get(`${url}/1`))).toEqual([
      200,
      { ...record, subscribed: false },
    ])
    const { subscribed: _, ...listed } = record
    expect(await told(world.as('guest').get(url))).toEqual([200, [listed]])
    const { relative } = (await world.as('guest').get(`/issues?scope=all`)).json()[0].references
    expect(relative).toBe(`${project.full_path}#1`)
    const inGroup = `/groups/${world.groups.shut.id}/issues`
    const [first] = (await world.as('guest').get(inGroup)).json()
    expect(first.references.relative).toBe(`${project.path}#1`)
  })

  it('takes everything at creation, its labels as text or list, unknown ones made', async () => {
    const { project, url } = await newPlace()
    const milestone = (
      await world.as('developer').post(`/projects/${project.id}/milestones`, { title: 'm' })
    ).json()
    const made = await world.as('reporter').post(url, {
      title: 't',
      description: 'Do\n- [ ] this\n- [x] that\n\n```\n- [ ] not this\n```',
      labels: 'b, a,,b',
      assignee_ids: `${world.users.developer.id},${world.users.owner.id}`,
      milestone_id: milestone.id,
      due_date: '2026-03-01',
      confidential: true,
      issue_type: 'incident',
    })
    expect(made.json()).toMatchObject({
      labels: ['a', 'b'],
      milestone: { id: milestone.id, title: 'm' },
      due_date: '2026-03-01',
      confidential: true,
      issue_type: 'incident',
      type: 'INCIDENT',
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      task_completion_status: { count: 2, completed_count: 1 },
    })
    expect(made.json().assignee.id).toBe(world.users.developer.id)
    const events = async (kind: string) =>
      (await world.as('guest').get(`${url}/1/resource_${kind}_events`)).statusCode
    expect(await events('label')).toBe(404)
  })

  it('is refused to who may not', async () => {
    const { url } = await newPlace()
    await make(url)
    const statuses = async (who: Who) => {
      const client = world.as(who)
      return [
        (await client.get(url)).statusCode,
        (await client.get(`${url}/1`)).statusCode,
        (await client.post(url, { title: 'x' })).statusCode,
        (await client.put(`${url}/1`, { title: 'y' })).statusCode,
        (await client.delete(`${url}/1`)).statusCode,
      ]
    }
    expect(await statuses('anonymous')).toEqual([404, 404, 401, 401, 401])
    expect(await statuses('outsider')).toEqual([404, 404, 404, 404, 404])
    expect(await statuses('guest')).toEqual([200, 200, 201, 403, 403])
    expect(await statuses('maintainer')).toEqual([200, 200, 201, 200, 403])
    expect(await told(world.as('owner').delete(`${url}/1`))).toEqual([204, ''])
    expect(await told(world.as('owner').delete(`${url}/1`))).toEqual([
      404,
      { message: '404 Issue Not Found' },
    ])
    for (const iid of ['1', '0', '-1', '2147483648', '9007199254740993']) {
      expect([iid, await told(world.as('owner').get(`${url}/${iid}`))]).toEqual([
        iid,
        [404, { message: '404 Not found' }],
      ])
    }
  })

  it('is made by everybody who is signed in where the project is public, and changed by its author', async () => {
    const { url } = await newPlace({ group: world.groups.open })
    const client = world.as('outsider')
    await world.as('reporter').post(`/projects/${url.split('/')[2]}/labels`, {
      name: 'known',
      color: 'red',
    })
    const made = await client.post(url, { title: 'From outside', labels: 'known,unknown' })
    expect([made.statusCode, made.json().labels]).toEqual([201, ['known']])
    const body = { title: 'Still', labels: '', due_date: '2026-01-01', state_event: 'close' }
    const changed = await client.put(`${url}/1`, body)
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      { title: 'Still', labels: ['known'], due_date: null, state: 'closed' },
    ])
    expect((await world.as('anonymous').get(`${url}/1`)).statusCode).toBe(200)
    await make(url)
    expect((await client.put(`${url}/2`, { title: 'Not mine' })).statusCode).toBe(403)
  })

  it('answers bad input in its words', async () => {
    const { url } = await newPlace()
    await make(url)
    const client = world.as('owner')
    const long = 'x'.repeat(1_048_577)
    const cases: [ReturnType<typeof client.post>, number, unknown][] = [
      [client.post(url, {}), 400, { error: 'title is missing' }],
      [client.post(url, { title: ' ' }), 400, { message: { title: ["can't be blank"] } }],
      [
        client.post(url, { title: 'x'.repeat(256) }),
        400,
        { message: { title: ['is too long (maximum is 255 characters)'] } },
      ],
      [
        client.post(url, { title: 't', description: long }),
        400,
        { error: 'description is invalid' },
      ],
      [client.post(url, { title: 't', iid: 1 }), 409, { message: 'Duplicated issue' }],
      [
        client.post(url, { title: 't', iid: 1_000_000_001 }),
        400,
        { error: 'iid does not have a valid value' },
      ],
      [
        client.put(`${url}/1`, { state_event: 'shut' }),
        400,
        { error: 'state_event does not have a valid value' },
      ],
      [
        client.put(`${url}/1`, {}),
        400,
        {
          error:
            'assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title are missing, at least one parameter must be provided',
        },
      ],
      [client.put(`${url}/1`, { title: '' }), 400, { message: { title: ["can't be blank"] } }],
      [
        client.get(`${url}?assignee_id=me`),
        400,
        { error: "assignee_id should be an integer, 'None' or 'Any'" },
      ],
      [
        client.get(`${url}?author_id=1&author_username=a`),
        400,
        { error: 'author_id, author_username are mutually exclusive' },
      ],
      [client.get(`${url}?state=open`), 400, { error: 'state does not have a valid value' }],
    ]
    for (const [request, status, body] of cases) {
      expect(await told(request)).toEqual([status, body])
    }
    expect((await client.get(url)).json()).toHaveLength(1)
  })

  it('takes a number and times from Owners alone', async () => {
    const { url } = await newPlace()
    const past = '2020-02-03T04:05:06.000Z'
    const fields = { title: 't', iid: 40, created_at: past }
    expect((await world.as('maintainer').post(url, fields)).json().iid).toBe(1)
    const owned = (await world.as('owner').post(url, fields)).json()
    expect([owned.iid, owned.created_at, owned.updated_at]).toEqual([40, past, past])
    expect((await make(url)).iid).toBe(41)
    const put = (who: Who) => world.as(who).put(`${url}/40`, { title: 'u', updated_at: past })
    expect((await put('owner')).json().updated_at).toBe(past)
    expect((await world.as('maintainer').put(`${url}/40`, { title: 'v' })).json().updated_at).toBe(
      world.app.clock.now().toISOString(),
    )
  })

  it('stays as it is where a title of null comes with a state', async () => {
    const { url } = await newPlace()
    await make(url, { title: 'Kept' })
    const client = world.as('reporter')
    for (const title of [null, '']) {
      const answer = await client.put(`${url}/1`, { title, state_event: 'close' })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: { title: ["can't be blank"] } },
      ])
    }
    expect((await client.get(`${url}/1`)).json()).toMatchObject({ title: 'Kept', state: 'opened' })
  })

  it('is changed field by field, and clears what is set to nothing', async () => {
    const { project, url } = await newPlace()
    const client = world.as('reporter')
    await make(url, { description: 'd', labels: 'a,b', due_date: '2026-01-01' })
    await make(url, { labels: 'a' })
    const put = async (body: object) => (await client.put(`${url}/1`, body)).json()
    expect((await put({ add_labels: 'c', remove_labels: ['a'] })).labels).toEqual(['b', 'c'])
    expect((await put({ labels: ['x'], add_labels: 'y' })).labels).toEqual(['x', 'y'])
    expect((await put({ labels: '' })).labels).toEqual([])
    expect((await put({ due_date: '' })).due_date).toBe(null)
    expect((await put({ due_date: 'soon' })).due_date).toBe(null)
    for (const none of ['2026-02-31', '0000-01-01', '2026-13-01']) {
      await put({ due_date: '2026-01-01' })
      expect((await put({ due_date: none })).due_date).toBe(null)
    }
    expect((await put({ due_date: ' 2026-01-02T00:00:00Z' })).due_date).toBe('2026-01-02')
    expect((await put({ labels: ['a', 'b, c'] })).labels).toEqual(['a', 'b', 'c'])
    expect((await put({ add_labels: ['d,e'] })).labels).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect((await put({ remove_labels: ['b,d', 'e'] })).labels).toEqual(['a', 'c'])
    expect((await make(url, { labels: ['f,g'] })).labels).toEqual(['f', 'g'])
    const many = await client.put(`${url}/1`, { labels: [','.repeat(10_001)] })
    expect([many.statusCode, many.json()]).toEqual([400, { error: 'labels is invalid' }])
    const found = await client.get(`${url}?labels[]=a,c`)
    expect(found.json()).toMatchObject([{ iid: 1 }])
    expect((await client.get(`${url}?labels[]=a,f`)).json()).toEqual([])
    expect((await client.get(`${url}/2`)).json().labels).toEqual(['a'])
    expect((await put({ description: null })).description).toBe(null)
    const path = `/projects/${project.id}/milestones`
    const { id } = (await world.as('developer').post(path, { title: 'm' })).json()
    expect((await put({ milestone_id: id })).milestone.id).toBe(id)
    expect((await put({ milestone_id: 0 })).milestone).toBe(null)
    await put({ milestone_id: id })
    expect((await put({ milestone_id: 999999 })).milestone).toBe(null)
    await put({ milestone_id: id })
    expect((await put({ milestone_id: '' })).milestone).toBe(null)
    expect((await put({ discussion_locked: true })).discussion_locked).toBe(true)
    expect((await put({ confidential: true })).confidential).toBe(true)
  })

  it('has one assignee on the base tier; unknown ones and who cannot see it are left out', async () => {
    const { project, url } = await newPlace()
    await make(url)
    const { developer, owner, outsider } = world.users
    await make(url, { assignee_id: owner.id })
    const put = async (body: object) =>
      (await world.as('reporter').put(`${url}/1`, body))
        .json()
        .assignees.map(({ id }: { id: number }) => id)
    expect(await put({ assignee_ids: [developer.id, owner.id] })).toEqual([developer.id])
    expect(await put({ assignee_ids: [outsider.id] })).toEqual([developer.id])
    expect(await put({ assignee_ids: [999999] })).toEqual([developer.id])
    for (const none of [[], [0], '', '0']) {
      await put({ assignee_id: owner.id })
      expect(await put({ assignee_ids: none })).toEqual([])
    }
    await put({ assignee_id: owner.id })
    expect(await put({ assignee_id: 0 })).toEqual([])
    await put({ assignee_id: owner.id })
    expect(await put({ assignee_id: '' })).toEqual([])
    const { user } = await world.newUser()
    const join = (to: { id: number }, access_level: number) =>
      world.as('owner').post(`/projects/${to.id}/members`, { user_id: user.id, access_level })
    await join((await newPlace()).project, 30)
    expect(await put({ assignee_id: user.id })).toEqual([])
    await join(project, 10)
    await put({ confidential: true })
    expect(await put({ assignee_id: user.id })).toEqual([])
    await put({ confidential: false })
    expect(await put({ assignee_id: user.id })).toEqual([user.id])
    await put({ assignee_id: 0 })
    await world.as('admin').post(`/users/${user.id}/block`)
    expect(await put({ assignee_id: user.id })).toEqual([])
    const other = (await world.as('reporter').get(`${url}/2`)).json()
    expect(other.assignee.id).toBe(owner.id)
  })

  it('is closed and opened again, once each, and counted', async () => {
    const { project, url } = await newPlace()
    await make(url)
    await make(url, { confidential: true })
    const count = async (who: Who) =>
      (await world.as(who).get(`/projects/${project.id}`)).json().open_issues_count
    expect([await count('guest'), await count('reporter')]).toEqual([1, 2])
    const put = async (state_event: string) =>
      (await world.as('reporter').put(`${url}/1`, { state_event })).json()
    const closed = await put('close')
    expect(closed).toMatchObject({
      state: 'closed',
      closed_at: world.app.clock.now().toISOString(),
      closed_by: { id: world.users.reporter.id },
    })
    expect((await put('close')).state).toBe('closed')
    expect([await count('guest'), await count('reporter')]).toEqual([0, 1])
    expect(await put('reopen')).toMatchObject({ state: 'opened', closed_at: null, closed_by: null })
    expect(await count('guest')).toBe(1)
    const events = (await world.as('guest').get(`${url}/1/resource_state_events`)).json()
    expect(events.map(({ state }: { state: string }) => state)).toEqual(['closed', 'reopened'])
    await world.as('owner').delete(`${url}/1`)
    expect([await count('guest'), await count('reporter')]).toEqual([0, 1])
  })

  it('of fifty made at once has the numbers from 1 to 50', async () => {
    const { url } = await newPlace()
    const made = await Promise.all(Array.from({ length: 50 }, () => make(url)))
    const numbers = made.map(({ iid }) => iid).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  })

  it('stays as it is in an archived project', async () => {
    const { project, url } = await newPlace()
    await make(url)
    await world.as('owner').post(`/projects/${project.id}/archive`)
    for (const answer of [
      await world.as('owner').post(url, { title: 'x' }),
      await world.as('owner').put(`${url}/1`, { title: 'x' }),
      await world.as('owner').delete(`${url}/1`),
      await world.as('owner').post(`${url}/1/notes`, { body: 'x' }),
      await world.as('owner').post(`${url}/1/time_estimate`, { duration: '1h' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    expect((await world.as('guest').get(`${url}/1`)).statusCode).toBe(200)
  })

  it('is not there where issues are switched off', async () => {
    const { project, url } = await newPlace({ group: world.groups.open })
    await make(url)
    const everywhere = `/issues?scope=all&in=title&search=Sw${project.id}`
    await world.as('reporter').put(`${url}/1`, { title: `Sw${project.id}` })
    const set = (issues_access_level: string) =>
      world.as('owner').put(`/projects/${project.id}`, { issues_access_level })
    const seen = async (who: Who) => [
      (await world.as(who).get(`${url}/1`)).statusCode,
      (await world.as(who).get(everywhere)).json().length,
    ]
    expect([await seen('outsider'), await seen('admin')]).toEqual([
      [200, 1],
      [200, 1],
    ])
    await set('private')
    expect([await seen('outsider'), await seen('guest'), await seen('admin')]).toEqual([
      [404, 0],
      [200, 1],
      [200, 1],
    ])
    await set('disabled')
    expect([await seen('owner'), await seen('admin')]).toEqual([
      [404, 0],
      [404, 0],
    ])
    const client = world.as('owner')
    expect(await told(client.get(url))).toEqual([200, []])
    expect((await client.post(url, { title: 'x' })).statusCode).toBe(403)
    expect((await client.get(`${url}/1`)).statusCode).toBe(404)
    const counts = await client.get(`/projects/${project.id}/issues_statistics`)
    expect(counts.json().statistics.counts).toEqual({ all: 0, closed: 0, opened: 0 })
  })
})

describe('A confidential issue', () => {
  it('is told to nobody below Reporter but its author and its assignees, wherever it could be', async () => {
    const { project, url } = await newPlace({ group: world.groups.open })
    const client = world.as('reporter')
    await client.post(`/projects/${project.id}/labels`, { name: 'l', color: 'red' })
    const { guest: named, outsider } = world.users
    const open = await make(url, { title: 'Open', assignee_id: outsider.id })
    const hidden = await make(url, {
      title: 'Hidden',
      description: `See #${open.iid}, @${named.username} and @${outsider.username}`,
      labels: 'l',
      confidential: true,
    })
    await client.post(`${url}/1/links`, {
      target_project_id: project.id,
      target_issue_iid: hidden.iid,
    })
    await client.post(`${url}/2/notes`, { body: `Hear, @${world.users.guest.username}` })
    for (const who of ['guest', 'outsider', 'anonymous'] as const) {
      const one = world.as(who)
      expect(await told(one.get(`${url}/2`))).toEqual([404, { message: '404 Not found' }])
      const put = await one.put(`${url}/2`, { title: 'x' })
      expect(put.statusCode).toBe(who === 'anonymous' ? 401 : 403)
      for (const verb of ['subscribe', 'unsubscribe']) {
        const absent = { message: who === 'anonymous' ? '401 Unauthorized' : '404 Not found' }
        const asked = one.post(`${url}/2/${verb}`)
        expect(await told(asked)).toEqual([who === 'anonymous' ? 401 : 404, absent])
      }
      expect(titles((await one.get(url)).json())).toEqual(['Open'])
      expect((await one.get(`${url}?search=Hidden`)).json()).toEqual([])
      expect(
        (await one.get(`/groups/${world.groups.open.id}/issues?search=Hidden`)).json(),
      ).toEqual([])
      expect((await one.get('/issues?scope=all&search=Hidden')).json()).toEqual([])
      const counts = await one.get(`/projects/${project.id}/issues_statistics`)
      expect(counts.json().statistics.counts.all).toBe(1)
      const concerned = (await one.get(`${url}/1/participants`)).json()
      expect(concerned.map(({ id }: { id: number }) => id).toSorted()).toEqual(
        [world.users.reporter.id, outsider.id].toSorted(),
      )
      const happened = (await one.get(`/projects/${project.id}/events`)).json()
      expect(JSON.stringify(happened)).not.toContain('Hidden')
      expect(JSON.stringify(happened)).not.toContain('Hear')
    }
    const guest = world.as('guest')
    expect((await guest.get(`${url}/1/links`)).json()).toEqual([])
    const ofOpen = (await guest.get(`${url}/1/notes`)).json()
    expect(ofOpen.map(({ body }: { body: string }) => body)).toEqual([
      `assigned to @${outsider.username}`,
    ])
    expect((await client.get(`${url}/1/notes`)).json()).toHaveLength(3)
    expect((await guest.get('/todos')).json()).toEqual([])
    const given = await world.as('outsider').get(`/todos?project_id=${project.id}`)
    const [todo, ...more] = given.json()
    expect([todo.target.title, more]).toEqual(['Open', []])
    const labels = await guest.get(`/projects/${project.id}/labels?with_counts=true`)
    expect(labels.json()[0].open_issues_count).toBe(0)
    await guest.post(`${url}/1/notes`, { body: 'Like #2' })
    const toldThere = JSON.stringify((await client.get(`${url}/2/notes`)).json())
    expect(toldThere).not.toContain('mentioned in issue #1')
  })

  it('is one its author goes on seeing, who is assigned and named there', async () => {
    const { url } = await newPlace({ group: world.groups.open })
    const { client, user } = await world.newUser()
    const made = await client.post(url, { title: 'Mine', confidential: true })
    expect(made.statusCode).toBe(201)
    expect(titles((await client.get(url)).json())).toEqual(['Mine'])
    await world.as('reporter').post(`${url}/1/notes`, { body: `@${user.username} look` })
    const [todo] = (await client.get('/todos')).json()
    expect([todo.action_name, todo.body]).toEqual(['directly_addressed', `@${user.username} look`])
    // Whom a note has named is not told again by the description.
    await client.post('/todos/mark_as_done')
    await world.as('reporter').put(`${url}/1`, { description: `For @${user.username}` })
    expect((await client.get('/todos')).json()).toEqual([])
    const assigned = await world.as('reporter').put(`${url}/1`, { assignee_id: user.id })
    expect(assigned.json().assignee.id).toBe(user.id)
    expect((await client.put(`${url}/1`, { state_event: 'close' })).json().state).toBe('closed')
    await make(url, { title: 'Given', assignee_id: user.id })
    await world.as('reporter').put(`${url}/2`, { confidential: true })
    await make(url, { title: 'Hidden', confidential: true })
    expect(titles((await client.get(url)).json())).toEqual(['Given', 'Mine'])
    expect((await client.get(`${url}/2`)).json().title).toBe('Given')
    expect((await client.get(`${url}/3`)).statusCode).toBe(404)
    expect((await client.put(`${url}/2`, { title: 'Done' })).json().title).toBe('Done')
  })
})

describe('Lists of issues', () => {
  it('are filtered', async () => {
    const { project, url } = await newPlace()
    const client = world.as('reporter')
    const milestones = `/projects/${project.id}/milestones`
    const dev = world.as('developer')
    const past = (await dev.post(milestones, { title: 'past', start_date: '2020-01-01' })).json()
    const next = (await dev.post(milestones, { title: 'next', due_date: '2040-01-01' })).json()
    const { owner, guest } = world.users
    await make(url, { title: 'One apple', description: 'pear', labels: 'x,y' })
    world.app.clock.advance(1000)
    await make(url, { title: 'Two', labels: 'x', milestone_id: past.id, assignee_id: owner.id })
    world.app.clock.advance(1000)
    await make(url, { title: 'Three', milestone_id: next.id, due_date: '2000-01-01' }, 'guest')
    await client.put(`${url}/1`, { state_event: 'close' })
    await world.as('guest').post(`${url}/2/award_emoji`, { name: 'thumbsup' })
    const list = async (query: string, who: Who = 'reporter') =>
      titles((await world.as(who).get(`${url}?${query}`)).json())
    const cases: [string, string[]][] = [
      ['', ['Three', 'Two', 'One apple']],
      ['sort=asc', ['One apple', 'Two', 'Three']],
      ['state=opened', ['Three', 'Two']],
      ['state=closed', ['One apple']],
      ['labels=x', ['Two', 'One apple']],
      ['labels=x,y', ['One apple']],
      ['labels[]=x&labels[]=y', ['One apple']],
      ['labels=X', []],
      ['labels=none', ['Three']],
      ['labels=Any', ['Two', 'One apple']],
      ['milestone=past', ['Two']],
      ['milestone=None', ['One apple']],
      ['milestone=any', ['Three', 'Two']],
      ['milestone=Started', ['Two']],
      ['milestone=Upcoming', ['Three']],
      [`assignee_id=${owner.id}`, ['Two']],
      ['assignee_id=None', ['Three', 'One apple']],
      ['assignee_id=0', ['Three', 'One apple']],
      ['assignee_id=Any', ['Two']],
      [`assignee_username=${owner.username}`, ['Two']],
      [`author_id=${guest.id}`, ['Three']],
      [`author_username=${guest.username}`, ['Three']],
      ['scope=created_by_me', ['Two', 'One apple']],
      ['scope=assigned-to-me', []],
      ['search=APPLE%20pear', ['One apple']],
      ['search=pear&in=title', []],
      ['search=pear&in=title,description', ['One apple']],
      ['iids[]=1&iids[]=3', ['Three', 'One apple']],
      ['iids[]=1&iids[]=2147483648', ['One apple']],
      ['due_date=overdue', ['Three']],
      ['due_date=0', ['Two', 'One apple']],
      ['due_date=any', ['Three']],
      ['confidential=true', []],
      ['issue_type=incident', []],
      ['created_after=2100-01-01', []],
      ['updated_before=2100-01-01&per_page=1', ['Three']],
      ['not[labels]=y', ['Three', 'Two']],
      ['not[labels]=x,y', ['Three']],
      ['not[milestone]=past', ['Three', 'One apple']],
      [`not[milestone_ids][]=${past.id}`, ['Three', 'One apple']],
      [`not[author_id]=${guest.id}`, ['Two', 'One apple']],
      [`not[assignee_username][]=${owner.username}`, ['Three', 'One apple']],
      ['not[iids][]=1', ['Three', 'Two']],
      ['not[iids][]=1&not[iids][]=2147483648', ['Three', 'Two']],
      ['order_by=due_date', ['Three', 'Two', 'One apple']],
      ['order_by=milestone_due&sort=asc', ['Three', 'Two', 'One apple']],
      ['order_by=popularity', ['Two', 'Three', 'One apple']],
      ['order_by=title&sort=asc', ['One apple', 'Three', 'Two']],
      ['order_by=priority', ['Three', 'Two', 'One apple']],
    ]
    for (const [query, expected] of cases) {
      expect([query, await list(query)]).toEqual([query, expected])
    }
    expect(await list('my_reaction_emoji=thumbsup', 'guest')).toEqual(['Two'])
    const said = (await world.as('guest').post(`${url}/1/notes`, { body: 'Hm' })).json()
    await world.as('guest').post(`${url}/1/notes/${said.id}/award_emoji`, { name: 'heart' })
    expect(await list('my_reaction_emoji=None', 'guest')).toEqual(['Three', 'One apple'])
    expect(await list('my_reaction_emoji=tada', 'guest')).toEqual([])
    expect(await list('my_reaction_emoji=thumbsup')).toEqual([])
    const detailed = (await client.get(`${url}?with_labels_details=true&iids[]=2`)).json()[0]
    expect(detailed.labels[0]).toEqual({
      id: expect.any(Number),
      name: 'x',
      color: '#6699cc',
      description: null,
      description_html: null,
      text_color: '#FFFFFF',
    })
    const alone = (await client.get(`${url}/2?with_labels_details=true`)).json()
    expect(alone.labels).toEqual(detailed.labels)
    expect((await client.get(`${url}/2`)).json().labels[0]).toBe('x')
    const counts = await client.get(`/projects/${project.id}/issues_statistics?labels=x`)
    expect(counts.json()).toEqual({ statistics: { counts: { all: 2, closed: 1, opened: 1 } } })

    for (const { id } of [past, next])
      await dev.put(`${milestones}/${id}`, { state_event: 'close' })
    expect(await list('milestone=Started')).toEqual([])
    expect(await list('milestone=Upcoming')).toEqual([])
    await client.put(`${url}/3`, { assignee_id: world.users.developer.id })
    expect(await list(`assignee_username=${owner.username}`)).toEqual(['Two'])
    expect(await list(`assignee_id=${owner.id}`)).toEqual(['Two'])
    const day = (offset: number) =>
      new Date(world.app.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)
    await client.put(`${url}/1`, { due_date: day(0) })
    await client.put(`${url}/2`, { due_date: day(1) })
    expect(await list('due_date=today')).toEqual(['One apple'])
    expect(await list('due_date=tomorrow')).toEqual(['Two'])
    // What the group has serves in its projects, and its own list finds them by it.
    const name = `of the group ${project.id}`
    const group = `/groups/${world.groups.shut.id}`
    await client.post(`${group}/labels`, { name, color: 'red' })
    const { id } = (await dev.post(`${group}/milestones`, { title: name })).json()
    await client.put(`${url}/1`, { add_labels: name, milestone_id: id })
    expect(await list(`labels=${name}`)).toEqual(['One apple'])
    expect(await list(`milestone=${name}`)).toEqual(['One apple'])
    const below = async (at: string) =>
      titles((await client.get(`${at}/issues?labels=${name}`)).json())
    expect(await below(group)).toEqual(['One apple'])
    expect(await below(`/groups/${world.groups.open.id}`)).toEqual([])
  })

  it('of everywhere are one’s own unless a scope says otherwise', async () => {
    const { project, url } = await newPlace()
    const { client, user } = await world.newUser()
    await world.as('owner').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 30,
    })
    await client.post(url, { title: 'Mine' })
    await make(url, { title: 'Theirs', assignee_id: user.id })
    expect(titles((await client.get('/issues')).json())).toEqual(['Mine'])
    expect(titles((await client.get('/issues?scope=all')).json())).toEqual(
      expect.arrayContaining(['Mine', 'Theirs']),
    )
    expect(titles((await client.get('/issues?scope=assigned_to_me')).json())).toEqual(['Theirs'])
    const counts = (await client.get('/issues_statistics')).json().statistics.counts
    expect(counts).toEqual({ all: 1, closed: 0, opened: 1 })
    expect(await told(world.as('anonymous').get('/issues'))).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
    expect((await world.as('anonymous').get('/issues?scope=all')).statusCode).toBe(200)
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await client.get('/issues')).json()).toEqual([])
    expect(titles((await client.get('/issues?non_archived=false')).json())).toEqual(['Mine'])
    await world.as('owner').delete(`/projects/${project.id}`)
    expect((await client.get('/issues?non_archived=false')).json()).toEqual([])
  })

  it('take as many queries whatever is in them', async () => {
    const { url } = await newPlace()
    for (let at = 0; at < 3; at++)
      await make(url, { labels: 'a,b', assignee_id: world.users.owner.id })
    const ask = (size: number) =>
      world.app.count(() => world.as('guest').get(`${url}?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })

  it('by the id of the instance are for administrators', async () => {
    const { url } = await newPlace()
    const { id, iid } = await make(url)
    expect((await world.as('admin').get(`/issues/${id}`)).json()).toMatchObject({ id, iid })
    expect((await world.as('owner').get(`/issues/${id}`)).statusCode).toBe(403)
    expect((await world.as('anonymous').get(`/issues/${id}`)).statusCode).toBe(401)
    expect(await told(world.as('admin').get('/issues/999999'))).toEqual([
      404,
      { message: '404 Not found' },
    ])
  })
})

describe('Moving an issue', () => {
  it('makes it anew with all it has, and closes the old one', async () => {
    const { project, url } = await newPlace()
    const target = await newPlace()
    await world.as('reporter').post(`/projects/${target.project.id}/labels`, {
      name: 'kept',
      color: 'red',
    })
    const fields = { description: 'd', labels: 'kept,lost', assignee_id: world.users.owner.id }
    await make(url, fields, 'reporter')
    await world.as('reporter').post(`/projects/${target.project.id}/labels`, {
      name: 'other',
      color: 'red',
    })
    await make(url, { description: 'See #1', labels: 'other' })
    await world.commit(project, { a: 'a' }, { message: 'See #1' })
    await world.app.worker.drain()
    await world.as('guest').post(`${url}/1/notes`, { body: 'said' })
    await world.as('guest').post(`${url}/1/award_emoji`, { name: 'thumbsup' })
    const moved = await world
      .as('developer')
      .post(`${url}/1/move`, { to_project_id: target.project.id })
    expect([moved.statusCode, moved.json()]).toMatchObject([
      201,
      {
        iid: 1,
        project_id: target.project.id,
        description: 'd',
        labels: ['kept'],
        author: { id: world.users.reporter.id },
        assignee: { id: world.users.owner.id },
        user_notes_count: 1,
        upvotes: 1,
      },
    ])
    const old = (await world.as('guest').get(`${url}/1`)).json()
    expect([old.state, old.moved_to_id]).toEqual(['closed', moved.json().id])
    const notes = async (at: string) =>
      (await world.as('guest').get(`${at}/1/notes`))
        .json()
        .map(({ body }: { body: string }) => body)
    expect(await notes(url)).toContain(`moved to ${target.project.full_path}#1`)
    expect(await notes(target.url)).toEqual(
      expect.arrayContaining(['said', `moved from ${project.full_path}#1`]),
    )
    expect((await notes(url)).filter((body: string) => body.startsWith('mentioned'))).toHaveLength(
      2,
    )
    expect((await notes(target.url)).join()).not.toContain('mentioned')
    const bad = (to_project_id: number, who: Who = 'developer') =>
      told(world.as(who).post(`${url}/1/move`, { to_project_id }))
    expect(await bad(project.id)).toEqual([
      400,
      { message: 'Cannot move issue to project it originates from!' },
    ])
    const refused = { message: 'Cannot move issue due to insufficient permissions!' }
    expect(await bad(target.project.id)).toEqual([400, refused])
    await make(url)
    const asGuest = world.as('guest').post(`${url}/2/move`, { to_project_id: target.project.id })
    expect(await told(asGuest)).toEqual([400, refused])
    expect(await bad(999999)).toEqual([404, { message: '404 Project Not Found' }])
    const unknown = world.as('guest').post(`${url}/99/move`, { to_project_id: target.project.id })
    expect(await told(unknown)).toEqual([404, { message: '404 Issue Not Found' }])
  })

  it('is not told to who does not see where it went', async () => {
    const open = await newPlace({ group: world.groups.open })
    const shut = await newPlace()
    await make(open.url)
    await world.as('developer').post(`${open.url}/1/move`, { to_project_id: shut.project.id })
    const texts = JSON.stringify((await world.as('outsider').get(`${open.url}/1/notes`)).json())
    expect(texts).not.toContain(shut.project.path)
  })

  it('as a copy leaves it, with notes if they are asked for', async () => {
    const { project, url } = await newPlace()
    await make(url)
    await world.as('guest').post(`${url}/1/notes`, { body: 'said' })
    const copy = (body: object) => world.as('developer').post(`${url}/1/clone`, body)
    const plain = await copy({ to_project_id: project.id })
    expect([plain.statusCode, plain.json()]).toMatchObject([
      201,
      { iid: 2, user_notes_count: 0, author: { id: world.users.developer.id } },
    ])
    const whole = await copy({ to_project_id: project.id, with_notes: true })
    expect(whole.json().user_notes_count).toBe(1)
    expect((await world.as('guest').get(`${url}/1`)).json().state).toBe('opened')
  })
})

describe('Putting an issue between others', () => {
  it('orders lists by hand', async () => {
    const { url } = await newPlace()
    const ids: number[] = []
    for (const title of ['a', 'b', 'c']) ids.push((await make(url, { title })).id)
    const client = world.as('reporter')
    const [first, second, third] = ids
    expect((await client.put(`${url}/3/reorder`, { move_after_id: first })).statusCode).toBe(200)
    await client.put(`${url}/2/reorder`, { move_after_id: third })
    const list = await client.get(`${url}?order_by=relative_position`)
    expect(titles(list.json())).toEqual(['a', 'c', 'b'])
    await client.put(`${url}/2/reorder`, { move_after_id: first, move_before_id: third })
    const again = await client.get(`${url}?order_by=relative_position`)
    expect(titles(again.json())).toEqual(['a', 'b', 'c'])
    for (const title of ['d', 'e', 'f']) await client.post(url, { title })
    const sixth = (await client.get(`${url}/6`)).json().id
    // Issues that were never moved stand by their numbers, as far as the moved one can tell.
    await client.put(`${url}/1/reorder`, { move_before_id: sixth })
    const last = await client.get(`${url}?order_by=relative_position`)
    expect(titles(last.json())).toEqual(['b', 'c', 'd', 'e', 'a', 'f'])
    expect(second).toBeGreaterThan(0)
    const elsewhere = (await make((await newPlace()).url)).id
    for (const move_after_id of [999999, elsewhere]) {
      expect(await told(client.put(`${url}/1/reorder`, { move_after_id }))).toEqual([
        422,
        { message: { error: 'Unprocessable Entity' } },
      ])
    }
    expect(await told(client.put(`${url}/1/reorder`, {}))).toEqual([
      400,
      {
        error: 'move_after_id, move_before_id are missing, at least one parameter must be provided',
      },
    ])
    expect(
      (await world.as('guest').put(`${url}/1/reorder`, { move_after_id: third })).statusCode,
    ).toBe(403)
  })
})

describe('Time', () => {
  it('is estimated, spent and taken back', async () => {
    const { url } = await newPlace()
    await make(url)
    const client = world.as('reporter')
    const stats = (
      estimate: number,
      spent: number,
      human: string | null,
      humanSpent: string | null,
    ) => ({
      time_estimate: estimate,
      total_time_spent: spent,
      human_time_estimate: human,
      human_total_time_spent: humanSpent,
    })
    const post = (path: string, body?: object) => told(client.post(`${url}/1/${path}`, body))
    expect(await post('time_estimate', { duration: '1w 2d 3h 30m' })).toEqual([
      200,
      stats(214_200, 0, '1w 2d 3h 30m', null),
    ])
    expect(await post('add_spent_time', { duration: '1mo' })).toEqual([
      201,
      stats(214_200, 576_000, '1w 2d 3h 30m', '1mo'),
    ])
    expect(await post('add_spent_time', { duration: '-3w', summary: 's' })).toEqual([
      201,
      stats(214_200, 144_000, '1w 2d 3h 30m', '1w'),
    ])
    expect(await post('add_spent_time', { duration: '-2w' })).toEqual([
      400,
      { message: { base: ['Time to subtract exceeds the total time spent'] } },
    ])
    expect(await post('time_estimate', { duration: '3' })).toMatchObject([
      200,
      { time_estimate: 10_800 },
    ])
    expect(await post('time_estimate', { duration: 'long' })).toEqual([
      400,
      { error: 'duration is invalid' },
    ])
    expect(await post('reset_time_estimate')).toEqual([200, stats(0, 144_000, null, '1w')])
    expect(await post('reset_spent_time')).toEqual([200, stats(0, 0, null, null)])
    expect(await told(world.as('guest').get(`${url}/1/time_stats`))).toEqual([
      200,
      stats(0, 0, null, null),
    ])
    const refused = await world.as('guest').post(`${url}/1/time_estimate`, { duration: '1h' })
    expect(refused.statusCode).toBe(403)
  })
})

describe('Who takes part', () => {
  it('is listed, and subscribed until they are not', async () => {
    const { url } = await newPlace()
    await make(url, { description: `@${world.users.owner.username}` })
    await world.as('guest').post(`${url}/1/notes`, { body: 'said' })
    const { developer, maintainer } = world.users
    await make(url, { description: `@${maintainer.username}`, assignee_id: developer.id })
    await world.as('developer').post(`${url}/2/notes`, { body: 'said elsewhere' })
    await world.as('maintainer').put(`${url}/1`, { title: 'Changed' })
    await world.as('developer').post(`${url}/2/unsubscribe`)
    const list = (await world.as('guest').get(`${url}/1/participants`)).json()
    const { guest, reporter, owner } = world.users
    expect(list.map(({ id }: { id: number }) => id)).toEqual([guest.id, reporter.id, owner.id])
    expect(list[0]).toEqual({ ...basicUser(guest), avatar_url: list[0].avatar_url })
    await world.as('reporter').put(`${url}/1`, { assignee_id: developer.id })
    const more = (await world.as('guest').get(`${url}/1/participants`)).json()
    expect(more.map(({ id }: { id: number }) => id)).toContain(developer.id)
    const subscribed = async (who: Who) => (await world.as(who).get(`${url}/1`)).json().subscribed
    expect([await subscribed('developer'), await subscribed('maintainer')]).toEqual([true, false])
    const client = world.as('guest')
    expect(await told(client.post(`${url}/1/subscribe`))).toEqual([304, ''])
    const left = await client.post(`${url}/1/unsubscribe`)
    expect([left.statusCode, left.json().subscribed]).toEqual([201, false])
    expect(await told(client.post(`${url}/1/unsubscribe`))).toEqual([304, ''])
    expect(await subscribed('reporter')).toBe(true)
    expect((await client.post(`${url}/1/subscribe`)).json().subscribed).toBe(true)
    expect((await world.as('outsider').post(`${url}/1/subscribe`)).statusCode).toBe(404)
    expect((await world.as('anonymous').post(`${url}/1/subscribe`)).statusCode).toBe(401)
  })
})

describe('What changes leave behind', () => {
  it('is a system note in its words', async () => {
    const { url } = await newPlace()
    await make(url, { title: 'Old title', description: '- [ ] do' })
    const client = world.as('reporter')
    const { developer, owner } = world.users
    for (const body of [
      { title: 'New title' },
      { description: '- [x] do' },
      { description: 'other' },
      { assignee_id: developer.id },
      { assignee_id: owner.id },
      { assignee_id: 0 },
      { discussion_locked: true },
      { discussion_locked: false },
      { confidential: true },
      { confidential: false },
      { due_date: '2022-01-02' },
      { due_date: null },
      { state_event: 'close', labels: 'x' },
    ]) {
      await client.put(`${url}/1`, body)
    }
    await make(url, { title: 'Bare', assignee_id: owner.id })
    await client.put(`${url}/2`, { title: 'Barer', description: '' })
    expect((await client.get(`${url}/2`)).json().description).toBeNull()
    const ofBare = (await client.get(`${url}/2/notes`)).json()
    expect(ofBare.map(({ body }: { body: string }) => body)).toEqual([
      'changed title from **Bare** to **Bare{+r+}**',
      `assigned to @${owner.username}`,
    ])
    await client.post(`${url}/1/time_estimate`, { duration: '3h' })
    await client.post(`${url}/1/add_spent_time`, { duration: '1h' })
    const notes = (await client.get(`${url}/1/notes?sort=asc`)).json()
    expect(notes.map(({ body }: { body: string }) => body)).toEqual([
      'changed title from **{-Old-} title** to **{+New+} title**',
      'marked the task **do** as completed',
      'changed the description',
      `assigned to @${developer.username}`,
      `assigned to @${owner.username} and unassigned @${developer.username}`,
      `unassigned @${owner.username}`,
      'locked this issue',
      'unlocked this issue',
      'made the issue confidential',
      'made the issue visible to everyone',
      'changed due date to January 2, 2022',
      'removed due date',
      'changed time estimate to 3h',
      'added 1h of time spent',
    ])
    expect(
      notes.every(({ system, type }: { system: boolean; type: null }) => system && !type),
    ).toBe(true)
    expect((await client.get(`${url}/1`)).json().user_notes_count).toBe(0)
  })

  it('is one note on each thing it mentions, by number, path and address, not in code', async () => {
    const { project, url } = await newPlace()
    const sibling = await newPlace()
    for (const at of [url, url, url, ...Array(3).fill(sibling.url)]) await make(at)
    const address = (await world.as('guest').get(`${url}/3`)).json().web_url
    const text = `#1, ${sibling.project.path}#1 and ${address}. \`#2\` #1`
    const client = world.as('reporter')
    await client.post(url, { title: 'names', description: text })
    const noted = (await client.get(`${url}/1/notes`)).json()
    await client.post(`${url}/4/notes`, { body: 'again #1' })
    expect((await client.get(`${url}/1/notes`)).json()).toEqual(noted)
    const notes = async (at: string) =>
      (await client.get(`${at}/notes`)).json().map(({ body }: { body: string }) => body)
    expect(await notes(`${url}/1`)).toEqual(['mentioned in issue #4'])
    expect(await notes(`${url}/2`)).toEqual([])
    expect(await notes(`${url}/3`)).toEqual(['mentioned in issue #4'])
    expect(await notes(`${sibling.url}/1`)).toEqual([`mentioned in issue ${project.path}#4`])
    expect(await notes(`${sibling.url}/3`)).toEqual([])
    // An open text makes known what an internal note has mentioned, and nothing else.
    await client.post(`${sibling.url}/1/notes`, { body: '#2 and #3', internal: true })
    await client.post(`${sibling.url}/1/notes`, { body: '#2' })
    const seen = async (who: Who, iid: number) =>
      (await world.as(who).get(`${sibling.url}/${iid}/notes`)).json().length
    expect([await seen('guest', 2), await seen('reporter', 2)]).toEqual([1, 1])
    expect([await seen('guest', 3), await seen('reporter', 3)]).toEqual([0, 1])
  })
})

describe('Quick actions', () => {
  it('in a description are done and taken out of it', async () => {
    const { url } = await newPlace()
    const { owner } = world.users
    const made = await world.as('reporter').post(url, {
      title: 't',
      description: `Text\n/label ~"two words" ~one\n/assign @${owner.username}\n/due 2026-01-02\n/estimate 2h\n/spend 1h\n/weird\n\n\`\`\`\n/close\n\`\`\``,
    })
    expect(made.json()).toMatchObject({
      description: 'Text\n/weird\n\n```\n/close\n```',
      labels: ['one', 'two words'],
      assignee: { id: owner.id },
      due_date: '2026-01-02',
      time_stats: { time_estimate: 7200, total_time_spent: 3600 },
      state: 'opened',
    })
  })

  it('do what their writer may', async () => {
    const { url } = await newPlace()
    await make(url, { title: 'Old' })
    const guest = await world.as('guest').post(`${url}/1/notes`, {
      body: 'Hm\n/close\n/title New\n/label ~x\n/spend 1h\n/confidential\n/todo',
    })
    expect([guest.statusCode, guest.json().body]).toEqual([201, 'Hm'])
    expect((await world.as('guest').get(`${url}/1`)).json()).toMatchObject({
      title: 'Old',
      state: 'opened',
      labels: [],
      confidential: false,
      time_stats: { total_time_spent: 0 },
    })
    const todos = (await world.as('guest').get('/todos')).json()
    expect(todos[0]).toMatchObject({ action_name: 'marked', target: { title: 'Old' } })
    const done = await world.as('reporter').post(`${url}/1/notes`, { body: '/close' })
    expect([done.statusCode, done.json()]).toEqual([
      202,
      { commands_changes: { state_event: 'close' }, summary: ['Closed this issue.'] },
    ])
  })
})

describe('On paid tiers', () => {
  it('issues have weights and several assignees', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    const paid = await newWorld(app)
    const project = await paid.newProject()
    const url = `/projects/${project.id}/issues`
    const { owner, developer } = paid.users
    const made = await paid
      .as('reporter')
      .post(url, { title: 't', weight: 3, assignee_ids: [developer.id, owner.id] })
    expect(made.json()).toMatchObject({
      weight: 3,
      assignees: [{ id: developer.id }, { id: owner.id }],
    })
    const list = async (query: string) => (await paid.as('guest').get(`${url}?${query}`)).json()
    const tooHeavy = await paid.as('reporter').post(url, { title: 't', weight: 2 ** 31 })
    expect([tooHeavy.statusCode, tooHeavy.json()]).toEqual([
      400,
      { error: 'weight does not have a valid value' },
    ])
    expect(await list('weight=3')).toHaveLength(1)
    expect(await list('weight=None')).toHaveLength(0)
    expect((await paid.as('reporter').put(`${url}/1`, { weight: null })).json().weight).toBe(null)
    await app.close()
  })
})
