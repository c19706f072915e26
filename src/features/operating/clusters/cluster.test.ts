import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startApp } from '../../../../test/kit/app.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { openSecret } from '../../../kernel/secrets.ts'

const certificate = `-----BEGIN CERTIFICATE-----
MIIBhjCCASugAwIBAgIUUFsOA1O/vyLbY0Bzm059yzJrL0UwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMY2x1c3Rlci50ZXN0MCAXDTI2MTEyMjE0MjgxMFoYDzIxMjYx
MDI5MTQyODEwWjAXMRUwEwYDVQQDDAxjbHVzdGVyLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATWqRRQUT2hdeQ5LZUVsZGVjeY9KOJlobVQkRQMCmXpF5Le
Wom9YsczShQFNO/67b8U2wWPLAaDC8EfclmpjkXLo1MwUTAdBgNVHQ4EFgQUGWVZ
YbdZec0S/fg6JlsVL8unOg0wHwYDVR0jBBgwFoAUGWVZYbdZec0S/fg6JlsVL8un
Og0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEArLMRYwSsW+5T
9O4rfcifkiZLyc2fUiH6NC49Pj0gPz4CIQD6vENhNG250ANDMiaMtIcDUkbfHog/
Z2GHxRr7rvXu9Q==
-----END CERTIFICATE-----`

const token = 'the token nobody may read'
const attributes = { api_url: 'https://cluster.test:6443', token }
const body = { name: 'cluster', platform_orchestrator_attributes: attributes }

let world: World
beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => {
  await world.app.db.deleteFrom('clusters').execute()
})

type Kind = 'project' | 'group' | 'instance'
const kinds = ['project', 'group', 'instance'] as const

/** A place of its own, the addresses there, and who may just use them. */
async function newPlace(kind: Kind) {
  if (kind === 'instance') {
    return {
      url: '/admin/clusters',
      add: '/admin/clusters/add',
      who: 'admin',
      project: undefined,
      group: undefined,
    } as const
  }
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group, visibility: 'private' })
  const url =
    kind === 'project' ? `/projects/${project.id}/clusters` : `/groups/${group.id}/clusters`
  return { url, add: `${url}/user`, who: 'maintainer', project, group } as const
}

