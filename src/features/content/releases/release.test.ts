import { beforeAll, describe, expect, it } from 'vitest'
import { takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { multipart } from '../../../../test/kit/form.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { authenticateJobToken } from '../../delivery/jobs/job-token.ts'
import { reloadActor } from '../../people/credentials/credential.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const files = { 'README.md': '# Readme\n' }
const link = { name: 'app', url: 'https://files.test/app.zip', filepath: '/bin/app.zip' }

/** A project with a release, and where it is. */
async function newRelease(body: object = {}, options: Parameters<World['newProject']>[0] = {}) {
  const project = await world.newProject({ files, ...options })
  const url = `/projects/${project.id}/releases`
  const made = await world.as('developer').post(url, { tag_name: 'v1.0', ref: 'main', ...body })
  expect(made.statusCode).toBe(201)
  return { project, url, made: made.json() }
}

function page(path: string, token?: string) {
  const headers = { host: 'bloomery.test', ...(token ? { 'private-token': token } : {}) }
  return world.app.server.inject({ url: path, headers })
}

describe('A file of a release', () => {
  it('is found at any address', async () => {
    const links = [{ ...link, url: 'https://files.test/\r\nü☃.zip' }]
    const { project, url } = await newRelease({ assets: { links } })
    for (const answer of [
      await world.as('developer').get(`${url}/v1.0/downloads/bin/app.zip`),
      await page(
        `/${project.full_path}/-/releases/v1.0/downloads/bin/app.zip`,
        world.token('developer'),
      ),
    ]) {
      expect([answer.statusCode, answer.headers.location]).toEqual([
        302,
        'https://files.test/%C3%BC%E2%98%83.zip',
      ])
    }
  })
})

describe('A release', () => {
  it('is made with its tag, and shown with all it is made of', async () => {
    const { project, url, made } = await newRelease({
      name: 'One',
      description: 'Notes',
      assets: { links: [link, { name: 'site', url: 'https://x.test' }] },
    })
    const { developer } = world.users
    const web = `http://bloomery.test/${project.full_path}`
    const self = `${web}/-/releases/v1.0`
    const head = (
      await world.as('developer').get(`/projects/${project.id}/repository/commits/main`)
    ).json()
    const { stats: _, status: __, last_pipeline: ___, project_id: ____, ...plain } = head
    expect(made).toEqual({
      name: 'One',
      tag_name: 'v1.0',
      description: 'Notes',
      created_at: '2026-03-01T12:00:00.000Z',
      released_at: '2026-03-01T12:00:00.000Z',
      author: {
        id: developer.id,
        username: developer.username,
        name: developer.name,
        state: 'active',
        avatar_url: null,
        web_url: `http://bloomery.test/${developer.username}`,
      },
      commit: { ...plain, trailers: {} },
      upcoming_release: false,
      commit_path: `/${project.full_path}/-/commit/${head.id}`,
      tag_path: `/${project.full_path}/-/tags/v1.0`,
      assets: {
        count: 6,
        sources: ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
          format,
          url: `${web}/-/archive/v1.0/${project.path}-v1.0.${format}`,
        })),
        links: [
          {
            id: expect.any(Number),
            name: 'site',
            url: 'https://x.test',
            direct_asset_url: 'https://x.test',
            external: true,
            link_type: 'other',
          },
          {
            id: expect.any(Number),
            name: 'app',
            url: link.url,
            direct_asset_url: `${self}/downloads/bin/app.zip`,
            external: true,
            link_type: 'other',
          },
        ],
      },
      evidences: [],
      _links: {
        self,
        edit_url: `${self}/edit`,
        opened_merge_requests_url: `${web}/-/merge_requests?release_tag=v1.0&scope=all&state=opened`,
        merged_merge_requests_url: `${web}/-/merge_requests?release_tag=v1.0&scope=all&state=merged`,
        closed_merge_requests_url: `${web}/-/merge_requests?release_tag=v1.0&scope=all&state=closed`,
        opened_issues_url: `${web}/-/issues?release_tag=v1.0&scope=all&state=opened`,
        closed_issues_url: `${web}/-/issues?release_tag=v1.0&scope=all&state=closed`,
      },
    })
    expect(Object.keys(made)).toEqual([
      ...['name', 'tag_name', 'description', 'created_at', 'released_at', 'author', 'commit'],
      ...['upcoming_release', 'commit_path', 'tag_path', 'assets', 'evidences', '_links'],
    ])
    const shown = await world.as('reporter').get(`${url}/v1.0`)
    const { edit_url: _edit, ..._links } = made._links
    expect([shown.statusCode, shown.json()]).toEqual([200, { ...made, _links }])
    const tag = await world.as('reporter').get(`/projects/${project.id}/repository/tags/v1.0`)
    expect(tag.json().release).toEqual({ tag_name: 'v1.0', description: 'Notes' })
    const list = await world.as('developer').get(url)
    expect([list.statusCode, list.json(), list.headers['x-total']]).toEqual([200, [made], '1'])
  })

  it('tells those who may not read the code that it is there', async () => {
    const { project, url, made } = await newRelease({ assets: { links: [link] } })
    const [shown] = (await world.as('guest').get(url)).json()
    expect(shown).toEqual({
      name: expect.stringMatching(/^Release-\d+$/),
      description: null,
      created_at: made.created_at,
      released_at: made.released_at,
      author: made.author,
      upcoming_release: false,
      assets: { count: 1, links: made.assets.links },
      _links: {},
    })
    for (const path of [`${url}/v1.0`, `${url}/permalink/latest`]) {
      const answer = await world.as('guest').get(path)
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    const hidden = await page(`/${project.full_path}/-/releases`, world.token('guest'))
    expect(hidden.statusCode).toBe(404)
  })

  it('takes a tag that is there, nulls as nothing, and a slash in its name', async () => {
    const project = await world.newProject({ files })
    const url = `/projects/${project.id}`
    await world.as('developer').post(`${url}/repository/tags`, { tag_name: 'a/b', ref: 'main' })
    const body = { tag_name: 'a/b', name: null, description: null, ref: null }
    const made = await world.as('developer').post(`${url}/releases`, body)
    expect([made.statusCode, made.json().name]).toEqual([201, 'a/b'])
    const web = `http://bloomery.test/${project.full_path}/-`
    expect(made.json()).toMatchObject({
      tag_path: `/${project.full_path}/-/tags/a%2Fb`,
      assets: { sources: [{ url: `${web}/archive/a/b/${project.path}-a-b.zip` }, {}, {}, {}] },
      _links: { self: `${web}/releases/a%2Fb` },
    })
    expect((await world.as('developer').get(`${url}/releases/a%2Fb`)).statusCode).toBe(200)
  })

  it('has an annotated tag where it says with what message', async () => {
    const { project } = await newRelease({ tag_message: 'First' })
    const tag = await world.as('developer').get(`/projects/${project.id}/repository/tags/v1.0`)
    expect(tag.json().message).toBe('First')
  })

  it.each([
    [{ ref: 'main' }, 400, { error: 'tag_name is missing' }],
    [{ tag_name: 'v1.0' }, 409, { message: 'Release already exists' }],
    [{ tag_name: 'v2', milestones: ['a', 'b'] }, 400, { message: 'Milestone(s) not found: a, b' }],
    [
      { tag_name: 'v2', milestones: 'a', milestone_ids: [1] },
      400,
      { error: 'milestones, milestone_ids are mutually exclusive' },
    ],
    [{ tag_name: 'v2' }, 422, { message: 'Ref is not specified' }],
    [{ tag_name: 'a..b', ref: 'main' }, 400, { message: 'Tag name invalid' }],
    [{ tag_name: 'v2', ref: 'gone' }, 400, { message: 'Target gone is invalid' }],
    [
      { tag_name: 'v2', ref: 'main', assets: { links: [{ name: 'n' }] } },
      400,
      { error: 'assets[links][0][url] is missing' },
    ],
    [
      { tag_name: 'v2', ref: 'main', assets: { links: [{ ...link, link_type: 'x' }] } },
      400,
      { error: 'assets[links][0][link_type] does not have a valid value' },
    ],
    [
      {
        tag_name: 'v2',
        ref: 'main',
        assets: { links: [{ name: '', url: 'file:///etc/passwd', filepath: 'a' }] },
      },
      400,
      {
        message:
          "Validation failed: Links name can't be blank, Links url is blocked: Only allowed schemes are http, https, ftp, Links filepath is in an invalid format",
      },
    ],
    [
      {
        tag_name: 'v2',
        ref: 'main',
        assets: { links: [link, { ...link, url: 'https://y.test' }] },
      },
      400,
      { message: 'Validation failed: Links have duplicate values (app, /bin/app.zip)' },
    ],
  ])('is not made of %j', async (body, status, problem) => {
    const { url } = await newRelease()
    const answer = await world.as('developer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([status, problem])
    const tag = await world.as('developer').get(`${url.replace('releases', 'repository/tags')}/v2`)
    expect(tag.statusCode).toBe(404)
  })

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const project = await world.newProject({ group: world.groups[place], files })
    const url = `/projects/${project.id}/releases`
    const made = await world.as(who).post(url, { tag_name: 'v1', ref: 'main' })
    expect(made.statusCode).toBe(status)
  })

  it('is changed, by what is given alone', async () => {
    const { url, made } = await newRelease({ name: 'One', description: 'Notes' })
    world.app.clock.advance(1000)
    const body = { name: null, description: 'More', released_at: '2030-01-01', unknown: 1 }
    const changed = await world.as('developer').put(`${url}/v1.0`, body)
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      {
        ...made,
        description: 'More',
        released_at: '2030-01-01T00:00:00.000Z',
        upcoming_release: true,
      },
    ])
    const empty = await world.as('developer').put(`${url}/v1.0`, { unknown: 1 })
    expect([empty.statusCode, empty.json()]).toEqual([400, { message: 'params is empty' }])
    const none = await world.as('developer').put(`${url}/v9`, { name: 'n' })
    expect([none.statusCode, none.json()]).toEqual([403, { message: '403 Forbidden' }])
    expect((await world.as('reporter').put(`${url}/v1.0`, { name: 'n' })).statusCode).toBe(403)
  })

  it('has no milestones for who may not see those of the project', async () => {
    const project = await world.newProject({ group: world.groups.open, files })
    const url = `/projects/${project.id}`
    const { id: milestone_id } = (
      await world.as('owner').post(`${url}/milestones`, { title: 'M1' })
    ).json()
    for (const more of [{ milestone_id }, { milestone_id, confidential: true }, {}])
      await world.as('owner').post(`${url}/issues`, { title: 'An issue', ...more })
    const body = { tag_name: 'v1', ref: 'main', milestones: ['M1'] }
    await world.as('owner').post(`${url}/releases`, body)
    const get = async (who: 'outsider' | 'guest' | 'reporter') =>
      (await world.as(who).get(`${url}/releases/v1`)).json()
    const counted = (total: number) => ({ milestones: [{ issue_stats: { total, closed: 0 } }] })
    expect(await get('outsider')).toMatchObject(counted(1))
    expect(await get('reporter')).toMatchObject(counted(2))
    const members = { issues_access_level: 'private', merge_requests_access_level: 'private' }
    await world.as('owner').put(url, members)
    expect(await get('outsider')).not.toHaveProperty('milestones')
    expect(await get('outsider')).toMatchObject({ tag_name: 'v1' })
    expect(await get('guest')).toHaveProperty('milestones')
  })

  it('has milestones of its project and the groups above, with their issues counted', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group, files })
    const url = `/projects/${project.id}`
    const post = (path: string, body: object) => world.as('owner').post(path, body)
    const own = (await post(`${url}/milestones`, { title: 'M1' })).json()
    const above = (await post(`/groups/${group.id}/milestones`, { title: 'M2' })).json()
    const made = await post(`${url}/releases`, {
      tag_name: 'v1',
      ref: 'main',
      milestones: ['M1', 'M2'],
    })
    const issue_stats = { total: 0, closed: 0 }
    expect(made.json().milestones).toEqual([
      { ...own, issue_stats },
      { ...above, issue_stats },
    ])
    const other = await world.newProject({ group, files })
    const elsewhere = { title: 'An issue', milestone_id: above.id }
    await post(`/projects/${other.id}/issues`, elsewhere)
    const sides = { source_branch: 'main', target_branch: 'next', milestone_id: own.id }
    await post(`${url}/merge_requests`, { title: 'No issue', ...sides })
    for (const title of ['one', 'two']) {
      await post(`${url}/issues`, { title, milestone_id: own.id })
      await world.as('owner').put(`${url}/issues/1`, { state_event: 'close' })
    }
    const stats = async () => {
      const { milestones } = (await world.as('owner').get(`${url}/releases/v1`)).json()
      return milestones.map((one: { issue_stats: object }) => one.issue_stats)
    }
    expect(await stats()).toEqual([
      { total: 2, closed: 1 },
      { total: 1, closed: 0 },
    ])
    await world.as('owner').delete(`/projects/${other.id}`)
    expect(await stats()).toEqual([{ total: 2, closed: 1 }, issue_stats])
    const byId = await world.as('owner').put(`${url}/releases/v1`, { milestone_ids: [own.id] })
    expect(byId.json().milestones).toEqual([{ ...own, issue_stats: { total: 2, closed: 1 } }])
    const set = (milestone_ids: number[]) =>
      world.as('owner').put(`${url}/releases/v1`, { milestone_ids })
    expect((await set([own.id, above.id])).json().milestones).toHaveLength(2)
    for (const place of [
      `/projects/${world.projects.shut.id}`,
      `/groups/${world.groups.shut.id}`,
    ]) {
      const { id } = (await post(`${place}/milestones`, { title: `Of ${place}` })).json()
      const refused = await set([id])
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { message: `Milestone(s) not found: ${id}` },
      ])
    }
    await post(`${url}/releases`, { tag_name: 'v2', ref: 'main', milestones: ['M1'] })
    for (const milestones of [null, []]) {
      const cleared = await world.as('owner').put(`${url}/releases/v1`, { milestones })
      expect([cleared.statusCode, 'milestones' in cleared.json()]).toEqual([200, false])
    }
    const kept = await world.as('owner').get(`${url}/releases/v2`)
    expect(kept.json().milestones).toMatchObject([{ id: own.id }])
  })

  it('goes, and its tag stays', async () => {
    const { project, url, made } = await newRelease()
    const refused = await world.as('developer').delete(`${url}/v1.0`)
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    const gone = await world.as('maintainer').delete(`${url}/v1.0`)
    expect([gone.statusCode, gone.json()]).toEqual([200, made])
    const after = await world.as('developer').get(`${url}/v1.0`)
    expect([after.statusCode, after.json()]).toEqual([404, { message: '404 Not Found' }])
    const tag = await world.as('developer').get(`/projects/${project.id}/repository/tags/v1.0`)
    expect([tag.statusCode, tag.json().release]).toEqual([200, null])
    expect((await world.as('maintainer').delete(`${url}/v1.0`)).statusCode).toBe(403)
  })

  it('goes with its tag', async () => {
    const { project, url } = await newRelease()
    const { url: ofAnother } = await newRelease()
    await world.as('developer').post(url, { tag_name: 'v2.0', ref: 'main' })
    await world.as('developer').delete(`/projects/${project.id}/repository/tags/v1.0`)
    await world.app.worker.drain()
    const statuses = [`${url}/v1.0`, `${url}/v2.0`, `${ofAnother}/v1.0`].map(
      async (one) => (await world.as('developer').get(one)).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([404, 200, 200])
  })

  it('of a protected tag is written by those who may make the tag', async () => {
    const { project, url } = await newRelease({ assets: { links: [link] } })
    await world.as('owner').post(`/projects/${project.id}/protected_tags`, { name: 'v*' })
    const made = await world.as('developer').post(url, { tag_name: 'v2', ref: 'main' })
    expect([made.statusCode, made.json()]).toEqual([
      403,
      { message: 'You are not allowed to create this tag as it is protected.' },
    ])
    for (const answer of [
      await world.as('developer').put(`${url}/v1.0`, { name: 'n' }),
      await world
        .as('developer')
        .post(`${url}/v1.0/assets/links`, { name: 'n', url: 'http://n.test' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    expect(
      (await world.as('maintainer').post(url, { tag_name: 'v2', ref: 'main' })).statusCode,
    ).toBe(201)
  })

  it('is listed by its dates, and as quickly as one where there are many', async () => {
    const { url } = await newRelease({ released_at: '2020-01-01', assets: { links: [link] } })
    const post = (body: object) => world.as('developer').post(url, { ref: 'main', ...body })
    await post({ tag_name: 'v2', released_at: '2019-01-01' })
    const names = async (query: string) =>
      (await world.as('developer').get(`${url}?${query}`))
        .json()
        .map(({ tag_name }: { tag_name: string }) => tag_name)
    expect(await names('')).toEqual(['v1.0', 'v2'])
    expect(await names('sort=asc')).toEqual(['v2', 'v1.0'])
    expect(await names('order_by=created_at')).toEqual(['v2', 'v1.0'])
    expect(await names('updated_before=2000-01-01')).toEqual([])
    expect(await names('updated_after=2100-01-01')).toEqual([])
    expect(await names('updated_after=2000-01-01&updated_before=2100-01-01')).toHaveLength(2)
    const list = () => world.app.count(() => world.as('developer').get(url))
    await list()
    const { queries } = await list()
    for (const tag_name of ['v3', 'v4', 'v5']) await post({ tag_name })
    await list()
    expect((await list()).queries).toBe(queries)
  })
})

describe('Links of a release', () => {
  it('are added, listed, shown, changed and removed', async () => {
    const { url: of } = await newRelease()
    const url = `${of}/v1.0/assets/links`
    const client = world.as('developer')
    const made = await client.post(url, { ...link, link_type: 'package' })
    const record = {
      id: expect.any(Number),
      name: 'app',
      url: link.url,
      direct_asset_url: expect.stringMatching(/\/-\/releases\/v1\.0\/downloads\/bin\/app\.zip$/),
      external: true,
      link_type: 'package',
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const { id } = made.json()
    await client.post(url, { name: 'later', url: 'https://later.test' })
    const links = [{ ...link, url: 'https://files.test/v2.zip' }]
    await client.post(of, { tag_name: 'v2.0', ref: 'main', assets: { links } })
    expect((await client.get(`${of}/v2.0/assets/links/${id}`)).statusCode).toBe(404)
    const file = await client.get(`${of}/v2.0/downloads/bin/app.zip`)
    expect([file.statusCode, file.headers.location]).toEqual([302, links[0]?.url])
    const list = await client.get(url)
    expect([list.statusCode, list.headers['x-total'], list.json()[1]]).toEqual([200, '2', record])
    expect((await client.get(`${url}/${id}`)).json()).toEqual(record)
    const changed = await client.put(`${url}/${id}`, { name: 'other' })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...record, name: 'other', link_type: 'other' },
    ])
    const gone = await client.delete(`${url}/${id}`)
    expect([gone.statusCode, gone.json()]).toEqual([200, changed.json()])
    for (const path of [`${url}/${id}`, `${of}/v9/assets/links`]) {
      const answer = await client.get(path)
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it.each([
    [{}, { error: 'name is missing, url is missing' }],
    [{ name: 'app', url: 'https://n.test' }, { message: { name: ['has already been taken'] } }],
    [{ name: 'n', url: link.url }, { message: { url: ['has already been taken'] } }],
    [
      { name: 'n', url: 'https://n.test', filepath: link.filepath },
      { message: { filepath: ['has already been taken'] } },
    ],
    [
      { name: 'n', url: 'javascript:1', filepath: '/a/../b' },
      { message: { url: ['is blocked: Only allowed schemes are http, https, ftp'] } },
    ],
    [
      { name: 'n', url: 'https://n.test', filepath: '/a/' },
      { message: { filepath: ['is in an invalid format'] } },
    ],
    [
      { name: 'n', url: 'https://n.test', link_type: 'x' },
      { error: 'link_type does not have a valid value' },
    ],
  ])('are not added as %j', async (body, problem) => {
    const { url } = await newRelease({ assets: { links: [link] } })
    const answer = await world.as('developer').post(`${url}/v1.0/assets/links`, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it('want a name or an address to be changed', async () => {
    const { url, made } = await newRelease({ assets: { links: [link] } })
    const [{ id }] = made.assets.links
    const one = `${url}/v1.0/assets/links/${id}`
    const answer = await world.as('developer').put(one, { filepath: '/b' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'name, url are missing, at least one parameter must be provided' },
    ])
    for (const refused of [
      await world.as('reporter').put(one, { name: 'n' }),
      await world.as('reporter').delete(one),
    ]) {
      expect(refused.statusCode).toBe(403)
    }
  })
})

describe('The way to', () => {
  it('a file of a release is a 302', async () => {
    const { project, url } = await newRelease(
      { assets: { links: [link] } },
      { group: world.groups.open },
    )
    for (const path of [
      `/api/v4${url}/v1.0/downloads/bin/app.zip`,
      `/${project.full_path}/-/releases/v1.0/downloads/bin/app.zip`,
    ]) {
      const answer = await page(path)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, link.url])
    }
    expect((await page(`/api/v4${url}/v1.0/downloads/none`)).statusCode).toBe(404)
  })

  it('the newest release is a 302', async () => {
    const { project, url } = await newRelease({}, { group: world.groups.open })
    await world
      .as('developer')
      .post(url, { tag_name: 'v9', ref: 'main', released_at: '2040-01-01' })
    const api = await page(
      `/api/v4${url}/permalink/latest/downloads/bin/a?order_by=released_at&x=1`,
    )
    expect([api.statusCode, api.headers.location]).toEqual([
      302,
      `/api/v4${url}/v1.0/downloads/bin/a?x=1`,
    ])
    const web = await page(`/${project.full_path}/-/releases/permalink/latest/downloads/bin/a`)
    expect([web.statusCode, web.headers.location]).toEqual([
      302,
      `http://bloomery.test/${project.full_path}/-/releases/v1.0/downloads/bin/a`,
    ])
    const none = await world
      .as('guest')
      .get(`/projects/${world.projects.open.id}/releases/permalink/latest`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not Found' }])
  })

  it('a release is its address', async () => {
    const { project, url } = await newRelease({}, { group: world.groups.open })
    const record = (await page(`/api/v4${url}/v1.0`)).json()
    expect((await page(`/${project.full_path}/-/releases/v1.0`)).json()).toEqual(record)
    expect((await page(`/${project.full_path}/-/releases.json`)).json()).toEqual([record])
  })
})

describe('GET /groups/:id/releases', () => {
  it('lists those of all projects the caller sees', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const sub = await world.newGroup({ parent: group, visibility: 'public' })
    const make = async (project: { id: number }, tag_name: string) => {
      world.app.clock.advance(1000)
      const body = { tag_name, ref: 'main' }
      const made = await world.as('admin').post(`/projects/${project.id}/releases`, body)
      expect(made.statusCode).toBe(201)
    }
    const first = await world.newProject({ group, files })
    await make(first, 'v1')
    await make(await world.newProject({ group: sub, files }), 'v2')
    await make(await world.newProject({ group, files, visibility: 'private' }), 'v3')
    const names = async (who: 'anonymous' | 'admin', query = '') =>
      (await world.as(who).get(`/groups/${group.id}/releases${query}`))
        .json()
        .map(({ tag_name }: { tag_name: string }) => tag_name)
    expect(await names('anonymous')).toEqual(['v2', 'v1'])
    expect(await names('admin', '?sort=asc')).toEqual(['v1', 'v2', 'v3'])
    const [simple] = (
      await world.as('anonymous').get(`/groups/${group.id}/releases?simple=true`)
    ).json()
    expect(Object.keys(simple)).toEqual([
      ...['name', 'tag_name', 'description', 'created_at', 'released_at', 'upcoming_release'],
    ])
    await world.as('admin').delete(`/projects/${first.id}`)
    expect(await names('admin')).toEqual(['v3', 'v2'])
  })
})

describe('semantic-release', () => {
  it('finds what it asks for, uploads a file and publishes a release with it', async () => {
    const project = await world.newProject({ files })
    const name = encodeURIComponent(project.full_path)
    const client = world.as('maintainer')
    const { permissions } = (await client.get(`/projects/${name}`)).json()
    expect(permissions.group_access.access_level).toBeGreaterThanOrEqual(30)
    expect(permissions).toHaveProperty('project_access')
    await client.post(`/projects/${name}/repository/tags`, { tag_name: 'v1.0.0', ref: 'main' })
    const { body, options } = multipart({
      file: { filename: 'dist.tgz', content: Buffer.from('bytes') },
    })
    const uploaded = (await client.post(`/projects/${name}/uploads`, body, options)).json()
    const url = `http://bloomery.test/${project.full_path}${uploaded.url}`
    const released = await client.post(`/projects/${name}/releases`, {
      tag_name: 'v1.0.0',
      description: '# 1.0.0',
      milestones: [],
      assets: { links: [{ name: 'dist', url, link_type: 'package' }] },
    })
    expect([released.statusCode, released.json().assets.links]).toEqual([
      201,
      [
        {
          id: expect.any(Number),
          name: 'dist',
          url,
          direct_asset_url: url,
          external: false,
          link_type: 'package',
        },
      ],
    ])
    const path = new URL(url).pathname
    expect((await page(path, world.token('reporter'))).body).toBe('bytes')
  })
})

describe('The token of a running job', () => {
  it('makes releases with their links, while the job runs', async () => {
    const project = await newCiProject(world, { build: { script: ['x'] } })
    const { runner, job } = await takeFirstJob(world, project)
    const headers = { 'job-token': job.token }
    const url = `/projects/${project.id}/releases`
    const client = world.as('anonymous')
    const made = await client.post(url, { tag_name: 'v1', ref: 'main' }, { headers })
    expect([made.statusCode, made.json().author.id]).toEqual([201, world.users.owner.id])
    const linked = await client.post(`${url}/v1/assets/links`, link, { headers })
    expect(linked.statusCode).toBe(201)
    expect((await client.get(`${url}/v1`, { headers })).statusCode).toBe(200)
    const inBody = { tag_name: 'v2', ref: 'main', job_token: job.token }
    expect((await client.post(url, inBody)).statusCode).toBe(201)
    // Before a tag is made, the caller is asked for again.
    const { db, clock } = world.app
    const uses = { db, clock: clock.now }
    const actor = await authenticateJobToken(uses, job.token)
    expect(await reloadActor(uses, actor)).toMatchObject({ user: { id: world.users.owner.id } })
    await runner.end(job, 'success')
    expect(await reloadActor(uses, actor)).toEqual({ kind: 'gone' })
    const late = await client.get(`${url}/v1`, { headers })
    expect([late.statusCode, late.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })
})

describe('The description of a release', () => {
  it('is rendered where that is asked for', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const client = world.as('developer')
    const url = `/projects/${project.id}/releases`
    await client.post(`/projects/${project.id}/issues`, { title: 'Leak' })
    await client.post(url, { tag_name: 'v1', ref: 'main', description: '**Mends** #1' })
    const html = async (path: string) => {
      const [shown] = [(await client.get(`${url}${path}`)).json()].flat()
      return shown.description_html
    }
    expect(await html('')).toBeUndefined()
    for (const path of ['?include_html_description=true', '/v1?include_html_description=true']) {
      expect(await html(path)).toContain('<strong>Mends</strong> <a href="')
    }
  })
})

it('Releases are not made or changed where the repository is disabled', async () => {
  const { project, url } = await newRelease()
  await world.as('owner').put(`/projects/${project.id}`, { repository_access_level: 'disabled' })
  const owner = world.as('owner')
  for (const answer of [
    await owner.post(url, { tag_name: 'v2.0', ref: 'main' }),
    await owner.put(`${url}/v1.0`, { name: 'n' }),
    await owner.delete(`${url}/v1.0`),
  ]) {
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
  }
})
