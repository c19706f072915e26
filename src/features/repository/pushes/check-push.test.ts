// The rules of pushes (docs/api/git-access.md, "Messages for pushes"), one row a rule. Most tests push without a git client:
// the repository has the commits already, so an empty pack is enough.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { type GitWorld, newGitWorld } from '../../../../test/kit/git.ts'
import { basic, lfsClient, pointerTo } from '../../../../test/kit/lfs.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { encodePacket, flushPacket, PacketReader } from '../../../git/pkt-line.ts'
import { readRef } from '../../../git/refs.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { upsertProjectStatistics } from '../maintenance/statistics.store.ts'

type Pusher = Parameters<World['token']>[0]
/** A reference, and from where to where the pusher moves it: commit `b` is a child of commit `a`. */
type Move = readonly [ref: string, from: Place, to: Place]
type Place = 'a' | 'b' | 'none'
type Commits = Record<Place, Oid>
type Target = { world: World; url: string; project: Project; commits: Commits }

let world: GitWorld
let target: Target
beforeAll(async () => {
  world = await newGitWorld()
  target = await newTarget()
  const { project } = target
  await protect(project, 'keep-*', { push: 40, merge: 40 })
  await protect(project, 'open-*', { push: 30, merge: 40 })
  await protect(project, 'made-*', { push: 40, merge: 30 })
  await protect(project, 'shut-*', { push: 0, merge: 0 })
  await protect(project, 'loose-*', { push: 40, merge: 40, force: true })
  await protect(project, 'mixed-*', { push: 40, merge: 40 })
  await protect(project, 'mixed-loose*', { push: 40, merge: 40, force: true })
  const tags = { name: 'v*', create_access_level: 40 }
  const made = await world.as('owner').post(`/projects/${project.id}/protected_tags`, tags)
  expect(made.statusCode).toBe(201)
})

/** A project whose `main`, which is protected, has two commits. */
async function newTarget(
  options: Parameters<World['newProject']>[0] = {},
  at = { world: world as World, url: world.url },
): Promise<Target> {
  const project = await at.world.newProject({ files: { a: 'a' }, ...options })
  const main = () => readRef(repositoryOf({ ...at, project }), ref('refs/heads/main')) ?? zeroOid
  const a = main()
  await at.world.commit(project, { b: 'b' })
  return { ...at, project, commits: { a, b: main(), none: zeroOid } }
}

const ref = (name: string) => name as RefName

const repositoryOf = ({ world: { app }, project }: Pick<Target, 'world' | 'project'>) =>
  projectRepository(app.config, project)

async function protect(
  project: Project,
  name: string,
  { push, merge, force = false }: { push: number; merge: number; force?: boolean },
): Promise<void> {
  const made = await world.as('owner').post(`/projects/${project.id}/protected_branches`, {
    ...{ name, push_access_level: push, merge_access_level: merge, allow_force_push: force },
  })
  expect(made.statusCode).toBe(201)
}

/** Moves the references to where the pusher will say they are. */
async function setRefs({ world, project, commits }: Target, moves: readonly Move[]) {
  const repository = repositoryOf({ world, project })
  const updates = moves.map(([name, from]) => ({
    name: ref(name),
    oldOid: readRef(repository, ref(name)) ?? zeroOid,
    newOid: commits[from],
  }))
  const changes = updates.filter(({ oldOid, newOid }) => oldOid !== newOid)
  if (changes.length === 0) return
  await updateRefs(world.app.git.git, repository, { updates: changes, confirm: async () => {} })
}

/** An empty pack, its checksum included (gitformat-pack). */
const emptyPack = Buffer.from(
  '5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e',
  'hex',
)

