import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/kit/app.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { actorUserFromUser } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const deploy_access_levels = [{ access_level: 40 }]
const deploy = {
  ship: { script: 'true', environment: 'production' },
  manual: { script: 'true', when: 'manual', environment: 'production' },
}

const entry = (more: object) => ({
  id: expect.any(Number),
  access_level: null,
  user_id: null,
  group_id: null,
  group_inheritance_type: 0,
  ...more,
})

describe.each([
  ['project', 'maintainer'],
  ['group', 'maintainer'],
] as const)('Protected environments of a %s', (kind, lowest) => {
  async function newUrl() {
    if (kind === 'project')
      return `/projects/${(await world.newProject()).id}/protected_environments`
    return `/groups/${(await world.newMemberedGroup()).id}/protected_environments`
  }

  it('are made, listed, shown, changed and removed', async () => {
    const url = await newUrl()
    const client = world.as(lowest)
    const maintainer = world.users.maintainer
    const made = await client.post(url, {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }, { user_id: maintainer.id }],
      required_approval_count: 1,
      approval_rules: [{ access_level: 30, required_approvals: 2 }],
    })
    const record = {
      name: 'production',
      deploy_access_levels: [
        entry({ access_level: 40, access_level_description: 'Maintainers' }),
        entry({ user_id: maintainer.id, access_level_description: maintainer.name }),
      ],
      required_approval_count: 1,
      approval_rules: [
        entry({
          access_level: 30,
          access_level_description: 'Developers + Maintainers',
          required_approvals: 2,
        }),
      ],
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    expect((await client.get(url)).json()).toEqual([made.json()])
    const one = `${url}/production`
    expect((await client.get(one)).json()).toEqual(made.json())
    const again = await client.post(url, { name: 'production', deploy_access_levels })
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: "Protected environment 'production' already exists" },
    ])
    const [role, user] = made.json().deploy_access_levels
    const changed = await client.put(one, {
      required_approval_count: 0,
      deploy_access_levels: [
        { id: user.id, _destroy: true },
        { id: role.id, access_level: 30 },
        { access_level: 60 },
      ],
      approval_rules: [{ id: made.json().approval_rules[0].id, required_approvals: 3 }],
    })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      {
        name: 'production',
        deploy_access_levels: [
          entry({
            id: role.id,
            access_level: 30,
            access_level_description: 'Developers + Maintainers',
          }),
          entry({ access_level: 60, access_level_description: 'Instance admins' }),
        ],
        required_approval_count: 0,
        approval_rules: [
          entry({
            access_level: 30,
            access_level_description: 'Developers + Maintainers',
            required_approvals: 3,
          }),
        ],
      },
    ])
    const headers = { 'if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' }
    expect((await client.delete(one, undefined, { headers })).statusCode).toBe(412)
    expect((await client.delete(one)).statusCode).toBe(204)
    const gone = await client.get(one)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it.each([
    [{ name: 'production' }, 400, { error: 'deploy_access_levels is missing' }],
    [
      { name: 'production', deploy_access_levels: [{ access_level: 20 }] },
      400,
      { error: 'deploy_access_levels[0][access_level] does not have a valid value' },
    ],
    [
      { name: 'production', deploy_access_levels: [{}] },
      400,
      {
        error: 'deploy_access_levels: user_id, group_id, access_level are mutually exclusive',
      },
    ],
  ])('refuse %j', async (body, status, answer) => {
    const refused = await world.as('owner').post(await newUrl(), body)
    expect([refused.statusCode, refused.json()]).toEqual([status, answer])
  })

  it('admit nobody from elsewhere', async () => {
    const url = await newUrl()
    const elsewhere = await world.newGroup()
    for (const named of [{ user_id: world.users.outsider.id }, { group_id: elsewhere.id }]) {
      const body = { name: 'production', deploy_access_levels: [named] }
      expect((await world.as('owner').post(url, body)).statusCode).toBe(422)
    }
  })

  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 403],
    ['maintainer', 200],
  ] as const)('answer %s with %i', async (who: Who, status) => {
    const url = await newUrl()
    expect((await world.as(who).get(url)).statusCode).toBe(status)
    const made = await world.as(who).post(url, { name: 'production', deploy_access_levels })
    expect(made.statusCode).toBe(status === 200 ? 201 : status)
  })
})

