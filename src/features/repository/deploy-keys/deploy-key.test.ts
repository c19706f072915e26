import { beforeAll, describe, expect, it } from 'vitest'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const keysUrl = ({ id }: Project, more = '') => `/projects/${id}/deploy_keys${more}`
const newKey = () => newKeyPair().public
const add = (project: Project, fields: object = {}, who: Who = 'maintainer') =>
  world.as(who).post(keysUrl(project), { title: 'server', key: newKey(), ...fields })

const everywhere = [
  ['anonymous', 'open', 401],
  ['anonymous', 'shut', 404],
  ['outsider', 'open', 403],
  ['outsider', 'shut', 404],
  ['developer', 'shut', 403],
] as const

describe('POST /projects/:id/deploy_keys', () => {
  it.each(everywhere)('answers %s of the %s project with %i', async (who, place, status) => {
    expect((await add(world.projects[place], {}, who)).statusCode).toBe(status)
  })

  it('answers the key with its fingerprints, and may not push unless told so', async () => {
    const key = newKey()
    const expires_at = '2026-04-01T00:00:00.000Z'
    const answer = await add(world.projects.shut, { key, expires_at })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      title: 'server',
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at,
      key,
      fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
      fingerprint_sha256: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
      can_push: false,
    })
    expect((await add(world.projects.shut, { can_push: true })).json().can_push).toBe(true)
  })

  const unreadable = { 'deploy_key.fingerprint': ['cannot be generated'] }
  it.each<[object, object]>([
    [{ title: undefined, key: undefined }, { error: 'key is missing, title is missing' }],
    [
      { title: ' ', key: 'x' },
      {
        message: {
          'deploy_key.title': ["can't be blank"],
          'deploy_key.key': ['is invalid'],
          ...unreadable,
        },
      },
    ],
    [{ key: 'ssh-rsa AAAA' }, { message: unreadable }],
    [{ expires_at: '2026-03-01' }, { message: { 'deploy_key.key': ['has expired'] } }],
    [{ can_push: 'perhaps' }, { error: 'can_push is invalid' }],
  ])('refuses %j', async (fields, expected) => {
    const answer = await add(world.projects.shut, fields)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
  })

  it('answers a key the project has already as it stands', async () => {
    const project = await world.newProject()
    const made = (await add(project)).json()
    const again = await add(project, { key: made.key, title: 'other', can_push: true })
    expect([again.statusCode, again.json()]).toEqual([201, made])
    expect((await world.as('owner').get(keysUrl(project))).json()).toEqual([made])
  })

  it("shares a key of another project of the caller's, each with its own right to push", async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    const made = (await add(one, { can_push: true })).json()
    const shared = (await add(two, { key: made.key })).json()
    expect(shared).toEqual({ ...made, can_push: false })
    expect((await world.as('owner').get(keysUrl(one))).json()).toEqual([made])
  })

  it("refuses a key the caller has nowhere, and a user's own", async () => {
    const taken = { message: { 'deploy_key.fingerprint': ['has already been taken'] } }
    const elsewhere = (await add(world.projects.shut)).json()
    const { client } = await world.newUser()
    const { id } = (await client.post('/projects', { name: 'own' })).json()
    const body = { title: 't', key: elsewhere.key }
    const refused = await client.post(`/projects/${id}/deploy_keys`, body)
    expect([refused.statusCode, refused.json()]).toEqual([400, taken])
    const own = (await client.post('/user/keys', { title: 't', key: newKey() })).json()
    const again = await client.post(`/projects/${id}/deploy_keys`, { title: 't', key: own.key })
    expect([again.statusCode, again.json()]).toEqual([400, taken])
    const asUser = await client.post('/user/keys', body)
    expect(asUser.json()).toEqual({ message: { fingerprint: ['has already been taken'] } })
  })

  it('takes a key again whose only project is gone', async () => {
    const project = await world.newProject()
    const { key } = (await add(project)).json()
    await world.app.db.deleteFrom('projects').where('id', '=', project.id).execute()
    expect((await add(world.projects.shut, { key })).statusCode).toBe(201)
  })
})