describe.each(kinds)('Clusters of a %s', (kind) => {
  it('are added, shown, listed, changed and removed, and their token is never told', async () => {
    const { url, add, who, project, group } = await newPlace(kind)
    const client = world.as(who)
    const made = await client.post(add, body)
    const adder = kind === 'instance' ? { username: 'root' } : { id: world.users.maintainer.id }
    const platform = {
      api_url: attributes.api_url,
      namespace: null,
      authorization_type: 'rbac',
      ca_cert: null,
    }
    const record = {
      id: expect.any(Number),
      name: 'cluster',
      created_at: world.app.clock.now().toISOString(),
      domain: null,
      enabled: true,
      managed: true,
      namespace_per_environment: true,
      provider_type: 'user',
      platform_type: 'kubernetes',
      environment_scope: '*',
      cluster_type: `${kind}_type`,
      user: {
        id: expect.any(Number),
        username: expect.any(String),
        name: expect.any(String),
        state: 'active',
        avatar_url: null,
        web_url: expect.any(String),
        ...adder,
      },
      platform_orchestrator: platform,
      platform_kubernetes: platform,
      provider_cloud: null,
      provider_gcp: null,
      management_project: null,
    }
    const owner = {
      project: {
        project: expect.objectContaining({
          id: project?.id,
          path_with_namespace: project?.full_path,
          namespace: expect.objectContaining({ id: group?.id }),
        }),
      },
      group: {
        group: {
          id: group?.id,
          name: group?.name,
          web_url: expect.stringContaining(`/groups/${group?.full_path}`),
        },
      },
      instance: {},
    }[kind]
    expect([made.statusCode, made.json()]).toEqual([201, { ...record, ...owner }])
    const { id } = made.json()
    const shown = await client.get(`${url}/${id}`)
    expect([shown.statusCode, shown.json()]).toEqual([200, made.json()])
    const list = await client.get(url)
    expect([list.statusCode, list.json(), list.headers['x-total']]).toEqual([200, [record], '1'])
    const stored = await world.app.db
      .selectFrom('clusters')
      .select('token')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(openSecret(world.app.secretKey, stored.token)).toBe(token)

    const same = await client.put(`${url}/${id}`, {})
    expect([same.statusCode, same.json()]).toEqual([200, made.json()])
    const changed = await client.put(`${url}/${id}`, {
      name: 'other',
      domain: 'apps.test',
      enabled: false,
      managed: false,
      environment_scope: 'review/*',
      platform_kubernetes_attributes: {
        api_url: 'https://other.test',
        token: '',
        ca_cert: `${certificate}\n`,
      },
    })
    const newPlatform = { ...platform, api_url: 'https://other.test', ca_cert: certificate }
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      {
        ...made.json(),
        name: 'other',
        domain: 'apps.test',
        enabled: false,
        managed: false,
        environment_scope: 'review/*',
        platform_orchestrator: newPlatform,
        platform_kubernetes: newPlatform,
      },
    ])
    for (const answer of [made, shown, list, changed]) expect(answer.body).not.toContain(token)
    const after = await world.app.db.selectFrom('clusters').selectAll().executeTakeFirstOrThrow()
    expect(after.token).toBe(stored.token)

    const since = new Date(world.app.clock.now().getTime() - 60_000).toUTCString()
    const late = await client.delete(`${url}/${id}`, undefined, {
      headers: { 'if-unmodified-since': since },
    })
    expect([late.statusCode, late.json()]).toEqual([412, { message: '412 Precondition Failed' }])
    const gone = await client.delete(`${url}/${id}`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    for (const answer of [
      await client.get(`${url}/${id}`),
      await client.put(`${url}/${id}`, { name: 'x' }),
      await client.delete(`${url}/${id}`),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
    const events = await world.app.db
      .selectFrom('audit_events')
      .select(['action', 'target_type', 'target_details', 'details'])
      .where('target_id', '=', id)
      .where('target_type', '=', 'Clusters::Cluster')
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual([
      'cluster_added',
      'cluster_changed',
      'cluster_changed',
      'cluster_removed',
    ])
    expect(JSON.stringify(events)).not.toContain(token)
  })

  it('do not change with another one', async () => {
    const { url, add, who } = await newPlace(kind)
    const client = world.as(who)
    const [one, other] = [
      await client.post(add, { ...body, environment_scope: 'one' }),
      await client.post(add, { ...body, environment_scope: 'other' }),
    ]
    await client.put(`${url}/${one.json().id}`, { name: 'changed' })
    expect((await client.delete(`${url}/${one.json().id}`)).statusCode).toBe(204)
    expect((await client.get(`${url}/${other.json().id}`)).json()).toEqual(other.json())
  })

  it('are for those who maintain it', async () => {
    const { url, add } = await newPlace(kind)
    const hidden = { message: kind === 'project' ? '404 Project Not Found' : '404 Group Not Found' }
    const forbidden = { message: '403 Forbidden' }
    const isInstance = kind === 'instance'
    const expected = [
      ['anonymous', 401, { message: '401 Unauthorized' }],
      ['outsider', isInstance ? 403 : 404, isInstance ? forbidden : hidden],
      ['developer', 403, forbidden],
      ...(isInstance ? ([['owner', 403, forbidden]] as const) : []),
    ] as const
    for (const [who, status, refusal] of expected) {
      for (const answer of [
        await world.as(who).get(url),
        await world.as(who).get(`${url}/1`),
        await world.as(who).post(add, body),
        await world.as(who).put(`${url}/1`, {}),
        await world.as(who).delete(`${url}/1`),
      ]) {
        expect([who, answer.statusCode, answer.json()]).toEqual([who, status, refusal])
      }
    }
  })

  it('have each environment scope once', async () => {
    const { url, add, who } = await newPlace(kind)
    const client = world.as(who)
    const taken = {
      message: { environment_scope: ['cannot add duplicated environment scope'] },
    }
    expect((await client.post(add, body)).statusCode).toBe(201)
    const second = await client.post(add, body)
    expect([second.statusCode, second.json()]).toEqual([400, taken])
    const other = await client.post(add, { ...body, environment_scope: 'production' })
    expect([other.statusCode, other.json().environment_scope]).toEqual([201, 'production'])
    const moved = await client.put(`${url}/${other.json().id}`, { environment_scope: '*' })
    expect([moved.statusCode, moved.json()]).toEqual([400, taken])
  })

  it('are listed in as many queries whatever their number', async () => {
    const { url, add, who } = await newPlace(kind)
    const client = world.as(who)
    const addOne = (environment_scope: string) => client.post(add, { ...body, environment_scope })
    await addOne('a')
    const one = await world.app.count(() => client.get(url))
    for (const scope of ['b', 'c', 'd']) await addOne(scope)
    const many = await world.app.count(() => client.get(url))
    expect(many).toEqual(one)
  })
})

describe('What is wrong with a cluster', () => {
  const refused = async (kind: Kind, given: object) => {
    const { add, who } = await newPlace(kind)
    const answer = await world.as(who).post(add, given)
    return [answer.statusCode, answer.json()]
  }
  const withPlatform = (more: object) => ({
    name: 'c',
    platform_orchestrator_attributes: { ...attributes, ...more },
  })

  it.each([
    [
      {},
      'name is missing, platform_orchestrator_attributes is missing, platform_orchestrator_attributes[api_url] is missing, platform_orchestrator_attributes[token] is missing',
    ],
    [
      { name: 'c', platform_kubernetes_attributes: { api_url: 'https://x.test' } },
      'platform_orchestrator_attributes[token] is missing',
    ],
    [
      withPlatform({ authorization_type: 'x' }),
      'platform_orchestrator_attributes[authorization_type] does not have a valid value',
    ],
    [
      { ...body, enabled: 'x', management_project_id: 'y' },
      'management_project_id is invalid, enabled is invalid',
    ],
  ])('of its parameters: %j', async (given, error) => {
    expect(await refused('project', given)).toEqual([400, { error }])
  })

  const invalidNamespace =
    "can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"
  it.each([
    ['project', { ...body, name: ' ' }, { name: ['has to be present'] }],
    [
      'project',
      { ...body, name: 'n'.repeat(2049) },
      { name: ['is too long (maximum is 2048 characters)'] },
    ],
    [
      'project',
      { ...body, domain: 'a_b.test' },
      { domain: ['contains invalid characters (valid characters: [a-z0-9\\-])'] },
    ],
    [
      'project',
      withPlatform({ api_url: 'invalid_api_url' }),
      { 'platform_orchestrator.api_url': ['is blocked: Only allowed schemes are http, https'] },
    ],
    [
      'project',
      withPlatform({ api_url: 'https://10.0.0.1' }),
      {
        'platform_orchestrator.api_url': [
          'is blocked: Requests to the local network are not allowed',
        ],
      },
    ],
    [
      'project',
      withPlatform({ api_url: 'http://localhost:8080' }),
      { 'platform_orchestrator.api_url': ['is blocked: Requests to localhost are not allowed'] },
    ],
    [
      'project',
      withPlatform({ api_url: 'http://localhost.:8080' }),
      { 'platform_orchestrator.api_url': ['is blocked: Requests to localhost are not allowed'] },
    ],
    [
      'project',
      withPlatform({ api_url: 'https://k8s\n.example.com' }),
      { 'platform_orchestrator.api_url': ['is blocked: URI is invalid'] },
    ],
    [
      'project',
      withPlatform({ api_url: 'http://169.254.169.254' }),
      {
        'platform_orchestrator.api_url': [
          'is blocked: Requests to the link local network are not allowed',
        ],
      },
    ],
    [
      'project',
      withPlatform({ token: ' ' }),
      { 'platform_orchestrator.token': ["can't be blank"] },
    ],
    [
      'project',
      withPlatform({ ca_cert: 'none' }),
      { 'platform_orchestrator.ca_cert': ['must be a valid PEM certificate'] },
    ],
    [
      'project',
      withPlatform({ namespace: '-x' }),
      { 'platform_orchestrator.namespace': [invalidNamespace] },
    ],
    [
      'project',
      withPlatform({ namespace: '1digit' }),
      { 'platform_orchestrator.namespace': [invalidNamespace] },
    ],
    [
      'project',
      withPlatform({ namespace: 'a'.repeat(64) }),
      { 'platform_orchestrator.namespace': ['is too long (maximum is 63 characters)'] },
    ],
    [
      'project',
      withPlatform({ namespace: 'gitlab-managed-apps' }),
      { 'platform_orchestrator.namespace': ['is reserved'] },
    ],
    [
      'group',
      withPlatform({ namespace: 'x' }),
      { 'platform_orchestrator.namespace': ['only allowed for project cluster'] },
    ],
    [
      'instance',
      withPlatform({ namespace: 'x' }),
      { 'platform_orchestrator.namespace': ['only allowed for project cluster'] },
    ],
  ] as const)('of a %s: %j', async (kind, given, message) => {
    expect(await refused(kind, given)).toEqual([400, { message }])
  })

  it('is not its address where administrators allow local ones', async () => {
    const setting = 'allow_local_requests_from_web_hooks_and_services'
    await world.as('admin').put('/application/settings', { [setting]: true })
    const [status] = await refused('project', withPlatform({ api_url: 'https://10.0.0.1' }))
    await world.as('admin').put('/application/settings', { [setting]: false })
    expect(status).toBe(201)
  })

  it('is a managing project that is not there, not near, or not the caller’s', async () => {
    const { add, url, project, group } = await newPlace('project')
    const beside = await world.newProject({ group })
    const elsewhere = await world.newProject({ group: await world.newMemberedGroup() })
    const maintainer = world.as('maintainer')
    for (const id of [999_999, elsewhere.id]) {
      const answer = await maintainer.post(add, { ...body, management_project_id: id })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        {
          message: {
            management_project_id: [
              "Project does not exist or you don't have permission to perform this action",
            ],
          },
        },
      ])
    }
    const made = await maintainer.post(add, { ...body, management_project_id: beside.id })
    expect([made.statusCode, made.json().management_project]).toEqual([
      201,
      {
        id: beside.id,
        description: null,
        name: beside.name,
        name_with_namespace: beside.full_name,
        path: beside.path,
        path_with_namespace: beside.full_path,
        created_at: expect.any(String),
      },
    ])
    // Clients send it as a text, and an empty one to take it away.
    const one = `${url}/${made.json().id}`
    const own = await maintainer.put(one, { management_project_id: String(project?.id) })
    expect(own.json().management_project.id).toBe(project?.id)
    const none = await maintainer.put(one, { management_project_id: '' })
    expect(none.json().management_project).toBeNull()
    const ofGroup = await maintainer.post(`/groups/${group?.id}/clusters/user`, {
      ...body,
      management_project_id: elsewhere.id,
    })
    expect(ofGroup.statusCode).toBe(400)
  })
})

