// Merge requests and pipelines: those that run for them, and merges that wait for them; and rebases.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { jobOf, tellJob } from '../../../../test/kit/pipelines.ts'
import { withoutTable } from '../../../../test/kit/without-table.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { CiStatus } from '../../../db/db.ts'
import { runGit } from '../../../git/command.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { autoMergeTasks } from '../merging/auto-merge.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const git = async (project: Project, ...args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args })).toString().trim()
}
const config = {
  build: { script: ['make'], rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }] },
}

async function open(jobs: object = config) {
  const files = { '.gitlab-ci.yml': JSON.stringify(jobs) }
  const branches = await newBranches(world, { files })
  const { url } = branches
  const { iid } = await newRequest(world, { url })
  await world.app.worker.drain()
  const get = async (path = '') => (await world.as('developer').get(`${url}/${iid}${path}`)).json()
  const finish = async (pipeline_id: number, event: 'succeed' | 'drop') => {
    await tellJob(world, await jobOf(world, pipeline_id, 'build'), 'run')
    await tellJob(world, await jobOf(world, pipeline_id, 'build'), event)
    await world.app.worker.drain()
  }
  return { ...branches, iid, one: `${url}/${iid}`, get, finish }
}

describe('pipelines of merge requests', () => {
  it('begin with it and with each push, on its reference', async () => {
    const another = await newBranches(world)
    const details = { labels: ['urgent'], assignee_id: world.users.developer.id }
    const { iid } = await newRequest(world, another, details)
    await world.as('developer').post(`${another.url}/${iid}/approve`)
    const { project, head, get } = await open()
    const [pipeline] = await get('/pipelines')
    expect(pipeline).toMatchObject({
      sha: head,
      ref: 'refs/merge-requests/1/head',
      source: 'merge_request_event',
      status: 'pending',
    })
    expect((await get()).head_pipeline).toMatchObject({ id: pipeline.id })
    const row = await world.app.db
      .selectFrom('pipelines')
      .select('event_variables')
      .where('id', '=', pipeline.id)
      .executeTakeFirstOrThrow()
    expect(row.event_variables).toMatchObject({
      CI_MERGE_REQUEST_IID: '1',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
      CI_MERGE_REQUEST_APPROVED: 'false',
    })
    for (const name of ['CI_MERGE_REQUEST_LABELS', 'CI_MERGE_REQUEST_ASSIGNEES'])
      expect(row.event_variables).not.toHaveProperty(name)
    await world.commit(project, { more: 'm' }, { branch: 'topic' })
    await world.app.worker.drain()
    expect(await get('/pipelines')).toHaveLength(2)
  })

  it('are listed if they ran for it, or for its branch with a commit of it', async () => {
    const { project, url, one, head, get } = await open()
    const [own] = await get('/pipelines')
    const status = { state: 'success', ref: 'topic' }
    await world.as('maintainer').post(`/projects/${project.id}/statuses/${head}`, status)
    const [{ id }] = await get('/pipelines')
    const other = { branch: 'other', start_branch: 'main' }
    const commit = await world.commit(project, { o: 'o' }, other)
    const last = await world.commit(project, { p: 'p' }, { branch: 'other' })
    await newRequest(world, { url }, { source_branch: 'other' })
    const like = { project_id: project.id, ref: 'topic', tag: false, sha: head, parent_id: null }
    const listedAs = async (change: Partial<Record<keyof typeof like, unknown>>) => {
      const { db } = world.app
      const row = { ...like, ...change } as typeof like
      await db.updateTable('pipelines').set(row).where('id', '=', id).execute()
      const listed = (await world.as('developer').get(`${one}/pipelines`)).json()
      return listed.map((each: { id: number }) => each.id)
    }
    expect(await listedAs({})).toEqual([id, own.id])
    for (const change of [
      { ref: 'other' },
      { tag: true },
      { sha: commit },
      { sha: last },
      { parent_id: own.id },
      { project_id: world.projects.open.id },
    ])
      expect([change, await listedAs(change)]).toEqual([change, [own.id]])
  })

  it('begin when they are asked for, if there is anything to run', async () => {
    const { one, get } = await open()
    const started = await world.as('developer').post(`${one}/pipelines`)
    expect([started.statusCode, started.json().source]).toEqual([200, 'merge_request_event'])
    expect((await get()).head_pipeline.id).toBe(started.json().id)
    const without = await open({ build: { script: ['make'] } })
    const refused = await world.as('developer').post(`${without.one}/pipelines`)
    const noJobs =
      'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.'
    expect([refused.statusCode, refused.json()]).toEqual([400, { message: { base: [noJobs] } }])
    const plain = await newBranches(world, { files: { a: 'a' } })
    const { iid } = await newRequest(world, { url: plain.url })
    const missing = await world.as('developer').post(`${plain.url}/${iid}/pipelines`)
    expect([missing.statusCode, missing.json()]).toEqual([
      400,
      { message: { base: ['Missing CI config file'] } },
    ])
    const broken = await open({ build: { script: 1 } })
    const invalid = await world.as('developer').post(`${broken.one}/pipelines`)
    expect(invalid.statusCode).toBe(400)
    expect(invalid.json().message.base).toHaveLength(1)
  })

  it('are moved by those alone who may push to a source that is protected', async () => {
    const { project, one, get } = await open()
    const name = 'topic'
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, { name })
    const started = await world.as('maintainer').post(`${one}/pipelines`)
    expect(started.statusCode).toBe(200)
    const { id } = started.json()
    const { id: job } = await jobOf(world, id, 'build')
    for (const path of [`pipelines/${id}/cancel`, `pipelines/${id}/retry`, `jobs/${job}/cancel`]) {
      const refused = await world.as('developer').post(`/projects/${project.id}/${path}`)
      expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    const pipeline = `/projects/${project.id}/pipelines/${id}`
    expect((await world.as('maintainer').post(`${pipeline}/cancel`)).statusCode).toBe(200)
    expect(await get('/pipelines')).toHaveLength(2)
  })

  it('of a branch know which merge requests come from it', async () => {
    const rules = [{ if: '$CI_OPEN_MERGE_REQUESTS' }]
    const { project, url, iid } = await open({ build: { script: ['make'], rules } })
    for (const branch of ['next', 'other'])
      await world.commit(project, { [branch]: 'b' }, { branch, start_branch: 'main' })
    await newRequest(world, { url }, { source_branch: 'other' })
    const closed = await newRequest(world, { url }, { target_branch: 'next' })
    await world.as('developer').put(`${url}/${closed.iid}`, { state_event: 'close' })
    await world.commit(project, { more: 'm' }, { branch: 'topic' })
    await world.app.worker.drain()
    const row = await world.app.db
      .selectFrom('pipelines')
      .select('event_variables')
      .where('project_id', '=', project.id)
      .where('source', '=', 'push')
      .where('ref', '=', 'topic')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.event_variables).toEqual({
      CI_OPEN_MERGE_REQUESTS: `${project.full_path}!${iid}`,
    })
  })
})

