// Merge requests and real git: what clients fetch, what pushes do to them, what their options ask for.
import { beforeAll, describe, expect, it } from 'vitest'
import { type GitWorld, newGitWorld } from '../../../../test/kit/git.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { type Oid, zeroOid } from '../../../git/names.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import type { Move } from '../../repository/pushes/push-landed.ts'
import { updateRequestsAfterPush } from './update-requests-after-push.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

async function begin() {
  const project = await world.newProject({ files: { a: 'a\n' } })
  const copy = await world.clone(project)
  const url = `/projects/${project.id}/merge_requests`
  const push = async (...args: string[]) => {
    const { status, stderr } = await copy.run(['push', 'origin', ...args])
    const lines = stderr.split('\n').filter((line) => line.startsWith('remote:'))
    const said = lines.map((line) => line.slice('remote: '.length).trimEnd())
    await world.app.worker.drain()
    return { status, said }
  }
  const get = async (iid: number, path = '') =>
    (await world.as('owner').get(`${url}/${iid}${path}`)).json()
  const notesOf = async (iid: number) =>
    (await get(iid, '/notes')).map(({ body }: { body: string }) => body)
  return { project, copy, url, push, get, notesOf }
}
/** Newer merge requests: from another branch of the project, and from that branch of another project. */
async function newOthers(project: Project, source_branch: string) {
  const elsewhere = await newBranches(world)
  await world.commit(project, { o: 'o' }, { branch: 'other', start_branch: 'main' })
  if (source_branch !== 'topic')
    await world.commit(
      elsewhere.project,
      { o: 'o' },
      { branch: source_branch, start_branch: 'main' },
    )
  const url = `/projects/${project.id}/merge_requests`
  const made = [
    `${url}/${(await newRequest(world, { url }, { source_branch: 'other' })).iid}`,
    `${elsewhere.url}/${(await newRequest(world, elsewhere, { source_branch })).iid}`,
  ]
  await world.app.worker.drain()
  const read = async (path = '') =>
    Promise.all(made.map(async (one) => (await world.as('owner').get(`${one}${path}`)).json()))
  return { read }
}
/** Further merge requests with the same branches, as if they had been made and closed one after the other. */
async function addCopies(id: number, count: number) {
  const { db } = world.app
  const { id: _, ...issuable } = await db
    .selectFrom('issuables')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const request = await db
    .selectFrom('merge_requests')
    .select(['project_id', 'source_project_id', 'source_branch', 'target_branch', 'is_open'])
    .where('issuable_id', '=', id)
    .executeTakeFirstOrThrow()
  for (let at = 0; at < count; at += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => ({ ...issuable, iid: 100 + at + index }))
    const ids = await db.insertInto('issuables').values(rows).returning('id').execute()
    const requests = ids.map((row) => ({ ...request, issuable_id: row.id }))
    await db.insertInto('merge_requests').values(requests).execute()
  }
}
const page = (project: Project) => `${world.url}/${project.full_path}/-/merge_requests`

describe('the references of a merge request', () => {
  it('are fetched by name, and never pushed', async () => {
    const { project, copy, url, push } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    const head = await copy.commit({ b: 'b\n' })
    await push('topic')
    await newRequest(world, { url })
    const other = await world.clone(project, { as: 'reporter' })
    await other.must(['fetch', 'origin', 'merge-requests/1/head:mr-1'])
    expect(await other.must(['rev-parse', 'mr-1'])).toBe(head)
    const pushed = await copy.run(['push', 'origin', 'HEAD:refs/merge-requests/1/head'])
    expect(pushed.status).toBe(1)
    expect(pushed.stderr).toContain('deny updating a hidden ref')
    await push(':topic')
    expect((await world.refs(project))['refs/merge-requests/1/head']).toBe(head)
  })
})

describe('a push that lost to another one', () => {
  it('neither merges nor closes anything', async () => {
    const { project, copy, url, push, get } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    const head = (await copy.commit({ b: 'b\n' })) as Oid
    await push('topic')
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    const main = (await world.commit(project, { other: 'o\n' })) as Oid
    await world.app.worker.drain()
    const { db, git, config, secretKey, clock } = world.app
    const uses = { db, git, config, secretKey, clock: clock.now }
    const moves = [
      { name: 'refs/heads/main', oldOid: main, newOid: head },
      { name: 'refs/heads/topic', oldOid: head, newOid: zeroOid },
    ] as Move[]
    const told = { id: 'lost', project, user: undefined, moves, options: [] }
    await updateRequestsAfterPush({ uses, push: told })
    expect(await get(iid)).toMatchObject({ state: 'opened', merged_at: null, closed_at: null })
  })
})