it('clusters of an archived project are read, and not changed', async () => {
  const { url, add, project } = await newPlace('project')
  const maintainer = world.as('maintainer')
  const { id } = (await maintainer.post(add, body)).json()
  await world.as('owner').post(`/projects/${project?.id}/archive`)
  expect((await maintainer.get(`${url}/${id}`)).statusCode).toBe(200)
  for (const answer of [
    await maintainer.post(add, { ...body, environment_scope: 'other' }),
    await maintainer.put(`${url}/${id}`, { name: 'other' }),
    await maintainer.delete(`${url}/${id}`),
  ]) {
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
  }
})

it('clusters of others are not found', async () => {
  const one = await newPlace('project')
  const other = await newPlace('project')
  const { id } = (await world.as('maintainer').post(one.add, body)).json()
  const ofGroup = `/groups/${one.group?.id}/clusters`
  for (const [url, add] of [
    [other.url, other.add],
    [ofGroup, `${ofGroup}/user`],
    ['/admin/clusters', '/admin/clusters/add'],
  ] as const) {
    const made = await world.as('admin').post(add, body)
    const listed = await world.as('admin').get(url)
    expect([made.statusCode, listed.json()]).toEqual([
      201,
      [expect.objectContaining({ id: made.json().id })],
    ])
  }
  for (const [who, url] of [
    ['maintainer', other.url],
    ['admin', '/admin/clusters'],
    ['maintainer', `/groups/${one.group?.id}/clusters`],
  ] as const) {
    const answer = await world.as(who).get(`${url}/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
  }
})

describe('A job', () => {
  const config = (environment: object | string) => ({ deploy: { script: 'true', environment } })

  /** What a runner is told by files and variables whose names begin with KUBE. */
  async function given(project: Awaited<ReturnType<typeof newCiProject>>) {
    const runner = await newRunner(world, project.id)
    await newPipeline(world, project)
    const job = await runner.take()
    const all = (job?.variables ?? []).filter(({ key }) => key.startsWith('KUBE'))
    return Object.fromEntries(all.map(({ key, ...variable }) => [key, variable]))
  }

  it('that deploys is given the cluster of its environment', async () => {
    const group = await world.newMemberedGroup()
    const project = await newCiProject(world, config('Review/One'), { group })
    await world.as('maintainer').post(`/projects/${project.id}/clusters/user`, {
      ...body,
      domain: 'apps.test',
      platform_orchestrator_attributes: { ...attributes, ca_cert: certificate, namespace: 'Apps' },
    })
    const variables = await given(project)
    const shown = { public: true, masked: false, raw: true }
    const slug = expect.stringMatching(/^apps-review-one-[a-z0-9]{6}$/)
    expect(variables).toEqual({
      KUBE_URL: { value: attributes.api_url, ...shown },
      KUBE_CA_PEM: { value: certificate, ...shown },
      KUBE_CA_PEM_FILE: { value: certificate, ...shown, file: true },
      KUBE_TOKEN: { value: token, public: false, masked: true, raw: true },
      KUBE_NAMESPACE: { value: slug, ...shown },
      KUBECONFIG: { value: expect.any(String), ...shown, public: false, file: true },
      KUBE_INGRESS_BASE_DOMAIN: { value: 'apps.test', ...shown },
    })
    expect(parse(variables.KUBECONFIG?.value ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'gitlab-deploy',
      clusters: [
        {
          name: 'gitlab-deploy',
          cluster: {
            server: attributes.api_url,
            'certificate-authority-data': Buffer.from(certificate).toString('base64'),
          },
        },
      ],
      contexts: [
        {
          name: 'gitlab-deploy',
          context: {
            cluster: 'gitlab-deploy',
            namespace: variables.KUBE_NAMESPACE?.value,
            user: 'gitlab-deploy',
          },
        },
      ],
      users: [{ name: 'gitlab-deploy', user: { token } }],
    })
  })

  it('of a branch that is not protected is given no cluster that others share', async () => {
    const group = await world.newMemberedGroup()
    const project = await newCiProject(world, config('production'), { group })
    const url = `/projects/${project.id}`
    const admin = world.as('admin')
    await admin.post('/admin/clusters/add', { ...body, environment_scope: 'production' })
    await admin.post(`/groups/${group.id}/clusters/user`, body)
    expect(await given(project)).toHaveProperty('KUBE_TOKEN')
    await world.as('owner').delete(`${url}/protected_branches/main`)
    expect(await given(project)).toEqual({})
    await admin.post(`${url}/clusters/user`, body)
    expect(await given(project)).toHaveProperty('KUBE_TOKEN')
  })

  it('is given the nearest cluster whose scope fits, the one that says most of it', async () => {
    const parent = await world.newMemberedGroup()
    const group = await world.newGroup({ parent })
    const admin = world.as('admin')
    const member = { user_id: world.users.owner.id, access_level: 50 }
    await admin.post(`/groups/${group.id}/members`, member)
    const project = await newCiProject(world, config('review/one'), { group })
    const add = async (url: string, environment_scope: string, more: object = {}) =>
      (
        await admin.post(url, {
          ...body,
          environment_scope,
          ...more,
          platform_orchestrator_attributes: {
            ...attributes,
            api_url: `https://${url.split('/')[1]}.test/${encodeURIComponent(environment_scope)}`,
          },
        })
      ).json()
    const given_url = async () => (await given(project)).KUBE_URL?.value
    const foreign = await world.newProject({ group: await world.newMemberedGroup() })
    await add(`/projects/${foreign.id}/clusters/user`, 'review/one')
    await add(`/groups/${foreign.namespace_id}/clusters/user`, 'review/one')
    expect(await given(project)).toEqual({})
    await add('/admin/clusters/add', '*')
    expect(await given_url()).toBe('https://admin.test/*')
    await add(`/groups/${parent.id}/clusters/user`, 'review/*')
    await add(`/groups/${parent.id}/clusters/user`, '*')
    expect(await given_url()).toBe('https://groups.test/review%2F*')
    await add(`/projects/${project.id}/clusters/user`, 'production')
    expect(await given_url()).toBe('https://groups.test/review%2F*')
    const own = await add(`/projects/${project.id}/clusters/user`, '*')
    const exact = await add(`/projects/${project.id}/clusters/user`, 'review/one')
    expect(await given_url()).toBe('https://projects.test/review%2Fone')
    await admin.put(`/projects/${project.id}/clusters/${own.id}`, { enabled: false })
    expect(await given_url()).toBe('https://projects.test/review%2Fone')
    await admin.put(`/projects/${project.id}/clusters/${exact.id}`, { enabled: false })
    expect(await given_url()).toBe('https://groups.test/review%2F*')
    const managing = { management_project_id: project.id }
    const beside = await world.newProject({ group })
    await add(`/projects/${beside.id}/clusters/user`, 'review/on*', managing)
    expect(await given_url()).toBe('https://projects.test/review%2Fon*')
  })

  it.each([
    [{}, { name: 'production' }, (path: string) => `${path}-production`],
    [{ namespace_per_environment: false }, 'production', (path: string) => path],
    [
      { managed: false, platform_orchestrator_attributes: { ...attributes, namespace: 'own' } },
      'production',
      () => 'own',
    ],
    [{ managed: false }, { name: 'production', kubernetes: { namespace: 'asked' } }, () => 'asked'],
    [
      {},
      { name: 'production', kubernetes: { namespace: 'asked' } },
      (path: string) => `${path}-production`,
    ],
  ])('has a namespace: %j, %j', async (more, environment, expected) => {
    const project = await newCiProject(world, config(environment))
    await world.as('admin').post(`/projects/${project.id}/clusters/user`, { ...body, ...more })
    const { KUBE_NAMESPACE } = await given(project)
    expect(KUBE_NAMESPACE?.value).toBe(expected(`${project.path}-${project.id}`))
  })

  it('is made for a cluster where its configuration asks for one', async () => {
    const project = await newCiProject(world, {
      always: { script: 'true' },
      only: { script: 'true', only: { kubernetes: 'active' } },
      rules: { script: 'true', rules: [{ if: '$CI_KUBERNETES_ACTIVE == "true"' }] },
    })
    const jobs = async () => {
      const { id } = await newPipeline(world, project)
      const url = `/projects/${project.id}/pipelines/${id}/jobs`
      const list = (await world.as('owner').get(url)).json()
      return list.map(({ name }: { name: string }) => name).toSorted()
    }
    const admin = world.as('admin')
    const beside = await world.newProject()
    const foreign = await world.newProject({ group: await world.newMemberedGroup() })
    await admin.post(`/projects/${foreign.id}/clusters/user`, body)
    await admin.post(`/groups/${foreign.namespace_id}/clusters/user`, body)
    expect(await jobs()).toEqual(['always'])
    const ofBeside = `/projects/${beside.id}/clusters`
    for (const [url, add, more] of [
      [ofBeside, `${ofBeside}/user`, { management_project_id: project.id }],
      [`/projects/${project.id}/clusters`, `/projects/${project.id}/clusters/user`, {}],
      [`/groups/${project.namespace_id}/clusters`, `/groups/${project.namespace_id}/clusters/user`],
      ['/admin/clusters', '/admin/clusters/add', {}],
    ] as const) {
      const { id } = (await admin.post(add, { ...body, ...more })).json()
      expect([url, await jobs()]).toEqual([url, ['always', 'only', 'rules']])
      await admin.put(`${url}/${id}`, { enabled: false })
      expect([url, await jobs()]).toEqual([url, ['always']])
    }
    await admin.post('/admin/clusters/add', { ...body, environment_scope: 'production' })
    const runner = await newRunner(world, project.id)
    await newPipeline(world, project)
    const job = await runner.take()
    expect(job?.variables).toContainEqual({
      key: 'CI_KUBERNETES_ACTIVE',
      value: 'true',
      public: true,
      masked: false,
    })
  })

  it('without an environment is given none', async () => {
    const project = await newCiProject(world, { build: { script: 'true' } })
    await world.as('admin').post(`/projects/${project.id}/clusters/user`, body)
    expect(await given(project)).toEqual({})
  })
})

describe('Clusters on the lowest tier', () => {
  it('have one scope below premium, in a project', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const project = await free.newProject()
      const scoped = { ...body, environment_scope: 'review/*' }
      const url = `/projects/${project.id}/clusters`
      const made = await free.as('maintainer').post(`${url}/user`, scoped)
      expect([made.statusCode, made.json().environment_scope]).toEqual([201, '*'])
      const change = { environment_scope: 'review/*' }
      const changed = await free.as('maintainer').put(`${url}/${made.json().id}`, change)
      expect([changed.statusCode, changed.json().environment_scope]).toEqual([200, '*'])
      const instance = await free.as('admin').post('/admin/clusters/add', scoped)
      expect(instance.json().environment_scope).toBe('review/*')
    } finally {
      await app.close()
    }
  })
})
