import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'
import { presentBasicUser } from '../../../subjects/user.ts'
import {
  enqueueAfterPushSteps,
  unconfirmed_delays_ms,
} from '../../repository/pushes/push-landed.ts'
import { failStuckJobsTask } from '../jobs/job.tasks.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { failUnmatchedJobsTask } from '../runners/runner.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const simple = { build: { script: ['make'] } }

async function open(config: object = simple) {
  const project = await newCiProject(world, config)
  const pipeline = await newPipeline(world, project)
  await world.app.worker.drain()
  const url = `/projects/${project.id}/pipelines/${pipeline.id}`
  return { project, pipeline, url }
}

const statusOf = async (project: Project, id: number) =>
  (await world.as('owner').get(`/projects/${project.id}/pipelines/${id}`)).json().status

const finish = async (pipeline_id: number, name: string, event: 'succeed' | 'drop' = 'succeed') => {
  await tellJob(world, await jobOf(world, pipeline_id, name), 'run')
  await tellJob(world, await jobOf(world, pipeline_id, name), event)
}

async function pipelinesOf(project: Project) {
  await world.app.worker.drain()
  return (await world.as('owner').get(`/projects/${project.id}/pipelines`)).json()
}

describe('GET /projects/:id/pipelines/:pipeline_id', () => {
  it('tells with_abilities what each may do with it and its jobs, the branch it is of included', async () => {
    const { project, pipeline } = await open()
    const base = `/projects/${project.id}`
    await world.as('owner').post(`${base}/repository/branches`, { branch: 'topic', ref: 'main' })
    const [onTopic] = await pipelinesOf(project)
    expect(onTopic.ref).toBe('topic')
    const abilitiesOf = async (who: Who, id: number) => {
      const job = await jobOf(world, id, 'build')
      const of = async (path: string) =>
        (await world.as(who).get(`${base}/${path}?with_abilities=true`)).json().abilities
      const { run_jobs, ...others } = await of(`pipelines/${id}`)
      const { run_job, erase_job } = await of(`jobs/${job.id}`)
      expect(run_job).toBe(run_jobs)
      const may = { ...others, run_jobs, erase_job }
      return Object.keys(may).filter((name) => may[name as keyof typeof may])
    }
    const onMain = (who: Who) => abilitiesOf(who, pipeline.id)
    expect(await onMain('reporter')).toEqual([])
    expect(await onMain('developer')).toEqual([])
    expect(await abilitiesOf('reporter', onTopic.id)).toEqual([])
    expect(await abilitiesOf('developer', onTopic.id)).toEqual(['run_jobs'])
    const ofMaintainers = ['read_variables', 'run_jobs', 'erase_job']
    expect(await onMain('maintainer')).toEqual(ofMaintainers)
    expect(await onMain('owner')).toEqual(
      expect.arrayContaining([...ofMaintainers, 'remove_pipeline']),
    )
    const plain = await world.as('owner').get(`${base}/pipelines/${pipeline.id}`)
    expect(plain.json()).not.toHaveProperty('abilities')
  })

  it('counts as its duration the time in which jobs ran, however long it rested before a retry', async () => {
    const { project, pipeline, url } = await open({
      one: { script: 'x' },
      two: { script: 'x' },
    })
    const { clock } = world.app
    const tell = async (name: string, event: 'run' | 'succeed' | 'drop') =>
      tellJob(world, await jobOf(world, pipeline.id, name), event)
    await tell('one', 'run')
    clock.advance(4_000)
    await tell('two', 'run')
    clock.advance(6_000)
    await tell('one', 'succeed')
    clock.advance(5_000)
    await tell('two', 'drop')
    const durationOf = async () => (await world.as('owner').get(url)).json().duration
    expect(await durationOf()).toBe(15)
    clock.advance(1_800_000)
    const { id } = await jobOf(world, pipeline.id, 'two')
    await world.as('owner').post(`/projects/${project.id}/jobs/${id}/retry`)
    expect(await durationOf()).toBe(null)
    await tell('two', 'run')
    clock.advance(3_000)
    await tell('two', 'succeed')
    expect(await durationOf()).toBe(13)
  })

  it('counts no job that was run again: its stage succeeded, and nothing warns of it', async () => {
    const { project, pipeline, url } = await open({
      build: { script: 'x' },
      unit: { script: 'x', allow_failure: true },
    })
    const owner = world.as('owner')
    for (const name of ['build', 'unit']) {
      await finish(pipeline.id, name, 'drop')
      const { id } = await jobOf(world, pipeline.id, name)
      expect((await owner.post(`/projects/${project.id}/jobs/${id}/retry`)).statusCode).toBe(201)
      await finish(pipeline.id, name)
    }
    expect((await owner.get(`${url}?with_details=true`)).json()).toMatchObject({
      status: 'success',
      detailed_status: { label: 'passed' },
      stages: [{ name: 'test', status: 'success' }],
    })
  })

  it('tells the title of its commit and its stages with_details', async () => {
    const { url } = await open()
    const plain = (await world.as('owner').get(url)).json()
    expect((await world.as('owner').get(`${url}?with_details=true`)).json()).toEqual({
      ...plain,
      commit_title: expect.stringMatching(/./),
      stages: [{ name: 'test', status: 'pending' }],
    })
  })

  it('answers the whole pipeline', async () => {
    const { project, pipeline, url } = await open()
    const now = world.app.clock.now().toISOString()
    const basic = {
      id: pipeline.id,
      iid: 1,
      project_id: project.id,
      sha: pipeline.sha,
      ref: 'main',
      status: 'pending',
      source: 'api',
      created_at: now,
      updated_at: now,
      web_url: `http://bloomery.test/${project.full_path}/-/pipelines/${pipeline.id}`,
    }
    const shown = await world.as('reporter').get(url)
    expect([shown.statusCode, shown.json()]).toEqual([
      200,
      {
        ...basic,
        name: null,
        before_sha: '0'.repeat(40),
        tag: false,
        yaml_errors: null,
        user: presentBasicUser(world.users.owner, 'http://bloomery.test'),
        started_at: null,
        finished_at: null,
        committed_at: expect.any(String),
        duration: null,
        queued_duration: null,
        coverage: null,
        detailed_status: {
          icon: 'status_pending',
          text: 'pending',
          label: 'pending',
          group: 'pending',
          tooltip: 'pending',
          has_details: true,
          details_path: `/${project.full_path}/-/pipelines/${pipeline.id}`,
          illustration: null,
          favicon: '/assets/ci_favicons/favicon_status_pending.png',
        },
      },
    ])
    expect((await world.as('reporter').get(`/projects/${project.id}/pipelines`)).json()).toEqual([
      basic,
    ])
  })

  it.each([
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
    ['anonymous', 'open', 200],
    ['outsider', 'open', 200],
  ] as const)('answers a %s of a %s project with %i', async (who, place, status) => {
    const project = await newCiProject(world, simple, {
      group: world.groups[place],
      visibility: place === 'open' ? 'public' : 'private',
    })
    const { id } = await newPipeline(world, project)
    const answer = await world.as(who as Who).get(`/projects/${project.id}/pipelines/${id}`)
    expect(answer.statusCode).toBe(status)
  })

  it('knows none of another project', async () => {
    const { pipeline } = await open()
    const other = await world.newProject()
    const answer = await world.as('owner').get(`/projects/${other.id}/pipelines/${pipeline.id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
  })
})

describe('GET /projects/:id/pipelines', () => {
  it('filters and orders', async () => {
    const { project, pipeline } = await open()
    await finish(pipeline.id, 'build')
    const second = await newPipeline(world, project, { source: 'web' })
    const list = async (query: string) =>
      (await world.as('reporter').get(`/projects/${project.id}/pipelines?${query}`))
        .json()
        .map(({ id }: { id: number }) => id)
    // The newest of its branch, in another project.
    await open()
    expect(await list('')).toEqual([second.id, pipeline.id])
    expect(await list('sort=asc')).toEqual([pipeline.id, second.id])
    expect(await list('status=success')).toEqual([pipeline.id])
    expect(await list('scope=finished')).toEqual([pipeline.id])
    expect(await list('scope=pending')).toEqual([second.id])
    expect(await list('scope=branches')).toEqual([second.id])
    expect(await list('scope=tags')).toEqual([])
    expect(await list('source=web')).toEqual([second.id])
    expect(await list('ref=nowhere')).toEqual([])
    expect(await list(`sha=${pipeline.sha}`)).toHaveLength(2)
    expect(await list(`sha=${'0'.repeat(40)}`)).toEqual([])
    expect(await list('name=nothing')).toEqual([])
    expect(await list('yaml_errors=true')).toEqual([])
    expect(await list(`username=${world.users.owner.username}`)).toHaveLength(2)
    expect(await list('username=nobody')).toEqual([])
    expect(await list('updated_after=2999-01-01T00:00:00Z')).toEqual([])
    expect(await list('order_by=user_id&per_page=1')).toHaveLength(1)
  })

  it('tells who started each, of what, and how its stages fare, where that is asked', async () => {
    const { project, pipeline } = await open({
      stages: ['make', 'try', 'ship'],
      build: { stage: 'make', script: 'x' },
      lint: { stage: 'try', script: 'x' },
      unit: { stage: 'try', script: 'x', allow_failure: true },
      ship: { stage: 'ship', script: 'x', when: 'manual' },
    })
    await finish(pipeline.id, 'build')
    await finish(pipeline.id, 'unit', 'drop')
    await finish(pipeline.id, 'lint')
    const url = `/projects/${project.id}/pipelines`
    const [plain] = (await world.as('reporter').get(url)).json()
    const answer = await world.as('reporter').get(`${url}?with_details=true`)
    const now = world.app.clock.now().toISOString()
    expect(answer.json()).toEqual([
      {
        ...plain,
        user: presentBasicUser(world.users.owner, 'http://bloomery.test'),
        duration: 0,
        finished_at: now,
        commit_title: expect.stringMatching(/./),
        stages: [
          { name: 'make', status: 'success' },
          { name: 'try', status: 'success' },
          { name: 'ship', status: 'skipped' },
        ],
      },
    ])
    const ask = () => world.as('reporter').get(`${url}?with_details=true`)
    const { queries: of_one } = await world.app.count(ask)
    await newPipeline(world, project)
    await newPipeline(world, project)
    const { queries: of_three } = await world.app.count(ask)
    expect(of_three).toBe(of_one)
    const wrong = await world.as('owner').get(`${url}?with_details=maybe`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'with_details is invalid' }])
  })

  it.each([
    ['scope=gone', 'scope does not have a valid value'],
    ['status=gone', 'status does not have a valid value'],
    ['order_by=name', 'order_by does not have a valid value'],
  ])('refuses %s', async (query, error) => {
    const { project } = await open()
    const refused = await world.as('owner').get(`/projects/${project.id}/pipelines?${query}`)
    expect([refused.statusCode, refused.json()]).toEqual([400, { error }])
  })
})

describe('Pipelines', () => {
  it('are read and started by those whom the settings of the project let', async () => {
    const project = await newCiProject(world, simple, {
      group: world.groups.open,
      visibility: 'public',
    })
    const base = `/projects/${project.id}`
    const set = async (fields: object) =>
      expect((await world.as('owner').put(base, fields)).statusCode).toBe(200)
    const everybody = ['anonymous', 'outsider', 'guest', 'reporter', 'admin'] as const
    const statuses = async (fields: object) => {
      await set(fields)
      const asked = everybody.map((who) => world.as(who).get(`${base}/pipelines`))
      return (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    }
    expect(await statuses({ public_jobs: true })).toEqual([200, 200, 200, 200, 200])
    expect(await statuses({ builds_access_level: 'private' })).toEqual([403, 403, 200, 200, 200])
    expect(await statuses({ builds_access_level: 'disabled' })).toEqual([403, 403, 403, 403, 403])
    await set({ builds_access_level: 'enabled' })
    expect(await statuses({ public_jobs: false })).toEqual([403, 403, 403, 200, 200])
    await set({ public_jobs: true })
    expect(await statuses({ visibility: 'private' })).toEqual([404, 404, 403, 200, 200])
    await set({ visibility: 'public' })
    const closed = { repository_access_level: 'private', builds_access_level: 'enabled' }
    expect(await statuses(closed)).toEqual([403, 403, 403, 200, 200])
    await set({ repository_access_level: 'enabled', builds_access_level: 'enabled' })

    await world.as('owner').post(`${base}/repository/branches`, { branch: 'topic', ref: 'main' })
    const start = async (who: Who) =>
      (await world.as(who).post(`${base}/pipeline`, { ref: 'topic' })).statusCode
    expect([await start('reporter'), await start('developer')]).toEqual([403, 201])
    await world.as('owner').post(`${base}/archive`)
    expect(await start('owner')).toBe(403)
  })
})

describe('GET /projects/:id/pipelines/latest', () => {
  it('is of the head of a branch, and 403 without one', async () => {
    const { project, pipeline } = await open()
    const url = `/projects/${project.id}/pipelines/latest`
    expect((await world.as('owner').get(url)).json().id).toBe(pipeline.id)
    expect((await world.as('owner').get(`${url}?ref=nowhere`)).statusCode).toBe(403)
  })
})

describe('POST /projects/:id/pipeline', () => {
  const post = (project: Project, body: object, who: Who = 'owner') =>
    world.as(who).post(`/projects/${project.id}/pipeline`, body)

  it('starts one with variables, which Maintainers read', async () => {
    const project = await newCiProject(world, simple)
    const variables = [
      { key: 'A', value: '1' },
      { key: 'F', value: 'text', variable_type: 'file' },
    ]
    const made = await post(project, { ref: 'main', variables })
    expect([made.statusCode, made.json().source]).toEqual([201, 'api'])
    const url = `/projects/${project.id}/pipelines/${made.json().id}/variables`
    expect((await world.as('maintainer').get(url)).json()).toEqual([
      { variable_type: 'env_var', key: 'A', value: '1', raw: false },
      { variable_type: 'file', key: 'F', value: 'text', raw: false },
    ])
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
    const [row] = await world.app.db
      .selectFrom('pipeline_variables')
      .select('value')
      .where('pipeline_id', '=', made.json().id)
      .execute()
    expect(row?.value).not.toContain('1\n')
    expect(row?.value.length).toBeGreaterThan(20)
  })

  it('shows its variables to the Developer who started it, while they are one', async () => {
    const project = await newCiProject(world, simple)
    const owner = world.as('owner')
    await owner.post(`/projects/${project.id}/repository/branches`, {
      branch: 'topic',
      ref: 'main',
    })
    const { user, client } = await world.newUser()
    const members = `/projects/${project.id}/members`
    await owner.post(members, { user_id: user.id, access_level: 30 })
    const variables = [{ key: 'A', value: '1' }]
    const made = await client.post(`/projects/${project.id}/pipeline`, { ref: 'topic', variables })
    const url = `/projects/${project.id}/pipelines/${made.json().id}/variables`
    expect((await client.get(url)).json()).toMatchObject(variables)
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
    await owner.put(`${members}/${user.id}`, { access_level: 20 })
    expect((await client.get(url)).statusCode).toBe(403)
  })

  it.each([
    [{}, { error: 'ref is missing, ref is empty' }],
    [{ ref: '' }, { error: 'ref is empty' }],
    [{ ref: 'nowhere' }, { message: { base: ['Reference not found'] } }],
    [{ ref: 'main', variables: 'x' }, { error: 'variables is invalid' }],
    [{ ref: 'main', variables: [{ key: 'A-B', value: '1' }] }, { error: 'variables is invalid' }],
  ])('refuses %j', async (body, answer) => {
    const refused = await post(await newCiProject(world, simple), body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it.each([
    [{ '.hidden': { script: 'x' } }, 'jobs config should contain at least one visible job'],
    [
      { build: { script: 'x', rules: [{ if: '$NEVER' }] } },
      'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
    ],
    [
      { workflow: { rules: [{ if: '$NEVER' }] }, build: { script: 'x' } },
      'Pipeline filtered out by workflow rules.',
    ],
  ])('says why %j makes none', async (config, text) => {
    const project = await newCiProject(world, config)
    const refused = await post(project, { ref: 'main' })
    expect([refused.statusCode, refused.json()]).toEqual([400, { message: { base: [text] } }])
    expect(await pipelinesOf(project)).toEqual([])
  })

  it('says that there is no configuration, or no pipelines at all', async () => {
    const bare = await world.newProject({ files: { a: 'a' } })
    expect((await post(bare, { ref: 'main' })).json()).toEqual({
      message: { base: ['Missing CI config file'] },
    })
    const project = await newCiProject(world, simple)
    await world.as('owner').put(`/projects/${project.id}`, { builds_access_level: 'disabled' })
    expect((await post(project, { ref: 'main' })).statusCode).toBe(403)
  })

  it('needs the right to push or merge to a protected branch', async () => {
    const project = await newCiProject(world, simple)
    const refused = await post(project, { ref: 'main' }, 'developer')
    expect([refused.statusCode, refused.json().message.base[0]]).toEqual([
      400,
      "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
    ])
    expect((await post(project, { ref: 'main' }, 'reporter')).statusCode).toBe(403)
  })

  it('keeps variables of users to Maintainers where the project says so', async () => {
    const project = await newCiProject(world, simple)
    await world
      .as('owner')
      .put(`/projects/${project.id}`, { restrict_user_defined_variables: true })
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/branches`, { branch: 'topic', ref: 'main' })
    const refused = await post(
      project,
      { ref: 'topic', variables: [{ key: 'A', value: '1' }] },
      'developer',
    )
    expect(refused.json()).toEqual({
      message: { base: ['Insufficient permissions to set pipeline variables'] },
    })
    expect((await post(project, { ref: 'topic' }, 'developer')).statusCode).toBe(201)
  })
})

