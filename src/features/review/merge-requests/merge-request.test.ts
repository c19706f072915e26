import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { presentBasicUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const git = async (project: Project, ...args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args })).toString().trim()
}
const statusAndBody = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  answer.json(),
]
/** A fork of the project by somebody who is a member of nothing, with a branch `topic`. */
async function newFork(project: Project) {
  const { user, client } = await world.newUser()
  return { user, ...(await forkBy(client, project)) }
}

async function forkBy(client: Client, project: Project) {
  const fork: Project = (await client.post(`/projects/${project.id}/fork`)).json()
  await world.app.worker.drain()
  const actions = [{ action: 'create', file_path: 'fork', content: 'f\n' }]
  const commit = await client.post(`/projects/${fork.id}/repository/commits`, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'From the fork',
    actions,
  })
  return { client, fork, head: commit.json().id as string }
}

describe('POST /projects/:id/merge_requests', () => {
  it('answers the whole record', async () => {
    const { project, url, head } = await newBranches(world)
    const base = await git(project, 'rev-parse', 'main')
    const body = { title: 'Draft: one', source_branch: 'topic', target_branch: 'main' }
    const answer = await world.as('developer').post(url, { ...body, labels: 'a,b' })
    const user = presentBasicUser(world.users.developer, 'http://bloomery.test')
    const now = world.app.clock.now().toISOString()
    const shown = answer.json()
    expect([answer.statusCode, shown]).toEqual([
      201,
      {
        id: shown.id,
        iid: 1,
        project_id: project.id,
        title: 'Draft: one',
        description: '',
        state: 'opened',
        created_at: now,
        updated_at: now,
        merged_by: null,
        merge_user: null,
        merged_at: null,
        closed_by: null,
        closed_at: null,
        target_branch: 'main',
        source_branch: 'topic',
        user_notes_count: 0,
        upvotes: 0,
        downvotes: 0,
        author: user,
        assignees: [],
        assignee: null,
        reviewers: [],
        source_project_id: project.id,
        target_project_id: project.id,
        labels: ['a', 'b'],
        draft: true,
        work_in_progress: true,
        milestone: null,
        merge_when_pipeline_succeeds: false,
        merge_status: 'unchecked',
        detailed_merge_status: 'unchecked',
        sha: head,
        merge_commit_sha: null,
        squash_commit_sha: null,
        discussion_locked: null,
        should_remove_source_branch: null,
        force_remove_source_branch: null,
        reference: '!1',
        references: { short: '!1', relative: '!1', full: `${project.full_path}!1` },
        web_url: `http://bloomery.test/${project.full_path}/-/merge_requests/1`,
        time_stats: {
          time_estimate: 0,
          total_time_spent: 0,
          human_time_estimate: null,
          human_total_time_spent: null,
        },
        squash: false,
        approvals_before_merge: null,
        task_completion_status: { count: 0, completed_count: 0 },
        has_conflicts: false,
        blocking_discussions_resolved: true,
        subscribed: true,
        changes_count: '1',
        latest_build_started_at: null,
        latest_build_finished_at: null,
        first_deployed_to_production_at: null,
        pipeline: null,
        head_pipeline: null,
        diff_refs: { base_sha: base, head_sha: head, start_sha: base },
        merge_error: null,
        user: { can_merge: false },
      },
    ])
    expect(await git(project, 'rev-parse', 'refs/merge-requests/1/head')).toBe(head)
  })

  it('asks for as many approvals as the project does, or more', async () => {
    const { project, url } = await newBranches(world)
    await world.as('owner').put(`/projects/${project.id}`, { approvals_before_merge: 2 })
    for (const [iid, given, kept] of [
      [1, 1, null],
      [2, 3, 3],
    ] as const) {
      const made = await newRequest(world, { url }, { approvals_before_merge: given })
      expect([made.iid, made.approvals_before_merge]).toEqual([iid, kept])
      await world.as('developer').put(`${url}/${iid}`, { state_event: 'close' })
    }
    const body = { title: 'x', source_branch: 'topic', target_branch: 'main' }
    const answer = await world.as('developer').post(url, { ...body, approvals_before_merge: -1 })
    expect(statusAndBody(answer)).toEqual([
      400,
      { error: 'approvals_before_merge does not have a valid value' },
    ])
  })

  it('takes one of a fork, whose commits come with it', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client, fork, head } = await newFork(upstream)
    const body = { title: 'From a fork', source_branch: 'topic', target_branch: 'main' }
    const asked = { ...body, target_project_id: upstream.id, allow_collaboration: true }
    const answer = await client.post(`/projects/${fork.id}/merge_requests`, asked)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      iid: 1,
      project_id: upstream.id,
      source_project_id: fork.id,
      target_project_id: upstream.id,
      sha: head,
      allow_collaboration: true,
      allow_maintainer_to_push: true,
      user: { can_merge: false },
    })
    expect(await git(upstream, 'rev-parse', 'refs/merge-requests/1/head')).toBe(head)
    const url = `/projects/${upstream.id}/merge_requests/1`
    expect((await world.as('anonymous').get(url)).json()).toMatchObject({
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
    })
    // A branch of that name and commit in the target is another one.
    const maintainer = world.as('maintainer')
    const branch = { branch: 'topic', ref: head }
    await maintainer.post(`/projects/${upstream.id}/repository/branches`, branch)
    const status = { state: 'success', ref: 'topic' }
    const reported = await maintainer.post(`/projects/${upstream.id}/statuses/${head}`, status)
    expect(reported.statusCode).toBe(201)
    expect((await maintainer.get(url)).json().head_pipeline).toBeNull()
    // Those of other projects and branches are no duplicates of it, nor merged with it.
    const next = { branch: 'next', ref: 'main' }
    await maintainer.post(`/projects/${upstream.id}/repository/branches`, next)
    const [inFork, inUpstream] = [fork, upstream].map(({ id }) => `/projects/${id}/merge_requests`)
    const makeOthers = async () => [
      await client.post(inFork ?? '', { ...body, target_branch: 'next' }),
      await client.post(inFork ?? '', body),
      await client.post(inFork ?? '', { ...asked, target_branch: 'next' }),
      await maintainer.post(inUpstream ?? '', body),
      await maintainer.post(inUpstream ?? '', { ...body, source_branch: 'next' }),
    ]
    const others = await makeOthers()
    expect(others.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 201))
    for (const [at, again] of (await makeOthers()).entries())
      expect(again.json().message).toEqual([
        `Another open merge request already exists for this source branch: !${others[at]?.json().iid}`,
      ])
    const ofCommit = async (of: Project) => {
      const path = `/projects/${of.id}/repository/commits/${head}/merge_requests`
      const shown = (await client.get(path)).json()
      return shown.map(({ project_id, iid }: { project_id: number; iid: number }) => [
        project_id,
        iid,
      ])
    }
    expect(await ofCommit(fork)).toEqual([[fork.id, 2]])
    const merged = await maintainer.put(`${url}/merge`)
    expect(merged.json()).toMatchObject({ state: 'merged' })
    expect(await git(upstream, 'rev-parse', 'main^2')).toBe(head)
    await world.app.worker.drain()
    const states = others.map(async (made) => {
      const { project_id, iid } = made.json()
      return (await client.get(`/projects/${project_id}/merge_requests/${iid}`)).json().state
    })
    expect(await Promise.all(states)).toEqual(['opened', 'opened', 'opened', 'merged', 'opened'])
  })

  it.each([
    [{ merge_requests_access_level: 'private' }, 403, 201],
    [{ merge_requests_access_level: 'disabled' }, 403, 403],
    [{ repository_access_level: 'disabled' }, 403, 403],
    [{ visibility: 'private' }, 404, 201],
  ])('takes one of a fork where %j answers an outsider %i and a Guest %i', async (...row) => {
    const [settings, ...statuses] = row
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const [outsider, guest] = [await newFork(upstream), await forkBy(world.as('guest'), upstream)]
    await world.as('owner').put(`/projects/${upstream.id}`, settings)
    const body = { title: 'From a fork', source_branch: 'topic', target_branch: 'main' }
    const answers = [outsider, guest].map(({ client, fork }) =>
      client.post(`/projects/${fork.id}/merge_requests`, {
        ...body,
        target_project_id: upstream.id,
      }),
    )
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(statuses)
  })

  it('takes none for a project that is archived', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client, fork } = await newFork(upstream)
    await world.as('owner').post(`/projects/${upstream.id}/archive`)
    const body = { title: 'From a fork', source_branch: 'topic', target_branch: 'main' }
    const asked = { ...body, target_project_id: upstream.id }
    const answer = await client.post(`/projects/${fork.id}/merge_requests`, asked)
    expect(statusAndBody(answer)).toEqual([403, { message: '403 Forbidden' }])
  })

  it('tells of what is wrong, in this order', async () => {
    const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
    const other = await world.newProject({ files: { a: 'a' } })
    const good = { title: 'T', source_branch: 'topic', target_branch: 'main' }
    const post = (who: 'anonymous' | 'reporter' | 'developer', body: object) =>
      world.as(who).post(url, body)
    expect(statusAndBody(await post('anonymous', {}))).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
    expect(statusAndBody(await post('developer', {}))).toEqual([
      400,
      { error: 'title is missing, source_branch is missing, target_branch is missing' },
    ])
    expect(statusAndBody(await post('reporter', good))).toEqual([403, { message: '403 Forbidden' }])
    const unknown = await post('developer', { ...good, target_project_id: 999_999 })
    expect(statusAndBody(unknown)).toEqual([404, { message: '404 Not found' }])
    const same = await post('developer', { ...good, source_branch: 'main' })
    expect(statusAndBody(same)).toEqual([
      422,
      { message: ["You can't use same project/branch for source and target"] },
    ])
    const stranger = await post('developer', { ...good, target_project_id: other.id })
    expect(statusAndBody(stranger)).toEqual([
      422,
      { message: ['Source project is not a fork of the target project'] },
    ])
    const illegal = await post('developer', { ...good, source_branch: 'a..b' })
    expect(statusAndBody(illegal)).toEqual([400, { message: { source_branch: ['is invalid'] } }])
    const blank = await post('developer', { ...good, title: ' ' })
    expect(statusAndBody(blank)).toEqual([400, { message: { title: ["can't be blank"] } }])
    const long = await post('developer', { ...good, title: 'x'.repeat(256) })
    expect(statusAndBody(long)).toEqual([
      400,
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ])
    expect((await post('developer', good)).statusCode).toBe(201)
    const twin = {
      message: ['Another open merge request already exists for this source branch: !1'],
    }
    expect(statusAndBody(await post('developer', good))).toEqual([409, twin])
    expect(statusAndBody(await post('developer', { ...good, title: ' ' }))).toEqual([409, twin])
    await world.as('owner').put(`/projects/${project.id}`, {
      merge_requests_access_level: 'disabled',
    })
    expect((await post('developer', good)).statusCode).toBe(403)
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
  })

  it('is refused where the repository is disabled', async () => {
    const { project, url } = await newBranches(world)
    const settings = { repository_access_level: 'disabled' }
    await world.as('owner').put(`/projects/${project.id}`, settings)
    const fields = { title: 'T', source_branch: 'topic', target_branch: 'main' }
    expect((await world.as('owner').post(url, fields)).statusCode).toBe(403)
  })

  it('takes branches that are not there; such a request can never be merged', async () => {
    const { url } = await newBranches(world)
    const { iid } = await newRequest(world, { url }, { source_branch: 'nowhere' })
    await newRequest(world, { url })
    const shown = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(shown).toMatchObject({
      merge_status: 'cannot_be_merged',
      sha: null,
      diff_refs: null,
      changes_count: null,
    })
    const merged = await world.as('maintainer').put(`${url}/${iid}/merge`)
    expect(statusAndBody(merged)).toEqual([405, { message: '405 Method Not Allowed' }])
  })
})

