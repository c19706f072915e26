import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
let project: Project
let head: string
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({ files: { 'a/b c/d.ts': 'd', both: 'b' } })
  const repository = projectRepository(world.app.config, project)
  const git = async (args: string[]) =>
    (await runGit(world.app.git.git, repository, { args })).toString().trim()
  head = await git(['rev-parse', 'main'])
  for (const name of ['heads/topic/one', 'heads/both', 'tags/both', 'tags/v1']) {
    await git(['update-ref', `refs/${name}`, head])
  }
})

const nothing = {
  ref: null,
  ref_type: null,
  commit: null,
  path: null,
  entry_type: null,
  from: null,
  from_commit: null,
}
const resolve = (path: string, who: Parameters<World['as']>[0] = 'reporter') =>
  world.as(who).get(`/resolve?${new URLSearchParams({ path })}`)

describe('GET /resolve', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
  ] as const)('answers %s who asks for the %s project with %i', async (who, place, status) => {
    const answer = await resolve(`/${world.projects[place].full_path}`, who)
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Address Not Found' })
  })

  it('wants a path', async () => {
    const answer = await world.as('reporter').get('/resolve')
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'path is missing, path is empty' },
    ])
  })

  it.each([
    '/',
    '/-/profile',
    '/groups',
    '/groups/nothing',
    '/no/such/project',
    '/%',
    '/%00/a',
    '/a'.repeat(200),
  ])('answers %s with 404', async (path) => {
    const answer = await resolve(path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Address Not Found' }])
  })

  it('tells projects, groups and users apart, in any case', async () => {
    const known = { section: null, rest: null, ...nothing }
    const { full_path, id } = project
    const { body: upper } = await resolve(`/${full_path.toUpperCase()}/?tab=x#L3`)
    expect(JSON.parse(upper)).toEqual({
      kind: 'project',
      id,
      canonical_path: `/${full_path}`,
      ...known,
      ...{ ref: 'main', ref_type: 'branch', commit: head, path: '', entry_type: 'tree' },
    })
    const group = world.groups.shut
    const told = { kind: 'group', id: group.id, canonical_path: `/groups/${group.full_path}` }
    expect((await resolve(`/${group.full_path}`)).json()).toEqual({ ...told, ...known })
    expect((await resolve(`/groups/${group.full_path}/-/issues`)).json()).toEqual({
      ...told,
      ...known,
      canonical_path: `/groups/${group.full_path}/-/issues`,
      section: 'issues',
      rest: '',
    })
    expect((await resolve(`/groups/${group.full_path}`, 'outsider')).statusCode).toBe(404)
    const { id: userId, username } = (await world.as('guest').get('/user')).json()
    expect((await resolve(`/${username}`, 'anonymous')).json()).toEqual({
      kind: 'user',
      id: userId,
      canonical_path: `/${username}`,
      ...known,
    })
  })

  it.each([
    [
      'blob/main/a/b%20c/d.ts',
      { ref: 'main', ref_type: 'branch', path: 'a/b c/d.ts', entry_type: 'blob' },
    ],
    ['tree/topic/one/a', { ref: 'topic/one', ref_type: 'branch', path: 'a', entry_type: 'tree' }],
    ['commits/v1', { ref: 'v1', ref_type: 'tag', path: '', entry_type: 'tree' }],
    ['edit/both/both', { ref: 'both', ref_type: 'tag', path: 'both', entry_type: 'blob' }],
    ['raw/HEAD/nothing', { ref: 'HEAD', ref_type: 'commit', path: 'nothing', entry_type: null }],
    ['find_file/topic/one', { ref: 'topic/one', ref_type: 'branch' }],
    ['compare/v1...topic/one', { ref: 'topic/one', ref_type: 'branch', from: 'v1' }],
    ['compare/main..v1', { ref: 'v1', ref_type: 'tag', from: 'main' }],
  ] as const)('finds the reference and the path of %s', async (inside, expected) => {
    const { section, rest, ...found } = (await resolve(`/${project.full_path}/-/${inside}`)).json()
    expect(`${section}/${rest}`).toBe(decodeURIComponent(inside))
    expect(found).toEqual({
      kind: 'project',
      id: project.id,
      canonical_path: `/${project.full_path}/-/${inside}`,
      ...nothing,
      commit: head,
      ...expected,
      from_commit: 'from' in expected ? head : null,
    })
  })

  it.each(['edit', '-/edit'])('leads from %s to the settings', async (inside) => {
    const group = world.groups.shut
    for (const path of [project.full_path, `groups/${group.full_path}`]) {
      // A group has nothing without `/-/`.
      if (path.startsWith('groups/') && inside === 'edit') continue
      const found = (await resolve(`/${path}/${inside}`, 'admin')).json()
      expect(found).toMatchObject({
        ...nothing,
        canonical_path: `/${path}/-/settings/general`,
        section: 'settings',
        rest: 'general',
      })
    }
  })

  it.each(['blob', 'commit'])('takes the full hash of a commit after %s', async (section) => {
    const found = (await resolve(`/${project.full_path}/-/${section}/${head}`)).json()
    expect(found).toMatchObject({ ref: head, ref_type: 'commit', commit: head })
  })

  it.each([
    'blob/no/such',
    'compare/main',
    'compare/main...nothing',
    'issues/3',
    'whatever/x/y',
    'tree',
  ])('tells no more than the section of %s', async (inside) => {
    const found = (await resolve(`/${project.full_path}/-/${inside}`)).json()
    const [section, ...rest] = inside.split('/')
    expect(found).toMatchObject({ ...nothing, section, rest: rest.join('/') })
  })

  it('tells nothing of the repository to whoever may not read code', async () => {
    const guest = (await resolve(`/${project.full_path}/-/tree/main`, 'guest')).json()
    expect(guest).toMatchObject({ kind: 'project', section: 'tree', rest: 'main', ...nothing })
    const home = (await resolve(`/${project.full_path}`, 'guest')).json()
    expect(home).toMatchObject({ kind: 'project', section: null, ...nothing })
  })

  it('tells no reference of the home of an empty project', async () => {
    const empty = await world.newProject()
    const home = (await resolve(`/${empty.full_path}`)).json()
    expect(home).toMatchObject({ kind: 'project', id: empty.id, section: null, ...nothing })
  })

  it('reads older addresses without the dash, and says the one of today', async () => {
    const found = (await resolve(`/${project.full_path}/blob/topic/one/both`)).json()
    expect(found).toMatchObject({
      canonical_path: `/${project.full_path}/-/blob/topic/one/both`,
      ref: 'topic/one',
      path: 'both',
    })
    expect((await resolve(`/${project.full_path}/more/-/tree/main`)).statusCode).toBe(404)
  })

  it('follows a project from a path it had before, for those who see it', async () => {
    const moved = await world.newProject({ files: { a: 'a' } })
    const answer = await world
      .as('owner')
      .put(`/projects/${moved.id}`, { path: `moved-${moved.id}` })
    const now = answer.json().path_with_namespace
    expect(now).not.toBe(moved.full_path)
    for (const old of [`/${moved.full_path}/-/blob/main/a`, `/${moved.full_path}/blob/main/a`]) {
      const found = (await resolve(old)).json()
      expect(found).toMatchObject({
        id: moved.id,
        canonical_path: `/${now}/-/blob/main/a`,
        path: 'a',
      })
      expect((await resolve(old, 'outsider')).statusCode).toBe(404)
    }
  })

  it('follows each project from its own path before, the longest that fits', async () => {
    const group = await world.newGroup()
    const [first, second] = [await world.newProject({ group }), await world.newProject({ group })]
    for (const { id } of [first, second])
      await world.as('admin').put(`/projects/${id}`, { path: `moved-${id}` })
    await world.as('admin').put(`/groups/${group.id}`, { path: `moved-${group.id}` })
    for (const { id, full_path } of [first, second]) {
      const found = (await resolve(`/${full_path}/-/issues`, 'admin')).json()
      expect(found).toMatchObject({
        id,
        canonical_path: `/moved-${group.id}/moved-${id}/-/issues`,
      })
    }
  })

  it('follows a group from a path it had before', async () => {
    const group = await world.newGroup()
    const path = `moved-${group.id}`
    await world.as('admin').put(`/groups/${group.id}`, { path })
    const found = (await resolve(`/groups/${group.full_path}`, 'admin')).json()
    expect(found).toMatchObject({ id: group.id, canonical_path: `/groups/${path}` })
  })

  it.each(['owner', 'guest', 'anonymous'] as const)(
    'adds the record as %s reads it, where it is asked for',
    async (who) => {
      const [{ id, full_path }, group] = [world.projects.open, world.groups.open]
      const asked = async (path: string) =>
        (
          await world.as(who).get(`/resolve?${new URLSearchParams({ path, with_record: 'true' })}`)
        ).json()
      const read = async (url: string) => (await world.as(who).get(url)).json()
      const { project, ...place } = await asked(`/${full_path}/-/issues/1`)
      expect(project).toEqual(await read(`/projects/${id}?with_abilities=true`))
      expect(place).toEqual((await resolve(`/${full_path}/-/issues/1`, who)).json())
      const { group: record } = await asked(`/groups/${group.full_path}`)
      expect(record).toEqual(
        await read(`/groups/${group.id}?with_abilities=true&with_projects=false`),
      )
    },
  )

  it('adds no record to the address of a user', async () => {
    const query = new URLSearchParams({
      path: `/${world.users.guest.username}`,
      with_record: 'true',
    })
    const { kind, project, group } = (await world.as('guest').get(`/resolve?${query}`)).json()
    expect([kind, project, group]).toEqual(['user', undefined, undefined])
  })
})