describe('A push', () => {
  const config = JSON.stringify(simple)

  it('starts a pipeline of its head, once', async () => {
    const project = await world.newProject({ files: { '.gitlab-ci.yml': config } })
    const [first, ...others] = await pipelinesOf(project)
    expect([first, others]).toMatchObject([{ source: 'push', ref: 'main', status: 'pending' }, []])
    await world.commit(project, { b: 'b' })
    expect((await pipelinesOf(project)).map(({ source }: { source: string }) => source)).toEqual([
      'push',
      'push',
    ])
  })

  it('of a tag starts one of the tag', async () => {
    const project = await newCiProject(world, simple)
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    const [made] = await pipelinesOf(project)
    expect(made).toMatchObject({ source: 'push', ref: 'v1' })
    const shown = await world.as('owner').get(`/projects/${project.id}/pipelines/${made.id}`)
    expect(shown.json().tag).toBe(true)
  })

  it('makes a failed pipeline of a broken configuration, and none of none', async () => {
    const project = await world.newProject({ files: { '.gitlab-ci.yml': 'build: { script: [' } })
    const [made] = await pipelinesOf(project)
    expect(made.status).toBe('failed')
    const shown = await world.as('owner').get(`/projects/${project.id}/pipelines/${made.id}`)
    expect(shown.json().yaml_errors).toEqual(expect.any(String))
    expect(await pipelinesOf(await world.newProject({ files: { a: 'a' } }))).toEqual([])
  })

  it.each(['[skip ci] no', 'no [CI skip]'])(
    'that says %s makes one that is skipped',
    async (message) => {
      const project = await newCiProject(world, simple)
      await world.commit(project, { b: 'b' }, { message })
      const [made] = await pipelinesOf(project)
      expect(made.status).toBe('skipped')
      const jobs = await world.as('owner').get(`/projects/${project.id}/pipelines/${made.id}/jobs`)
      expect(jobs.json()).toEqual([])
    },
  )

  /** Records that main moves, as a server does that dies before it says whether it did. */
  async function recordMoveOfMain(oids: (tip: string) => { oldOid: string; newOid: string }) {
    const project = await newCiProject(world, simple)
    const main = `/projects/${project.id}/repository/branches/main`
    const tip = (await world.as('owner').get(main)).json().commit.id
    const move = { name: 'refs/heads/main', ...oids(tip) } as never
    await world.app.worker.drain()
    await enqueueAfterPushSteps(world.app.db, world.app.clock.now, {
      project_id: project.id,
      user_id: world.users.owner.id,
      moves: [move],
    })
    return { project, before: (await pipelinesOf(project)).length }
  }

  it('that never lands makes none, and is given up', async () => {
    const { project, before } = await recordMoveOfMain((oldOid) => ({
      oldOid,
      newOid: '1'.repeat(40),
    }))
    for (const wait_ms of unconfirmed_delays_ms) {
      world.app.clock.advance(wait_ms)
      expect(await pipelinesOf(project)).toHaveLength(before)
    }
    const tasks = world.app.db.selectFrom('tasks').select('id').where('name', '=', 'tell-of-push')
    expect(await tasks.execute()).toEqual([])
  })

  it('that landed makes one although nobody has said so', async () => {
    const { project, before } = await recordMoveOfMain((newOid) => ({
      oldOid: '0'.repeat(40),
      newOid,
    }))
    world.app.clock.advance(unconfirmed_delays_ms[0] - 1)
    expect(await pipelinesOf(project)).toHaveLength(before)
    world.app.clock.advance(1)
    expect(await pipelinesOf(project)).toHaveLength(before + 1)
  })

  it('calls off older pipelines of the branch, but none that must not be interrupted', async () => {
    const other = await open()
    const project = await world.newProject({ files: { '.gitlab-ci.yml': config } })
    const [first] = await pipelinesOf(project)
    const report = { state: 'running', name: 'elsewhere', pipeline_id: first.id }
    const reported = await world.as('owner').post(`/projects/${project.id}/statuses/main`, report)
    expect(reported.statusCode).toBe(201)
    await world.commit(project, { b: 'b' })
    await pipelinesOf(project)
    expect((await jobOf(world, first.id, 'build')).status).toBe('canceled')
    expect((await jobOf(world, first.id, 'elsewhere')).status).toBe('running')
    const [second] = await pipelinesOf(project)
    await tellJob(world, await jobOf(world, second.id, 'build'), 'run')
    await world.commit(project, { c: 'c' })
    await pipelinesOf(project)
    expect(await statusOf(project, second.id)).toBe('running')
    expect(await statusOf(other.project, other.pipeline.id)).toBe('pending')
  })

  it('calls off no pipeline of its head, of another branch, of a tag, and none that others report', async () => {
    const project = await newCiProject(world, simple)
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    const report = await owner.post(`${url}/statuses/main`, { state: 'running', name: 'elsewhere' })
    expect(report.statusCode).toBe(201)
    const [external] = await pipelinesOf(project)
    world.app.clock.advance(60_000)
    const outdated = await newPipeline(world, project)
    await owner.post(`${url}/repository/branches`, { branch: 'topic', ref: 'main' })
    const [ofBranch] = await pipelinesOf(project)
    await owner.post(`${url}/repository/tags`, { tag_name: 'main', ref: 'main' })
    const [ofTag] = await pipelinesOf(project)
    await world.commit(project, { b: 'b' })
    const [ofHead] = await pipelinesOf(project)
    await newPipeline(world, project, { ref: 'refs/heads/main' })
    const all = await pipelinesOf(project)
    const statuses = new Map(
      all.map(({ id, ref, source, status }: Record<string, unknown>) => [
        id,
        [ref, source, status],
      ]),
    )
    expect(statuses.get(outdated.id)).toEqual(['main', 'api', 'canceled'])
    expect(statuses.get(external.id)).toEqual(['main', 'external', 'running'])
    expect(all.find(({ id }: { id: number }) => id === external.id)).toEqual(external)
    expect(statuses.get(ofBranch.id)).toEqual(['topic', 'push', 'pending'])
    expect(statuses.get(ofTag.id)).toEqual(['main', 'push', 'pending'])
    expect(statuses.get(ofHead.id)).toEqual(['main', 'push', 'pending'])
    expect(statuses.size).toBe(6)
  })

  it('calls off no pipeline for its own sake, and no optional job of one that has ended', async () => {
    const project = await newCiProject(world, {
      build: { script: 'x', interruptible: true },
      deploy: { script: 'x', when: 'manual' },
    })
    const ended = await newPipeline(world, project)
    await finish(ended.id, 'build')
    expect(await statusOf(project, ended.id)).toBe('success')
    await world.commit(project, { b: 'b' })
    await pipelinesOf(project)
    expect((await jobOf(world, ended.id, 'deploy')).status).toBe('manual')
    const newest = await newPipeline(world, project)
    // The branch moves on without a pipeline before older ones are looked for.
    await world.commit(project, { '.gitlab-ci.yml': null })
    const [listed] = await pipelinesOf(project)
    expect(listed).toMatchObject({ id: newest.id, status: 'pending' })
  })

  it('calls off what runs if it may be interrupted, and a child only with its parent', async () => {
    const child = JSON.stringify({ inner: { script: 'x', interruptible: true } })
    const startedIn = async (job: object) => {
      const config = { build: { script: 'x', ...job }, go: { trigger: { include: 'child.yml' } } }
      const files = { '.gitlab-ci.yml': JSON.stringify(config), 'child.yml': child }
      const project = await world.newProject({ files })
      const [parent] = await pipelinesOf(project)
      await tellJob(world, await jobOf(world, parent.id, 'build'), 'run')
      const bridges = `/projects/${project.id}/pipelines/${parent.id}/bridges`
      const [bridge] = (await world.as('owner').get(bridges)).json()
      await world.commit(project, { b: 'b' })
      await pipelinesOf(project)
      const inner = await jobOf(world, bridge.downstream_pipeline.id, 'inner')
      return [(await jobOf(world, parent.id, 'build')).status, inner.status]
    }
    expect(await startedIn({ interruptible: true })).toEqual(['canceled', 'canceled'])
    expect(await startedIn({})).toEqual(['running', 'pending'])
  })
})

