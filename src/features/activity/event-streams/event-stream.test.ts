import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { follow as followAt, type Reader } from '../../../../test/kit/event-stream.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { jobOf, newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { browserAs, impersonate } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { anonymous } from '../../../access/actor.ts'
import { limits } from '../../../kernel/limits.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { authenticateByToken } from '../../people/credentials/credential.ts'
import { EventStream } from './event-stream.ts'
import { findFollowersWithoutAccess } from './may-follow.ts'

let world: World
let url: string
beforeAll(async () => {
  world = await newWorld()
  url = await world.app.server.listen({ host: '127.0.0.1', port: 0 })
})

const asToken = (token: string) => ({ 'private-token': token })
const as = (who: Parameters<World['token']>[0]) => asToken(world.token(who))

async function follow(topics: string[], headers: Record<string, string> = {}): Promise<Reader> {
  const reader = await followAt(url, topics, headers)
  onTestFinished(() => reader.close())
  return reader
}

/** A stream that has told all it begins with. */
async function followed(topics: string[], headers: Record<string, string>): Promise<Reader> {
  const reader = await follow(topics, headers)
  expect(reader.status).toBe(200)
  await vi.waitFor(() => expect(reader.told).toHaveLength(topics.length))
  return reader
}

const path = (...topics: string[]) =>
  `/events/stream?follow=false&${topics.map((topic) => `topics[]=${topic}`).join('&')}`

async function newJob(options: Parameters<typeof newCiProject>[2] = {}) {
  const project = await newCiProject(world, { job: { script: 'true' } }, options)
  const pipeline = await newPipeline(world, project)
  const job = await jobOf(world, pipeline.id, 'job')
  const topics = [`job:${job.id}`, `pipeline:${pipeline.id}`, `project:${project.id}`]
  return { project, pipeline, job, topics }
}

describe('a stream', () => {
  it('begins with the present versions', async () => {
    const { topics } = await newJob()
    const answer = await world.as('owner').get(path(...topics, 'user'))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(answer.headers.etag).toBeUndefined()
    const [retry, ...events] = answer.body.split('\n\n').slice(0, -1)
    expect(retry).toBe('retry: 3000')
    const told = events.map((event) => JSON.parse(event.split('data: ')[1] ?? ''))
    expect(told.map(({ topic }) => topic).toSorted()).toEqual([...topics, 'user'].toSorted())
    for (const one of told) {
      expect(one).toEqual({ topic: one.topic, version: expect.stringMatching(/^[\w-]{10}$/) })
    }
  })

  it('has headers alone for HEAD', async () => {
    const answer = await world.as('owner').head('/events/stream?topics[]=user')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers['content-type']).toBe('text/event-stream')
  })

  it('tells a browser that comes back only what has changed since', async () => {
    const { topics } = await newJob()
    const [job = '', pipeline = '', project = ''] = topics
    const first = await followed(topics, as('owner'))
    const last = first.told.at(-1)?.id ?? ''
    first.close()

    const same = await world
      .as('owner')
      .get(path(...topics), { headers: { 'last-event-id': last } })
    expect(same.body).toBe('retry: 3000\n\n')

    await world.app.db
      .updateTable('jobs')
      .set({ log_bytes: 5 })
      .where('id', '=', Number(job.split(':')[1]))
      .execute()
    const later = await follow([job, pipeline, project], { ...as('owner'), 'last-event-id': last })
    await vi.waitFor(() => expect(later.told).toHaveLength(1))
    expect(later.told[0]).toMatchObject({ topic: job })

    const ofOthers = await world
      .as('owner')
      .get(path(job, pipeline), { headers: { 'last-event-id': last } })
    expect(ofOthers.body.match(/data:/g)).toHaveLength(2)
  })

  it('is for everybody who reads what it is about', async () => {
    const { topics } = await newJob({ visibility: 'public', group: world.groups.open })
    expect((await world.as('anonymous').get(path(...topics))).statusCode).toBe(200)
    const browser = await browserAs(world, world.users.owner)
    expect((await browser.reads.get(path('user'))).statusCode).toBe(200)
  })
})