describe('GET /projects/:id/merge_requests', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const url = `/projects/${world.projects[place].id}/merge_requests`
    expect((await world.as(who).get(url)).statusCode).toBe(status)
  })

  it('finds by what is asked for', async () => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
    const reviewer_ids = [world.users.maintainer.id]
    const first = await newRequest(world, { url }, { title: 'Draft: first', reviewer_ids })
    const second = await newRequest(world, { url }, { source_branch: 'other', who: 'owner' })
    await world.as('owner').put(`${url}/${second.iid}`, { state_event: 'close' })
    const find = async (query: string) =>
      (await world.as('developer').get(`${url}?${query}`))
        .json()
        .map(({ iid }: { iid: number }) => iid)
    expect(await find('')).toEqual([second.iid, first.iid])
    expect(await find('state=opened')).toEqual([first.iid])
    expect(await find('state=closed')).toEqual([second.iid])
    expect(await find('source_branch=topic')).toEqual([first.iid])
    expect(await find(`source_project_id=${project.id}`)).toHaveLength(2)
    expect(await find(`source_project_id=${world.projects.open.id}`)).toEqual([])
    expect(await find('target_branch=other')).toEqual([])
    expect(await find('wip=yes')).toEqual([first.iid])
    expect(await find('wip=no')).toEqual([second.iid])
    expect(await find(`reviewer_id=${world.users.maintainer.id}`)).toEqual([first.iid])
    expect(await find('reviewer_id=None')).toEqual([second.iid])
    expect(await find(`reviewer_id=${world.users.owner.id}`)).toEqual([])
    expect(await find(`reviewer_username=${world.users.maintainer.username}`)).toEqual([first.iid])
    expect(await find(`reviewer_username=${world.users.owner.username}`)).toEqual([])
    expect(await find('scope=created_by_me')).toEqual([first.iid])
    expect(await find('draft=false&iids[]=2')).toEqual([second.iid])
    for (const order of ['title', 'merged_at', 'priority', 'milestone_due', 'popularity']) {
      expect(await find(`order_by=${order}`)).toHaveLength(2)
    }
    const simple = (await world.as('developer').get(`${url}?view=simple&state=opened`)).json()
    expect(Object.keys(simple[0])).toEqual([
      'id',
      'iid',
      'project_id',
      'title',
      'description',
      'state',
      'created_at',
      'updated_at',
      'web_url',
    ])
    const own = await world.as('developer').get('/merge_requests')
    expect(own.json()[0]).toMatchObject({ id: first.id, reference: first.references.full })
    const group = await world.as('developer').get(`/groups/${project.namespace_id}/merge_requests`)
    expect(group.json()[0].references.relative).toBe(`${project.path}!${second.iid}`)
    expect((await world.as('anonymous').get('/merge_requests')).statusCode).toBe(401)
    expect((await world.as('anonymous').get('/merge_requests?scope=all')).statusCode).toBe(200)
  })

  it('takes as many queries for twenty as for one', async () => {
    const { project, url } = await newBranches(world)
    await newRequest(world, { url })
    const ask = () => world.as('reporter').get(`${url}?per_page=100`)
    await ask()
    const one = await world.app.count(ask)
    for (let at = 0; at < 19; at++) {
      const branch = `b${at}`
      await world.commit(project, { [branch]: 'b' }, { branch, start_branch: 'main' })
      await newRequest(world, { url }, { source_branch: branch, labels: ['x'] })
    }
    expect(await world.app.count(ask)).toEqual(one)
  })
})