describe('Jobs of a pipeline', () => {
  it('wait for their stages, and are skipped when one failed', async () => {
    const { project, pipeline } = await open({
      stages: ['a', 'b', 'c'],
      one: { stage: 'a', script: 'x' },
      two: { stage: 'b', script: 'x' },
      sorry: { stage: 'b', script: 'x', when: 'on_failure' },
      always: { stage: 'c', script: 'x', when: 'always' },
    })
    await finish(pipeline.id, 'one', 'drop')
    const status = async (name: string) => (await jobOf(world, pipeline.id, name)).status
    expect([await status('two'), await status('sorry'), await status('always')]).toEqual([
      'skipped',
      'pending',
      'created',
    ])
    await finish(pipeline.id, 'sorry')
    expect(await status('always')).toBe('pending')
    await finish(pipeline.id, 'always')
    expect(await statusOf(project, pipeline.id)).toBe('failed')
  })

  it('start by what they need, whatever their stage', async () => {
    const { project, pipeline } = await open({
      stages: ['a', 'b'],
      slow: { stage: 'a', script: 'x' },
      quick: { stage: 'a', script: 'x' },
      next: { stage: 'b', script: 'x', needs: ['quick'] },
      free: { stage: 'b', script: 'x', needs: [] },
    })
    const url = `/projects/${project.id}/pipelines/${pipeline.id}/jobs`
    const told = (await world.as('owner').get(`${url}?with_needs=true`)).json()
    expect(told.map(({ name, needs }: { name: string; needs: unknown }) => [name, needs])).toEqual([
      ['free', []],
      ['next', ['quick']],
      ['quick', null],
      ['slow', null],
    ])
    expect((await world.as('owner').get(url)).json()[0]).not.toHaveProperty('needs')
    const wrong = await world.as('owner').get(`${url}?with_needs=maybe`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'with_needs is invalid' }])
    expect((await jobOf(world, pipeline.id, 'free')).status).toBe('pending')
    expect((await jobOf(world, pipeline.id, 'next')).status).toBe('created')
    await finish(pipeline.id, 'quick')
    expect((await jobOf(world, pipeline.id, 'next')).status).toBe('pending')
  })

  it('wait for somebody or for their time', async () => {
    const { project, pipeline } = await open({
      stages: ['a', 'b'],
      later: { stage: 'a', script: 'x', when: 'delayed', start_in: '10 minutes' },
      byHand: { stage: 'b', script: 'x', when: 'manual', allow_failure: false },
    })
    expect((await jobOf(world, pipeline.id, 'later')).status).toBe('scheduled')
    world.app.clock.advance(10 * 60_000)
    await world.app.worker.drain()
    expect((await jobOf(world, pipeline.id, 'later')).status).toBe('pending')
    await finish(pipeline.id, 'later')
    expect(await statusOf(project, pipeline.id)).toBe('manual')
    const { id } = await jobOf(world, pipeline.id, 'byHand')
    const url = `/projects/${project.id}/jobs/${id}`
    const played = await world.as('owner').post(`${url}/play`)
    expect([played.statusCode, played.json().status]).toEqual([200, 'pending'])
    const again = await world.as('owner').post(`${url}/play`)
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { message: '400 Bad request - Unplayable Job' },
    ])
  })
})