describe('a push', () => {
  it('to the source makes a version, and says what it brought', async () => {
    const { project, copy, url, push, get, notesOf } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    const first = await copy.commit({ b: 'b\n' })
    await push('topic')
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    await newOthers(project, 'topic')
    const head = await copy.commit({ c: 'c\n' }, 'Add <c>')
    await push('topic')
    expect(await get(iid)).toMatchObject({ sha: head, merge_status: 'can_be_merged' })
    const versions = await get(iid, '/versions')
    expect(versions.map((one: { head_commit_sha: string }) => one.head_commit_sha)).toEqual([
      head,
      first,
    ])
    const [note] = await notesOf(iid)
    expect(note).toMatch(
      new RegExp(
        `^added 1 commit\n\n<ul><li>${head.slice(0, 8)} - Add &lt;c&gt;</li></ul>\n\n\\[Compare with previous version\\]\\(/.+/diffs\\?diff_id=${versions[0].id}&start_sha=${first}\\)$`,
      ),
    )
  })

  it('is told with those before it that nobody was told of', async () => {
    const { project, url, get, notesOf } = await begin()
    const add = (name: string) =>
      world.commit(project, { [name]: 'x\n' }, { branch: 'topic', message: `Add ${name}` })
    await world.commit(project, { b: 'b\n' }, { branch: 'topic', start_branch: 'main' })
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    await add('c')
    // Reading it makes a version before anything else follows from the push.
    await get(iid)
    expect(await get(iid, '/versions')).toHaveLength(2)
    await add('d')
    await world.app.worker.drain()
    expect(await notesOf(iid)).toEqual([
      expect.stringMatching(/^added 2 commits\n.+ - Add d<.+ - Add c</s),
    ])
  })

  it('asks for a merge only where its pusher may merge', async () => {
    const { project, url } = await begin()
    const copy = await world.clone(project, { as: 'developer' })
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    const options = ['create', 'merge_when_pipeline_succeeds'].flatMap((option) => [
      '-o',
      `merge_request.${option}`,
    ])
    const pushed = await copy.run(['push', ...options, 'origin', 'topic'])
    expect([pushed.status, pushed.stderr]).toEqual([
      0,
      expect.stringContaining('User access was denied'),
    ])
    await world.app.worker.drain()
    expect((await world.as('developer').get(`${url}/1`)).json()).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: false,
      merge_user: null,
    })
  })

  it('asks for no merge request into a project that its pusher does not see', async () => {
    const { project } = await begin()
    const hidden = await world.newProject({ group: await world.newGroup(), files: { a: 'a' } })
    const copy = await world.clone(project, { as: 'developer' })
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    const options = ['create', `target_project=${hidden.full_path}`].flatMap((option) => [
      '-o',
      `merge_request.${option}`,
    ])
    const pushed = await copy.run(['push', ...options, 'origin', 'topic'])
    expect([pushed.status, pushed.stderr]).toEqual([
      0,
      expect.stringContaining('User access was denied'),
    ])
    const requests = await world.as('admin').get(`/projects/${hidden.id}/merge_requests`)
    expect(requests.json()).toEqual([])
  })

  it('that takes the head into the target merges it', async () => {
    const { copy, url, push, get } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    const head = await copy.commit({ b: 'b\n' })
    await push('topic')
    const { iid } = await newRequest(world, { url })
    await copy.must(['checkout', '--quiet', 'main'])
    await copy.must(['merge', '--quiet', '--no-ff', '-m', 'By hand', 'topic'])
    const merge = await copy.must(['rev-parse', 'HEAD'])
    await push('main')
    expect(await get(iid)).toMatchObject({
      state: 'merged',
      sha: head,
      merge_commit_sha: merge,
      merged_by: { id: world.users.owner.id },
    })
  })

  it('that removes the source closes it; one that brings it back says so', async () => {
    const { project, copy, url, push, get, notesOf } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    await push('topic')
    const { iid } = await newRequest(world, { url })
    const others = await newOthers(project, 'topic')
    await push(':topic')
    expect((await get(iid)).state).toBe('closed')
    expect(await others.read()).toMatchObject([{ state: 'opened' }, { state: 'opened' }])
    expect(await notesOf(iid)).toContain('deleted source branch `topic`')
    await push('topic')
    expect(await notesOf(iid)).toContain('restored source branch `topic`')
  })

  it('that takes history away from the target makes a version', async () => {
    const { project, copy, url, push, get } = await begin()
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const base = await copy.must(['rev-parse', 'HEAD'])
    const gone = await copy.commit({ gone: 'g\n' })
    await push('main')
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    await push('topic')
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { s: 's' }, { branch: 'stable', start_branch: 'main' })
    const kept = await newRequest(world, { url }, { target_branch: 'stable' })
    const others = await newOthers(project, 'topic')
    await push('--force', `${base}:main`)
    expect(await get(kept.iid, '/versions')).toHaveLength(1)
    expect((await others.read('/versions'))[1]).toHaveLength(1)
    const versions = await get(iid, '/versions')
    expect(versions.map((one: { start_commit_sha: string }) => one.start_commit_sha)).toEqual([
      base,
      gone,
    ])
  })

  it('is followed by the open ones, however many of its branch were closed before', async () => {
    const { project, copy, url, push, get, notesOf } = await begin()
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const base = await copy.must(['rev-parse', 'HEAD'])
    await copy.commit({ gone: 'g\n' })
    await push('main')
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    await push('topic')
    const closed = await newRequest(world, { url })
    await world.as('developer').put(`${url}/${closed.iid}`, { state_event: 'close' })
    await addCopies(closed.id, limits.merge_requests.followed_max)
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    await copy.commit({ c: 'c\n' })
    await push('topic')
    expect(await notesOf(iid)).toEqual([expect.stringMatching(/^added 1 commit/)])
    await push('--force', `${base}:main`)
    expect(await get(iid, '/versions')).toMatchObject([{ start_commit_sha: base }, {}, {}])
    await push(':topic')
    expect(await get(iid)).toMatchObject({
      state: 'closed',
      closed_by: { id: world.users.owner.id },
    })
  })

  it('tells where to make a merge request, or where it is', async () => {
    const { project, copy, url, push } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'a/topic'])
    await copy.commit({ b: 'b\n' })
    const link = `${page(project)}/new?merge_request%5Bsource_branch%5D=a%2Ftopic`
    expect((await push('a/topic')).said).toEqual([
      '',
      'To create a merge request for a/topic, visit:',
      `  ${link}`,
      '',
    ])
    const { iid } = await newRequest(world, { url }, { source_branch: 'a/topic' })
    await newOthers(project, 'a/topic')
    await copy.commit({ c: 'c\n' })
    expect((await push('a/topic')).said).toEqual([
      '',
      'View merge request for a/topic:',
      `  ${page(project)}/1`,
      '',
    ])
    await world.as('owner').put(`${url}/${iid}`, { state_event: 'close' })
    await copy.commit({ e: 'e\n' })
    expect((await push('a/topic')).said).toContain(`  ${link}`)
    await copy.must(['checkout', '--quiet', 'main'])
    await copy.commit({ d: 'd\n' })
    expect((await push('main')).said).toEqual([])
    await world.as('owner').put(`/projects/${project.id}`, {
      printing_merge_request_link_enabled: false,
    })
    await copy.must(['checkout', '--quiet', '-b', 'quiet'])
    expect((await push('quiet')).said).toEqual([])
  })
})

