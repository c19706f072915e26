import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { insertNewestVersion, updateMergeStatus } from '../merge-requests/merge-request.ts'
import { lockRequestForMerge } from './complete-merge.ts'
import {
  listAutoMergesOfPipeline,
  listRequestsToRetarget,
  saveMergeError,
  unlockMerge,
  updateAutoMerge,
  updateTargetBranch,
} from './merge.store.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const git = async (project: Project, ...args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args })).toString().trim()
}
const set = (project: Project, settings: object) =>
  world.as('owner').put(`/projects/${project.id}`, settings)
const merge = (url: string, iid: number, body: object = {}) =>
  world.as('maintainer').put(`${url}/${iid}/merge`, body)

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('makes the merge commit that git makes', async () => {
    const { project, url, head } = await newBranches(world)
    const onMain = await world.commit(project, { more: 'm\n' })
    const { iid, title } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect(answer.statusCode).toBe(200)
    const tip = await git(project, 'rev-parse', 'main')
    expect(answer.json()).toMatchObject({
      state: 'merged',
      merge_commit_sha: tip,
      squash_commit_sha: null,
      sha: head,
      merge_error: null,
      merge_status: 'can_be_merged',
      merged_by: { username: world.users.maintainer.username },
    })
    const tree = await git(project, 'merge-tree', '--write-tree', onMain, head)
    const name = `${world.users.maintainer.name} <${world.users.maintainer.email}>`
    expect(await git(project, 'log', '-1', '--format=%T %P|%an <%ae>|%cn <%ce>|%B', 'main')).toBe(
      `${tree} ${onMain} ${head}|${name}|${name}|Merge branch 'topic' into 'main'\n\n${title}\n\nSee merge request ${project.full_path}!${iid}`,
    )
    const again = await merge(url, iid)
    expect([again.statusCode, again.json()]).toEqual([405, { message: '405 Method Not Allowed' }])
  })

  it('moves the target to the source by fast-forward, where nothing lies between', async () => {
    const { project, url, head } = await newBranches(world)
    await set(project, { merge_method: 'ff' })
    const { iid } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect(answer.json()).toMatchObject({ state: 'merged', merge_commit_sha: null })
    expect(await git(project, 'rev-parse', 'main')).toBe(head)
  })

  it('makes a merge commit of what is on top of the target, by rebase_merge', async () => {
    const { project, url, head } = await newBranches(world)
    const base = await git(project, 'rev-parse', 'main')
    await set(project, { merge_method: 'rebase_merge' })
    const { iid } = await newRequest(world, { url })
    expect((await merge(url, iid)).json().state).toBe('merged')
    expect(await git(project, 'log', '-1', '--format=%P %T', 'main')).toBe(
      `${base} ${head} ${await git(project, 'rev-parse', 'topic^{tree}')}`,
    )
  })

  it('takes what was pushed a moment ago, unless that is forbidden', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.as('developer').get(`${url}/${iid}`)
    const head = await world.commit(project, { late: 'l' }, { branch: 'topic' })
    const merged = (await merge(url, iid)).json()
    expect(merged).toMatchObject({ state: 'merged', sha: head })
    const versions = (await world.as('developer').get(`${url}/${iid}/versions`)).json()
    expect(versions).toMatchObject([{ state: 'collected' }, { state: 'without_files' }])
    await world.commit(project, { c: 'c' }, { branch: 'two', start_branch: 'main' })
    const second = await newRequest(world, { url }, { source_branch: 'two' })
    await world.as('developer').get(`${url}/${second.iid}`)
    await world.commit(project, { both: '1' })
    await world.commit(project, { both: '2' }, { branch: 'two' })
    expect((await merge(url, second.iid)).statusCode).toBe(406)
  })

  it('makes nothing of what the target has already, or has nothing to do with', async () => {
    const { project, url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const start = await git(project, 'rev-parse', 'main')
    await git(project, 'update-ref', 'refs/heads/main', head)
    expect((await merge(url, iid)).statusCode).toBe(406)
    await git(project, 'update-ref', 'refs/heads/main', start)
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@x.test']
    const alone = await git(project, ...identity, 'commit-tree', `${head}^{tree}`, '-m', 'alone')
    await git(project, 'update-ref', 'refs/heads/alone', alone)
    const other = await newRequest(world, { url }, { source_branch: 'alone' })
    expect((await merge(url, other.iid)).statusCode).toBe(406)
  })

  it.each(['ff', 'rebase_merge'])('refuses %s where the target has gone on', async (method) => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { more: 'm\n' })
    await set(project, { merge_method: method })
    const { iid } = await newRequest(world, { url })
    const answer = await merge(url, iid)
    expect([answer.statusCode, answer.json()]).toEqual([
      406,
      { message: 'Branch cannot be merged' },
    ])
  })
})