/** Sends the push. Returns what the pusher reads, and the problem of each reference that was not moved. */
async function send(
  { world, url, project, commits }: Target,
  as: Pusher,
  moves: readonly Move[],
): Promise<{ text: string; problems: string[] }> {
  const commands = moves.map(([name, from, to]) => `${commits[from]} ${commits[to]} ${name}`)
  const [first, ...others] = commands
  const lines = [`${first}\0report-status side-band-64k`, ...others].map(encodePacket)
  const pack = moves.every(([, , to]) => to === 'none') ? [] : [emptyPack]
  const response = await fetch(`${url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic('anyone', world.token(as)),
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: new Uint8Array(Buffer.concat([...lines, flushPacket, ...pack])),
  })
  expect(response.status).toBe(200)
  const bands = await readPackets(Buffer.from(await response.arrayBuffer()))
  const ofBand = (band: number) =>
    Buffer.concat(bands.flatMap((packet) => (packet[0] === band ? [packet.subarray(1)] : [])))
  const report = (await readPackets(ofBand(1))).map(String)
  return {
    text: ofBand(2).toString().replace(/\n$/, ''),
    problems: report.flatMap((line) => /^ng \S+ (.*)\n/.exec(line)?.[1] ?? []),
  }
}

async function readPackets(bytes: Buffer): Promise<Buffer[]> {
  const reader = new PacketReader(
    (async function* () {
      yield bytes
    })(),
  )
  const packets: Buffer[] = []
  for (;;) {
    const packet = await reader.next()
    if (packet === undefined) return packets
    if (packet !== 'flush') packets.push(Buffer.from(packet))
  }
}

const accepted = 'accepted'

/** Pushes, and expects all references to be moved, or none of them and `outcome` to be the reason the pusher reads. */
async function expectPush(
  to: Target,
  as: Pusher,
  { moves, outcome }: { moves: readonly Move[]; outcome: string },
): Promise<void> {
  const isAccepted = outcome === accepted
  await setRefs(to, moves)
  const { text, problems } = await send(to, as, moves)
  const now = moves.map(([name]) => readRef(repositoryOf(to), ref(name)) ?? zeroOid)
  const wanted = moves.map(([, old, next]) => to.commits[isAccepted ? next : old])
  // Whoever pushes a branch reads where its merge request is, or is made.
  const isLink = /^\n(To create a|View) merge request for .*:\n {2}\S+\n$/.test(text)
  expect({ text: isLink ? '' : text, problems, now }).toEqual({
    text: isAccepted ? '' : `GitLab: ${outcome}`,
    problems: isAccepted ? [] : moves.map(() => 'pre-receive hook declined'),
    now: wanted,
  })
}

const branch = (name: string, from: Place, to: Place): Move => [`refs/heads/${name}`, from, to]
const tag = (name: string, from: Place, to: Place): Move => [`refs/tags/${name}`, from, to]

const noDeleteDefault = 'The default branch of a project cannot be deleted.'
const noDelete = [
  'You are not allowed to delete protected branches from this project.',
  'Only a project maintainer or owner can delete a protected branch.',
].join(' ')
const onlyWebDelete = 'You can only delete protected branches using the web interface.'
const noObjectName = 'You cannot create a branch with a 40-character hexadecimal branch name.'
const noCreate = 'You are not allowed to create protected branches on this project.'
const onlyWebCreate = 'You can only create protected branches using the web interface and API.'
const noForce = 'You are not allowed to force push code to a protected branch on this project.'
const noChange = 'You are not allowed to push code to protected branches on this project.'
const noPush = 'You are not allowed to push code to this project.'
const noTagChange = 'You are not allowed to change existing tags on this project.'
const noTagUpdate = 'Protected tags cannot be updated.'
const noTagCreate = 'You are not allowed to create this tag as it is protected.'
const noTagDelete = [
  'You are not allowed to delete protected tags from this project.',
  'Only a project maintainer or owner can delete a protected tag.',
].join(' ')
const onlyWebTagDelete = 'You can only delete protected tags using the web interface.'
const help = 'Please contact your administrator for more information.'
const repositoryFull = `Your push has been rejected, because this repository has exceeded its size limit. ${help}`
const missingObjects =
  'LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
const hex = '0123456789abcdef'.repeat(3).slice(0, 40)

describe('a push to a branch', () => {
  it.each<[Pusher, Move, string]>([
    ['developer', branch('topic', 'none', 'a'), accepted],
    ['developer', branch('topic', 'a', 'b'), accepted],
    ['developer', branch('topic', 'b', 'a'), accepted],
    ['developer', branch('topic', 'a', 'none'), accepted],
    ['developer', branch('keep-1', 'a', 'b'), noChange],
    ['maintainer', branch('keep-1', 'a', 'b'), accepted],
    ['developer', branch('keep-2', 'b', 'a'), noForce],
    ['owner', branch('keep-2', 'b', 'a'), noForce],
    ['developer', branch('keep-3', 'none', 'a'), noCreate],
    ['maintainer', branch('keep-3', 'none', 'a'), accepted],
    ['developer', branch('keep-4', 'a', 'none'), noDelete],
    ['maintainer', branch('keep-4', 'a', 'none'), onlyWebDelete],
    ['owner', branch('keep-4', 'a', 'none'), onlyWebDelete],
    ['developer', branch('open-1', 'a', 'b'), accepted],
    ['developer', branch('open-1', 'b', 'a'), noForce],
    ['developer', branch('open-2', 'none', 'a'), accepted],
    ['developer', branch('made-1', 'none', 'a'), onlyWebCreate],
    ['developer', branch('made-1', 'a', 'b'), noChange],
    ['maintainer', branch('shut-1', 'none', 'a'), noCreate],
    ['owner', branch('shut-2', 'a', 'b'), noChange],
    ['admin', branch('shut-2', 'a', 'b'), accepted],
    ['developer', branch('loose-1', 'b', 'a'), noChange],
    ['maintainer', branch('loose-1', 'b', 'a'), accepted],
    ['maintainer', branch('mixed-1', 'b', 'a'), noForce],
    ['maintainer', branch('mixed-loose', 'b', 'a'), accepted],
    ['developer', branch('main', 'b', 'none'), noDeleteDefault],
    ['owner', branch('main', 'b', 'none'), noDeleteDefault],
    ['owner', branch(hex, 'none', 'a'), noObjectName],
    ['owner', branch(hex, 'a', 'b'), noObjectName],
    ['owner', branch(hex, 'a', 'none'), accepted],
    ['owner', branch(`${hex}/x`, 'none', 'a'), noObjectName],
    ['owner', branch(`${hex}-/x`, 'none', 'a'), noObjectName],
    ['owner', branch(`${hex}-x`, 'none', 'a'), accepted],
  ])('of the %s, %j: %s', async (as, move, outcome) => {
    await expectPush(target, as, { moves: [move], outcome })
  })
})

describe('a push of a tag or another reference', () => {
  it.each<[Pusher, Move, string]>([
    ['developer', tag('free', 'none', 'a'), accepted],
    ['developer', tag('free', 'a', 'b'), noTagChange],
    ['maintainer', tag('free', 'a', 'b'), accepted],
    ['developer', tag('free', 'b', 'none'), accepted],
    ['developer', tag('v1', 'none', 'a'), noTagCreate],
    ['maintainer', tag('v1', 'none', 'a'), accepted],
    ['developer', tag('v1', 'a', 'b'), noTagChange],
    ['maintainer', tag('v1', 'a', 'b'), noTagUpdate],
    ['owner', tag('v1', 'a', 'b'), noTagUpdate],
    ['developer', tag('v1', 'a', 'none'), noTagDelete],
    ['maintainer', tag('v1', 'a', 'none'), onlyWebTagDelete],
    ['developer', ['refs/notes/v1', 'none', 'a'], accepted],
    ['developer', ['refs/notes/v1', 'a', 'b'], accepted],
    ['developer', ['refs/notes/v1', 'b', 'none'], accepted],
  ])('by the %s, %j: %s', async (as, move, outcome) => {
    await expectPush(target, as, { moves: [move], outcome })
  })
})

describe('a push of several references', () => {
  it('is refused for any of them, whichever it is', async () => {
    const free = branch('free', 'none', 'a')
    for (const [forbidden, refusal] of [
      [branch('keep-5', 'a', 'b'), noChange],
      [tag('v2', 'none', 'a'), noTagCreate],
    ] as const) {
      for (const moves of [
        [free, forbidden],
        [forbidden, free],
      ]) {
        await expectPush(target, 'developer', { moves, outcome: refusal })
      }
    }
  })

  it('is forced where one of them is', async () => {
    const moves = [branch('keep-6', 'a', 'b'), branch('keep-7', 'b', 'a')]
    await expectPush(target, 'owner', { moves, outcome: noForce })
  })

  it('asks git once for branches that move alike', async () => {
    const alike = ['keep-8', 'keep-9', 'keep-10'].map((name) => branch(name, 'a', 'b'))
    await setRefs(target, alike)
    const count = async (moves: Move[]) =>
      (await world.app.count(() => send(target, 'owner', moves))).processes
    const alone = await count(alike.slice(0, 1))
    expect(await count(alike.slice(1))).toBe(alone)
  })
})

describe('a push to an empty repository', () => {
  const trunk = branch('trunk', 'none', 'a')

  /** A project without branches, whose default branch is to be `trunk`; a tag keeps the commits. */
  async function newEmpty(protection?: number): Promise<Target> {
    const group = await world.newMemberedGroup()
    const made = await newTarget({ group })
    const { db } = world.app
    if (protection !== undefined) {
      const level = { default_branch_protection: protection }
      await db.updateTable('namespaces').set(level).where('id', '=', group.id).execute()
    }
    await setRefs(made, [tag('kept', 'b', 'none'), branch('main', 'none', 'none')])
    await db
      .updateTable('projects')
      .set({ default_branch: 'trunk' })
      .where('id', '=', made.project.id)
      .execute()
    return made
  }

  it('is refused to a Developer where first branches are protected, but for tags', async () => {
    const empty = await newEmpty()
    const refusal = [
      `A default branch (e.g. trunk) does not yet exist for ${empty.project.full_path}`,
      'Ask a project Owner or Maintainer to create a default branch:',
      '',
      `  ${world.url}/${empty.project.full_path}/-/project_members`,
      '',
    ].join('\n')
    await expectPush(empty, 'developer', { moves: [trunk], outcome: refusal })
    await expectPush(empty, 'developer', { moves: [tag('first', 'none', 'a')], outcome: accepted })
    await expectPush(empty, 'maintainer', { moves: [trunk], outcome: accepted })
    await expectPush(empty, 'developer', {
      moves: [branch('topic', 'none', 'a')],
      outcome: accepted,
    })
  })

  it('is accepted from a Developer where first branches are not protected', async () => {
    await expectPush(await newEmpty(0), 'developer', { moves: [trunk], outcome: accepted })
  })
})

describe('a push to a repository that is full', () => {
  const creation = branch('topic', 'none', 'a')
  const deletion = branch('old', 'a', 'none')

  async function hold({ world, project }: Target, repository_size: number) {
    await world.app.worker.drain()
    await upsertProjectStatistics(world.app.db, {
      ...{ project_id: project.id, commit_count: 1, readme_commit: null, readme_path: null },
      ...{ repository_size, updated_at: world.app.clock.now().toISOString() },
    })
  }

  it('is refused beyond what the server allows', async () => {
    const full = await newTarget()
    const { repository } = world.app.config.sizeLimits
    await hold(full, repository + 1)
    await expectPush(full, 'owner', { moves: [creation], outcome: repositoryFull })
    await hold(full, repository)
    await expectPush(full, 'owner', { moves: [creation], outcome: accepted })
  })

  it('is refused beyond the quota of the project, but for what makes room', async () => {
    const full = await newTarget()
    const limit_bytes = 1024 * 1024
    const quota = { repository_size_limit: limit_bytes }
    await world.as('admin').put(`/projects/${full.project.id}`, quota)
    await hold(full, limit_bytes)
    await expectPush(full, 'owner', { moves: [creation], outcome: accepted })
    await hold(full, limit_bytes * 1.5)
    const refusal = [
      'Your push to this repository has been rejected',
      `because this repository has exceeded its size limit of 1 MB by 510 KB. ${help}`,
    ].join(' ')
    await expectPush(full, 'owner', { moves: [creation], outcome: refusal })
    await expectPush(full, 'owner', { moves: [deletion, creation], outcome: refusal })
    await expectPush(full, 'owner', { moves: [deletion], outcome: accepted })
  })

  it('is refused where its objects are too many for the quota', async () => {
    const full = await newTarget()
    const quota = { repository_size_limit: 1024 * 1024 }
    await world.as('admin').put(`/projects/${full.project.id}`, quota)
    const copy = await world.clone(full.project)
    await copy.commit({ c: 'c' })
    await hold(full, quota.repository_size_limit - 10)
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:refs/heads/topic'])
    const refusal =
      'GitLab: Your push to this repository would cause it to exceed the size limit of 1 MB so it has been rejected.'
    expect([status, stderr]).toEqual([1, expect.stringContaining(refusal)])
  })
})

describe('what a push brings', () => {
  it('is refused for LFS objects that are missing, after all other reasons', async () => {
    const { project } = await newTarget()
    const copy = await world.clone(project, { as: 'developer' })
    await copy.commit({ '.gitattributes': '*.bin filter=lfs\n', 'c.bin': pointerTo('not sent') })
    for (const [refspec, refusal] of [
      ['HEAD:refs/heads/topic', missingObjects],
      ['HEAD:refs/heads/main', noChange],
    ] as const) {
      const { status, stderr } = await copy.run(['push', 'origin', refspec])
      expect([status, stderr]).toEqual([1, expect.stringContaining(`GitLab: ${refusal} `)])
    }
  })

  it('is refused for a path that somebody else has locked', async () => {
    const { project } = await newTarget()
    const locked = await lfsClient(world, project, 'maintainer').send('POST', 'info/lfs/locks', {
      path: 'b',
    })
    expect(locked.statusCode).toBe(201)
    const copy = await world.clone(project, { as: 'developer' })
    await copy.commit({ b: 'changed' })
    const push = (as: Pusher) =>
      copy.run(['push', world.remote(project, as), 'HEAD:refs/heads/topic'])
    const { status, stderr } = await push('developer')
    expect([status, stderr]).toEqual([1, expect.stringContaining("GitLab: The path 'b' is locked")])
    expect((await push('maintainer')).status).toBe(0)
  })
})

describe('a change of files that have owners', () => {
  const files = { CODEOWNERS: '/b @nobody\n' }
  const change = branch('main', 'a', 'b')

  /** Requires approval by code owners. Not set by the API, which ignores the field on the free tier. */
  async function askOwners({ world, project }: Target) {
    await world.app.db
      .updateTable('protected_branches')
      .set({ code_owner_approval_required: true })
      .where('project_id', '=', project.id)
      .execute()
  }

  it('is refused where they have to approve it', async () => {
    const owned = await newTarget({ files })
    await askOwners(owned)
    const refusal = [
      'Pushes to protected branches that contain changes to files that',
      'match patterns defined in `CODEOWNERS` are disabled for',
      'this project. Please submit these changes via a merge request.',
      '',
      'The following pattern(s) from `CODEOWNERS` were matched:',
      ' - /b',
    ].join('\n')
    await expectPush(owned, 'owner', { moves: [change], outcome: refusal })
  })

  it('is accepted on the free tier, which knows no such approvals', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    onTestFinished(() => app.close())
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const owned = await newTarget({ files }, { world: await newWorld(app), url })
    await askOwners(owned)
    await expectPush(owned, 'owner', { moves: [change], outcome: accepted })
  })
})

describe('a push that a merge request lets somebody make', () => {
  it('moves the source branch and nothing else', async () => {
    const upstream = await newTarget({ group: world.groups.open })
    const { client } = await world.newUser()
    const record = (await client.post(`/projects/${upstream.project.id}/fork`)).json()
    await world.app.worker.drain()
    const { repository_storage } = upstream.project
    const project = { ...record, full_path: record.path_with_namespace, repository_storage }
    const fork: Target = { ...upstream, project }
    const topic = branch('topic', 'b', 'none')
    await setRefs(fork, [topic])
    await client.post(`/projects/${project.id}/repository/commits`, {
      branch: 'topic',
      commit_message: 'From the fork',
      actions: [{ action: 'create', file_path: 'c', content: 'c' }],
    })
    const made = await client.post(`/projects/${project.id}/merge_requests`, {
      ...{ title: 'From a fork', source_branch: 'topic', target_branch: 'main' },
      ...{ target_project_id: upstream.project.id, allow_collaboration: true },
    })
    expect(made.statusCode).toBe(201)
    for (const moves of [
      [branch('topic', 'b', 'none')],
      [branch('topic', 'none', 'b')],
      [branch('other', 'a', 'b')],
      [branch('other', 'none', 'b')],
      [tag('free', 'none', 'a')],
      [branch('topic', 'a', 'b'), branch('other', 'a', 'b')],
    ]) {
      await expectPush(fork, 'maintainer', { moves, outcome: noPush })
    }
    for (const move of [branch('topic', 'a', 'b'), branch('topic', 'b', 'a')]) {
      await expectPush(fork, 'maintainer', { moves: [move], outcome: accepted })
    }
  })
})

describe('a commit by the API', () => {
  it('leaves behind what the branch held, but on a protected one that is never forced', async () => {
    const { project, commits } = target
    const force = (name: string) =>
      world.as('maintainer').post(`/projects/${project.id}/repository/commits`, {
        ...{ branch: name, start_sha: commits.a, force: true, commit_message: 'Forced' },
        actions: [{ action: 'create', file_path: 'c', content: 'c' }],
      })
    const names = ['forced', 'keep-11', 'mixed-11', 'mixed-loose-11']
    await setRefs(
      target,
      names.map((name) => branch(name, 'b', 'none')),
    )
    const statuses: [string, number][] = []
    for (const name of names) statuses.push([name, (await force(name)).statusCode])
    expect(statuses).toEqual([
      ['forced', 201],
      ['keep-11', 400],
      ['mixed-11', 400],
      ['mixed-loose-11', 201],
    ])
  })
})
