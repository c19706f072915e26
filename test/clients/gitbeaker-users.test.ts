// A published client library, unchanged, with what belongs to a user beside the record.
import { Gitlab } from '@gitbeaker/rest'
import { generateKey } from 'openpgp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../kit/app.ts'

let app: TestApp
let host: string
let api: InstanceType<typeof Gitlab>
let userId: number
beforeAll(async () => {
  app = await startApp()
  host = await app.server.listen({ host: '127.0.0.1', port: 0 })
  api = new Gitlab({ host, token: rootToken })
  const user = await api.Users.create({
    email: 'one@client.test',
    username: 'one',
    name: 'One',
    password: 'long enough',
    skipConfirmation: true,
  })
  userId = user.id
})
afterAll(() => app.close())

it('gives a user addresses and GPG keys', async () => {
  const email = await api.UserEmails.create('two@client.test', { userId, skipConfirmation: true })
  expect(email).toMatchObject({ email: 'two@client.test', confirmed_at: expect.any(String) })
  const first = expect.objectContaining({ email: 'one@client.test' })
  expect(await api.UserEmails.all({ userId })).toEqual([first, email])
  await api.UserEmails.remove(email.id, { userId })
  expect(await api.UserEmails.all({ userId })).toEqual([first])
  const own = await api.UserEmails.create('three@client.test')
  expect(await api.UserEmails.show(own.id)).toEqual(own)
  const { publicKey } = await generateKey({ userIDs: [{ name: 'N', email: 'n@client.test' }] })
  const key = await api.UserGPGKeys.create(publicKey, { userId })
  expect(await api.UserGPGKeys.show(key.id, { userId })).toEqual(key)
  expect(await api.UserGPGKeys.all({ userId })).toEqual([key])
  await api.UserGPGKeys.remove(key.id, { userId })
  expect(await api.UserGPGKeys.all({ userId })).toEqual([])
})

it('acts as a user by an impersonation token, until it is revoked', async () => {
  const token = await api.UserImpersonationTokens.create(userId, 'i', ['api'], {
    expiresAt: '2026-12-31',
  })
  const asUser = new Gitlab({ host, token: String(token.token) })
  expect(await asUser.Users.showCurrentUser()).toMatchObject({ id: userId })
  expect(await asUser.Users.editStatus({ emoji: 'coffee', message: 'm' })).toMatchObject({
    emoji: 'coffee',
    message: 'm',
  })
  expect(await api.Users.showStatus({ iDOrUsername: 'one' })).toMatchObject({ message: 'm' })
  await asUser.Users.follow(1)
  expect(await api.Users.allFollowers(1)).toMatchObject([{ username: 'one' }])
  expect(await api.UserImpersonationTokens.all(userId, { state: 'active' })).toHaveLength(1)
  await api.UserImpersonationTokens.revoke(userId, token.id)
  await expect(asUser.Users.showCurrentUser()).rejects.toThrow()
  expect(await api.Users.allMemberships(userId)).toEqual([])
})