describe('merging', () => {
  it('squashes into one commit, beside the merge commit', async () => {
    const { project, url, head: first } = await newBranches(world)
    const base = await git(project, 'rev-parse', 'main')
    const head = await world.commit(project, { second: 's' }, { branch: 'topic' })
    const main = await world.commit(project, { more: 'm' })
    const { iid, title } = await newRequest(world, { url }, { squash: true })
    const merged = (await merge(url, iid)).json()
    expect(merged).toMatchObject({ state: 'merged', sha: head, squash: true })
    const squash: string = merged.squash_commit_sha
    expect(await git(project, 'log', '-1', '--format=%P', 'main')).toBe(`${main} ${squash}`)
    const tree = await git(project, 'rev-parse', `${head}^{tree}`)
    const author = `${world.users.developer.name} <${world.users.developer.email}>`
    expect(await git(project, 'log', '-1', '--format=%P %T|%an <%ae>|%B', squash)).toBe(
      `${base} ${tree}|${author}|${title}`,
    )
    expect(first).not.toBe(squash)
  })

  it('leaves one commit as it is, where squashing says nothing else', async () => {
    const { project, url, head } = await newBranches(world)
    await set(project, { merge_method: 'ff', squash_option: 'always' })
    const { iid } = await newRequest(world, { url })
    const merged = (await merge(url, iid)).json()
    expect(merged).toMatchObject({ squash_commit_sha: head, merge_commit_sha: null })
    expect(await git(project, 'rev-parse', 'main')).toBe(head)
  })

  it('keeps why it could not be merged, where squashing is forbidden', async () => {
    const { project, url } = await newBranches(world)
    await set(project, { squash_option: 'never' })
    const { iid } = await newRequest(world, { url }, { squash: true })
    const answer = await merge(url, iid)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        state: 'opened',
        merge_error:
          'This project does not allow squashing commits when merge requests are accepted.',
      },
    ])
  })

  it('writes the messages that were asked for, or those of the templates', async () => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { more: 'm' })
    await set(project, {
      merge_commit_template: 'Take %{source_branch}\n\n%{issues}\n\n%{all_commits}\n%{unknown}',
    })
    const { iid } = await newRequest(world, { url })
    await merge(url, iid)
    expect(await git(project, 'log', '-1', '--format=%B', 'main')).toBe(
      'Take topic\n\n* Change the topic\n%{unknown}',
    )
    await world.commit(project, { again: 'a' }, { branch: 'again', start_branch: 'main' })
    const second = await newRequest(world, { url }, { source_branch: 'again' })
    await merge(url, second.iid, { merge_commit_message: 'One\r\n\r\ntwo' })
    expect(await git(project, 'log', '-1', '--format=%B', 'main')).toBe('One\n\ntwo')
  })

  it('tells what is against it, in this order', async () => {
    const { project, url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url }, { title: 'Draft: x' })
    const ask = async (who: 'anonymous' | 'reporter' | 'maintainer', body: object = {}) => {
      const answer = await world.as(who).put(`${url}/${iid}/merge`, body)
      return [answer.statusCode, answer.json()]
    }
    expect(await ask('anonymous')).toEqual([401, { message: '401 Unauthorized' }])
    expect(await ask('reporter')).toEqual([401, { message: '401 Unauthorized' }])
    const notAllowed = [405, { message: '405 Method Not Allowed' }]
    expect(await ask('maintainer')).toEqual(notAllowed)
    await world.as('developer').put(`${url}/${iid}`, { title: 'x' })
    expect(await ask('maintainer', { merge_when_pipeline_succeeds: true })).toEqual(notAllowed)
    expect(await ask('maintainer', { sha: 'f'.repeat(40) })).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${head}` },
    ])
    await world.commit(project, { topic: 'other\n' })
    expect(await ask('maintainer')).toEqual([406, { message: 'Branch cannot be merged' }])
    expect(await ask('maintainer')).toEqual(notAllowed)
  })

  it('waits for threads and pipelines where the project asks for them', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await set(project, { only_allow_merge_if_pipeline_succeeds: true })
    expect((await merge(url, iid)).statusCode).toBe(405)
    const shown = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(shown.detailed_merge_status).toBe('ci_must_pass')
  })

  it('is for whoever the protection of the target admits', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const developers = () => world.as('developer').put(`${url}/${iid}/merge`)
    expect((await developers()).statusCode).toBe(401)
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const rule = { name: 'main', push_access_level: 0, merge_access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, rule)
    expect((await developers()).json()).toMatchObject({ state: 'merged' })
    const pushed = { name: 'open', push_access_level: 30, merge_access_level: 0 }
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, pushed)
    await world.commit(project, { o: 'o' }, { branch: 'open', start_branch: 'main' })
    await world.commit(project, { t: 't' }, { branch: 'two', start_branch: 'main' })
    const sides = { source_branch: 'two', target_branch: 'open' }
    const second = await newRequest(world, { url }, sides)
    const answer = await world.as('developer').put(`${url}/${second.iid}/merge`)
    expect(answer.json()).toMatchObject({ state: 'merged' })
  })

  it('waits for the threads of the request itself, where the project asks for that', async () => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { two: '2' }, { branch: 'two', start_branch: 'main' })
    const [first, second] = [
      await newRequest(world, { url }),
      await newRequest(world, { url }, { source_branch: 'two' }),
    ]
    const threads = `${url}/${first.iid}/discussions`
    const thread = (await world.as('developer').post(threads, { body: 'Why?' })).json()
    await world.as('developer').post(`${url}/${second.iid}/notes`, { body: 'Good.' })
    await set(project, { only_allow_merge_if_all_discussions_are_resolved: true })
    // A project that does not ask for it, beside this one.
    const other = await newBranches(world)
    const free = await newRequest(world, other)
    await world.as('developer').post(`${other.url}/${free.iid}/discussions`, { body: 'Why?' })
    const areResolved = async (...requests: { id: number }[]) => {
      const path = '/merge_requests?scope=all&state=opened&per_page=100'
      const listed: { id: number; blocking_discussions_resolved: boolean }[] = (
        await world.as('developer').get(path)
      ).json()
      return requests.map(
        ({ id }) => listed.find((one) => one.id === id)?.blocking_discussions_resolved,
      )
    }
    expect(await areResolved(first, second, free)).toEqual([false, true, true])
    expect((await merge(url, first.iid)).statusCode).toBe(405)
    expect((await merge(url, second.iid)).statusCode).toBe(200)
    const versions = (await world.as('developer').get(`${url}/${first.iid}/versions`)).json()
    expect(versions).toMatchObject([{ state: 'collected' }])
    await world.as('developer').put(`${threads}/${thread.id}`, { resolved: true })
    expect(await areResolved(first)).toEqual([true])
    expect((await merge(url, first.iid)).statusCode).toBe(200)
    await world.commit(project, { three: '3' }, { branch: 'three', start_branch: 'main' })
    const third = await newRequest(world, { url }, { source_branch: 'three' })
    await world.as('developer').post(`${url}/${third.iid}/discussions`, { body: 'Why?' })
    await set(project, { only_allow_merge_if_all_discussions_are_resolved: false })
    expect((await merge(url, third.iid)).statusCode).toBe(200)
  })

  it('is for what is open, and has a source and a target', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.as('developer').put(`${url}/${iid}`, { state_event: 'close' })
    expect((await merge(url, iid)).statusCode).toBe(405)
    await world.as('developer').put(`${url}/${iid}`, { state_event: 'reopen' })
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    await git(project, 'update-ref', '-m', 'x', 'refs/heads/kept', 'refs/heads/main')
    await git(project, 'update-ref', '-d', 'refs/heads/main')
    expect((await merge(url, iid)).statusCode).toBe(405)
    await git(project, 'update-ref', 'refs/heads/main', 'refs/heads/kept')
    const source = await git(project, 'rev-parse', 'topic')
    await git(project, 'update-ref', '-d', 'refs/heads/topic')
    expect((await merge(url, iid)).statusCode).toBe(405)
    await git(project, 'update-ref', 'refs/heads/topic', source)
    const empty = await newRequest(world, { url }, { source_branch: 'kept' })
    expect((await merge(url, empty.iid)).statusCode).toBe(405)
    expect((await merge(url, iid)).statusCode).toBe(200)
  })

  it('needs the right to push where nothing protects the target', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const refusal = await world.as('reporter').put(`${url}/${iid}/merge`)
    expect([refusal.statusCode, refusal.json()]).toEqual([401, { message: '401 Unauthorized' }])
    const seen = async (who: Who) => (await world.as(who).get(`${url}/${iid}`)).json()
    expect(await seen('reporter')).toMatchObject({ state: 'opened', user: { can_merge: false } })
    expect(await seen('developer')).toMatchObject({ user: { can_merge: true } })
    const merged = await world.as('developer').put(`${url}/${iid}/merge`)
    expect(merged.json()).toMatchObject({ state: 'merged' })
  })

  it('removes the source branch, closes issues and moves on what went into it', async () => {
    const { project, url } = await newBranches(world)
    const issue = (
      await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'I' })
    ).json()
    await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'Another' })
    const other = await newBranches(world)
    for (const [branch, of] of [
      ['stacked', project],
      ['both', project],
      ['stacked', other.project],
    ] as const)
      await world.commit(of, { [branch]: 's' }, { branch, start_branch: 'topic' })
    // The same branch of a fork, and into one, is no duplicate.
    const developer = world.as('developer')
    const fork = (await developer.post(`/projects/${project.id}/fork`)).json()
    await world.app.worker.drain()
    for (const [from, into] of [
      [fork, project],
      [project, fork],
    ]) {
      const sides = { source_branch: 'stacked', target_branch: 'main', target_project_id: into.id }
      const requests = `/projects/${from.id}/merge_requests`
      expect((await developer.post(requests, { title: 'Stacked', ...sides })).statusCode).toBe(201)
    }
    const make = (source_branch: string, target_branch: string, at = url) =>
      newRequest(world, { url: at }, { source_branch, target_branch })
    const close = ({ iid: closed }: { iid: number }) =>
      world.as('developer').put(`${url}/${closed}`, { state_event: 'close' })
    const stacked = await make('stacked', 'topic')
    await close(await make('stacked', 'main'))
    const both = await make('both', 'main')
    await world.as('developer').put(`${url}/${both.iid}`, { description: 'Fixes #2' })
    const ended = await make('nowhere', 'topic')
    await close(ended)
    const unmoved = [await make('both', 'topic'), await make('main', 'topic'), ended]
    const elsewhere = await make('stacked', 'topic', other.url)
    const { iid } = await newRequest(world, { url }, { description: `Fixes #${issue.iid}` })
    await world.app.worker.drain()
    await merge(url, iid, { should_remove_source_branch: true })
    const branch = await world.as('owner').get(`/projects/${project.id}/repository/branches/topic`)
    expect(branch.statusCode).toBe(404)
    const closed = await world.as('owner').get(`/projects/${project.id}/issues/${issue.iid}`)
    expect(closed.json()).toMatchObject({
      state: 'closed',
      closed_by: { id: world.users.maintainer.id },
    })
    const kept = await world.as('owner').get(`/projects/${project.id}/issues/2`)
    expect(kept.json().state).toBe('opened')
    const moved = (await world.as('owner').get(`${url}/${stacked.iid}`)).json()
    expect(moved).toMatchObject({ target_branch: 'main', state: 'opened' })
    // One is a duplicate then, one from the target itself, one closed, one of another project.
    for (const one of [
      ...unmoved.map((each) => `${url}/${each.iid}`),
      `${other.url}/${elsewhere.iid}`,
    ])
      expect([one, (await world.as('owner').get(one)).json().target_branch]).toEqual([one, 'topic'])
    const notes = (await world.as('owner').get(`${url}/${stacked.iid}/notes`)).json()
    expect(notes.map(({ body }: { body: string }) => body)).toContain(
      'retargeted the target branch to `main`, because `topic` was deleted',
    )
    await world.app.worker.drain()
    expect((await world.as('owner').get(`${url}/${stacked.iid}`)).json().state).toBe('opened')
    const events = await world.as('owner').get(`${url}/${iid}/resource_state_events`)
    expect(events.json()).toMatchObject([{ state: 'merged' }])
  })

  it('loses none of fifty at once', async () => {
    const { project, url } = await newBranches(world)
    const iids: number[] = []
    for (let at = 0; at < 50; at++) {
      const branch = `b${at}`
      await world.commit(project, { [branch]: 'b' }, { branch, start_branch: 'main' })
      iids.push((await newRequest(world, { url }, { source_branch: branch })).iid)
    }
    const answers = await Promise.all(iids.map((iid) => merge(url, iid)))
    expect(answers.map((answer) => answer.json().state)).toEqual(iids.map(() => 'merged'))
    const files = (await git(project, 'ls-tree', '--name-only', 'main')).split('\n')
    expect(files.filter((name) => name.startsWith('b'))).toHaveLength(50)
    await world.app.worker.drain()
    const merges = await git(project, 'rev-list', '--count', '--merges', 'main')
    expect(merges).toBe('50')
  }, 60_000)
})

