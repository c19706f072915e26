import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { type Received, type Receiver, startReceiver } from '../../../../test/kit/receiver.ts'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let app: TestApp
let world: World
let receiver: Receiver
beforeAll(async () => {
  app = await startApp()
  world = await newWorld(app)
  receiver = await startReceiver()
  await world.as('admin').put('/application/settings', {
    allow_local_requests_from_web_hooks_and_services: true,
  })
})
afterAll(() => app.close())
beforeEach(() => {
  receiver.received.length = 0
})

/** What the webhook of `base` with these flags is called with while `happen` runs. */
async function callsOf(
  base: string,
  flags: readonly string[],
  happen: () => Promise<unknown>,
): Promise<Received[]> {
  await app.worker.drain()
  const on = Object.fromEntries(flags.map((flag) => [flag, true]))
  const quiet = { push_events: false, repository_update_events: false }
  const body = { url: receiver.url, ...quiet, ...on }
  const { id } = (await world.as('admin').post(base, body)).json()
  receiver.received.length = 0
  await happen()
  await app.worker.drain()
  await world.as('admin').delete(`${base}/${id}`)
  return receiver.received
}
const headerOf = ({ headers }: Received) => headers['x-gitlab-event']
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
const person = (who: 'owner' | 'maintainer' | 'developer') => {
  const { id, name, username } = world.users[who]
  return { id, name, username, avatar_url: null, email: '[REDACTED]' }
}