describe('POST /projects/:id/jobs/:job_id/play', () => {
  it('lets those wait again that were skipped for want of the job', async () => {
    const { project, pipeline } = await open({
      byHand: { script: 'x', when: 'manual' },
      next: { script: 'x', needs: ['byHand'] },
    })
    expect((await jobOf(world, pipeline.id, 'next')).status).toBe('skipped')
    const { id } = await jobOf(world, pipeline.id, 'byHand')
    await world.as('owner').post(`/projects/${project.id}/jobs/${id}/play`)
    expect((await jobOf(world, pipeline.id, 'next')).status).toBe('created')
    await finish(pipeline.id, 'byHand')
    expect((await jobOf(world, pipeline.id, 'next')).status).toBe('pending')
  })

  it('sees a deployment again when its job runs again', async () => {
    const config = { ship: { script: 'x', environment: 'production' } }
    const other = await open(config)
    const { project, pipeline } = await open(config)
    await finish(pipeline.id, 'ship', 'drop')
    const { id } = await jobOf(world, pipeline.id, 'ship')
    await world.as('owner').post(`/projects/${project.id}/jobs/${id}/retry`)
    await finish(pipeline.id, 'ship')
    const list = await world.as('owner').get(`/projects/${project.id}/deployments`)
    expect(list.json().map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'success',
    ])
    const elsewhere = await world.as('owner').get(`/projects/${other.project.id}/deployments`)
    expect(elsewhere.json()).toHaveLength(1)
  })
})