it('of a group name groups below it, and are listed with their own entries', async () => {
  const { id, full_path: path } = await world.newMemberedGroup()
  const owner = world.as('owner')
  const team = (await owner.post('/groups', { name: 'Team', path: 'team', parent_id: id })).json()
  const url = `/groups/${id}/protected_environments`
  for (const [name, level] of [
    ['production', { group_id: team.id }],
    ['staging', { access_level: 30 }],
  ] as const) {
    const made = await owner.post(url, { name, deploy_access_levels: [level] })
    expect([made.statusCode, made.json().name]).toEqual([201, name])
  }
  const itself = { name: 'testing', deploy_access_levels: [{ group_id: id }] }
  const refused = await owner.post(url, itself)
  expect([refused.statusCode, refused.json().message]).toEqual([
    422,
    expect.arrayContaining([expect.stringContaining('group is not a subgroup')]),
  ])
  const listed: { name: string; deploy_access_levels: object[] }[] = (await owner.get(url)).json()
  expect(listed.map(({ name, deploy_access_levels: levels }) => [name, levels])).toEqual([
    ['production', [entry({ group_id: team.id, access_level_description: 'Team' })]],
    ['staging', [entry({ access_level: 30, access_level_description: expect.any(String) })]],
  ])
  expect(team.full_path).toBe(`${path}/team`)
})

it('of a group are named by a deployment tier', async () => {
  const { id } = await world.newMemberedGroup()
  const body = { name: 'our-prod', deploy_access_levels }
  const refused = await world.as('owner').post(`/groups/${id}/protected_environments`, body)
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { error: 'name does not have a valid value' },
  ])
})

