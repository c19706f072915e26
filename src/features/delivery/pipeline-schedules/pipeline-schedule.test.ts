import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { listDueSchedules } from './pipeline-schedule.store.ts'
import { startDueSchedules } from './pipeline-schedule.tasks.ts'
import { runSchedule } from './run-schedule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const nightly = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }
const urlOf = ({ id }: { id: number }) => `/projects/${id}/pipeline_schedules`

/** A schedule of `who` in a new private project. */
async function newSchedule(who: Who = 'developer', fields = {}) {
  const project = await world.newProject()
  const made = await world.as(who).post(urlOf(project), { ...nightly, ...fields })
  expect(made.statusCode).toBe(201)
  return { project, url: `${urlOf(project)}/${made.json().id}`, made: made.json() }
}

const ownerOf = (who: Exclude<Who, 'anonymous' | 'admin'>) => {
  const { id, username, name, state } = world.users[who]
  const web_url = `http://bloomery.test/${username}`
  return { id, username, name, state, avatar_url: null, web_url }
}

describe('Pipeline schedules', () => {
  it('are made, listed, shown, changed and deleted', async () => {
    const project = await world.newProject()
    const url = urlOf(project)
    const client = world.as('developer')
    const made = await client.post(url, { ...nightly, cron: ' 0 1 * * * ' })
    const listed = {
      id: made.json().id,
      ...nightly,
      cron_timezone: 'UTC',
      next_run_at: '2026-03-02T01:00:00.000Z',
      active: true,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      owner: ownerOf('developer'),
    }
    const record = { ...listed, last_pipeline: null }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const other = await world.as('maintainer').post(url, {
      description: 'Weekly',
      ref: 'refs/tags/v1',
      cron: '30 9 * * mon',
      cron_timezone: 'Eastern Time (US & Canada)',
      active: false,
    })
    const second = {
      ...listed,
      id: other.json().id,
      description: 'Weekly',
      ref: 'refs/tags/v1',
      cron: '30 9 * * mon',
      cron_timezone: 'Eastern Time (US & Canada)',
      next_run_at: '2026-03-02T14:30:00.000Z',
      active: false,
      owner: ownerOf('maintainer'),
    }
    expect(other.json()).toEqual({ ...second, last_pipeline: null })
    const list = await client.get(url)
    expect([list.json(), list.headers['x-total']]).toEqual([[listed, second], '2'])
    expect((await client.get(`${url}?scope=active`)).json()).toEqual([listed])
    expect((await client.get(`${url}?scope=inactive`)).json()).toEqual([second])
    expect((await client.get(`${url}?per_page=1&page=2`)).json()).toEqual([second])
    const shown = await client.get(`${url}/${listed.id}`)
    expect([shown.statusCode, shown.json()]).toEqual([200, { ...record, variables: [] }])
    const changed = await client.put(`${url}/${listed.id}`, {
      description: 'Noon',
      cron: '0 12 * * *',
      cron_timezone: 'Asia/Tokyo',
      ref: 'topic',
      active: false,
    })
    const after = {
      ...record,
      description: 'Noon',
      cron: '0 12 * * *',
      cron_timezone: 'Asia/Tokyo',
      next_run_at: '2026-03-02T03:00:00.000Z',
      ref: 'topic',
      active: false,
    }
    expect([changed.statusCode, changed.json()]).toEqual([200, after])
    const deleted = await client.delete(`${url}/${listed.id}`)
    expect([deleted.statusCode, deleted.json()]).toEqual([200, after])
    for (const gone of [
      await client.get(`${url}/${listed.id}`),
      await client.put(`${url}/${listed.id}`, {}),
      await client.delete(`${url}/${listed.id}`),
      await client.post(`${url}/${listed.id}/play`),
      await client.get(`${url}/${listed.id}/pipelines`),
    ]) {
      expect([gone.statusCode, gone.json()]).toEqual([
        404,
        { message: '404 Pipeline Schedule Not Found' },
      ])
    }
  })

  it.each([
    [{}, { error: 'description is missing, ref is missing, cron is missing' }],
    [{ ...nightly, ref: '' }, { error: 'ref is empty' }],
    [{ ...nightly, active: 'x' }, { error: 'active is invalid' }],
    [{ ...nightly, cron: 'x' }, { message: { cron: [' is invalid syntax'] } }],
    [{ ...nightly, cron: '0 0 30 2 *' }, { message: { cron: [' is invalid syntax'] } }],
    [
      { ...nightly, cron: ' ', description: '' },
      { message: { cron: ["can't be blank"], description: ["can't be blank"] } },
    ],
    [{ ...nightly, cron_timezone: 'Mars' }, { message: { cron_timezone: [' is invalid syntax'] } }],
    [
      { ...nightly, description: 'd'.repeat(256), ref: 'r'.repeat(256) },
      {
        message: {
          ref: ['is too long (maximum is 255 characters)'],
          description: ['is too long (maximum is 255 characters)'],
        },
      },
    ],
  ])('refuse what is wrong: %#', async (body, answer) => {
    const project = await world.newProject()
    const refused = await world.as('developer').post(urlOf(project), body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
    const { url } = await newSchedule()
    if (Object.keys(body).length === 0) return
    const changed = await world.as('developer').put(url, body)
    expect([changed.statusCode, changed.json()]).toEqual([400, answer])
  })

  it('are listed by a scope that exists', async () => {
    const list = await world.as('developer').get(`${urlOf(world.projects.shut)}?scope=all`)
    expect([list.statusCode, list.json()]).toEqual([
      400,
      { error: 'scope does not have a valid value' },
    ])
  })

  it('end at the limit of the settings', async () => {
    const app = await startApp({ BLOOMERY_PIPELINE_SCHEDULES_MAX: '1' })
    try {
      const small = await newWorld(app)
      const url = urlOf(small.projects.shut)
      const client = small.as('developer')
      expect((await client.post(url, nightly)).statusCode).toBe(201)
      const refused = await client.post(url, nightly)
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { message: { base: ['Maximum number of ci pipeline schedules (1) exceeded'] } },
      ])
    } finally {
      await app.close()
    }
  })

  it('are ten of a project unless the settings say otherwise', () => {
    expect(world.app.config.schedules_max).toBe(10)
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['guest', 403, '403 Forbidden'],
    ['reporter', 200, undefined],
  ] as const)('answer %s of a private project with %i', async (who, status, message) => {
    const { project, url } = await newSchedule()
    const list = await world.as(who).get(urlOf(project))
    expect([list.statusCode, list.json().message]).toEqual([status, message])
    const hidden = '404 Pipeline Schedule Not Found'
    const shown = await world.as(who).get(url)
    const one = who === 'guest' ? [404, hidden] : [status, message]
    expect([shown.statusCode, shown.json().message]).toEqual(one)
    for (const refused of [
      await world.as(who).post(urlOf(project), nightly),
      await world.as(who).put(url, {}),
      await world.as(who).delete(url),
      await world.as(who).post(`${url}/take_ownership`),
      await world.as(who).post(`${url}/play`),
      await world.as(who).post(`${url}/variables`, { key: 'K', value: 'v' }),
    ]) {
      expect(refused.statusCode).toBeGreaterThanOrEqual(401)
    }
  })

  it('of a public project are read by everybody who is signed in', async () => {
    const url = urlOf(world.projects.open)
    const made = await world.as('developer').post(url, nightly)
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
    expect((await world.as('outsider').get(url)).statusCode).toBe(200)
    const shown = await world.as('outsider').get(`${url}/${made.json().id}`)
    expect([shown.statusCode, Object.keys(shown.json())]).toEqual([200, Object.keys(made.json())])
    expect((await world.as('outsider').post(url, nightly)).statusCode).toBe(403)
  })

  it('are changed by their owner and administrators alone', async () => {
    const { url } = await newSchedule('developer')
    const variables = `${url}/variables`
    for (const who of ['maintainer', 'owner'] as const) {
      expect((await world.as(who).put(url, {})).statusCode).toBe(403)
      expect((await world.as(who).post(variables, { key: 'K', value: 'v' })).statusCode).toBe(403)
    }
    expect((await world.as('admin').put(url, {})).statusCode).toBe(200)
    expect((await world.as('developer').put(url, {})).statusCode).toBe(200)
  })

  it('are deleted and taken over by their owner and Maintainers', async () => {
    const { url } = await newSchedule('maintainer')
    for (const refused of [
      await world.as('developer').delete(url),
      await world.as('developer').post(`${url}/take_ownership`),
    ]) {
      expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    const taken = await world.as('owner').post(`${url}/take_ownership`)
    expect([taken.statusCode, taken.json().owner]).toEqual([201, ownerOf('owner')])
    expect((await world.as('maintainer').put(url, {})).statusCode).toBe(403)
    expect((await world.as('owner').put(url, {})).statusCode).toBe(200)
    const again = await world.as('owner').post(`${url}/take_ownership`)
    expect([again.statusCode, again.json().owner]).toEqual([201, ownerOf('owner')])
    expect((await world.as('maintainer').delete(url)).statusCode).toBe(200)
  })

  it('are not deleted when they changed after the time the client says', async () => {
    const { url } = await newSchedule()
    const refused = await world.as('developer').delete(url, undefined, {
      headers: { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:00:00 GMT' },
    })
    expect([refused.statusCode, refused.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ])
    expect((await world.as('developer').get(url)).statusCode).toBe(200)
  })

  it('of an archived project are read, not changed', async () => {
    const { project, url } = await newSchedule()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    const client = world.as('developer')
    expect((await client.get(url)).statusCode).toBe(200)
    for (const refused of [
      await client.post(urlOf(project), nightly),
      await client.put(url, {}),
      await client.delete(url),
      await client.post(`${url}/play`),
    ]) {
      expect(refused.statusCode).toBe(403)
    }
  })

  it('stop when their owner is blocked, and go on without one', async () => {
    const { user, client } = await world.newUser()
    const project = await world.newProject()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const made = await client.post(urlOf(project), nightly)
    const other = await world.as('developer').post(urlOf(project), nightly)
    const inactive = await client.post(urlOf(project), { ...nightly, active: false })
    const read = async ({ json }: { json: () => { id: number } }) =>
      (await world.as('developer').get(`${urlOf(project)}/${json().id}`)).json()
    const { updated_at } = await read(inactive)
    world.app.clock.advance(60_000)
    await world.as('admin').post(`/users/${user.id}/block`)
    expect(await read(inactive)).toMatchObject({ active: false, updated_at })
    expect(await read(made)).toMatchObject({ active: false, owner: { state: 'blocked' } })
    expect(await read(other)).toMatchObject({ active: true })
    await world.as('admin').delete(`/users/${user.id}`)
    await world.app.worker.drain()
    expect(await read(made)).toMatchObject({ active: false, owner: null })
    const url = `${urlOf(project)}/${made.json().id}`
    const taken = await world.as('maintainer').post(`${url}/take_ownership`)
    expect(taken.json().owner).toEqual(ownerOf('maintainer'))
  })

  it('stop when their owner is banned', async () => {
    const { user, client } = await world.newUser()
    const project = await world.newProject()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const made = await client.post(urlOf(project), nightly)
    await world.as('admin').post(`/users/${user.id}/ban`)
    const shown = await world.as('developer').get(`${urlOf(project)}/${made.json().id}`)
    expect(shown.json()).toMatchObject({ active: false })
  })

  it('take as many queries to list, however many there are', async () => {
    const project = await world.newProject()
    const list = () => world.as('reporter').get(urlOf(project))
    await world.as('developer').post(urlOf(project), nightly)
    await list()
    const one = await world.app.count(list)
    for (const who of ['developer', 'maintainer', 'owner'] as const) {
      await world.as(who).post(urlOf(project), nightly)
    }
    expect((await list()).json()).toHaveLength(4)
    expect(await world.app.count(list)).toEqual(one)
  })
})

describe('GET /projects/:id/pipeline_schedules/preview', () => {
  const preview = (who: Who, query: object, { id } = world.projects.shut) =>
    world.as(who).get(`${urlOf({ id })}/preview?${new URLSearchParams({ ...query })}`)

  it.each([
    ['anonymous', 'shut', 401, '401 Unauthorized'],
    ['outsider', 'shut', 404, '404 Project Not Found'],
    ['outsider', 'open', 403, '403 Forbidden'],
    ['reporter', 'shut', 403, '403 Forbidden'],
    ['developer', 'shut', 200, undefined],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, message) => {
    const answer = await preview(who, { cron: '0 1 * * *' }, world.projects[place])
    expect([answer.statusCode, answer.json().message]).toEqual([status, message])
  })

  it('tells the next five times in UTC and in the zone, across a change of clocks', async () => {
    const query = { cron: ' 30 2 28-30 3 * ', cron_timezone: 'Berlin' }
    const answer = await preview('developer', query)
    const runs = [
      ['2026-03-28T01:30:00.000Z', '2026-03-28T02:30:00.000+01:00'],
      ['2026-03-29T01:30:00.000Z', '2026-03-29T03:30:00.000+02:00'],
      ['2026-03-30T00:30:00.000Z', '2026-03-30T02:30:00.000+02:00'],
      ['2027-03-28T01:30:00.000Z', '2027-03-28T03:30:00.000+02:00'],
      ['2027-03-29T00:30:00.000Z', '2027-03-29T02:30:00.000+02:00'],
    ]
    const next_run_at = runs.map(([utc, local]) => ({ utc, local }))
    expect([answer.statusCode, answer.json()]).toEqual([200, { next_run_at }])
    const body = { ...nightly, ...query }
    const made = await world.as('developer').post(urlOf(world.projects.shut), body)
    expect(made.json().next_run_at).toBe(next_run_at[0]?.utc)
  })

  it('is in UTC unless told otherwise', async () => {
    const answer = await preview('developer', { cron: '@yearly' })
    expect(answer.json().next_run_at[0]).toEqual({
      utc: '2027-01-01T00:00:00.000Z',
      local: '2027-01-01T00:00:00.000+00:00',
    })
  })

  it.each([
    [{}, { error: 'cron is missing' }],
    [{ cron: ' ' }, { message: { cron: ["can't be blank"] } }],
    [{ cron: '0 0 30 2 *' }, { message: { cron: [' is invalid syntax'] } }],
    [
      { cron: 'x', cron_timezone: 'Mars' },
      { message: { cron: [' is invalid syntax'], cron_timezone: [' is invalid syntax'] } },
    ],
  ])('refuses %j as a schedule that is made', async (query, answer) => {
    const refused = await preview('developer', query)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
    if (!('cron' in query)) return
    const body = { ...nightly, ...query }
    const made = await world.as('developer').post(urlOf(world.projects.shut), body)
    expect([made.statusCode, made.json()]).toEqual([400, answer])
  })
})

describe('Variables of a pipeline schedule', () => {
  it('are made, shown, changed and deleted', async () => {
    const { url } = await newSchedule()
    const client = world.as('developer')
    const other = await newSchedule()
    const ofOther = { key: 'F', variable_type: 'env_var', value: 'other', raw: false }
    expect((await client.post(`${other.url}/variables`, ofOther)).json()).toEqual(ofOther)
    const made = await client.post(`${url}/variables`, { key: 'K', value: 'secret' })
    const plain = { key: 'K', variable_type: 'env_var', value: 'secret', raw: false }
    expect([made.statusCode, made.json()]).toEqual([201, plain])
    const file = { key: 'F', variable_type: 'file', value: 'line\n', raw: true }
    expect((await client.post(`${url}/variables`, file)).json()).toEqual(file)
    expect((await client.get(url)).json().variables).toEqual([plain, file])
    expect((await world.as('maintainer').get(url)).json().variables).toEqual([plain, file])
    expect((await world.as('reporter').get(url)).json()).not.toHaveProperty('variables')
    const changed = await client.put(`${url}/variables/K`, { value: '', variable_type: 'file' })
    const after = { ...plain, value: '', variable_type: 'file' }
    expect([changed.statusCode, changed.json()]).toEqual([200, after])
    expect((await client.put(`${url}/variables/K`, { value: 'w' })).json()).toEqual({
      ...after,
      value: 'w',
    })
    const deleted = await world.as('maintainer').delete(`${url}/variables/F`)
    expect([deleted.statusCode, deleted.json()]).toEqual([202, file])
    for (const gone of [
      await client.put(`${url}/variables/F`, { value: 'v' }),
      await client.delete(`${url}/variables/F`),
    ]) {
      expect([gone.statusCode, gone.json()]).toEqual([
        404,
        { message: '404 Pipeline Schedule Variable Not Found' },
      ])
    }
  })

  it.each([
    [{}, { error: 'key is missing, value is missing' }],
    [
      { key: 'L', value: 'v', variable_type: 'x' },
      { error: 'variable_type does not have a valid value' },
    ],
    [
      { key: 'a-b', value: 'v' },
      { message: { key: ["can contain only letters, digits and '_'."] } },
    ],
    [
      { key: 'k'.repeat(256), value: 'v' },
      { message: { key: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ key: 'TAKEN', value: 'v' }, { message: { key: ['has already been taken'] } }],
    [
      { key: 'L', value: 'v'.repeat(10_001) },
      {
        message: {
          value: ['The value of the provided variable exceeds the 10000 character limit'],
        },
      },
    ],
  ])('refuse what is wrong: %#', async (body, answer) => {
    const { url } = await newSchedule()
    await world.as('developer').post(`${url}/variables`, { key: 'TAKEN', value: 'v' })
    const refused = await world.as('developer').post(`${url}/variables`, body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it('end at 1000', async () => {
    const { url, made } = await newSchedule()
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      pipeline_schedule_id: made.id,
      key: `K${n}`,
      value: 'x',
      variable_type: 'env_var' as const,
    }))
    await world.app.db.insertInto('pipeline_schedule_variables').values(rows).execute()
    const refused = await world.as('developer').post(`${url}/variables`, { key: 'L', value: 'v' })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of pipeline schedule variables (1000) exceeded'] } },
    ])
  })

  it('are sealed in the database and in no line of the log', async () => {
    const { url } = await newSchedule()
    const value = 'plain-text-of-a-schedule'
    await world.as('developer').post(`${url}/variables`, { key: 'K', value })
    const rows = await world.app.db.selectFrom('pipeline_schedule_variables').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(JSON.stringify(world.app.log)).not.toContain(value)
  })
})

