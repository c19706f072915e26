// What a project or group may keep, and what is said where it is full (docs/api/quotas.md).
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { multipart } from '../../../../test/kit/form.ts'
import { lfsClient, objectOf } from '../../../../test/kit/lfs.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import { newSshWorld, type SshWorld } from '../../../../test/kit/ssh.ts'
import { zipOf } from '../../../../test/kit/zip.ts'
import type { Project } from '../../../subjects/project.ts'
import { formatHumanSize } from './human-size.ts'

const megabyte = 1024 * 1024

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})
afterEach(async () => {
  await limitInstance(0)
})

async function limitInstance(megabytes: number) {
  const body = { repository_size_limit: megabytes }
  expect((await world.as('admin').put('/application/settings', body)).statusCode).toBe(200)
}

/** As if so much had been measured. */
async function hold(
  project: Project,
  sizes: { repository_size?: number; lfs_objects_size?: number },
) {
  await world.app.worker.drain()
  const updated_at = world.app.clock.now().toISOString()
  await world.app.db
    .insertInto('project_statistics')
    .values({ project_id: project.id, updated_at, ...sizes })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(sizes))
    .execute()
}

async function newPlace() {
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group, files: { a: 'a' } })
  return { group, project, url: `/projects/${project.id}` }
}

const limitProject = (project: Project, repository_size_limit: number | null) =>
  world.as('admin').put(`/projects/${project.id}`, { repository_size_limit })

const help = 'Please contact your administrator for more information.'
const full = `Your push to this repository has been rejected because this repository has exceeded its size limit of 1 MB by 510 KB. ${help}`
const wouldBeFull = `Your push to this repository would cause it to exceed the size limit of 1 MB so it has been rejected. ${help}`