describe('a merge request whose fork is gone', () => {
  it('runs nothing of it where it goes into', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client } = await world.newUser()
    const fork: Project = (await client.post(`/projects/${upstream.id}/fork`)).json()
    await world.app.worker.drain()
    await client.post(`/projects/${fork.id}/repository/commits`, {
      branch: 'main',
      commit_message: 'Tell me all',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: JSON.stringify(config) }],
    })
    const made = await client.post(`/projects/${fork.id}/merge_requests`, {
      title: 'From a fork',
      source_branch: 'main',
      target_branch: 'main',
      target_project_id: upstream.id,
    })
    expect(made.statusCode).toBe(201)
    const one = `/projects/${upstream.id}/merge_requests/1`
    await client.delete(`/projects/${fork.id}/protected_branches/main`)
    expect((await client.put(`${one}/rebase`)).statusCode).toBe(202)
    expect((await client.delete(`/projects/${fork.id}`)).statusCode).toBe(202)
    await world.app.worker.drain()
    const maintainer = world.as('maintainer')
    const merge_error = expect.stringMatching(/^Rebase failed/)
    expect((await maintainer.get(one)).json()).toMatchObject({ state: 'opened', merge_error })
    await maintainer.put(one, { state_event: 'close' })
    await maintainer.put(one, { state_event: 'reopen' })
    await world.app.worker.drain()
    const asked = await maintainer.post(`${one}/pipelines`)
    expect([asked.statusCode, asked.json()]).toEqual([405, { message: '405 Method Not Allowed' }])
    expect((await maintainer.get(`/projects/${upstream.id}/pipelines`)).json()).toEqual([])
  })
})

