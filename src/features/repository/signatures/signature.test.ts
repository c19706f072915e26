import {
  type AnyPacket,
  armor,
  createMessage,
  enums,
  generateKey,
  PacketList,
  type PrivateKey,
  readPrivateKey,
  readSignature,
  sign,
} from 'openpgp'
import { beforeAll, describe, expect, it } from 'vitest'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { emptyTreeOid } from '../../../git/names.ts'
import { splitSignedCommit, splitSignedTag } from '../../../git/signed-object.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { verifySshSignature } from './ssh-signature.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({ files: { a: 'a' } })
})

const git = async (args: string[], stdin = '') => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
}

const head = `tree ${emptyTreeOid}
author A <a@x.test> 1700000000 +0000
committer A <a@x.test> 1700000000 +0000
`
const payload = `${head}\nSigned\n`

/** The commit of the payload with a signature, as git writes it. */
const store = (signature: string) =>
  git(
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `${head}gpgsig ${signature.split('\n').join('\n ')}\n\nSigned\n`,
  )
const urlOf = (where: Project, sha: string) =>
  `/projects/${where.id}/repository/commits/${sha}/signature`
const ask = async (signature: string) =>
  (await world.as('reporter').get(urlOf(project, await store(signature)))).json()

async function signPgp(text: string, count = 1): Promise<{ signature: string; keyIds: string[] }> {
  const keys = await Promise.all(
    Array.from({ length: count }, () =>
      generateKey({ userIDs: [{ name: 'A', email: 'a@x.test' }], format: 'object' }),
    ),
  )
  const signature = await sign({
    message: await createMessage({ binary: Buffer.from(text) }),
    signingKeys: keys.map(({ privateKey }) => privateKey),
    detached: true,
  })
  const keyIds = keys.map(({ privateKey }) => privateKey.getKeyID().toHex().toUpperCase())
  return { signature: String(signature).replaceAll('\r', '').trim(), keyIds }
}

/** Signs a commit of that committer; `write` stores it, with the message that was signed or another. */
async function signCommitAs(email: string, signingKeys: PrivateKey) {
  const lines = head.replace(/^committer .*$/m, `committer N <${email}> 1700000000 +0000`)
  const message = await createMessage({ binary: Buffer.from(`${lines}\nSigned\n`) })
  const armored = String(await sign({ message, signingKeys, detached: true }))
  const text = armored.replaceAll('\r', '').trim().split('\n').join('\n ')
  return {
    signature: await readSignature({ armoredSignature: armored }),
    write: (words: string) =>
      git(['hash-object', '-t', 'commit', '-w', '--stdin'], `${lines}gpgsig ${text}\n\n${words}\n`),
  }
}

const pgp = {
  signature_type: 'PGP',
  verification_status: 'unknown_key',
  gpg_key_id: null,
  gpg_key_user_name: null,
  gpg_key_user_email: null,
  gpg_key_subkey_id: null,
  commit_source: 'gitaly',
}