describe('GET /projects/:id/merge_requests/:merge_request_iid', () => {
  it('tells at once what is new and whether it can be merged', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const get = async () => (await world.as('reporter').get(`${url}/${iid}`)).json()
    expect(await get()).toMatchObject({ merge_status: 'can_be_merged', first_contribution: true })
    await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
    const other = await newRequest(world, { url }, { source_branch: 'other' })
    await world.as('reporter').get(`${url}/${other.iid}`)
    // What is found out of one says nothing of the other.
    const listed = async () => {
      const all: { merge_status: string }[] = (await world.as('reporter').get(url)).json()
      return all.map(({ merge_status }) => merge_status)
    }
    expect(await listed()).toEqual(['can_be_merged', 'can_be_merged'])
    await world.commit(project, { 'on main': 'main\n', topic: 'other\n' })
    expect(await get()).toMatchObject({
      merge_status: 'cannot_be_merged',
      has_conflicts: true,
      detailed_merge_status: 'conflict',
    })
    const next = await world.commit(project, { more: 'm' }, { branch: 'topic' })
    expect(await get()).toMatchObject({ sha: next, has_conflicts: true })
    await world.commit(project, { 'on main too': 'main\n' })
    expect(await listed()).toEqual(['unchecked', 'cannot_be_merged_recheck'])
    expect((await get()).merge_status).toBe('cannot_be_merged')
    const file = { branch: 'topic', content: 'other\n', commit_message: 'As on main' }
    await world.as('developer').put(`/projects/${project.id}/repository/files/topic`, file)
    expect((await get()).merge_status).toBe('can_be_merged')
    await world.as('maintainer').delete(`/projects/${project.id}/repository/branches/topic`)
    await world.as('developer').put(`${url}/${iid}`, { state_event: 'reopen' })
    expect(await get()).toMatchObject({
      state: 'opened',
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'commits_status',
    })
  })

  it('says whether it is the first of its author in the project', async () => {
    const [{ project, url }, elsewhere] = [await newBranches(world), await newBranches(world)]
    const make = async (source_branch: string, who: 'developer' | 'owner' = 'developer') => {
      const start = { branch: source_branch, start_branch: 'main' }
      await world.commit(project, { [source_branch]: 'c' }, start)
      return newRequest(world, { url }, { source_branch, who })
    }
    const accept = async (at: string, { iid }: { iid: number }) =>
      expect((await world.as('maintainer').put(`${at}/${iid}/merge`)).statusCode).toBe(200)
    const isFirst = async ({ iid }: { iid: number }) =>
      (await world.as('reporter').get(`${url}/${iid}`)).json().first_contribution
    const first = await newRequest(world, { url })
    await accept(elsewhere.url, await newRequest(world, elsewhere))
    await accept(url, await make('other', 'owner'))
    const closed = await make('closed')
    await world.as('developer').put(`${url}/${closed.iid}`, { state_event: 'close' })
    expect(await isFirst(first)).toBe(true)
    await accept(url, first)
    expect([await isFirst(first), await isFirst(await make('last'))]).toEqual([true, false])
  })

  it('takes one merge-tree to see whether it can be merged, and none to see it again', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { more: 'm' })
    const ask = () => world.as('reporter').get(`${url}/${iid}`)
    const { processes } = await world.app.count(ask)
    // The common ancestor, and the merge.
    expect(processes).toBe(2)
    expect((await world.app.count(ask)).processes).toBe(0)
  })

  it('says how far the target has gone on, and its labels whole, if asked', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { more: 'm' })
    await world.as('developer').put(`${url}/${iid}`, { add_labels: 'urgent' })
    const query =
      'include_diverged_commits_count=1&include_rebase_in_progress=true&render_html=1&with_labels_details=1'
    const shown = (await world.as('reporter').get(`${url}/${iid}?${query}`)).json()
    expect(shown).toMatchObject({
      diverged_commits_count: 1,
      rebase_in_progress: false,
      labels: [{ name: 'urgent', color: '#6699cc' }],
      title_html: shown.title,
      description_html: '',
    })
  })

  it.each([
    ['anonymous', false],
    ['guest', false],
    ['reporter', true],
  ] as const)('shows the code of members alone to no other: %s', async (who, isRead) => {
    const group = await world.newGroup({ visibility: 'public' })
    const user = { user_id: world.users.guest.id, access_level: 10 }
    const reader = { user_id: world.users.reporter.id, access_level: 20 }
    for (const member of [user, reader])
      await world.as('admin').post(`/groups/${group.id}/members`, member)
    const { project, url } = await newBranches(world, { options: { group } })
    const { iid } = await newRequest(world, { url }, { who: 'admin' })
    await world.as('admin').put(`/projects/${project.id}`, { repository_access_level: 'private' })
    const client = world.as(who)
    const statuses = await Promise.all(
      [url, `${url}/${iid}`, `${url}/${iid}/changes`].map(async (path) => {
        const answer = await client.get(path)
        return answer.statusCode
      }),
    )
    expect(statuses).toEqual(isRead ? [200, 200, 200] : [403, 404, 404])
    const listed = await client.get(`/groups/${group.id}/merge_requests`)
    expect(listed.json()).toHaveLength(isRead ? 1 : 0)
  })

  it('is hidden from Guests of private projects', async () => {
    const { url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    expect(statusAndBody(await world.as('guest').get(`${url}/${iid}`))).toEqual([
      404,
      { message: '404 Merge Request Not Found' },
    ])
    expect(statusAndBody(await world.as('developer').get(`${url}/99`))).toEqual([
      404,
      { message: '404 Not found' },
    ])
  })
})

