import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newSshWorld, type SshWorld } from '../../../../test/kit/ssh.ts'

const url = '/broadcast_messages'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})
beforeEach(async () => {
  await world.app.db.deleteFrom('broadcast_messages').execute()
})

const now_ms = () => world.app.clock.now().getTime()
const inHours = (hours: number) => new Date(now_ms() + hours * 60 * 60_000).toISOString()

async function newMessage(body: object = {}) {
  const made = await world.as('admin').post(url, { message: 'Back at noon', ...body })
  expect(made.statusCode).toBe(201)
  return made.json()
}

describe('POST /broadcast_messages', () => {
  it('makes a banner for an hour unless told otherwise', async () => {
    const made = await world.as('admin').post(url, { message: 'Back at noon' })
    expect([made.statusCode, made.json()]).toEqual([
      201,
      {
        id: expect.any(Number),
        message: 'Back at noon',
        starts_at: inHours(0),
        ends_at: inHours(1),
        color: '#E75E40',
        font: '#FFFFFF',
        target_access_levels: [],
        target_path: null,
        broadcast_type: 'banner',
        dismissable: false,
        active: true,
      },
    ])
  })

  it('takes everything there is to say', async () => {
    const body = {
      message: 'Soon',
      starts_at: inHours(1),
      ends_at: inHours(-1),
      color: '#fff',
      font: '',
      target_access_levels: [10, 30],
      target_path: '*/welcome',
      broadcast_type: 'notification',
      dismissable: true,
    }
    expect(await newMessage(body)).toEqual({ id: expect.any(Number), active: false, ...body })
    const listed = await newMessage({ target_access_levels: '20,50' })
    expect(listed.target_access_levels).toEqual([20, 50])
  })

  it.each([
    ['anonymous', 401, { message: '401 Unauthorized' }],
    ['owner', 403, { message: '403 Forbidden' }],
  ] as const)('answers %s with %i', async (who, status, body) => {
    const { id } = await newMessage()
    const client = world.as(who)
    for (const answer of [
      await client.post(url, { message: 'x' }),
      await client.put(`${url}/${id}`, { message: 'x' }),
      await client.delete(`${url}/${id}`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([status, body])
    }
  })

  it.each([
    [{}, { error: 'message is missing' }],
    [{ message: ' ' }, { message: { message: ["can't be blank"] } }],
    [
      { message: 'm', color: 'red', font: '#12345' },
      {
        message: {
          color: ['must be a valid color code'],
          font: ['must be a valid color code'],
        },
      },
    ],
    [
      { message: 'm', broadcast_type: 'box' },
      { error: 'broadcast_type does not have a valid value' },
    ],
    [
      { message: 'm', starts_at: 'noon', target_access_levels: [15] },
      { error: 'starts_at is invalid, target_access_levels does not have a valid value' },
    ],
    [
      { message: 'm'.repeat(10_001), target_path: 'p'.repeat(256) },
      {
        message: {
          message: ['is too long (maximum is 10000 characters)'],
          target_path: ['is too long (maximum is 255 characters)'],
        },
      },
    ],
  ])('refuses %j', async (body, expected) => {
    const answer = await world.as('admin').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
  })
})

describe('GET /broadcast_messages', () => {
  it('shows everybody all of them, the newest first, and who is active now', async () => {
    const past = await newMessage({ starts_at: inHours(-2), ends_at: inHours(-1) })
    const now = await newMessage({ ends_at: inHours(0) })
    const future = await newMessage({ starts_at: inHours(1), ends_at: inHours(2) })
    const anonymous = world.as('anonymous')
    const all = await anonymous.get(url)
    expect([all.statusCode, all.json(), all.headers['x-total']]).toEqual([
      200,
      [future, now, past],
      '3',
    ])
    expect([past, now, future].map(({ active }) => active)).toEqual([false, true, false])
    expect((await anonymous.get(`${url}?active=true`)).json()).toEqual([now])
    expect((await anonymous.get(`${url}?active=false`)).json()).toEqual([future, past])
    const one = await anonymous.get(`${url}/${now.id}`)
    expect([one.statusCode, one.json()]).toEqual([200, now])
    const none = await anonymous.get(`${url}/999999`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it.each([
    [null, '/anything', true],
    ['', '/anything', true],
    ['/a/b', '/a/b', true],
    ['/a/b', 'A/B', true],
    ['/a/b', '/a/b/c', false],
    ['*/welcome', '/group/Welcome', true],
    ['*/welcome', '/group/welcome/on', false],
    ['/a*b*', '/axxbyy', true],
    ['/a.b', '/axb', false],
    ['/a', '', false],
    [`/${'*a'.repeat(100)}!`, `/${'a'.repeat(3000)}`, false],
  ])('with a path shows what is for it: %j at %j is %s', async (target_path, path, isShown) => {
    const { id } = await newMessage({ target_path })
    await newMessage({ starts_at: inHours(1) })
    await newMessage({ starts_at: inHours(-2), ends_at: inHours(-1) })
    const shown = await world.as('anonymous').get(`${url}?path=${encodeURIComponent(path)}`)
    expect([shown.statusCode, shown.headers['x-total']]).toEqual([200, isShown ? '1' : '0'])
    expect(shown.json().map((one: { id: number }) => one.id)).toEqual(isShown ? [id] : [])
  })
})

describe('PUT and DELETE /broadcast_messages/:id', () => {
  it('change what is given, which may be nothing, and remove it', async () => {
    const made = await newMessage({ target_access_levels: [10] })
    const other = await newMessage()
    const admin = world.as('admin')
    const same = await admin.put(`${url}/${made.id}`, {})
    expect([same.statusCode, same.json()]).toEqual([200, made])
    const changes = { message: 'Later', color: '#000000', target_access_levels: [] }
    const changed = await admin.put(`${url}/${made.id}`, changes)
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...made, ...changes }])
    const wrong = await admin.put(`${url}/${made.id}`, { font: 'x' })
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { message: { font: ['must be a valid color code'] } },
    ])
    const since = new Date(now_ms() - 60_000).toUTCString()
    const late = await admin.delete(`${url}/${made.id}`, undefined, {
      headers: { 'if-unmodified-since': since },
    })
    expect([late.statusCode, late.json()]).toEqual([412, { message: '412 Precondition Failed' }])
    const gone = await admin.delete(`${url}/${made.id}`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    for (const answer of [
      await admin.delete(`${url}/${made.id}`),
      await admin.put(`${url}/${made.id}`, { message: 'm' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
    expect((await admin.get(url)).json()).toEqual([other])
  })
})

describe('POST /broadcast_messages/:id/dismiss', () => {
  it('hides a message that may be dismissed, from the caller alone', async () => {
    const { id } = await newMessage({ dismissable: true })
    const fixed = await newMessage()
    const guest = world.as('guest')
    for (const _ of [1, 2]) {
      const answer = await guest.post(`${url}/${id}/dismiss`)
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
    }
    const shown = async (who: 'guest' | 'owner' | 'anonymous') =>
      (await world.as(who).get(`${url}?path=/`)).json().map((one: { id: number }) => one.id)
    expect(await shown('guest')).toEqual([fixed.id])
    expect(await shown('owner')).toEqual([fixed.id, id])
    expect(await shown('anonymous')).toEqual([fixed.id, id])
    // Wherever they are shown, for pages that look at the targets themselves.
    const elsewhere = await newMessage({ target_path: '/x' })
    const left = (await guest.get(`${url}?dismissed=false`)).json()
    expect(left.map((one: { id: number }) => one.id)).toEqual([elsewhere.id, fixed.id])
    await world.as('admin').delete(`${url}/${elsewhere.id}`)
    expect((await guest.get(url)).json()).toHaveLength(2)
    const refused = await guest.post(`${url}/${fixed.id}/dismiss`)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { message: '403 Forbidden - The message cannot be dismissed' },
    ])
    expect((await world.as('anonymous').post(`${url}/${id}/dismiss`)).statusCode).toBe(401)
    expect((await guest.post(`${url}/999999/dismiss`)).statusCode).toBe(404)
  })
})

describe('a push by git', () => {
  const said = (stderr: string) =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('remote:'))
      .map((line) => line.slice('remote: '.length).trimEnd())
  const rule = '='.repeat(72)

  it('is told the banners that are for everybody or its pusher, in plain text', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await newMessage({ message: 'Developers', target_access_levels: [30], target_path: '' })
    await newMessage({ message: 'Not for you', target_access_levels: [10, 50] })
    await newMessage({ message: 'Not here', target_path: '/x' })
    await newMessage({ message: 'Not so', broadcast_type: 'notification' })
    await newMessage({ message: 'Not yet', starts_at: inHours(1) })
    await newMessage({ message: 'No more', starts_at: inHours(-2), ends_at: inHours(-1) })
    const words = 'long words for a terminal '.repeat(4)
    await newMessage({ message: `Bell\u0007 \u001b[31mred\u202e\n${words}` })
    const lines = [
      '',
      rule,
      '',
      '    Bell [31mred long words for a terminal long words for a terminal',
      '          long words for a terminal long words for a terminal',
      '',
      rule,
      '',
      '',
      rule,
      '',
      `${' '.repeat(31)}Developers`,
      '',
      rule,
      '',
    ]
    const overHttp = await world.clone(project, { as: 'developer' })
    await overHttp.commit({ b: 'b' })
    const http = await overHttp.run(['push', 'origin', 'HEAD:refs/tags/one'])
    expect([http.status, said(http.stderr)]).toEqual([0, lines])
    const overSsh = await world.cloneOverSsh(project, await world.keyOf('developer'))
    await overSsh.commit({ c: 'c' })
    const ssh = await overSsh.run(['push', 'origin', 'HEAD:refs/tags/two'])
    expect([ssh.status, said(ssh.stderr)]).toEqual([0, lines])
    // Nothing is said of a push that is refused.
    const refused = await overSsh.run(['push', 'origin', 'HEAD:main'])
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).not.toContain('Developers')
  })
})