describe('Pipelines and their jobs', () => {
  const config = {
    stages: ['build', 'deploy'],
    make: { stage: 'build', script: 'make', tags: ['fast'] },
    ship: { stage: 'deploy', script: 'ship', environment: { name: 'production' } },
  }

  it('are told of as they go on', async () => {
    const project = await newCiProject(world, config)
    const base = `/projects/${project.id}/hooks`
    const flags = ['pipeline_events', 'job_events', 'deployment_events']
    let pipeline_id = 0
    const calls = await callsOf(base, flags, async () => {
      const pipeline = await newPipeline(world, project)
      pipeline_id = pipeline.id
      for (const name of ['make', 'ship']) {
        await tellJob(world, await jobOf(world, pipeline_id, name), 'run')
        await tellJob(world, await jobOf(world, pipeline_id, name), 'succeed')
      }
    })
    const bodies = calls.map(({ body }) => body)
    const statuses = (kind: string, pick: (body: Received['body']) => string) =>
      bodies.filter(({ object_kind }) => object_kind === kind).map(pick)
    expect(statuses('pipeline', (body) => body.object_attributes.status).toSorted()).toEqual([
      'pending',
      'running',
      'success',
    ])
    expect(statuses('build', (b) => `${b.build_name} ${b.build_status}`).toSorted()).toEqual([
      'make created',
      'make pending',
      'make running',
      'make success',
      'ship created',
      'ship pending',
      'ship running',
      'ship success',
    ])
    expect(statuses('deployment', (body) => body.status).toSorted()).toEqual(['running', 'success'])
    expect(new Set(calls.map(headerOf))).toEqual(
      new Set(['Pipeline Hook', 'Job Hook', 'Deployment Hook']),
    )

    const done = bodies.find((body) => body.object_attributes?.status === 'success')
    const sha = done.object_attributes.sha
    const web_url = `http://bloomery.test/${project.full_path}`
    const job = {
      id: expect.any(Number),
      status: 'success',
      created_at: time,
      started_at: time,
      finished_at: time,
      duration: 0,
      queued_duration: 0,
      failure_reason: null,
      when: 'on_success',
      manual: false,
      allow_failure: false,
      user: person('owner'),
      runner: null,
      artifacts_file: { filename: null, size: null },
      environment: null,
    }
    const production = { name: 'production', action: 'start', deployment_tier: 'production' }
    expect(done).toEqual({
      object_kind: 'pipeline',
      object_attributes: {
        id: pipeline_id,
        iid: 1,
        name: null,
        ref: 'main',
        tag: false,
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        before_sha: '0'.repeat(40),
        source: 'api',
        status: 'success',
        detailed_status: 'passed',
        stages: ['build', 'deploy'],
        created_at: time,
        finished_at: time,
        duration: 0,
        queued_duration: 0,
        protected_ref: true,
        variables: [],
        url: `${web_url}/-/pipelines/${pipeline_id}`,
      },
      merge_request: null,
      user: person('owner'),
      project: {
        id: project.id,
        name: project.name,
        description: null,
        web_url,
        avatar_url: null,
        git_ssh_url: `ssh://git@bloomery.test:2222/${project.full_path}.git`,
        git_http_url: `${web_url}.git`,
        namespace: world.groups.shut.name,
        visibility_level: 0,
        path_with_namespace: project.full_path,
        default_branch: 'main',
        ci_config_path: null,
      },
      commit: {
        id: sha,
        message: 'Add files',
        title: 'Add files',
        timestamp: expect.any(String),
        url: `${web_url}/-/commit/${sha}`,
        author: { name: world.users.owner.name, email: world.users.owner.email },
      },
      builds: [
        { ...job, stage: 'build', name: 'make' },
        { ...job, stage: 'deploy', name: 'ship', environment: production },
      ],
    })
    const built = bodies.find((b) => b.build_name === 'ship' && b.build_status === 'success')
    expect(built).toMatchObject({
      object_kind: 'build',
      ref: 'main',
      sha,
      pipeline_id,
      project_id: project.id,
      project_name: `${world.groups.shut.name} / ${project.name}`,
      build_stage: 'deploy',
      build_created_at: time,
      build_started_at: time,
      build_finished_at: time,
      build_failure_reason: 'unknown_failure',
      runner: null,
      user: person('owner'),
      commit: { id: pipeline_id, sha, message: 'Add files', author_name: world.users.owner.name },
      repository: { name: project.name, visibility_level: 0 },
      environment: production,
    })
    const deployed = bodies.find((b) => b.object_kind === 'deployment' && b.status === 'success')
    expect(deployed).toMatchObject({
      deployment_id: expect.any(Number),
      deployable_id: built.build_id,
      deployable_url: `${web_url}/-/jobs/${built.build_id}`,
      environment: 'production',
      environment_tier: 'production',
      short_sha: sha.slice(0, 8),
      user: person('owner'),
      user_url: `http://bloomery.test/${world.users.owner.username}`,
      commit_url: `${web_url}/-/commit/${sha}`,
      commit_title: 'Add files',
      ref: 'main',
    })
  })

  it('are tried with the newest of them', async () => {
    const project = await newCiProject(world, config)
    const pipeline = await newPipeline(world, project)
    const base = `/projects/${project.id}/hooks`
    const { id } = (await world.as('maintainer').post(base, { url: receiver.url })).json()
    await newPipeline(world, await newCiProject(world, config))
    for (const trigger of ['pipeline_events', 'job_events', 'push_events', 'tag_push_events']) {
      const tried = await world.as('maintainer').post(`${base}/${id}/test/${trigger}`)
      expect([tried.statusCode, tried.json()]).toEqual([201, { message: '201 Created' }])
    }
    const [first, second, third, fourth] = receiver.received.map(({ body }) => body)
    expect(first.object_attributes.id).toBe(pipeline.id)
    expect(second).toMatchObject({ object_kind: 'build', pipeline_id: pipeline.id })
    expect(third).toMatchObject({ object_kind: 'push', ref: 'refs/heads/main' })
    expect(fourth).toMatchObject({ object_kind: 'tag_push', ref: 'refs/tags/v1.0.0' })
  })
})

