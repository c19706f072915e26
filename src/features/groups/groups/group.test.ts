import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const newPath = () => `made-${world.groups.open.id}-${++made}`
const pathOf = (path: string) => `/groups/${encodeURIComponent(path)}`
const idsOf = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

/** A group made over the API, whose owner is the world's owner unless said otherwise. */
async function makeGroup(fields: object = {}, who: 'owner' | 'admin' = 'owner') {
  const path = newPath()
  const answer = await world.as(who).post('/groups', { name: path, path, ...fields })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

describe('GET /groups', () => {
  it.each([
    ['anonymous', ['open']],
    ['outsider', ['open', 'inside']],
    ['guest', ['open', 'inside', 'shut']],
    ['admin', ['open', 'inside', 'shut']],
  ] as const)('shows %s the groups they see', async (who, places) => {
    const prefix = world.groups.open.path.replace(/-\d+$/, '')
    const answer = await world.as(who).get(`/groups?search=${prefix}&order_by=id&per_page=3`)
    expect(idsOf(answer)).toEqual(places.map((place) => world.groups[place].id))
    expect(answer.headers['x-total']).toBe(String(places.length))
  })

  it('answers the whole record', async () => {
    const { open } = world.groups
    const answer = await world.as('anonymous').get(`/groups?search=${open.path}`)
    expect(answer.json()).toEqual([
      {
        id: open.id,
        web_url: `http://bloomery.test/groups/${open.path}`,
        name: open.name,
        path: open.path,
        description: '',
        visibility: 'public',
        share_with_group_lock: false,
        require_two_factor_authentication: false,
        two_factor_grace_period: 48,
        project_creation_level: 'developer',
        auto_devops_enabled: null,
        subgroup_creation_level: 'maintainer',
        emails_disabled: null,
        mentions_disabled: null,
        lfs_enabled: true,
        default_branch_protection: 2,
        avatar_url: null,
        request_access_enabled: true,
        full_name: open.name,
        full_path: open.path,
        created_at: '2026-03-01T12:00:00.000Z',
        parent_id: null,
      },
    ])
  })

  it('filters by what the caller holds, by depth and by exclusion', async () => {
    const user = await world.newUser()
    const top = (await user.client.post('/groups', { name: 'a', path: newPath() })).json()
    const below = { name: 'b', path: 'b', parent_id: top.id }
    const sub = (await user.client.post('/groups', below)).json()
    const member = { user_id: user.user.id, access_level: 20 }
    await world.as('owner').post(`/groups/${world.groups.shut.id}/members`, member)
    const list = async (query: string) =>
      idsOf(await user.client.get(`/groups?order_by=id${query}`))
    const shut = world.groups.shut.id
    expect(await list('&owned=true')).toEqual([top.id, sub.id])
    expect(await list('&all_available=false')).toEqual([shut, top.id, sub.id])
    expect(await list('&all_available=false&sort=desc')).toEqual([sub.id, top.id, shut])
    expect(await list('&min_access_level=20')).toEqual([shut, top.id, sub.id])
    expect(await list('&min_access_level=30')).toEqual([top.id, sub.id])
    expect(await list('&owned=true&top_level_only=true')).toEqual([top.id])
    expect(await list(`&owned=true&skip_groups[]=${top.id}`)).toEqual([sub.id])
    expect(await list(`&all_available=false&skip_groups=${top.id},${sub.id}`)).toEqual([shut])
    expect(await list(`&owned=true&search=B`)).toEqual([sub.id])
    expect(idsOf(await world.as('anonymous').get('/groups?owned=true'))).toEqual([])
  })

  it('orders by how alike names are to a search', async () => {
    const client = (await world.newUser()).client
    const word = `alike${newPath().replaceAll('-', '')}`
    const make = async (path: string) =>
      (await client.post('/groups', { name: path, path })).json().id
    const within = await make(`the-${word}`)
    const exact = await make(word)
    const begins = await make(`${word}-and-more`)
    expect(idsOf(await client.get(`/groups?search=${word}&order_by=similarity`))).toEqual([
      exact,
      begins,
      within,
    ])
    const plain = await client.get('/groups?owned=true&order_by=similarity')
    expect(plain.json().map(({ name }: { name: string }) => name)).toEqual([
      word,
      `${word}-and-more`,
      `the-${word}`,
    ])
  })

  it('finds no wildcard in a search', async () => {
    expect((await world.as('admin').get('/groups?search=%25')).json()).toEqual([])
  })

  it.each([
    ['order_by=size', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['min_access_level=15', 'min_access_level does not have a valid value'],
    ['skip_groups[]=x', 'skip_groups is invalid'],
    ['per_page=0', 'per_page has a value not allowed'],
    ['owned=maybe', 'owned is invalid'],
  ])('refuses %s', async (query, error) => {
    const answer = await world.as('guest').get(`/groups?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error })
  })

  it('pages with a query for the page and one for the total', async () => {
    const get = () => world.as('owner').get('/groups?per_page=2&page=2&order_by=id')
    await get()
    expect(await world.app.count(get)).toEqual({ queries: 3, processes: 0 })
    const answer = await get()
    expect(answer.headers).toMatchObject({ 'x-page': '2', 'x-per-page': '2', 'x-prev-page': '1' })
  })

  it('sums the sizes of what is in and below a group, large files among them', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    for (const group of [top, sub]) {
      const project_id = (await world.newProject({ group })).id
      const sizes = { repository_size: 100, lfs_objects_size: 7, commit_count: 1 }
      const row = { project_id, ...sizes, updated_at: '2026-03-01T12:00:00.000Z' }
      await world.app.db
        .insertInto('project_statistics')
        .values(row)
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(sizes))
        .execute()
    }
    const { statistics } = (await world.as('admin').get(`/groups/${top.id}?statistics=true`)).json()
    expect(statistics).toMatchObject({
      storage_size: 214,
      repository_size: 200,
      lfs_objects_size: 14,
    })
  })

  it('shows sizes to administrators alone', async () => {
    const query = `/groups?search=${world.groups.open.path}&statistics=true`
    const [shown] = (await world.as('admin').get(query)).json()
    expect(shown.statistics).toEqual({
      storage_size: 0,
      repository_size: 0,
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 0,
      snippets_size: 0,
      uploads_size: 0,
    })
    const [plain] = (await world.as('owner').get(query)).json()
    expect(plain).not.toHaveProperty('statistics')
  })
})

describe('GET /groups/:id', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'inside', 404],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s group with %i', async (who, place, status) => {
    const answer = await world.as(who).get(`/groups/${world.groups[place].id}`)
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Group Not Found' })
  })

  it('answers an external user of an internal group with 404', async () => {
    const { client } = await world.newUser({ external: true })
    expect((await client.get(`/groups/${world.groups.inside.id}`)).statusCode).toBe(404)
  })

  it('answers the whole detail, with projects unless told otherwise', async () => {
    const group = await makeGroup({ visibility: 'public' })
    const found = await world.newGroup()
    const project = await world.newProject({ group: { ...found, ...group } })
    const answer = await world.as('owner').get(`/groups/${group.id}`)
    const body = answer.json()
    expect(body).toEqual({
      ...group,
      runners_token: expect.stringMatching(/^GR1348941.{20}$/),
      shared_with_groups: [],
      prevent_sharing_groups_outside_hierarchy: false,
      projects: [expect.objectContaining({ id: project.id, permissions: expect.any(Object) })],
      shared_projects: [],
    })
    const bare = (await world.as('owner').get(`/groups/${group.id}?with_projects=false`)).json()
    expect(bare).not.toHaveProperty('projects')
    expect(bare).not.toHaveProperty('shared_projects')
    const seen = (await world.as('anonymous').get(`/groups/${group.id}`)).json()
    expect(seen).not.toHaveProperty('runners_token')
    expect(seen.projects[0]).not.toHaveProperty('permissions')
    expect((await world.as('outsider').get(`/groups/${group.id}`)).json()).not.toHaveProperty(
      'runners_token',
    )
  })

  it('keeps the runners token sealed at rest', async () => {
    const { id, runners_token } = await makeGroup()
    const { db, secretKey } = world.app
    const row = await db
      .selectFrom('namespaces')
      .select('runners_token')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.runners_token).not.toContain(runners_token)
    expect(openSecret(secretKey, row.runners_token ?? '')).toBe(runners_token)
  })

  it('finds a subgroup by full path in any case, and not by its last segment', async () => {
    const top = await makeGroup()
    const sub = await makeGroup({ parent_id: top.id })
    const answer = await world.as('owner').get(pathOf(sub.full_path.toUpperCase()))
    expect(answer.json().id).toBe(sub.id)
    expect((await world.as('owner').get(pathOf(sub.path))).statusCode).toBe(404)
  })

  it('does not take a user for a group', async () => {
    const answer = await world.as('owner').get(pathOf(world.users.owner.username))
    expect(answer.statusCode).toBe(404)
  })

  it('shows a private group to members of what lies below it', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub })
    const { user, client } = await world.newUser()
    expect((await client.get(`/groups/${top.id}`)).statusCode).toBe(404)
    const member = { user_id: user.id, access_level: 10 }
    const added = await world.as('admin').post(`/projects/${project.id}/members`, member)
    expect(added.statusCode).toBe(201)
    expect((await client.get(`/groups/${top.id}`)).statusCode).toBe(200)
    expect((await client.get(`/groups/${sub.id}`)).statusCode).toBe(200)
    await world.as('admin').delete(`/projects/${project.id}/members/${user.id}`)
    expect((await client.get(`/groups/${top.id}`)).statusCode).toBe(404)
  })

  it('embeds projects without a query for each', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const url = `/groups/${group.id}`
    await world.newProject({ group })
    await world.as('owner').get(url)
    const one = await world.app.count(() => world.as('owner').get(url))
    await world.newProject({ group })
    await world.newProject({ group })
    expect(await world.app.count(() => world.as('owner').get(url))).toEqual(one)
  })
})

describe('POST /groups', () => {
  it('refuses an anonymous caller', async () => {
    const answer = await world.as('anonymous').post('/groups', {})
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('answers the record, whose creator is its only member', async () => {
    const path = newPath()
    const body = { name: 'My Group', path, description: 'What for', visibility: 'internal' }
    const answer = await world.as('outsider').post('/groups', body)
    expect(answer.statusCode).toBe(201)
    const group = answer.json()
    expect(group).toEqual({
      id: expect.any(Number),
      web_url: `http://bloomery.test/groups/${path}`,
      name: 'My Group',
      path,
      description: 'What for',
      visibility: 'internal',
      share_with_group_lock: false,
      require_two_factor_authentication: false,
      two_factor_grace_period: 48,
      project_creation_level: 'developer',
      auto_devops_enabled: null,
      subgroup_creation_level: 'maintainer',
      emails_disabled: null,
      mentions_disabled: null,
      lfs_enabled: true,
      default_branch_protection: 2,
      avatar_url: null,
      request_access_enabled: true,
      full_name: 'My Group',
      full_path: path,
      created_at: '2026-03-01T12:00:00.000Z',
      parent_id: null,
      shared_with_groups: [],
      runners_token: expect.stringMatching(/^GR1348941/),
      prevent_sharing_groups_outside_hierarchy: false,
    })
    const members = await world.as('outsider').get(`/groups/${group.id}/members`)
    expect(members.json()).toMatchObject([{ id: world.users.outsider.id, access_level: 50 }])
  })

  it('takes every setting', async () => {
    const settings = {
      share_with_group_lock: true,
      require_two_factor_authentication: true,
      two_factor_grace_period: 24,
      project_creation_level: 'maintainer',
      auto_devops_enabled: true,
      subgroup_creation_level: 'owner',
      emails_disabled: true,
      mentions_disabled: false,
      lfs_enabled: false,
      default_branch_protection: 1,
      request_access_enabled: false,
      prevent_sharing_groups_outside_hierarchy: true,
    }
    expect(await makeGroup(settings)).toMatchObject(settings)
  })

  it.each([
    [{}, { error: 'name is missing, path is missing' }],
    [
      { name: 'x', path: 'x', visibility: 'open' },
      { error: 'visibility does not have a valid value' },
    ],
    [{ name: 'x', path: 'x', parent_id: 'y' }, { error: 'parent_id is invalid' }],
    [
      { name: 'x', path: '-x' },
      {
        message:
          "Failed to save group {:path=>[\"can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'.\"]}",
      },
    ],
    [
      { name: '', path: '' },
      {
        message: 'Failed to save group {:name=>["can\'t be blank"], :path=>["can\'t be blank"]}',
      },
    ],
    [
      { name: 'x', path: 'admin' },
      { message: 'Failed to save group {:path=>["is a reserved name"]}' },
    ],
  ])('refuses %j', async (body, expected) => {
    const answer = await world.as('owner').post('/groups', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('refuses a path that a group, a user or a project has, in any case', async () => {
    const taken = { message: 'Failed to save group {:path=>["has already been taken"]}' }
    const top = [world.groups.shut.path.toUpperCase(), world.users.guest.username]
    for (const path of top) {
      const answer = await world.as('owner').post('/groups', { name: 'x', path })
      expect([answer.statusCode, answer.json()]).toEqual([400, taken])
    }
    const { path, namespace_id } = world.projects.shut
    const body = { name: 'x', path, parent_id: namespace_id }
    const answer = await world.as('owner').post('/groups', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, taken])
  })

  it('refuses a user who may not make groups, unless below one', async () => {
    const { user, client } = await world.newUser({ can_create_group: false })
    const answer = await client.post('/groups', { name: 'x', path: newPath() })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ message: '403 Forbidden' })
    const group = await makeGroup()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/groups/${group.id}/members`, member)
    const below = await client.post('/groups', { name: 'x', path: 'x', parent_id: group.id })
    expect(below.statusCode).toBe(201)
  })

  it.each([
    ['outsider', 'shut', 404, { message: '404 Group Not Found' }],
    ['outsider', 'open', 403, { message: '403 Forbidden' }],
    ['developer', 'shut', 403, { message: '403 Forbidden' }],
    ['maintainer', 'shut', 201, undefined],
    ['admin', 'shut', 201, undefined],
  ] as const)('answers %s below the %s group with %i', async (who, place, status, body) => {
    const parent_id = world.groups[place].id
    const answer = await world.as(who).post('/groups', { name: 'x', path: newPath(), parent_id })
    expect(answer.statusCode).toBe(status)
    if (body) expect(answer.json()).toEqual(body)
  })

  it('leaves subgroups to owners where the group says so', async () => {
    const group = await makeGroup({ subgroup_creation_level: 'owner' })
    const member = { user_id: world.users.maintainer.id, access_level: 40 }
    await world.as('owner').post(`/groups/${group.id}/members`, member)
    const body = { name: 'x', path: 'x', parent_id: group.id }
    expect((await world.as('maintainer').post('/groups', body)).statusCode).toBe(403)
    expect((await world.as('owner').post('/groups', body)).statusCode).toBe(201)
  })

  it('does not open a subgroup wider than its parent', async () => {
    const parent_id = world.groups.shut.id
    const body = { name: 'x', path: newPath(), parent_id, visibility: 'public' }
    const answer = await world.as('owner').post('/groups', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message:
        'Failed to save group {:visibility_level=>["public is not allowed since the parent group has a private visibility."]}',
    })
  })

  it('ends at a depth', async () => {
    let parent = await makeGroup()
    for (let depth = 1; depth <= 20; depth++) {
      parent = await makeGroup({ parent_id: parent.id, path: 'd' })
    }
    expect(parent.full_path.split('/')).toHaveLength(21)
    const body = { name: 'x', path: 'x', parent_id: parent.id }
    const answer = await world.as('owner').post('/groups', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}',
    })
  })
})

describe('PUT /groups/:id', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['maintainer', 'shut', 403],
    ['owner', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s group with %i', async (who, place, status) => {
    const url = `/groups/${world.groups[place].id}`
    const answer = await world.as(who).put(url, { description: 'Changed' })
    expect(answer.statusCode).toBe(status)
  })

  it('changes every setting and nothing else', async () => {
    const group = await makeGroup({ description: 'Before', emails_disabled: true })
    const changes = {
      description: '',
      share_with_group_lock: true,
      require_two_factor_authentication: true,
      two_factor_grace_period: 1,
      project_creation_level: 'noone',
      auto_devops_enabled: false,
      subgroup_creation_level: 'owner',
      emails_disabled: null,
      mentions_disabled: true,
      lfs_enabled: false,
      default_branch_protection: 0,
      request_access_enabled: false,
      prevent_sharing_groups_outside_hierarchy: true,
    }
    const answer = await world.as('owner').put(`/groups/${group.id}`, changes)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...group, ...changes })
    expect((await world.as('owner').put(`/groups/${group.id}`)).json()).toEqual(answer.json())
  })

  it('moves everything below with it, and leaves redirects', async () => {
    const top = await makeGroup({ name: 'Töp 🎈' })
    const sub = await makeGroup({ parent_id: top.id, name: 'Sub' })
    const record = await world.app.db
      .selectFrom('namespaces')
      .selectAll()
      .where('id', '=', sub.id)
      .executeTakeFirstOrThrow()
    const project = await world.newProject({ group: record, files: { a: 'a' } })
    const path = newPath()
    const answer = await world.as('owner').put(`/groups/${top.id}`, { path, name: 'Neu 🎉 (x)' })
    expect(answer.json()).toMatchObject({ path, full_path: path, full_name: 'Neu 🎉 (x)' })
    const moved = (await world.as('owner').get(pathOf(`${path}/${sub.path}`))).json()
    expect(moved).toMatchObject({ id: sub.id, full_name: 'Neu 🎉 (x) / Sub', path: sub.path })
    const projectPath = encodeURIComponent(`${path}/${sub.path}/${project.path}`)
    const seen = await world.as('owner').get(`/projects/${projectPath}`)
    expect(seen.json()).toMatchObject({
      id: project.id,
      path_with_namespace: `${path}/${sub.path}/${project.path}`,
      name_with_namespace: `Neu 🎉 (x) / Sub / ${project.name}`,
    })
    for (const [old, id] of [
      [pathOf(top.path), `groups/${top.id}`],
      [pathOf(sub.full_path), `groups/${sub.id}`],
      [`/projects/${encodeURIComponent(project.full_path)}`, `projects/${project.id}`],
    ]) {
      const sent = await world.as('owner').get(`${old}?with_projects=false`)
      expect(sent.statusCode).toBe(301)
      expect(sent.headers.location).toBe(`http://bloomery.test/api/v4/${id}?with_projects=false`)
    }
    expect((await world.as('outsider').get(pathOf(top.path))).statusCode).toBe(404)
    const write = await world.as('owner').put(pathOf(top.path), { name: 'x' })
    expect(write.statusCode).toBe(405)
    expect(write.json()).toEqual({
      message: 'Non GET methods are not allowed for moved projects',
    })
  })

  it('comes back to a former path', async () => {
    const group = await makeGroup()
    const url = `/groups/${group.id}`
    const other = newPath()
    expect((await world.as('owner').put(url, { path: other })).statusCode).toBe(200)
    expect((await world.as('owner').put(url, { path: group.path })).statusCode).toBe(200)
    expect((await world.as('owner').get(pathOf(group.path))).statusCode).toBe(200)
    expect((await world.as('owner').get(pathOf(other))).statusCode).toBe(301)
    const shouted = group.path.toUpperCase()
    const cased = await world.as('owner').put(url, { path: shouted })
    expect(cased.json()).toMatchObject({ path: shouted, full_path: shouted })
    expect((await world.as('owner').get(pathOf(group.path))).statusCode).toBe(200)
  })

  it('gives way to a new group of a former path', async () => {
    const group = await makeGroup()
    await world.as('owner').put(`/groups/${group.id}`, { path: newPath() })
    const other = await makeGroup({ path: group.path })
    expect((await world.as('owner').get(pathOf(group.path))).json().id).toBe(other.id)
  })

  it('takes no former path of a group in which its owner has no say', async () => {
    const left = await makeGroup()
    await world.as('owner').put(`/groups/${left.id}`, { path: newPath() })
    const path = newPath()
    const made = await world.as('outsider').post('/groups', { name: path, path })
    const url = `/groups/${made.json().id}`
    const refused = await world.as('outsider').put(url, { path: left.path })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { path: ['has already been taken'] } },
    ])
    expect((await world.as('outsider').get(url)).json()).toMatchObject({ path, full_path: path })
    expect((await world.as('owner').get(pathOf(left.path))).statusCode).toBe(301)
    expect((await world.as('admin').put(url, { path: left.path })).statusCode).toBe(200)
  })

  it('refuses what is wrong and changes nothing', async () => {
    const group = await makeGroup()
    const url = `/groups/${group.id}`
    const cases: [object, object][] = [
      [{ path: world.groups.shut.path }, { message: { path: ['has already been taken'] } }],
      [{ name: ' ' }, { message: { name: ["can't be blank"] } }],
      [
        { description: 'x'.repeat(256) },
        { message: { description: ['is too long (maximum is 255 characters)'] } },
      ],
      [
        { two_factor_grace_period: -1 },
        { message: { two_factor_grace_period: ['must be greater than or equal to 0'] } },
      ],
      [
        { two_factor_grace_period: 2 ** 31 },
        { message: { two_factor_grace_period: ['must be less than or equal to 2147483647'] } },
      ],
      [
        { project_creation_level: 'all' },
        { error: 'project_creation_level does not have a valid value' },
      ],
      [
        { default_branch_protection: 7 },
        { error: 'default_branch_protection does not have a valid value' },
      ],
    ]
    for (const [body, expected] of cases) {
      const answer = await world.as('owner').put(url, { lfs_enabled: false, ...body })
      expect([answer.statusCode, answer.json()]).toEqual([400, expected])
    }
    expect((await world.as('owner').get(`${url}?with_projects=false`)).json()).toEqual(group)
  })

  it('keeps visibilities in order', async () => {
    const top = await makeGroup({ visibility: 'public' })
    const sub = await makeGroup({ parent_id: top.id, visibility: 'internal' })
    const record = await world.newGroup()
    await world.newProject({ group: { ...record, ...sub }, visibility: 'internal' })
    const set = async (id: number, visibility: string) => {
      const answer = await world.as('owner').put(`/groups/${id}`, { visibility })
      return answer.statusCode === 200 ? 200 : answer.json()
    }
    expect(await set(top.id, 'private')).toEqual({
      message: {
        visibility_level: [
          'private is not allowed since this group contains projects with higher visibility.',
          'private is not allowed since there are sub-groups with higher visibility.',
        ],
      },
    })
    expect(await set(top.id, 'internal')).toBe(200)
    expect(await set(sub.id, 'public')).toEqual({
      message: {
        visibility_level: [
          'public is not allowed since the parent group has a internal visibility.',
        ],
      },
    })
  })

  it('becomes private whatever is public in other groups or was removed from it', async () => {
    const record = await world.newGroup()
    const group = await makeGroup({ visibility: 'public' })
    const sub = await makeGroup({ parent_id: group.id, visibility: 'public' })
    const project = await world.newProject({ group: { ...record, ...group }, visibility: 'public' })
    await world.as('owner').delete(`/projects/${project.id}`)
    await world.as('owner').delete(`/groups/${sub.id}`)
    const other = await makeGroup({ visibility: 'public' })
    await makeGroup({ parent_id: other.id, visibility: 'public' })
    const answer = await world.as('owner').put(`/groups/${group.id}`, { visibility: 'private' })
    expect([answer.statusCode, answer.json().visibility]).toEqual([200, 'private'])
  })
})