describe('PUT /projects/:id/merge_requests/:merge_request_iid', () => {
  it('changes what it has', async () => {
    const { project, url } = await newBranches(world)
    await world.commit(project, { r: 'r' }, { branch: 'release', start_branch: 'main' })
    const { iid } = await newRequest(world, { url }, { title: 'Draft: x' })
    const put = (body: object) => world.as('developer').put(`${url}/${iid}`, body)
    const changed = await put({
      title: 'x',
      target_branch: 'release',
      squash: true,
      remove_source_branch: true,
      reviewer_ids: [world.users.maintainer.id],
    })
    expect(changed.json()).toMatchObject({
      title: 'x',
      draft: false,
      target_branch: 'release',
      squash: true,
      force_remove_source_branch: true,
      reviewers: [{ id: world.users.maintainer.id }],
    })
    const versions = (await world.as('developer').get(`${url}/${iid}/versions`)).json()
    expect(versions).toHaveLength(2)
    const notes = (await world.as('developer').get(`${url}/${iid}/notes?sort=asc`)).json()
    expect(notes.map(({ body }: { body: string }) => body)).toEqual(
      expect.arrayContaining([
        'changed target branch from `main` to `release`',
        `requested review from @${world.users.maintainer.username}`,
        'marked this merge request as **ready**',
      ]),
    )
  })

  it('closes and reopens, unless another has its branches by then', async () => {
    const { url } = await newBranches(world)
    const first = await newRequest(world, { url })
    const put = (iid: number, state_event: string) =>
      world.as('developer').put(`${url}/${iid}`, { state_event })
    expect((await put(first.iid, 'close')).json()).toMatchObject({
      state: 'closed',
      closed_by: { username: world.users.developer.username },
    })
    const second = await newRequest(world, { url })
    expect(statusAndBody(await put(first.iid, 'reopen'))).toEqual([
      409,
      {
        message: [
          `Another open merge request already exists for this source branch: !${second.iid}`,
        ],
      },
    ])
    await put(second.iid, 'close')
    expect((await put(first.iid, 'reopen')).json()).toMatchObject({
      state: 'opened',
      closed_by: null,
    })
  })

  it('refuses nothing and a blank title', async () => {
    const { url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const put = (body: object) => world.as('developer').put(`${url}/${iid}`, body)
    expect(statusAndBody(await put({}))).toEqual([
      400,
      {
        error:
          'assignee_id, assignee_ids, reviewer_ids, description, labels, add_labels, remove_labels, milestone_id, remove_source_branch, allow_collaboration, allow_maintainer_to_push, squash, target_branch, title, state_event, discussion_locked are missing, at least one parameter must be provided',
      },
    ])
    expect(statusAndBody(await put({ title: '' }))).toEqual([400, { error: 'title is empty' }])
    for (const name of ['title', 'target_branch']) {
      const answer = await put({ [name]: null, state_event: 'close' })
      expect(statusAndBody(answer)).toEqual([400, { error: `${name} is empty` }])
    }
    expect((await put({ labels: ['a', 'b, c'] })).json()).toMatchObject({
      state: 'opened',
      labels: ['a', 'b', 'c'],
    })
    expect((await put({ remove_labels: ['a,b'], add_labels: ['d, e'] })).json().labels).toEqual([
      'c',
      'd',
      'e',
    ])
    expect(statusAndBody(await put({ target_branch: 'topic' }))).toEqual([
      422,
      { message: ["You can't use same project/branch for source and target"] },
    ])
    expect(statusAndBody(await put({ target_branch: 'a..b' }))).toEqual([
      400,
      { message: { target_branch: ['is invalid'] } },
    ])
    const other = await world.as('reporter').put(`${url}/${iid}`, { title: 'no' })
    expect(statusAndBody(other)).toEqual([403, { message: '403 Forbidden' }])
  })
})

describe('DELETE /projects/:id/merge_requests/:merge_request_iid', () => {
  it('is for Owners, and takes the references along', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    expect((await world.as('maintainer').delete(`${url}/${iid}`)).statusCode).toBe(403)
    expect((await world.as('owner').delete(`${url}/${iid}`)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect(await git(project, 'for-each-ref', 'refs/merge-requests')).toBe('')
    expect((await world.as('owner').get(`${url}/${iid}`)).statusCode).toBe(404)
  })
})

describe('GET .../changes', () => {
  type Change = { new_path: string; diff: string; too_large: boolean }

  async function changesOf(url: string, query = '') {
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    const read = async (more: string) =>
      (await world.as('reporter').get(`${url}/${iid}/changes${more}`)).json()
    return { iid, read, shown: await read(query) }
  }

  it('has all files with access_raw_diffs, and without it says that some are missing', async () => {
    const name = (at: number) => `d/${String(at).padStart(4, '0')}`
    const small = Array.from({ length: 1200 }, (_, at) => [name(at), `${at}\n`])
    // More than one page of patches holds.
    const large = Array.from({ length: 5 }, (_, at) => [
      `big/${at}`,
      `${at}${'x'.repeat(98)}\n`.repeat(15_000),
    ])
    const changes = Object.fromEntries([...small, ...large])
    const { url } = await newBranches(world, { changes })
    const { iid, read, shown } = await changesOf(url)
    expect(shown.overflow).toBe(true)
    expect(shown.changes).toHaveLength(1000)
    const all: { iid: number; overflow: boolean; changes: Change[] } =
      await read('?access_raw_diffs=true')
    expect([all.iid, all.overflow]).toEqual([iid, false])
    expect(all.changes.map(({ new_path }) => new_path)).toEqual(Object.keys(changes).toSorted())
    expect(all.changes.filter(({ diff }) => diff === '')).toEqual([])
    expect(all.changes[0]?.diff).toHaveLength(15_000 * 101 + '@@ -0,0 +1,15000 @@\n'.length)
    expect(all.changes.at(-1)).toEqual({
      old_path: 'd/1199',
      new_path: 'd/1199',
      a_mode: '0',
      b_mode: '100644',
      diff: '@@ -0,0 +1 @@\n+1199\n',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
      generated_file: false,
      collapsed: false,
      too_large: false,
    })
  })

  it('overflows where a patch is left out, and not at exactly as many files as it lists', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => [`d/${at}`, 'x\n'])
    const full = await newBranches(world, { changes: Object.fromEntries(names) })
    expect((await changesOf(full.url)).shown.overflow).toBe(false)
    const long = 'long line of a long file\n'.repeat(400_000)
    const one = await newBranches(world, { changes: { long, b: 'b\n' } })
    const { shown, read } = await changesOf(one.url)
    expect(shown).toMatchObject({ overflow: true, changes: [{ new_path: 'b' }, { diff: '' }] })
    // Longer than any patch may be.
    const raw = await read('?access_raw_diffs=true')
    expect(raw).toMatchObject({ overflow: true, changes: [{ new_path: 'b' }, { too_large: true }] })
  })
})

