import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lfsClient, objectOf } from '../../../../test/kit/lfs.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const pathOf = (project: Pick<Project, 'id' | 'repository_storage'>) =>
  projectRepository(world.app.config, project).path
const git = (project: Pick<Project, 'id' | 'repository_storage'>, ...args: string[]) =>
  execFileSync('git', ['--git-dir', pathOf(project), ...args], { encoding: 'utf8' })
const made = (answer: { json(): unknown }) => answer.json() as Project & Record<string, unknown>
const fork = (id: number, body: object = {}, who: Parameters<World['as']>[0] = 'developer') =>
  world.as(who).post(`/projects/${id}/fork`, body)

/** Files of objects with more than one name. */
function linkedFiles(project: Project): string[] {
  const objects = join(pathOf(project), 'objects')
  return readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).nlink > 1)
    .map(({ name }) => name)
}

describe('POST /projects/:id/fork', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'open', 201],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 404],
    ['reporter', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const source = await world.newProject({ group: world.groups[place], files: { a: 'a' } })
    const answer = await fork(source.id, {}, who)
    expect(answer.statusCode).toBe(status)
    if (who === 'guest') expect(answer.json()).toEqual({ message: '404 Not Found' })
  })

  it('has the LFS objects of its source, and of no other project', async () => {
    const [source, other] = [
      await world.newProject({ files: { a: 'a' } }),
      await world.newProject(),
    ]
    for (const project of [source, other])
      await lfsClient(world, project, 'owner').upload(`of ${project.id}`)
    const copy = made(await fork(source.id))
    const client = lfsClient(world, { full_path: String(copy.path_with_namespace) }, 'developer')
    const statuses = [source, other].map(
      async ({ id }) => (await client.download(objectOf(`of ${id}`).oid)).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([200, 404])
  })

  it('copies branches, tags and settings, and says where from', async () => {
    const source = await world.newProject({ files: { 'README.md': '# A\n', 'x y': 'ü' } })
    await world.commit(source, { b: 'b' }, { branch: 'topic/1', start_branch: 'main' })
    git(source, 'tag', 'v1', 'main')
    git(source, '-c', 'user.name=T', '-c', 'user.email=t@t', 'tag', '-am', 'two', 'v2', 'topic/1')
    await world.as('owner').put(`/projects/${source.id}`, { description: 'What it is' })
    const answer = await fork(source.id)
    expect(answer.statusCode).toBe(201)
    const copy = made(answer)
    const { username, id } = world.users.developer
    expect(copy).toMatchObject({
      name: source.name,
      path_with_namespace: `${username}/${source.path}`,
      description: 'What it is',
      visibility: 'private',
      default_branch: 'main',
      empty_repo: false,
      import_status: 'finished',
      creator_id: id,
      forks_count: 0,
      readme_url: `http://bloomery.test/${username}/${source.path}/-/blob/main/README.md`,
      permissions: { project_access: { access_level: 50 } },
    })
    const shown = await world.as('developer').get(`/projects/${source.id}?simple=true`)
    expect(shown.json()).toMatchObject({ forks_count: 1 })
    const { forked_from_project } = copy
    expect(forked_from_project).toMatchObject({
      id: source.id,
      path_with_namespace: source.full_path,
      forks_count: 1,
      namespace: { id: source.namespace_id, kind: 'group' },
    })
    expect(Object.keys(forked_from_project as object)).not.toContain('permissions')
    const target = { id: copy.id, repository_storage: 'default' }
    expect(git(target, 'for-each-ref')).toBe(git(source, 'for-each-ref'))
    expect(git(target, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main\n')
    expect(git(target, 'fsck', '--full', '--strict')).toBe('')
    const branches = await world.as('developer').get(`/projects/${copy.id}/protected_branches`)
    expect(branches.json()).toMatchObject([{ name: 'main' }])
  })

  it('links the files of objects, and survives the removal of its source', async () => {
    const source = await world.newProject({ files: { a: 'a' } })
    await world.app.worker.drain()
    await world.commit(source, { b: 'b' })
    const copy = made(await fork(source.id))
    const target = { ...copy, repository_storage: 'default' }
    expect(linkedFiles(target).length).toBeGreaterThan(3)
    expect((await world.as('owner').delete(`/projects/${source.id}`)).statusCode).toBe(202)
    await world.app.worker.drain()
    expect(git(target, 'fsck', '--full', '--strict')).toBe('')
    expect(linkedFiles(target)).toEqual([])
    const left = (await world.as('developer').get(`/projects/${copy.id}`)).json()
    expect(left).toMatchObject({ import_status: 'none', default_branch: 'main' })
    expect(Object.keys(left as object)).not.toContain('forked_from_project')
    const file = await world.as('developer').get(`/projects/${copy.id}/repository/files/b/raw`)
    expect(file.body).toBe('b')
  })

  it('copies an empty repository, whose fork can be written to', async () => {
    const empty = await world.newProject()
    const copy = made(await fork(empty.id))
    expect(copy).toMatchObject({ empty_repo: true, default_branch: 'main' })
    await world.commit(
      { ...empty, ...copy, full_path: '', full_name: '', repository_storage: 'default' },
      { a: 'a' },
    )
  })

  it('puts it where it is told to, under the name it is told', async () => {
    const source = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const group = await world.newMemberedGroup()
    const places = [
      { namespace: String(group.id), path: 'by-id' },
      { namespace: group.full_path, path: 'by-text' },
      { namespace_id: group.id, path: 'by-number' },
      { namespace_path: group.full_path, path: 'by-path' },
    ]
    for (const body of places) {
      const answer = await fork(source.id, { ...body, name: body.path, visibility: 'public' })
      expect(answer.statusCode).toBe(201)
      // Never more visible than its group.
      expect(answer.json()).toMatchObject({
        path_with_namespace: `${group.full_path}/${body.path}`,
        name: body.path,
        visibility: 'private',
      })
    }
    const own = await fork(source.id, { visibility: 'internal', description: 'Mine', path: 'own' })
    expect(own.json()).toMatchObject({ visibility: 'internal', description: 'Mine' })
  })

  it('refuses a namespace the caller may not use, a taken name, and where forking is off', async () => {
    const source = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    for (const namespace of [String(world.groups.shut.id), 'nowhere', '99999999']) {
      const answer = await fork(source.id, { namespace }, 'guest')
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: '404 Target Namespace Not Found' })
    }
    expect((await fork(source.id)).statusCode).toBe(201)
    const again = await fork(source.id)
    expect(again.statusCode).toBe(409)
    expect(again.json()).toEqual({
      message: { name: ['has already been taken'], path: ['has already been taken'] },
    })
    await world.as('owner').put(`/projects/${source.id}`, { forking_access_level: 'private' })
    expect((await fork(source.id, {}, 'outsider')).statusCode).toBe(404)
    expect((await fork(source.id, {}, 'guest')).statusCode).toBe(201)
    await world.as('owner').put(`/projects/${source.id}`, { forking_access_level: 'disabled' })
    expect((await fork(source.id, {}, 'owner')).statusCode).toBe(404)
  })
})

