import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { type Receiver, startReceiver } from '../../../../test/kit/receiver.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { enqueueHookCalls } from './call-hooks.ts'
import { removeOldDeliveries } from './webhook.tasks.ts'

let app: TestApp
let world: World
let receiver: Receiver
beforeAll(async () => {
  app = await startApp()
  world = await newWorld(app)
  receiver = await startReceiver()
})
afterAll(() => app.close())

const letLocal = (isOpen: boolean) =>
  world
    .as('admin')
    .put('/application/settings', { allow_local_requests_from_web_hooks_and_services: isOpen })
beforeEach(async () => {
  await letLocal(true)
  await app.db.deleteFrom('tasks').where('name', '=', 'call-webhook').execute()
  receiver.received.length = 0
  receiver.answer = (response) => response.end('ok')
})

/** Pushes one commit, and lets everything happen that follows. */
let made = 0
async function push(project: Awaited<ReturnType<World['newProject']>>) {
  const oid = await world.commit(project, { [`file-${++made}`]: 'x' })
  await app.worker.drain()
  return oid
}

const paths = {
  project: async () => `/projects/${(await world.newProject({ files: { a: 'a' } })).id}/hooks`,
  group: async () => `/groups/${(await world.newMemberedGroup()).id}/hooks`,
  system: async () => '/hooks',
}
const owners = [
  ['project', 'maintainer', 'developer'],
  ['group', 'owner', 'maintainer'],
  ['system', 'admin', 'owner'],
] as const

const off = (flags: readonly string[]) => Object.fromEntries(flags.map((flag) => [flag, false]))
const ownFlags = [
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'job_events',
  'releases_events',
]

