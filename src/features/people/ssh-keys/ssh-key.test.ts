import { beforeAll, describe, expect, it } from 'vitest'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { computeSshFingerprints } from './public-key.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const now = '2026-03-01T12:00:00.000Z'
const newKey = () => newKeyPair().public
const create = (fields: object = {}, who: Parameters<World['as']>[0] = 'owner') =>
  world.as(who).post('/user/keys', { title: 'laptop', key: newKey(), ...fields })
const blobOf = (key: string) => Buffer.from(key.split(' ')[1] ?? '', 'base64')

/** The 1024 bits of an example in the documentation of clients; its exponent is 37. */
const oldKey =
  'ssh-rsa AAAAB3NzaC1yc2EAAAABJQAAAIEAiPWx6WM4lhHNedGfBpPJNPpZ7yKu+dnn1SJejgt4596k6YjzGGphH2TUxwKzxcKDKKezwkpfnxPkSMkuEspGRt/aZZ9wa++Oi7Qkr8prgHc4soW6NUlfDzpvZK2H5E7eQaSeP3SAwGmQKUFHCddNaP0L+hM7zhFNzjFvpaMgJw0='

describe('POST /user/keys', () => {
  it('answers an anonymous caller with 401', async () => {
    const answer = await create({}, 'anonymous')
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('answers the key as it was given, its comment included', async () => {
    const key = newKey()
    const expires_at = '2026-04-01T00:00:00.000Z'
    const answer = await create({ key: ` ${key}\n`, expires_at })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      title: 'laptop',
      created_at: now,
      expires_at,
      key,
      usage_type: 'auth_and_signing',
      last_used_at: null,
    })
    expect(key).toMatch(/ someone@laptop$/)
  })

  it.each([
    ['ed25519', undefined],
    ['rsa', 2048],
    ['ecdsa', 256],
    ['ecdsa', 384],
    ['ecdsa', 521],
  ] as const)('takes %s keys of %s bits', async (kind, bits) => {
    const { public: key } = newKeyPair(kind, { bits })
    expect((await create({ key })).statusCode).toBe(201)
  })

  it('takes RSA keys of 1024 bits, and a key broken into lines', async () => {
    const broken = oldKey.replace(/.{70}/g, '$&\r\n')
    const answer = await create({ key: broken, usage_type: 'signing' })
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      expect.objectContaining({ key: oldKey, usage_type: 'signing' }),
    ])
    await world.as('owner').delete(`/user/keys/${answer.json().id}`)
  })

  const blobWithMore = (() => {
    const [type, base64 = ''] = newKey().split(' ')
    const longer = Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from('more')])
    return `${type} ${longer.toString('base64')}`
  })()
  const offCurve = (() => {
    const [type, base64 = ''] = newKeyPair('ecdsa').public.split(' ')
    const blob = Buffer.from(base64, 'base64')
    return `${type} ${Buffer.concat([blob.subarray(0, -32), Buffer.alloc(32, 1)]).toString('base64')}`
  })()
  const unreadable = { fingerprint: ['cannot be generated'] }
  const forbidden = { key: ['type is forbidden. Must be RSA, ECDSA, or ED25519'] }
  it.each<[string, object, object]>([
    [
      'nothing',
      { title: undefined, key: undefined },
      { error: 'title is missing, key is missing' },
    ],
    ['a blank title', { title: ' ' }, { message: { title: ["can't be blank"] } }],
    [
      'a long title',
      { title: 't'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    ['no key', { key: 'hello' }, { message: { key: ['is invalid'], ...unreadable } }],
    ['a blank key', { key: '' }, { message: { key: ['is invalid'], ...unreadable } }],
    ['a damaged key', { key: 'ssh-ed25519 AAAA' }, { message: unreadable }],
    ['a key with more behind it', { key: blobWithMore }, { message: unreadable }],
    ['a point that is on no curve', { key: offCurve }, { message: unreadable }],
    [
      'a key of another type than it says',
      { key: oldKey.replace('rsa', 'ed25519') },
      { message: unreadable },
    ],
    [
      'a private key',
      { key: newKeyPair().private },
      { message: { key: ['is invalid'], ...unreadable } },
    ],
    ['a DSA key', { key: 'ssh-dss AAAAB3NzaC1kc3MAAACB' }, { message: forbidden }],
    ['a hardware key', { key: 'sk-ssh-ed25519@openssh.com AAAAGnNr' }, { message: forbidden }],
    [
      'a short RSA key',
      { key: newKeyPair('rsa', { bits: 768 }).public },
      { message: { key: ['must be at least 1024 bits'] } },
    ],
    [
      'a very long key',
      { key: `ssh-rsa ${'A'.repeat(5000)}` },
      { message: { key: ['is too long (maximum is 5000 characters)'] } },
    ],
    ['a day that is past', { expires_at: '2026-02-28' }, { message: { key: ['has expired'] } }],
    ['this very moment', { expires_at: now }, { message: { key: ['has expired'] } }],
    ['no date', { expires_at: 'soon' }, { error: 'expires_at is invalid' }],
    ['another usage', { usage_type: 'x' }, { error: 'usage_type does not have a valid value' }],
  ])('refuses %s', async (_what, fields, expected) => {
    const answer = await create(fields)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
  })

  it('refuses a key that somebody has already, under whatever comment', async () => {
    const key = newKey()
    expect((await create({ key }, 'guest')).statusCode).toBe(201)
    const answer = await create({ key: key.replace('someone', 'me') })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { fingerprint: ['has already been taken'] } },
    ])
  })

  it('takes the place of a deploy key of no project, unless that is public', async () => {
    const [dropped, open] = [newKey(), newKey()]
    const { db } = world.app
    const made = await world.as('admin').post('/deploy_keys', { title: 'd', key: open })
    expect(made.statusCode).toBe(201)
    expect((await create({ key: open })).statusCode).toBe(400)
    const other = await world.as('admin').post('/deploy_keys', { title: 'd', key: dropped })
    await db
      .updateTable('ssh_keys')
      .set({ is_public: false })
      .where('id', '=', other.json().id)
      .execute()
    expect((await create({ key: dropped })).statusCode).toBe(201)
  })

  it('is refused to a token that only reads', async () => {
    const { user, client } = await world.newUser()
    const body = { name: 't', scopes: ['read_user', 'read_api'] }
    const { token } = (
      await world.as('admin').post(`/users/${user.id}/personal_access_tokens`, body)
    ).json()
    const reader = world.app.client(token)
    expect((await reader.post('/user/keys', { title: 't', key: newKey() })).statusCode).toBe(403)
    expect((await reader.get('/user/keys')).json()).toEqual([])
    expect((await client.get('/user/keys')).json()).toEqual([])
  })
})

