import ssh2, { type ParsedKey, type PublicKeyAuthContext } from 'ssh2'
import { beforeAll, expect, it } from 'vitest'
import { type KeyPair, newKeyPair } from '../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../test/kit/world.ts'
import { authenticateAttempt } from './authenticate.ts'

let world: World
let rsa: KeyPair & { id: number }
beforeAll(async () => {
  world = await newWorld()
  const pair = newKeyPair('rsa')
  const answer = await world.as('owner').post('/user/keys', { title: 'k', key: pair.public })
  rsa = { ...pair, id: answer.json().id }
})

const signed = Buffer.from('session id and request')
const partsOf = (pair: KeyPair) => ({
  parsed: ssh2.utils.parseKey(pair.private) as ParsedKey,
  data: Buffer.from(pair.public.split(' ')[1] ?? '', 'base64'),
})

/** What the library hands on of an attempt to sign in. */
function attempt(pair: KeyPair, fields: Partial<PublicKeyAuthContext> = {}) {
  const { parsed, data } = partsOf(pair)
  const context = {
    method: 'publickey',
    username: 'git',
    key: { algo: parsed.type, data },
    hashAlgo: parsed.type === 'ssh-rsa' ? 'sha256' : undefined,
    ...fields,
  }
  return authenticateAttempt(world.app.db, world.app.clock.now, context as PublicKeyAuthContext)
}
const signatureOf = (pair: KeyPair, hashAlgo?: string) => ({
  blob: signed,
  hashAlgo,
  signature: partsOf(pair).parsed.sign(signed, hashAlgo),
})

it('says that a known key would do, and takes it once it has signed', async () => {
  expect(await attempt(rsa)).toBe('acceptable')
  for (const hash of ['sha256', 'sha512']) {
    expect(await attempt(rsa, signatureOf(rsa, hash))).toEqual({ keyId: rsa.id })
  }
})

it('takes no signature with SHA-1, nor an offer of one', async () => {
  expect(await attempt(rsa, { hashAlgo: undefined })).toBe('refused')
  expect(await attempt(rsa, signatureOf(rsa, 'sha1'))).toBe('refused')
  expect(await attempt(rsa, { ...signatureOf(rsa, 'sha1'), hashAlgo: undefined })).toBe('refused')
})

it('takes no signature by another key, of another text, or of no form at all', async () => {
  const other = newKeyPair('rsa')
  const good = signatureOf(rsa, 'sha256')
  expect(await attempt(rsa, signatureOf(other, 'sha256'))).toBe('refused')
  expect(await attempt(rsa, { ...good, blob: Buffer.from('another') })).toBe('refused')
  expect(await attempt(rsa, { ...good, signature: Buffer.from('x') })).toBe('refused')
  expect(await attempt(rsa, { ...good, signature: Buffer.alloc(0) })).toBe('refused')
  expect(await attempt(rsa, { ...good, blob: undefined })).toBe('refused')
})

it('knows no other key, user name, algorithm or method', async () => {
  expect(await attempt(newKeyPair())).toBe('refused')
  const { data } = partsOf(rsa)
  for (const fields of [
    { username: 'root' },
    { username: world.users.owner.username },
    { ...signatureOf(rsa, 'sha256'), key: { algo: 'ssh-ed25519', data } },
    { key: { algo: 'ssh-rsa', data: Buffer.concat([data, Buffer.from('x')]) } },
    { key: { algo: 'ssh-rsa', data: Buffer.alloc(0) } },
    { method: 'password' as 'publickey' },
    { method: 'none' as 'publickey' },
  ]) {
    expect(await attempt(rsa, fields)).toBe('refused')
  }
})