describe('a merge that waits for its pipeline', () => {
  it('happens when that succeeds', async () => {
    const { one, get, finish, head } = await open()
    const [pipeline] = await get('/pipelines')
    const body = { merge_when_pipeline_succeeds: true, merge_commit_message: 'At last' }
    const armed = await world.as('maintainer').put(`${one}/merge`, body)
    expect([armed.statusCode, armed.json()]).toMatchObject([
      200,
      {
        state: 'opened',
        merge_when_pipeline_succeeds: true,
        merge_user: { id: world.users.maintainer.id },
        merged_by: null,
      },
    ])
    const [note] = await get('/notes')
    expect(note.body).toBe(`enabled an automatic merge when the pipeline for ${head} succeeds`)
    await finish(pipeline.id, 'succeed')
    expect(await get()).toMatchObject({
      state: 'merged',
      merged_by: { id: world.users.maintainer.id },
    })
  })

  it('is tried again where the database fails', async () => {
    const { project, one, get, finish } = await open()
    const template = { merge_commit_template: '%{title}%{issues}' }
    expect((await world.as('owner').put(`/projects/${project.id}`, template)).statusCode).toBe(200)
    const [pipeline] = await get('/pipelines')
    const body = { merge_when_pipeline_succeeds: true }
    expect((await world.as('maintainer').put(`${one}/merge`, body)).statusCode).toBe(200)
    await withoutTable(world.app.db, 'closing_issues', () => finish(pipeline.id, 'succeed'))
    expect(await get()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    expect(await get()).toMatchObject({ state: 'merged' })
  })

  it('is in the name of whoever asked for it last, and says what they said', async () => {
    const { project, one, get, finish } = await open()
    const [pipeline] = await get('/pipelines')
    for (const who of ['owner', 'maintainer'] as const) {
      const body = { merge_when_pipeline_succeeds: true, merge_commit_message: `By the ${who}` }
      expect((await world.as(who).put(`${one}/merge`, body)).statusCode).toBe(200)
    }
    await finish(pipeline.id, 'succeed')
    expect(await get()).toMatchObject({ merged_by: { id: world.users.maintainer.id } })
    expect(await git(project, 'log', '-1', '--format=%s', 'main')).toBe('By the maintainer')
  })

  it('is asked for, called off, and kept from one merge request alone', async () => {
    const [one, other] = [await open(), await open()]
    const arm = async (who: 'owner' | 'maintainer', { one: url }: typeof one) => {
      const body = { merge_when_pipeline_succeeds: true, merge_commit_message: `By the ${who}` }
      expect((await world.as(who).put(`${url}/merge`, body)).statusCode).toBe(200)
    }
    const cancel = async ({ one: url }: typeof one) => {
      const path = `${url}/cancel_merge_when_pipeline_succeeds`
      return (await world.as('maintainer').post(path)).json().status
    }
    await arm('maintainer', one)
    expect(await other.get()).toMatchObject({ merge_when_pipeline_succeeds: false })
    await arm('owner', other)
    await arm('maintainer', one)
    await world.as('developer').put(one.one, { title: 'Draft: x' })
    const [first] = await one.get('/pipelines')
    await one.finish(first.id, 'succeed')
    const merge_error = 'Merge request is not mergeable'
    expect(await one.get()).toMatchObject({ state: 'opened', merge_error })
    expect(await other.get()).toMatchObject({ state: 'opened', merge_error: null })
    expect(await cancel(one)).toBe('success')
    const [second] = await other.get('/pipelines')
    await other.finish(second.id, 'succeed')
    expect(await other.get()).toMatchObject({ merged_by: { id: world.users.owner.id } })
    expect(await git(other.project, 'log', '-1', '--format=%s', 'main')).toBe('By the owner')
    // There is nothing to call off once it has happened.
    expect(await cancel(other)).toBe('error')
  })

  it('happens only where it is asked for, and the newest pipeline of that head has passed', async () => {
    const { db, clock } = world.app
    const start = async () => {
      const opened = await open()
      const { id } = await opened.get()
      const [pipeline] = await opened.get('/pipelines')
      const { project, one } = opened
      return {
        ...opened,
        pipeline: `/projects/${project.id}/pipelines/${pipeline.id}`,
        pipeline_id: pipeline.id as number,
        set: (status: CiStatus) =>
          db.updateTable('pipelines').set({ status }).where('id', '=', pipeline.id).execute(),
        arm: () => world.as('maintainer').put(`${one}/merge`, { auto_merge: true }),
        allowSkipped: () =>
          world
            .as('owner')
            .put(`/projects/${project.id}`, { allow_merge_on_skipped_pipeline: true }),
        attempt: async (merge_request_id = id) => {
          for (const { run } of autoMergeTasks)
            await run({ ...world.app, clock: clock.now }, { merge_request_id })
          return opened.get()
        },
      }
    }
    const { project, set, arm, attempt, allowSkipped, pipeline } = await start()
    const waits = { state: 'opened', merge_error: null }
    expect(await attempt(0)).toMatchObject(waits)
    await set('success')
    expect(await attempt()).toMatchObject(waits)
    await set('running')
    expect((await arm()).json()).toMatchObject({ merge_when_pipeline_succeeds: true })
    for (const status of ['running', 'failed', 'skipped'] as const) {
      await set(status)
      expect([status, await attempt()]).toMatchObject([status, waits])
    }
    await allowSkipped()
    await set('failed')
    expect(await attempt()).toMatchObject(waits)
    await world.as('owner').delete(pipeline)
    expect(await attempt()).toMatchObject(waits)
    const next = await world.commit(project, { more: 'm' }, { branch: 'topic' })
    const passed = { state: 'success', ref: 'topic' }
    await world.as('maintainer').post(`/projects/${project.id}/statuses/${next}`, passed)
    expect(await attempt()).toMatchObject({
      state: 'opened',
      merge_error:
        'Branch has been updated since the merge was requested. Please review the changes.',
    })
    const skipped = await start()
    await skipped.arm()
    await skipped.allowSkipped()
    await tellJob(world, await jobOf(world, skipped.pipeline_id, 'build'), 'skip')
    expect(await skipped.get()).toMatchObject({ state: 'merged' })
    // Nor does it where its project is being deleted.
    await world.as('owner').delete(`/projects/${project.id}`)
    expect(await attempt()).toEqual({ message: '404 Project Not Found' })
    await world.app.worker.drain()
  })

  it('goes on waiting where it fails, and is called off once', async () => {
    const { one, get, finish } = await open()
    const [pipeline] = await get('/pipelines')
    await world.as('maintainer').put(`${one}/merge`, { auto_merge: true })
    await finish(pipeline.id, 'drop')
    expect(await get()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    const cancel = () => world.as('maintainer').post(`${one}/cancel_merge_when_pipeline_succeeds`)
    const first = await cancel()
    expect([first.statusCode, first.json()]).toEqual([201, { status: 'success' }])
    const second = await cancel()
    expect([second.statusCode, second.json()]).toEqual([
      201,
      { message: "Can't cancel the automatic merge", status: 'error', http_status: 406 },
    ])
  })

  it('is armed while the pipeline may still come to an end, by what is shown and up to date', async () => {
    const { project, one, get, head } = await open()
    const [pipeline] = await get('/pipelines')
    const arm = async (status: CiStatus, body: object = {}) => {
      const { db } = world.app
      await db.updateTable('pipelines').set({ status }).where('id', '=', pipeline.id).execute()
      const asked = { merge_when_pipeline_succeeds: true, ...body }
      const answer = await world.as('maintainer').put(`${one}/merge`, asked)
      const isArmed = (await get()).merge_when_pipeline_succeeds
      await world.as('maintainer').post(`${one}/cancel_merge_when_pipeline_succeeds`)
      return [status, answer.statusCode, isArmed]
    }
    for (const status of [
      'created',
      'waiting_for_resource',
      'preparing',
      'pending',
      'running',
      'scheduled',
    ] as const) {
      expect(await arm(status)).toEqual([status, 200, true])
    }
    for (const status of ['failed', 'canceled', 'skipped', 'manual'] as const) {
      expect(await arm(status)).toEqual([status, 405, false])
    }
    expect(await arm('running', { sha: 'f'.repeat(40) })).toEqual(['running', 409, false])
    expect(await arm('running', { sha: head })).toEqual(['running', 200, true])
    const set = (settings: object) => world.as('owner').put(`/projects/${project.id}`, settings)
    await world.commit(project, { more: 'm' })
    await set({ merge_method: 'ff' })
    expect(await arm('running')).toEqual(['running', 406, false])
    await set({ merge_method: 'merge' })
    await world.as('developer').put(one, { title: 'Draft: x' })
    expect(await arm('running')).toEqual(['running', 405, false])
    expect(await arm('success')).toEqual(['success', 406, false])
    await world.as('developer').put(one, { title: 'x', state_event: 'close' })
    expect(await arm('running')).toEqual(['running', 405, false])
    await world.as('developer').put(one, { state_event: 'reopen' })
    expect(await arm('success')).toEqual(['success', 200, false])
    expect((await get()).state).toBe('merged')
  })

  it.each([
    ['was blocked', (id: number) => world.as('admin').post(`/users/${id}/block`)],
    [
      'is no member any more',
      (id: number, { namespace_id }: Project) =>
        world.as('owner').delete(`/groups/${namespace_id}/members/${id}`),
    ],
    [
      'may not merge any more',
      (id: number, { namespace_id }: Project) =>
        world.as('owner').put(`/groups/${namespace_id}/members/${id}`, { access_level: 30 }),
    ],
  ])('does not happen where whoever asked for it %s', async (_what, end) => {
    const { project, one, get, finish } = await open()
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/groups/${project.namespace_id}/members`, member)
    const [pipeline] = await get('/pipelines')
    const armed = await client.put(`${one}/merge`, { merge_when_pipeline_succeeds: true })
    expect(armed.json()).toMatchObject({ merge_when_pipeline_succeeds: true })
    expect((await end(user.id, project)).statusCode).toBeLessThan(300)
    await finish(pipeline.id, 'succeed')
    expect(await get()).toMatchObject({
      state: 'opened',
      merge_error: 'Merge request is not mergeable',
    })
  })

  it('is called off by its author and who may merge it', async () => {
    const { project, one } = await open()
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    await world.as('maintainer').put(`${one}/merge`, { merge_when_pipeline_succeeds: true })
    const cancel = async (by: Client) =>
      (await by.post(`${one}/cancel_merge_when_pipeline_succeeds`)).statusCode
    expect(await cancel(client)).toBe(401)
    expect(await cancel(world.as('developer'))).toBe(201)
  })

  it('is called off by a push', async () => {
    const { project, one, get } = await open()
    await world.as('maintainer').put(`${one}/merge`, { merge_when_pipeline_succeeds: true })
    await world.commit(project, { more: 'm' }, { branch: 'topic' })
    await world.app.worker.drain()
    expect(await get()).toMatchObject({ merge_when_pipeline_succeeds: false, merge_user: null })
    const notes = await get('/notes')
    expect(notes.map(({ body }: { body: string }) => body)).toContain(
      'aborted the automatic merge because source branch was updated',
    )
  })
})

describe('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', () => {
  it('puts the commits on top of the target, their authors kept', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { other: 'o' }, { branch: 'other', start_branch: 'main' })
    const other = await newRequest(world, { url }, { source_branch: 'other' })
    const main = await world.commit(project, { more: 'm' })
    const rebase = (of = iid) => world.as('developer').put(`${url}/${of}/rebase`)
    const answer = await rebase()
    expect([answer.statusCode, answer.json()]).toEqual([202, { rebase_in_progress: true }])
    expect((await rebase()).statusCode).toBe(409)
    expect((await rebase(other.iid)).statusCode).toBe(202)
    // One that has taken too long is begun anew.
    world.app.clock.advance(limits.merge_requests.rebasing_ms_max + 1)
    expect((await rebase()).statusCode).toBe(202)
    await world.app.worker.drain()
    const owner = world.users.owner.name
    const developer = world.users.developer.name
    expect(await git(project, 'log', '-1', '--format=%P|%an|%cn|%s', 'topic')).toBe(
      `${main}|${owner}|${developer}|Change the topic`,
    )
    const shown = await world.as('developer').get(`${url}/${iid}?include_rebase_in_progress=true`)
    expect(shown.json()).toMatchObject({
      rebase_in_progress: false,
      merge_error: null,
      sha: await git(project, 'rev-parse', 'topic'),
    })
    // There is nothing to do then.
    world.app.clock.advance(1000)
    await rebase()
    await world.app.worker.drain()
    const again = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(again).toMatchObject({ sha: shown.json().sha, merge_error: null })
  })

  it('is for whom the rule of a protected branch lets take away what it held, and still then', async () => {
    const { project, url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { more: 'm' })
    const rules = `/projects/${project.id}/protected_branches`
    const protect = async (rule: object) => {
      await world.as('owner').delete(`${rules}/topic`)
      const made = await world.as('owner').post(rules, { name: 'topic', ...rule })
      expect(made.statusCode).toBe(201)
    }
    for (const [allow_force_push, status] of [
      [false, 403],
      [true, 202],
    ] as const) {
      await protect({ push_access_level: 30, allow_force_push })
      const answer = await world.as('developer').put(`${url}/${iid}/rebase`)
      expect([allow_force_push, answer.statusCode]).toEqual([allow_force_push, status])
    }
    await protect({ push_access_level: 40 })
    await world.app.worker.drain()
    const shown = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(shown).toMatchObject({ sha: head, merge_error: expect.stringMatching(/^Rebase failed/) })
  })

  it('fails where whoever asked for it is blocked, or what it is of is gone', async () => {
    const { project, url, head } = await newBranches(world)
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const requests = [await newRequest(world, { url })]
    for (const branch of ['gone', 'deleted']) {
      await world.commit(project, { [branch]: 'b' }, { branch, start_branch: 'main' })
      requests.push(await newRequest(world, { url }, { source_branch: branch }))
    }
    await world.commit(project, { more: 'm' })
    const [own, gone, deleted] = requests.map(({ iid }) => `${url}/${iid}`)
    for (const [who, one] of [
      [client, own],
      [world.as('developer'), gone],
      [world.as('developer'), deleted],
    ] as const)
      expect((await who.put(`${one}/rebase`)).statusCode).toBe(202)
    await world.as('admin').post(`/users/${user.id}/block`)
    await git(project, 'update-ref', '-d', 'refs/heads/gone')
    expect((await world.as('owner').delete(deleted ?? '')).statusCode).toBe(204)
    await world.app.worker.drain()
    const merge_error = expect.stringMatching(/^Rebase failed/)
    for (const one of [own, gone])
      expect((await world.as('developer').get(one ?? '')).json()).toMatchObject({ merge_error })
    expect(await git(project, 'rev-parse', 'topic')).toBe(head)
    const left = await world.app.db
      .selectFrom('tasks')
      .select('last_error')
      .where('name', '=', 'rebase-merge-request')
      .execute()
    expect(left).toEqual([])
  })

  it('runs the pipeline of a push, unless that is to be skipped', async () => {
    const files = { '.gitlab-ci.yml': JSON.stringify({ build: { script: ['make'] } }) }
    const { project, url } = await newBranches(world, { files })
    const { iid } = await newRequest(world, { url })
    await world.app.worker.drain()
    const statuses = async () => {
      const path = `/projects/${project.id}/pipelines?ref=topic&order_by=id&sort=asc`
      const listed = (await world.as('developer').get(path)).json()
      return listed.map(({ status }: { status: string }) => status)
    }
    for (const skip_ci of [true, false]) {
      await world.commit(project, { [`skip-${skip_ci}`]: 'm' })
      await world.as('developer').put(`${url}/${iid}/rebase`, { skip_ci })
      await world.app.worker.drain()
    }
    expect(await statuses()).toEqual(['canceled', 'skipped', 'pending'])
  })

  it('fails where there are more commits than are rebased', async () => {
    const { project, url } = await newBranches(world)
    const count = limits.merge_requests.rebased_commits_max
    const commit = 'commit refs/heads/many\ncommitter A <a@x.test> 1 +0000\ndata 1\nc\n'
    const [first, ...rest] = Array.from({ length: count }, () => commit)
    const repository = projectRepository(world.app.config, project)
    const stdin = `${first}from refs/heads/main^0\n${rest.join('')}`
    const args = ['fast-import', '--quiet']
    await runGit(world.app.git.git, repository, { args, stdin })
    const { iid } = await newRequest(world, { url }, { source_branch: 'many' })
    const rebase = async () => {
      expect((await world.as('developer').put(`${url}/${iid}/rebase`)).statusCode).toBe(202)
      await world.app.worker.drain()
      return (await world.as('developer').get(`${url}/${iid}`)).json()
    }
    expect(await rebase()).toMatchObject({ merge_error: null })
    await world.commit(project, { more: 'm' })
    const tip = await world.commit(project, { last: 'l' }, { branch: 'many' })
    const merge_error = expect.stringMatching(/^Rebase failed/)
    expect(await rebase()).toMatchObject({ sha: tip, merge_error })
  })

  it('fails where git cannot read a commit', async () => {
    const { project, url, head } = await newBranches(world)
    const { id, iid } = await newRequest(world, { url })
    await world.commit(project, { more: 'm' })
    expect((await world.as('developer').put(`${url}/${iid}/rebase`)).statusCode).toBe(202)
    const { path } = projectRepository(world.app.config, project)
    rmSync(join(path, 'objects', head.slice(0, 2), head.slice(2)))
    await world.app.worker.drain()
    const row = await world.app.db
      .selectFrom('merge_requests')
      .select(['merge_error', 'rebasing_since'])
      .where('issuable_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      merge_error: expect.stringMatching(/^Rebase failed/),
      rebasing_since: null,
    })
  })

  it('is tried again where the database fails', async () => {
    const { project, url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const main = await world.commit(project, { more: 'm' })
    expect((await world.as('developer').put(`${url}/${iid}/rebase`)).statusCode).toBe(202)
    const get = async () => {
      const path = `${url}/${iid}?include_rebase_in_progress=true`
      return (await world.as('developer').get(path)).json()
    }
    await withoutTable(world.app.db, 'protected_branches', () => world.app.worker.drain())
    expect(await get()).toMatchObject({ rebase_in_progress: true, merge_error: null, sha: head })
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    expect(await get()).toMatchObject({ rebase_in_progress: false, merge_error: null })
    expect(await git(project, 'log', '-1', '--format=%P', 'topic')).toBe(main)
  })

  it('keeps why it could not be done', async () => {
    const { project, url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    await world.commit(project, { topic: 'other\n' })
    await world.as('developer').put(`${url}/${iid}/rebase`)
    await world.app.worker.drain()
    const shown = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(shown.merge_error).toMatch(/^Rebase failed: /)
  })

  it('is for whoever may push to a branch that is there, of what is open', async () => {
    const { project, url, head } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const ask = async (who: 'reporter' | 'developer', number: number) => {
      const answer = await world.as(who).put(`${url}/${number}/rebase`)
      return [answer.statusCode, answer.json()]
    }
    expect(await ask('reporter', iid)).toEqual([
      403,
      { message: '403 Forbidden - Cannot push to source branch' },
    ])
    const gone = await newRequest(world, { url }, { source_branch: 'nowhere' })
    expect(await ask('developer', gone.iid)).toEqual([
      403,
      { message: '403 Forbidden - Source branch does not exist' },
    ])
    await world.commit(project, { more: 'm' })
    await world.as('developer').put(`${url}/${iid}`, { state_event: 'close' })
    expect(await ask('developer', iid)).toEqual([409, { message: '409 Conflict' }])
    await world.as('developer').post(`${url}/${iid}/notes`, { body: '/rebase' })
    await world.app.worker.drain()
    expect(await git(project, 'rev-parse', 'topic')).toBe(head)
  })
})

describe('quick actions of notes', () => {
  it('approve, mark, close and merge', async () => {
    const { url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const say = async (body: string) => {
      const answer = await world.as('maintainer').post(`${url}/${iid}/notes`, { body })
      await world.app.worker.drain()
      return answer.statusCode
    }
    const get = async (path = '') =>
      (await world.as('maintainer').get(`${url}/${iid}${path}`)).json()
    expect(await say('/draft')).toBe(202)
    expect((await get()).draft).toBe(true)
    expect(await say('/approve\n/ready')).toBe(202)
    expect(await get()).toMatchObject({ draft: false })
    expect(await get('/approvals')).toMatchObject({ user_has_approved: true })
    expect(await say('Not yet.\n\n/close')).toBe(201)
    expect((await get()).state).toBe('closed')
    const twin = await newRequest(world, { url })
    const reopened = await world.as('maintainer').post(`${url}/${iid}/notes`, { body: '/reopen' })
    expect(reopened.statusCode).toBe(409)
    await world.as('maintainer').delete(`${url}/${twin.iid}`)
    await world.as('owner').delete(`${url}/${twin.iid}`)
    expect(await say('/reopen')).toBe(202)
    expect(await say('/merge')).toBe(202)
    expect((await get()).state).toBe('merged')
  })
})

describe('a new head', () => {
  it('whose title says so makes it a draft', async () => {
    const { project, url } = await newBranches(world)
    const { iid, title } = await newRequest(world, { url })
    await world.commit(project, { w: 'w' }, { branch: 'topic', message: 'draft: not done' })
    await world.app.worker.drain()
    const shown = (await world.as('developer').get(`${url}/${iid}`)).json()
    expect(shown).toMatchObject({ title: `Draft: ${title}`, draft: true })
  })

  it('whose pipeline fails gives its author something to do', async () => {
    const [first, closed] = [await open(), await open()]
    const files = { '.gitlab-ci.yml': JSON.stringify(config) }
    const another = await newBranches(world, { files })
    await newRequest(world, another, { who: 'owner' })
    await world.app.worker.drain()
    await world.as('developer').put(closed.one, { state_event: 'close' })
    for (const { get, finish } of [first, closed]) {
      const [pipeline] = await get('/pipelines')
      await finish(pipeline.id, 'drop')
    }
    const failed = async (who: 'developer' | 'owner') => {
      const todos = (await world.as(who).get('/todos?action=build_failed')).json()
      return todos.map(({ project }: { project: { id: number } }) => project.id)
    }
    expect((await failed('developer'))[0]).toBe(first.project.id)
    expect(await failed('developer')).not.toContain(closed.project.id)
    expect(await failed('owner')).not.toContain(another.project.id)
  })
})