describe('GET /projects/:id/repository/commits/:sha/signature', () => {
  it.each([
    ['anonymous', 'open', 404, '404 Signature Not Found'],
    ['anonymous', 'shut', 404, '404 Project Not Found'],
    ['outsider', 'shut', 404, '404 Project Not Found'],
    ['guest', 'shut', 403, '403 Forbidden'],
    ['reporter', 'shut', 404, '404 Signature Not Found'],
  ] as const)('answers %s of the %s project with %i %s', async (who, place, status, message) => {
    const answer = await world.as(who).get(urlOf(world.projects[place], 'main'))
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })

  it('does not find an unknown commit', async () => {
    const answer = await world.as('reporter').get(urlOf(project, 'nothing'))
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Commit Not Found' }])
  })

  it('tells the key of a PGP signature, which nobody is known to have', async () => {
    const { signature, keyIds } = await signPgp(payload)
    expect(await ask(signature)).toEqual({ ...pgp, gpg_key_primary_keyid: keyIds[0] })
  })

  it('tells several PGP signatures, and what cannot be read', async () => {
    const { signature } = await signPgp(payload, 2)
    expect(await ask(signature)).toMatchObject({ verification_status: 'multiple_signatures' })
    const damaged = '-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----'
    for (const unreadable of [damaged, signature + 'x'.repeat(70_000)]) {
      expect(await ask(unreadable)).toEqual({
        ...pgp,
        verification_status: 'unverified',
        gpg_key_primary_keyid: null,
      })
    }
  })

  it('tells the certificate of an X.509 signature', async () => {
    const sha = await store(x509)
    const answer = await world.as('reporter').get(urlOf(project, sha))
    // The serial number is longer than a double can tell.
    expect(answer.body).toContain('"serial_number":278969561018901340486471282831158785578,')
    expect(answer.json()).toEqual({
      signature_type: 'X509',
      verification_status: 'unverified',
      x509_certificate: {
        id: null,
        subject: 'CN=signer@x.test,OU=Example,O=World',
        subject_key_identifier: '19:56:59:91:19:A5:B3:46:1D:95:84:0E:6A:FB:38:F1:E7:BC:4A:21',
        email: 'signer@x.test',
        serial_number: Number('278969561018901340486471282831158785578'),
        certificate_status: 'good',
        x509_issuer: {
          id: null,
          subject: 'CN=The CA,OU=Example,O=World',
          subject_key_identifier: '31:76:6B:18:F2:8E:F0:35:A8:61:7A:A5:8B:64:14:26:D8:24:A0:17',
          crl_url: 'http://x.test/ca.crl',
        },
      },
      commit_source: 'gitaly',
    })
  })

  it('is not upset by an X.509 signature that cannot be read', async () => {
    const lines = x509.split('\n')
    for (const damaged of [lines.toSpliced(3, 1), lines.toSpliced(1, 1), lines.toSpliced(1, 12)]) {
      expect(await ask(damaged.join('\n'))).toEqual({
        signature_type: 'X509',
        verification_status: 'unverified',
        x509_certificate: null,
        commit_source: 'gitaly',
      })
    }
  })

  it('tells an SSH signature of a key nobody is known to have', async () => {
    expect(await ask(ssh.ed25519)).toEqual({
      signature_type: 'SSH',
      verification_status: 'unknown_key',
      key: null,
      commit_source: 'gitaly',
    })
  })

  it('knows the SSH key of a user, and whether the commit is by them', async () => {
    const { client } = await world.newUser()
    await client.post('/user/keys', { title: 'Another', key: newKeyPair().public })
    const text = verifySshSignature(ssh.rsa, Buffer.from(payload))?.key ?? ''
    const key = (await client.post('/user/keys', { title: 'Mine', key: text })).json()
    expect(await ask(ssh.rsa)).toEqual({
      signature_type: 'SSH',
      // Whoever made the commit has another address.
      verification_status: 'other_user',
      key: {
        id: key.id,
        title: 'Mine',
        created_at: key.created_at,
        expires_at: null,
        key: text,
        usage_type: 'auth_and_signing',
      },
      commit_source: 'gitaly',
    })
    await client.delete(`/user/keys/${key.id}`)
    expect(await ask(ssh.rsa)).toMatchObject({ verification_status: 'unknown_key', key: null })
    // One that only signs its user in has signed nothing.
    const signIn = { title: 'Sign-in', key: text, usage_type: 'auth' }
    const { id } = (await client.post('/user/keys', signIn)).json()
    expect(await ask(ssh.rsa)).toMatchObject({ verification_status: 'unknown_key', key: null })
    await client.delete(`/user/keys/${id}`)
  })

  it.each([
    ['verified', { named: 'own', by: 'own' }],
    ['same_user_different_email', { named: 'own', by: 'second' }],
    ['other_user', { named: 'own', by: 'else' }],
    ['unverified_key', { named: 'else', by: 'own' }],
  ] as const)('judges the PGP key of a user: %s', async (status, { named, by }) => {
    const { user, client } = await world.newUser()
    const second = { email: `second-${user.email}`, skip_confirmation: true }
    await world.as('admin').post(`/users/${user.id}/emails`, second)
    const addresses = { own: user.email, second: second.email, else: 'somebody@else.test' }
    const { privateKey, publicKey } = await generateKey({
      userIDs: [{ name: 'A Signer', email: addresses[named] }],
    })
    const added = await client.post('/user/gpg_keys', { key: publicKey })
    expect(added.statusCode).toBe(201)
    const lines = head.replace(/^committer .*$/m, `committer N <${addresses[by]}> 1700000000 +0000`)
    const signature = String(
      await sign({
        message: await createMessage({ binary: Buffer.from(`${lines}\nSigned\n`) }),
        signingKeys: await readPrivateKey({ armoredKey: privateKey }),
        detached: true,
      }),
    )
    const armor = signature.replaceAll('\r', '').trim().split('\n').join('\n ')
    const write = (message: string) =>
      git(
        ['hash-object', '-t', 'commit', '-w', '--stdin'],
        `${lines}gpgsig ${armor}\n\n${message}\n`,
      )
    const get = async (message: string) =>
      (await world.as('reporter').get(urlOf(project, await write(message)))).json()
    expect(await get('Signed')).toMatchObject({
      signature_type: 'PGP',
      verification_status: status,
      gpg_key_id: added.json().id,
      gpg_key_user_name: 'A Signer',
      gpg_key_user_email: addresses[named],
    })
    // Its words were changed after it was signed.
    expect(await get('Forged')).toMatchObject({ verification_status: 'unverified' })
  })

  it('knows a signing subkey of the PGP key of a user', async () => {
    const { user, client } = await world.newUser()
    const { privateKey, publicKey } = await generateKey({
      userIDs: [{ name: 'A Signer', email: user.email }],
      subkeys: [{ sign: true }, {}],
      format: 'object',
    })
    const added = await client.post('/user/gpg_keys', { key: publicKey.armor() })
    expect(added.statusCode).toBe(201)
    const { signature, write } = await signCommitAs(user.email, privateKey)
    expect(signature.getSigningKeyIDs().map((id) => id.toHex())).toEqual([
      privateKey.subkeys[0]?.getKeyID().toHex(),
    ])
    const sha = await write('Signed')
    const get = async () => (await world.as('reporter').get(urlOf(project, sha))).json()
    const subkey = await world.app.db
      .selectFrom('gpg_subkeys')
      .select('id')
      .where('gpg_key_id', '=', added.json().id)
      .executeTakeFirstOrThrow()
    const shown = {
      ...pgp,
      verification_status: 'verified',
      gpg_key_primary_keyid: privateKey.subkeys[0]?.getKeyID().toHex().toUpperCase(),
      gpg_key_user_name: 'A Signer',
      gpg_key_user_email: user.email,
      gpg_key_subkey_id: subkey.id,
    }
    expect(await get()).toEqual(shown)
    const forged = await world.as('reporter').get(urlOf(project, await write('Forged')))
    expect(forged.json()).toEqual({
      ...shown,
      verification_status: 'unverified',
      gpg_key_user_name: null,
      gpg_key_user_email: null,
    })
    await client.delete(`/user/gpg_keys/${added.json().id}`)
    expect(await get()).toMatchObject({ verification_status: 'unknown_key' })
  })

  it('knows whose of two keys of one id it was', async () => {
    const { client: first } = await world.newUser()
    const { user, client } = await world.newUser()
    const pair = () =>
      generateKey({ userIDs: [{ name: 'A Signer', email: user.email }], format: 'object' })
    const [other, own] = [await pair(), await pair()]
    const older = await first.post('/user/gpg_keys', { key: other.publicKey.armor() })
    const added = await client.post('/user/gpg_keys', { key: own.publicKey.armor() })
    // Two such keys take long to find, so the row says it.
    await world.app.db
      .updateTable('gpg_keys')
      .set({ primary_keyid: own.publicKey.getKeyID().toHex().toUpperCase() })
      .where('id', '=', older.json().id)
      .execute()
    const { write } = await signCommitAs(user.email, own.privateKey)
    const answer = await world.as('reporter').get(urlOf(project, await write('Signed')))
    expect(answer.json()).toMatchObject({
      verification_status: 'verified',
      gpg_key_id: added.json().id,
    })
  })

  it('believes no subkey that does not itself say whose it is', async () => {
    const { user, client: thief } = await world.newUser()
    const options = { userIDs: { email: user.email }, format: 'object' } as const
    const victim = await generateKey({ ...options, subkeys: [{ sign: true }] })
    const { privateKey: mine } = await generateKey({ ...options, subkeys: [] })
    // What somebody can do who has the public key of another: write its subkey behind their own.
    const packets = new PacketList<AnyPacket>()
    packets.push(...mine.toPublic().toPacketList())
    packets.push(...victim.publicKey.toPacketList().slice(-2))
    const stolen = armor(enums.armor.publicKey, packets.write())
    expect((await thief.post('/user/gpg_keys', { key: stolen })).statusCode).toBe(201)
    const { write } = await signCommitAs(user.email, victim.privateKey)
    const answer = await world.as('reporter').get(urlOf(project, await write('Signed')))
    expect(answer.json()).toMatchObject({ verification_status: 'unknown_key' })
  })

  it.each(['wrongNamespace', 'damaged'] as const)('does not believe SSH: %s', async (name) => {
    expect(await ask(ssh[name])).toMatchObject({ verification_status: 'unverified' })
  })
})