const config = JSON.stringify({ unit: { script: ['true'] } })

/** A schedule of the Developer in a new project whose pipelines have one job. */
async function newRunningSchedule(fields = {}, files: Record<string, string> = {}) {
  const project = await world.newProject({ files: { '.gitlab-ci.yml': config, ...files } })
  // What its first push starts is not what these tests are about.
  await world.app.worker.drain()
  const made = await world
    .as('developer')
    .post(urlOf(project), { ...nightly, ref: 'topic', ...fields })
  await world.commit(project, { a: 'a' }, { branch: 'topic', start_branch: 'main' })
  await world.app.worker.drain()
  const url = `${urlOf(project)}/${made.json().id}`
  const pipelines = async () => (await world.as('reporter').get(`${url}/pipelines`)).json()
  return { project, url, id: made.json().id as number, pipelines }
}

const minute_ms = 60_000
const passTime = async (duration_ms: number) => {
  const { db, clock, worker } = world.app
  clock.advance(duration_ms)
  await startDueSchedules({ db, clock: clock.now })
  await worker.drain()
}

describe('A pipeline schedule', () => {
  it('runs by itself when its time comes, as its owner, with its variables', async () => {
    const { url, id, project, pipelines } = await newRunningSchedule({ cron: '*/10 * * * *' })
    const client = world.as('developer')
    await client.post(`${url}/variables`, { key: 'GREETING', value: 'hello' })
    await client.post(`${url}/variables`, { key: 'FILE', value: 'x', variable_type: 'file' })
    const due = (await client.get(url)).json().next_run_at
    await passTime(Date.parse(due) - world.app.clock.now().getTime() - 1)
    expect(await pipelines()).toEqual([])
    await passTime(1)
    const [made, ...others] = await pipelines()
    expect(others).toEqual([])
    expect(made).toMatchObject({ project_id: project.id, ref: 'topic', source: 'schedule' })
    const shown = (await client.get(url)).json()
    expect(shown.last_pipeline).toEqual(made)
    expect(Date.parse(shown.next_run_at)).toBe(Date.parse(due) + 10 * minute_ms)
    const row = await world.app.db
      .selectFrom('pipelines')
      .select(['user_id', 'pipeline_schedule_id', 'origin'])
      .where('id', '=', made.id)
      .executeTakeFirst()
    expect(row).toEqual({
      user_id: world.users.developer.id,
      pipeline_schedule_id: id,
      origin: `schedule:${id}:${due}`,
    })
    const variables = await world.app.db
      .selectFrom('pipeline_variables')
      .select(['key', 'variable_type'])
      .where('pipeline_id', '=', made.id)
      .orderBy('key')
      .execute()
    expect(variables).toEqual([
      { key: 'FILE', variable_type: 'file' },
      { key: 'GREETING', variable_type: 'env_var' },
    ])
    await passTime(10 * minute_ms)
    expect(await pipelines()).toHaveLength(2)
    await client.put(url, { active: false })
  })

  it('that missed its times makes up for one of them', async () => {
    const { url, pipelines } = await newRunningSchedule({ cron: '* * * * *' })
    await passTime(60 * minute_ms)
    expect(await pipelines()).toHaveLength(1)
    await world.as('developer').put(url, { active: false })
  })

  it('that is inactive, or deleted meanwhile, does not run', async () => {
    const { url, pipelines } = await newRunningSchedule({ cron: '* * * * *', active: false })
    await passTime(2 * minute_ms)
    expect(await pipelines()).toEqual([])
    await world.as('developer').post(`${url}/play`)
    expect((await world.as('developer').delete(url)).statusCode).toBe(200)
    await passTime(0)
    const made = await world.app.db
      .selectFrom('pipelines')
      .select('id')
      .where('source', '=', 'schedule')
      .where('origin', 'like', `schedule:${url.split('/').at(-1)}:%`)
      .execute()
    expect(made).toEqual([])
  })

  it('is started once by several nodes that find it due together', async () => {
    const { db, clock } = world.app
    const made = await Promise.all([1, 2, 3].map(() => newRunningSchedule({ cron: '* * * * *' })))
    clock.advance(minute_ms)
    const uses = { db, clock: clock.now }
    await Promise.all([1, 2, 3, 4].map(() => startDueSchedules(uses)))
    const asked = await db
      .selectFrom('tasks')
      .select('payload')
      .where('name', '=', 'run-schedule')
      .execute()
    expect(asked.map(({ payload }) => payload.pipeline_schedule_id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    )
    await world.app.worker.drain()
    for (const { url, pipelines } of made) {
      expect(await pipelines()).toHaveLength(1)
      await world.as('developer').put(url, { active: false })
    }
  })

  it('makes one pipeline of a run that is repeated', async () => {
    const { id, pipelines } = await newRunningSchedule()
    const { db, git, clock, config, secretKey } = world.app
    const uses = { db, git, clock: clock.now, config, secretKey }
    const run = { pipeline_schedule_id: id, origin: `schedule:${id}:twice` }
    await Promise.all([runSchedule(uses, run), runSchedule(uses, run)])
    await runSchedule(uses, run)
    expect(await pipelines()).toHaveLength(1)
  })

  it('moves 1200 on that are due in one minute with few statements', async () => {
    const { db, clock } = world.app
    const project = await world.newProject()
    const now = clock.now().toISOString()
    const rows = Array.from({ length: 1200 }, (_, n) => ({
      project_id: project.id,
      owner_id: null,
      description: `d${n}`,
      ref: 'main',
      cron: '0 * * * *',
      cron_timezone: n % 2 ? 'UTC' : 'Asia/Kathmandu',
      active: true,
      next_run_at: now,
      created_at: now,
      updated_at: now,
    }))
    await db.insertInto('pipeline_schedules').values(rows).execute()
    const { queries } = await world.app.count(() => startDueSchedules({ db, clock: clock.now }))
    expect(queries).toBeLessThan(30)
    const due = await listDueSchedules(db, { now, limit: 10 })
    expect(due).toEqual([])
    await db.deleteFrom('pipeline_schedules').where('project_id', '=', project.id).execute()
    await world.app.worker.drain()
  })

  it('whose owner is gone, barred or no member any more makes no pipeline and stays', async () => {
    const { user, client } = await world.newUser()
    const { project, url, pipelines } = await newRunningSchedule({ active: false })
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const body = { ...nightly, ref: 'topic', cron: '* * * * *' }
    const made = await client.post(urlOf(project), body)
    const own = `${urlOf(project)}/${made.json().id}`
    await world.as('owner').delete(`/projects/${project.id}/members/${user.id}`)
    await passTime(minute_ms)
    expect((await world.as('reporter').get(`${own}/pipelines`)).json()).toEqual([])
    const before = (await world.as('reporter').get(own)).json()
    expect(before).toMatchObject({ active: true, last_pipeline: null })
    expect(Date.parse(before.next_run_at)).toBeGreaterThan(world.app.clock.now().getTime())
    await world.app.db
      .updateTable('pipeline_schedules')
      .set({ owner_id: null })
      .where('id', '=', made.json().id)
      .execute()
    await passTime(minute_ms)
    expect((await world.as('reporter').get(`${own}/pipelines`)).json()).toEqual([])
    await world.as('maintainer').post(`${own}/take_ownership`)
    await passTime(minute_ms)
    expect((await world.as('reporter').get(`${own}/pipelines`)).json()).toHaveLength(1)
    expect(await pipelines()).toEqual([])
    await world.as('maintainer').put(own, { active: false })
    expect((await world.as('developer').get(url)).statusCode).toBe(200)
  })

  it.each([
    ['a reference that is gone', { ref: 'gone' }, {}],
    ['a broken configuration', { ref: 'broken' }, {}],
  ])('of %s makes no pipeline and stays active', async (_what, fields) => {
    const { project, url, pipelines } = await newRunningSchedule({ cron: '* * * * *', ...fields })
    await world.commit(
      project,
      { '.gitlab-ci.yml': null },
      { branch: 'broken', start_branch: 'main' },
    )
    await passTime(minute_ms)
    expect(await pipelines()).toEqual([])
    expect((await world.as('developer').get(url)).json()).toMatchObject({ active: true })
    await world.as('developer').put(url, { active: false })
  })

  it('is played as the caller, also when it is inactive', async () => {
    const { url, pipelines } = await newRunningSchedule({ active: false })
    const before = (await world.as('maintainer').get(url)).json()
    const played = await world.as('maintainer').post(`${url}/play`)
    expect([played.statusCode, played.json()]).toEqual([201, { message: '201 Created' }])
    await world.app.worker.drain()
    const [made, ...others] = await pipelines()
    expect(others).toEqual([])
    const row = await world.app.db
      .selectFrom('pipelines')
      .select(['user_id', 'source'])
      .where('id', '=', made.id)
      .executeTakeFirst()
    expect(row).toEqual({ user_id: world.users.maintainer.id, source: 'schedule' })
    const after = (await world.as('maintainer').get(url)).json()
    expect(after).toEqual({ ...before, last_pipeline: made })
    await world.as('developer').post(`${url}/play`)
    await world.app.worker.drain()
    expect(await pipelines()).toHaveLength(2)
  })

  it('of a protected branch is played by those who may push or merge there', async () => {
    const { project, url } = await newRunningSchedule({ ref: 'main', active: false })
    const refused = await world.as('developer').post(`${url}/play`)
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    expect((await world.as('maintainer').post(`${url}/play`)).statusCode).toBe(201)
    const rule = `/projects/${project.id}/protected_branches`
    await world.as('owner').delete(`${rule}/main`)
    const levels = { push_access_level: 40, merge_access_level: 30 }
    await world.as('owner').post(rule, { name: 'main', ...levels })
    expect((await world.as('developer').post(`${url}/play`)).statusCode).toBe(201)
  })

  it('of a tag is played whatever protects branches of its name', async () => {
    const { project, url } = await newRunningSchedule({ ref: 'v1', active: false })
    const tag = { tag_name: 'v1', ref: 'main' }
    await world.as('owner').post(`/projects/${project.id}/repository/tags`, tag)
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, { name: 'v*' })
    expect((await world.as('developer').post(`${url}/play`)).statusCode).toBe(201)
    await world.as('developer').put(url, { ref: 'refs/tags/v1' })
    expect((await world.as('developer').post(`${url}/play`)).statusCode).toBe(201)
    await world.as('developer').put(url, { ref: 'v2' })
    expect((await world.as('developer').post(`${url}/play`)).statusCode).toBe(403)
  })
})

describe('A server that works', () => {
  it('runs schedules without being asked', async () => {
    const app = await startApp()
    try {
      const own = await newWorld(app)
      const project = await own.newProject({ files: { '.gitlab-ci.yml': config } })
      const body = { ...nightly, ref: 'refs/heads/topic', cron: '* * * * *' }
      await own.commit(project, { a: 'a' }, { branch: 'topic', start_branch: 'main' })
      const made = await own.as('developer').post(urlOf(project), body)
      const url = `${urlOf(project)}/${made.json().id}/pipelines`
      app.clock.advance(minute_ms)
      await app.worker.start()
      const pipelines = async () => (await own.as('developer').get(url)).json()
      await expect.poll(pipelines, { timeout: 10_000 }).toMatchObject([{ ref: 'topic' }])
    } finally {
      await app.close()
    }
  })
})
