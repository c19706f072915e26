import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { enqueueProjectVerifications } from '../../repository/maintenance/verify-project.ts'

let app: TestApp
let world: World
// A database of its own: the list shows everything there is.
beforeAll(async () => {
  app = await startApp()
  world = await newWorld(app)
  return () => app.close()
})

const idsOf = async (client: Client, url: string): Promise<number[]> =>
  (await client.get(url)).json().map(({ id }: { id: number }) => id)

describe('GET /projects', () => {
  it('shows each caller what they see, newest first', async () => {
    const { open, inside, shut } = world.projects
    expect(await idsOf(world.as('anonymous'), '/projects')).toEqual([open.id])
    expect(await idsOf(world.as('outsider'), '/projects')).toEqual([inside.id, open.id])
    expect(await idsOf(world.as('guest'), '/projects')).toEqual([shut.id, inside.id, open.id])
    expect(await idsOf(world.as('admin'), '/projects')).toEqual([shut.id, inside.id, open.id])
    const { client } = await world.newUser({ external: true })
    expect(await idsOf(client, '/projects')).toEqual([open.id])
  })

  it.each([
    ['anonymous', '1'],
    ['outsider', '2'],
    ['guest', '3'],
    ['admin', '3'],
  ] as const)('counts for %s only what they see, and each once: %s', async (who, total) => {
    // A page that holds all of them would not be counted.
    const page = await world.as(who).get('/projects?per_page=1')
    expect(page.headers['x-total']).toBe(total)
  })

  it('is simple for an anonymous caller and on demand, else full', async () => {
    const keys = async (who: 'anonymous' | 'guest', query = '') =>
      Object.keys((await world.as(who).get(`/projects${query}`)).json().at(-1))
    const simple = [
      'id',
      'description',
      'name',
      'name_with_namespace',
      'path',
      'path_with_namespace',
      'created_at',
      'default_branch',
      'tag_list',
      'topics',
      'ssh_url_to_repo',
      'http_url_to_repo',
      'web_url',
      'readme_url',
      'forks_count',
      'avatar_url',
      'star_count',
      'last_activity_at',
      'namespace',
    ]
    expect(await keys('anonymous')).toEqual(simple)
    expect(await keys('guest', '?simple=true')).toEqual(simple)
    const one = (await world.as('guest').get(`/projects/${world.projects.open.id}`)).json()
    const list = (await world.as('guest').get('/projects')).json()
    expect(list.at(-1)).toEqual(one)
  })

  it('finds by a feature whom it is open to', async () => {
    const place = await world.newProject({ group: world.groups.open })
    const admin = world.as('admin')
    const features = {
      issues: 'with_issues_enabled',
      merge_requests: 'with_merge_requests_enabled',
    }
    for (const [feature, filter] of Object.entries(features)) {
      const asked = `/projects?${filter}=true&id_after=${place.id - 1}`
      const shown = async (access: string) => {
        await admin.put(`/projects/${place.id}`, { [`${feature}_access_level`]: access })
        const callers = ['anonymous', 'outsider', 'guest', 'admin'] as const
        return Promise.all(
          callers.map(async (who) => {
            const [found] = await idsOf(world.as(who), asked)
            const { _links } = (await world.as(who).get(`/projects/${place.id}`)).json()
            expect(feature in _links).toBe(found === place.id)
            return found === place.id
          }),
        )
      }
      expect(await shown('enabled')).toEqual([true, true, true, true])
      expect(await shown('private')).toEqual([false, false, true, true])
      expect(await shown('disabled')).toEqual([false, false, false, false])
      const any = `/projects?${filter}=false&id_after=${place.id - 1}`
      expect(await idsOf(world.as('outsider'), any)).toEqual([place.id])
    }
    await admin.delete(`/projects/${place.id}`)
  })

  it('filters', async () => {
    const { open, inside, shut } = world.projects
    const own = await world.as('outsider').post('/projects', {
      name: 'Särch me',
      description: 'A needle in it',
      topics: ['Red', 'blue'],
    })
    const mine = own.json().id
    const as = (who: 'guest' | 'outsider' | 'admin') => (query: string) =>
      idsOf(world.as(who), `/projects?${query}`)
    expect(await as('outsider')('membership=true')).toEqual([mine])
    expect(await as('outsider')('owned=true')).toEqual([mine])
    expect(await as('guest')('membership=true')).toEqual([shut.id, inside.id, open.id])
    expect(await as('guest')('min_access_level=20')).toEqual([])
    expect(await as('outsider')('min_access_level=50')).toEqual([mine])
    expect(await as('guest')('visibility=internal')).toEqual([inside.id])
    expect(await as('guest')('archived=true')).toEqual([])
    const refused = await world.as('guest').get('/projects?archived[toString]=1')
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: 'archived is invalid' }])
    expect(await as('guest')(`id_after=${open.id}&id_before=${shut.id}`)).toEqual([inside.id])
    expect(await as('outsider')('search=NEEDLE')).toEqual([mine])
    expect(await as('outsider')('search=ne')).toEqual([])
    expect(await as('outsider')('search=%25')).toEqual([])
    expect(await as('outsider')(`search=${world.users.outsider.username}`)).toEqual([])
    expect(
      await as('outsider')(`search=${world.users.outsider.username}&search_namespaces=true`),
    ).toEqual([mine])
    expect(await as('outsider')('topic=red,Blue')).toEqual([mine])
    expect(await as('outsider')('topic=red,green')).toEqual([])
    expect(await as('outsider')('last_activity_after=2026-03-01T12:00:00Z')).toEqual([
      mine,
      inside.id,
      open.id,
    ])
    expect(await as('outsider')('last_activity_after=2026-03-01T12:00:01Z')).toEqual([])
    expect(await as('outsider')('last_activity_before=2026-03-01T11:59:59Z')).toEqual([])
    expect(await as('admin')('repository_storage=other')).toEqual([])
    expect(await as('outsider')('repository_storage=other')).toEqual([mine, inside.id, open.id])
    expect(await as('outsider')('starred=true')).toEqual([])
    expect(await idsOf(world.as('anonymous'), '/projects?membership=true')).toEqual([])
    await world.as('outsider').delete(`/projects/${mine}`)
    await app.worker.drain()
  })

  it('orders by every column, both ways, ties by id', async () => {
    const { open, inside, shut } = world.projects
    const rising = [open.id, inside.id, shut.id]
    for (const column of ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']) {
      const list = (sort: string) =>
        idsOf(world.as('guest'), `/projects?order_by=${column}&sort=${sort}`)
      expect([column, await list('asc')]).toEqual([column, rising])
      expect([column, await list('desc')]).toEqual([column, rising.toReversed()])
    }
  })

  it('finds projects by a language they are written in', async () => {
    const made = await world.newProject({ files: { 'a.rs': 'fn main() {}\n', 'b.txt': 'text' } })
    await app.worker.drain()
    app.clock.advance(60_000)
    await app.worker.drain()
    const list = (query: string) => idsOf(world.as('guest'), `/projects?${query}`)
    expect(await list('with_programming_language=rust')).toEqual([made.id])
    expect(await list('with_programming_language=Rus')).toEqual([])
    expect(await list('with_programming_language=Text')).toEqual([])
    await world.as('owner').delete(`/projects/${made.id}`)
    await app.worker.drain()
  })

  it('puts what is most like the search first, among the projects one is a member of', async () => {
    const { user, client } = await world.newUser()
    const make = async (name: string, path: string) =>
      (await client.post('/projects', { name, path, description: 'furnace' })).json().id
    const [last, third, second, first] = [
      await make('Something', 'else'),
      await make('The furnace', 'the-furnace'),
      await make('Furnaces', 'furnaces'),
      await make('Furnace', 'furnace'),
    ]
    const list = (query: string) => idsOf(client, `/projects?search=furnace&${query}`)
    expect(await list('order_by=similarity')).toEqual([first, second, third, last])
    expect(await list('order_by=similarity&sort=asc')).toEqual([last, third, second, first])
    const root = app.client(rootToken)
    expect(await idsOf(root, '/projects?search=furnace&order_by=similarity')).toEqual([])
    // In one's own namespace, of whoever looks.
    const own = (query: string) => idsOf(root, `/users/${user.id}/projects?${query}`)
    expect(await own('search=furnace&order_by=similarity')).toEqual([first, second, third, last])
    // Without a search, or for nobody in particular, it is the usual order.
    expect(await idsOf(client, '/projects?order_by=similarity&owned=true')).toEqual(
      [last, third, second, first].toReversed(),
    )
    expect(await idsOf(world.as('anonymous'), '/projects?search=o&order_by=similarity')).toEqual([])
    for (const id of [first, second, third, last]) await client.delete(`/projects/${id}`)
    await app.worker.drain()
    expect(user.id).toBeGreaterThan(0)
  })

  it('orders by size for administrators, and as ever for others', async () => {
    const { open, inside, shut } = world.projects
    const sizes = [
      { project_id: open.id, repository_size: 30, lfs_objects_size: 0 },
      { project_id: inside.id, repository_size: 20, lfs_objects_size: 50 },
      { project_id: shut.id, repository_size: 40, lfs_objects_size: 0 },
    ]
    for (const { project_id, ...values } of sizes) {
      await app.db
        .updateTable('project_statistics')
        .set(values)
        .where('project_id', '=', project_id)
        .execute()
    }
    const root = app.client(rootToken)
    const usual = [shut.id, inside.id, open.id]
    for (const [by, expected] of [
      ['repository_size', [shut.id, open.id, inside.id]],
      ['storage_size', [inside.id, shut.id, open.id]],
      ['wiki_size', usual],
      ['packages_size', usual],
    ] as const) {
      expect([by, await idsOf(root, `/projects?order_by=${by}`)]).toEqual([by, expected])
      const reverse = expected.toReversed()
      expect(await idsOf(root, `/projects?order_by=${by}&sort=asc`)).toEqual(reverse)
      expect(await idsOf(world.as('guest'), `/projects?order_by=${by}`)).toEqual(usual)
    }
  })

  it('finds the projects whose repository was found damaged', async () => {
    const made = await world.newProject({ files: { a: 'a'.repeat(1000) } })
    const list = (query: string) => idsOf(app.client(rootToken), `/projects?${query}`)
    const verify = async () => {
      app.clock.advance(31 * 24 * 60 * 60_000)
      await enqueueProjectVerifications({ db: app.db, clock: app.clock.now })
      await app.worker.drain()
    }
    await verify()
    expect(await list('repository_checksum_failed=true')).toEqual([])
    const objects = join(projectRepository(app.config, made).path, 'objects')
    const names = readdirSync(objects, { recursive: true, encoding: 'utf8' })
    const damaged = join(objects, names.find((name) => /^..\/.{38}$/.test(name)) ?? '')
    chmodSync(damaged, 0o644)
    writeFileSync(damaged, readFileSync(damaged).fill(7, 10))
    await verify()
    expect(await list('repository_checksum_failed=true')).toEqual([made.id])
    expect(await list('wiki_checksum_failed=true')).toEqual([])
    const { problem } = await app.db
      .selectFrom('project_verifications')
      .select('problem')
      .where('project_id', '=', made.id)
      .executeTakeFirstOrThrow()
    expect(problem).toMatch(/error/)
    await world.as('owner').delete(`/projects/${made.id}`)
    await app.worker.drain()
  })

  it.each([
    ['order_by=size', 400, { error: 'order_by does not have a valid value' }],
    ['visibility=secret', 400, { error: 'visibility does not have a valid value' }],
    ['min_access_level=15', 400, { error: 'min_access_level does not have a valid value' }],
    ['per_page=0', 400, { error: 'per_page has a value not allowed' }],
    ['page=x', 400, { error: 'page is invalid' }],
    [
      'pagination=keyset',
      405,
      { error: 'Keyset pagination is not yet available for this type of request' },
    ],
    [
      'page=501&per_page=100',
      405,
      {
        error:
          'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.',
      },
    ],
  ])('answers %s with %i', async (query, status, body) => {
    const answer = await world.as('guest').get(`/projects?${query}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('walks by page numbers', async () => {
    const answer = await world.as('guest').get('/projects?per_page=2&page=2&sort=asc')
    expect(answer.json().map(({ id }: { id: number }) => id)).toEqual([world.projects.shut.id])
    expect(answer.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '2',
      'x-page': '2',
      'x-per-page': '2',
      'x-prev-page': '1',
      'x-next-page': '',
    })
    const base = 'http://bloomery.test/api/v4/projects?order_by=created_at'
    const rest = 'per_page=2&search_namespaces=false&sort=asc'
    expect(answer.headers.link).toBe(
      [
        `<${base}&page=1&${rest}>; rel="prev"`,
        `<${base}&page=1&${rest}>; rel="first"`,
        `<${base}&page=2&${rest}>; rel="last"`,
      ].join(', '),
    )
  })

  it('walks by keys to the end', async () => {
    const seen: number[] = []
    let url: string | undefined =
      '/api/v4/projects?pagination=keyset&order_by=id&sort=asc&per_page=2'
    const links: (string | undefined)[] = []
    while (url) {
      const answer: { json: () => { id: number }[]; headers: Record<string, unknown> } = await world
        .as('guest')
        .get(url)
      seen.push(...answer.json().map(({ id }) => id))
      expect(answer.headers['x-total']).toBeUndefined()
      expect(answer.headers['x-page']).toBeUndefined()
      const link = answer.headers.link as string | undefined
      links.push(link)
      url = /<http:\/\/bloomery\.test([^>]+)>; rel="next"/.exec(link ?? '')?.[1]
    }
    const { open, inside, shut } = world.projects
    expect(seen).toEqual([open.id, inside.id, shut.id])
    expect(links.map((link) => link !== undefined)).toEqual([true, true, false])
  })

  it('asks the same few queries for any page, and no process once tended', async () => {
    app.clock.advance(60_000)
    await app.worker.drain()
    const root = app.client(rootToken)
    await root.get('/projects')
    // The caller, the ids, the records; and the total, unless the page ends the list.
    expect(await app.count(() => root.get('/projects'))).toEqual({ queries: 3, processes: 0 })
    for (const per_page of [1, 2]) {
      const counted = await app.count(() => root.get(`/projects?per_page=${per_page}`))
      expect(counted).toEqual({ queries: 4, processes: 0 })
    }
  })
})

describe('GET /users/:user_id/projects', () => {
  it("lists the user's own namespace only, by id or name", async () => {
    const { user, client } = await world.newUser()
    const mine = (await client.post('/projects', { name: 'Mine', visibility: 'public' })).json().id
    const hidden = (await client.post('/projects', { name: 'Hidden' })).json().id
    for (const key of [user.id, user.username.toUpperCase()]) {
      expect(await idsOf(world.as('anonymous'), `/users/${key}/projects`)).toEqual([mine])
      expect(await idsOf(client, `/users/${key}/projects`)).toEqual([hidden, mine])
    }
    const absent = await world.as('guest').get('/users/nobody/projects')
    expect(absent.statusCode).toBe(404)
    expect(absent.json()).toEqual({ message: '404 User Not Found' })
  })
})
