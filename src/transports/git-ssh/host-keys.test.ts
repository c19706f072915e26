import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2, { type ParsedKey } from 'ssh2'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { encodeEd25519, ensureHostKeys, publicLine } from './host-keys.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bloomery-keys-')), 'ssh')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const lines = (keys: ParsedKey[]) => keys.map(publicLine)

it('makes one key of each kind, readable by their owner alone, and keeps them', async () => {
  const keys = await ensureHostKeys(folder)
  expect(keys.map(({ type }) => type)).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'])
  const names = ['ecdsa', 'ed25519', 'rsa'].map((kind) => `ssh_host_${kind}_key`)
  expect(readdirSync(folder).sort()).toEqual(names.flatMap((name) => [name, `${name}.pub`]))
  for (const name of names) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(lines(keys)).toContain(readFileSync(join(folder, `${name}.pub`), 'utf8').trim())
  }
  chmodSync(join(folder, names[0] ?? ''), 0o644)
  expect(lines(await ensureHostKeys(folder))).toEqual(lines(keys))
  expect(statSync(join(folder, names[0] ?? '')).mode & 0o777).toBe(0o600)
})

it('makes a missing key anew, and names one that is damaged', async () => {
  const [ed25519, ...others] = lines(await ensureHostKeys(folder))
  rmSync(join(folder, 'ssh_host_ed25519_key'))
  const again = lines(await ensureHostKeys(folder))
  expect(again.slice(1)).toEqual(others)
  expect(again[0]).not.toBe(ed25519)
  writeFileSync(join(folder, 'ssh_host_rsa_key'), 'nothing of the kind')
  await expect(ensureHostKeys(folder)).rejects.toThrow('ssh_host_rsa_key is not a private key.')
})

it('keeps a zero that a key begins with', () => {
  const pointOf = (key: KeyObject) =>
    Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  let key = generateKeyPairSync('ed25519').privateKey
  while (pointOf(key)[0] !== 0) key = generateKeyPairSync('ed25519').privateKey
  const parsed = ssh2.utils.parseKey(encodeEd25519(key)) as ParsedKey
  expect(parsed.getPublicSSH().subarray(-32)).toEqual(pointOf(key))
  const known = ssh2.utils.parseKey(publicLine(parsed)) as ParsedKey
  expect(known.verify('text', parsed.sign('text'))).toBe(true)
})
