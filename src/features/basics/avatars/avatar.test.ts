import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { removeUnlinkedAvatars } from './avatar.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const picture = (filename = 'logo.png') => ({ filename, content: png() })
const sources = [
  ['projects', 'project', 'Project'],
  ['groups', 'group', 'Group'],
] as const

const newSource = async (kind: 'projects' | 'groups') =>
  kind === 'projects' ? await world.newProject() : await world.newMemberedGroup()

describe.each(sources)('The picture of %s', (kind, owner, noun) => {
  it('is set with others of its fields, shown, replaced and taken away', async () => {
    const { id } = await newSource(kind)
    const url = `/${kind}/${id}`
    const client = world.as('owner')
    const form = multipart({ avatar: picture(), description: 'with a picture' })
    const set = await client.put(url, form.body, form.options)
    const avatar_url = `http://bloomery.test/uploads/-/system/${owner}/avatar/${id}/logo.png`
    expect(set.statusCode).toBe(200)
    expect(set.json()).toMatchObject({ avatar_url, description: 'with a picture' })
    expect((await client.get(url)).json().avatar_url).toBe(avatar_url)
    const served = await client.get(`${url}/avatar`)
    expect([served.statusCode, served.rawPayload]).toEqual([200, png()])
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const other = multipart({ avatar: { filename: 'other.png', content: png(7) } })
    const replaced = await client.put(url, other.body, other.options)
    expect(replaced.json().avatar_url).toBe(avatar_url.replace('logo', 'other'))
    expect((await client.get(`${url}/avatar`)).rawPayload).toEqual(png(7))
    expect((await client.put(url, { description: 'd' })).json().avatar_url).not.toBeNull()
    const removed = await client.put(url, { avatar: '' })
    expect([removed.statusCode, removed.json().avatar_url]).toEqual([200, null])
    const gone = await client.get(`${url}/avatar`)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Avatar Not Found' }])
  })

  it('is set by several at once', async () => {
    const { id } = await newSource(kind)
    const form = multipart({ avatar: picture() })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        world.as('owner').put(`/${kind}/${id}`, form.body, form.options),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect((await world.as('owner').get(`/${kind}/${id}/avatar`)).rawPayload).toEqual(png())
  })

  it('comes with a new one', async () => {
    const name = `Pictured ${kind} ${world.users.owner.id}`
    const path = `pictured-${kind}-${world.users.owner.id}`
    const form = multipart({ name, path, avatar: picture() })
    const made = await world.as('owner').post(`/${kind}`, form.body, form.options)
    expect(made.statusCode).toBe(201)
    const { id, avatar_url } = made.json()
    expect(avatar_url).toBe(`http://bloomery.test/uploads/-/system/${owner}/avatar/${id}/logo.png`)
    expect((await world.as('owner').get(`/${kind}/${id}/avatar`)).rawPayload).toEqual(png())
  })

  it('refuses what is none, and too large a one, and changes nothing', async () => {
    const { id } = await newSource(kind)
    const put = (fields: Parameters<typeof multipart>[0]) => {
      const form = multipart({ description: 'changed', ...fields })
      return world.as('owner').put(`/${kind}/${id}`, form.body, form.options)
    }
    const text = await put({ avatar: { filename: 'a.png', content: Buffer.from('<svg/>') } })
    expect([text.statusCode, text.json()]).toEqual([
      400,
      { message: { avatar: [expect.stringMatching(/^file format is not supported\. /)] } },
    ])
    const large = await put({ avatar: { filename: 'a.png', content: png(200 * 1024) } })
    expect([large.statusCode, large.json()]).toEqual([
      400,
      { message: { avatar: ['is too big (should be at most 200 KB)'] } },
    ])
    const plain = await world.as('owner').put(`/${kind}/${id}`, { avatar: 'a.png' })
    expect([plain.statusCode, plain.json()]).toEqual([400, { error: 'avatar is invalid' }])
    const after = (await world.as('owner').get(`/${kind}/${id}`)).json()
    expect([after.avatar_url, after.description]).toEqual([null, kind === 'groups' ? '' : null])
  })

  it('is hidden with it, and nobody else’s to change', async () => {
    const { id } = await newSource(kind)
    const form = multipart({ avatar: picture() })
    await world.as('owner').put(`/${kind}/${id}`, form.body, form.options)
    for (const who of ['anonymous', 'outsider'] as const) {
      const answer = await world.as(who).get(`/${kind}/${id}/avatar`)
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { message: `404 ${noun} Not Found` },
      ])
    }
    const changed = await world.as('developer').put(`/${kind}/${id}`, form.body, form.options)
    expect([changed.statusCode, changed.json()]).toEqual([403, { message: '403 Forbidden' }])
    const file = `/uploads/-/system/${owner}/avatar/${id}/logo.png`
    const open = (headers: Record<string, string>) =>
      world.app.server.inject({ url: file, headers })
    expect((await open({})).statusCode).toBe(404)
    expect((await open({ 'private-token': world.token('guest') })).statusCode).toBe(200)
    const statusWith = async (scope: string) => {
      const fields = { name: 't', scopes: [scope] }
      const made = await world.as('guest').post('/user/personal_access_tokens', fields)
      return (await open({ 'private-token': made.json().token })).statusCode
    }
    expect(await statusWith('read_api')).toBe(200)
    for (const scope of ['read_user', 'read_repository', 'write_repository', 'read_registry']) {
      expect(await statusWith(scope)).toBe(404)
    }
  })

  it('is let go of when it is deleted', async () => {
    const { id } = await newSource(kind)
    const form = multipart({ avatar: picture() })
    await world.as('owner').put(`/${kind}/${id}`, form.body, form.options)
    const kept = () =>
      world.app.db
        .selectFrom('avatars')
        .select('id')
        .where('owner_kind', '=', owner)
        .where('owner_id', '=', id)
        .execute()
    expect(await kept()).toHaveLength(1)
    const other = await newSource(kind)
    await world.as('owner').put(`/${kind}/${other.id}`, form.body, form.options)
    const served = async () => {
      const headers = { 'private-token': world.token('owner') }
      const file = `/uploads/-/system/${owner}/avatar/${id}/logo.png`
      return (await world.app.server.inject({ url: file, headers })).statusCode
    }
    expect(await served()).toBe(200)
    await world.as('owner').delete(`/${kind}/${id}`)
    expect(await served()).toBe(404)
    await world.app.worker.drain()
    expect(await kept()).toEqual([])
    expect((await world.as('owner').get(`/${kind}/${other.id}/avatar`)).statusCode).toBe(200)
  })
})

