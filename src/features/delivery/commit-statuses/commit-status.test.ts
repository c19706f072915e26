import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { type RefName, zeroOid } from '../../../git/names.ts'
import { confirmAlways, updateRefs } from '../../../git/update-refs.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Status = Record<string, unknown> & { id: number }

/** A project with one commit on a branch that is not protected, and the calls about it. */
async function open(place: 'open' | 'shut' = 'shut') {
  const group = world.groups[place]
  const project = await world.newProject({ group, files: { a: 'a' } })
  await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
  const sha = (
    await world.as('owner').get(`/projects/${project.id}/repository/commits/main`)
  ).json().id
  const post = (body: object, who: Who = 'developer', of = sha) =>
    world.as(who).post(`/projects/${project.id}/statuses/${of}`, body)
  const list = (query = '', who: Who = 'developer', of = sha) =>
    world.as(who).get(`/projects/${project.id}/repository/commits/${of}/statuses${query}`)
  const names = async (query = '') => (await list(query)).json().map((one: Status) => one.name)
  const commit = async (who: Who = 'owner') =>
    (await world.as(who).get(`/projects/${project.id}/repository/commits/${sha}`)).json()
  const pipelines = () =>
    world.app.db
      .selectFrom('pipelines')
      .selectAll()
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
  const must = async (body: object, who: Who = 'developer'): Promise<Status> => {
    const answer = await post(body, who)
    expect([answer.statusCode, answer.json()]).toEqual([201, expect.anything()])
    return answer.json()
  }
  return { project, sha, post, must, list, names, commit, pipelines }
}