describe('GET /projects/:id/repository/signatures', () => {
  const ofSeveral = (where: Project, shas: readonly string[]) =>
    `/projects/${where.id}/repository/signatures?${shas.map((sha) => `shas[]=${sha}`).join('&')}`

  it.each([
    ['anonymous', 'open', 200, [{ sha: 'main', signature: null }]],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 200, [{ sha: 'main', signature: null }]],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const answer = await world.as(who).get(ofSeveral(world.projects[place], ['main']))
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('tells each as the commit itself does, in their order, null for none', async () => {
    const { client } = await world.newUser()
    const text = verifySshSignature(ssh.rsa, Buffer.from(payload))?.key ?? ''
    const key = (await client.post('/user/keys', { title: 'Mine', key: text })).json()
    const { signature, keyIds } = await signPgp(payload)
    const [bySsh, byPgp] = [await store(ssh.rsa), await store(signature)]
    const answer = await world.as('reporter').get(ofSeveral(project, [byPgp, 'main', bySsh, bySsh]))
    const alone = (await world.as('reporter').get(urlOf(project, bySsh))).json()
    expect(alone).toMatchObject({ verification_status: 'other_user', key: { id: key.id } })
    expect(answer.json()).toEqual([
      { sha: byPgp, signature: { ...pgp, gpg_key_primary_keyid: keyIds[0] } },
      { sha: 'main', signature: null },
      { sha: bySsh, signature: alone },
      { sha: bySsh, signature: alone },
    ])
    await client.delete(`/user/keys/${key.id}`)
  })

  it('looks up the owner of a key once for all commits that it signed', async () => {
    const { client } = await world.newUser()
    const text = verifySshSignature(ssh.rsa, Buffer.from(payload))?.key ?? ''
    const key = (await client.post('/user/keys', { title: 'Mine', key: text })).json()
    const sha = await store(ssh.rsa)
    const costOf = (count: number) =>
      world.app.count(() => world.as('reporter').get(ofSeveral(project, Array(count).fill(sha))))
    await costOf(1)
    expect(await costOf(30)).toEqual(await costOf(1))
    await client.delete(`/user/keys/${key.id}`)
  })

  it('knows at most a hundred at once, and none that is not there', async () => {
    const many = await world.as('reporter').get(ofSeveral(project, Array(101).fill('main')))
    expect([many.statusCode, many.json()]).toEqual([400, { message: 'Provide at most 100 shas' }])
    const unknown = await world.as('reporter').get(ofSeveral(project, ['main', 'nothing']))
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 Commit Not Found' }])
    const none = await world.as('reporter').get(`/projects/${project.id}/repository/signatures`)
    expect([none.statusCode, none.json()]).toEqual([400, { error: 'shas is missing' }])
  })
})

describe('GET /projects/:id/repository/tags/:tag_name/signature', () => {
  const tagUrl = (name: string) => `/projects/${project.id}/repository/tags/${name}/signature`

  it('tells the signature at the end of a tag', async () => {
    const lines = [
      `object ${await git(['rev-parse', 'main'])}`,
      'type commit',
      'tag signed',
      'tagger A <a@x.test> 1700000000 +0000',
      '',
      'Text',
      '',
    ]
    const body = lines.join('\n')
    const { signature, keyIds } = await signPgp(body)
    await git(['update-ref', 'refs/tags/signed', await git(['mktag'], `${body}${signature}\n`)])
    const answer = await world.as('reporter').get(tagUrl('signed'))
    expect(answer.json()).toEqual({ ...pgp, gpg_key_primary_keyid: keyIds[0] })
    expect((await world.as('guest').get(tagUrl('signed'))).statusCode).toBe(403)
  })

  it('answers tags without one with 404', async () => {
    const make = (tag_name: string, message: string) =>
      world
        .as('owner')
        .post(`/projects/${project.id}/repository/tags`, { tag_name, ref: 'main', message })
    await make('light', '')
    await make('annotated', 'm')
    for (const [name, message] of [
      ['light', '404 Signature Not Found'],
      ['annotated', '404 Signature Not Found'],
      ['nothing', '404 Tag Not Found'],
    ] as const) {
      const answer = await world.as('reporter').get(tagUrl(name))
      expect([answer.statusCode, answer.json()]).toEqual([404, { message }])
    }
  })
})

describe('the payload of a signature', () => {
  it('is the object without it', () => {
    const signed = `${head}gpgsig one\n two\n \n three\nencoding x\n\ngpgsig in the message\n`
    expect(splitSignedCommit(Buffer.from(signed))).toEqual({
      signature: 'one\ntwo\n\nthree',
      payload: Buffer.from(`${head}encoding x\n\ngpgsig in the message\n`),
    })
    expect(splitSignedCommit(Buffer.from(payload))).toBeUndefined()
    const mark = '-----BEGIN SSH SIGNATURE-----'
    expect(splitSignedTag(Buffer.from(`tag\n\n ${mark}\n${mark}\nx\n`))).toEqual({
      signature: `${mark}\nx`,
      payload: Buffer.from(`tag\n\n ${mark}\n`),
    })
  })
})

describe('verifySshSignature', () => {
  it.each(['ed25519', 'rsa', 'nistp256', 'nistp521'] as const)('checks a key of %s', (name) => {
    expect(verifySshSignature(ssh[name], Buffer.from(payload))).toMatchObject({
      key: expect.stringMatching(/^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp\d+) AAAA/),
      isValid: true,
    })
    const other = Buffer.from(payload.replace('Signed', 'Forged'))
    expect(verifySshSignature(ssh[name], other)).toMatchObject({ isValid: false })
  })

  it('is not upset by any damage', () => {
    const lines = ssh.nistp256.split('\n')
    const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64')
    const isValid = (changed: Buffer) => {
      const armored = `${lines[0]}\n${changed.toString('base64')}\n${lines.at(-1)}`
      return verifySshSignature(armored, Buffer.from(payload))?.isValid ?? false
    }
    expect(isValid(bytes)).toBe(true)
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      expect([at, isValid(damaged), isValid(bytes.subarray(0, at))]).toEqual([at, false, false])
    }
  })
})