describe('a merge that was interrupted', () => {
  /** As a server leaves it that dies once the merge is noted. */
  const interrupt = async (project: Project, url: string, { isMoved }: { isMoved: boolean }) => {
    const { iid, id } = await newRequest(world, { url })
    await world.as('owner').get(`${url}/${iid}`)
    await world.app.worker.drain()
    const target = await git(project, 'rev-parse', 'main')
    const head = await git(project, 'rev-parse', 'topic')
    const uses = { db: world.app.db, clock: world.app.clock.now }
    const begin = (token: string) =>
      lockRequestForMerge(uses, id, {
        id: token,
        tip: head,
        target_sha: target,
        merge_commit_sha: null,
        squash_commit_sha: null,
        user_id: world.users.maintainer.id,
      })
    expect([await begin('token'), await begin('another')]).toEqual([true, false])
    if (isMoved) await git(project, 'update-ref', 'refs/heads/main', head)
    const get = async () => (await world.as('owner').get(`${url}/${iid}`)).json()
    expect((await get()).state).toBe('locked')
    world.app.clock.advance(limits.merge_requests.merging_ms_max + 1)
    await world.app.worker.drain()
    return get()
  }

  it('is complete where the target has moved', async () => {
    const { project, url } = await newBranches(world)
    expect(await interrupt(project, url, { isMoved: true })).toMatchObject({
      state: 'merged',
      merged_by: { id: world.users.maintainer.id },
    })
  })

  it('is taken back where it has not', async () => {
    const { project, url } = await newBranches(world)
    const shown = await interrupt(project, url, { isMoved: false })
    expect(shown).toMatchObject({ state: 'opened', merged_at: null })
    expect((await merge(url, shown.iid)).json().state).toBe('merged')
  })
})

