import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urls = {
  link_url: 'https://ci.test/%{project_path}/%{project_id}?b=%{default_branch}&x=%{unknown}',
  image_url: 'https://ci.test/%{commit_sha}.svg',
}

/** Whose badges a test is about, and who may just write them. */
const owners = [
  ['projects', 'maintainer', 'developer'],
  ['groups', 'owner', 'maintainer'],
] as const

/** A group with one project of one commit, and where the badges of the one or the other are. */
async function newPlace(kind: 'projects' | 'groups') {
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group, files: { a: 'a' } })
  const commit = await world.as('owner').get(`/projects/${project.id}/repository/commits/main`)
  const id = kind === 'projects' ? project.id : group.id
  return { group, project, sha: commit.json().id as string, url: `/${kind}/${id}/badges` }
}

describe.each(owners)('Badges of %s', (kind, lowest, tooLow) => {
  it('are made, listed, shown, changed and removed', async () => {
    const { project, sha, url } = await newPlace(kind)
    const client = world.as(lowest)
    const made = await client.post(url, urls)
    const record = {
      name: null,
      ...urls,
      rendered_link_url: `https://ci.test/${project.full_path}/${project.id}?b=main&x=%{unknown}`,
      rendered_image_url: `https://ci.test/${sha}.svg`,
      id: expect.any(Number),
      kind: kind.slice(0, -1),
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const { id } = made.json()
    const shown = await world.as('guest').get(`${url}/${id}`)
    expect([shown.statusCode, shown.json().id]).toEqual([200, id])
    const changed = await client.put(`${url}/${id}`, {
      name: 'Build',
      image_url: 'http://localhost:8080/x.svg',
    })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      {
        ...record,
        name: 'Build',
        image_url: 'http://localhost:8080/x.svg',
        rendered_image_url: 'http://localhost:8080/x.svg',
      },
    ])
    const list = await client.get(url)
    expect([list.statusCode, list.json(), list.headers['x-total']]).toEqual([
      200,
      [changed.json()],
      '1',
    ])
    for (const [name, count] of [
      ['Build', 1],
      ['build', 0],
    ] as const) {
      expect((await client.get(`${url}?name=${name}`)).json()).toHaveLength(count)
    }
    const gone = await client.delete(`${url}/${id}`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    const again = await client.get(`${url}/${id}`)
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('are tried out before they are made', async () => {
    const { project, sha, url } = await newPlace(kind)
    const answer = await world.as(lowest).get(`${url}/render?${new URLSearchParams(urls)}`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        name: null,
        ...urls,
        rendered_link_url: `https://ci.test/${project.full_path}/${project.id}?b=main&x=%{unknown}`,
        rendered_image_url: `https://ci.test/${sha}.svg`,
      },
    ])
    const missing = await world.as(lowest).get(`${url}/render`)
    expect([missing.statusCode, missing.json()]).toEqual([
      400,
      { error: 'link_url is missing, image_url is missing' },
    ])
  })

  it.each([
    [{ link_url: 'https://x.test' }, { error: 'image_url is missing' }],
    [
      { link_url: 'whatever', image_url: 'ftp://x.test/a' },
      {
        message: {
          link_url: ['is blocked: Only allowed schemes are http, https'],
          image_url: ['is blocked: Only allowed schemes are http, https'],
        },
      },
    ],
    [
      { link_url: '', image_url: 'http://[' },
      { message: { link_url: ['must be a valid URL'], image_url: ['must be a valid URL'] } },
    ],
    [
      { link_url: 'javascript:alert(1)', image_url: 'https://x.test' },
      { message: { link_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { ...urls, link_url: `https://x.test/${'a'.repeat(2048)}`, name: 'n'.repeat(256) },
      {
        message: {
          link_url: ['is too long (maximum is 2048 characters)'],
          name: ['is too long (maximum is 255 characters)'],
        },
      },
    ],
  ])('refuse %j', async (body, problems) => {
    const { url } = await newPlace(kind)
    const answer = await world.as(lowest).post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problems])
  })

  it('are changed by no other address than a good one', async () => {
    const { url } = await newPlace(kind)
    const { id } = (await world.as(lowest).post(url, urls)).json()
    const answer = await world.as(lowest).put(`${url}/${id}`, { image_url: 'whatever' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { image_url: ['is blocked: Only allowed schemes are http, https'] } },
    ])
    expect((await world.as(lowest).put(`${url}/${id}`, {})).statusCode).toBe(200)
  })

  it('go only if unmodified, when asked so', async () => {
    const { url } = await newPlace(kind)
    const { id } = (await world.as(lowest).post(url, urls)).json()
    const unless = (since: string) =>
      world.as(lowest).delete(`${url}/${id}`, undefined, {
        headers: { 'if-unmodified-since': since },
      })
    const refused = await unless('Sun, 01 Mar 2026 11:59:59 GMT')
    expect([refused.statusCode, refused.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ])
    expect((await unless('Sun, 01 Mar 2026 12:00:00 GMT')).statusCode).toBe(204)
  })

  it('are written by nobody below', async () => {
    const { url } = await newPlace(kind)
    const { id } = (await world.as(lowest).post(url, urls)).json()
    const noun = kind === 'projects' ? 'Project' : 'Group'
    for (const [who, status, message] of [
      ['anonymous', 401, '401 Unauthorized'],
      ['outsider', 404, `404 ${noun} Not Found`],
      [tooLow, 403, '403 Forbidden'],
    ] as const) {
      const client = world.as(who)
      for (const answer of [
        await client.post(url, urls),
        await client.put(`${url}/${id}`, urls),
        await client.delete(`${url}/${id}`),
        await client.get(`${url}/render?${new URLSearchParams(urls)}`),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
      }
    }
    const hidden = await world.as('anonymous').get(url)
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: `404 ${noun} Not Found` }])
  })

  it('take as many queries for many as for one', async () => {
    const { url } = await newPlace(kind)
    const list = () => world.app.count(() => world.as('guest').get(url))
    await world.as(lowest).post(url, urls)
    await list()
    const { queries } = await list()
    for (let made = 0; made < 5; made++) await world.as(lowest).post(url, urls)
    expect((await list()).queries).toBe(queries)
  })
})