describe('POST /projects/:id/pipelines/:pipeline_id/retry', () => {
  it('runs again what failed, and what was skipped for it', async () => {
    const config = {
      stages: ['a', 'b'],
      one: { stage: 'a', script: 'x' },
      two: { stage: 'b', script: 'x' },
    }
    const other = await open(config)
    await finish(other.pipeline.id, 'one', 'drop')
    const { project, pipeline, url } = await open(config)
    await finish(pipeline.id, 'one', 'drop')
    const failed = await jobOf(world, pipeline.id, 'one')
    const retried = await world.as('owner').post(`${url}/retry`)
    expect([retried.statusCode, retried.json().status]).toEqual([201, 'pending'])
    const again = await jobOf(world, pipeline.id, 'one')
    expect([again.status, again.id > failed.id]).toEqual(['pending', true])
    await finish(pipeline.id, 'one')
    await finish(pipeline.id, 'two')
    expect(await statusOf(project, pipeline.id)).toBe('success')
    const list = async (query = '') =>
      (await world.as('owner').get(`${url}/jobs${query}`))
        .json()
        .map(({ name }: { name: string }) => name)
    expect(await list()).toEqual(['one', 'two'])
    expect(await list('?include_retried=true')).toHaveLength(3)
    expect(await list('?scope[]=failed')).toEqual([])
    expect((await jobOf(world, other.pipeline.id, 'two')).status).toBe('skipped')
  })

  it('leaves what others report as it is, and warns of nothing that did not fail', async () => {
    const { project, pipeline, url } = await open({
      stages: ['a', 'b'],
      one: { stage: 'a', script: 'x' },
      two: { stage: 'b', script: 'x', allow_failure: true },
    })
    const owner = world.as('owner')
    const report = async (state: string) => {
      const status = { state, name: 'elsewhere', pipeline_id: pipeline.id }
      const made = await owner.post(`/projects/${project.id}/statuses/${pipeline.sha}`, status)
      expect(made.statusCode).toBe(201)
      return made.json().id
    }
    const id = await report('failed')
    await finish(pipeline.id, 'one', 'drop')
    expect((await owner.post(`${url}/retry`)).statusCode).toBe(201)
    expect(await jobOf(world, pipeline.id, 'elsewhere')).toMatchObject({ id, status: 'failed' })
    await report('success')
    await finish(pipeline.id, 'one')
    await finish(pipeline.id, 'two')
    const { status, detailed_status } = (await owner.get(url)).json()
    expect([status, detailed_status.label]).toEqual(['success', 'passed'])
  })

  it('needs the right to run on the branch', async () => {
    const { url } = await open()
    expect((await world.as('developer').post(`${url}/retry`)).statusCode).toBe(403)
    expect((await world.as('developer').post(`${url}/cancel`)).statusCode).toBe(403)
  })
})