describe('GET /projects/:id/deploy_keys', () => {
  it.each(everywhere)('answers %s of the %s project with %i', async (who, place, status) => {
    // Who may not even read is asked to sign in, whatever the project.
    const expected = who === 'anonymous' ? 401 : status
    const list = await world.as(who).get(keysUrl(world.projects[place]))
    const one = await world.as(who).get(keysUrl(world.projects[place], '/1'))
    expect([list.statusCode, one.statusCode]).toEqual([expected, expected])
  })

  it('lists keys in the order they were enabled, in pages, and finds one', async () => {
    const project = await world.newProject()
    const made = []
    for (const title of ['a', 'b', 'c']) made.push((await add(project, { title })).json())
    const list = await world.as('maintainer').get(keysUrl(project))
    expect(list.json()).toEqual(made)
    const page = await world.as('maintainer').get(keysUrl(project, '?per_page=2&page=2'))
    expect([page.json(), page.headers['x-total']]).toEqual([[made[2]], '3'])
    const one = await world.as('maintainer').get(keysUrl(project, `/${made[1].id}`))
    expect([one.statusCode, one.json()]).toEqual([200, made[1]])
    const elsewhere = await world
      .as('maintainer')
      .get(keysUrl(world.projects.shut, `/${made[1].id}`))
    expect([elsewhere.statusCode, elsewhere.json()]).toEqual([404, { message: '404 Not found' }])
    const counted = await world.app.count(() => world.as('maintainer').get(keysUrl(project)))
    expect(counted).toEqual({ queries: 4, processes: 0 })
  })
})

describe('PUT /projects/:id/deploy_keys/:key_id', () => {
  it.each(everywhere)('answers %s of the %s project with %i', async (who, place, status) => {
    const { id } = (await add(world.projects[place])).json()
    const answer = await world.as(who).put(keysUrl(world.projects[place], `/${id}`), { title: 'x' })
    expect(answer.statusCode).toBe(status)
  })

  it('changes the title everywhere and the right to push here', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    const made = (await add(one)).json()
    await add(two, { key: made.key })
    const another = (await add(one)).json()
    const put = (body: object) => world.as('maintainer').put(keysUrl(one, `/${made.id}`), body)
    const answer = await put({ title: 'new', can_push: true })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ...made, title: 'new', can_push: true },
    ])
    expect((await put({ title: 'newer' })).json()).toMatchObject({ can_push: true })
    const other = (await world.as('owner').get(keysUrl(two, `/${made.id}`))).json()
    expect(other).toEqual({ ...made, title: 'newer', can_push: false })
    const beside = (await world.as('owner').get(keysUrl(one, `/${another.id}`))).json()
    expect(beside).toEqual(another)
  })

  it('refuses nothing at all, a blank title and a key of elsewhere', async () => {
    const made = (await add(world.projects.shut)).json()
    const url = keysUrl(world.projects.shut, `/${made.id}`)
    for (const [body, status, expected] of [
      [{}, 400, { error: 'title, can_push are missing, at least one parameter must be provided' }],
      [{ title: '' }, 400, { message: { 'deploy_key.title': ["can't be blank"] } }],
    ] as const) {
      const answer = await world.as('maintainer').put(url, body)
      expect([answer.statusCode, answer.json()]).toEqual([status, expected])
    }
    const elsewhere = keysUrl(world.projects.open, `/${made.id}`)
    const answer = await world.as('maintainer').put(elsewhere, { title: 'x' })
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
  })
})