it('A webhook is tried with the newest issue, request, note or release of its project', async () => {
  const place = await newBranches(world)
  const other = await newBranches(world)
  const developer = world.as('developer')
  const fill = async ({ project, url }: typeof place, name: string) => {
    const at = `/projects/${project.id}`
    const issues = `${at}/issues`
    for (const title of ['first', `open in ${name}`]) await developer.post(issues, { title })
    await developer.post(issues, { title: `hidden in ${name}`, confidential: true })
    await newRequest(world, { url }, { title: `request in ${name}` })
    await developer.post(`${issues}/2/notes`, { body: `note in ${name}` })
    await developer.post(`${issues}/2/notes`, { body: `internal in ${name}`, internal: true })
    await developer.put(`${issues}/2`, { add_labels: 'named' })
    await developer.put(`${issues}/2`, { title: `open still in ${name}` })
    await developer.post(`${at}/releases`, { tag_name: 'v1', ref: 'main', name: `v1 of ${name}` })
  }
  await fill(place, 'one')
  await fill(other, 'two')
  await world.app.worker.drain()
  const base = `/projects/${place.project.id}/hooks`
  const { id } = (await world.as('maintainer').post(base, { url: receiver.url })).json()
  const tried = async (flag: string) => {
    receiver.received.length = 0
    await world.as('maintainer').post(`${base}/${id}/test/${flag}`)
    const [call] = receiver.received
    return (
      call?.body.object_attributes?.note ?? call?.body.object_attributes?.title ?? call?.body.name
    )
  }
  expect(await tried('issues_events')).toBe('open still in one')
  expect(await tried('confidential_issues_events')).toBe('hidden in one')
  expect(await tried('merge_requests_events')).toBe('request in one')
  expect(await tried('note_events')).toBe('note in one')
  expect(await tried('confidential_note_events')).toBe('internal in one')
  expect(await tried('releases_events')).toBe('v1 of one')
  await developer.post(`/projects/${place.project.id}/issues/3/notes`, {
    body: 'under a hidden one',
  })
  expect(await tried('note_events')).toBe('note in one')
  expect(await tried('confidential_note_events')).toBe('under a hidden one')
})

describe('Issues', () => {
  it('are told of with what has changed', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/issues`
    const calls = await callsOf(`/projects/${project.id}/hooks`, ['issues_events'], async () => {
      const made = await world.as('developer').post(url, {
        ...{ title: 'One', labels: 'bug' },
        description: '![x](/uploads/1/a.png) ![y](/y.png) [z](/z)',
      })
      const one = `${url}/${made.json().iid}`
      await world.as('developer').put(one, { title: 'Two', add_labels: 'new' })
      await world.as('developer').put(one, { state_event: 'close' })
      await world.as('developer').put(one, { state_event: 'reopen' })
      await world.as('developer').post(url, { title: 'Hidden', confidential: true })
    })
    expect(calls.map(headerOf)).toEqual(['Issue Hook', 'Issue Hook', 'Issue Hook', 'Issue Hook'])
    const bodies = calls
      .map(({ body }) => body)
      .toSorted(
        (a, b) =>
          actions.indexOf(a.object_attributes.action) - actions.indexOf(b.object_attributes.action),
      )
    expect(bodies.map(({ object_attributes }) => object_attributes.action)).toEqual(actions)
    const [opened, updated, closed] = bodies
    expect(opened).toMatchObject({
      object_kind: 'issue',
      event_type: 'issue',
      user: person('developer'),
      project: { id: project.id, path_with_namespace: project.full_path },
      object_attributes: {
        description: `![x](http://bloomery.test/${project.full_path}/uploads/1/a.png) ![y](http://bloomery.test/y.png) [z](/z)`,
        iid: 1,
        author_id: world.users.developer.id,
        assignee_id: null,
        assignee_ids: [],
        confidential: false,
        human_time_estimate: null,
        url: `http://bloomery.test/${project.full_path}/-/issues/1`,
        created_at: time,
        severity: 'unknown',
      },
      repository: { name: project.name },
    })
    expect(opened).not.toHaveProperty('assignees')
    expect(updated.changes).toMatchObject({
      title: { previous: 'One', current: 'Two' },
      labels: { previous: [{ title: 'bug' }], current: [{ title: 'bug' }, { title: 'new' }] },
      updated_at: { previous: time, current: time },
    })
    expect(closed.changes).toMatchObject({ state_id: { previous: 1, current: 2 } })
  })
  const actions = ['open', 'update', 'close', 'reopen']

  it('that are confidential are for webhooks that ask for those', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/issues`
    const base = `/projects/${project.id}/hooks`
    const calls = await callsOf(base, ['confidential_issues_events'], async () => {
      await world.as('developer').post(url, { title: 'Open' })
      await world.as('developer').post(url, { title: 'Hidden', confidential: true })
    })
    expect(calls.map(headerOf)).toEqual(['Confidential Issue Hook'])
    expect(calls[0]?.body).toMatchObject({
      event_type: 'confidential_issue',
      object_attributes: { title: 'Hidden', confidential: true },
    })
  })
})

describe('What turns confidential before its webhook is called', () => {
  it('is told to nobody who asked for what is open', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/issues`
    const flags = ['issues_events', 'note_events']
    const calls = await callsOf(`/projects/${project.id}/hooks`, flags, async () => {
      const { iid } = (await world.as('developer').post(url, { title: 'Open' })).json()
      await world.as('developer').post(`${url}/${iid}/notes`, { body: 'Said' })
      await world.as('developer').put(`${url}/${iid}`, { title: 'Hidden', confidential: true })
    })
    expect(calls).toEqual([])
  })
})