describe('GET /user/keys', () => {
  it("lists the caller's own in the order they were added, in pages", async () => {
    const { client } = await world.newUser()
    const made = []
    for (const title of ['a', 'b', 'c']) {
      made.push((await client.post('/user/keys', { title, key: newKey() })).json())
    }
    expect((await client.get('/user/keys')).json()).toEqual(made)
    const page = await client.get('/user/keys?per_page=2&page=2')
    expect(page.json()).toEqual([made[2]])
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-prev-page': '1' })
    expect((await world.as('anonymous').get('/user/keys')).statusCode).toBe(401)
  })
})

describe('GET and DELETE /user/keys/:key_id', () => {
  it('find and remove only a key of the caller', async () => {
    const made = (await create()).json()
    const url = `/user/keys/${made.id}`
    expect((await world.as('owner').get(url)).json()).toEqual(made)
    for (const [who, status] of [
      ['anonymous', 401],
      ['guest', 404],
      ['admin', 404],
    ] as const) {
      const answers = [await world.as(who).get(url), await world.as(who).delete(url)]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status])
      if (status === 404) expect(answers[0]?.json()).toEqual({ message: '404 Key Not Found' })
    }
    const headers = { 'if-unmodified-since': 'Sat, 01 Jan 2022 00:00:00 GMT' }
    const stale = await world.as('owner').delete(url, undefined, { headers })
    expect(stale.statusCode).toBe(412)
    const answer = await world.as('owner').delete(url)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await world.as('owner').delete(url)).statusCode).toBe(404)
    expect((await create({ key: made.key }, 'guest')).statusCode).toBe(201)
  })
})