describe('Badges', () => {
  it('of a group are shown by its projects, and changed by the group alone', async () => {
    const { group, project, url } = await newPlace('projects')
    const { id } = (await world.as('owner').post(`/groups/${group.id}/badges`, urls)).json()
    const own = (await world.as('owner').post(url, urls)).json()
    const list = (await world.as('reporter').get(url)).json()
    expect(list.map(({ kind }: { kind: string }) => kind)).toEqual(['group', 'project'])
    expect(list[0].rendered_link_url).toContain(`/${project.full_path}/`)
    expect((await world.as('reporter').get(`${url}/${id}`)).json()).toEqual(list[0])
    for (const answer of [
      await world.as('owner').put(`${url}/${id}`, { name: 'mine' }),
      await world.as('owner').delete(`${url}/${id}`),
      await world.as('owner').put(`/groups/${group.id}/badges/${own.id}`, { name: 'mine' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it('of a group tell of the oldest project the caller sees, or of none', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const url = `/groups/${group.id}/badges`
    await world.as('admin').post(url, urls)
    const shown = async () => (await world.as('anonymous').get(url)).json()[0]
    expect(await shown()).toMatchObject({
      rendered_link_url: urls.link_url,
      rendered_image_url: urls.image_url,
    })
    const hidden = await world.newProject({ group, visibility: 'private', files: { a: 'a' } })
    world.app.clock.advance(1000)
    const open = await world.newProject({ group, visibility: 'public' })
    world.app.clock.advance(1000)
    const next = await world.newProject({ group, visibility: 'public', files: { a: 'a' } })
    expect(await shown()).toMatchObject({
      rendered_link_url: expect.stringContaining(`/${open.full_path}/`),
      rendered_image_url: urls.image_url,
    })
    const [badge] = (await world.as('admin').get(url)).json()
    expect(badge.rendered_link_url).toContain(`/${hidden.full_path}/`)
    expect((await world.as('admin').delete(`/projects/${open.id}`)).statusCode).toBe(202)
    expect((await shown()).rendered_link_url).toContain(`/${next.full_path}/`)
  })

  it('of a group are read by strangers where the group is public', async () => {
    const answer = await world.as('anonymous').get(`/groups/${world.groups.open.id}/badges`)
    expect([answer.statusCode, answer.json()]).toEqual([200, []])
  })

  it('of an archived project stay as they are', async () => {
    const { project, url } = await newPlace('projects')
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('owner').post(url, urls)).statusCode).toBe(403)
    expect((await world.as('owner').get(url)).statusCode).toBe(200)
  })

  it('end at 1000 of one group', async () => {
    const { group, url } = await newPlace('groups')
    const now = '2026-03-01T12:00:00.000Z'
    const row = { namespace_id: group.id, ...urls, created_at: now, updated_at: now }
    await world.app.db
      .insertInto('badges')
      .values(Array.from({ length: 1000 }, () => row))
      .execute()
    const answer = await world.as('owner').post(url, urls)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of badges (1000) exceeded'] } },
    ])
  })
})
