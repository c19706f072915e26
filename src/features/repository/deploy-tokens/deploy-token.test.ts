import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const owners = [
  ['project', 'maintainer', 'developer'],
  ['group', 'maintainer', 'developer'],
] as const
const body = { name: 'Deploy', scopes: ['read_repository', 'read_registry'] }

/** A private group with a project, and where the tokens of the one or the other are. */
async function newPlace(kind: 'project' | 'group') {
  const group = await world.newMemberedGroup()
  const sub = await world.newGroup({ parent: group })
  const project = await world.newProject({
    group: kind === 'group' ? sub : group,
    files: { a: 'a' },
  })
  const id = kind === 'project' ? project.id : group.id
  return { project, url: `/${kind}s/${id}/deploy_tokens` }
}

/** What git is told when it asks for the references. */
function askAsGit(
  project: { full_path: string },
  { username, token }: { username: string; token: string },
  service = 'git-upload-pack',
) {
  const basic = Buffer.from(`${username}:${token}`).toString('base64')
  return world.app.server.inject({
    url: `/${project.full_path}.git/info/refs?service=${service}`,
    headers: { host: 'bloomery.test', authorization: `Basic ${basic}` },
  })
}

describe.each(owners)('Deploy tokens of a %s', (kind, lowest, tooLow) => {
  it('are made, listed, shown and revoked', async () => {
    const { url } = await newPlace(kind)
    const client = world.as(lowest)
    const made = await client.post(url, { ...body, expires_at: '2027-01-31' })
    const { token, ...record } = made.json()
    expect([made.statusCode, token]).toEqual([201, expect.stringMatching(/^gldt-[\w-]{26}$/)])
    expect(record).toEqual({
      id: expect.any(Number),
      name: 'Deploy',
      username: `gitlab+deploy-token-${record.id}`,
      expires_at: '2027-01-31T00:00:00.000Z',
      scopes: ['read_repository', 'read_registry'],
      revoked: false,
      expired: false,
    })
    const list = await client.get(url)
    expect([list.statusCode, list.json(), list.headers['x-total']]).toEqual([200, [record], '1'])
    expect((await client.get(`${url}?active=false`)).json()).toEqual([])
    expect((await client.get(`${url}/${record.id}`)).json()).toEqual(record)
    const all = (await world.as('admin').get('/deploy_tokens?per_page=100')).json()
    expect(all).toContainEqual(record)
    expect((await client.delete(`${url}/${record.id}`)).statusCode).toBe(204)
    const gone = await client.get(`${url}/${record.id}`)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not Found' }])
    const wrong = await client.delete(`${url}/x`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'token_id is invalid' }])
  })

  it('are found, listed and used at their own place alone', async () => {
    const [own, other] = [await newPlace(kind), await newPlace(kind)]
    const client = world.as(lowest)
    const made = (await client.post(own.url, body)).json()
    await client.post(other.url, { ...body, name: 'Other' })
    const names = (await client.get(other.url)).json().map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Other'])
    expect((await client.get(`${other.url}/${made.id}`)).statusCode).toBe(404)
    expect((await client.delete(`${other.url}/${made.id}`)).statusCode).toBe(404)
    expect((await askAsGit(own.project, made)).statusCode).toBe(200)
    expect((await askAsGit(other.project, made)).statusCode).toBe(404)
    const group = await world.newGroup()
    const apart = await world.newProject({ group, files: { a: 'a' } })
    expect((await askAsGit(apart, made)).statusCode).toBe(404)
  })

  it('are active until they expire or the token that created them ends', async () => {
    const { project, url } = await newPlace(kind)
    const { user, token: text } = await world.newUser()
    await world.as('owner').post(`${url.replace('deploy_tokens', 'members')}`, {
      user_id: user.id,
      access_level: 40,
    })
    const client = world.app.client(text)
    const parent = async (fields: object) => {
      const given = { name: 'parent', scopes: ['api'], ...fields }
      return (await client.post('/user/personal_access_tokens', given)).json()
    }
    const [revoked, expiring, lasting] = [
      await parent({}),
      await parent({ expires_at: '2026-03-02' }),
      await parent({}),
    ]
    const make = async (by: string, name: string, fields: object = {}) =>
      (await world.app.client(by).post(url, { ...body, name, ...fields })).json()
    const made = {
      revoked: await make(revoked.token, 'revoked'),
      expiring: await make(expiring.token, 'expiring'),
      lasting: await make(lasting.token, 'lasting'),
    }
    const maintainer = world.as(lowest)
    await maintainer.post(url, { ...body, name: 'short', expires_at: '2026-03-02' })
    await maintainer.post(url, { ...body, name: 'long', expires_at: '2026-03-03' })
    await maintainer.post(url, { ...body, name: 'endless' })
    const listed = async (active: boolean) =>
      (await maintainer.get(`${url}?active=${active}`))
        .json()
        .map(({ name }: { name: string }) => name)
    const reads = async (token: { username: string; token: string }) =>
      (await askAsGit(project, token)).statusCode === 200
    expect(await listed(false)).toEqual([])
    await client.delete(`/personal_access_tokens/${revoked.id}`)
    expect(await listed(false)).toEqual(['revoked'])
    expect([await reads(made.revoked), await reads(made.expiring)]).toEqual([false, true])
    world.app.clock.advance(24 * 60 * 60_000)
    expect(await listed(true)).toEqual(['lasting', 'long', 'endless'])
    expect(await listed(false)).toEqual(['revoked', 'expiring', 'short'])
    expect([await reads(made.expiring), await reads(made.lasting)]).toEqual([false, true])
    world.app.clock.advance(-24 * 60 * 60_000)
    await world.as('admin').post(`/users/${user.id}/block`)
    expect(await reads(made.lasting)).toBe(false)
    expect(await listed(true)).toEqual(['short', 'long', 'endless'])
  })

  it.each([
    [{}, { error: 'name is missing, scopes is missing' }],
    [{ ...body, scopes: ['api'] }, { error: 'scopes does not have a valid value' }],
    [{ ...body, scopes: [] }, { message: "Scopes can't be blank" }],
    [
      { ...body, username: 'a b' },
      { message: "Username can contain only letters, digits, '_', '-', '+', and '.'" },
    ],
  ])('are not made of %j', async (wrong, problem) => {
    const { url } = await newPlace(kind)
    const answer = await world.as(lowest).post(url, wrong)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it('are nobody’s below', async () => {
    const { url } = await newPlace(kind)
    for (const [who, status] of [
      ['anonymous', 404],
      ['outsider', 404],
      [tooLow, 403],
    ] as const) {
      expect((await world.as(who).get(url)).statusCode).toBe(status)
      expect((await world.as(who).post(url, body)).statusCode).toBe(status)
    }
    const open = kind === 'project' ? world.projects.open : world.groups.open
    const answer = await world.as('anonymous').get(`/${kind}s/${open.id}/deploy_tokens`)
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
  })

  it('fetch what they are for, and do nothing else', async () => {
    const { project, url } = await newPlace(kind)
    const made = (
      await world.as(lowest).post(url, { ...body, username: 'robot', expires_at: '2027-01-01' })
    ).json()
    const fetched = await askAsGit(project, made)
    expect([fetched.statusCode, fetched.body.includes('refs/heads/main')]).toEqual([200, true])
    expect((await askAsGit(project, { ...made, username: 'other' })).statusCode).toBe(401)
    const pushed = await askAsGit(project, made, 'git-receive-pack')
    expect([pushed.statusCode, pushed.body]).toEqual([403, 'You are not allowed to upload code.\n'])
    expect((await askAsGit(world.projects.shut, made)).statusCode).toBe(404)
    expect((await world.app.client(made.token).get(`/projects/${project.id}`)).statusCode).toBe(401)
    const blind = (await world.as(lowest).post(url, { ...body, scopes: ['read_registry'] })).json()
    expect((await askAsGit(project, blind)).statusCode).toBe(404)
    world.app.clock.advance(400 * 24 * 60 * 60_000)
    expect((await askAsGit(project, made)).statusCode).toBe(401)
    world.app.clock.advance(-400 * 24 * 60 * 60_000)
    await world.as(lowest).delete(`${url}/${made.id}`)
    expect((await askAsGit(project, made)).statusCode).toBe(401)
  })
})