describe('Merge requests', () => {
  it('are told of as they are made, changed and merged', async () => {
    const branches = await newBranches(world)
    const { project, url } = branches
    const base = `/projects/${project.id}/hooks`
    let request: { id: number; iid: number } = { id: 0, iid: 0 }
    const calls = await callsOf(base, ['merge_requests_events'], async () => {
      request = await newRequest(world, branches, {
        title: 'Topic',
        assignee_ids: [world.users.maintainer.id],
        reviewer_ids: [world.users.owner.id],
      })
      await app.worker.drain()
      await world.as('developer').put(`${url}/${request.iid}`, { title: 'Draft: Topic' })
      await world.as('developer').put(`${url}/${request.iid}`, { title: 'Topic' })
      await app.worker.drain()
      const merged = await world.as('maintainer').put(`${url}/${request.iid}/merge`)
      expect(merged.statusCode).toBe(200)
    })
    expect(new Set(calls.map(headerOf))).toEqual(new Set(['Merge Request Hook']))
    const bodies = calls.map(({ body }) => body)
    const find = (action: string) =>
      bodies.find(({ object_attributes }) => object_attributes.action === action)
    const opened = find('open')
    const web_url = `http://bloomery.test/${project.full_path}`
    expect(opened).toMatchObject({
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: person('developer'),
      project: { id: project.id, homepage: web_url },
      object_attributes: {
        id: request.id,
        iid: 1,
        author_id: world.users.developer.id,
        assignee_id: world.users.maintainer.id,
        assignee_ids: [world.users.maintainer.id],
        source_branch: 'topic',
        source_project_id: project.id,
        target_branch: 'main',
        target_project_id: project.id,
        merge_params: { force_remove_source_branch: '0' },
        merge_when_pipeline_succeeds: false,
        merge_error: null,
        merge_user_id: null,
        head_pipeline_id: null,
        source: { id: project.id, homepage: web_url },
        target: { id: project.id, homepage: web_url },
        work_in_progress: false,
        draft: false,
        blocking_discussions_resolved: true,
        url: `${web_url}/-/merge_requests/1`,
        human_total_time_spent: null,
        created_at: time,
      },
      labels: [],
      repository: { name: project.name, homepage: web_url },
      assignees: [person('maintainer')],
      reviewers: [person('owner')],
    })
    const titles = bodies.flatMap(({ changes }) => changes.title ?? [])
    expect(titles).toContainEqual({ previous: 'Topic', current: 'Draft: Topic' })
    expect(find('merge')).toMatchObject({
      user: person('maintainer'),
      object_attributes: {
        state: 'merged',
        state_id: 3,
        merge_user_id: world.users.maintainer.id,
        merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        last_commit: { title: 'Change the topic', author: { name: world.users.owner.name } },
      },
    })
  })
})