describe.each(owners)('Webhooks of a %s', (kind, lowest, tooLow) => {
  it('are made, shown, changed and deleted', async () => {
    const base = await paths[kind]()
    const client = world.as(lowest)
    const created = await client.post(base, { url: 'https://hooks.example.com/a', token: 's3cret' })
    const { id } = created.json()
    const plain = {
      id,
      url: 'https://hooks.example.com/a',
      created_at: expect.any(String),
      push_events: kind !== 'system',
      tag_push_events: false,
      merge_requests_events: false,
      repository_update_events: kind === 'system',
      enable_ssl_verification: true,
      ...(kind === 'system'
        ? {}
        : {
            [`${kind}_id`]: Number(base.split('/')[2]),
            ...off(ownFlags),
            ...(kind === 'group' ? off(['subgroup_events', 'member_events']) : {}),
            push_events_branch_filter: null,
            name: null,
            description: null,
            alert_status: 'executable',
            disabled_until: null,
          }),
    }
    expect([created.statusCode, created.json()]).toEqual([201, plain])
    expect((await client.get(`${base}/${id}`)).json()).toEqual(plain)
    expect((await client.get(base)).json()).toContainEqual(plain)
    const changed = await client.put(`${base}/${id}`, {
      url: 'https://hooks.example.com/b',
      tag_push_events: true,
      enable_ssl_verification: false,
    })
    const after = {
      ...plain,
      url: 'https://hooks.example.com/b',
      tag_push_events: true,
      enable_ssl_verification: false,
    }
    expect([changed.statusCode, changed.json()]).toEqual([200, after])
    const deleted = await client.delete(`${base}/${id}`)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    for (const method of ['get', 'delete'] as const) {
      const gone = await client[method](`${base}/${id}`)
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it.each([
    [{}, 400, { error: 'url is missing' }],
    [{ url: 'ftp://x.test/' }, 422, { error: 'Invalid url given' }],
    [{ url: 'nothing' }, 422, { error: 'Invalid url given' }],
    [{ url: 'https://x.test/', push_events: 'x' }, 400, { error: 'push_events is invalid' }],
    [
      { url: 'https://x.test/', push_events_branch_filter: '~badbranchname/' },
      422,
      { error: 'Invalid branch filter given' },
    ],
    [{ url: 'https://x.test/', token: 'a\nb' }, 422, { message: { token: ['is invalid'] } }],
  ])('are refused with %j', async (body, status, problem) => {
    const answer = await world.as(lowest).post(await paths[kind](), body)
    expect([answer.statusCode, answer.json()]).toEqual([status, problem])
  })

  it('are for those who administer it alone', async () => {
    const base = await paths[kind]()
    const made = await world.as('admin').post(base, { url: 'https://hooks.example.com/a' })
    const one = `${base}/${made.json().id}`
    for (const url of [base, one, `${one}/events`]) {
      expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
      expect((await world.as(tooLow).get(url)).statusCode).toBe(403)
    }
    const body = { url: 'https://hooks.example.com/b' }
    expect((await world.as(tooLow).post(base, body)).statusCode).toBe(403)
    expect((await world.as(tooLow).put(one, body)).statusCode).toBe(403)
    expect((await world.as(tooLow).delete(one)).statusCode).toBe(403)
    const hidden = kind === 'system' ? 403 : 404
    expect((await world.as('outsider').get(base)).statusCode).toBe(hidden)
    // One of the instance would be called by all that follows, and its name looked up each time.
    await world.as('admin').delete(one)
  })

  it('are changed by something', async () => {
    const base = await paths[kind]()
    const { id } = (await world.as(lowest).post(base, { url: 'https://h.example.com/' })).json()
    const answer = await world.as(lowest).put(`${base}/${id}`, {})
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatch(/^url, token, .* are missing, at least one parameter must/)
    await world.as(lowest).delete(`${base}/${id}`)
  })
})

describe('A webhook', () => {
  it('is found and called at its own place, and for what lies below it', async () => {
    const top = await world.newMemberedGroup()
    const [group, beside] = [
      await world.newGroup({ parent: top }),
      await world.newGroup({ parent: top }),
    ]
    const [project, other] = [
      await world.newProject({ group, files: { a: 'a' } }),
      await world.newProject({ group, files: { a: 'a' } }),
    ]
    await app.worker.drain()
    const admin = world.as('admin')
    const places = {
      own: `/projects/${project.id}/hooks`,
      other: `/projects/${other.id}/hooks`,
      group: `/groups/${group.id}/hooks`,
      top: `/groups/${top.id}/hooks`,
      beside: `/groups/${beside.id}/hooks`,
      system: '/hooks',
    }
    const urls: string[] = []
    for (const [name, base] of Object.entries(places)) {
      const flags = { push_events: true, member_events: true }
      const made = await admin.post(base, { url: `${receiver.url}/${name}`, ...flags })
      const { id } = made.json()
      for (const elsewhere of Object.values(places)) {
        const found = await admin.get(`${elsewhere}/${id}`)
        expect(found.statusCode).toBe(elsewhere === base ? 200 : 404)
      }
      urls.push(`${base}/${id}`)
    }
    for (const [name, base] of Object.entries(places)) {
      const listed = (await admin.get(base)).json().map(({ url }: { url: string }) => url)
      const ours = listed.filter((url: string) => url.startsWith(receiver.url))
      expect(ours).toEqual([`${receiver.url}/${name}`])
    }
    const called = () => [...new Set(receiver.received.map(({ path }) => path))].toSorted()
    await push(project)
    expect(called()).toEqual(['/group', '/own', '/system', '/top'])
    const [own, , ofGroup] = urls
    const [delivery] = (await admin.get(`${own}/events`)).json()
    expect((await admin.get(`${own}/events`)).json()).toHaveLength(1)
    expect((await admin.post(`${ofGroup}/events/${delivery.id}/resend`)).statusCode).toBe(404)
    receiver.received.length = 0
    const { user } = await world.newUser()
    await admin.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 10 })
    await app.worker.drain()
    expect(called()).toEqual(['/group', '/system', '/top'])
    for (const url of urls) await admin.delete(url)
  })

  it('lies at no address of this machine or network unless the settings say so', async () => {
    const base = await paths.project()
    const client = world.as('maintainer')
    await letLocal(false)
    for (const url of [
      receiver.url,
      `http://localhost:${receiver.port}`,
      'http://[::1]/',
      'http://10.1.2.3/',
      'http://169.254.169.254/latest',
      'http://0x7f000001/',
      'http://[::ffff:127.0.0.1]/',
    ]) {
      const answer = await client.post(base, { url })
      expect([url, answer.statusCode, answer.json()]).toEqual([
        url,
        422,
        { error: 'Invalid url given' },
      ])
    }
    const allowed = { outbound_local_requests_whitelist: ['10.1.0.0/16', '127.0.0.2'] }
    await world.as('admin').put('/application/settings', allowed)
    expect((await client.post(base, { url: 'http://10.1.2.3/' })).statusCode).toBe(201)
    expect((await client.post(base, { url: 'http://127.0.0.2/' })).statusCode).toBe(201)
    expect((await client.post(base, { url: 'http://127.0.0.3/' })).statusCode).toBe(422)
    await world.as('admin').put('/application/settings', { outbound_local_requests_whitelist: [] })
  })

  it('tells its secrets to its receiver alone', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const base = `/projects/${project.id}/hooks`
    const url = receiver.url.replace('http://', 'http://ann:pass%20word@')
    const client = world.as('maintainer')
    const hook = (await client.post(base, { url: `${url}/in`, token: 'very-s3cret' })).json()
    expect(hook.url).toBe(`${receiver.url}/in`)
    await push(project)
    const [call] = receiver.received
    expect(call?.headers).toMatchObject({
      'x-gitlab-token': 'very-s3cret',
      authorization: `Basic ${Buffer.from('ann:pass word').toString('base64')}`,
    })
    const events = await client.get(`${base}/${hook.id}/events`)
    expect(events.json()[0].request_headers).toMatchObject({
      'X-Gitlab-Token': '[REDACTED]',
      Authorization: '[REDACTED]',
    })
    receiver.received.length = 0
    await client.put(`${base}/${hook.id}`, { url: `${receiver.url}/elsewhere` })
    await push(project)
    const { headers } = receiver.received[0] ?? {}
    expect([headers?.['x-gitlab-token'], headers?.authorization]).toEqual([undefined, undefined])
    const row = await app.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', hook.id)
      .executeTakeFirstOrThrow()
    const deliveries = await app.db.selectFrom('hook_deliveries').selectAll().execute()
    const audited = await app.db.selectFrom('audit_events').selectAll().execute()
    const seen = JSON.stringify([hook, events.json(), row, deliveries, audited, app.log])
    for (const secret of ['very-s3cret', 'pass%20word', 'pass word']) {
      expect(seen).not.toContain(secret)
    }
  })

  it('is one of so many', async () => {
    const project = await world.newProject()
    const now = app.clock.now().toISOString()
    const row = { url: 'https://x.test', events: '[]', enable_ssl_verification: true }
    await app.db
      .insertInto('webhooks')
      .values(
        Array.from({ length: limits.webhooks.per_project_max }, () => ({
          ...row,
          project_id: project.id,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute()
    const answer = await world
      .as('maintainer')
      .post(`/projects/${project.id}/hooks`, { url: 'https://x.test' })
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { message: { base: ['Maximum number of project hooks (100) exceeded'] } },
    ])
  })
})

describe('A delivery', () => {
  const newHook = async (body: object = {}) => {
    const project = await world.newProject({ files: { 'README.md': 'x' } })
    await app.worker.drain()
    const base = `/projects/${project.id}/hooks`
    const made = await world.as('maintainer').post(base, { url: `${receiver.url}/in`, ...body })
    const url = `${base}/${made.json().id}`
    const show = async () => (await world.as('maintainer').get(url)).json()
    const events = async () => (await world.as('maintainer').get(`${url}/events`)).json()
    return { project, url, show, events }
  }

  it('has its token, whatever it is written in', async () => {
    const { project } = await newHook({ token: 'ключ' })
    await push(project)
    const token = String(receiver.received[0]?.headers['x-gitlab-token'])
    expect(Buffer.from(token, 'latin1').toString()).toBe('ключ')
  })

  it('of a push has the headers and the body that receivers look for', async () => {
    const { project } = await newHook({ token: 'x' })
    const before = await app.db
      .selectFrom('projects')
      .select('description')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(before.description).toBeNull()
    const sha = await push(project)
    expect(receiver.received).toHaveLength(1)
    const [call] = receiver.received
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(call).toMatchObject({
      method: 'POST',
      path: '/in',
      headers: {
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Bloomery\//),
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': 'x',
        'x-gitlab-instance': 'http://bloomery.test',
        'x-gitlab-event-uuid': uuid,
        'x-gitlab-webhook-uuid': uuid,
        'idempotency-key': call?.headers['x-gitlab-webhook-uuid'],
      },
    })
    const web_url = `http://bloomery.test/${project.full_path}`
    const ssh = `ssh://git@bloomery.test:2222/${project.full_path}.git`
    const { owner } = world.users
    expect(call?.body).toEqual({
      object_kind: 'push',
      event_name: 'push',
      before: expect.stringMatching(/^[0-9a-f]{40}$/),
      after: sha,
      ref: 'refs/heads/main',
      checkout_sha: sha,
      message: null,
      user_id: owner.id,
      user_name: owner.name,
      user_username: owner.username,
      user_email: null,
      user_avatar: null,
      project_id: project.id,
      project: {
        id: project.id,
        name: project.name,
        description: null,
        web_url,
        avatar_url: null,
        git_ssh_url: ssh,
        git_http_url: `${web_url}.git`,
        namespace: world.groups.shut.name,
        visibility_level: 0,
        path_with_namespace: project.full_path,
        default_branch: 'main',
        ci_config_path: null,
        homepage: web_url,
        url: ssh,
        ssh_url: ssh,
        http_url: `${web_url}.git`,
      },
      commits: [
        {
          id: sha,
          message: 'Add files',
          title: 'Add files',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)$/),
          url: `${web_url}/-/commit/${sha}`,
          author: { name: owner.name, email: owner.email },
          added: [`file-${made}`],
          modified: [],
          removed: [],
        },
      ],
      total_commits_count: 1,
      push_options: {},
      repository: {
        name: project.name,
        url: ssh,
        description: null,
        homepage: web_url,
        git_http_url: `${web_url}.git`,
        git_ssh_url: ssh,
        visibility_level: 0,
      },
    })
  })

  it('of a tag is another event', async () => {
    const { project } = await newHook({ tag_push_events: true, push_events: false })
    const tag = { tag_name: 'v1', ref: 'main', message: 'The first' }
    await world.as('owner').post(`/projects/${project.id}/repository/tags`, tag)
    await app.worker.drain()
    await world.as('owner').delete(`/projects/${project.id}/repository/tags/v1`)
    await app.worker.drain()
    const [made, removed] = receiver.received
    expect(made?.headers['x-gitlab-event']).toBe('Tag Push Hook')
    expect(made?.body).toMatchObject({
      object_kind: 'tag_push',
      ref: 'refs/tags/v1',
      before: '0'.repeat(40),
      message: 'The first',
      commits: [],
      total_commits_count: 0,
    })
    expect(made?.body.checkout_sha).not.toBe(made?.body.after)
    expect(removed?.body).toMatchObject({ after: '0'.repeat(40), checkout_sha: null })
  })

  it('is made for the branches it is for', async () => {
    const { project } = await newHook({ push_events_branch_filter: 'release/*' })
    await push(project)
    expect(receiver.received).toEqual([])
    const branch = { branch: 'release/1', ref: 'main' }
    await world.as('owner').post(`/projects/${project.id}/repository/branches`, branch)
    await app.worker.drain()
    expect(receiver.received.map(({ body }) => [body.ref, body.commits])).toEqual([
      ['refs/heads/release/1', []],
    ])
  })

  it('of a redirect is one, and goes no further', async () => {
    const { project, url, events } = await newHook()
    receiver.answer = (response) => response.writeHead(302, { location: `${receiver.url}/x` }).end()
    await push(project)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/in'])
    expect(await events()).toMatchObject([{ response_status: '302' }])
    const counted = await app.db
      .selectFrom('webhooks')
      .select('failures')
      .where('id', '=', Number(url.split('/').at(-1)))
      .execute()
    expect(counted).toEqual([{ failures: 0 }])
  })

  it('that is answered with an error is put down, and not made again', async () => {
    const { project, events, url } = await newHook()
    receiver.answer = (response) => response.writeHead(500, { 'X-Why': 'tired' }).end('no\0pe')
    await push(project)
    app.clock.advance(24 * 60 * 60_000)
    await app.worker.drain()
    expect(receiver.received).toHaveLength(1)
    const [event] = await events()
    expect(event).toEqual({
      id: expect.any(Number),
      url: `${receiver.url}/in`,
      trigger: 'push_hooks',
      request_headers: expect.objectContaining({ 'X-Gitlab-Event': 'Push Hook' }),
      request_data: receiver.received[0]?.body,
      response_headers: expect.objectContaining({ 'X-Why': 'tired' }),
      response_body: 'nope',
      execution_duration: expect.any(Number),
      response_status: '500',
    })
    const client = world.as('maintainer')
    const statuses = ['500', 'server_failure', '200,500', 'successful', 'client_failure']
    const lengths = await Promise.all(
      statuses.map(async (s) => (await client.get(`${url}/events?status=${s}`)).json().length),
    )
    expect(lengths).toEqual([1, 1, 1, 0, 0])
    const wrong = await client.get(`${url}/events?status=x`)
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { error: 'status does not have a valid value' },
    ])
  })

  it('that nobody answers is made again, and pauses the webhook in the end', async () => {
    const { project, url, show, events } = await newHook()
    const gone = await startReceiver()
    await gone.close()
    await world.as('maintainer').put(url, { url: gone.url })
    await push(project)
    for (const wait_ms of limits.webhooks.retries_ms) {
      app.clock.advance(wait_ms)
      await app.worker.drain()
    }
    const tried = await events()
    expect(tried).toHaveLength(4)
    expect(
      new Set(
        tried.map((event: { request_headers: object }) =>
          Reflect.get(event.request_headers, 'Idempotency-Key'),
        ),
      ).size,
    ).toBe(1)
    expect(tried[0]).toMatchObject({
      response_status: 'internal error',
      response_body: expect.stringContaining('ECONNREFUSED'),
    })
    expect(await show()).toMatchObject({
      alert_status: 'temporarily_disabled',
      disabled_until: new Date(app.clock.now().getTime() + 60_000).toISOString(),
    })
    // What happens meanwhile is not sent.
    await push(project)
    expect(await events()).toHaveLength(4)
    app.clock.advance(60_000)
    expect(await show()).toMatchObject({ alert_status: 'executable' })
    await world.as('maintainer').put(url, { url: receiver.url })
    await push(project)
    expect(receiver.received).toHaveLength(1)
    expect(await show()).toMatchObject({ alert_status: 'executable', disabled_until: null })
  })

  it('that fails too often disables the webhook, until it is tried with success', async () => {
    const { project, url, show } = await newHook()
    const id = Number(url.split('/').at(-1))
    await app.db.updateTable('webhooks').set({ failures: 39 }).where('id', '=', id).execute()
    receiver.answer = (response) => response.writeHead(404).end()
    await push(project)
    expect(await show()).toMatchObject({ alert_status: 'disabled' })
    receiver.answer = (response) => response.end()
    await push(project)
    expect(receiver.received).toHaveLength(1)
    const tried = await world.as('maintainer').post(`${url}/test/push_events`)
    expect([tried.statusCode, tried.json()]).toEqual([201, { message: '201 Created' }])
    expect(await show()).toMatchObject({ alert_status: 'executable' })
  })

  it('goes to no address that a name leads to and the settings do not let it reach', async () => {
    const { project, url, events } = await newHook()
    await world.as('maintainer').put(url, { url: `http://localhost:${receiver.port}` })
    await letLocal(false)
    await push(project)
    expect(receiver.received).toEqual([])
    expect(await events()).toMatchObject([{ response_body: 'its address is not public' }])
    const tried = await world.as('maintainer').post(`${url}/test/push_events`)
    expect([tried.statusCode, tried.json()]).toEqual([
      422,
      { message: 'its address is not public' },
    ])
  })

  it('is sent again when somebody asks for it', async () => {
    const { project, url, events } = await newHook({ token: 'x' })
    await push(project)
    const [event] = await events()
    const again = await world.as('maintainer').post(`${url}/events/${event.id}/resend`)
    expect([again.statusCode, again.json()]).toEqual([201, { response_status: 200 }])
    const [first, second] = receiver.received
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers).toMatchObject({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'x' })
    receiver.answer = (response) => response.writeHead(503).end('later')
    const failed = await world.as('maintainer').post(`${url}/events/${event.id}/resend`)
    expect([failed.statusCode, failed.json()]).toEqual([422, { message: 'later' }])
    expect(await events()).toHaveLength(3)
    const none = await world.as('maintainer').post(`${url}/events/99999/resend`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not found' }])
  })

  it('may outlive its webhook', async () => {
    const base = await paths.project()
    const { id } = (await world.as('maintainer').post(base, { url: receiver.url })).json()
    receiver.answer = async (response) => {
      await world.as('maintainer').delete(`${base}/${id}`)
      response.end()
    }
    const tried = await world.as('maintainer').post(`${base}/${id}/test/push_events`)
    expect([tried.statusCode, tried.json()]).toEqual([201, { message: '201 Created' }])
  })

  it('is forgotten after a week', async () => {
    const { project, url, events } = await newHook()
    await push(project)
    expect(await events()).toHaveLength(1)
    app.clock.advance(limits.webhooks.kept_ms)
    expect(await events()).toEqual([])
    await push(project)
    await removeOldDeliveries({ db: app.db, clock: app.clock.now })
    const kept = await app.db
      .selectFrom('hook_deliveries')
      .select('id')
      .where('webhook_id', '=', Number(url.split('/').at(-1)))
      .execute()
    expect(kept).toEqual([{ id: (await events())[0].id }])
  })

  it.each([
    ['issues_events', 'Ensure the project has issues.'],
    ['note_events', 'Ensure the project has notes.'],
    ['merge_requests_events', 'Ensure the project has merge requests.'],
    ['job_events', 'Ensure the project has CI jobs.'],
    ['pipeline_events', 'Ensure the project has CI pipelines.'],
    ['wiki_page_events', 'Ensure the wiki is enabled and has pages.'],
    ['releases_events', 'Ensure the project has releases.'],
  ])('of a test of %s wants something to tell', async (trigger, message) => {
    const { url } = await newHook()
    const tried = await world.as('maintainer').post(`${url}/test/${trigger}`)
    expect([tried.statusCode, tried.json()]).toEqual([422, { message }])
  })

  it('is asked about by one query where nobody wants it', async () => {
    const { id: project_id } = await world.newProject()
    const about = { kind: 'body', body: {} } as const
    const counted = await app.count(() =>
      enqueueHookCalls(
        { tx: app.db, clock: app.clock.now },
        { project_id },
        { calls: [{ event: 'push_events', about }] },
      ),
    )
    expect(counted.queries).toBeLessThanOrEqual(1)
  })
})