describe('refusals', () => {
  it.each([
    ['/events/stream', 'topics is missing'],
    ['/events/stream?topics[]=', 'topics is invalid'],
    ['/events/stream?topics[]=job:0', 'topics is invalid'],
    ['/events/stream?topics[]=job:x', 'topics is invalid'],
    ['/events/stream?topics[]=user:1', 'topics is invalid'],
    ['/events/stream?topics[]=issue:0', 'topics is invalid'],
    ['/events/stream?topics[]=user&topics[]=group:1', 'topics is invalid'],
    ['/events/stream?topics[]=issues:1', 'topics is invalid'],
    ['/events/stream?topics[]=group_issue:1', 'topics is invalid'],
    ['/events/stream?topics[]=confidential_issues:1', 'topics is invalid'],
    ['/events/stream?topics[]=user&follow=perhaps', 'follow is invalid'],
    [
      path(...Array.from({ length: 21 }, (_, at) => `job:${at + 1}`)),
      'topics is too long (maximum is 20)',
    ],
  ])('%s: %s', async (address, error) => {
    const answer = await world.as('owner').get(address)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  it('are 401 for a visitor who would follow themselves', async () => {
    const answer = await world.as('anonymous').get(path('user'))
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('are 404 where any of it is hidden or not there, 403 where it is not readable', async () => {
    const { topics } = await newJob({ group: world.groups.shut })
    const hidden = { message: '404 Not found' }
    for (const topic of topics) {
      for (const who of ['anonymous', 'outsider'] as const) {
        const answer = await world.as(who).get(path(topic, `project:${world.projects.open.id}`))
        expect([answer.statusCode, answer.json()]).toEqual([404, hidden])
      }
    }
    const [job = '', pipeline = '', project = ''] = topics
    for (const kind of ['job', 'pipeline', 'project']) {
      const answer = await world.as('owner').get(path(project, `${kind}:999999999`))
      expect([answer.statusCode, answer.json()]).toEqual([404, hidden])
    }
    for (const topic of [job, pipeline]) {
      const answer = await world.as('guest').get(path(topic))
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    expect((await world.as('guest').get(path(project))).statusCode).toBe(200)
    expect((await world.as('guest').get(path(job, 'project:999999999'))).statusCode).toBe(404)
  })

  it('are 404 for an issue or merge request that the caller may not read', async () => {
    const { open } = world.projects
    const at = `/projects/${open.id}/issues`
    const issue = (
      await world.as('owner').post(at, { title: 'Keys are out', confidential: true })
    ).json()
    const status = async (who: Parameters<World['as']>[0], topic = `issue:${issue.id}`) =>
      (await world.as(who).get(path(topic))).statusCode
    expect([await status('reporter'), await status('guest'), await status('anonymous')]).toEqual([
      200, 404, 404,
    ])
    expect(await status('owner', `merge_request:${issue.id}`)).toBe(404)
    const change = (fields: object) => world.as('owner').put(`${at}/${issue.iid}`, fields)
    await change({ confidential: false })
    await change({ assignee_ids: [world.users.guest.id] })
    await change({ confidential: true })
    const assigned = await followed([`issue:${issue.id}`], as('guest'))
    await change({ assignee_ids: [] })
    await assigned.ended
  })

  it('are given for merge requests of members alone to others, who read the pipelines', async () => {
    const options = { visibility: 'public', group: world.groups.open } as const
    const { project, url: requests } = await newBranches(world, { options })
    const { id } = await newRequest(world, { url: requests })
    await world.as('owner').put(`/projects/${project.id}`, {
      merge_requests_access_level: 'private',
    })
    const statuses = (who: Parameters<World['as']>[0]) =>
      Promise.all(
        [`merge_request:${id}`, `project_merge_requests:${project.id}`].map(
          async (topic) => (await world.as(who).get(path(topic))).statusCode,
        ),
      )
    expect((await world.as('outsider').get(`/projects/${project.id}/pipelines`)).statusCode).toBe(
      200,
    )
    expect(await statuses('outsider')).toEqual([404, 403])
    expect(await statuses('guest')).toEqual([200, 200])
  })

  it('are 429 beyond so many streams of one user, of whom others are free', async () => {
    const { token, user } = await world.newUser()
    const open = () => follow(['user'], asToken(token))
    const all = await Promise.all(
      Array.from({ length: limits.event_streams.of_one_max }, () => open()),
    )
    expect(all.every(({ status }) => status === 200)).toBe(true)
    const one_more = await open()
    await one_more.ended
    expect([one_more.status, one_more.text()]).toEqual([429, '{"message":"429 Too Many Requests"}'])
    expect((await follow(['user'], as('owner'))).status).toBe(200)
    all[0]?.close()
    await vi.waitFor(async () => expect((await open()).status).toBe(200))
    expect(user.id).toBeGreaterThan(0)
  })
})

describe('what is told', () => {
  it('is a job from the queue to its end, its log included', async () => {
    const { project, job, topics } = await newJob()
    const runner = await newRunner(world, project.id)
    const reader = await followed(topics, as('owner'))
    const running = topics.map((topic) => reader.next(topic))
    const given = await runner.takeJob()
    expect(await Promise.all(running)).toHaveLength(3)

    const logged = reader.next(`job:${job.id}`)
    await runner.log(given, 'first line\n')
    const { version } = await logged

    const ended = topics.map((topic) => reader.next(topic))
    await runner.end(given, 'success')
    const [last] = await Promise.all(ended)
    expect(last?.version).not.toBe(version)
  })

  it('is a log that grows fast a few times a second', async () => {
    const { project, job } = await newJob()
    const runner = await newRunner(world, project.id)
    const given = await runner.takeJob()
    const reader = await followed([`job:${job.id}`], as('owner'))
    for (let at = 0; at < 30; at++) await runner.log(given, '12345', at * 5)
    await reader.next(`job:${job.id}`).catch(() => {})
    expect(reader.told.length).toBeLessThan(30)
  })

  it('is a push, an environment and a schedule of a project', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const topic = `project:${project.id}`
    const reader = await followed([topic], as('owner'))
    const owner = world.as('owner')
    const tellsOf = async (change: () => Promise<unknown>) => {
      const next = reader.next(topic)
      await change()
      return (await next).version
    }
    await tellsOf(async () => {
      await world.commit(project, { b: 'b' })
      await world.app.worker.drain()
    })
    const versions = [
      await tellsOf(() => owner.post(`/projects/${project.id}/environments`, { name: 'live' })),
      await tellsOf(() =>
        owner.post(`/projects/${project.id}/pipeline_schedules`, {
          ...{ description: 'nightly', ref: 'main', cron: '0 1 * * *' },
        }),
      ),
    ]
    expect(new Set(versions).size).toBe(2)
  })

  it('is what a user has to do', async () => {
    const { user, token, client } = await world.newUser()
    const project = await world.newProject()
    await world.as('admin').post(`/projects/${project.id}/members`, {
      ...{ user_id: user.id, access_level: 30 },
    })
    const reader = await followed(['user'], asToken(token))
    const asked = reader.next('user')
    await world.as('owner').post(`/projects/${project.id}/issues`, {
      ...{ title: 'Sweep', assignee_ids: [user.id] },
    })
    const { version } = await asked
    const done = reader.next('user')
    await client.post('/todos/mark_as_done')
    expect((await done).version).not.toBe(version)
  })

  it('is what becomes of an issue and of a merge request', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const owner = world.as('owner')
    const at = `/projects/${project.id}`
    const issue = (await owner.post(`${at}/issues`, { title: 'Sweep' })).json()
    const request = (
      await owner.post(`${at}/merge_requests`, {
        ...{ title: 'Broom', source_branch: 'topic', target_branch: 'main' },
      })
    ).json()
    const things = [
      [`issue:${issue.id}`, `${at}/issues/${issue.iid}`],
      [`merge_request:${request.id}`, `${at}/merge_requests/${request.iid}`],
    ] as const
    const reader = await followed(
      things.map(([topic]) => topic),
      as('owner'),
    )
    for (const [topic, url] of things) {
      const publishes = async (change: () => Promise<{ statusCode: number }>) => {
        const next = reader.next(topic)
        expect((await change()).statusCode).toBeLessThan(300)
        await next
      }
      await publishes(() => owner.put(url, { title: 'Sweep it' }))
      await publishes(() => owner.post(`${url}/notes`, { body: 'Here' }))
      const [note] = (await owner.get(`${url}/notes?activity_filter=only_comments`)).json()
      await publishes(() => owner.put(`${url}/notes/${note.id}`, { body: 'There' }))
      await publishes(() => owner.delete(`${url}/notes/${note.id}`))
      await publishes(() => owner.post(`${url}/award_emoji`, { name: 'tada' }))
    }
    const [topic, url] = things[1]
    const thread = (await owner.post(`${url}/discussions`, { body: 'Why?' })).json()
    const next = reader.next(topic)
    await owner.put(`${url}/discussions/${thread.id}`, { resolved: true })
    await next
  })

  it('is the version that a record has for pages', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const owner = world.as('owner')
    const at = `/projects/${project.id}`
    const issue = (await owner.post(`${at}/issues`, { title: 'Sweep' })).json()
    const request = (
      await owner.post(`${at}/merge_requests`, {
        ...{ title: 'Broom', source_branch: 'topic', target_branch: 'main' },
      })
    ).json()
    const versionsOf = async (topic: string, url: string) => {
      const record = (await owner.get(`${url}?with_abilities=true`)).json()
      const { body } = await owner.get(path(topic))
      return [record.change_version, JSON.parse(body.split('data: ')[1] ?? '').version]
    }
    const newVersionAfter = async (
      [topic, url]: readonly [string, string],
      change: () => Promise<{ statusCode: number }>,
    ) => {
      const [before] = await versionsOf(topic, url)
      world.app.clock.advance(1)
      expect((await change()).statusCode).toBeLessThan(300)
      const [after, told] = await versionsOf(topic, url)
      expect(after).toMatch(/^[\w-]{10}$/)
      expect(after).not.toBe(before)
      expect(told).toBe(after)
    }
    const things = [
      [`issue:${issue.id}`, `${at}/issues/${issue.iid}`],
      [`merge_request:${request.id}`, `${at}/merge_requests/${request.iid}`],
    ] as const
    for (const thing of things) {
      const [, url] = thing
      const note = (await owner.post(`${url}/notes`, { body: 'Here' })).json()
      await owner.post(`${url}/notes`, { body: 'Later' })
      await newVersionAfter(thing, () => owner.put(url, { title: 'Sweep it' }))
      await newVersionAfter(thing, () => owner.put(`${url}/notes/${note.id}`, { body: 'There' }))
      await newVersionAfter(thing, () => owner.delete(`${url}/notes/${note.id}`))
      await newVersionAfter(thing, () => owner.post(`${url}/award_emoji`, { name: 'thumbsup' }))
      expect((await owner.get(url)).json()).not.toHaveProperty('change_version')
    }
    await newVersionAfter(things[1], () => owner.post(`${things[1][1]}/approve`))
  })

  it('is nothing that was undone', async () => {
    const { project, topics } = await newJob()
    const reader = await followed(topics, as('owner'))
    const { db } = world.app
    const undone = db.transaction().execute(async (tx) => {
      await publishChange(tx, `project:${project.id}`)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const [job = ''] = topics
    const next = reader.next(job)
    await db.transaction().execute((tx) => publishChange(tx, job as `job:${number}`))
    await next
    expect(reader.told.filter(({ topic }) => topic === `project:${project.id}`)).toHaveLength(1)
  })

  it('is kept for nobody who does not read', () => {
    const topics = ['job:1'] as const
    const stream = new EventStream(
      { actor: anonymous, topics, projects: new Map() },
      { holder: 'nobody', lastEventId: '', now_ms: 0 },
    )
    for (let at = 0; at < 5_000; at++) stream.tell('job:1', String(at))
    expect(stream.body.destroyed).toBe(true)
    expect(stream.body.readableLength).toBeLessThan(limits.event_streams.unsent_bytes_max + 200)
  })
})

describe('lists of issues and merge requests', () => {
  // Soon after the first stream has begun all lists are told again, for what other nodes told nobody before.
  beforeAll(async () => {
    const first = await followAt(url, ['user'], as('owner'))
    await vi.waitFor(() => expect(first.text()).toContain('\n:\n\n'), 5_000)
    return first.close
  })

  /** A project in a group of its own, and a group around that. */
  async function newNest(visibility: 'public' | 'private' = 'public') {
    const admin = world.as('admin')
    const path = `nest-${++nests}`
    const outer = (
      await admin.post('/groups', { name: path, path, visibility: 'public' })
    ).json() as { id: number }
    const inner = (
      await admin.post('/groups', {
        ...{ name: 'in', path: 'in', parent_id: outer.id, visibility: 'public' },
      })
    ).json() as { id: number }
    const project = (
      await admin.post('/projects', {
        ...{ name: 'Anvils', path: 'anvils', namespace_id: inner.id, visibility },
        ...{ initialize_with_readme: true },
      })
    ).json() as { id: number }
    const topics = [
      `project_issues:${project.id}`,
      `group_issues:${inner.id}`,
      `group_issues:${outer.id}`,
    ]
    const join = async (access_level: number) => {
      const member = await world.newUser()
      await admin.post(`/projects/${project.id}/members`, {
        ...{ user_id: member.user.id, access_level },
      })
      return member
    }
    return { project, outer, inner, topics, join, at: `/projects/${project.id}` }
  }
  let nests = 0

  const open = async (at: string, fields: object = {}) => {
    const answer = await world.as('admin').post(`${at}/issues`, { title: 'Sweep', ...fields })
    expect(answer.statusCode).toBe(201)
    return answer.json() as { id: number; iid: number }
  }

  it('are told of issues that are made, changed, moved, noted, and deleted', async () => {
    const { topics, at } = await newNest()
    const admin = world.as('admin')
    const first = await open(at)
    const reader = await followed(topics, {})
    const tells = async (change: () => Promise<unknown>) => {
      const next = topics.map((topic) => reader.next(topic))
      await change()
      return (await Promise.all(next)).map(({ version }) => version)
    }
    const url = `${at}/issues/${first.iid}`
    const versions = [
      await tells(() => open(at)),
      await tells(() => admin.put(url, { add_labels: ['hot'] })),
      await tells(() => admin.put(url, { state_event: 'close' })),
      await tells(async () => {
        const [other] = (await admin.get(`${at}/issues?state=opened`)).json()
        const answer = await admin.put(`${url}/reorder`, { move_after_id: other.id })
        expect(answer.statusCode).toBe(200)
      }),
      await tells(() => admin.post(`${url}/notes`, { body: 'Done' })),
      await tells(() => admin.delete(url)),
    ]
    expect(new Set(versions.map(([version]) => version)).size).toBe(versions.length)
  })

  it('are told of merge requests apart from issues', async () => {
    const { project, inner, topics, at } = await newNest()
    const lists = [`project_merge_requests:${project.id}`, `group_merge_requests:${inner.id}`]
    await world.as('admin').post(`${at}/repository/branches`, { branch: 'topic', ref: 'main' })
    const reader = await followed([...lists, ...topics], {})
    const next = lists.map((topic) => reader.next(topic))
    const made = await world.as('admin').post(`${at}/merge_requests`, {
      ...{ title: 'Broom', source_branch: 'topic', target_branch: 'main' },
    })
    expect(made.statusCode).toBe(201)
    await Promise.all(next)
    const [topic = ''] = topics
    const later = reader.next(topic)
    await open(at)
    await later
    expect(reader.told.filter((one) => one.topic === topic)).toHaveLength(2)
    expect(reader.told.filter((one) => one.topic === lists[0])).toHaveLength(2)
  })

  it('are told of a confidential issue only to those who may read it', async () => {
    const { topics, at, join } = await newNest()
    const [reporter, guest, assignee] = [await join(20), await join(10), await join(10)]
    // Nobody is assigned to what they may not read.
    const { iid } = await open(at, { assignee_ids: [assignee.user.id] })
    const url = `${at}/issues/${iid}`
    await world.as('admin').put(url, { confidential: true })
    const trusted = await followed(topics, asToken(reporter.token))
    const assigned = await followed(topics, asToken(assignee.token))
    const others = [await followed(topics, asToken(guest.token)), await followed(topics, {})]
    const toldTo = (readers: Reader[]) =>
      Promise.all(readers.flatMap((reader) => topics.map((topic) => reader.next(topic))))
    // What was changed before they followed may still be told: it is, before this one.
    const begun = toldTo([trusted, assigned, ...others])
    await open(at)
    await begun
    const before = others.map(({ told }) => told.length)
    const made = toldTo([trusted])
    await open(at, { confidential: true })
    await made
    const changed = toldTo([trusted, assigned])
    await world.as('admin').put(url, { add_labels: ['hot'] })
    await changed
    const removed = toldTo([trusted])
    await world.as('admin').delete(url)
    await removed
    const seen = toldTo(others)
    await open(at)
    await seen
    expect(others.map(({ told }) => told.length)).toEqual(before.map((one) => one + topics.length))
  })

  it('are told that an issue has become confidential to those who saw it before', async () => {
    const { topics, at } = await newNest()
    const { iid } = await open(at)
    const visitor = await followed(topics, {})
    const next = topics.map((topic) => visitor.next(topic))
    await world.as('admin').put(`${at}/issues/${iid}`, { confidential: true })
    await Promise.all(next)
  })

  it('of a group tell nothing of a project that the caller does not see', async () => {
    const { at, outer, join } = await newNest('private')
    const topic = `group_issues:${outer.id}`
    const member = await join(10)
    const knows = await followed([topic], asToken(member.token))
    const outsider = await followed([topic], as('outsider'))
    const next = knows.next(topic)
    await open(at)
    await next
    const other = (
      await world.as('admin').post('/projects', {
        ...{ name: 'Bellows', path: 'bellows', namespace_id: outer.id, visibility: 'public' },
      })
    ).json()
    const both = [knows.next(topic), outsider.next(topic)]
    await open(`/projects/${other.id}`)
    await Promise.all(both)
    expect(outsider.told).toHaveLength(2)
    expect(knows.told).toHaveLength(3)
  })

  it('are told once of many changes at a time', async () => {
    const { topics, at } = await newNest()
    const reader = await followed(topics, {})
    const [topic = ''] = topics
    await Promise.all(Array.from({ length: 30 }, () => open(at)))
    const last = reader.next(topic)
    await open(at)
    await last
    expect(reader.told.filter((one) => one.topic === topic).length).toBeLessThan(20)
  })

  it('of boards are told when somebody changes a board', async () => {
    const { project, outer, topics } = await newNest()
    const [ofProject = ''] = topics
    const ofGroup = `group_issues:${outer.id}`
    const reader = await followed([ofProject, ofGroup], as('admin'))
    for (const [topic, base] of [
      [ofProject, `/projects/${project.id}`],
      [ofGroup, `/groups/${outer.id}`],
    ] as const) {
      const made = reader.next(topic)
      const board = (await world.as('admin').post(`${base}/boards`, { name: 'Forge' })).json()
      await made
      const gone = reader.next(topic)
      expect((await world.as('admin').delete(`${base}/boards/${board.id}`)).statusCode).toBe(204)
      await gone
    }
  })

  it('are refused to those who do not see the project, its issues or the group', async () => {
    const { project, at } = await newNest('private')
    const status = async (who: Parameters<World['as']>[0], topic: string) =>
      (await world.as(who).get(path(topic))).statusCode
    expect(await status('outsider', `project_issues:${project.id}`)).toBe(404)
    expect(await status('admin', `project_issues:${project.id}`)).toBe(200)
    expect(await status('admin', 'group_issues:999999999')).toBe(404)
    const hidden = (
      await world.as('admin').post('/groups', {
        ...{ name: 'hidden', path: 'hidden-nest', visibility: 'private' },
      })
    ).json()
    for (const kind of ['group_issues', 'group_merge_requests']) {
      expect(await status('outsider', `${kind}:${hidden.id}`)).toBe(404)
      expect(await status('admin', `${kind}:${hidden.id}`)).toBe(200)
    }
    await world.as('admin').put(at, { issues_access_level: 'disabled' })
    expect(await status('admin', `project_issues:${project.id}`)).toBe(403)
    expect(await status('admin', `project_merge_requests:${project.id}`)).toBe(200)
  })

  it('are refused of a group that is being deleted', async () => {
    const { id } = await world.newMemberedGroup()
    const topic = path(`group_issues:${id}`)
    expect((await world.as('owner').get(topic)).statusCode).toBe(200)
    await world.app.db
      .updateTable('namespaces')
      .set({ state: 'deleting' })
      .where('id', '=', id)
      .execute()
    expect((await world.as('owner').get(topic)).statusCode).toBe(404)
  })

  it('end for whoever leaves a hidden group', async () => {
    const hidden = (
      await world.as('admin').post('/groups', {
        ...{ name: 'left', path: 'left-nest', visibility: 'private' },
      })
    ).json()
    const member = await world.newUser()
    await world.as('admin').post(`/groups/${hidden.id}/members`, {
      ...{ user_id: member.user.id, access_level: 20 },
    })
    const reader = await followed([`group_issues:${hidden.id}`], asToken(member.token))
    await world.as('admin').delete(`/groups/${hidden.id}/members/${member.user.id}`)
    await reader.ended
  }, 20_000)
})

describe('a stream ends within seconds', () => {
  it('when a right, a session, a token, an account or the thing itself has ended', async () => {
    const admin = world.as('admin')
    const project = await world.newProject({ files: { a: 'a' } })
    const members = `/projects/${project.id}/members`
    const topic = `project:${project.id}`
    const opened = async () => {
      const { user, token, client } = await world.newUser()
      await admin.post(members, { user_id: user.id, access_level: 20 })
      return { user, client, token }
    }
    const stays = await opened()
    const staying = await followed([topic, 'user'], asToken(stays.token))

    const ends: Record<string, Promise<unknown>> = {}
    const removed = await opened()
    ends.removed = (await followed([topic], asToken(removed.token))).ended
    await admin.delete(`${members}/${removed.user.id}`)

    const blocked = await opened()
    ends.blocked = (await followed(['user'], asToken(blocked.token))).ended
    await admin.post(`/users/${blocked.user.id}/block`)

    const revoked = await opened()
    ends.revoked = (await followed(['user'], asToken(revoked.token))).ended
    await revoked.client.delete('/personal_access_tokens/self')

    const signedOut = await opened()
    const browser = await browserAs(world, signedOut.user)
    ends.signedOut = (await followed(['user'], { cookie: browser.cookie })).ended
    expect((await browser.client.delete('/session')).statusCode).toBe(204)

    const watched = await opened()
    const { user: administrator } = await world.newUser({ is_admin: true })
    const own = await browserAs(world, administrator)
    const stayingSession = await followed(['user'], { cookie: own.cookie })
    const acting = await impersonate(world, own, watched.user.id)
    ends.impersonated = (await followed(['user'], { cookie: acting.cookie })).ended
    await admin.put(`/users/${administrator.id}`, { admin: false })

    const { job, topics } = await newJob()
    ends.gone = (await followed([`job:${job.id}`], as('owner'))).ended
    await world.app.db.deleteFrom('jobs').where('id', '=', job.id).execute()
    await publishChange(world.app.db, topics[0] as `job:${number}`)

    const shut = await world.newProject({ visibility: 'public', group: world.groups.open })
    ends.shut = (await followed([`project:${shut.id}`], {})).ended
    await world.app.db
      .updateTable('projects')
      .set({ visibility: 'private' })
      .where('id', '=', shut.id)
      .execute()

    await Promise.all(Object.values(ends))
    expect([staying.isEnded(), stayingSession.isEnded()]).toEqual([false, false])
  }, 20_000)

  it('for whom rights are asked by as many queries, however many follow', async () => {
    const { app } = world
    const project_id = world.projects.shut.id
    const follower = async () => {
      const { user, token } = await world.newUser()
      await browserAs(world, user)
      const uses = [app.db, app.clock.now] as const
      const session = await app.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      const by = { topics: [`project:${project_id}`] as const, projects: new Map() }
      const byToken = await authenticateByToken(...uses, token)
      return [
        { ...by, actor: byToken },
        { ...by, actor: { user: byToken.user, token: undefined, session } },
      ]
    }
    const few = await follower()
    const many = [...few, ...(await follower()), ...(await follower())]
    for (const one of many) one.projects.set(one.topics[0], project_id)
    const uses = { db: app.db, clock: app.clock.now }
    const count = (followers: typeof few) =>
      app.count(async () =>
        expect(await findFollowersWithoutAccess(uses, followers)).toEqual(followers),
      )
    expect(await count(few)).toEqual({ queries: 4, processes: 0 })
    expect(await count(many)).toEqual({ queries: 4, processes: 0 })
  })

  it('when a token has run out', async () => {
    const { user, client } = await world.newUser()
    const made = await world.as('admin').post(`/users/${user.id}/personal_access_tokens`, {
      ...{ name: 'short', scopes: ['read_api'], expires_at: '2026-03-03' },
    })
    expect(made.statusCode).toBe(201)
    const reader = await followed(['user'], asToken(made.json().token))
    world.app.clock.advance(3 * 24 * 60 * 60_000)
    await reader.ended
    expect((await client.get('/user')).statusCode).toBe(200)
  }, 20_000)
})
