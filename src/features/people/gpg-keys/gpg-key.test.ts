import { generateKey } from 'openpgp'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const newPair = () => generateKey({ userIDs: [{ name: 'N', email: 'n@mail.test' }] })
const newKey = async () => (await newPair()).publicKey

describe('POST /user/gpg_keys', () => {
  it('adds a key that is shown to everybody', async () => {
    const { user, client } = await world.newUser()
    const key = await newKey()
    const answer = await client.post('/user/gpg_keys', { key: `\n${key}\r\n` })
    expect(answer.statusCode).toBe(201)
    const shown = {
      id: expect.any(Number),
      key: key.trim(),
      created_at: '2026-03-01T12:00:00.000Z',
    }
    expect(answer.json()).toEqual(shown)
    const { id } = answer.json()
    expect((await client.get(`/user/gpg_keys/${id}`)).json()).toEqual(shown)
    expect((await client.get('/user/gpg_keys')).json()).toEqual([shown])
    for (const who of ['anonymous', 'guest'] as const) {
      const url = `/users/${user.id}/gpg_keys`
      const listed = await world.as(who).get(url)
      expect(listed.json()).toEqual([shown])
      expect(listed.headers['x-total']).toBe('1')
      expect((await world.as(who).get(`${url}/${id}`)).json()).toEqual(shown)
    }
  })

  it('refuses what is no public key', async () => {
    const block = 'PGP PUBLIC KEY BLOCK'
    const form = `is invalid. A valid public GPG key begins with '-----BEGIN ${block}-----' and ends with '-----END ${block}-----'`
    const { privateKey, publicKey } = await newPair()
    const disguised = privateKey.replaceAll('PRIVATE KEY', 'PUBLIC KEY')
    for (const [body, expected] of [
      [{}, { error: 'key is missing' }],
      [{ key: ' ' }, { message: { key: ["can't be blank"] } }],
      [{ key: 'ssh-ed25519 AAAA' }, { message: { key: [form] } }],
      [{ key: privateKey }, { message: { key: [form] } }],
      [{ key: disguised }, { message: { key: ['is invalid'] } }],
      [{ key: publicKey.replace('\n\n', '\n\nAAAA') }, { message: { key: ['is invalid'] } }],
      [
        { key: publicKey.replace('\n\n', `\n\n${'A'.repeat(100_000)}`) },
        { message: { key: [form] } },
      ],
    ] as const) {
      const answer = await world.as('guest').post('/user/gpg_keys', body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual(expected)
    }
    const rows = await world.app.db
      .selectFrom('gpg_keys')
      .select('id')
      .where('user_id', '=', world.users.guest.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('refuses a key that somebody has already', async () => {
    const key = await newKey()
    expect((await world.as('owner').post('/user/gpg_keys', { key })).statusCode).toBe(201)
    const answer = await world.as('guest').post('/user/gpg_keys', { key })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message: { fingerprint: ['has already been taken'] } })
  })
})

describe('a GPG key', () => {
  it.each([
    ['anonymous', 401, 401],
    ['owner', 404, 403],
  ] as const)('of another is not for %s to end: %i, %i', async (who, own, others) => {
    const { user, client } = await world.newUser()
    const { id } = (await client.post('/user/gpg_keys', { key: await newKey() })).json()
    const caller = world.as(who)
    expect((await caller.get(`/user/gpg_keys/${id}`)).statusCode).toBe(own)
    expect((await caller.delete(`/user/gpg_keys/${id}`)).statusCode).toBe(own)
    expect((await caller.post(`/user/gpg_keys/${id}/revoke`)).statusCode).toBe(own)
    const url = `/users/${user.id}/gpg_keys`
    expect((await caller.post(url, { key: await newKey() })).statusCode).toBe(others)
    expect((await caller.delete(`${url}/${id}`)).statusCode).toBe(others)
    expect((await caller.post(`${url}/${id}/revoke`)).statusCode).toBe(others)
    expect((await client.get(`/user/gpg_keys/${id}`)).statusCode).toBe(200)
  })

  it.each(['own', 'admin'] as const)('is deleted or revoked (%s)', async (whose) => {
    const { user, client } = await world.newUser()
    const caller = whose === 'own' ? client : world.as('admin')
    const url = whose === 'own' ? '/user/gpg_keys' : `/users/${user.id}/gpg_keys`
    const one = (await caller.post(url, { key: await newKey() })).json()
    const two = (await caller.post(url, { key: await newKey() })).json()
    const headers = { 'if-unmodified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' }
    const newer = await caller.delete(`${url}/${one.id}`, undefined, { headers })
    expect([newer.statusCode, newer.json()]).toEqual([412, { message: '412 Precondition Failed' }])
    expect((await caller.delete(`${url}/${one.id}`)).statusCode).toBe(204)
    const revoked = await caller.post(`${url}/${two.id}/revoke`)
    expect(revoked.statusCode).toBe(202)
    expect(revoked.json()).toEqual({ message: '202 Accepted' })
    expect((await client.get('/user/gpg_keys')).json()).toEqual([])
    const missing = { message: '404 GPG Key Not Found' }
    expect((await caller.delete(`${url}/${one.id}`)).json()).toEqual(missing)
    expect((await caller.post(`${url}/${one.id}/revoke`)).json()).toEqual(missing)
    expect((await caller.get(`${url}/${one.id}`)).json()).toEqual(missing)
  })

  it('of an unknown user is a 404', async () => {
    const unknown = { message: '404 User Not Found' }
    const admin = world.as('admin')
    expect((await admin.get('/users/999999/gpg_keys')).json()).toEqual(unknown)
    expect((await admin.get('/users/999999/gpg_keys/1')).json()).toEqual(unknown)
    const key = await newKey()
    expect((await admin.post('/users/999999/gpg_keys', { key })).json()).toEqual(unknown)
    expect((await admin.delete('/users/999999/gpg_keys/1')).json()).toEqual(unknown)
    expect((await admin.post('/users/999999/gpg_keys/1/revoke')).json()).toEqual(unknown)
  })

  it('list needs a sign-in where it is your own', async () => {
    expect((await world.as('anonymous').get('/user/gpg_keys')).statusCode).toBe(401)
    expect((await world.as('anonymous').post('/user/gpg_keys', { key: 'k' })).statusCode).toBe(401)
  })
})