describe('POST /projects/:id/deploy_keys/:key_id/enable', () => {
  it.each(everywhere)('answers %s of the %s project with %i', async (who, place, status) => {
    const { id } = (await add(world.projects[place])).json()
    const url = keysUrl(world.projects[place], `/${id}/enable`)
    expect((await world.as(who).post(url)).statusCode).toBe(status)
  })

  it('enables a key of another project, without the right to push, and once', async () => {
    const project = await world.newProject()
    const made = (await add(world.projects.shut, { can_push: true })).json()
    const url = keysUrl(project, `/${made.id}/enable`)
    for (let times = 0; times < 2; times++) {
      const answer = await world.as('maintainer').post(url)
      expect([answer.statusCode, answer.json()]).toEqual([201, { ...made, can_push: false }])
    }
    expect((await world.as('owner').get(keysUrl(project))).json()).toHaveLength(1)
  })

  it('takes Maintainers of the other project, not its Developers', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    const made = (await add(one)).json()
    const statuses: number[] = []
    for (const access_level of [30, 40]) {
      const { user, client } = await world.newUser()
      const member = { user_id: user.id, access_level }
      await world.as('owner').post(`/projects/${one.id}/members`, member)
      await world.as('owner').post(`/projects/${two.id}/members`, { ...member, access_level: 40 })
      statuses.push((await client.post(keysUrl(two, `/${made.id}/enable`))).statusCode)
    }
    expect(statuses).toEqual([404, 201])
  })

  it("finds neither a stranger's key, nor a user's own, nor none", async () => {
    const stranger = await world.newUser()
    const { id } = (await stranger.client.post('/projects', { name: 'own' })).json()
    const body = { title: 't', key: newKey() }
    const theirs = (await stranger.client.post(`/projects/${id}/deploy_keys`, body)).json()
    const own = await world.as('maintainer').post('/user/keys', { title: 't', key: newKey() })
    for (const keyId of [theirs.id, own.json().id, 999_999]) {
      const url = keysUrl(world.projects.shut, `/${keyId}/enable`)
      const answer = await world.as('maintainer').post(url)
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { message: '404 Deploy Key Not Found' },
      ])
    }
    const ofUser = keysUrl(world.projects.shut, `/${own.json().id}/enable`)
    expect((await world.as('admin').post(ofUser)).statusCode).toBe(404)
    const url = keysUrl(world.projects.shut, `/${theirs.id}/enable`)
    expect((await world.as('admin').post(url)).statusCode).toBe(201)
  })
})

describe('DELETE /projects/:id/deploy_keys/:key_id', () => {
  it.each(everywhere)('answers %s of the %s project with %i', async (who, place, status) => {
    const { id } = (await add(world.projects[place])).json()
    const url = keysUrl(world.projects[place], `/${id}`)
    expect((await world.as(who).delete(url)).statusCode).toBe(status)
  })

  it('takes the key from this project, and removes it with its last one', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    const { id, key } = (await add(one)).json()
    await add(two, { key })
    const another = (await add(one)).json()
    const remove = (project: Project) => world.as('maintainer').delete(keysUrl(project, `/${id}`))
    expect((await remove(one)).statusCode).toBe(204)
    const again = await remove(one)
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Deploy Key Not Found' }])
    expect((await world.as('admin').get(`/keys/${id}`)).statusCode).toBe(200)
    expect((await remove(two)).statusCode).toBe(204)
    expect((await world.as('admin').get(`/keys/${id}`)).statusCode).toBe(404)
    expect((await world.as('owner').get(keysUrl(one))).json()).toEqual([another])
  })
})