describe('POST /projects/:id/pipelines/:pipeline_id/cancel', () => {
  it('ends everything that has not ended', async () => {
    const { pipeline, url } = await open({
      stages: ['a', 'b'],
      one: { stage: 'a', script: 'x' },
      two: { stage: 'b', script: 'x' },
      byHand: { stage: 'b', script: 'x', when: 'manual' },
    })
    await tellJob(world, await jobOf(world, pipeline.id, 'one'), 'run')
    const canceled = await world.as('owner').post(`${url}/cancel`)
    expect([canceled.statusCode, canceled.json().status]).toEqual([200, 'canceled'])
    for (const name of ['one', 'two', 'byHand']) {
      expect((await jobOf(world, pipeline.id, name)).status).toBe('canceled')
    }
  })
})

describe('DELETE /projects/:id/pipelines/:pipeline_id', () => {
  it('is for Owners, and takes jobs and logs along', async () => {
    const { project, pipeline, url } = await open()
    const other = await open()
    const jobs = []
    for (const { id } of [project, other.project]) {
      const runner = await newRunner(world, id)
      const job = await runner.takeJob()
      await runner.log(job, 'log')
      await runner.end(job, 'success')
      jobs.push(job)
    }
    expect((await world.as('maintainer').delete(url)).statusCode).toBe(403)
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('owner').delete(url)).statusCode).toBe(403)
    await world.as('owner').post(`/projects/${project.id}/unarchive`)
    expect((await world.as('owner').delete(url)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect((await world.as('owner').get(url)).statusCode).toBe(404)
    const left = await world.app.db
      .selectFrom('tasks')
      .select('name')
      .where('name', '=', 'remove-own-blob')
      .execute()
    expect([left, pipeline.id > 0]).toEqual([[], true])
    const kept = `/projects/${other.project.id}/jobs/${jobs[1]?.id}/trace`
    expect((await world.as('owner').get(kept)).body).toBe('log')
  })

  it('leaves nothing to do for what was about to change the pipeline', async () => {
    const { db, clock } = world.app
    const { pipeline, url } = await open()
    const job = await jobOf(world, pipeline.id, 'build')
    expect((await world.as('owner').delete(url)).statusCode).toBe(204)
    const found = await withLockedPipeline(
      { db, clock: clock.now },
      pipeline.id,
      async ({ tx, isDeleted }) => ({ isDeleted, job: await findJob(tx, job.id) }),
    )
    expect(found).toEqual({ isDeleted: true, job: undefined })
  })
})