describe('A picture', () => {
  it('is not that of a project or a user with the same number, nor of another project', async () => {
    const { shut, inside } = world.projects
    const admin = world.as('admin')
    const set = async (url: string) => {
      const form = multipart({ avatar: picture() })
      return (await admin.put(url, form.body, form.options)).statusCode
    }
    const urls = [`/projects/${shut.id}`, `/projects/${inside.id}`]
    const shown = () =>
      Promise.all(urls.map(async (url) => (await admin.get(`${url}/avatar`)).statusCode))
    const file = `/uploads/-/system/user/avatar/${shut.id}/logo.png`
    expect([await set(`/users/${shut.id}`), await set(`/projects/${inside.id}`)]).toEqual([
      200, 200,
    ])
    expect(await shown()).toEqual([404, 200])
    expect(await set(`/projects/${shut.id}`)).toBe(200)
    await admin.put(`/projects/${shut.id}`, { avatar: '' })
    expect(await shown()).toEqual([404, 200])
    expect((await world.app.server.inject({ url: file })).statusCode).toBe(200)
  })

  it('of a user stays when a group with the same number is removed', async () => {
    const { id } = await world.newMemberedGroup()
    while ((await world.newUser()).user.id < id);
    const form = multipart({ avatar: picture() })
    const set = await world.as('admin').put(`/users/${id}`, form.body, form.options)
    expect(set.statusCode).toBe(200)
    expect((await world.as('owner').delete(`/groups/${id}`)).statusCode).toBe(202)
    await world.app.worker.drain()
    const file = `/uploads/-/system/user/avatar/${id}/logo.png`
    expect((await world.app.server.inject({ url: file })).statusCode).toBe(200)
  })

  it('that nobody has any more is removed an hour later', async () => {
    const { id } = await world.newProject()
    const form = multipart({ avatar: picture() })
    await world.as('owner').put(`/projects/${id}`, form.body, form.options)
    const find = () => world.app.db.selectFrom('avatars').select(['id', 'owner_id']).execute()
    const before = await find()
    const own = before.find(({ owner_id }) => owner_id === id)
    await world.as('owner').put(`/projects/${id}`, { avatar: '' })
    const uses = { db: world.app.db, config: world.app.config, clock: world.app.clock.now }
    const isThere = async () => {
      await removeUnlinkedAvatars(uses)
      return (await find()).some((one) => one.id === own?.id)
    }
    expect(await isThere()).toBe(true)
    world.app.clock.advance(61 * 60_000)
    expect(await isThere()).toBe(false)
  })
})

describe('The picture of a namespace', () => {
  it('is its group’s, wherever the group is named', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const form = multipart({ avatar: picture() })
    await world.as('owner').put(`/groups/${group.id}`, form.body, form.options)
    const avatar_url = `http://bloomery.test/uploads/-/system/group/avatar/${group.id}/logo.png`
    const guest = world.as('guest')
    const record = (await guest.get(`/projects/${project.id}`)).json()
    expect([record.avatar_url, record.namespace.avatar_url]).toEqual([null, avatar_url])
    expect((await guest.get(`/namespaces/${group.id}`)).json().avatar_url).toBe(avatar_url)
    const [named] = (await guest.get(`/projects/${project.id}/groups`)).json()
    expect(named.avatar_url).toBe(avatar_url)
  })
})