describe('The visibility of a fork', () => {
  it('is raised no further than that of its source', async () => {
    const source = await world.newProject({ group: world.groups.inside })
    const group = await world.newGroup({ visibility: 'public' })
    const admin = world.as('admin')
    const { id } = made(await fork(source.id, { namespace_id: group.id }, 'admin'))
    const refused = await admin.put(`/projects/${id}`, { visibility: 'public' })
    const sentence = 'public is not allowed since the fork source project has lower visibility.'
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { visibility_level: [sentence] } },
    ])
    expect((await admin.put(`/projects/${id}`, { visibility: 'private' })).statusCode).toBe(200)
    expect((await admin.put(`/projects/${id}`, { visibility: 'internal' })).statusCode).toBe(200)
    await admin.delete(`/projects/${id}/fork`)
    expect((await admin.put(`/projects/${id}`, { visibility: 'public' })).statusCode).toBe(200)
  })

  it('is its owner’s affair once it is no fork any more, even of a private source', async () => {
    const { user, client } = await world.newUser()
    const source = await world.newProject({ group: world.groups.shut, files: { a: 'a' } })
    const member = { user_id: user.id, access_level: 20 }
    await world.as('owner').post(`/projects/${source.id}/members`, member)
    const { id } = (await client.post(`/projects/${source.id}/fork`)).json()
    const publish = () => client.put(`/projects/${id}`, { visibility: 'public' })
    expect((await publish()).statusCode).toBe(400)
    expect((await client.delete(`/projects/${id}/fork`)).statusCode).toBe(204)
    expect((await publish()).statusCode).toBe(200)
  })
})