describe('Trigger jobs', () => {
  it('start a child on the same commit and fare as it does', async () => {
    const child = JSON.stringify({ inner: { script: 'x' } })
    const project = await newCiProject(
      world,
      {
        kid: { trigger: { include: 'child.yml', strategy: 'depend' }, variables: { PASSED: 'on' } },
      },
      { files: { 'child.yml': child } },
    )
    const pipeline = await newPipeline(world, project)
    await world.app.worker.drain()
    const bridges = await world
      .as('owner')
      .get(`/projects/${project.id}/pipelines/${pipeline.id}/bridges`)
    expect(bridges.json()).toMatchObject([
      {
        name: 'kid',
        status: 'running',
        downstream_pipeline: { source: 'parent_pipeline', sha: pipeline.sha, status: 'pending' },
      },
    ])
    const kid = bridges.json()[0].downstream_pipeline.id
    expect((await pipelinesOf(project)).map(({ id }: { id: number }) => id)).toEqual([pipeline.id])
    const branches = await world.as('owner').get(`/projects/${project.id}/pipelines?scope=branches`)
    expect(branches.json()).toMatchObject([{ id: pipeline.id }])
    const latest = await world.as('owner').get(`/projects/${project.id}/pipelines/latest`)
    expect(latest.json().id).toBe(pipeline.id)
    await finish(kid, 'inner')
    await world.app.worker.drain()
    expect(await statusOf(project, pipeline.id)).toBe('success')
    const given = await world.as('owner').get(`/projects/${project.id}/pipelines/${kid}/variables`)
    expect(given.json()).toMatchObject([{ key: 'PASSED', value: 'on' }])
  })

  it('start pipelines of other projects as their user, who must be allowed to', async () => {
    const other = await newCiProject(world, simple)
    const project = await newCiProject(world, {
      downstream: { trigger: { project: other.full_path, branch: 'main' } },
      nowhere: { trigger: { project: 'no/where' } },
    })
    const pipeline = await newPipeline(world, project)
    await world.app.worker.drain()
    expect((await pipelinesOf(other)).map(({ source }: { source: string }) => source)).toEqual([
      'pipeline',
    ])
    expect((await jobOf(world, pipeline.id, 'downstream')).status).toBe('success')
    expect(await jobOf(world, pipeline.id, 'nowhere')).toMatchObject({
      status: 'failed',
      failure_reason: 'downstream_bridge_project_not_found',
    })
  })
})

