import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { digestToken, newJobToken } from '../../../kernel/ids.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { insertPersonalToken } from '../../people/tokens/token.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const config = 'unit: { script: "true" }\n'
const hex = /^[0-9a-f]{30}$/

/** A trigger of `who` in a new project whose pipelines have one job. */
async function newTrigger(who: Who = 'maintainer', files = {}) {
  const project = await world.newProject({ files: { '.gitlab-ci.yml': config, ...files } })
  const url = `/projects/${project.id}/triggers`
  const made = await world.as(who).post(url, { description: 'd' })
  expect(made.statusCode).toBe(201)
  const { id, token } = made.json() as { id: number; token: string }
  return { project, url, one: `${url}/${id}`, id, token, made: made.json() }
}

const start = (id: number | string, body: object, who: Who = 'anonymous', headers = {}) =>
  world.as(who).post(`/projects/${id}/trigger/pipeline`, body, { headers })

async function variablesOf(pipeline_id: number) {
  const rows = await world.app.db
    .selectFrom('pipeline_variables')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .orderBy('key')
    .execute()
  return rows.map(({ key, value, variable_type }) => ({
    key,
    value: openSecret(world.app.secretKey, value),
    variable_type,
  }))
}

describe('Pipeline triggers', () => {
  it('are made, listed, shown, changed and deleted', async () => {
    const { url, one, made } = await newTrigger()
    const { id, username, name, state } = world.users.maintainer
    const record = {
      id: expect.any(Number),
      token: expect.stringMatching(hex),
      description: 'd',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      last_used: null,
      owner: {
        ...{ id, username, name, state },
        avatar_url: null,
        web_url: `http://bloomery.test/${username}`,
      },
    }
    expect(made).toEqual(record)
    const client = world.as('maintainer')
    const list = await client.get(url)
    expect([list.json(), list.headers['x-total']]).toEqual([[made], '1'])
    expect((await client.get(one)).json()).toEqual(made)
    const changed = await client.put(one, { description: 'e' })
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...made, description: 'e' }])
    expect((await client.put(one, {})).json()).toEqual({ ...made, description: 'e' })
    const deleted = await client.delete(one)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    for (const method of ['get', 'put', 'delete'] as const) {
      const gone = await client[method](one)
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it.each([
    [{}, { error: 'description is missing' }],
    [
      { description: 'd'.repeat(256) },
      { message: { description: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('refuse what is wrong: %#', async (body, answer) => {
    const refused = await world
      .as('maintainer')
      .post(`/projects/${world.projects.shut.id}/triggers`, body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['developer', 403, '403 Forbidden'],
  ] as const)('answer %s with %i', async (who, status, message) => {
    const { url, one } = await newTrigger()
    for (const answer of [
      await world.as(who).get(url),
      await world.as(who).get(one),
      await world.as(who).post(url, { description: 'd' }),
      await world.as(who).put(one, {}),
      await world.as(who).delete(one),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it('show their token to their owner alone, who alone changes them', async () => {
    const { url, one, token } = await newTrigger('maintainer')
    for (const who of ['owner', 'admin'] as const) {
      expect((await world.as(who).get(one)).json().token).toBe(token.slice(0, 4))
      expect((await world.as(who).get(url)).json()[0].token).toBe(token.slice(0, 4))
    }
    const refused = await world.as('owner').put(one, { description: 'e' })
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    expect((await world.as('admin').put(one, { description: 'e' })).statusCode).toBe(200)
    expect((await world.as('owner').delete(one)).statusCode).toBe(204)
  })

  it('keep their token sealed', async () => {
    const { token } = await newTrigger()
    const rows = await world.app.db.selectFrom('pipeline_triggers').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(world.app.log)).not.toContain(token)
  })

  it('are not deleted when they changed after the time the client says', async () => {
    const { one } = await newTrigger()
    const refused = await world.as('maintainer').delete(one, undefined, {
      headers: { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:00:00 GMT' },
    })
    expect(refused.statusCode).toBe(412)
  })

  it('end at 25000 of a project', async () => {
    const { project, url } = await newTrigger()
    const now = '2026-03-01T12:00:00.000Z'
    for (let at = 0; at < 25_000; at += 2500) {
      const rows = Array.from({ length: 2500 }, (_, n) => ({
        project_id: project.id,
        description: '',
        token: '',
        token_digest: `${project.id}-${at + n}`,
        created_at: now,
        updated_at: now,
      }))
      await world.app.db.insertInto('pipeline_triggers').values(rows).execute()
    }
    const refused = await world.as('maintainer').post(url, { description: 'd' })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of pipeline triggers (25000) exceeded'] } },
    ])
    await newTrigger()
    await world.as('owner').delete(`/projects/${project.id}`)
    await world.app.worker.drain()
  })

  it('of an archived project are read, not changed', async () => {
    const { project, url, one } = await newTrigger()
    await world.as('owner').post(`/projects/${project.id}/archive`)
    const client = world.as('maintainer')
    expect((await client.get(one)).statusCode).toBe(200)
    expect((await client.post(url, { description: 'd' })).statusCode).toBe(403)
    expect((await client.delete(one)).statusCode).toBe(403)
  })
})

describe('The token of a trigger', () => {
  it('starts a pipeline as the owner of the trigger, whoever sends it', async () => {
    const { project, one, id, token } = await newTrigger()
    const started = await start(project.id, { token, ref: 'main', variables: { A: 'x', B: '' } })
    expect(started.statusCode).toBe(201)
    const pipeline = started.json()
    expect(pipeline).toMatchObject({ project_id: project.id, ref: 'main', source: 'trigger' })
    const row = await world.app.db
      .selectFrom('pipelines')
      .select(['user_id', 'pipeline_trigger_id', 'created_at'])
      .where('id', '=', pipeline.id)
      .executeTakeFirstOrThrow()
    const { created_at, ...made } = row
    expect(made).toEqual({ user_id: world.users.maintainer.id, pipeline_trigger_id: id })
    expect((await world.as('maintainer').get(one)).json().last_used).toBe(created_at)
    const payload = { ref: 'main', variables: { A: 'x', B: '' }, id: String(project.id) }
    const variables = await variablesOf(pipeline.id)
    expect(variables).toEqual([
      { key: 'A', value: 'x', variable_type: 'env_var' },
      { key: 'B', value: '', variable_type: 'env_var' },
      { key: 'TRIGGER_PAYLOAD', value: expect.any(String), variable_type: 'file' },
    ])
    expect(JSON.parse(variables[2]?.value ?? '')).toEqual(payload)
  })

  it('is taken from the query and forms too, by the path of the project', async () => {
    const { project, token } = await newTrigger()
    const at = encodeURIComponent(project.full_path)
    const inQuery = await world
      .as('anonymous')
      .post(`/projects/${at}/trigger/pipeline?token=${token}&ref=main&variables[A]=1`)
    expect(inQuery.statusCode).toBe(201)
    const inForm = await world
      .as('anonymous')
      .post(
        `/projects/${at}/trigger/pipeline`,
        `token=${token}&ref=main&variables[A]=1&extra[b]=c`,
        {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      )
    expect(inForm.statusCode).toBe(201)
    const [first, second] = await variablesOf(inForm.json().id)
    expect(first).toEqual({ key: 'A', value: '1', variable_type: 'env_var' })
    expect(JSON.parse(second?.value ?? '')).toEqual({
      ref: 'main',
      variables: { A: '1' },
      extra: { b: 'c' },
      id: project.full_path,
    })
  })

  it('is left out of the payload, as are the other credentials of the caller', async () => {
    const { project, token } = await newTrigger()
    const body = { token, ref: 'main', private_token: world.token('guest'), sudo: '' }
    const started = await start(project.id, body)
    const [payload] = await variablesOf(started.json().id)
    expect(JSON.parse(payload?.value ?? '')).toEqual({
      ref: 'main',
      id: String(project.id),
      variables: {},
    })
  })

  it.each(['feature/a.b', 'feature%2Fa.b', 'feature/a.b?ref=main'])(
    'starts a pipeline of the reference in the path: %s',
    async (ref) => {
      const { project, token } = await newTrigger()
      await world.commit(project, { a: 'a' }, { branch: 'feature/a.b', start_branch: 'main' })
      const [path, query] = ref.split('?')
      const started = await world
        .as('anonymous')
        .post(`/projects/${project.id}/ref/${path}/trigger/pipeline?${query ?? ''}`, { token })
      expect([started.statusCode, started.json().ref]).toEqual([201, 'feature/a.b'])
    },
  )

  it.each([
    [{}, { error: 'ref is missing, token is missing' }],
    [{ ref: 'main' }, { error: 'token is missing' }],
    [{ ref: '', token: 't' }, { error: 'ref is empty' }],
    [{ ref: 'main', token: 't', variables: 'x' }, { error: 'variables is invalid' }],
    [{ ref: 'main', token: 't', variables: ['x'] }, { error: 'variables is invalid' }],
  ])('is not looked at in %j', async (body, answer) => {
    const refused = await start(world.projects.shut.id, body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it.each([
    [{ variables: { A: ['x'] } }, { message: 'variables needs to be a map of key-valued strings' }],
    [{ variables: { A: 1 } }, { message: 'variables needs to be a map of key-valued strings' }],
    [{ ref: 'gone' }, { message: { base: ['Reference not found'] } }],
  ])('starts nothing with %j', async (fields, answer) => {
    const { project, one, token } = await newTrigger()
    const refused = await start(project.id, { token, ref: 'main', ...fields })
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
    expect((await world.as('maintainer').get(one)).json().last_used).toBeNull()
  })

  it('is good for its own project alone, and tells nothing of others', async () => {
    const { token } = await newTrigger()
    const other = await newTrigger()
    const missing = { message: '404 Not Found' }
    for (const [id, text] of [
      [other.project.id, token],
      [other.project.id, 'x'],
      [999_999, token],
      ['a%2Fb', token],
      ['x', token],
    ] as const) {
      const refused = await start(id, { token: text, ref: 'main' })
      expect([refused.statusCode, refused.json()]).toEqual([404, missing])
    }
  })

  it('is enough beside a credential that may do less', async () => {
    const { project, token } = await newTrigger()
    const { text } = await insertPersonalToken(world.app.db, world.app.clock.now, {
      user_id: world.users.guest.id,
      name: 'reads',
      scopes: ['read_user'],
      expires_at: null,
    })
    const started = await world.app
      .client(text)
      .post(`/projects/${project.id}/trigger/pipeline`, { token, ref: 'main' })
    expect(started.statusCode).toBe(201)
  })

  it('is good for no webhook about a pipeline', async () => {
    const { project, token } = await newTrigger()
    for (const name of ['x-gitlab-event', 'x-service-event']) {
      const headers = { [name]: 'Pipeline Hook' }
      const refused = await start(project.id, { token, ref: 'main' }, 'anonymous', headers)
      expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
      const push = { [name]: 'Push Hook' }
      expect((await start(project.id, { token, ref: 'main' }, 'anonymous', push)).statusCode).toBe(
        201,
      )
    }
  })

  it('starts nothing for an owner who is gone, barred or has lost the right', async () => {
    const { user, client } = await world.newUser()
    const project = await world.newProject({ files: { '.gitlab-ci.yml': config } })
    const members = `/projects/${project.id}/members`
    await world.as('owner').post(members, { user_id: user.id, access_level: 40 })
    const made = await client.post(`/projects/${project.id}/triggers`, { description: 'd' })
    const body = { token: made.json().token, ref: 'main' }
    expect((await start(project.id, body)).statusCode).toBe(201)
    const text = 'Insufficient permissions to create a new pipeline'
    const isRefused = async () => {
      const refused = await start(project.id, body)
      expect([refused.statusCode, refused.json()]).toEqual([400, { message: { base: [text] } }])
    }
    await world.as('owner').put(`${members}/${user.id}`, { access_level: 20 })
    await isRefused()
    await world.as('owner').put(`${members}/${user.id}`, { access_level: 40 })
    await world.as('admin').post(`/users/${user.id}/block`)
    await isRefused()
    await world.as('admin').delete(`/users/${user.id}`)
    await world.app.worker.drain()
    await isRefused()
    const url = `/projects/${project.id}/triggers`
    expect((await world.as('maintainer').get(url)).json()).toMatchObject([{ owner: null }])
  })
})

describe('The token of a running job', () => {
  /** A job of the Developer in the private project of a new trigger, with a token. */
  async function newJob(status: 'running' | 'success') {
    const made = await newTrigger('maintainer')
    const { id } = (await start(made.project.id, { token: made.token, ref: 'main' })).json()
    const token = newJobToken()
    const { id: job_id } = await world.app.db
      .updateTable('jobs')
      .set({ status, token_digest: digestToken(token), user_id: world.users.developer.id })
      .where('pipeline_id', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { token, job_id }
  }

  it('starts a pipeline of another project as the user of the job', async () => {
    const { token, job_id } = await newJob('running')
    const project = await world.newProject({ files: { '.gitlab-ci.yml': config } })
    await world.commit(project, { a: 'a' }, { branch: 'topic', start_branch: 'main' })
    const started = await start(project.id, { token, ref: 'topic', variables: { A: 'x' } })
    expect([started.statusCode, started.json().source]).toEqual([201, 'pipeline'])
    const row = await world.app.db
      .selectFrom('pipelines')
      .select(['user_id', 'upstream_job_id', 'pipeline_trigger_id'])
      .where('id', '=', started.json().id)
      .executeTakeFirst()
    expect(row).toEqual({
      user_id: world.users.developer.id,
      upstream_job_id: job_id,
      pipeline_trigger_id: null,
    })
    expect(await variablesOf(started.json().id)).toEqual([
      { key: 'A', value: 'x', variable_type: 'env_var' },
    ])
    const refused = await start(project.id, { token, ref: 'main' })
    expect([refused.statusCode, refused.json().message.base]).toEqual([
      400,
      [
        "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
      ],
    ])
  })

  it('tells nothing of projects its user does not see', async () => {
    const { token } = await newJob('running')
    const { id } = await world.newProject({ group: await world.newGroup() })
    const refused = await start(id, { token, ref: 'main' })
    expect([refused.statusCode, refused.json()]).toEqual([404, { message: '404 Not Found' }])
  })

  it('is good for nothing once the job has ended', async () => {
    const { token } = await newJob('success')
    const refused = await start(world.projects.shut.id, { token, ref: 'main' })
    expect([refused.statusCode, refused.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })
})

it('Triggers are closed where pipelines are disabled', async () => {
  const { project, url, one } = await newTrigger()
  await world.as('owner').put(`/projects/${project.id}`, { builds_access_level: 'disabled' })
  const maintainer = world.as('maintainer')
  for (const answer of [
    await maintainer.get(url),
    await maintainer.get(one),
    await maintainer.post(url, { description: 'd' }),
    await maintainer.put(one, { description: 'e' }),
    await maintainer.delete(one),
  ]) {
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
  }
})