describe('GET /users/:id/keys', () => {
  it('shows everybody the public keys of a user, but not when they were used', async () => {
    const { user, client } = await world.newUser()
    const own = (await client.post('/user/keys', { title: 'a', key: newKey() })).json()
    const { last_used_at: _, ...shown } = own
    for (const id of [user.id, user.username]) {
      const answer = await world.as('anonymous').get(`/users/${id}/keys`)
      expect([answer.statusCode, answer.json()]).toEqual([200, [shown]])
      const one = await world.as('guest').get(`/users/${id}/keys/${own.id}`)
      expect([one.statusCode, one.json()]).toEqual([200, shown])
    }
    for (const caller of [client, world.as('admin')]) {
      expect((await caller.get(`/users/${user.id}/keys`)).json()).toEqual([own])
      expect((await caller.get(`/users/${user.id}/keys/${own.id}`)).json()).toEqual(own)
    }
  })

  it('answers an unknown user, and a key of somebody else, with 404', async () => {
    const { id } = (await create()).json()
    const guest = world.users.guest.id
    for (const [url, message] of [
      ['/users/999999/keys', '404 User Not Found'],
      ['/users/nobody-at-all/keys', '404 User Not Found'],
      [`/users/999999/keys/${id}`, '404 User Not Found'],
      [`/users/${guest}/keys/${id}`, '404 Key Not Found'],
    ]) {
      const answer = await world.as('guest').get(url ?? '')
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { message }])
    }
  })
})

describe('POST and DELETE /users/:id/keys', () => {
  const url = () => `/users/${world.users.guest.id}/keys`

  it.each([
    ['anonymous', 401],
    ['guest', 403],
    ['owner', 403],
  ] as const)('answer %s with %i', async (who, status) => {
    const made = (await create({}, 'guest')).json()
    const posted = await world.as(who).post(url(), { title: 't', key: newKey() })
    const deleted = await world.as(who).delete(`${url()}/${made.id}`)
    expect([posted.statusCode, deleted.statusCode]).toEqual([status, status])
  })

  it('add and remove a key of the user', async () => {
    const answer = await world.as('admin').post(url(), { title: 't', key: newKey() })
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json()
    expect((await world.as('guest').get(`/user/keys/${id}`)).json()).toEqual(answer.json())
    const elsewhere = `/users/${world.users.owner.id}/keys/${id}`
    expect((await world.as('admin').delete(elsewhere)).json()).toEqual({
      message: '404 Key Not Found',
    })
    expect((await world.as('admin').delete(`${url()}/${id}`)).statusCode).toBe(204)
    const unknown = await world
      .as('admin')
      .post('/users/999999/keys', { title: 't', key: newKey() })
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 User Not Found' }])
    const gone = await world.as('admin').delete(`/users/999999/keys/${id}`)
    expect(gone.json()).toEqual({ message: '404 User Not Found' })
  })
})

describe('GET /keys', () => {
  it('finds a key by its id and by both fingerprints, with the whole user', async () => {
    const made = (await create()).json()
    const { fingerprint, fingerprint_sha256 } = computeSshFingerprints(blobOf(made.key))
    const user = (await world.as('owner').get('/user')).json()
    for (const url of [
      `/keys/${made.id}`,
      `/keys?fingerprint=${fingerprint}`,
      `/keys?fingerprint=MD5%3A${fingerprint.toUpperCase()}`,
      `/keys?fingerprint=${encodeURIComponent(`SHA256:${fingerprint_sha256}`)}`,
    ]) {
      const answer = await world.as('admin').get(url)
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 200, { ...made, user }])
    }
  })

  it('tells the fingerprints that ssh-keygen tells', () => {
    // Of the key in the documentation, as ssh-keygen printed them.
    expect(computeSshFingerprints(blobOf(oldKey))).toEqual({
      fingerprint: '3f:a2:ee:de:b5:de:53:c3:aa:2f:9c:45:24:4c:47:7b',
      fingerprint_sha256: 'MQHWhS9nhzUezUdD42ytxubZoBKrZLbyBZzxCkmnxXc',
    })
  })

  it.each([
    ['/keys', 400, { error: 'fingerprint is missing' }],
    ['/keys?fingerprint=12:34', 400, { message: 'Failed to return the key' }],
    [`/keys?fingerprint=${'11:'.repeat(15)}11`, 404, { message: '404 Key Not Found' }],
    ['/keys/999999', 404, { message: '404 Key Not Found' }],
  ] as const)('answers %s with %i', async (url, status, body) => {
    const answer = await world.as('admin').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    const { id } = (await create()).json()
    expect((await world.as(who).get(`/keys/${id}`)).statusCode).toBe(status)
    expect((await world.as(who).get('/keys?fingerprint=12')).statusCode).toBe(status)
  })
})
