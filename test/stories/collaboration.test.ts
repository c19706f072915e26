// Members of a project push to the source branch of a merge request from a fork, as far as its author lets them.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import type { Project } from '../../src/subjects/project.ts'
import type { WorkingCopy } from '../kit/git.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

const noPush = 'You are not allowed to push code to this project.'

/** A merge request of a stranger's fork into a project of the open group, from `topic` into `main`. */
async function open(allow_collaboration = true) {
  const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
  const { user, token, client } = await world.newUser()
  const record = (await client.post(`/projects/${upstream.id}/fork`)).json()
  const { repository_storage } = upstream
  const fork: Project = { ...record, full_path: record.path_with_namespace, repository_storage }
  await world.app.worker.drain()
  for (const branch of ['topic', 'other']) {
    await client.post(`/projects/${fork.id}/repository/commits`, {
      branch,
      start_branch: 'main',
      commit_message: 'From the fork',
      actions: [{ action: 'create', file_path: branch, content: 'x\n' }],
    })
  }
  const made = await client.post(`/projects/${fork.id}/merge_requests`, {
    title: 'From a fork',
    source_branch: 'topic',
    target_branch: 'main',
    target_project_id: upstream.id,
    allow_collaboration,
  })
  const { iid } = made.json()
  const url = `/projects/${upstream.id}/merge_requests/${iid}`
  return { upstream, fork, user, token, client, url }
}
type Opened = Awaited<ReturnType<typeof open>>

/** A new commit on top of `topic` in a clone of a member of the target. */
async function cloned(fork: Project, who: 'maintainer' | 'developer' = 'maintainer') {
  const copy = await world.clone(fork, { as: who, args: ['--branch', 'topic'] })
  await copy.commit({ helped: 'helped\n' })
  return copy
}

async function push(copy: WorkingCopy, ref = 'HEAD:topic'): Promise<string> {
  const { status, stderr } = await copy.run(['push', 'origin', ref])
  return status === 0 ? 'accepted' : stderr
}

const endings: [string, (opened: Opened) => Promise<unknown>][] = [
  ['the merge request was closed', ({ client, url }) => client.put(url, { state_event: 'close' })],
  [
    'its author has taken the permission back',
    ({ client, url }) => client.put(url, { allow_collaboration: false }),
  ],
  [
    'the source branch was protected',
    ({ client, fork }) => client.post(`/projects/${fork.id}/protected_branches`, { name: 'topic' }),
  ],
  [
    'the target branch was closed to the pusher',
    async ({ upstream }) => {
      const rules = `/projects/${upstream.id}/protected_branches`
      await world.as('owner').delete(`${rules}/main`)
      const nobody = { push_access_level: 0, merge_access_level: 0 }
      await world.as('owner').post(rules, { name: 'main', ...nobody })
    },
  ],
  ['the fork was archived', ({ client, fork }) => client.post(`/projects/${fork.id}/archive`)],
]

describe('a member who may merge the request', () => {
  it('pushes to its source branch over HTTP, and to nothing else', async () => {
    const { upstream, fork, url } = await open()
    const copy = await cloned(fork)
    expect(await push(copy)).toBe('accepted')
    const tip = await copy.must(['rev-parse', 'HEAD'])
    const refs = await world.refs(fork)
    expect(refs['refs/heads/topic']).toBe(tip)
    await world.app.worker.drain()
    expect((await world.as('guest').get(url)).json().sha).toBe(tip)
    await copy.commit({ more: 'more\n' })
    for (const ref of ['+HEAD:other', 'HEAD:main', 'HEAD:new', 'HEAD:refs/tags/v1', ':topic']) {
      expect([ref, await push(copy, ref)]).toEqual([ref, expect.stringContaining(noPush)])
    }
    const both = await copy.run(['push', 'origin', 'HEAD:topic', '+HEAD:other'])
    expect(both.stderr).toContain(noPush)
    expect(await world.refs(fork)).toEqual(refs)
    await copy.must(['commit', '--amend', '-m', 'Rewritten'])
    await copy.must(['reset', '--hard', 'HEAD~2'])
    expect(await push(copy, '+HEAD:topic')).toBe('accepted')
    expect((await world.refs(upstream))['refs/heads/main']).toBeDefined()
  })

  it('pushes over SSH', async () => {
    const { fork } = await open()
    const copy = await world.cloneOverSsh(fork, await world.keyOf('maintainer'), ['-b', 'topic'])
    await copy.commit({ helped: 'helped\n' })
    expect(await push(copy)).toBe('accepted')
    const refused = await push(copy, '+HEAD:other')
    expect(refused).toContain(noPush)
  })

  it('does not make the source branch anew', async () => {
    const { client, fork } = await open()
    const copy = await cloned(fork)
    await client.delete(`/projects/${fork.id}/repository/branches/topic`)
    expect(await push(copy)).toContain(noPush)
    expect(await world.refs(fork)).not.toHaveProperty('refs/heads/topic')
  })

  it.each(endings)('does not push once %s', async (_what, end) => {
    const opened = await open()
    const copy = await cloned(opened.fork)
    const before = await world.refs(opened.fork)
    await end(opened)
    expect(await push(copy)).toContain(noPush)
    expect(await world.refs(opened.fork)).toEqual(before)
  })

  it.each(endings)('moves nothing where %s while the pack was on its way', async (_what, end) => {
    const opened = await open()
    const { fork } = opened
    const copy = await cloned(fork)
    const before = await world.refs(fork)
    const [old, tip] = [before['refs/heads/topic'], await copy.must(['rev-parse', 'HEAD'])]
    const path = join(copy.path, 'pack')
    const stdin = `${tip}\n^${old}\n`
    const name = await copy.must(['pack-objects', '--revs', '--quiet', path], { stdin })
    const body = Buffer.concat([
      encodePacket(`${old} ${tip} refs/heads/topic\0report-status side-band-64k`),
      flushPacket,
      readFileSync(`${path}-${name}.pack`),
    ])
    const credentials = Buffer.from(`anyone:${world.token('maintainer')}`).toString('base64')
    const sent = request(`${world.url}/${fork.full_path}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
    })
    const answered = once(sent, 'response')
    sent.write(body.subarray(0, -30))
    await vi.waitFor(() => expect(world.leftovers(fork).join()).toContain('incoming-'), 20_000)
    await end(opened)
    sent.end(body.subarray(-30))
    const [response] = await answered
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toContain(noPush)
    expect(await world.refs(fork)).toEqual(before)
  })
})

describe('nobody else', () => {
  it('pushes where the author has not allowed it', async () => {
    const { fork } = await open(false)
    expect(await push(await cloned(fork))).toContain(noPush)
  })

  it('pushes without the right to merge, be the target protected or not', async () => {
    const { fork, upstream } = await open()
    const refuse = async (who: 'reporter' | 'outsider') => {
      const copy = await world.clone(fork, { as: who, args: ['--branch', 'topic'] })
      await copy.commit({ x: 'x' })
      expect([who, await push(copy)]).toEqual([who, expect.stringContaining(noPush)])
    }
    for (const who of ['reporter', 'outsider'] as const) await refuse(who)
    await world.as('owner').delete(`/projects/${upstream.id}/protected_branches/main`)
    for (const who of ['reporter', 'outsider'] as const) await refuse(who)
    expect(await push(await cloned(fork, 'developer'))).toBe('accepted')
  })
})