describe('options of a push', () => {
  it('make a merge request of what was pushed, and change it with the next push', async () => {
    const { project, copy, push, get } = await begin()
    const issue = await world
      .as('owner')
      .post(`/projects/${project.id}/issues`, { title: 'I', labels: 'bug' })
    const another = { title: 'Another', labels: 'feature' }
    await world.as('owner').post(`/projects/${project.id}/issues`, another)
    const branch = `${issue.json().iid}-fix`
    await copy.must(['checkout', '--quiet', '-b', branch])
    await copy.commit({ b: 'b\n' }, 'Fix it\n\nBecause.')
    const { username } = world.users.developer
    const { said } = await push(
      branch,
      '-o',
      'merge_request.create',
      '-o',
      'mr.label=urgent',
      '-o',
      `merge_request.assign=${username}`,
      '-o',
      'merge_request.remove_source_branch',
      '-o',
      'merge_request.unknown=1',
    )
    expect(said).toEqual(['', `View merge request for ${branch}:`, `  ${page(project)}/1`, ''])
    expect(await get(1)).toMatchObject({
      title: 'Fix it',
      description: `Because.\n\nCloses #${issue.json().iid}`,
      labels: ['bug', 'urgent'],
      assignee: { username },
      force_remove_source_branch: true,
      target_branch: 'main',
    })
    await copy.commit({ c: 'c\n' })
    await push(branch, '-o', 'merge_request.title=Better', '-o', 'merge_request.draft')
    expect(await get(1)).toMatchObject({ title: 'Draft: Better', labels: ['bug', 'urgent'] })
  })

  it('that cannot be followed are told, and the push stands', async () => {
    const { copy, push } = await begin()
    await copy.must(['checkout', '--quiet', '-b', 'topic'])
    await copy.commit({ b: 'b\n' })
    const missing = await push('topic', '-o', 'merge_request.create', '-o', 'mr.target=nowhere')
    expect(missing.status).toBe(0)
    expect(missing.said.slice(0, 4)).toEqual([
      '',
      'WARNINGS:',
      "Error encountered with push options 'merge_request.create' 'mr.target=nowhere': Branch nowhere does not exist",
      '',
    ])
    await copy.commit({ c: 'c\n' })
    const title = await push('topic', '-o', 'merge_request.title=x')
    expect(title.said).toContain(
      "Error encountered with push options 'merge_request.title=x': A merge_request.create push option is required to create a merge request for branch topic",
    )
  })
})