describe('POST /projects/:id/statuses/:sha', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['guest', 'open', 403],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 201],
    ['maintainer', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const { post } = await open(place)
    expect((await post({ state: 'pending' }, who)).statusCode).toBe(status)
  })

  it('on a protected branch or tag takes the right to push there', async () => {
    const { project, post } = await open()
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    const maintainers = { name: 'main', push_access_level: 40, merge_access_level: 30 }
    expect((await owner.post(`${url}/protected_branches`, maintainers)).statusCode).toBe(201)
    await owner.post(`${url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    await owner.post(`${url}/protected_tags`, { name: 'v*', create_access_level: 40 })
    for (const ref of ['main', undefined, 'v1']) {
      const refused = await post({ state: 'success', name: 'gate', ref })
      expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
      const taken = await post({ state: 'success', name: `gate of ${ref}`, ref }, 'maintainer')
      expect(taken.statusCode).toBe(201)
    }
    await owner.post(`${url}/repository/branches`, { branch: 'topic', ref: 'main' })
    expect((await post({ state: 'success', ref: 'topic' })).statusCode).toBe(201)
  })

  it('answers the whole status', async () => {
    const { post, sha } = await open()
    const answer = await post({
      state: 'running',
      name: 'tests',
      context: 'not this',
      target_url: 'https://ci.test/1?a=b#c',
      description: 'Under way',
      coverage: 72.5,
    })
    const now = world.app.clock.now().toISOString()
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        id: expect.any(Number),
        sha,
        ref: 'main',
        status: 'running',
        name: 'tests',
        target_url: 'https://ci.test/1?a=b#c',
        description: 'Under way',
        created_at: now,
        started_at: now,
        finished_at: null,
        allow_failure: false,
        coverage: 72.5,
        author: presentBasicUser(world.users.developer, 'http://bloomery.test'),
      },
    ])
  })

  it('is called default where nothing names it, and by its context', async () => {
    const { must } = await open()
    expect(await must({ state: 'success' })).toMatchObject({
      name: 'default',
      target_url: null,
      description: null,
      coverage: null,
      started_at: null,
    })
    expect(await must({ state: 'success', context: 'lint' })).toMatchObject({ name: 'lint' })
  })

  it.each([
    [{}, { error: 'state is missing' }],
    [{ state: '' }, { error: 'state does not have a valid value' }],
    [{ state: 'skipped' }, { error: 'state does not have a valid value' }],
    [{ state: 'success', coverage: 'much' }, { error: 'coverage is invalid' }],
    [{ state: 'success', pipeline_id: 'x' }, { error: 'pipeline_id is invalid' }],
    [
      { state: 'success', target_url: 'git://ci.test/1' },
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', target_url: 'javascript:alert(1)//http://x' },
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', target_url: 'no address' },
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', target_url: 'http://' },
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'success', target_url: `http://ci.test/${'x'.repeat(241)}` },
      { message: { target_url: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { state: 'success', description: 'x'.repeat(256), name: 'y'.repeat(256) },
      {
        message: {
          name: ['is too long (maximum is 255 characters)'],
          description: ['is too long (maximum is 255 characters)'],
        },
      },
    ],
    [{ state: 'success', name: ' ' }, { message: { name: ["can't be blank"] } }],
    [
      { state: 'success', ref: 'x'.repeat(256) },
      { message: { ref: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('refuses %j', async (body, refusal) => {
    const { post, list } = await open()
    const answer = await post(body)
    expect([answer.statusCode, answer.json()]).toEqual([400, refusal])
    expect((await list()).json()).toEqual([])
  })

  it('takes texts of 255 characters', async () => {
    const { must } = await open()
    const target_url = `http://ci.test/${'x'.repeat(240)}`
    const text = '😀'.repeat(255)
    await must({ state: 'success', target_url, description: text, name: text })
  })

  it('answers 404 for a commit that is not there, and for one no branch holds', async () => {
    const { project, post } = await open()
    const unknown = await post({ state: 'success' }, 'developer', 'f'.repeat(40))
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 Commit Not Found' }])
    const lost = await world.commit(project, { b: 'b' }, { branch: 'gone', start_branch: 'main' })
    await world.as('owner').delete(`/projects/${project.id}/repository/branches/gone`)
    const answer = await post({ state: 'success' }, 'developer', lost)
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { message: '404 References for commit Not Found' },
    ])
    const named = await post({ state: 'success', ref: 'gone' }, 'developer', lost)
    expect([named.statusCode, named.json().ref]).toEqual([201, 'gone'])
  })

  it('means a commit by the name of a branch too', async () => {
    const { post, sha, names } = await open()
    expect((await post({ state: 'success' }, 'developer', 'main')).json().sha).toBe(sha)
    expect(await names()).toEqual(['default'])
  })
})

describe('a status that is reported again', () => {
  const text = (event: string, from: string) => ({
    message: `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`,
  })

  it.each([
    ['pending', 'pending', text('enqueue', 'pending')],
    ['running', 'pending', text('enqueue', 'running')],
    ['running', 'running', text('run', 'running')],
  ])('from %s to %s is refused', async (from, to, refusal) => {
    const { must, post, list } = await open()
    const first = await must({ state: from })
    const answer = await post({ state: to, description: 'not kept' })
    expect([answer.statusCode, answer.json()]).toEqual([400, refusal])
    expect((await list()).json()).toEqual([first])
  })

  it.each([
    ['pending', 'running'],
    ['pending', 'success'],
    ['pending', 'failed'],
    ['pending', 'canceled'],
    ['running', 'success'],
    ['running', 'failed'],
    ['running', 'canceled'],
  ])('from %s to %s goes on, keeping what is not sent anew', async (from, to) => {
    const { must, list } = await open()
    const first = await must({ state: from, target_url: 'https://ci.test/1', description: 'one' })
    world.app.clock.advance(5000)
    const now = world.app.clock.now().toISOString()
    const second = await must({ state: to, description: 'two', coverage: 5 })
    expect(second).toEqual({
      ...first,
      status: to,
      description: 'two',
      coverage: 5,
      ...(to === 'running' ? { started_at: now } : { finished_at: now }),
    })
    expect((await list('?all=true')).json()).toEqual([second])
  })

  it.each(['success', 'failed', 'canceled'])('after %s is a new one', async (from) => {
    const { must, list } = await open()
    const first = await must({ state: from })
    const second = await must({ state: 'pending' })
    expect(second.id).not.toBe(first.id)
    expect((await list()).json()).toEqual([second])
    expect((await list('?all=true')).json()).toEqual([first, second])
  })

  it('by somebody else is theirs, and takes the place of the first', async () => {
    const { must, list } = await open()
    await must({ state: 'pending' })
    const second = await must({ state: 'pending' }, 'maintainer')
    expect(second.author).toMatchObject({ id: world.users.maintainer.id })
    expect((await list()).json()).toEqual([second])
    const third = await must({ state: 'success' }, 'maintainer')
    expect(third).toMatchObject({ id: second.id, status: 'success' })
    expect((await list()).json()).toEqual([third])
  })
})

describe('the pipeline of a status', () => {
  it('is made once, of source external, and told by the commit', async () => {
    const { project, sha, must, commit, pipelines } = await open()
    expect(await commit()).toMatchObject({ status: null, last_pipeline: null })
    await must({ state: 'pending', name: 'a' })
    await must({ state: 'pending', name: 'b' })
    const [pipeline, ...others] = await pipelines()
    expect(others).toEqual([])
    const now = world.app.clock.now().toISOString()
    expect(await commit()).toMatchObject({
      status: 'pending',
      last_pipeline: {
        id: pipeline?.id,
        iid: 1,
        project_id: project.id,
        sha,
        ref: 'main',
        status: 'pending',
        source: 'external',
        created_at: now,
        updated_at: now,
        web_url: `http://bloomery.test/${project.full_path}/-/pipelines/${pipeline?.id}`,
      },
    })
    expect(Object.keys((await commit()).last_pipeline)).toHaveLength(10)
  })

  it('follows its statuses, with times and coverage', async () => {
    const { must, commit, pipelines } = await open()
    const created = world.app.clock.now().toISOString()
    await must({ state: 'pending', name: 'a' })
    world.app.clock.advance(2000)
    const started = world.app.clock.now().toISOString()
    await must({ state: 'running', name: 'a' })
    expect((await commit()).status).toBe('running')
    world.app.clock.advance(3000)
    await must({ state: 'failed', name: 'b', coverage: 50 })
    expect((await commit()).status).toBe('running')
    const finished = world.app.clock.now().toISOString()
    await must({ state: 'success', name: 'a', coverage: 80 })
    expect((await pipelines())[0]).toMatchObject({
      status: 'failed',
      coverage: 65,
      created_at: created,
      started_at: started,
      finished_at: finished,
      queued_duration: 2,
      duration: 3,
      committed_at: expect.stringMatching(/Z$/),
    })
    await must({ state: 'success', name: 'b' })
    expect((await commit()).status).toBe('success')
    await must({ state: 'running', name: 'c' })
    expect((await pipelines())[0]).toMatchObject({ status: 'running', finished_at: null })
  })

  it('is the newest of the commit, of the reference, or the one named', async () => {
    const { project, must, post, pipelines, names, sha } = await open()
    await must({ state: 'success', name: 'first' })
    await must({ state: 'success', name: 'second', ref: 'topic' })
    await must({ state: 'success', name: 'third' })
    await must({ state: 'success', name: 'fourth', ref: 'main' })
    const [main, topic] = await pipelines()
    expect([main?.iid, main?.ref, topic?.iid, topic?.ref]).toEqual([1, 'main', 2, 'topic'])
    expect(await names('?ref=main')).toEqual(['first', 'fourth'])
    expect(await names('?ref=topic')).toEqual(['second', 'third'])
    await must({ state: 'success', name: 'fifth', pipeline_id: main?.id })
    expect(await names(`?pipeline_id=${main?.id}`)).toEqual(['first', 'fourth', 'fifth'])
    const missing = { message: '404 Pipeline for pipeline_id, sha and ref Not Found' }
    for (const body of [{ pipeline_id: 999_999 }, { pipeline_id: main?.id, ref: 'topic' }]) {
      const answer = await post({ state: 'success', ...body })
      expect([answer.statusCode, answer.json()]).toEqual([404, missing])
    }
    const other = await open()
    const foreign = await other.post({ state: 'success', pipeline_id: main?.id })
    expect(foreign.statusCode).toBe(404)
    expect((await other.must({ state: 'success' })).sha).toBe(other.sha)
    const next = await world.commit(project, { b: 'b' })
    expect(next).not.toBe(sha)
    await post({ state: 'success' }, 'developer', next)
    expect((await pipelines()).map(({ iid }) => iid)).toEqual([1, 2, 3])
  })

  it('knows a tag by its name', async () => {
    const { project, sha, must, pipelines } = await open()
    const repository = projectRepository(world.app.config, project)
    for (const name of ['refs/tags/v1', 'refs/tags/main'] as RefName[]) {
      await updateRefs(world.app.git.git, repository, {
        updates: [{ name, oldOid: zeroOid, newOid: sha }],
        confirm: confirmAlways,
      })
    }
    for (const ref of ['main', 'v1', 'neither']) await must({ state: 'success', ref })
    expect((await pipelines()).map(({ tag }) => Boolean(tag))).toEqual([false, true, false])
  })

  it('is one however many report at once, and so is each status', async () => {
    const { post, pipelines, list, commit } = await open()
    const reports = [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
      post({ state: 'success', name: `job-${index % 4}` }),
    )
    expect((await Promise.all(reports)).map(({ statusCode }) => statusCode)).toEqual(
      Array(8).fill(201),
    )
    expect((await pipelines()).map(({ iid }) => iid)).toEqual([1])
    const names = (await list()).json().map((one: Status) => one.name)
    expect(names.sort()).toEqual(['job-0', 'job-1', 'job-2', 'job-3'])
    expect((await list('?all=true')).json()).toHaveLength(8)
    expect((await commit()).status).toBe('success')
  })

  it('is not told to those who may not read pipelines', async () => {
    const { project, must, commit, list } = await open('open')
    const external = await must({ state: 'success' })
    await world.app.db
      .updateTable('jobs')
      .set({ kind: 'build' })
      .where('id', '=', (await must({ state: 'success', name: 'build' })).id)
      .execute()
    const seenBy = async (who: Who) => (await commit(who)).last_pipeline !== null
    const set = (settings: object) =>
      world.app.db.updateTable('projects').set(settings).where('id', '=', project.id).execute()
    const all = ['anonymous', 'outsider', 'guest', 'reporter', 'owner'] as const
    const seen = async () => {
      const found: boolean[] = []
      for (const who of all) found.push(await seenBy(who))
      return found
    }
    expect(await seen()).toEqual([true, true, true, true, true])
    expect((await list('', 'outsider')).json()).toHaveLength(2)
    await set({ public_jobs: false })
    expect((await list('', 'outsider')).json()).toEqual([external])
    expect(await seen()).toEqual([false, false, false, true, true])
    await set({ public_jobs: true, builds_access_level: 'private' })
    expect(await seen()).toEqual([false, false, true, true, true])
    await set({ builds_access_level: 'disabled' })
    expect(await seen()).toEqual([false, false, false, false, false])
    expect((await commit('owner')).status).toBeNull()
  })
})

describe('GET /projects/:id/repository/commits/:sha/statuses', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 401],
    ['outsider', 'open', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const { list } = await open(place)
    expect((await list('', who)).statusCode).toBe(status)
  })

  it('lists the newest of each name, oldest first, in pages', async () => {
    const { must, list } = await open()
    const made: Status[] = []
    for (const name of ['c', 'a', 'b']) made.push(await must({ state: 'success', name }))
    const first = await list('?per_page=2')
    expect(first.json()).toEqual(made.slice(0, 2))
    expect(first.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '2',
      'x-next-page': '2',
    })
    expect((await list('?per_page=2&page=2')).json()).toEqual(made.slice(2))
    const { queries } = await world.app.count(() => list())
    for (let index = 0; index < 5; index++) await must({ state: 'success', name: `more-${index}` })
    expect((await world.app.count(() => list())).queries).toBe(queries)
  })

  it('keeps apart the statuses of one commit in two projects', async () => {
    const [first, second] = [await open(), await open()]
    // Made at the same moment by the same person of the same file.
    expect(first.sha).toBe(second.sha)
    await first.must({ state: 'failed' })
    expect((await second.list()).json()).toEqual([])
    expect((await second.commit()).last_pipeline).toBeNull()
  })

  it('filters', async () => {
    const { must, names } = await open()
    await must({ state: 'success', name: 'a' })
    await must({ state: 'success', name: 'b', ref: 'topic' })
    expect(await names()).toEqual(['a', 'b'])
    expect(await names('?name=b')).toEqual(['b'])
    expect(await names('?stage=external')).toEqual(['a', 'b'])
    expect(await names('?stage=test')).toEqual([])
    expect(await names('?ref=topic&name=a')).toEqual([])
    expect(await names('?ref=&name=&stage=')).toEqual(['a', 'b'])
  })

  it('finds nothing under the name of a branch or a short hash', async () => {
    const { must, list, sha } = await open()
    await must({ state: 'success' })
    expect((await list('', 'developer', 'main')).json()).toEqual([])
    expect((await list('', 'developer', sha.slice(0, 8))).json()).toEqual([])
    const answer = await list('', 'developer', 'nothing')
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Commit Not Found' }])
  })

  it('goes on without an author who was deleted', async () => {
    const { must, list, project } = await open()
    const status = await must({ state: 'success' })
    await world.app.db
      .updateTable('jobs')
      .set({ user_id: null })
      .where('project_id', '=', project.id)
      .execute()
    expect((await list()).json()).toEqual([{ ...status, author: null }])
  })
})
