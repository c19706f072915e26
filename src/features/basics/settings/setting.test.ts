import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startApp()
  world = await newWorld(app)
})
afterAll(() => app.close())

const put = (body: object) => world.as('admin').put('/application/settings', body)

describe('GET /application/settings', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
    ['admin', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).get('/application/settings')).statusCode).toBe(status)
  })

  it('has the usual value of every setting nobody has set', async () => {
    const record = (await world.as('admin').get('/application/settings')).json()
    expect(record).toMatchObject({
      id: 1,
      default_projects_limit: 100000,
      signup_enabled: true,
      require_admin_approval_after_user_signup: true,
      gravatar_enabled: true,
      user_oauth_applications: true,
      password_authentication_enabled_for_web: true,
      password_authentication_enabled_for_git: true,
      auto_devops_enabled: true,
      project_export_enabled: true,
      allow_local_requests_from_system_hooks: true,
      user_default_external: false,
      require_two_factor_authentication: false,
      admin_mode: false,
      enforce_terms: false,
      plantuml_enabled: false,
      allow_local_requests_from_web_hooks_and_services: false,
      throttle_authenticated_api_enabled: false,
      terms: null,
      home_page_url: null,
      after_sign_out_path: null,
      default_branch_name: null,
      enabled_git_access_protocol: null,
      two_factor_grace_period: 48,
      session_expire_delay: 10080,
      personal_access_token_prefix: 'glpat-',
      default_project_visibility: 'private',
      default_group_visibility: 'private',
      default_snippet_visibility: 'private',
      restricted_visibility_levels: [],
      default_branch_protection: 2,
      default_project_creation: 2,
      default_artifacts_expire_in: '30 days',
      repository_storages_weighted: { default: 100 },
      max_attachment_size: 10,
      max_artifacts_size: 100,
      snippet_size_limit: 52428800,
      deletion_adjourned_period: 7,
      push_event_hooks_limit: 3,
      raw_blob_request_limit: 300,
      rsa_key_restriction: 0,
    })
  })
})

describe('PUT /application/settings', () => {
  it('changes what is given, and answers with all of it', async () => {
    const before = (await world.as('admin').get('/application/settings')).json()
    const changes = {
      home_page_url: 'https://home.test',
      max_attachment_size: 20,
      domain_allowlist: ['a.test', 'b.test'],
      repository_storages_weighted: { default: 50 },
      unheard_of: 1,
    }
    const { unheard_of, ...known } = changes
    const changed = await put(changes)
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...before, ...known }])
    const texts = { import_sources: 'github,git', restricted_visibility_levels: 'public,internal' }
    expect((await put({ ...texts, home_page_url: null })).json()).toEqual({
      ...before,
      ...known,
      home_page_url: null,
      import_sources: ['github', 'git'],
      restricted_visibility_levels: ['public', 'internal'],
    })
  })

  it.each([
    [{ enforce_terms: true }, { error: 'terms is missing' }],
    [{ domain_denylist_enabled: true }, { error: 'domain_denylist is missing' }],
    [{ plantuml_enabled: true }, { error: 'plantuml_url is missing' }],
    [{ max_attachment_size: 'x' }, { error: 'max_attachment_size is invalid' }],
    [
      { default_project_visibility: 'x' },
      { error: 'default_project_visibility does not have a valid value' },
    ],
    [{ max_attachment_size: 0 }, { message: { max_attachment_size: ['must be greater than 0'] } }],
    [
      { default_projects_limit: -1 },
      { message: { default_projects_limit: ['must be greater than or equal to 0'] } },
    ],
  ])('refuses %j', async (body, problem) => {
    const answer = await put(body)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it('wants something it knows', async () => {
    const answer = await put({ unheard_of: 1 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatch(/^admin_mode, .* are missing, at least one parameter must/)
  })

  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    const answer = await world.as(who).put('/application/settings', { max_attachment_size: 1 })
    expect(answer.statusCode).toBe(status)
  })
})

describe('A setting', () => {
  it('of a rate limit holds at once here, and within a second on other nodes', async () => {
    const throttled = {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 1,
      throttle_authenticated_api_period_in_seconds: 3,
    }
    await put(throttled)
    const asked = () => world.as('guest').get('/version')
    expect((await asked()).statusCode).toBe(200)
    const refused = await asked()
    expect([refused.statusCode, refused.body, refused.headers['content-type']]).toEqual([
      429,
      'Retry later\n',
      'text/plain',
    ])
    app.clock.advance(3000)
    expect((await asked()).statusCode).toBe(200)
    expect((await asked()).statusCode).toBe(429)
    // As another node would have it: the table says so, and nobody here has been told.
    await app.db.deleteFrom('settings').where('name', 'like', 'throttle%').execute()
    expect((await asked()).statusCode).toBe(429)
    app.clock.advance(1000)
    expect((await asked()).statusCode).toBe(200)
    expect((await asked()).statusCode).toBe(200)
  })

  it('goes by its former name too', async () => {
    const [former, present] = [
      'allow_local_requests_from_hooks_and_services',
      'allow_local_requests_from_web_hooks_and_services',
    ]
    expect((await put({ [former]: true })).json()).toMatchObject({
      [former]: true,
      [present]: true,
    })
    expect((await put({ [present]: false })).json()).toMatchObject({
      [former]: false,
      [present]: false,
    })
  })

  it('says what new users, projects and groups have', async () => {
    await put({
      default_projects_limit: 7,
      default_project_visibility: 'internal',
      default_group_visibility: 'public',
      default_branch_name: 'trunk',
    })
    const admin = world.as('admin')
    const fields = { name: 'N', password: 'a-long-pass-word', skip_confirmation: true }
    const usual = await admin.post('/users', { ...fields, username: 'set1', email: 's1@x.test' })
    expect(usual.json()).toMatchObject({ projects_limit: 7, external: false })
    await put({ user_default_external: true })
    const other = await admin.post('/users', { ...fields, username: 'set2', email: 's2@x.test' })
    expect(other.json()).toMatchObject({ projects_limit: 0, external: true })
    const project = await admin.post('/projects', { name: 'of settings' })
    expect(project.json()).toMatchObject({ visibility: 'internal' })
    const group = await admin.post('/groups', { name: 'g', path: 'of-settings' })
    expect(group.json()).toMatchObject({ visibility: 'public' })
  })
})