describe('GET /projects/:id/forks', () => {
  it('lists the forks the caller sees', async () => {
    const source = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const open = made(await fork(source.id, {}, 'guest'))
    const hidden = made(await fork(source.id, { visibility: 'private' }, 'developer'))
    const ids = async (who: 'anonymous' | 'developer') => {
      const answer = await world.as(who).get(`/projects/${source.id}/forks?order_by=id`)
      expect(answer.statusCode).toBe(200)
      return (answer.json() as { id: number }[]).map(({ id }) => id)
    }
    expect(await ids('anonymous')).toEqual([open.id])
    expect(await ids('developer')).toEqual([hidden.id, open.id])
    expect((await world.as('anonymous').get(`/projects/${source.id}`)).json()).toMatchObject({
      forks_count: 2,
    })
  })

  it('answers whoever cannot see the project with 404', async () => {
    const answer = await world.as('outsider').get(`/projects/${world.projects.shut.id}/forks`)
    expect(answer.statusCode).toBe(404)
  })

  it('hides what a project was forked from, from whoever cannot see that', async () => {
    const source = await world.newProject({ files: { a: 'a' } })
    const copy = made(await fork(source.id))
    await world.app.db
      .updateTable('projects')
      .set({ visibility: 'public' })
      .where('id', '=', copy.id)
      .execute()
    const seen = (await world.as('outsider').get(`/projects/${copy.id}`)).json() as object
    expect(Object.keys(seen)).not.toContain('forked_from_project')
  })
})

describe('The relation of a fork', () => {
  it('is set by an administrator and ended by the owner', async () => {
    const [source, other] = [await world.newProject(), await world.newProject()]
    const path = `/projects/${other.id}/fork/${source.id}`
    expect((await world.as('owner').post(path, {})).statusCode).toBe(403)
    expect((await world.as('admin').post(`/projects/${other.id}/fork/0`, {})).json()).toEqual({
      message: '404 Source Project Not Found',
    })
    const linked = await world.as('admin').post(path, {})
    expect(linked.statusCode).toBe(201)
    expect(linked.json()).toMatchObject({ id: other.id, forked_from_project: { id: source.id } })
    const again = await world.as('admin').post(path, {})
    expect([again.statusCode, again.json()]).toEqual([409, { message: 'Project already forked' }])
    const back = await world.as('admin').post(`/projects/${source.id}/fork/${other.id}`, {})
    expect(back.statusCode).toBe(409)
    const end = () => world.as('owner').delete(`/projects/${other.id}/fork`)
    expect((await world.as('maintainer').delete(`/projects/${other.id}/fork`)).statusCode).toBe(403)
    expect((await end()).statusCode).toBe(204)
    expect((await end()).statusCode).toBe(304)
  })
})

describe('start_project of POST /projects/:id/repository/commits', () => {
  const commit = (id: number, body: object, who: 'developer' | 'maintainer' = 'developer') =>
    world.as(who).post(`/projects/${id}/repository/commits`, {
      branch: 'topic',
      commit_message: 'From there',
      actions: [{ action: 'create', file_path: 'new', content: 'new' }],
      ...body,
    })

  it('starts a branch from a branch or commit of a relative', async () => {
    const source = await world.newProject({ files: { a: 'a' } })
    const copy = made(await fork(source.id))
    const later = await world.commit(source, { later: 'later' })
    const first = await commit(copy.id, { start_project: source.id, start_branch: 'main' })
    expect(first.statusCode).toBe(201)
    expect(first.json()).toMatchObject({ parent_ids: [later], stats: { additions: 1 } })
    const target = { ...copy, repository_storage: 'default' }
    expect(git(target, 'fsck', '--full', '--strict', '--connectivity-only')).not.toContain(
      'missing',
    )
    expect(git(target, 'ls-tree', '--name-only', 'topic')).toBe('a\nlater\nnew\n')
    const back = await commit(source.id, {
      branch: 'back',
      start_project: copy.path_with_namespace,
      start_sha: (first.json() as { id: string }).id,
      actions: [{ action: 'delete', file_path: 'new' }],
    })
    expect(back.statusCode).toBe(201)
    const exists = await commit(copy.id, { start_project: source.id, start_branch: 'main' })
    expect(exists.json()).toEqual({
      message:
        "A branch called 'topic' already exists. Switch to that branch in order to make changes",
    })
    const forced = { start_project: source.id, start_branch: 'main', force: true }
    expect((await commit(copy.id, forced)).statusCode).toBe(201)
  })

  it('may name the project itself', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const body = { start_project: project.full_path, start_branch: 'main' }
    expect((await commit(project.id, body)).statusCode).toBe(201)
  })

  it('refuses a stranger, and hides what the caller cannot see', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const stranger = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const refused = await commit(project.id, { start_project: stranger.id, start_branch: 'main' })
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        message: `403 Forbidden - Project is not included in the fork network for ${project.full_name}`,
      },
    ])
    const { client } = await world.newUser()
    const secret = (await client.post('/projects', { name: 'secret' })).json() as { id: number }
    for (const start_project of [secret.id, 99999999, 'no/where', 'nothing']) {
      const hidden = await commit(project.id, { start_project, start_branch: 'main' })
      expect([hidden.statusCode, hidden.json()]).toEqual([
        404,
        { message: '404 Project Not Found' },
      ])
    }
  })
})
