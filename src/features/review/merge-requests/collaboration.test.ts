// What `allow_collaboration` of a merge request from a fork lets members of its target do by the API.
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function open() {
  const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
  const { client } = await world.newUser()
  const fork: Project = (await client.post(`/projects/${upstream.id}/fork`)).json()
  await world.app.worker.drain()
  const commits = `/projects/${fork.id}/repository/commits`
  for (const branch of ['topic', 'other']) {
    await client.post(commits, {
      branch,
      start_branch: 'main',
      commit_message: 'From the fork',
      actions: [{ action: 'create', file_path: branch, content: 'x\n' }],
    })
  }
  const body = { title: 'From a fork', source_branch: 'topic', target_branch: 'main' }
  const more = { target_project_id: upstream.id, allow_collaboration: true }
  const made = await client.post(`/projects/${fork.id}/merge_requests`, { ...body, ...more })
  const url = `/projects/${upstream.id}/merge_requests/${made.json().iid}`
  return { upstream, fork, client, url, commits }
}

const commitTo = (branch: string, more: object = {}) => ({
  branch,
  commit_message: 'Help',
  actions: [{ action: 'create', file_path: `by-${Math.random()}`, content: 'h' }],
  ...more,
})
const statusAndBody = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  answer.json(),
]
const refused = [403, { message: '403 Forbidden - You are not allowed to push into this branch' }]

describe('allow_collaboration', () => {
  it('lets those who may merge commit to the source branch, and to no other', async () => {
    const { fork, commits } = await open()
    const helper = world.as('maintainer')
    expect((await helper.post(commits, commitTo('topic'))).statusCode).toBe(201)
    const file = `/projects/${fork.id}/repository/files/new`
    const write = { branch: 'topic', commit_message: 'm', content: 'c' }
    expect((await helper.post(file, write)).statusCode).toBe(201)
    expect((await helper.put(file, { ...write, content: 'd' })).statusCode).toBe(200)
    expect((await helper.delete(file, write)).statusCode).toBe(204)
    for (const [branch, more] of [
      ['other', {}],
      ['main', {}],
      ['new', { start_branch: 'topic' }],
    ] as const) {
      expect(statusAndBody(await helper.post(commits, commitTo(branch, more)))).toEqual(refused)
    }
    const other = await helper.post(file, { ...write, branch: 'other' })
    expect(statusAndBody(other)).toEqual([
      400,
      { message: 'You are not allowed to push into this branch' },
    ])
    const branches = `/projects/${fork.id}/repository/branches`
    expect((await helper.post(branches, { branch: 'n', ref: 'topic' })).statusCode).toBe(403)
    expect((await helper.delete(`${branches}/topic`)).statusCode).toBe(403)
    const tags = `/projects/${fork.id}/repository/tags`
    expect((await helper.post(tags, { tag_name: 'v', ref: 'topic' })).statusCode).toBe(403)
  })

  it('is told as `can_push` of the branch, in as many queries whatever their number', async () => {
    const { fork } = await open()
    const branches = `/projects/${fork.id}/repository/branches`
    const told = async (who: 'maintainer' | 'reporter') =>
      (await world.as(who).get(branches))
        .json()
        .map(({ name, can_push }: { name: string; can_push: boolean }) => [name, can_push])
    expect(await told('maintainer')).toEqual([
      ['main', false],
      ['other', false],
      ['topic', true],
    ])
    expect(await told('reporter')).toEqual([
      ['main', false],
      ['other', false],
      ['topic', false],
    ])
    const ask = (size: number) =>
      world.app.count(() => world.as('maintainer').get(`${branches}?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })

  it('ends with the merge request, the flag, and an unprotected branch', async () => {
    const { fork, client, url, commits } = await open()
    const helper = world.as('maintainer')
    const status = async () => (await helper.post(commits, commitTo('topic'))).statusCode
    await client.put(url, { allow_maintainer_to_push: false })
    expect(await status()).toBe(403)
    await client.put(url, { allow_collaboration: true })
    expect(await status()).toBe(201)
    const rules = `/projects/${fork.id}/protected_branches`
    await client.post(rules, { name: 'top*' })
    expect(await status()).toBe(403)
    await client.delete(`${rules}/top*`)
    expect(await status()).toBe(201)
    await client.put(url, { state_event: 'close' })
    expect(await status()).toBe(403)
    await client.put(url, { state_event: 'reopen' })
    expect(await status()).toBe(201)
    await world.app.worker.drain()
    await helper.get(url)
    expect((await helper.put(`${url}/merge`)).statusCode).toBe(200)
    expect(await status()).toBe(403)
  })

  it('is changed only by who may push to the source', async () => {
    const { client, url } = await open()
    await client.put(url, { allow_collaboration: false })
    const helped = await world.as('maintainer').put(url, { allow_collaboration: true })
    expect([helped.statusCode, helped.json().allow_collaboration]).toEqual([200, false])
    const own = await client.put(url, { allow_collaboration: true })
    expect(own.json()).toMatchObject({ allow_collaboration: true, allow_maintainer_to_push: true })
  })

  it('lets nobody in who may not merge', async () => {
    const { commits } = await open()
    const forbidden = [
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ]
    for (const who of ['reporter', 'outsider'] as const) {
      expect(statusAndBody(await world.as(who).post(commits, commitTo('topic')))).toEqual(forbidden)
    }
    expect((await world.as('anonymous').post(commits, commitTo('topic'))).statusCode).toBe(401)
    const developer = await world.as('developer').post(commits, commitTo('topic'))
    expect(statusAndBody(developer)).toEqual(forbidden)
  })
  it('lets in only Developers where nothing protects the target', async () => {
    const { upstream, commits } = await open()
    await world.as('owner').delete(`/projects/${upstream.id}/protected_branches/main`)
    const status = async (who: Who) =>
      (await world.as(who).post(commits, commitTo('topic'))).statusCode
    expect(await status('anonymous')).toBe(401)
    expect([await status('outsider'), await status('reporter')]).toEqual([403, 403])
    expect(await status('developer')).toBe(201)
  })
})