describe('DELETE /groups/:id', () => {
  it.each([
    ['anonymous', 'open', 401, '401 Unauthorized'],
    ['outsider', 'open', 403, '403 Forbidden'],
    ['outsider', 'shut', 404, '404 Group Not Found'],
    ['maintainer', 'shut', 403, '403 Forbidden'],
  ] as const)('answers %s of the %s group with %i', async (who, place, status, message) => {
    const answer = await world.as(who).delete(`/groups/${world.groups[place].id}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ message })
  })

  it('hides everything at once, frees the paths, and removes the rest later', async () => {
    const { db, config, worker } = world.app
    const top = await makeGroup({ visibility: 'public' })
    const sub = await makeGroup({ parent_id: top.id, visibility: 'public' })
    const record = await world.newGroup()
    const inSub = await world.newProject({ group: { ...record, ...sub }, files: { a: 'a' } })
    const inTop = await world.newProject({ group: { ...record, ...top }, files: { a: 'a' } })
    const repository = projectRepository(config, inSub)
    expect(existsSync(repository.path)).toBe(true)

    const answer = await world.as('owner').delete(`/groups/${top.id}`)
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({ message: '202 Accepted' })
    for (const url of [
      `/groups/${top.id}`,
      `/groups/${sub.id}`,
      pathOf(sub.full_path),
      `/projects/${inSub.id}`,
      `/projects/${inTop.id}`,
      `/namespaces/${top.id}`,
    ]) {
      expect([url, (await world.as('admin').get(url)).statusCode]).toEqual([url, 404])
    }
    expect(idsOf(await world.as('admin').get(`/groups?search=${top.path}`))).toEqual([])
    const again = await makeGroup({ path: top.path })
    expect(again.id).not.toBe(top.id)
    const place = { name: inTop.path, path: inTop.path, namespace_id: again.id }
    expect((await world.as('owner').post('/projects', place)).statusCode).toBe(201)

    await worker.drain()
    expect(existsSync(repository.path)).toBe(false)
    const left = await db
      .selectFrom('namespaces')
      .select('id')
      .where('id', 'in', [top.id, sub.id])
      .execute()
    expect(left).toEqual([])
    expect((await world.as('owner').get(pathOf(top.path))).json().id).toBe(again.id)
  })

  it('takes up a removal that was cut short', async () => {
    const { db, worker, config } = world.app
    const group = await makeGroup()
    const record = await world.newGroup()
    const first = await world.newProject({ group: { ...record, ...group } })
    const second = await world.newProject({ group: { ...record, ...group } })
    await world.as('owner').delete(`/groups/${group.id}`)
    await db.deleteFrom('projects').where('id', '=', first.id).execute()
    await db.updateTable('projects').set({ state: 'ready' }).where('id', '=', second.id).execute()
    await worker.drain()
    expect(existsSync(projectRepository(config, second).path)).toBe(false)
    const left = await db.selectFrom('namespaces').select('id').where('id', '=', group.id).execute()
    expect(left).toEqual([])
  })

  /** A group with a member, invited into another group and into a project. */
  async function makeInvited() {
    const { user, client } = await world.newUser()
    const [guests, host] = [await makeGroup(), await makeGroup()]
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/groups/${guests.id}/members`, member)
    const share = { group_id: guests.id, group_access: 30 }
    await world.as('owner').post(`/groups/${host.id}/share`, share)
    await world.as('owner').post(`/projects/${world.projects.shut.id}/share`, share)
    return { user, client, guests, host }
  }

  it('ends what an invitation of the group gave elsewhere', async () => {
    const { client, guests, host } = await makeInvited()
    expect((await client.get(`/groups/${host.id}`)).statusCode).toBe(200)
    expect((await client.get(`/projects/${world.projects.shut.id}`)).statusCode).toBe(200)
    await world.as('owner').delete(`/groups/${guests.id}`)
    expect((await client.get(`/groups/${host.id}`)).statusCode).toBe(404)
    expect((await client.get(`/projects/${world.projects.shut.id}`)).statusCode).toBe(404)
    for (const url of [`/groups/${host.id}`, `/projects/${world.projects.shut.id}`]) {
      const { shared_with_groups } = (await world.as('admin').get(url)).json()
      expect([url, shared_with_groups]).toEqual([url, []])
    }
  })

  it('takes nothing from members and invitations of other groups', async () => {
    const { user, client, guests, host } = await makeInvited()
    const { id, full_path } = world.projects.shut
    const gone = await makeGroup()
    expect((await world.as('owner').delete(`/groups/${gone.id}`)).statusCode).toBe(202)
    for (const url of [
      `/groups/${guests.id}`,
      `/groups/${host.id}`,
      `/projects/${id}`,
      `/projects/${encodeURIComponent(full_path)}`,
    ])
      expect([url, (await client.get(url)).statusCode]).toEqual([url, 200])
    const members = await world.as('owner').get(`/groups/${guests.id}/members`)
    expect(idsOf(members)).toContain(user.id)
    await world.as('owner').delete(`/projects/${id}/share/${guests.id}`)
  })

  it('leaves a group that changed meanwhile', async () => {
    const group = await makeGroup()
    const headers = { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' }
    const answer = await world.as('owner').delete(`/groups/${group.id}`, undefined, { headers })
    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toEqual({ message: '412 Precondition Failed' })
  })
})

describe('GET /groups/:id/subgroups and descendant_groups', () => {
  it('shows what the caller sees, near or however deep', async () => {
    const top = await world.newGroup({ visibility: 'public' })
    const open = await world.newGroup({ parent: top, visibility: 'public' })
    const inner = await world.newGroup({ parent: open, visibility: 'public' })
    const shut = await world.newGroup({ parent: top })
    const get = async (who: 'anonymous' | 'admin', what: string, query = '') =>
      idsOf(await world.as(who).get(`/groups/${top.id}/${what}?order_by=id${query}`))
    expect(await get('anonymous', 'subgroups')).toEqual([open.id])
    expect(await get('admin', 'subgroups')).toEqual([open.id, shut.id])
    expect(await get('anonymous', 'descendant_groups')).toEqual([open.id, inner.id])
    expect(await get('admin', 'descendant_groups')).toEqual([open.id, inner.id, shut.id])
    expect(await get('admin', 'descendant_groups', '&owned=true')).toEqual([])
    const hidden = await world.as('anonymous').get(`/groups/${shut.id}/subgroups`)
    expect(hidden.statusCode).toBe(404)
    expect(hidden.json()).toEqual({ message: '404 Group Not Found' })
  })

  it('asks for the group, the page and the total', async () => {
    const url = `/groups/${world.groups.shut.id}/descendant_groups`
    await world.as('guest').get(url)
    const counted = await world.app.count(() => world.as('guest').get(url))
    expect(counted).toEqual({ queries: 4, processes: 0 })
  })
})

describe('GET /groups/:id/projects', () => {
  it('answers by place in the tree, invitation and filter', async () => {
    const top = await world.newGroup({ visibility: 'public' })
    const sub = await world.newGroup({ parent: top, visibility: 'public' })
    const open = await world.newProject({ group: top, visibility: 'public' })
    const shut = await world.newProject({ group: top, visibility: 'private' })
    const below = await world.newProject({ group: sub, visibility: 'public' })
    const elsewhere = await world.newProject({ group: world.groups.open, visibility: 'public' })
    const share = { group_id: top.id, group_access: 10 }
    await world.as('admin').post(`/projects/${elsewhere.id}/share`, share)
    await world.as('admin').put(`/projects/${open.id}`, { description: 'A fine thing' })
    const get = async (who: 'anonymous' | 'owner' | 'admin', query: string) =>
      idsOf(await world.as(who).get(`/groups/${top.id}/projects?order_by=id&sort=asc${query}`))
    expect(await get('admin', '')).toEqual([open.id, shut.id, elsewhere.id])
    expect(await get('anonymous', '')).toEqual([open.id, elsewhere.id])
    expect(await get('admin', '&with_shared=false')).toEqual([open.id, shut.id])
    expect(await get('admin', '&with_shared=false&include_subgroups=true')).toEqual([
      open.id,
      shut.id,
      below.id,
    ])
    expect(await get('admin', '&visibility=private')).toEqual([shut.id])
    expect(await get('admin', '&search=FINE')).toEqual([open.id])
    expect(await get('admin', '&archived=true')).toEqual([])
    expect(await get('owner', '&owned=true')).toEqual([elsewhere.id])
    expect(await get('owner', '&min_access_level=10')).toEqual([elsewhere.id])
    expect(await get('anonymous', '&owned=true')).toEqual([])
  })

  it('takes every parameter of the project list', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const one = await world.newProject({ group })
    const two = await world.newProject({ group })
    const admin = world.as('admin')
    const { client } = await world.newUser()
    await admin.put(`/projects/${one.id}`, { name: 'Anvil', path: 'anvil', topics: ['a', 'b'] })
    await admin.put(`/projects/${two.id}`, { name: 'An anvil of old', issues_enabled: false })
    await admin.put(`/projects/${two.id}`, { merge_requests_enabled: false })
    await admin.put(`/projects/${one.id}/custom_attributes/kind`, { value: 'tool' })
    await client.post(`/projects/${one.id}/star`)
    const get = async (query: string, as = client) =>
      idsOf(await as.get(`/groups/${group.id}/projects?${query}`))
    expect(await get('topic=a,b')).toEqual([one.id])
    expect(await get('topic=a,c')).toEqual([])
    expect(await get('starred=true')).toEqual([one.id])
    expect(await get(`id_after=${one.id}`)).toEqual([two.id])
    expect(await get(`id_before=${two.id}`)).toEqual([one.id])
    expect(await get('membership=true')).toEqual([])
    expect(await get('with_issues_enabled=true')).toEqual([one.id])
    expect(await get('with_merge_requests_enabled=true')).toEqual([one.id])
    expect(await get('with_programming_language=Ruby')).toEqual([])
    expect(await get('last_activity_after=2099-01-01')).toEqual([])
    expect(await get('last_activity_before=2000-01-01')).toEqual([])
    expect(await get('order_by=similarity&search=anvil')).toEqual([one.id, two.id])
    expect(await get('custom_attributes[kind]=tool', admin)).toEqual([one.id])
    expect(await get('custom_attributes[kind]=toy', admin)).toEqual([])
    expect(await get('custom_attributes[kind]=toy')).toEqual([two.id, one.id])
    const shown = await admin.get(
      `/groups/${group.id}/projects?with_custom_attributes=true&statistics=true&topic=a`,
    )
    expect(shown.json()).toMatchObject([
      { custom_attributes: [{ key: 'kind', value: 'tool' }], statistics: { commit_count: 0 } },
    ])
  })

  it('shows the simple record to anonymous callers and to who asks for it', async () => {
    const url = `/groups/${world.groups.open.id}/projects`
    const full = (await world.as('guest').get(url)).json()
    const simple = (await world.as('guest').get(`${url}?simple=true`)).json()
    expect(full[0]).toHaveProperty('permissions')
    expect(simple[0]).not.toHaveProperty('visibility')
    expect((await world.as('anonymous').get(url)).json()).toEqual(simple)
  })

  it('takes the same queries however many projects there are', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const url = `/groups/${group.id}/projects`
    await world.newProject({ group })
    await world.as('guest').get(url)
    const one = await world.app.count(() => world.as('guest').get(url))
    await world.newProject({ group })
    await world.newProject({ group })
    const three = await world.app.count(() => world.as('guest').get(url))
    expect(three).toEqual(one)
    expect(three).toEqual({ queries: 4, processes: 0 })
  })

  it.each([
    ['visibility=open', 'visibility does not have a valid value'],
    ['order_by=stars', 'order_by does not have a valid value'],
    ['archived=x', 'archived is invalid'],
  ])('refuses %s', async (query, error) => {
    const answer = await world.as('guest').get(`/groups/${world.groups.open.id}/projects?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error })
  })

  it('answers 404 for a group the caller cannot see', async () => {
    const answer = await world.as('outsider').get(`/groups/${world.groups.shut.id}/projects`)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 Group Not Found' })
  })
})

describe('What a group is invited into, and what into it', () => {
  it('is listed as far as the caller sees it', async () => {
    const top = await world.newGroup({ visibility: 'public' })
    const sub = await world.newGroup({ parent: top, visibility: 'public' })
    const guests = await world.newGroup({ visibility: 'public' })
    const hidden = await world.newGroup({ visibility: 'private' })
    const project = await world.newProject({ group: top, visibility: 'public' })
    const secret = await world.newProject({ group: top, visibility: 'private' })
    const admin = world.as('admin')
    const share = { group_id: guests.id, group_access: 20 }
    for (const { id } of [project, secret]) await admin.post(`/projects/${id}/share`, share)
    await admin.post(`/groups/${top.id}/share`, share)
    await admin.post(`/groups/${top.id}/share`, { ...share, group_id: hidden.id })
    await admin.post(`/projects/${project.id}/share`, { ...share, group_id: hidden.id })
    const get = async (who: 'anonymous' | 'admin', path: string) =>
      idsOf(await world.as(who).get(path))
    const projects = `/groups/${guests.id}/projects/shared?order_by=id&sort=asc`
    expect(await get('admin', projects)).toEqual([project.id, secret.id])
    expect(await get('anonymous', projects)).toEqual([project.id])
    expect(await get('admin', `${projects}&search=${secret.path}`)).toEqual([secret.id])
    expect(await get('anonymous', `/groups/${guests.id}/groups/shared`)).toEqual([top.id])
    const invited = `/groups/${top.id}/invited_groups?order_by=id`
    expect(await get('admin', invited)).toEqual([guests.id, hidden.id])
    expect(await get('anonymous', invited)).toEqual([guests.id])
    const below = `/groups/${sub.id}/invited_groups`
    expect(await get('anonymous', below)).toEqual([guests.id])
    expect(await get('anonymous', `${below}?relation=inherited`)).toEqual([guests.id])
    expect(await get('anonymous', `${below}?relation[]=direct`)).toEqual([])
    const ofProject = `/projects/${project.id}/invited_groups`
    expect(await get('admin', ofProject)).toEqual([guests.id, hidden.id])
    expect(await get('anonymous', ofProject)).toEqual([guests.id])
    expect(await get('admin', `${ofProject}?min_access_level=30`)).toEqual([])
  })
})

describe('file_template_project_id', () => {
  it('names a project in or below the group that the caller sees', async () => {
    const group = await world.newMemberedGroup()
    const owner = world.as('owner')
    const sub = await owner.post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id })
    const made = await owner.post('/projects', { name: 'p', namespace_id: sub.json().id })
    const project: { id: number } = made.json()
    const elsewhere = await world.newProject()
    const put = (value: unknown) =>
      owner.put(`/groups/${group.id}`, { file_template_project_id: value })
    expect((await owner.get(`/groups/${group.id}`)).json()).not.toHaveProperty(
      'file_template_project_id',
    )
    for (const id of [elsewhere.id, 999_999_999]) {
      const refused = await put(id)
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { message: { file_template_project_id: ['is invalid'] } },
      ])
    }
    expect((await put(project.id)).json()).toMatchObject({ file_template_project_id: project.id })
    const shown = async () => (await owner.get(`/groups/${group.id}`)).json()
    expect(await shown()).toMatchObject({ file_template_project_id: project.id })
    const list = await owner.get(`/groups?search=${group.path}`)
    expect(list.json()).toMatchObject([{ file_template_project_id: project.id }])
    expect((await put(null)).statusCode).toBe(200)
    expect(await shown()).not.toHaveProperty('file_template_project_id')
    expect((await put('')).statusCode).toBe(200)
    const low = await world.as('maintainer').put(`/groups/${group.id}`, {
      file_template_project_id: project.id,
    })
    expect(low.statusCode).toBe(403)
  })

  it('is shown to those alone who see the project, as long as it is there', async () => {
    const group = await makeGroup({ visibility: 'public' })
    const made = await world.as('owner').post('/projects', {
      name: 'p',
      namespace_id: group.id,
      visibility: 'private',
    })
    const { id } = made.json()
    const other = await makeGroup({ visibility: 'public' })
    const url = `/groups/${group.id}`
    const body = { file_template_project_id: id }
    expect((await world.as('owner').put(url, body)).json()).toMatchObject(body)
    const shown = async (who: 'owner' | 'outsider') => (await world.as(who).get(url)).json()
    expect(await shown('owner')).toMatchObject(body)
    expect(await shown('outsider')).not.toHaveProperty('file_template_project_id')
    const unnamed = (await world.as('owner').get(`/groups/${other.id}`)).json()
    expect(unnamed).not.toHaveProperty('file_template_project_id')
    await world.app.db
      .updateTable('projects')
      .set({ state: 'deleting' })
      .where('id', '=', id)
      .execute()
    expect(await shown('owner')).not.toHaveProperty('file_template_project_id')
    await world.as('owner').put(url, { file_template_project_id: null })
    expect((await world.as('owner').put(url, body)).statusCode).toBe(400)
  })

  it('is ignored on the free tier', async () => {
    const own = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(own)
      const group = await free.newMemberedGroup()
      const url = `/groups/${group.id}`
      const answer = await free.as('owner').put(url, { file_template_project_id: 999_999_999 })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).not.toHaveProperty('file_template_project_id')
    } finally {
      await own.close()
    }
  })
})