describe('Webhooks of a group', () => {
  it('are called for every project below', async () => {
    const top = await world.newMemberedGroup()
    const below = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: below, files: { a: 'a' } })
    await app.worker.drain()
    await world.as('owner').post(`/groups/${top.id}/hooks`, { url: receiver.url })
    await push(project)
    expect(receiver.received.map(({ body }) => body.project.path_with_namespace)).toEqual([
      project.full_path,
    ])
  })
})

describe('A webhook of a group', () => {
  it('is tried with the newest project below it that is not being deleted', async () => {
    const group = await world.newMemberedGroup()
    const [first, second] = [
      await world.newProject({ group, files: { a: 'a' } }),
      await world.newProject({ group, files: { a: 'a' } }),
    ]
    await world.newProject({ files: { a: 'a' } })
    await app.worker.drain()
    const base = `/groups/${group.id}/hooks`
    const { id } = (await world.as('owner').post(base, { url: receiver.url })).json()
    const tried = async () => {
      receiver.received.length = 0
      await world.as('owner').post(`${base}/${id}/test/push_events`)
      return receiver.received[0]?.body.project_id
    }
    expect(await tried()).toBe(second.id)
    await world.as('owner').delete(`/projects/${second.id}`)
    expect(await tried()).toBe(first.id)
  })
})

