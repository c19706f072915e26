// What a right hangs on may end while a pack is on its way or a commit is made: it is asked again at the
// moment references move.
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import { hashPassword } from '../../src/kernel/secrets.ts'
import type { Project } from '../../src/subjects/project.ts'
import { objectOf } from '../kit/lfs.ts'
import { newSshWorld, openChannel, type SshWorld } from '../kit/ssh.ts'
import { type KeyPair, newKeyPair } from '../kit/ssh-key.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

const hidden =
  "The project you were looking for could not be found or you don't have permission to view it."
const noPush = 'You are not allowed to push code to this project.'
const blocked = 'Your account has been blocked.'
const noProtected = 'You are not allowed to push code to protected branches on this project.'

/** A private project with a member of its own. */
async function open(access_level = 40) {
  const { user, token, client } = await world.newUser()
  const project = await world.newProject({ files: { a: 'a' } })
  const admin = world.as('admin')
  const members = `/projects/${project.id}/members`
  await admin.post(members, { user_id: user.id, access_level })
  return { user, token, client, project, admin, member: `${members}/${user.id}` }
}
type Opened = Awaited<ReturnType<typeof open>>

/** A push of one commit to `main`, in two parts: the second is the end of the pack. */
async function pushInParts(project: Project): Promise<[Buffer, Buffer]> {
  const copy = await world.clone(project, { as: 'admin' })
  const old = await copy.must(['rev-parse', 'HEAD'])
  const tip = await copy.commit({ pushed: 'pushed' })
  const pack = join(copy.path, 'pack')
  const stdin = `${tip}\n^${old}\n`
  const name = await copy.must(['pack-objects', '--revs', '--quiet', pack], { stdin })
  const body = Buffer.concat([
    encodePacket(`${old} ${tip} refs/heads/main\0report-status side-band-64k`),
    flushPacket,
    readFileSync(`${pack}-${name}.pack`),
  ])
  return [body.subarray(0, -30), body.subarray(-30)]
}

/** Until the server takes in the pack. */
const isTakingIn = (project: Project) =>
  vi.waitFor(() => expect(world.leftovers(project).join()).toContain('incoming-'), 20_000)