describe('Notes', () => {
  it('are told of with what they are on', async () => {
    const branches = await newBranches(world)
    const { project, head } = branches
    const issues = `/projects/${project.id}/issues`
    const calls = await callsOf(`/projects/${project.id}/hooks`, ['note_events'], async () => {
      const { iid } = await newRequest(world, branches)
      await world.as('developer').post(issues, { title: 'One' })
      await world.as('developer').post(issues, { title: 'Two', confidential: true })
      const notes = [`${branches.url}/${iid}/notes`, `${issues}/1/notes`, `${issues}/2/notes`]
      for (const url of notes) {
        expect((await world.as('developer').post(url, { body: 'Said' })).statusCode).toBe(201)
      }
    })
    expect(calls.map(headerOf)).toEqual(['Note Hook', 'Note Hook'])
    const find = (type: string) =>
      calls
        .map(({ body }) => body)
        .find(({ object_attributes }) => object_attributes.noteable_type === type)
    const web_url = `http://bloomery.test/${project.full_path}`
    expect(find('Issue')).toMatchObject({
      object_kind: 'note',
      event_type: 'note',
      user: person('developer'),
      project_id: project.id,
      object_attributes: {
        note: 'Said',
        description: 'Said',
        author_id: world.users.developer.id,
        system: false,
        line_code: null,
        url: expect.stringContaining(`${web_url}/-/issues/1#note_`),
        created_at: time,
      },
      repository: { name: project.name },
      issue: { iid: 1, title: 'One', state: 'opened' },
    })
    expect(find('MergeRequest')).toMatchObject({
      merge_request: { iid: 1, source_branch: 'topic', last_commit: { id: head } },
    })
  })
})

describe('Releases', () => {
  it('are told of with what they are made of, the last time when they go', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = `/projects/${project.id}/releases`
    const calls = await callsOf(`/projects/${project.id}/hooks`, ['releases_events'], async () => {
      const link = { name: 'Elsewhere', url: 'https://example.com/x' }
      const body = { tag_name: 'v1', ref: 'main', description: 'd', assets: { links: [link] } }
      await world.as('owner').post(url, body)
      await world.as('owner').put(`${url}/v1`, { name: 'One' })
      await world.as('owner').delete(`${url}/v1`)
    })
    expect(new Set(calls.map(headerOf))).toEqual(new Set(['Release Hook']))
    const find = (action: string) => calls.map(({ body }) => body).find((b) => b.action === action)
    const web_url = `http://bloomery.test/${project.full_path}`
    expect(find('create')).toEqual({
      id: expect.any(Number),
      created_at: time,
      description: 'd',
      name: 'v1',
      released_at: time,
      tag: 'v1',
      object_kind: 'release',
      project: expect.objectContaining({ id: project.id }),
      url: `${web_url}/-/releases/v1`,
      action: 'create',
      assets: {
        count: 5,
        links: [
          {
            id: expect.any(Number),
            external: true,
            link_type: 'other',
            name: 'Elsewhere',
            url: 'https://example.com/x',
          },
        ],
        sources: ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
          format,
          url: `${web_url}/-/archive/v1/${project.path}-v1.${format}`,
        })),
      },
      commit: expect.objectContaining({ title: 'Add files' }),
    })
    expect(find('update')).toMatchObject({ name: 'One' })
    expect(find('delete')).toMatchObject({ name: 'One', tag: 'v1' })
  })
})

describe('Members', () => {
  it('of groups are told of to the group and to the instance', async () => {
    const group = await world.newMemberedGroup()
    const { user } = await world.newUser()
    const url = `/groups/${group.id}/members`
    const happen = async () => {
      await world.as('owner').post(url, { user_id: user.id, access_level: 20 })
      await world.as('owner').put(`${url}/${user.id}`, { access_level: 30 })
      await world.as('owner').delete(`${url}/${user.id}`)
    }
    const told = [
      ['user_add_to_group', 'Reporter'],
      ['user_remove_from_group', 'Developer'],
      ['user_update_for_group', 'Developer'],
    ]
    for (const [base, flags, header] of [
      [`/groups/${group.id}/hooks`, ['member_events'], 'Member Hook'],
      ['/hooks', [], 'System Hook'],
    ] as const) {
      const calls = await callsOf(base, flags, happen)
      const bodies = calls.map(({ body }) => body)
      expect(bodies.map((body) => [body.event_name, body.group_access]).toSorted()).toEqual(told)
      expect(new Set(calls.map(headerOf))).toEqual(new Set([header]))
      expect(bodies.find((body) => body.event_name === 'user_add_to_group')).toEqual({
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        group_name: group.name,
        group_path: group.path,
        group_id: group.id,
        user_username: user.username,
        user_name: user.name,
        user_email: '[REDACTED]',
        user_id: user.id,
        group_access: 'Reporter',
        group_plan: null,
        expires_at: null,
        event_name: 'user_add_to_group',
      })
    }
  })

  it('of projects are told of to the instance', async () => {
    const project = await world.newProject()
    const { user } = await world.newUser()
    const calls = await callsOf('/hooks', [], () =>
      world
        .as('owner')
        .post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 40 }),
    )
    expect(calls.map(({ body }) => body)).toEqual([
      {
        event_name: 'user_add_to_team',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        project_name: project.name,
        project_path: project.path,
        project_path_with_namespace: project.full_path,
        project_id: project.id,
        user_username: user.username,
        user_name: user.name,
        user_email: '[REDACTED]',
        user_id: user.id,
        access_level: 'Maintainer',
        project_visibility: 'private',
      },
    ])
  })
})