describe('System hooks', () => {
  it('are told of pushes, without their commits, and of all references of a push', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await app.worker.drain()
    const made = await world
      .as('admin')
      .post('/hooks', { url: receiver.url, push_events: true, token: 't' })
    await push(project)
    const [one, all] = receiver.received.toSorted((a, b) =>
      a.body.event_name.localeCompare(b.body.event_name),
    )
    expect(one?.headers).toMatchObject({ 'x-gitlab-event': 'System Hook', 'x-gitlab-token': 't' })
    expect(one?.body).toMatchObject({ event_name: 'push', commits: [], total_commits_count: 1 })
    expect(all?.headers['x-gitlab-event']).toBe('System Hook')
    expect(all?.body).toEqual({
      event_name: 'repository_update',
      user_id: world.users.owner.id,
      user_name: world.users.owner.name,
      user_email: null,
      user_avatar: null,
      project_id: project.id,
      project: expect.objectContaining({ path_with_namespace: project.full_path }),
      changes: [{ before: one?.body.before, after: one?.body.after, ref: 'refs/heads/main' }],
      refs: ['refs/heads/main'],
    })
    await world.as('admin').delete(`/hooks/${made.json().id}`)
  })

  it('are tried by POST', async () => {
    const made = await world.as('admin').post('/hooks', { url: receiver.url })
    const tried = await world.as('admin').post(`/hooks/${made.json().id}`)
    const body = {
      event_name: 'project_create',
      name: 'Ruby',
      path: 'ruby',
      project_id: 1,
      owner_name: 'Someone',
      owner_email: 'example@example.com',
    }
    expect([tried.statusCode, tried.json()]).toEqual([201, body])
    expect(receiver.received.map((call) => call.body)).toEqual([body])
    await world.as('admin').delete(`/hooks/${made.json().id}`)
  })
})

it('A slow receiver holds up no other one', async () => {
  const own = await startApp()
  const { as, newProject, commit } = await newWorld(own)
  await as('admin').put('/application/settings', {
    allow_local_requests_from_web_hooks_and_services: true,
  })
  const [slow, quick] = [await startReceiver(), await startReceiver()]
  slow.answer = () => {}
  quick.answer = (response) => {
    // Beyond a few at once the calls of one webhook wait for a moment.
    own.clock.advance(limits.webhooks.wait_ms)
    response.end()
  }
  const project = await newProject({ files: { a: 'a' } })
  await own.worker.drain()
  for (const { url } of [slow, quick]) {
    await as('maintainer').post(`/projects/${project.id}/hooks`, { url })
  }
  const pushes = 2 * limits.webhooks.calls_max
  for (let number = 0; number < pushes; number++) {
    await commit(project, { [`file-${number}`]: 'x' })
  }
  const all = Promise.all(Array.from({ length: pushes }, () => quick.next()))
  await own.worker.start()
  expect((await all).length).toBe(pushes)
  await slow.close()
  await own.close()
})
