import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type GitWorld, newGitWorld } from '../../../../test/kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const reachLocal = (isAllowed: boolean) =>
  world.as('admin').put('/application/settings', {
    allow_local_requests_from_web_hooks_and_services: isAllowed,
  })

async function newPlace() {
  const project = await world.newProject({ files: { a: 'a' } })
  return { project, url: `/projects/${project.id}/remote_mirrors` }
}

const sent = { url: 'https://mirror.example.com/a/b.git' }
const record = {
  id: expect.any(Number),
  enabled: false,
  url: sent.url,
  update_status: 'none',
  last_update_at: null,
  last_update_started_at: null,
  last_successful_update_at: null,
  last_error: null,
  only_protected_branches: false,
  keep_divergent_refs: false,
  auth_method: 'password',
  host_keys: [],
}

describe('Remote mirrors', () => {
  it('are made, listed, shown, changed and removed', async () => {
    const { url } = await newPlace()
    const client = world.as('maintainer')
    const made = await client.post(url, sent)
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const one = `${url}/${made.json().id}`
    expect((await client.get(url)).json()).toEqual([record])
    expect((await client.get(one)).json()).toEqual(record)
    const off = await client.post(`${one}/sync`)
    expect(off.statusCode).toBe(400)
    const changed = await client.put(one, { enabled: true, keep_divergent_refs: true })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...record, enabled: true, keep_divergent_refs: true },
    ])
    expect((await client.delete(one)).statusCode).toBe(204)
    const gone = await client.get(one)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('are found in their own project alone', async () => {
    const [one, other] = [await newPlace(), await newPlace()]
    const client = world.as('maintainer')
    const { id } = (await client.post(one.url, sent)).json()
    const foreign = `${other.url}/${id}`
    for (const answer of [
      await client.get(foreign),
      await client.put(foreign, { enabled: true }),
      await client.post(`${foreign}/sync`),
      await client.delete(foreign),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    expect((await client.get(`${one.url}/${id}`)).json()).toEqual(record)
  })

  it('are twenty of a project at most, however many others have', async () => {
    const [full, other] = [await newPlace(), await newPlace()]
    const client = world.as('maintainer')
    for (let made = 0; made < 20; made++) {
      expect((await client.post(full.url, sent)).statusCode).toBe(201)
    }
    const refused = await client.post(full.url, sent)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: { base: ['Maximum number of remote mirrors (20) exceeded'] } },
    ])
    expect((await client.post(other.url, sent)).statusCode).toBe(201)
  })

  it('keep names and passwords to themselves', async () => {
    const { url } = await newPlace()
    for (const slashes of ['//', '///']) {
      const secret = `https:${slashes}robot:s3cret-pass@mirror.example.com/a/b.git`
      const made = await world.as('maintainer').post(url, { url: secret })
      expect(made.json().url).toBe('https://*****:*****@mirror.example.com/a/b.git')
    }
    const rows = await world.app.db.selectFrom('remote_mirrors').selectAll().execute()
    expect(JSON.stringify([rows, world.app.log])).not.toContain('s3cret-pass')
  })

  it.each([
    [{}, { error: 'url is missing' }],
    [
      { url: 'ssh://git@mirror.example.com/a.git' },
      { message: { url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { url: 'http://localhost/a.git' },
      { message: { url: ['is blocked: Requests to localhost are not allowed'] } },
    ],
    [
      { url: 'http://192.168.1.1/a.git' },
      { message: { url: ['is blocked: Requests to the local network are not allowed'] } },
    ],
  ])('are not made of %j', async (body, problem) => {
    const { url } = await newPlace()
    const answer = await world.as('maintainer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 401],
  ] as const)('answer %s with %i', async (who, status) => {
    const { url } = await newPlace()
    const { id } = (await world.as('owner').post(url, sent)).json()
    const client = world.as(who)
    for (const answer of [
      await client.get(url),
      await client.get(`${url}/${id}`),
      await client.post(url, sent),
      await client.put(`${url}/${id}`, { enabled: true }),
      await client.delete(`${url}/${id}`),
    ]) {
      expect(answer.statusCode).toBe(status)
    }
  })

  it('are pushed to after each push, and give way', async () => {
    await reachLocal(true)
    const { project, url } = await newPlace()
    const other = await world.newProject()
    const remote = world.remote(other, 'owner')
    const made = await world.as('owner').post(url, { url: remote, enabled: true })
    expect(made.json().url).toMatch(/^http:\/\/\*{5}:\*{5}@/)
    const one = `${url}/${made.json().id}`
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    await world.app.worker.drain()
    const time = '2026-03-01T12:00:00.000Z'
    expect((await world.as('owner').get(one)).json()).toMatchObject({
      update_status: 'finished',
      last_update_started_at: time,
      last_update_at: time,
      last_successful_update_at: time,
      last_error: null,
    })
    expect(await world.refs(other)).toEqual(await world.refs(project))
    await world.commit(other, { c: 'c' }, { branch: 'stray', start_branch: 'main' })
    await world.commit(other, { c: 'c' }, { branch: 'topic' })
    await world.commit(project, { d: 'd' }, { branch: 'main' })
    await world.app.worker.drain()
    expect(await world.refs(other)).not.toEqual(await world.refs(project))
    world.app.clock.advance(5 * 60_000)
    await world.app.worker.drain()
    expect(await world.refs(other)).toEqual(await world.refs(project))
    await world.as('owner').put(one, { only_protected_branches: true })
    await world.commit(project, { e: 'e' }, { branch: 'main' })
    await world.commit(project, { e: 'e' }, { branch: 'topic' })
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    const [here, there] = [await world.refs(project), await world.refs(other)]
    expect(there['refs/heads/main']).toBe(here['refs/heads/main'])
    expect(there['refs/heads/topic']).not.toBe(here['refs/heads/topic'])
    world.app.clock.advance(-6 * 60_000)
    await reachLocal(false)
  })

  it('are given any number of protected branches, in as many pushes as it takes', {
    timeout: 60_000,
  }, async () => {
    await reachLocal(true)
    const { project, url } = await newPlace()
    const other = await world.newProject()
    const long = Array.from({ length: 4 }, (_, at) => `${at}`.repeat(200)).join('/')
    const names = Array.from({ length: 700 }, (_, at) => `${long}/${at}`)
    const oid = (await world.refs(project))['refs/heads/main']
    const lines = names.toSorted().map((name) => `${oid} refs/heads/${name}\n`)
    const packed = `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`
    writeFileSync(join(world.repository(project), 'packed-refs'), packed)
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, { name: '*' })
    const body = { url: world.remote(other, 'owner'), only_protected_branches: true, enabled: true }
    const made = (await world.as('owner').post(url, body)).json()
    const { spawned } = world.app.git.git.spawner
    expect((await world.as('owner').post(`${url}/${made.id}/sync`)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect((await world.as('owner').get(`${url}/${made.id}`)).json()).toMatchObject({
      update_status: 'finished',
      last_error: null,
    })
    expect(await world.refs(other)).toEqual(await world.refs(project))
    expect(world.app.git.git.spawner.spawned - spawned).toBeGreaterThan(2)
    await reachLocal(false)
  })

  it('say what went wrong, and reach nothing local unless they may', async () => {
    await reachLocal(true)
    const { project, url } = await newPlace()
    const other = await world.newProject()
    const remote = new URL(world.remote(other, 'owner'))
    remote.password = 'wrong-password'
    const wrong = await world.as('owner').post(url, { url: remote.href, enabled: true })
    const named = await world.as('owner').post(url, { url: 'http://no-such-host.invalid/a.git' })
    await world.as('owner').put(`${url}/${named.json().id}`, { enabled: true })
    const tell = async () => {
      for (const { id } of [wrong.json(), named.json()]) {
        expect((await world.as('owner').post(`${url}/${id}/sync`)).statusCode).toBe(204)
      }
      await world.app.worker.drain()
      const list = (await world.as('owner').get(url)).json()
      return list.map(({ update_status, last_error }: Record<string, string>) => ({
        update_status,
        last_error,
      }))
    }
    const failed = { update_status: 'failed' }
    expect(await tell()).toEqual([
      { ...failed, last_error: 'The name or password is wrong.' },
      { ...failed, last_error: 'The address cannot be reached.' },
    ])
    await reachLocal(false)
    expect((await tell())[0]).toEqual({ ...failed, last_error: 'The address cannot be reached.' })
    expect(await world.refs(other)).toEqual({})
    expect(JSON.stringify(world.app.log)).not.toContain('wrong-password')
    expect(project.id).toBeGreaterThan(0)
  })
})