describe('GET and POST /deploy_keys', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answer %s with %i', async (who, status) => {
    const posted = await world.as(who).post('/deploy_keys', { title: 't', key: newKey() })
    const listed = await world.as(who).get('/deploy_keys')
    expect([posted.statusCode, listed.statusCode]).toEqual([status, status])
  })

  it('offer public keys to every Maintainer, who cannot rename them', async () => {
    const key = newKey()
    const answer = await world.as('admin').post('/deploy_keys', { title: 'all', key })
    expect(answer.statusCode).toBe(201)
    const made = answer.json()
    expect(made).toEqual({
      id: expect.any(Number),
      title: 'all',
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: null,
      key,
      fingerprint: expect.any(String),
      fingerprint_sha256: expect.any(String),
      public: true,
      projects_with_write_access: [],
      projects_with_readonly_access: [],
    })
    const url = keysUrl(world.projects.shut, `/${made.id}`)
    expect((await world.as('maintainer').post(`${url}/enable`)).statusCode).toBe(201)
    const renamed = await world.as('maintainer').put(url, { title: 'mine' })
    expect([renamed.statusCode, renamed.json()]).toEqual([403, { message: '403 Forbidden' }])
    const pushing = await world.as('maintainer').put(url, { can_push: true })
    expect(pushing.json()).toMatchObject({ title: 'all', can_push: true })
    expect((await world.as('admin').put(url, { title: 'ours' })).json().title).toBe('ours')
    expect((await world.as('maintainer').delete(url)).statusCode).toBe(204)
    const found = await world.as('admin').get(`/keys/${made.id}`)
    expect(found.json()).toMatchObject({ title: 'ours', deploy_keys_projects: [] })
    const bad = await world.as('admin').post('/deploy_keys', { title: '', key })
    expect(bad.json()).toEqual({ message: { title: ["can't be blank"] } })
  })

  it('list all that open anything, with totals', async () => {
    const [reading, writing] = [await world.newProject(), await world.newProject()]
    const { can_push: _, ...key } = (await add(reading)).json()
    await add(writing, { key: key.key, can_push: true })
    const identityOf = ({ id, name, path, full_name, full_path }: typeof reading) => ({
      id,
      description: null,
      name,
      name_with_namespace: full_name,
      path,
      path_with_namespace: full_path,
      created_at: '2026-03-01T12:00:00.000Z',
    })
    const made = {
      ...key,
      public: false,
      projects_with_write_access: [identityOf(writing)],
      projects_with_readonly_access: [identityOf(reading)],
    }
    const shared = await world.as('admin').post('/deploy_keys', { title: 'all', key: newKey() })
    const list = async (query: string) =>
      (await world.as('admin').get(`/deploy_keys?per_page=100&${query}`)).json()
    expect(await list('')).toContainEqual(made)
    expect(await list('')).toContainEqual(shared.json())
    expect(await list('public=true')).toContainEqual(shared.json())
    expect(await list('public=true')).not.toContainEqual(made)
    expect(await list('public=false')).not.toContainEqual(shared.json())
    const lone = await world.newProject()
    const { id: loneId } = (await add(lone)).json()
    for (const { id } of [reading, lone]) await world.as('owner').delete(`/projects/${id}`)
    expect(await list('')).toContainEqual({ ...made, projects_with_readonly_access: [] })
    await world.app.worker.drain()
    expect(JSON.stringify(await list(''))).not.toContain(`"id":${loneId},`)
    const users = await world.as('guest').post('/user/keys', { title: 'k', key: newKey() })
    const ids = (await list('')).map(({ id }: { id: number }) => id)
    expect(ids).not.toContain(users.json().id)
    const counted = await world.app.count(() => list(''))
    expect(counted).toMatchObject({ queries: 4, processes: 0 })
    const page = await world.as('admin').get('/deploy_keys?per_page=1')
    expect(page.headers['x-total']).toBe(String(ids.length))
  })

  it('show administrators whose a deploy key is and where it is enabled', async () => {
    const project = await world.newProject()
    const made = (await add(project, { can_push: true })).json()
    const answer = await world.as('admin').get(`/keys/${made.id}`)
    expect(answer.json()).toMatchObject({
      title: 'server',
      user: { username: world.users.maintainer.username },
      deploy_keys_projects: [
        { deploy_key_id: made.id, project_id: project.id, can_push: true, id: expect.any(Number) },
      ],
    })
  })
})