describe('a repository beyond its limit', () => {
  it('takes no push, over HTTP or SSH, and none that would bring it there', async () => {
    const { project } = await newPlace()
    await limitProject(project, megabyte)
    const overHttp = await world.clone(project, { as: 'maintainer' })
    const overSsh = await world.cloneOverSsh(project, await world.keyOf('maintainer'))
    await hold(project, { repository_size: megabyte - 100 })
    await overHttp.commit({ b: 'b' })
    await overSsh.commit({ c: 'c' })
    for (const copy of [overHttp, overSsh]) {
      const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:refs/heads/topic'])
      expect([status, stderr]).toEqual([1, expect.stringContaining(`GitLab: ${wouldBeFull}`)])
    }
    await hold(project, { repository_size: megabyte, lfs_objects_size: megabyte / 2 })
    for (const copy of [overHttp, overSsh]) {
      const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:refs/heads/topic'])
      expect([status, stderr]).toEqual([1, expect.stringContaining(`GitLab: ${full}`)])
    }
    // Reading goes on, and so does making room.
    await overHttp.must(['fetch', 'origin'])
    const branches = `/projects/${project.id}/repository/branches`
    await world.as('owner').post(branches, { branch: 'old', ref: 'main' })
    const removed = await overHttp.run(['push', 'origin', ':refs/heads/old'])
    expect([removed.status, removed.stderr]).toEqual([0, expect.stringContaining('[deleted]')])
    await world.as('owner').post(branches, { branch: 'old', ref: 'main' })
    const both = await overHttp.run(['push', 'origin', ':refs/heads/old', 'HEAD:refs/heads/topic'])
    expect([both.status, both.stderr]).toEqual([1, expect.stringContaining(`GitLab: ${full}`)])
  })

  it('takes no commits by the API', async () => {
    const { project, url } = await newPlace()
    await limitProject(project, megabyte)
    await hold(project, { repository_size: megabyte * 1.5 })
    const maintainer = world.as('maintainer')
    const message =
      'Your changes could not be committed, because this repository has exceeded its size limit of 1 MB by 510 KB'
    const file = { branch: 'main', commit_message: 'm', content: 'b' }
    const actions = [{ action: 'create', file_path: 'b', content: 'b' }]
    for (const answer of [
      await maintainer.post(`${url}/repository/files/b`, file),
      await maintainer.post(`${url}/repository/commits`, { ...file, actions }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
    }
  })

  it('merges nothing, which the merge request says', async () => {
    const { project, url } = await newPlace()
    const maintainer = world.as('maintainer')
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const body = { source_branch: 'topic', target_branch: 'main', title: 't' }
    const { iid } = (await maintainer.post(`${url}/merge_requests`, body)).json()
    await limitProject(project, megabyte)
    await hold(project, { repository_size: megabyte * 1.5 })
    const answer = await maintainer.put(`${url}/merge_requests/${iid}/merge`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({
        state: 'opened',
        merge_error:
          'This merge request cannot be merged, because this repository has exceeded its size limit of 1 MB by 510 KB',
      }),
    ])
  })

  it('takes no LFS objects but those it has', async () => {
    const { project } = await newPlace()
    const client = lfsClient(world, project, 'maintainer')
    expect((await client.upload('old')).statusCode).toBe(200)
    await limitProject(project, megabyte)
    await hold(project, { repository_size: megabyte - 2 })
    const [old, fresh] = [objectOf('old'), objectOf('new')]
    const batch = await client.batch('upload', [old, fresh])
    expect([batch.statusCode, batch.json().objects]).toEqual([
      200,
      [
        old,
        { ...fresh, error: { code: 413, message: expect.stringContaining('size limit of 1 MB') } },
      ],
    ])
    const sent = await client.upload('new')
    expect([sent.statusCode, sent.json()]).toEqual([
      413,
      {
        message: expect.stringContaining('size limit of 1 MB'),
        documentation_url: expect.any(String),
      },
    ])
    expect((await client.upload('old')).statusCode).toBe(200)
    const download = await client.batch('download', [old])
    expect(download.json().objects[0].actions).toBeDefined()
  })
})

describe('the limit of a repository', () => {
  const isFull = async (project: Project) => {
    const file = { branch: 'main', commit_message: 'm', content: 'b' }
    const answer = await world
      .as('admin')
      .put(`/projects/${project.id}/repository/files/a`, { ...file, content: `${Math.random()}` })
    return answer.statusCode === 400
  }

  it('is that of the project, else of the nearest group, else of the instance; 0 is none', async () => {
    const { group, project } = await newPlace()
    await hold(project, { repository_size: megabyte * 2 })
    expect(await isFull(project)).toBe(false)
    await limitInstance(1)
    await hold(project, { repository_size: megabyte * 2 })
    expect(await isFull(project)).toBe(true)
    const limitGroup = (repository_size_limit: number | null) =>
      world.as('admin').put(`/groups/${group.id}`, { repository_size_limit })
    await limitGroup(0)
    expect(await isFull(project)).toBe(false)
    await limitGroup(megabyte)
    await hold(project, { repository_size: megabyte * 2 })
    expect(await isFull(project)).toBe(true)
    await limitProject(project, 0)
    expect(await isFull(project)).toBe(false)
    await limitProject(project, null)
    await hold(project, { repository_size: megabyte * 2 })
    expect(await isFull(project)).toBe(true)
  })

  it('is shown to administrators, who alone set it, and told by an audit event', async () => {
    const { group, project, url } = await newPlace()
    const ofGroup = `/groups/${group.id}`
    for (const [place, body] of [
      [url, { repository_size_limit: 5_000_000_000 }],
      [ofGroup, { repository_size_limit: 1, storage_size_limit: 2 }],
    ] as const) {
      const ignored = await world.as('owner').put(place, { ...body, description: 'd' })
      expect([ignored.statusCode, ignored.json()]).toEqual([
        200,
        expect.not.objectContaining({ repository_size_limit: expect.anything() }),
      ])
      expect((await world.as('admin').get(place)).json().repository_size_limit).toBeNull()
      const set = await world.as('admin').put(place, body)
      expect([set.statusCode, set.json()]).toEqual([200, expect.objectContaining(body)])
      const wrong = await world.as('admin').put(place, { repository_size_limit: -1 })
      expect([wrong.statusCode, wrong.json()]).toEqual([
        400,
        expect.objectContaining({
          message: expect.objectContaining({
            repository_size_limit: ['must be greater than or equal to 0'],
          }),
        }),
      ])
    }
    const events = (await world.as('admin').get(`${url}/audit_events`)).json()
    expect(events[0]).toMatchObject({
      entity_id: project.id,
      event_name: 'project_changed',
      details: { changes: { repository_size_limit: { from: null, to: 5_000_000_000 } } },
    })
  })
})

describe('a group beyond its limit of storage', () => {
  it('takes neither pushes nor artifacts anywhere below', async () => {
    const group = await world.newMemberedGroup()
    const config = { build: { script: 'true', artifacts: { paths: ['out/'] } } }
    const project = await newCiProject(world, config, { group })
    const other = await world.newProject({ group })
    await world.as('admin').put(`/groups/${group.id}`, { storage_size_limit: megabyte })
    await hold(project, { repository_size: 0 })
    await hold(other, { repository_size: megabyte + 512 })
    const { runner, job } = await takeFirstJob(world, project)
    const archive = zipOf({ 'out/a': 'a' })
    const refused = await runner.upload(job, archive)
    expect([refused.statusCode, refused.json()]).toEqual([
      413,
      { message: 'file size has reached maximum size limit' },
    ])
    const copy = await world.clone(project, { as: 'maintainer' })
    await copy.commit({ b: 'b' })
    const pushed = await copy.run(['push', 'origin', 'HEAD:refs/heads/topic'])
    expect([pushed.status, pushed.stderr]).toEqual([
      1,
      expect.stringContaining(
        `has been rejected because the group ${group.full_path} has exceeded its size limit of 1 MB by 512 Bytes. ${help}`,
      ),
    ])
    await world.as('admin').put(`/groups/${group.id}`, { storage_size_limit: null })
    expect((await runner.upload(job, archive)).statusCode).toBe(201)
  })
})

describe.each(['groups', 'projects'] as const)('the wiki of %s below a full group', (kind) => {
  it('takes no pages, by git or the API, but lets them be removed', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const owner = kind === 'groups' ? group : project
    const url = `/${kind}/${owner.id}/wikis`
    const developer = world.as('developer')
    await developer.post(url, { title: 'home', content: 'x' })
    const wiki = { full_path: `${owner.full_path}.wiki` } as Project
    const copy = await world.clone(wiki, { as: 'developer' })
    const limit = (storage_size_limit: number | null) =>
      world.as('admin').put(`/groups/${group.id}`, { storage_size_limit })
    await copy.commit({ 'b.md': 'b' })
    await hold(project, { repository_size: megabyte })
    await limit(megabyte)
    const refused = await copy.run(['push', 'origin', 'HEAD'])
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('to exceed the size limit of 1 MB'),
    ])
    await hold(project, { repository_size: 2 * megabyte })
    const text = expect.stringContaining(`the group ${group.full_path} has exceeded its size limit`)
    const { body, options } = multipart({ file: { filename: 'a', content: Buffer.from('a') } })
    for (const answer of [
      await developer.post(url, { title: 'more', content: 'x' }),
      await developer.put(`${url}/home`, { content: 'y' }),
      await developer.post(`${url}/attachments`, body, options),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, { message: text }])
    }
    expect((await developer.delete(`${url}/home`)).statusCode).toBe(204)
    await limit(null)
    expect((await copy.run(['push', '--force', 'origin', 'HEAD'])).status).toBe(0)
  })
})

it.each([
  [0, '0 Bytes'],
  [1, '1 Byte'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1_600_000, '1.5 MB'],
  [123 * megabyte, '120 MB'],
  [10 * 1024 * megabyte, '10 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatHumanSize(bytes)).toBe(text)
})
