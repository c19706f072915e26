import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Namespace } from '../../../subjects/namespace.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Whose variables a test is about, and who may just write them. */
const owners = [
  ['projects', 'maintainer', 'developer', 'Project'],
  ['groups', 'owner', 'maintainer', 'Group'],
] as const

const newUrl = async (kind: 'projects' | 'groups') => {
  const { id } = kind === 'projects' ? await world.newProject() : await world.newMemberedGroup()
  return `/${kind}/${id}/variables`
}

describe.each(owners)('Variables of %s', (kind, lowest, tooLow, noun) => {
  it('are made, shown, changed and deleted', async () => {
    const url = await newUrl(kind)
    const client = world.as(lowest)
    const made = await client.post(url, { key: 'TOKEN_1', value: 's3cret value' })
    const plain = {
      variable_type: 'env_var',
      key: 'TOKEN_1',
      value: 's3cret value',
      protected: false,
      masked: false,
      hidden: false,
      raw: false,
      environment_scope: '*',
      description: null,
    }
    expect([made.statusCode, made.json()]).toEqual([201, plain])
    const shown = await client.get(`${url}/TOKEN_1`)
    expect([shown.statusCode, shown.json()]).toEqual([200, plain])
    const other = {
      variable_type: 'file',
      key: 'CA_FILE',
      value: 'line\nline\n',
      protected: true,
      masked: false,
      hidden: false,
      raw: true,
      environment_scope: 'production/*',
      description: 'the authority',
    }
    expect((await client.post(url, other)).json()).toEqual(other)
    const list = await client.get(url)
    expect([list.json(), list.headers['x-total']]).toEqual([[plain, other], '2'])
    expect((await client.get(`${url}?per_page=1&page=2`)).json()).toEqual([other])
    const changed = await client.put(`${url}/TOKEN_1`, {
      value: 'abcdefgh',
      masked: true,
      protected: true,
      variable_type: 'file',
    })
    const after = {
      ...plain,
      value: 'abcdefgh',
      masked: true,
      protected: true,
      variable_type: 'file',
    }
    expect([changed.statusCode, changed.json()]).toEqual([200, after])
    expect((await client.put(`${url}/TOKEN_1`, {})).json()).toEqual(after)
    const deleted = await client.delete(`${url}/TOKEN_1`)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    for (const method of ['get', 'put', 'delete'] as const) {
      const gone = await client[method](`${url}/TOKEN_1`)
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Variable Not Found' }])
    }
  })

  it('are told apart by their environment scopes', async () => {
    const url = await newUrl(kind)
    const client = world.as(lowest)
    for (const environment_scope of ['*', 'prod']) {
      const body = { key: 'K', value: environment_scope, environment_scope }
      expect((await client.post(url, body)).statusCode).toBe(201)
    }
    const taken = { message: { key: ['(K) has already been taken'] } }
    const again = await client.post(url, { key: 'K', value: 'v' })
    expect([again.statusCode, again.json()]).toEqual([400, taken])
    const many = await client.get(`${url}/K`)
    expect([many.statusCode, many.json()]).toEqual([
      409,
      {
        message:
          "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
      },
    ])
    const prod = `${url}/K?filter[environment_scope]=prod`
    expect((await client.get(prod)).json()).toMatchObject({ value: 'prod' })
    expect((await client.get(`${url}/K?filter[environment_scope]=pro`)).statusCode).toBe(404)
    const clash = await client.put(prod, { environment_scope: '*' })
    expect([clash.statusCode, clash.json()]).toEqual([400, taken])
    const moved = await client.put(prod, { environment_scope: 'staging' })
    expect(moved.json()).toMatchObject({ value: 'prod', environment_scope: 'staging' })
    const filter = { filter: { environment_scope: '*' } }
    expect((await client.delete(`${url}/K`, filter)).statusCode).toBe(204)
    expect((await client.get(`${url}/K`)).json()).toMatchObject({ environment_scope: 'staging' })
  })

  it.each([
    [{}, { error: 'key is missing, value is missing' }],
    [
      { key: 'K', value: 'v', variable_type: 'x' },
      { error: 'variable_type does not have a valid value' },
    ],
    [{ key: 'K', value: 'v', masked: 'x' }, { error: 'masked is invalid' }],
    [
      { key: '', value: 'v' },
      { message: { key: ["can't be blank", "can contain only letters, digits and '_'."] } },
    ],
    [
      { key: 'a-b', value: '' },
      { message: { key: ["can contain only letters, digits and '_'."] } },
    ],
    [
      { key: 'k'.repeat(256), value: '' },
      { message: { key: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { key: 'K', value: 'v'.repeat(10_001) },
      {
        message: {
          value: ['The value of the provided variable exceeds the 10000 character limit'],
        },
      },
    ],
    [{ key: 'K', value: '1234567', masked: true }, { message: { value: ['is invalid'] } }],
    [{ key: 'K', value: '1234567\n8', masked: true }, { message: { value: ['is invalid'] } }],
    [{ key: 'K', value: '1234567$', masked: true }, { message: { value: ['is invalid'] } }],
    [
      { key: 'K', value: '1234 678', masked: true, raw: true },
      { message: { value: ['is invalid'] } },
    ],
    [
      { key: 'K', value: 'v', environment_scope: 'a,b' },
      {
        message: {
          environment_scope: [
            "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces",
          ],
        },
      },
    ],
  ])('refuse %j', async (body, answer) => {
    const refused = await world.as(lowest).post(await newUrl(kind), body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it('tell nobody their value once they are made hidden', async () => {
    const url = await newUrl(kind)
    const client = world.as(lowest)
    const body = { key: 'SECRET', value: 'first-value', masked_and_hidden: true }
    const made = await client.post(url, body)
    const hidden = { key: 'SECRET', value: null, masked: true, hidden: true }
    expect([made.statusCode, made.json()]).toEqual([201, expect.objectContaining(hidden)])
    expect((await client.get(`${url}/SECRET`)).json()).toMatchObject(hidden)
    expect((await client.get(url)).json()).toMatchObject([hidden])
    const changed = await client.put(`${url}/SECRET`, { value: 'other-value', masked: true })
    expect([changed.statusCode, changed.json()]).toEqual([200, expect.objectContaining(hidden)])
    const shown = await client.put(`${url}/SECRET`, { masked: false })
    expect([shown.statusCode, shown.json()]).toEqual([
      400,
      {
        message: {
          base: ['The visibility setting cannot be changed for masked and hidden variables.'],
        },
      },
    ])
    const short = await client.post(url, { key: 'SHORT', value: 'v', masked_and_hidden: true })
    expect([short.statusCode, short.json()]).toEqual([400, { message: { value: ['is invalid'] } }])
    await client.post(url, { key: 'PLAIN', value: 'a-long-value' })
    const later = await client.put(`${url}/PLAIN`, { masked_and_hidden: true })
    expect(later.json()).toMatchObject({ value: 'a-long-value', masked: false, hidden: false })
  })

  it('may be as long as is allowed, empty, and masked with any signs when raw', async () => {
    const url = await newUrl(kind)
    for (const [key, body] of Object.entries({
      LONG: { value: 'ü'.repeat(10_000) },
      NONE: { value: '' },
      MASKED: { value: 'abc+/=@:.~-9', masked: true },
      RAW: { value: 'ü$%&"12345', masked: true, raw: true },
      ['k'.repeat(255)]: { value: 'v' },
    })) {
      const made = await world.as(lowest).post(url, { key, ...body })
      expect([made.statusCode, made.json().value]).toEqual([201, body.value])
    }
    const masked = await world.as(lowest).put(`${url}/NONE`, { masked: true })
    expect([masked.statusCode, masked.json()]).toEqual([
      400,
      { message: { value: ['is invalid'] } },
    ])
  })

  it('are for those who run it', async () => {
    const url = await newUrl(kind)
    await world.as(lowest).post(url, { key: 'K', value: 'v' })
    for (const [who, status, message] of [
      ['anonymous', 401, '401 Unauthorized'],
      ['outsider', 404, `404 ${noun} Not Found`],
      [tooLow, 403, '403 Forbidden'],
    ] as const) {
      const client = world.as(who)
      for (const answer of [
        await client.get(url),
        await client.get(`${url}/K`),
        await client.post(url, { key: 'L', value: 'v' }),
        await client.put(`${url}/K`, { value: 'w' }),
        await client.delete(`${url}/K`),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
      }
    }
    expect((await world.as(lowest).get(`${url}/K`)).json().value).toBe('v')
  })

  it('are sealed in the database and in no line of the log', async () => {
    const url = await newUrl(kind)
    const value = `plain-text-${kind}`
    await world.as(lowest).post(url, { key: 'K', value })
    await world.as(lowest).put(`${url}/K`, { value: `${value}-2` })
    const rows = await world.app.db.selectFrom('ci_variables').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(JSON.stringify(world.app.log)).not.toContain(value)
  })

  it('go with what they belong to', async () => {
    const url = await newUrl(kind)
    await world.as(lowest).post(url, { key: `GONE_${kind}`, value: 'v' })
    await world.as('owner').delete(url.replace('/variables', ''))
    await world.app.worker.drain()
    const rows = await world.app.db
      .selectFrom('ci_variables')
      .select('id')
      .where('key', '=', `GONE_${kind}`)
      .execute()
    expect(rows).toEqual([])
  })
})

describe('Variables', () => {
  it('of a project are for nobody where pipelines are disabled', async () => {
    const project = await world.newProject()
    const owner = world.as('owner')
    const url = `/projects/${project.id}/variables`
    await owner.post(url, { key: 'K', value: 'v' })
    await owner.put(`/projects/${project.id}`, { builds_access_level: 'disabled' })
    for (const answer of [
      await owner.get(url),
      await owner.get(`${url}/K`),
      await owner.post(url, { key: 'L', value: 'v' }),
      await owner.put(`${url}/K`, { value: 'w' }),
      await owner.delete(`${url}/K`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    await owner.put(`/projects/${project.id}`, { builds_access_level: 'enabled' })
    expect((await owner.get(`${url}/K`)).json().value).toBe('v')
  })

  it('of an archived project are read, not changed', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/variables`
    await world.as('owner').post(url, { key: 'K', value: 'v' })
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('owner').get(`${url}/K`)).statusCode).toBe(200)
    expect((await world.as('owner').post(url, { key: 'L', value: 'v' })).statusCode).toBe(403)
    expect((await world.as('owner').put(`${url}/K`, { value: 'w' })).statusCode).toBe(403)
    expect((await world.as('owner').delete(`${url}/K`)).statusCode).toBe(403)
  })

  it('end at 8000 of a project', async () => {
    const { id } = await world.newProject()
    const row = {
      project_id: id,
      value: 'x',
      variable_type: 'env_var' as const,
      ...{ protected: false, masked: false, raw: false, environment_scope: '*' },
      ...{ created_at: '2026-03-01T12:00:00.000Z', updated_at: '2026-03-01T12:00:00.000Z' },
    }
    for (let at = 0; at < 8000; at += 1000) {
      const rows = Array.from({ length: 1000 }, (_, n) => ({ ...row, key: `K${at + n}` }))
      await world.app.db.insertInto('ci_variables').values(rows).execute()
    }
    const answer = await world
      .as('owner')
      .post(`/projects/${id}/variables`, { key: 'K', value: 'v' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of project ci variables (8000) exceeded'] } },
    ])
  })

  it('of groups know no environments on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const url = `/groups/${free.groups.shut.id}/variables`
      const body = { key: 'K', value: 'v', environment_scope: 'prod' }
      expect((await free.as('owner').post(url, body)).json()).toMatchObject({
        environment_scope: '*',
      })
      const project = `/projects/${free.projects.shut.id}/variables`
      expect((await free.as('owner').post(project, body)).json()).toMatchObject({
        environment_scope: 'prod',
      })
    } finally {
      await app.close()
    }
  })
})

describe('Variables of jobs', () => {
  it('are those of instance, groups and project that fit the reference and the environment', async () => {
    const outer = await world.newMemberedGroup()
    const below = { name: 'Inner', path: 'inner', parent_id: outer.id }
    const inner: Namespace = (await world.as('owner').post('/groups', below)).json()
    const ship = (name: string) => ({ script: ['x'], environment: { name } })
    const jobs = { plain: { script: ['x'] }, exact: ship('production'), wide: ship('prod-2') }
    const project = await newCiProject(world, jobs, { group: inner })
    const [owner, url] = [world.as('owner'), `/projects/${project.id}`]
    await owner.post(`${url}/repository/branches`, { branch: 'topic', ref: 'main' })
    await world.app.db.deleteFrom('tasks').where('name', '=', 'tell-of-push').execute()
    const elsewhere = await world.newProject({ group: world.groups.shut })
    const of = (path: string) => `${path}/variables`
    for (const [path, key, value, more = {}] of [
      [of(url), 'ALL', 'project'],
      [of(url), 'SCOPED', 'exact', { environment_scope: 'production' }],
      [of(url), 'SCOPED', 'any'],
      [of(url), 'SCOPED', 'wide', { environment_scope: 'prod*' }],
      [of(url), 'SAFE', 's', { protected: true }],
      [of(`/groups/${inner.id}`), 'ALL', 'inner'],
      [of(`/groups/${inner.id}`), 'GROUP', 'inner'],
      [of(`/groups/${outer.id}`), 'ALL', 'outer'],
      [of(`/groups/${outer.id}`), 'GROUP', 'outer'],
      ['/admin/ci/variables', 'ALL', 'instance'],
      ['/admin/ci/variables', 'GROUP', 'instance'],
      ['/admin/ci/variables', 'INSTANCE', 'i'],
      [of(`/projects/${elsewhere.id}`), 'ELSEWHERE', 'e'],
      [of(`/groups/${world.groups.shut.id}`), 'ELSEWHERE', 'e'],
    ] as const) {
      const made = await world.as('admin').post(path, { key, value, ...more })
      expect([path, key, made.statusCode]).toEqual([path, key, 201])
    }
    const runner = await newRunner(world, project.id)
    const given = async () => {
      const { job_info, variables = [] } = (await runner.take()) ?? {}
      const those = (keys: readonly string[]) =>
        variables.flatMap(({ key, value }) => (keys.includes(key) ? [`${key}=${value}`] : []))
      const inherited = those(['ALL', 'GROUP', 'INSTANCE'])
      const own = those(['SCOPED', 'SAFE', 'ELSEWHERE'])
      return [job_info?.name, ...inherited, ...own.toSorted()]
    }
    for (const [ref, safe] of [
      ['topic', []],
      ['main', ['SAFE=s']],
    ] as const) {
      await newPipeline(world, project, { ref })
      for (const [name, scoped] of [
        ['plain', 'any'],
        ['exact', 'exact'],
        ['wide', 'wide'],
      ]) {
        const inherited = ['INSTANCE=i', 'GROUP=inner', 'ALL=project']
        expect(await given()).toEqual([name, ...inherited, ...safe, `SCOPED=${scoped}`])
      }
    }
    for (const key of ['ALL', 'GROUP', 'INSTANCE'])
      await world.as('admin').delete(`/admin/ci/variables/${key}`)
  })
})

describe('Variables of the instance', () => {
  const url = '/admin/ci/variables'
  it('are an administrator’s', async () => {
    const admin = world.as('admin')
    const made = await admin.post(url, { key: 'EVERYWHERE', value: 'v', environment_scope: 'prod' })
    const record = {
      variable_type: 'env_var',
      key: 'EVERYWHERE',
      value: 'v',
      protected: false,
      masked: false,
      raw: false,
      description: null,
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    expect((await admin.get(url)).json()).toEqual([record])
    const again = await admin.post(url, { key: 'EVERYWHERE', value: 'w' })
    expect(again.json()).toEqual({ message: { key: ['(EVERYWHERE) has already been taken'] } })
    const changed = await admin.put(`${url}/EVERYWHERE`, { value: 'w', protected: true })
    expect(changed.json()).toEqual({ ...record, value: 'w', protected: true })
    expect((await admin.delete(`${url}/EVERYWHERE`)).statusCode).toBe(204)
    const gone = await admin.get(`${url}/EVERYWHERE`)
    expect([gone.statusCode, gone.json()]).toEqual([
      404,
      { message: '404 InstanceVariable Not Found' },
    ])
  })

  it('carry hidden only if they are, so that Ansible knows those again that it made', async () => {
    const admin = world.as('admin')
    const body = { key: 'HIDDEN_EVERYWHERE', value: 'a-long-value', masked_and_hidden: true }
    const made = await admin.post(url, body)
    const record = {
      variable_type: 'env_var',
      key: 'HIDDEN_EVERYWHERE',
      value: null,
      protected: false,
      masked: true,
      hidden: true,
      raw: false,
      description: null,
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    expect((await admin.get(`${url}/HIDDEN_EVERYWHERE`)).json()).toEqual(record)
    expect((await admin.delete(`${url}/HIDDEN_EVERYWHERE`)).statusCode).toBe(204)
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['owner', 403, '403 Forbidden'],
  ] as const)('answer %s with %i', async (who, status, message) => {
    for (const answer of [
      await world.as(who).get(url),
      await world.as(who).post(url, { key: 'K', value: 'v' }),
      await world.as(who).delete(`${url}/K`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })
})