describe('what a merge request brings', () => {
  it('is of the newest push, whatever is read first', async () => {
    for (const read of ['/diffs', '/diffs?text=false', '/commits', '/raw_diffs']) {
      const { project, url } = await newBranches(world)
      const { iid } = await newRequest(world, { url })
      await world.app.worker.drain()
      await world.commit(project, { second: 'second\n' }, { branch: 'topic', message: 'Second' })
      // What follows the push has not happened yet.
      const answer = await world.as('reporter').get(`${url}/${iid}${read}`)
      expect([answer.statusCode, /second/i.test(answer.body)]).toEqual([200, true])
      const shown = (await world.as('reporter').get(`${url}/${iid}`)).json()
      const versions = (await world.as('reporter').get(`${url}/${iid}/versions`)).json()
      expect(
        versions.map(({ head_commit_sha }: { head_commit_sha: string }) => head_commit_sha),
      ).toEqual([shown.sha, expect.not.stringMatching(shown.sha)])
    }
  })

  it('is told as commits, files, versions and issues', async () => {
    const { project, url, head } = await newBranches(world)
    const issue = await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'I' })
    const description = `Closes #${issue.json().iid}`
    const { iid } = await newRequest(world, { url }, { description })
    await world.app.worker.drain()
    const one = `${url}/${iid}`
    const get = async (path: string) => (await world.as('reporter').get(`${one}${path}`)).json()
    expect(await get('/commits')).toMatchObject([{ id: head, title: 'Change the topic' }])
    const file = {
      old_path: 'topic',
      new_path: 'topic',
      new_file: true,
      diff: '@@ -0,0 +1 @@\n+topic\n',
    }
    expect(await get('/changes')).toMatchObject({ iid, overflow: false, changes: [file] })
    expect(await get('/diffs')).toMatchObject([file])
    const { diff, ...names } = file
    expect(await get('/diffs?text=false')).toEqual([
      {
        ...names,
        a_mode: '0',
        b_mode: '100644',
        renamed_file: false,
        deleted_file: false,
        added_lines: 1,
        removed_lines: 0,
        generated_file: false,
        collapsed: false,
        too_large: false,
      },
    ])
    expect(await get('/diffs?expanded=true')).toMatchObject([{ ...names, diff, added_lines: 1 }])
    const raw = await world.as('reporter').get(`${one}/raw_diffs`)
    expect(raw.body).toContain('diff --git a/topic b/topic')
    const [version] = await get('/versions')
    expect(version).toMatchObject({ head_commit_sha: head, state: 'collected', real_size: '1' })
    expect(await get(`/versions/${version.id}`)).toMatchObject({
      id: version.id,
      commits: [{ id: head }],
      diffs: [file],
    })
    expect((await world.as('anonymous').get(`${one}/versions`)).statusCode).toBe(401)
    expect(await get('/closes_issues')).toMatchObject([{ iid: issue.json().iid }])
    expect(await get('/participants')).toMatchObject([{ id: world.users.developer.id }])
    await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
    await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'Another' })
    const both = { source_branch: 'other', description: 'Closes #1, closes #2' }
    const other = `${url}/${(await newRequest(world, { url }, both)).iid}`
    await world.app.worker.drain()
    const closed = async (of: string) => {
      const issues = (await world.as('reporter').get(`${of}/closes_issues`)).json()
      return issues.map((each: { iid: number }) => each.iid)
    }
    expect([await closed(one), await closed(other)]).toEqual([[1], [1, 2]])
    await world.as('developer').put(other, { description: 'Closes #2' })
    await world.app.worker.drain()
    expect([await closed(one), await closed(other)]).toEqual([[1], [2]])
    const commit = `/projects/${project.id}/repository/commits/${head}/merge_requests`
    const ofCommit = (await world.as('reporter').get(commit)).json()
    expect(ofCommit.map((request: { iid: number }) => request.iid)).toEqual([iid])
    const closers = `/projects/${project.id}/issues/${issue.json().iid}/closed_by`
    expect((await world.as('reporter').get(closers)).json()).toMatchObject([{ iid }])
    const naming = `/projects/${project.id}/issues/${issue.json().iid}/related_merge_requests`
    const named = (await world.as('reporter').get(naming)).json()
    expect(named).toMatchObject([{ iid }, { source_branch: 'other' }])
    const shown = await world.as('reporter').get(`/projects/${project.id}/issues/1`)
    expect(shown.json().merge_requests_count).toBe(1)
  })

  it('is not told of a commit where merge requests are for members alone', async () => {
    const { project, url, head } = await newBranches(world, {
      options: { group: world.groups.open },
    })
    const place = { group: world.groups.open }
    const [kept, removed] = [await world.newProject(place), await world.newProject(place)]
    for (const one of [project, kept, removed]) {
      const issue = { title: 'An issue', confidential: one === project }
      await world.as('owner').post(`/projects/${one.id}/issues`, issue)
    }
    const description = `Closes #1, closes ${kept.full_path}#1, closes ${removed.full_path}#1`
    const { iid } = await newRequest(world, { url }, { who: 'owner', description })
    await world.app.worker.drain()
    const closed = async (who: 'outsider' | 'reporter') => {
      const issues = (await world.as(who).get(`${url}/${iid}/closes_issues`)).json()
      return issues.map(({ project_id }: { project_id: number }) => project_id)
    }
    expect(await closed('reporter')).toEqual([project.id, kept.id, removed.id])
    await world.as('owner').delete(`/projects/${removed.id}`)
    expect(await closed('reporter')).toEqual([project.id, kept.id])
    expect(await closed('outsider')).toEqual([kept.id])
    const commit = `/projects/${project.id}/repository/commits/${head}/merge_requests`
    expect((await world.as('outsider').get(commit)).json()).toMatchObject([{ iid }])
    const members = { merge_requests_access_level: 'private' }
    await world.as('owner').put(`/projects/${project.id}`, members)
    expect((await world.as('guest').get(commit)).json()).toMatchObject([{ iid }])
    expect(statusAndBody(await world.as('outsider').get(commit))).toEqual([
      403,
      { message: '403 Forbidden' },
    ])
  })

  it('has a reference for the commit of a merge, while it can be merged', async () => {
    const { project, url, head } = await newBranches(world)
    const main = await world.commit(project, { more: 'm' })
    const { iid } = await newRequest(world, { url })
    const ask = () => world.as('reporter').get(`${url}/${iid}/merge_ref`)
    const answer = await ask()
    const { commit_id } = answer.json()
    expect(await git(project, 'log', '-1', '--format=%P', commit_id)).toBe(`${main} ${head}`)
    expect(await git(project, 'rev-parse', `refs/merge-requests/${iid}/merge`)).toBe(commit_id)
    expect((await ask()).json()).toEqual({ commit_id })
    await world.commit(project, { topic: 'other\n' })
    expect(statusAndBody(await ask())).toEqual([400, { message: 'Merge request is not mergeable' }])
  })
})