async function pushOverHttp(
  project: Project,
  authorization: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const [start, end] = await pushInParts(project)
  const sent = request(`${world.url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-git-receive-pack-request' },
  })
  const answered = once(sent, 'response')
  sent.write(start)
  await isTakingIn(project)
  await meanwhile()
  sent.end(end)
  const [response] = await answered
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function pushOverSsh(
  project: Project,
  key: KeyPair,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const [start, end] = await pushInParts(project)
  const client = await world.connect(key)
  const channel = await openChannel(client, `git-receive-pack '${project.full_path}.git'`)
  const chunks: Buffer[] = []
  channel.on('data', (chunk: Buffer) => chunks.push(chunk))
  channel.write(start)
  await isTakingIn(project)
  await meanwhile()
  channel.end(end)
  await once(channel, 'close')
  client.end()
  return Buffer.concat(chunks).toString()
}

const basic = (password: string, name = 'anyone') =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

const endings: [string, string, (opened: Opened) => Promise<unknown>][] = [
  ['a member was removed', hidden, ({ admin, member }) => admin.delete(member)],
  ['a role was lowered', noPush, ({ admin, member }) => admin.put(member, { access_level: 20 })],
  [
    'a branch was closed to their role',
    noProtected,
    ({ admin, member }) => admin.put(member, { access_level: 30 }),
  ],
  ['a user was blocked', blocked, ({ admin, user }) => admin.post(`/users/${user.id}/block`)],
  [
    'a project was archived',
    noPush,
    ({ admin, project }) => admin.post(`/projects/${project.id}/archive`),
  ],
  [
    'a project was deleted',
    hidden,
    ({ admin, project }) => admin.delete(`/projects/${project.id}`),
  ],
]

describe('a push whose pack was on its way while', () => {
  it.each(endings)('%s moves nothing', async (_what, text, end) => {
    const opened = await open()
    const { project, token } = opened
    const before = await world.refs(project)
    const report = await pushOverHttp(project, basic(token), () => end(opened))
    expect(report).toContain(`GitLab: ${text}`)
    expect(report).toContain('ng refs/heads/main pre-receive hook declined')
    expect(await world.refs(project)).toEqual(before)
  })

  it('its token was revoked moves nothing', async () => {
    const { project, token, client } = await open()
    const before = await world.refs(project)
    const end = () => client.delete('/personal_access_tokens/self')
    const report = await pushOverHttp(project, basic(token), end)
    expect(report).toContain('GitLab: HTTP Basic: Access denied')
    expect(await world.refs(project)).toEqual(before)
  })

  it('its password was changed moves nothing', async () => {
    const { project, user, admin } = await open()
    const { db } = world.app
    const password_digest = await hashPassword('correct horse battery')
    await db.updateTable('users').set({ password_digest }).where('id', '=', user.id).execute()
    const before = await world.refs(project)
    const end = () => admin.put(`/users/${user.id}`, { password: 'another long one' })
    const report = await pushOverHttp(project, basic('correct horse battery', user.username), end)
    expect(report).toContain('GitLab: HTTP Basic: Access denied')
    expect(await world.refs(project)).toEqual(before)
  })

  it('its SSH key was deleted, or its user blocked, moves nothing', async () => {
    for (const what of ['key', 'user']) {
      const { project, client, user, admin } = await open()
      const key = await world.addKey(client)
      const before = await world.refs(project)
      const report = await pushOverSsh(project, key, () =>
        what === 'key'
          ? client.delete(`/user/keys/${key.id}`)
          : admin.post(`/users/${user.id}/block`),
      )
      const text = what === 'key' ? 'Your SSH key has expired or was deleted.' : blocked
      expect(report).toContain(`GitLab: ${text}`)
      expect(await world.refs(project)).toEqual(before)
    }
  })

  it('its deploy key lost the project, its right or its maker moves nothing', async () => {
    for (const [what, text] of [
      ['project', hidden],
      ['right', 'This deploy key does not have write access to this project.'],
      ['maker', blocked],
    ] as const) {
      const { project, client, user, admin } = await open()
      const pair = newKeyPair()
      const keys = `/projects/${project.id}/deploy_keys`
      const made = await client.post(keys, { title: 'k', key: pair.public, can_push: true })
      // Enabled elsewhere too, so that the key itself stays.
      const { id } = made.json()
      const other = await world.newProject()
      await admin.post(`/projects/${other.id}/deploy_keys/${id}/enable`)
      const before = await world.refs(project)
      const report = await pushOverSsh(project, pair, () => {
        if (what === 'project') return client.delete(`${keys}/${id}`)
        if (what === 'right') return client.put(`${keys}/${id}`, { can_push: false })
        return admin.post(`/users/${user.id}/block`)
      })
      expect(report).toContain(`GitLab: ${text}`)
      expect(await world.refs(project)).toEqual(before)
    }
  })

  it('nothing ended moves its branch', async () => {
    const { project, token } = await open()
    const before = await world.refs(project)
    const report = await pushOverHttp(project, basic(token), async () => {})
    expect(report).toContain('ok refs/heads/main')
    expect(await world.refs(project)).not.toEqual(before)
  })
})

/** Holds the lock of a reference while `change` is made, once the server has prepared the move and waits for the lock. */
async function whileLocked(project: Project, ref: string, change: () => Promise<unknown>) {
  const lock = join(world.repository(project), `${ref}.lock`)
  writeFileSync(lock, '')
  const countPrepared = async () => {
    const tasks = world.app.db.selectFrom('tasks').where('name', '=', 'tell-of-push')
    const { count } = await tasks
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const before = await countPrepared()
  return async () => {
    await vi.waitFor(async () => expect(await countPrepared()).toBeGreaterThan(before), 20_000)
    await change()
    rmSync(lock, { force: true })
  }
}

describe('an operation of the API', () => {
  const action = { action: 'create', file_path: 'new', content: 'new' }
  const commit = { branch: 'main', commit_message: 'm', actions: [action] }

  it.each([
    ['POST', 'commits', 'refs/heads/main', commit],
    ['POST', 'files/new', 'refs/heads/main', { ...commit, content: 'new' }],
    ['POST', 'branches', 'refs/heads/other', { branch: 'other', ref: 'main' }],
    ['POST', 'tags', 'refs/tags/v1', { tag_name: 'v1', ref: 'main' }],
    ['DELETE', 'branches/old', 'refs/heads/old', undefined],
    ['DELETE', 'tags/v0', 'refs/tags/v0', undefined],
  ] as const)(
    '%s %s is judged by what holds when references move',
    async (method, path, ref, body) => {
      const { project, client, user, admin } = await open()
      const repository = `/projects/${project.id}/repository`
      await admin.post(`${repository}/branches`, { branch: 'old', ref: 'main' })
      await admin.post(`${repository}/tags`, { tag_name: 'v0', ref: 'main' })
      const before = await world.refs(project)
      const release = await whileLocked(project, ref, () => admin.post(`/users/${user.id}/block`))
      const url = `${repository}/${path}`
      const [answer] = await Promise.all([
        method === 'POST' ? client.post(url, body) : client.delete(url),
        release(),
      ])
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { message: `403 Forbidden - ${blocked}` },
      ])
      expect(await world.refs(project)).toEqual(before)
      expect(world.leftovers(project).filter((name) => name.endsWith('.lock'))).toEqual([])
    },
  )
})

/** Sends a request in two parts, does something in between, once the first one is sent, and returns the status. */
async function sendInParts(
  url: string,
  { method, headers }: { method: string; headers: Record<string, string> },
  {
    parts: [start, end],
    meanwhile,
  }: { parts: [Buffer, Buffer]; meanwhile: () => Promise<unknown> },
) {
  const length = String(start.length + end.length)
  const sent = request(url, { method, headers: { ...headers, 'content-length': length } })
  const answered = once(sent, 'response')
  sent.write(start)
  await vi.waitFor(() => expect(sent.writableLength).toBe(0), 20_000)
  await meanwhile()
  sent.end(end)
  const [response] = await answered
  response.resume()
  return response.statusCode as number
}

describe('a long body that was on its way while', () => {
  const body = Buffer.from(JSON.stringify({ body: 'x'.repeat(500_000) }))
  const parts: [Buffer, Buffer] = [body.subarray(0, 400_000), body.subarray(400_000)]

  async function comment(meanwhile: (opened: Opened) => Promise<unknown>) {
    const opened = await open()
    const issues = `/projects/${opened.project.id}/issues`
    await opened.admin.post(issues, { title: 'An issue' })
    const headers = { 'private-token': opened.token, 'content-type': 'application/json' }
    const url = `${world.url}/api/v4${issues}/1/notes`
    const status = await sendInParts(
      url,
      { method: 'POST', headers },
      { parts, meanwhile: () => meanwhile(opened) },
    )
    const notes = (await opened.admin.get(`${issues}/1/notes`)).json()
    return [status, notes.length]
  }

  it.each([
    [
      'its token was revoked',
      401,
      ({ client }: Opened) => client.delete('/personal_access_tokens/self'),
    ],
    [
      'its user was blocked',
      403,
      ({ admin, user }: Opened) => admin.post(`/users/${user.id}/block`),
    ],
    ['a member was removed', 404, ({ admin, member }: Opened) => admin.delete(member)],
  ] as const)('%s does nothing', async (_what, status, end) => {
    expect(await comment(end)).toEqual([status, 0])
  })

  it('nothing ended does what it asks for', async () => {
    expect(await comment(async () => {})).toEqual([201, 1])
  })
})

describe('an upload to LFS that was on its way while', () => {
  const bytes = Buffer.alloc(300_000, 'Bloomery ')
  const { oid, size } = objectOf(bytes)
  const parts: [Buffer, Buffer] = [bytes.subarray(0, 200_000), bytes.subarray(200_000)]

  async function upload(meanwhile: (opened: Opened) => Promise<unknown>) {
    const opened = await open()
    const { full_path, id: project_id } = opened.project
    const status = await sendInParts(
      `${world.url}/${full_path}.git/gitlab-lfs/objects/${oid}/${size}`,
      { method: 'PUT', headers: { authorization: basic(opened.token) } },
      { parts, meanwhile: () => meanwhile(opened) },
    )
    const linked = await world.app.db
      .selectFrom('project_lfs_objects')
      .select('lfs_object_id')
      .where('project_id', '=', project_id)
      .execute()
    return [status, linked.length]
  }

  it.each([
    [
      'its token was revoked',
      401,
      ({ client }: Opened) => client.delete('/personal_access_tokens/self'),
    ],
    [
      'its user was blocked',
      403,
      ({ admin, user }: Opened) => admin.post(`/users/${user.id}/block`),
    ],
    ['a member was removed', 404, ({ admin, member }: Opened) => admin.delete(member)],
    [
      'a role was lowered',
      403,
      ({ admin, member }: Opened) => admin.put(member, { access_level: 20 }),
    ],
    [
      'the project was archived',
      403,
      ({ admin, project }: Opened) => admin.post(`/projects/${project.id}/archive`),
    ],
  ] as const)('%s adds nothing to the project', async (_what, status, end) => {
    expect(await upload(end)).toEqual([status, 0])
  })

  it('the project was renamed goes on', async () => {
    const rename = ({ admin, project }: Opened) =>
      admin.put(`/projects/${project.id}`, { path: `renamed-${project.id}` })
    expect(await upload(rename)).toEqual([200, 1])
  })
})