describe('System hooks', () => {
  const namesOf = (calls: readonly Received[]) => calls.map(({ body }) => body.event_name)

  it('are told of projects', async () => {
    let id = 0
    const at = (event_name: string) => ({ event_name })
    const calls = await callsOf('/hooks', [], async () => {
      const made = await world.as('admin').post('/projects', { name: 'Told', path: 'told' })
      id = made.json().id
      await world.as('admin').put(`/projects/${id}`, { description: 'x' })
      await world.as('admin').put(`/projects/${id}`, { path: 'retold' })
      const namespace = world.groups.shut.id
      await world.as('admin').put(`/projects/${id}/transfer`, { namespace })
      await world.as('admin').delete(`/projects/${id}`)
    })
    const names = ['create', 'update', 'rename', 'transfer', 'destroy']
    expect(namesOf(calls).toSorted()).toEqual(names.map((name) => `project_${name}`).toSorted())
    const find = (name: string) =>
      calls.map(({ body }) => body).find(({ event_name }) => event_name === name)
    expect(find('project_create')).toEqual({
      ...at('project_create'),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      name: 'Told',
      path: 'told',
      path_with_namespace: 'root/told',
      project_id: id,
      project_namespace_id: expect.any(Number),
      owner_name: 'Administrator',
      owner_email: '[REDACTED]',
      owners: [{ name: 'Administrator', email: '[REDACTED]' }],
      project_visibility: 'private',
    })
    expect(find('project_rename')).toMatchObject({
      path_with_namespace: 'root/retold',
      old_path_with_namespace: 'root/told',
    })
    expect(find('project_transfer')).toMatchObject({
      path_with_namespace: `${world.groups.shut.full_path}/retold`,
      old_path_with_namespace: 'root/retold',
      owner_name: world.groups.shut.name,
      owners: [],
    })
  })

  it('are told of groups, and the groups above them too', async () => {
    const parent = await world.newMemberedGroup()
    const happen = async () => {
      const body = { name: 'Below', path: 'below', parent_id: parent.id }
      const { id } = (await world.as('admin').post('/groups', body)).json()
      await world.as('admin').put(`/groups/${id}`, { path: 'beneath' })
      await world.as('admin').delete(`/groups/${id}`)
    }
    const system = await callsOf('/hooks', [], happen)
    expect(namesOf(system).toSorted()).toEqual([
      'group_create',
      'group_destroy',
      'group_rename',
      'user_add_to_group',
    ])
    expect(system.find(({ body }) => body.event_name === 'group_rename')?.body).toMatchObject({
      name: 'Below',
      path: 'beneath',
      full_path: `${parent.full_path}/beneath`,
      owner_name: null,
      owner_email: null,
      old_path: 'below',
      old_full_path: `${parent.full_path}/below`,
    })
    const above = await callsOf(`/groups/${parent.id}/hooks`, ['subgroup_events'], happen)
    expect(namesOf(above).toSorted()).toEqual(['subgroup_create', 'subgroup_destroy'])
    expect(above.find(({ body }) => body.event_name === 'subgroup_create')?.body).toEqual({
      created_at: expect.any(String),
      updated_at: expect.any(String),
      event_name: 'subgroup_create',
      name: 'Below',
      path: 'below',
      full_path: `${parent.full_path}/below`,
      group_id: expect.any(Number),
      parent_group_id: parent.id,
      parent_name: parent.name,
      parent_path: parent.path,
      parent_full_path: parent.full_path,
    })
  })

  it('are told of users and their keys', async () => {
    const calls = await callsOf('/hooks', [], async () => {
      const { user, client } = await world.newUser()
      const pair = newKeyPair().public
      const added = await client.post('/user/keys', { title: 'k', key: pair })
      await client.delete(`/user/keys/${added.json().id}`)
      await world.as('admin').put(`/users/${user.id}`, { username: `${user.username}-x` })
      await world.as('admin').delete(`/users/${user.id}?hard_delete=true`)
    })
    expect(namesOf(calls).toSorted()).toEqual([
      'key_create',
      'key_destroy',
      'user_create',
      'user_destroy',
      'user_rename',
    ])
    const find = (name: string) =>
      calls.map(({ body }) => body).find(({ event_name }) => event_name === name)
    const { username } = find('user_create')
    expect(find('user_create')).toEqual({
      event_name: 'user_create',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      name: expect.any(String),
      email: '[REDACTED]',
      user_id: expect.any(Number),
      username,
    })
    expect(find('user_rename')).toMatchObject({ old_username: username, username: `${username}-x` })
    expect(find('key_create')).toMatchObject({ username, key: expect.stringMatching(/^ssh-/) })
  })
})