describe('approvals', () => {
  it('are given once and taken back once', async () => {
    const { url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const post = (verb: string, body: object = {}) =>
      world.as('developer').post(`${url}/${iid}/${verb}`, body)
    const user = presentBasicUser(world.users.developer, 'http://bloomery.test')
    const stale = await post('approve', { sha: 'f'.repeat(40) })
    expect(statusAndBody(stale)).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${head}` },
    ])
    const given = {
      iid,
      title: expect.any(String),
      user_has_approved: true,
      user_can_approve: false,
      approved: true,
      approved_by: [{ user }],
    }
    expect(statusAndBody(await post('approve', { sha: head }))).toMatchObject([201, given])
    expect((await post('approve')).statusCode).toBe(401)
    expect((await world.as('reporter').post(`${url}/${iid}/approve`)).statusCode).toBe(403)
    expect((await world.as('developer').get(`${url}/${iid}/approvals`)).json()).toMatchObject(given)
    expect(statusAndBody(await post('unapprove'))).toMatchObject([
      201,
      { user_has_approved: false, user_can_approve: true, approved: false, approved_by: [] },
    ])
    expect(statusAndBody(await post('unapprove'))).toEqual([404, { message: '404 Not Found' }])
    const state = await world.as('reporter').get(`${url}/${iid}/approval_state`)
    expect(state.json()).toEqual({ approval_rules_overwritten: false, rules: [] })
  })
})