describe('A job that deploys to a protected environment', () => {
  const forbidden = [403, { message: '403 Forbidden' }]

  async function open({
    isOfGroup = false,
    ...body
  }: {
    isOfGroup?: boolean
    approval_rules?: object[]
    required_approval_count?: number
  } = {}) {
    const group = await world.newMemberedGroup()
    const project = await newCiProject(world, deploy, { group })
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const url = isOfGroup ? `/groups/${group.id}` : `/projects/${project.id}`
    const made = await world
      .as('owner')
      .post(`${url}/protected_environments`, { name: 'production', deploy_access_levels, ...body })
    expect(made.statusCode).toBe(201)
    const run = (who: 'developer' | 'maintainer') =>
      newPipeline(world, project, { user: actorUserFromUser(world.users[who]) })
    return { project, run, url: `/projects/${project.id}` }
  }

  it.each([false, true])(
    'fails for those it does not admit (of a group: %s)',
    async (isOfGroup) => {
      const { project, run } = await open({ isOfGroup })
      const runner = await newRunner(world, project.id)
      const refused = await run('developer')
      expect(await runner.take()).toBeUndefined()
      expect(await jobOf(world, refused.id, 'ship')).toMatchObject({
        status: 'failed',
        failure_reason: 'protected_environment_failure',
      })
      await run('maintainer')
      expect((await runner.take())?.job_info.name).toBe('ship')
    },
  )

  it('is played, repeated and cancelled, and the environment changed and stopped, by those it admits', async () => {
    const { run, url } = await open()
    const { id } = await run('maintainer')
    const { id: manual, environment_id } = await jobOf(world, id, 'manual')
    const { id: ship } = await jobOf(world, id, 'ship')
    const one = `${url}/environments/${environment_id}`
    const developer = world.as('developer')
    for (const answer of [
      await developer.post(`${url}/jobs/${manual}/play`),
      await developer.post(`${url}/jobs/${ship}/cancel`),
      await developer.post(`${url}/jobs/${ship}/retry`),
      await developer.put(one, { tier: 'other' }),
      await developer.post(`${one}/stop`),
      await developer.delete(one),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual(forbidden)
    }
    const { abilities } = (await developer.get(`${url}/jobs/${ship}?with_abilities=true`)).json()
    expect(abilities.run_job).toBe(false)
    expect((await world.as('maintainer').post(`${url}/jobs/${manual}/play`)).statusCode).toBe(200)
    expect((await world.as('maintainer').post(`${one}/stop`)).json().state).toBe('stopped')
  })

  it('is left out where a pipeline is retried by somebody it does not admit', async () => {
    const { run, url } = await open()
    const { id } = await run('maintainer')
    await tellJob(world, await jobOf(world, id, 'ship'), 'drop')
    const { id: ship } = await jobOf(world, id, 'ship')
    expect((await world.as('developer').post(`${url}/pipelines/${id}/retry`)).statusCode).toBe(201)
    expect((await jobOf(world, id, 'ship')).id).toBe(ship)
    await world.as('maintainer').post(`${url}/pipelines/${id}/retry`)
    expect((await jobOf(world, id, 'ship')).id).not.toBe(ship)
  })

  it('is for the users and groups that are named, direct members unless inherited ones count', async () => {
    const group = await world.newMemberedGroup()
    const below = { name: 'Team', path: 'team', parent_id: group.id }
    const team = (await world.as('owner').post('/groups', below)).json()
    const project = await newCiProject(world, deploy, { group })
    await world.as('owner').delete(`/projects/${project.id}/protected_branches/main`)
    const url = `/projects/${project.id}`
    const shared = { group_id: team.id, group_access: 30 }
    expect((await world.as('owner').post(`${url}/share`, shared)).statusCode).toBe(201)
    const { id } = await newPipeline(world, project)
    const { id: manual } = await jobOf(world, id, 'manual')
    const mayPlay = async (levels: object[]) => {
      await world.as('owner').delete(`${url}/protected_environments/production`)
      const body = { name: 'production', deploy_access_levels: levels }
      const made = await world.as('owner').post(`${url}/protected_environments`, body)
      expect([made.statusCode, made.json()]).toEqual([201, expect.anything()])
      const job = await world.as('developer').get(`${url}/jobs/${manual}?with_abilities=true`)
      return job.json().abilities.run_job
    }
    expect(await mayPlay([{ user_id: world.users.developer.id }])).toBe(true)
    expect(await mayPlay([{ user_id: world.users.maintainer.id }])).toBe(false)
    expect(await mayPlay([{ group_id: team.id }])).toBe(false)
    expect(await mayPlay([{ group_id: team.id, group_inheritance_type: 1 }])).toBe(true)
    const { developer } = world.users
    const direct = { user_id: developer.id, access_level: 30 }
    const added = await world.as('owner').post(`/groups/${team.id}/members`, direct)
    expect(added.statusCode).toBe(201)
    expect(await mayPlay([{ group_id: team.id }])).toBe(true)
    const guests = await world.newMemberedGroup()
    await world.as('owner').post(`${url}/share`, { group_id: guests.id, group_access: 10 })
    const guest = { access_level: 10 }
    await world.as('owner').put(`/groups/${guests.id}/members/${developer.id}`, guest)
    expect(await mayPlay([{ group_id: guests.id, group_inheritance_type: 1 }])).toBe(false)
  })

  it('is guarded by name in its project and by tier in the groups above it, by each and by no others', async () => {
    const group = await world.newMemberedGroup()
    const of = (name: string, deployment_tier: string) => ({
      ...{ script: 'x', when: 'manual' },
      environment: { name, deployment_tier },
    })
    const config = { eu: of('eu', 'production'), odd: of('production', 'other') }
    const project = await newCiProject(world, config, { group })
    const elsewhere = await world.newProject({ group: await world.newMemberedGroup() })
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    await owner.delete(`${url}/protected_branches/main`)
    const newcomer = await world.newUser()
    const member = { user_id: newcomer.user.id, access_level: 40 }
    await owner.post(`${url}/members`, member)
    const { id } = await newPipeline(world, project)
    const protect = async (place: string, name: string, access_level: number) => {
      const body = { name, deploy_access_levels: [{ access_level }] }
      const made = await owner.post(`${place}/protected_environments`, body)
      expect(made.statusCode).toBe(201)
    }
    const runs = async (client: Client) => {
      const may = []
      for (const name of ['eu', 'odd']) {
        const job = await jobOf(world, id, name)
        const shown = await client.get(`${url}/jobs/${job.id}?with_abilities=true`)
        if (shown.json().abilities.run_job) may.push(name)
      }
      return may
    }
    const [developer, maintainer] = [world.as('developer'), world.as('maintainer')]
    await protect(`/projects/${elsewhere.id}`, 'eu', 40)
    await protect(`/groups/${elsewhere.namespace_id}`, 'production', 40)
    expect(await runs(developer)).toEqual(['eu', 'odd'])
    await protect(`/groups/${group.id}`, 'production', 40)
    expect(await runs(developer)).toEqual(['odd'])
    expect(await runs(maintainer)).toEqual(['eu', 'odd'])
    // A role that a group names is the role in that group.
    expect(await runs(newcomer.client)).toEqual(['odd'])
    // A user whom it named needs none, once a Maintainer of the group.
    const inGroup = { user_id: newcomer.user.id, access_level: 40 }
    await owner.post(`/groups/${group.id}/members`, inGroup)
    const ofGroup = `/groups/${group.id}/protected_environments/production`
    const named = { deploy_access_levels: [{ user_id: newcomer.user.id }] }
    expect((await owner.put(ofGroup, named)).statusCode).toBe(200)
    await owner.put(`/groups/${group.id}/members/${newcomer.user.id}`, { access_level: 10 })
    expect(await runs(newcomer.client)).toEqual(['eu', 'odd'])
    await protect(url, 'eu', 30)
    expect(await runs(developer)).toEqual(['odd'])
    await protect(url, 'production', 60)
    expect(await runs(maintainer)).toEqual(['eu'])
    expect(await runs(world.as('admin'))).toEqual(['eu', 'odd'])
  })

  it('needs the approvals of each rule, as many of each as it asks for', async () => {
    const { run, url } = await open({
      required_approval_count: 5,
      approval_rules: [
        { access_level: 40, required_approvals: 1 },
        { user_id: world.users.developer.id, required_approvals: 1 },
      ],
    })
    const { id } = await run('maintainer')
    const owner = world.as('owner')
    const { id: job_id } = await jobOf(world, id, 'ship')
    const { id: deployment } = await world.app.db
      .selectFrom('deployments')
      .select('id')
      .where('job_id', '=', job_id)
      .executeTakeFirstOrThrow()
    const one = `${url}/deployments/${deployment}`
    const missing = async () => (await owner.get(one)).json().pending_approval_count
    const approve = async (who: Who) => {
      const answer = await world.as(who).post(`${one}/approval`, { status: 'approved' })
      return [answer.statusCode, await missing()]
    }
    expect(await missing()).toBe(2)
    expect(await approve('owner')).toEqual([201, 1])
    expect(await approve('owner')).toEqual([201, 1])
    expect(await approve('developer')).toEqual([201, 0])
    expect((await owner.get(one)).json().status).toBe('created')
    // Who approves may not deploy for that.
    const played = await world.as('developer').post(`${url}/jobs/${job_id}/play`)
    expect([played.statusCode, played.json()]).toEqual(forbidden)
  })

  it('needs as many approvals as its protection counts, where that has no rules', async () => {
    const { run, url } = await open({ required_approval_count: 2 })
    const other = await newCiProject(world, deploy)
    await newPipeline(world, other)
    const { id } = await run('maintainer')
    const elsewhere = await world.as('owner').get(`/projects/${other.id}/deployments`)
    const statuses = elsewhere.json().map(({ status }: { status: string }) => status)
    expect(new Set(statuses)).toEqual(new Set(['created']))
    const [{ id: deployment }] = (
      await world.as('owner').get(`${url}/deployments?status=blocked`)
    ).json()
    const one = `${url}/deployments/${deployment}`
    for (const [who, missing, status] of [
      ['owner', 1, 'blocked'],
      ['admin', 0, 'created'],
    ] as const) {
      await world.as(who).post(`${one}/approval`, { status: 'approved' })
      const shown = (await world.as('owner').get(one)).json()
      expect([shown.pending_approval_count, shown.status]).toEqual([missing, status])
    }
    const { id: job } = await jobOf(world, id, 'ship')
    const played = await world.as('maintainer').post(`${url}/jobs/${job}/play`)
    expect(played.json().status).toBe('pending')
  })

  it('waits for approvals, and is started by somebody once it has them', async () => {
    const { run, url } = await open({
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    })
    const { id } = await run('maintainer')
    const ship = await jobOf(world, id, 'ship')
    expect(ship.status).toBe('manual')
    const deployments = (await world.as('owner').get(`${url}/deployments?status=blocked`)).json()
    const one = `${url}/deployments/${deployments[0].id}`
    const approve = (who: Who, body: object = { status: 'approved', comment: 'Fine' }) =>
      world.as(who).post(`${one}/approval`, body)
    const play = () => world.as('maintainer').post(`${url}/jobs/${ship.id}/play`)
    expect((await play()).statusCode).toBe(400)
    const developer = await approve('developer')
    expect([developer.statusCode, developer.json()]).toEqual(forbidden)
    const own = await approve('maintainer')
    expect([own.statusCode, own.json()]).toEqual([
      400,
      { message: '400 Bad request - You cannot approve your own deployment.' },
    ])
    const first = await approve('owner')
    const given = {
      user: expect.objectContaining({ id: world.users.owner.id }),
      status: 'approved',
      created_at: expect.any(String),
      comment: 'Fine',
    }
    expect([first.statusCode, first.json()]).toEqual([201, given])
    expect((await world.as('owner').get(one)).json()).toMatchObject({
      status: 'blocked',
      approvals: [given],
      pending_approval_count: 1,
    })
    expect((await play()).statusCode).toBe(400)
    expect((await approve('admin')).statusCode).toBe(201)
    expect((await world.as('owner').get(one)).json()).toMatchObject({
      status: 'created',
      pending_approval_count: 0,
    })
    expect((await play()).json().status).toBe('pending')
    const late = await approve('owner')
    expect([late.statusCode, late.json()]).toEqual([
      400,
      { message: '400 Bad request - This deployment is not waiting for approvals.' },
    ])
  })

  it('waits for approvals as well when it was skipped before', async () => {
    const { project, run, url } = await open({ required_approval_count: 1 })
    const config = {
      stages: ['a', 'b'],
      one: { stage: 'a', script: 'x' },
      ship: { stage: 'b', script: 'x', environment: 'production' },
    }
    await world.commit(project, { '.gitlab-ci.yml': null })
    await world.commit(project, { '.gitlab-ci.yml': JSON.stringify(config) })
    const { id } = await run('maintainer')
    const shown = async () => {
      const [deployment] = (await world.as('owner').get(`${url}/deployments`)).json()
      return [(await jobOf(world, id, 'ship')).status, deployment.status]
    }
    const end = async (event: 'drop' | 'succeed') => {
      const one = await jobOf(world, id, 'one')
      await tellJob(world, one, 'run')
      await tellJob(world, one, event)
      return one
    }
    const { id: failed } = await end('drop')
    expect(await shown()).toEqual(['skipped', 'skipped'])
    await world.as('maintainer').post(`${url}/jobs/${failed}/retry`)
    expect(await shown()).toEqual(['created', 'created'])
    await end('succeed')
    expect(await shown()).toEqual(['manual', 'blocked'])
    const { id: ship } = await jobOf(world, id, 'ship')
    const play = () => world.as('maintainer').post(`${url}/jobs/${ship}/play`)
    expect((await play()).statusCode).toBe(400)
    const [{ id: deployment }] = (await world.as('owner').get(`${url}/deployments`)).json()
    await world
      .as('owner')
      .post(`${url}/deployments/${deployment}/approval`, { status: 'approved' })
    expect((await play()).json().status).toBe('pending')
    await tellJob(world, await jobOf(world, id, 'ship'), 'run')
    expect(await shown()).toEqual(['running', 'running'])
  })

  it('fails when its deployment is rejected', async () => {
    const { run, url } = await open({ required_approval_count: 1 })
    const { id } = await run('developer')
    const [deployment] = (await world.as('owner').get(`${url}/deployments?status=blocked`)).json()
    const rejected = await world
      .as('maintainer')
      .post(`${url}/deployments/${deployment.id}/approval`, { status: 'rejected' })
    expect([rejected.statusCode, rejected.json()]).toMatchObject([201, { status: 'rejected' }])
    expect(await jobOf(world, id, 'ship')).toMatchObject({
      status: 'failed',
      failure_reason: 'deployment_rejected',
    })
  })
})

it('Protected environments of an archived project are read and not changed', async () => {
  const { id } = await world.newProject()
  const url = `/projects/${id}/protected_environments`
  const client = world.as('maintainer')
  const levels = { deploy_access_levels: [{ access_level: 40 }] }
  await client.post(url, { name: 'production', ...levels })
  await world.as('owner').post(`/projects/${id}/archive`)
  const one = `${url}/production`
  const answers = [
    await client.get(one),
    await client.post(url, { name: 'other', ...levels }),
    await client.put(one, { required_approval_count: 1 }),
    await client.delete(one),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 403, 403])
})