describe('POST /projects/:id/jobs/:job_id/...', () => {
  it('cancels, repeats and erases a job', async () => {
    const { project, pipeline } = await open()
    const runner = await newRunner(world, project.id)
    const given = await runner.takeJob()
    await runner.log(given, 'secret')
    const url = `/projects/${project.id}/jobs/${given.id}`
    const early = await world.as('owner').post(`${url}/erase`)
    expect([early.statusCode, early.json()]).toEqual([
      403,
      { message: '403 Forbidden - Job is not erasable!' },
    ])
    const running = await world.as('owner').post(`${url}/retry`)
    expect([running.statusCode, running.json()]).toEqual([
      403,
      { message: '403 Forbidden - Job is not retryable' },
    ])
    const canceled = await world.as('owner').post(`${url}/cancel`)
    expect([canceled.statusCode, canceled.json().status]).toEqual([201, 'canceled'])
    expect((await world.as('owner').post(`${url}/cancel`)).statusCode).toBe(201)
    await world.app.worker.drain()
    const erased = await world.as('owner').post(`${url}/erase`)
    expect([erased.statusCode, erased.json().erased_at]).toEqual([201, expect.any(String)])
    expect((await world.as('owner').get(`${url}/trace`)).body).toBe('')
    const repeated = await world.as('owner').post(`${url}/retry`)
    expect([repeated.statusCode, repeated.json().status]).toEqual([201, 'pending'])
    expect(repeated.json().id).not.toBe(given.id)
    expect((await jobOf(world, pipeline.id, 'build')).id).toBe(repeated.json().id)
  })

  it('erases a job for a Developer who started it, and for Maintainers', async () => {
    const { project } = await open()
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/branches`, { branch: 'topic', ref: 'main' })
    const url = `/projects/${project.id}`
    for (const [starter, eraser, status] of [
      ['maintainer', 'developer', 403],
      ['developer', 'developer', 201],
      ['developer', 'maintainer', 201],
    ] as const) {
      const made = await world.as(starter).post(`${url}/pipeline`, { ref: 'topic' })
      const { id } = await jobOf(world, made.json().id, 'build')
      await world.app.db
        .updateTable('jobs')
        .set({ status: 'success', log_bytes: 1 })
        .where('id', '=', id)
        .execute()
      const answer = await world.as(eraser).post(`${url}/jobs/${id}/erase`)
      expect([starter, eraser, answer.statusCode]).toEqual([starter, eraser, status])
    }
  })

  it('repeats a job and those skipped after it, and leaves alone what was skipped before it', async () => {
    const { project, pipeline } = await open({
      stages: ['a', 'b', 'c', 'd'],
      one: { stage: 'a', script: 'x' },
      rescue: { stage: 'b', script: 'x', when: 'on_failure' },
      two: { stage: 'c', script: 'x' },
      three: { stage: 'd', script: 'x' },
    })
    await finish(pipeline.id, 'one')
    await finish(pipeline.id, 'two', 'drop')
    const { id: rescue } = await jobOf(world, pipeline.id, 'rescue')
    const { id: two } = await jobOf(world, pipeline.id, 'two')
    const url = `/projects/${project.id}/jobs`
    const skipped = { status: 'skipped', finished_at: world.app.clock.now().toISOString() }
    const shown = async () => (await world.as('owner').get(`${url}/${rescue}`)).json()
    expect(await shown()).toMatchObject(skipped)
    world.app.clock.advance(60_000)
    expect((await world.as('owner').post(`${url}/${two}/retry`)).statusCode).toBe(201)
    expect(await shown()).toMatchObject(skipped)
    expect((await jobOf(world, pipeline.id, 'three')).status).toBe('created')
  })

  it('cancels no job that has ended, and leaves its pipeline as it is', async () => {
    const { project, pipeline, url } = await open()
    await finish(pipeline.id, 'build')
    const ended = (await world.as('owner').get(url)).json()
    expect(ended).toMatchObject({
      status: 'success',
      finished_at: world.app.clock.now().toISOString(),
    })
    world.app.clock.advance(60_000)
    const { id } = await jobOf(world, pipeline.id, 'build')
    const canceled = await world.as('owner').post(`/projects/${project.id}/jobs/${id}/cancel`)
    expect([canceled.statusCode, canceled.json().status]).toEqual([201, 'success'])
    expect((await world.as('owner').get(url)).json()).toEqual(ended)
    for (const [action, statusCode] of [
      ['cancel', 200],
      ['retry', 201],
    ] as const) {
      expect((await world.as('owner').post(`${url}/${action}`)).statusCode).toBe(statusCode)
      expect((await world.as('owner').get(url)).json()).toEqual(ended)
    }
  })

  it('keeps the end of a pipeline whose status stays when a manual job is cancelled', async () => {
    const { project, pipeline, url } = await open({
      build: { script: 'x' },
      extra: { script: 'x', when: 'manual' },
    })
    await finish(pipeline.id, 'build')
    const { finished_at, updated_at } = (await world.as('owner').get(url)).json()
    expect(finished_at).toBe(world.app.clock.now().toISOString())
    world.app.clock.advance(60_000)
    const { id } = await jobOf(world, pipeline.id, 'extra')
    const canceled = await world.as('owner').post(`/projects/${project.id}/jobs/${id}/cancel`)
    expect([canceled.statusCode, canceled.json().status]).toEqual([201, 'canceled'])
    const after = (await world.as('owner').get(url)).json()
    expect(after.status).toBe('success')
    expect(after.finished_at).toBe(finished_at)
    expect(after.updated_at > updated_at).toBe(true)
  })

  it('repeats nothing of a pipeline in which nothing has failed', async () => {
    const { project, pipeline, url } = await open()
    const before = await jobOf(world, pipeline.id, 'build')
    expect((await world.as('owner').post(`${url}/retry`)).statusCode).toBe(201)
    expect((await jobOf(world, pipeline.id, 'build')).id).toBe(before.id)
    expect(await statusOf(project, pipeline.id)).toBe('pending')
  })
})

describe('Jobs that no runner can run', () => {
  it('fail after an hour', async () => {
    const { project, pipeline } = await open({
      one: { script: 'x', tags: ['moon'] },
      two: { script: 'x' },
    })
    const runner = await newRunner(world, project.id, { tag_list: ['earth'] })
    world.app.clock.advance(61 * 60_000)
    await runner.ask({ info: { features: { none: true } }, token: runner.token, tag: 'x' })
    const { db, clock } = world.app
    const taken = await jobOf(world, pipeline.id, 'two')
    expect(taken.status).toBe('running')
    const young = await newPipeline(world, project)
    await failUnmatchedJobsTask.run({ db, clock: clock.now }, {})
    expect((await jobOf(world, pipeline.id, 'two')).status).toBe('running')
    expect((await jobOf(world, young.id, 'one')).status).toBe('pending')
    expect(await jobOf(world, pipeline.id, 'one')).toMatchObject({
      status: 'failed',
      failure_reason: 'stuck_or_timeout_failure',
    })
  })
})

describe('Jobs that a runner can run, and trigger jobs', () => {
  const sweep = async () => {
    const { db, clock } = world.app
    await failUnmatchedJobsTask.run({ db, clock: clock.now }, {})
  }

  it('do not fail however long they wait', async () => {
    const kid = { trigger: { include: 'child.yml' } }
    const files = { 'child.yml': JSON.stringify(simple) }
    const project = await newCiProject(world, { kid }, { files })
    const pipeline = await newPipeline(world, project)
    world.app.clock.advance(61 * 60_000)
    await sweep()
    expect((await jobOf(world, pipeline.id, 'kid')).status).toBe('pending')
    await world.app.worker.drain()
    expect((await jobOf(world, pipeline.id, 'kid')).status).toBe('success')
  })

  it('change nothing of their pipeline once they have ended', async () => {
    const { pipeline, url } = await open()
    await finish(pipeline.id, 'build')
    const ended = (await world.as('owner').get(url)).json()
    expect(ended).toMatchObject({
      status: 'success',
      finished_at: world.app.clock.now().toISOString(),
    })
    world.app.clock.advance(61 * 60_000)
    await sweep()
    expect((await world.as('owner').get(url)).json()).toEqual(ended)
  })

  it('do not hide those behind them that no runner can run', { timeout: 30_000 }, async () => {
    const { project, pipeline } = await open({
      many: { script: 'x', tags: ['earth'], parallel: 101 },
      last: { script: 'x', tags: ['moon'] },
    })
    const { token } = await newRunner(world, project.id, { tag_list: ['earth'] })
    world.app.clock.advance(61 * 60_000)
    const taken = await world.as('anonymous').post('/jobs/request', { token })
    expect(taken.json().job_info.name).toBe('many 1/101')
    await sweep()
    const url = `/projects/${project.id}/pipelines/${pipeline.id}/jobs?scope[]=failed`
    expect((await world.as('owner').get(url)).json()).toMatchObject([{ name: 'last' }])
    expect((await jobOf(world, pipeline.id, 'many 101/101')).status).toBe('pending')
  })
})

describe('Jobs that nobody hears of', () => {
  const sweep = async () => {
    const { db, clock } = world.app
    await failStuckJobsTask.run({ db, clock: clock.now }, {})
    await world.app.worker.drain()
  }

  it('fail after an hour of silence, and after a day without a runner', async () => {
    const { project, pipeline } = await open({ one: { script: 'x' }, two: { script: 'x' } })
    await tellJob(world, await jobOf(world, pipeline.id, 'one'), 'run')
    world.app.clock.advance(61 * 60_000)
    await sweep()
    expect(await jobOf(world, pipeline.id, 'one')).toMatchObject({
      status: 'failed',
      failure_reason: 'stuck_or_timeout_failure',
    })
    expect((await jobOf(world, pipeline.id, 'two')).status).toBe('pending')
    world.app.clock.advance(24 * 60 * 60_000)
    await sweep()
    expect((await jobOf(world, pipeline.id, 'two')).status).toBe('failed')
    expect(await statusOf(project, pipeline.id)).toBe('failed')
  })
})