describe('GET /deploy_tokens', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
    ['admin', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).get('/deploy_tokens')).statusCode).toBe(status)
  })
})

describe('The deploy token of a project’s jobs', () => {
  it('is kept sealed, by its name alone', async () => {
    const { url } = await newPlace('project')
    const made = (
      await world.as('maintainer').post(url, { ...body, name: 'gitlab-deploy-token' })
    ).json()
    const other = (await world.as('maintainer').post(url, body)).json()
    const rows = await world.app.db
      .selectFrom('deploy_tokens')
      .select(['id', 'token'])
      .where('id', 'in', [made.id, other.id])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: made.id, token: expect.any(String) },
      { id: other.id, token: null },
    ])
    expect(rows[0]?.token).not.toContain(made.token)
    expect(JSON.stringify(world.app.log)).not.toContain(made.token)
  })

  it('is not that of another project, nor one that has expired or was created by a revoked token', async () => {
    const config = { build: { script: ['x'] } }
    const [project, other] = [await newCiProject(world, config), await newCiProject(world, config)]
    const named = { ...body, name: 'gitlab-deploy-token' }
    const make = async (of: { id: number }, client = world.as('owner'), fields = {}) =>
      (await client.post(`/projects/${of.id}/deploy_tokens`, { ...named, ...fields })).json()
    await make(other)
    const given = { name: 'parent', scopes: ['api'] }
    const parent = (await world.as('owner').post('/user/personal_access_tokens', given)).json()
    await make(project, world.app.client(parent.token))
    await world.as('owner').delete(`/personal_access_tokens/${parent.id}`)
    await make(project, world.as('owner'), { expires_at: '2026-03-02' })
    const runner = await newRunner(world, project.id)
    const handed = async () => {
      await newPipeline(world, project)
      const job = await runner.take()
      return job?.variables.find(({ key }) => key === 'CI_DEPLOY_USER')?.value
    }
    world.app.clock.advance(2 * 24 * 60 * 60_000)
    expect(await handed()).toBeUndefined()
    const lasting = await make(project)
    expect(await handed()).toBe(lasting.username)
    world.app.clock.advance(-2 * 24 * 60 * 60_000)
  })

  it('is handed to them', async () => {
    const project = await newCiProject(world, { build: { script: ['x'] } })
    const url = `/projects/${project.id}/deploy_tokens`
    const made = (
      await world.as('owner').post(url, { ...body, name: 'gitlab-deploy-token' })
    ).json()
    const runner = await newRunner(world, project.id)
    await newPipeline(world, project)
    const job = await runner.take()
    const told = (name: string) => job?.variables.find(({ key }) => key === name)
    expect(told('CI_DEPLOY_USER')).toMatchObject({ value: made.username, public: true })
    expect(told('CI_DEPLOY_PASSWORD')).toMatchObject({
      value: made.token,
      public: false,
      masked: true,
    })
  })
})