describe('Wiki page events', () => {
  it('tell of pages that are made, changed and deleted, by the API and by name', async () => {
    const project = await world.newProject()
    const base = `/projects/${project.id}/wikis`
    const owner = world.as('owner')
    const calls = await callsOf(`/projects/${project.id}/hooks`, ['wiki_page_events'], async () => {
      await owner.post(base, { title: 'a/New page', content: 'one' })
      await owner.put(`${base}/a%2FNew-page`, { content: 'two' })
      await owner.delete(`${base}/a%2FNew-page`)
    })
    const told = calls.map(({ headers, body }) => [headers['x-gitlab-event'], body])
    const { username } = world.users.owner
    const attributes = (action: string, content: string) => ({
      slug: 'a/New-page',
      title: 'New page',
      format: 'markdown',
      message: `${username} ${action}d page: New page`,
      content,
      url: expect.stringMatching(/\/-\/wikis\/a\/New-page$/),
      action,
      diff_url: expect.stringContaining('/-/wikis/a%2FNew-page/diff?version_id='),
      version_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const wiki = {
      web_url: expect.stringMatching(new RegExp(`/${project.full_path}/-/wikis$`)),
      git_ssh_url: expect.stringContaining(`/${project.full_path}.wiki.git`),
      git_http_url: expect.stringContaining(`/${project.full_path}.wiki.git`),
      path_with_namespace: `${project.full_path}.wiki`,
      default_branch: 'main',
    }
    const common = {
      object_kind: 'wiki_page',
      user: expect.objectContaining({ username }),
      project: expect.objectContaining({ id: project.id }),
      wiki,
    }
    expect(told).toHaveLength(3)
    for (const [action = '', content = ''] of [
      ['create', 'one'],
      ['update', 'two'],
      ['delete', 'two'],
    ]) {
      expect(told).toContainEqual([
        'Wiki Page Hook',
        { ...common, object_attributes: attributes(action, content) },
      ])
    }
    const test = await owner.post(`/projects/${project.id}/hooks`, {
      url: receiver.url,
      wiki_page_events: true,
    })
    const { id } = test.json()
    const empty = await owner.post(`/projects/${project.id}/hooks/${id}/test/wiki_page_events`)
    expect([empty.statusCode, empty.json()]).toEqual([
      422,
      { message: 'Ensure the wiki is enabled and has pages.' },
    ])
    await owner.post(base, { title: 'home', content: 'x' })
    const tried = await owner.post(`/projects/${project.id}/hooks/${id}/test/wiki_page_events`)
    expect(tried.statusCode).toBe(201)
  })
})