// Made once by openssl and ssh-keygen over the payload, with keys that were thrown away.
const x509 = `-----BEGIN SIGNED MESSAGE-----
MIIDywYJKoZIhvcNAQcCoIIDvDCCA7gCAQExDTALBglghkgBZQMEAgEwCwYJKoZI
hvcNAQcBoIIB9zCCAfMwggGZoAMCAQICEQDR35VG86AKxdi98EiVTbYqMAoGCCqG
SM49BAMCMDMxDjAMBgNVBAoMBVdvcmxkMRAwDgYDVQQLDAdFeGFtcGxlMQ8wDQYD
VQQDDAZUaGUgQ0EwIBcNMjYxMTIxMDcyNjMwWhgPMjEyNjEwMjgwNzI2MzBaMDox
DjAMBgNVBAoMBVdvcmxkMRAwDgYDVQQLDAdFeGFtcGxlMRYwFAYDVQQDDA1zaWdu
ZXJAeC50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0coyncBgn/oxp0MQ
GtZL4R6ju0z2QhXUJj/jehhWyN6MXF0D0w1uB3nnAqUwmcyLKMoi4N7DoZITWFhc
wyZan6OBhDCBgTAYBgNVHREEETAPgQ1zaWduZXJAeC50ZXN0MB0GA1UdDgQWBBQZ
VlmRGaWzRh2VhA5q+zjx57xKITAfBgNVHSMEGDAWgBQxdmsY8o7wNahheqWLZBQm
2CSgFzAlBgNVHR8EHjAcMBqgGKAWhhRodHRwOi8veC50ZXN0L2NhLmNybDAKBggq
hkjOPQQDAgNIADBFAiBCuYgy6Ua+b0DBAGAOi89JCGFSvLTQd0dXUhi4RmAjVgIh
AI6zFLAObN80QEhKmpXQAMx3MivrHOx1mu7Pci47SD4dMYIBmjCCAZYCAQEwSDAz
MQ4wDAYDVQQKDAVXb3JsZDEQMA4GA1UECwwHRXhhbXBsZTEPMA0GA1UEAwwGVGhl
IENBAhEA0d+VRvOgCsXYvfBIlU22KjALBglghkgBZQMEAgGggeQwGAYJKoZIhvcN
AQkDMQsGCSqGSIb3DQEHATAcBgkqhkiG9w0BCQUxDxcNMjYxMTIxMDcyNjMwWjAv
BgkqhkiG9w0BCQQxIgQgpXjt4piufwJN8/zKFQdAWB0wiXOxDwPvWrlE1B0x2qsw
eQYJKoZIhvcNAQkPMWwwajALBglghkgBZQMEASowCwYJYIZIAWUDBAEWMAsGCWCG
SAFlAwQBAjAKBggqhkiG9w0DBzAOBggqhkiG9w0DAgICAIAwDQYIKoZIhvcNAwIC
AUAwBwYFKw4DAgcwDQYIKoZIhvcNAwICASgwCgYIKoZIzj0EAwIERzBFAiEAr3eu
FOUk+lDSTXQwti5wEw1WB+r0V7Lxp9PaVwjwuTACIAVi1m/eGkAX6dypazOcAJit
TPIpWklamE+QV+ufDKBT
-----END SIGNED MESSAGE-----`
const ssh = {
  ed25519: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgGzEe3Ohy4mZZNRP2CZ3AWXpmx4
VkPjcq0w6eHSWynysAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQJdgDwL4HyLZwJE80us8hubrQNiruu5HKTLPJHY6W2hQypXM4CnnzVGIIXammHutwx
QyMNYvIqvTkL4XYpVSgw8=
-----END SSH SIGNATURE-----`,
  rsa: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAPrtWZUHXm8intajpCpHS0
nL2GATF/0Rotu+wkKq2CDkQASuyW2Z6NvZEmqySDOjZJFfV1BLrB9W96QKPgD3mEOutx8U
+hlvwN2KUYcLcgOa538WCzNgXtqXh3Dhg5BqXB3E3GRq46c3tD/RkhFL3IAWkx2S2dCuUw
L1QpzD/b2ktbxGSKvz5TjDcvPqYDg4cifgsyljZ8n4/8RxMw2kKKF9ICRHXPUflLsMVbKj
w105cwoRBTka0kzf1MXfuDucK20epu6tb5ijYZ2zj4MDYmwkExbtSOkDkepViWlnAWByJL
BTmeKM1gM5wW3PqImGxbijuMqNfuIdHbj8BhXCKNUAAAADZ2l0AAAAAAAAAAZzaGE1MTIA
AAEUAAAADHJzYS1zaGEyLTUxMgAAAQBELtLquMYIsFG9nBzHNa5guLZBFaMkcj2+/2vdw7
Wlmtc5SuRggzH87ZultyIFQvY+OD6DXC4gCOnD92S4KYSBwIIyek/MqmRFboG+MRyrW3rv
pMEOcCJ+eYOYUL7/9/dfu0fy6X4I7U9RANVdIRtWg4AirvKQx+NDwKvER0iE0D98juxW3s
dF4wgBiYo6JDirwzLw6FwCpK3h1nkVeKsQ9Pi8SOc0kq0gasPueqjftiC3jEJLAisQ0/pb
LK/GInA4Fm5w7nPK4X+L82o7xeXa3mRFX9Umd6kPu1Zz4tTAoo/Eys7BXjOVbT3y5fZUYX
J4ZXl+3JcCUDRXhsjkk5vm
-----END SSH SIGNATURE-----`,
  nistp256: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
EEXMV6Pit6/KV5hWyXmBfmYHUjQPfFHLI8Vj3zs87dMPCjEhxzM8k1iCcaH6s4SnnH2E+e
VGSFhaCHCVz8dsb9ewAAAANnaXQAAAAAAAAABnNoYTUxMgAAAGQAAAATZWNkc2Etc2hhMi
1uaXN0cDI1NgAAAEkAAAAgWgNoJDfNvBEGXo6hwqqAazaBH+8Rj6fP5MKUeWiCtqwAAAAh
APfx3wkHsPSKfmuHYd6JPVHciLUvzpAGkKC9+tJpR+UF
-----END SSH SIGNATURE-----`,
  nistp521: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAKwAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQAAAI
UEAIoh13W0okdx1byNU3U7ROkytv7x6pi+bqAkE7x0NWiynryUKB8ai/AWqJi1GWhh+jcT
AFIAXGw0mStMQxR2MmekARMqx16lQl0rHiOzbGw95nKn95WY6Np591H1GrW5Uu2eYlhrgk
BCC8LdaYuGF5gW20I43tnPc946CafLP+/4S8k1AAAAA2dpdAAAAAAAAAAGc2hhNTEyAAAA
pwAAABNlY2RzYS1zaGEyLW5pc3RwNTIxAAAAjAAAAEIAsrrftKi2USH8oIajftPfUQ5F0Q
BwMTKZXJN4HV2gZSqSvXmYAmIPcfdSD+X7C7sYX+YPPA2UU3NlUq5Zgflamw8AAABCAOoV
EVdlBDRqoBVsO/ngiGoEFDxaDVnqwAqVSJnQd7N9nI1X7unLBSXj2wdk6yDWV12Aa4jHud
03iLuSUhZ7rQI7
-----END SSH SIGNATURE-----`,
  wrongNamespace: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgGzEe3Ohy4mZZNRP2CZ3AWXpmx4
VkPjcq0w6eHSWynysAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAEDvLKhHmIXpcduMPto6xLXWuc/IrIHIzIx3TduWOJRim/kOJVhBuF79PuhvtCUIM8
9UBLyZ9q1ZzTH6cULG0IYO
-----END SSH SIGNATURE-----`,
  damaged: '-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----',
}