it('what is found of a merge request is written down only while that still holds', async () => {
  const { project, url, head } = await newBranches(world)
  const { id, iid } = await newRequest(world, { url })
  await world.as('maintainer').get(`${url}/${iid}`)
  const passed = { state: 'success', ref: 'topic' }
  await world.as('maintainer').post(`/projects/${project.id}/statuses/${head}`, passed)
  const { db, clock } = world.app
  const row = () =>
    db
      .selectFrom('merge_requests')
      .selectAll()
      .where('issuable_id', '=', id)
      .executeTakeFirstOrThrow()
  const set = (values: { is_open: boolean; merge_when_pipeline_succeeds: boolean }) =>
    db.updateTable('merge_requests').set(values).where('issuable_id', '=', id).execute()
  const { id: pipeline } = await db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  const toRetarget = (target_branch: string) =>
    listRequestsToRetarget(db, { project_id: project.id, target_branch })
  const user_id = world.users.owner.id
  const sides = { from: 'main', to: 'next' }

  await set({ is_open: false, merge_when_pipeline_succeeds: true })
  const closed = await row()
  await saveMergeError(db, id, 'Too late')
  await updateMergeStatus(db, id, { merge_status: 'unchecked' })
  await updateAutoMerge(db, id, { sha: head }, user_id)
  expect(await updateTargetBranch(db, id, sides)).toBe(false)
  expect(await row()).toEqual(closed)
  expect([await toRetarget('main'), await listAutoMergesOfPipeline(db, pipeline)]).toEqual([[], []])

  await set({ is_open: true, merge_when_pipeline_succeeds: false })
  const opened = await row()
  await updateAutoMerge(db, id, { sha: head }, user_id)
  expect(await updateTargetBranch(db, id, { ...sides, from: 'other' })).toBe(false)
  const { latest_version_id } = opened
  const { id: _, ...version } = await db
    .selectFrom('merge_request_versions')
    .selectAll()
    .where('id', '=', latest_version_id ?? 0)
    .executeTakeFirstOrThrow()
  // Another node has made one meanwhile.
  await insertNewestVersion(db, { issuable_id: id, before: 0, version, commits: [] })
  expect(await row()).toEqual(opened)
  expect(await toRetarget('other')).toEqual([])
  expect(await listAutoMergesOfPipeline(db, pipeline)).toEqual([])
  await set({ is_open: true, merge_when_pipeline_succeeds: true })
  expect(await listAutoMergesOfPipeline(db, pipeline)).toEqual([{ issuable_id: id }])
  expect(await listAutoMergesOfPipeline(db, 0)).toEqual([])

  const merging = { id: 'token', tip: head, target_sha: head, user_id }
  const commits = { merge_commit_sha: null, squash_commit_sha: null }
  await lockRequestForMerge({ db, clock: clock.now }, id, { ...merging, ...commits })
  const issuable = () => db.updateTable('issuables').where('id', '=', id)
  await issuable().set({ state: 'closed' }).execute()
  await unlockMerge(db, id, 'token')
  expect((await world.as('owner').get(`${url}/${iid}`)).json().state).toBe('closed')
})
