import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const newName = () => `Made ${world.users.owner.id} ${++made}`

describe('GET /projects/:id', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'inside', 404],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(`/projects/${world.projects[place].id}`)
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
  })

  it('hides an internal project from an external user', async () => {
    const { client } = await world.newUser({ external: true })
    expect((await client.get(`/projects/${world.projects.inside.id}`)).statusCode).toBe(404)
    expect((await client.get(`/projects/${world.projects.open.id}`)).statusCode).toBe(200)
  })

  it('finds by id and by full path in any case, and nothing by a bare name', async () => {
    const { id, full_path, path } = world.projects.shut
    for (const key of [
      String(id),
      encodeURIComponent(full_path),
      encodeURIComponent(full_path.toUpperCase()),
    ]) {
      expect((await world.as('guest').get(`/projects/${key}`)).json()).toMatchObject({ id })
    }
    for (const key of [path, 'x%2Fy', '999999', '-1', '%2F', '0x1', '1%00']) {
      const answer = await world.as('guest').get(`/projects/${key}`)
      expect([key, answer.statusCode]).toEqual([key, 404])
    }
  })

  it('answers the whole record', async () => {
    const project = await world.newProject({ files: { 'README.md': '# R\n' } })
    const group = world.groups.shut
    const web_url = `http://bloomery.test/${project.full_path}`
    const self = `http://bloomery.test/api/v4/projects/${project.id}`
    const answer = await world.as('owner').get(`/projects/${project.id}`)
    expect(answer.json()).toEqual({
      id: project.id,
      description: null,
      name: project.name,
      name_with_namespace: `${group.name} / ${project.name}`,
      path: project.path,
      path_with_namespace: project.full_path,
      created_at: '2026-03-01T12:00:00.000Z',
      default_branch: 'main',
      tag_list: [],
      topics: [],
      ssh_url_to_repo: `ssh://git@bloomery.test:2222/${project.full_path}.git`,
      http_url_to_repo: `${web_url}.git`,
      web_url,
      readme_url: `${web_url}/-/blob/main/README.md`,
      forks_count: 0,
      avatar_url: null,
      star_count: 0,
      last_activity_at: '2026-03-01T12:00:00.000Z',
      namespace: {
        id: group.id,
        name: group.name,
        path: group.path,
        kind: 'group',
        full_path: group.full_path,
        parent_id: null,
        avatar_url: null,
        web_url: `http://bloomery.test/groups/${group.full_path}`,
      },
      container_registry_image_prefix: `bloomery.test/${project.full_path}`,
      _links: {
        self,
        issues: `${self}/issues`,
        merge_requests: `${self}/merge_requests`,
        repo_branches: `${self}/repository/branches`,
        labels: `${self}/labels`,
        events: `${self}/events`,
        members: `${self}/members`,
      },
      packages_enabled: true,
      empty_repo: false,
      archived: false,
      visibility: 'private',
      resolve_outdated_diff_discussions: false,
      issues_enabled: true,
      merge_requests_enabled: true,
      wiki_enabled: true,
      jobs_enabled: true,
      snippets_enabled: true,
      container_registry_enabled: true,
      service_desk_enabled: false,
      service_desk_address: null,
      can_create_merge_request_in: true,
      issues_access_level: 'enabled',
      repository_access_level: 'enabled',
      merge_requests_access_level: 'enabled',
      forking_access_level: 'enabled',
      wiki_access_level: 'enabled',
      builds_access_level: 'enabled',
      snippets_access_level: 'enabled',
      pages_access_level: 'private',
      operations_access_level: 'enabled',
      analytics_access_level: 'enabled',
      container_registry_access_level: 'enabled',
      releases_access_level: 'enabled',
      environments_access_level: 'enabled',
      feature_flags_access_level: 'enabled',
      infrastructure_access_level: 'enabled',
      monitor_access_level: 'enabled',
      requirements_access_level: 'enabled',
      security_and_compliance_access_level: 'private',
      model_experiments_access_level: 'enabled',
      model_registry_access_level: 'enabled',
      package_registry_access_level: 'enabled',
      container_expiration_policy: {
        cadence: '1d',
        enabled: false,
        keep_n: 10,
        older_than: '90d',
        name_regex: '.*',
        name_regex_delete: '.*',
        name_regex_keep: null,
        next_run_at: '2026-03-02T12:00:00.000Z',
      },
      emails_disabled: null,
      shared_runners_enabled: true,
      lfs_enabled: true,
      creator_id: world.users.owner.id,
      import_status: 'none',
      import_error: null,
      open_issues_count: 0,
      runners_token: expect.stringMatching(/^GR1348941[A-Za-z0-9_-]{20}$/),
      ci_default_git_depth: 20,
      ci_forward_deployment_enabled: true,
      ci_job_token_scope_enabled: false,
      public_jobs: true,
      build_git_strategy: 'fetch',
      build_timeout: 3600,
      auto_cancel_pending_pipelines: 'enabled',
      build_coverage_regex: null,
      ci_config_path: null,
      shared_with_groups: [],
      only_allow_merge_if_pipeline_succeeds: false,
      allow_merge_on_skipped_pipeline: null,
      restrict_user_defined_variables: false,
      request_access_enabled: true,
      only_allow_merge_if_all_discussions_are_resolved: false,
      remove_source_branch_after_merge: true,
      printing_merge_request_link_enabled: true,
      merge_method: 'merge',
      squash_option: 'default_off',
      suggestion_commit_message: null,
      merge_commit_template: null,
      squash_commit_template: null,
      auto_devops_enabled: false,
      auto_devops_deploy_strategy: 'continuous',
      autoclose_referenced_issues: true,
      keep_latest_artifact: true,
      marked_for_deletion_at: null,
      marked_for_deletion_on: null,
      mirror: false,
      mirror_user_id: null,
      mirror_trigger_builds: false,
      only_mirror_protected_branches: false,
      mirror_overwrites_diverged_branches: false,
      external_authorization_classification_label: null,
      approvals_before_merge: 0,
      only_allow_merge_if_all_status_checks_passed: false,
      permissions: {
        project_access: null,
        group_access: { access_level: 50, notification_level: 3 },
      },
    })
  })

  it('keeps code, tokens and permissions from whom they do not concern', async () => {
    const guest = (await world.as('guest').get(`/projects/${world.projects.shut.id}`)).json()
    expect(guest).toMatchObject({ default_branch: null, readme_url: null, runners_token: null })
    const anonymous = (
      await world.as('anonymous').get(`/projects/${world.projects.open.id}`)
    ).json()
    expect(anonymous).toMatchObject({ default_branch: 'main', runners_token: null })
    expect(anonymous.permissions).toBeUndefined()
    const admin = (await world.as('admin').get(`/projects/${world.projects.shut.id}`)).json()
    expect(admin).toMatchObject({
      repository_storage: 'default',
      permissions: { project_access: null, group_access: null },
    })
  })

  it('counts commits and bytes once its repository was tended', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' })
    world.app.clock.advance(10_000)
    await world.app.worker.drain()
    const url = `/projects/${project.id}?statistics=true`
    const { statistics } = (await world.as('reporter').get(url)).json()
    expect(statistics).toMatchObject({
      commit_count: 2,
      repository_size: expect.any(Number),
      wiki_size: 0,
    })
    expect(statistics.repository_size).toBeGreaterThan(100)
    expect((await world.as('guest').get(url)).json().statistics).toBeUndefined()
  })

  it('answers in three queries and no process', async () => {
    const url = `/projects/${world.projects.open.id}`
    await world.as('owner').get(url)
    const counted = await world.app.count(() => world.as('owner').get(url))
    expect(counted).toEqual({ queries: 3, processes: 0 })
  })
})

describe('POST /projects', () => {
  it('answers an anonymous caller with 401', async () => {
    expect((await world.as('anonymous').post('/projects', { name: 'x' })).statusCode).toBe(401)
  })

  it("makes a private, empty project of the caller's own", async () => {
    const name = newName()
    const answer = await world.as('outsider').post('/projects', { name })
    expect(answer.statusCode).toBe(201)
    const path = name.toLowerCase().replaceAll(' ', '-')
    expect(answer.json()).toMatchObject({
      name,
      path,
      path_with_namespace: `${world.users.outsider.username}/${path}`,
      visibility: 'private',
      empty_repo: true,
      default_branch: 'main',
      owner: {
        id: world.users.outsider.id,
        name: world.users.outsider.name,
        created_at: expect.any(String),
      },
      permissions: {
        project_access: { access_level: 50, notification_level: 3 },
        group_access: null,
      },
    })
  })

  it('takes texts that are empty as if they were not sent', async () => {
    const name = newName().toLowerCase().replaceAll(' ', '-')
    const given = { name, path: '', default_branch: '', description: '', tag_list: [] }
    const made = await world.as('outsider').post('/projects', given)
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      { name, path: name, default_branch: 'main' },
    ])
    const url = `/projects/${made.json().id}`
    const changed = await world.as('outsider').put(url, { default_branch: '' })
    expect([changed.statusCode, changed.json().default_branch]).toEqual([200, 'main'])
    const fork = await world
      .as('owner')
      .post(`/projects/${world.projects.open.id}/fork`, { name: '', path: '', namespace: '' })
    expect([fork.statusCode, fork.json().path]).toEqual([201, world.projects.open.path])
    const nameless = await world.as('outsider').post('/projects', { name: '', path: `${name}-2` })
    expect(nameless.statusCode).toBe(201)
  })

  it('makes its readme, with settings, topics and another branch', async () => {
    const answer = await world.as('outsider').post('/projects', {
      path: `with-readme-${world.users.outsider.id}`,
      description: 'What it is for',
      initialize_with_readme: true,
      default_branch: 'trunk',
      visibility: 'public',
      topics: ['b', 'a', 'b'],
      wiki_enabled: false,
      merge_method: 'ff',
    })
    expect(answer.json()).toMatchObject({
      name: `with-readme-${world.users.outsider.id}`,
      default_branch: 'trunk',
      empty_repo: false,
      topics: ['a', 'b'],
      wiki_access_level: 'disabled',
      wiki_enabled: false,
      merge_method: 'ff',
    })
    const raw = await world
      .as('anonymous')
      .get(`/projects/${answer.json().id}/repository/files/README.md/raw`)
    expect(raw.body).toBe(`# with-readme-${world.users.outsider.id}\n\nWhat it is for\n`)
  })

  it.each([
    ['developer', 201],
    ['reporter', 400],
    ['outsider', 400],
    ['admin', 201],
  ] as const)('answers %s in a group with %i', async (who, status) => {
    const answer = await world
      .as(who)
      .post('/projects', { name: newName(), namespace_id: world.groups.shut.id })
    expect(answer.statusCode).toBe(status)
    if (status === 400) expect(answer.json()).toEqual({ message: { namespace: ['is not valid'] } })
  })

  it.each([
    [{}, 400, { error: 'name, path are missing, at least one parameter must be provided' }],
    [{ name: 'x', visibility: 'secret' }, 400, { error: 'visibility does not have a valid value' }],
    [
      { name: '*bad*' },
      400,
      {
        message: {
          name: [
            "can contain only letters, digits, emojis, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
          ],
        },
      },
    ],
    [
      { name: 'x', path: '../up' },
      400,
      {
        message: {
          path: [
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'.",
          ],
        },
      },
    ],
    [
      { name: 'x', path: 'x.git' },
      400,
      {
        message: {
          path: [
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'.",
          ],
        },
      },
    ],
    [{ name: 'x', path: 'blob' }, 400, { message: { path: ['is a reserved name'] } }],
    [
      { name: 'x', description: 'd'.repeat(2001) },
      400,
      { message: { description: ['is too long (maximum is 2000 characters)'] } },
    ],
    [
      { name: 'x', build_timeout: 5 },
      400,
      { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } },
    ],
    [{ name: 'x', namespace_id: 999999 }, 400, { message: { namespace: ['is not valid'] } }],
    [
      { name: 'x', repository_storage: 'moon' },
      400,
      { message: { repository_storage: ['is not included in the list'] } },
    ],
    [
      { name: 'x', repository_storage: 'toString' },
      400,
      { message: { repository_storage: ['is not included in the list'] } },
    ],
    [
      { name: 'x', repository_storage: '__proto__' },
      400,
      { message: { repository_storage: ['is not included in the list'] } },
    ],
    [
      { name: 'x', import_url: 'https://a.test/b.git', mirror: true },
      400,
      { message: { import_url: ['is not supported'], mirror: ['is not supported'] } },
    ],
    [
      { name: 'x', use_custom_template: true, group_with_project_templates_id: 3 },
      400,
      {
        message: {
          use_custom_template: ['is not supported'],
          group_with_project_templates_id: ['is not supported'],
        },
      },
    ],
    [
      {
        name: 'x',
        container_expiration_policy_attributes: { cadence: '2d', keep_n: 2, older_than: '1d' },
      },
      400,
      {
        message: {
          'container_expiration_policy.cadence': ['is not included in the list'],
          'container_expiration_policy.keep_n': ['is not included in the list'],
          'container_expiration_policy.older_than': ['is not included in the list'],
        },
      },
    ],
    [
      { name: 'x', template_name: 'rails' },
      400,
      { message: { template_name: ["'rails' is unknown or invalid"] } },
    ],
    [
      { name: 'x', template_project_id: 7 },
      400,
      { message: { template_project_id: ["'7' is unknown or invalid"] } },
    ],
    [
      { name: 'x', template_name: 'rails', import_url: 'https://a.test/b.git' },
      400,
      { error: 'import_url, template_name are mutually exclusive' },
    ],
    [
      { name: 'x', topics: ['ok', 't'.repeat(256)] },
      400,
      { message: { topics: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { name: 'x', ci_default_git_depth: 1001, approvals_before_merge: 2 ** 31 },
      400,
      {
        message: {
          'ci_cd_settings.default_git_depth': ['must be less than or equal to 1000'],
          approvals_before_merge: ['must be less than or equal to 2147483647'],
        },
      },
    ],
    [
      { name: 'x', ci_default_git_depth: -1, approvals_before_merge: -1 },
      400,
      {
        message: {
          'ci_cd_settings.default_git_depth': ['must be greater than or equal to 0'],
          approvals_before_merge: ['must be greater than or equal to 0'],
        },
      },
    ],
  ])('answers %j with %i', async (given, status, expected) => {
    const who = 'repository_storage' in given ? 'admin' : 'outsider'
    const answer = await world.as(who).post('/projects', given)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it.each([
    ['ci_config_path', 255],
    ['build_coverage_regex', 255],
    ['external_authorization_classification_label', 255],
    ['suggestion_commit_message', 255],
    ['merge_commit_template', 500],
    ['squash_commit_template', 500],
  ])('bounds %s to %i characters', async (field, most) => {
    const outsider = world.as('outsider')
    const answer = await outsider.post('/projects', { name: 'x', [field]: 'x'.repeat(most + 1) })
    const message = { [field]: [`is too long (maximum is ${most} characters)`] }
    expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
  })

  it('lets nobody but administrators choose a storage', async () => {
    const given = { name: newName(), repository_storage: 'moon' }
    expect((await world.as('outsider').post('/projects', given)).statusCode).toBe(201)
  })

  it('refuses what is taken, and leaves nothing behind', async () => {
    const given = { name: newName(), namespace_id: world.groups.shut.id }
    const made = await world.as('owner').post('/projects', given)
    expect(made.statusCode).toBe(201)
    const { path } = made.json()
    const answer = await world.as('owner').post('/projects', given)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message: { name: ['has already been taken'], path: ['has already been taken'] },
    })
    const ofPath = { ...given, name: newName(), path: path.toUpperCase() }
    expect((await world.as('owner').post('/projects', ofPath)).json()).toEqual({
      message: { path: ['has already been taken'] },
    })
    const ofName = await world.as('owner').post('/projects', { ...given, path: `${path}-2` })
    expect(ofName.json()).toEqual({ message: { name: ['has already been taken'] } })
    const other = await world.newProject({ group: world.groups.shut })
    const ofTwo = await world.as('owner').post('/projects', { ...given, path: other.path })
    expect(ofTwo.json()).toEqual(answer.json())
    const waiting = await world.app.db
      .selectFrom('projects')
      .select('id')
      .where('state', '=', 'creating')
      .execute()
    expect(waiting).toEqual([])
  })

  it('does not finish a project whose group is deleted meanwhile', async () => {
    const name = newName()
    const group = await world.newMemberedGroup()
    let isAnswered = false
    const creation = world.as('owner').post('/projects', { name, namespace_id: group.id })
    creation.finally(() => {
      isAnswered = true
    })
    let marked = 0n
    while (marked === 0n && !isAnswered) {
      // As the deletion of the group does, while the repository is created.
      const { numUpdatedRows } = await world.app.db
        .updateTable('projects')
        .set({ state: 'deleting' })
        .where('name', '=', name)
        .where('state', '=', 'creating')
        .executeTakeFirstOrThrow()
      marked = numUpdatedRows
    }
    const answer = await creation
    expect([marked, answer.statusCode, answer.json()]).toEqual([
      1n,
      400,
      { message: { namespace: ['is not valid'] } },
    ])
    const shown = await world.as('owner').get(`/groups/${group.id}/projects`)
    expect(shown.json()).toEqual([])
  })

  it('refuses a project more visible than its group', async () => {
    const given = { name: newName(), namespace_id: world.groups.shut.id, visibility: 'public' }
    const answer = await world.as('owner').post('/projects', given)
    expect(answer.json()).toEqual({
      message: { visibility_level: ['public is not allowed in a private group.'] },
    })
  })

  it('keeps to the limit of the user', async () => {
    const { client } = await world.newUser({ projects_limit: 1 })
    expect((await client.post('/projects', { name: 'one' })).statusCode).toBe(201)
    const second = await client.post('/projects', { name: 'two' })
    expect(second.statusCode).toBe(403)
    expect(second.json()).toEqual({
      error: ['Your project limit is 1 projects! Please contact your administrator to increase it'],
    })
  })
})

describe('POST /projects/user/:user_id', () => {
  it('is for administrators', async () => {
    const url = `/projects/user/${world.users.guest.id}`
    expect((await world.as('owner').post(url, { name: 'x' })).statusCode).toBe(403)
    const answer = await world.as('admin').post(url, { name: newName() })
    expect(answer.json()).toMatchObject({
      owner: { id: world.users.guest.id },
      creator_id: world.users.guest.id,
    })
    expect((await world.as('admin').post('/projects/user/999999', { name: 'x' })).json()).toEqual({
      message: '404 User Not Found',
    })
  })
})

describe('PUT /projects/:id', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world
      .as(who)
      .put(`/projects/${world.projects[place].id}`, { description: `by ${who}` })
    expect(answer.statusCode).toBe(status)
    if (status === 200) expect(answer.json()).toMatchObject({ description: `by ${who}` })
  })

  it('changes every kind of field and nothing else', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = `/projects/${project.id}`
    const before = (await world.as('owner').get(url)).json()
    const changes = {
      name: 'New name',
      description: null,
      lfs_enabled: false,
      build_timeout: 7200,
      squash_option: 'always',
      pages_access_level: 'public',
      topics: ['x'],
    }
    const after = (await world.as('owner').put(url, changes)).json()
    const group = world.groups.shut
    expect(after).toEqual({
      ...before,
      ...changes,
      tag_list: ['x'],
      name_with_namespace: `${group.name} / New name`,
    })
  })

  it('keeps what clients of later releases set', async () => {
    const levels = {
      releases_access_level: 'private',
      environments_access_level: 'disabled',
      feature_flags_access_level: 'private',
      infrastructure_access_level: 'disabled',
      monitor_access_level: 'private',
      requirements_access_level: 'disabled',
      security_and_compliance_access_level: 'enabled',
      model_experiments_access_level: 'disabled',
      model_registry_access_level: 'private',
      package_registry_access_level: 'public',
    }
    const policy = { cadence: '7d', enabled: true, keep_n: null, name_regex_delete: 'tmp-.*' }
    const given = {
      ...levels,
      name: newName(),
      public_builds: false,
      container_expiration_policy_attributes: policy,
    }
    const made = await world.as('outsider').post('/projects', given)
    const shown = {
      ...{ cadence: '7d', enabled: true, keep_n: null, older_than: '90d', name_regex_keep: null },
      ...{ name_regex: 'tmp-.*', name_regex_delete: 'tmp-.*' },
      next_run_at: expect.stringMatching(/^2026-03-08T12:/),
    }
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      { ...levels, public_jobs: false, container_expiration_policy: shown },
    ])
    const form = 'container_expiration_policy_attributes[older_than]=14d&public_builds=true'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const changed = await world.as('outsider').put(`/projects/${made.json().id}`, form, { headers })
    expect(changed.json()).toMatchObject({
      ...levels,
      public_jobs: true,
      container_expiration_policy: { ...shown, older_than: '14d' },
    })
  })

  it('refuses by name what would be ignored, unless it asks for nothing', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}`
    const refused = await world.as('owner').put(url, {
      description: 'new',
      import_url: 'https://a.test/b.git',
      mirror_trigger_builds: true,
      only_mirror_protected_branches: true,
      mirror_overwrites_diverged_branches: true,
      mirror_user_id: 5,
      mirror_branch_regex: 'x',
    })
    const text = ['is not supported']
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        message: {
          import_url: text,
          mirror_user_id: text,
          mirror_trigger_builds: text,
          mirror_overwrites_diverged_branches: text,
          mirror_branch_regex: text,
          only_mirror_protected_branches: text,
        },
      },
    ])
    const none = { import_url: '', mirror: false, mirror_trigger_builds: false }
    const taken = await world.as('owner').put(url, none)
    expect([taken.statusCode, taken.json().description]).toEqual([200, null])
  })

  it('moves the default branch only to one there is', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'next', start_branch: 'main' })
    const url = `/projects/${project.id}`
    const refused = await world.as('owner').put(url, { default_branch: 'absent' })
    expect(refused.statusCode).toBe(400)
    const moved = await world.as('owner').put(url, { default_branch: 'next' })
    expect(moved.json()).toMatchObject({ default_branch: 'next' })
    const raw = await world.as('owner').get(`${url}/repository/files/b/raw`)
    expect(raw.body).toBe('b')
  })

  it('renames for owners; the old path leads on', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const old = encodeURIComponent(project.full_path)
    const refused = await world
      .as('maintainer')
      .put(`/projects/${project.id}`, { path: `moved-${project.id}` })
    expect(refused.statusCode).toBe(403)
    const renamed = await world
      .as('owner')
      .put(`/projects/${project.id}`, { path: `moved-${project.id}` })
    expect(renamed.json()).toMatchObject({
      path_with_namespace: `${world.groups.shut.full_path}/moved-${project.id}`,
    })
    const get = await world.as('reporter').get(`/projects/${old}/repository/files/a?ref=main`)
    expect(get.statusCode).toBe(301)
    expect(get.headers.location).toBe(
      `http://bloomery.test/api/v4/projects/${project.id}/repository/files/a?ref=main`,
    )
    const put = await world.as('owner').put(`/projects/${old}`, { name: 'x' })
    expect(put.statusCode).toBe(405)
    expect(put.json()).toEqual({ message: 'Non GET methods are not allowed for moved projects' })
    expect((await world.as('outsider').get(`/projects/${old}`)).statusCode).toBe(404)
  })

  it('leaves the former paths of other projects, by renaming and by removing', async () => {
    const rename = async () => {
      const project = await world.newProject()
      await world.as('owner').put(`/projects/${project.id}`, { path: `moved-${project.id}` })
      return project
    }
    const [one, two] = [await rename(), await rename()]
    const follow = async ({ full_path }: { full_path: string }) =>
      (await world.as('owner').get(`/projects/${encodeURIComponent(full_path)}`)).statusCode
    expect([await follow(one), await follow(two)]).toEqual([301, 301])
    await world.as('owner').delete(`/projects/${two.id}`)
    expect([await follow(one), await follow(two)]).toEqual([301, 404])
  })

  it('gives one name to one of several that ask for it at once', async () => {
    const group = await world.newGroup()
    const projects = await Promise.all([1, 2, 3].map(() => world.newProject({ group })))
    const answers = await Promise.all(
      projects.map(({ id }) => world.as('admin').put(`/projects/${id}`, { name: 'Wanted' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
    const refused = answers.filter(({ statusCode }) => statusCode === 400)
    for (const answer of refused) {
      expect(answer.json()).toEqual({ message: { name: ['has already been taken'] } })
    }
  })

  it('leaves a name and path alone that are not to change', async () => {
    const { id, path } = await world.newProject()
    const admin = world.as('admin')
    const answers = await Promise.all([
      admin.put(`/projects/${id}`, { path: `${path}-new`, name: `${path}-new` }),
      admin.put(`/projects/${id}`, { description: 'Something else' }),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const after = (await admin.get(`/projects/${id}`)).json()
    const found = await admin.get(`/projects/${encodeURIComponent(after.path_with_namespace)}`)
    expect(found.json()).toMatchObject({ id, name: `${path}-new`, description: 'Something else' })
  })

  it('refuses an empty change and a taken name', async () => {
    const answer = await world.as('owner').put(`/projects/${world.projects.shut.id}`, {})
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatch(
      /^name, path, description, .* are missing, at least one parameter must be provided$/,
    )
    const project = await world.newProject()
    const taken = await world
      .as('owner')
      .put(`/projects/${project.id}`, { name: world.projects.shut.name })
    expect(taken.json()).toEqual({ message: { name: ['has already been taken'] } })
  })
})

describe('DELETE /projects/:id', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['maintainer', 'shut', 403],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    expect((await world.as(who).delete(`/projects/${world.projects[place].id}`)).statusCode).toBe(
      status,
    )
  })

  it('hides it at once, frees its path and removes everything', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const repository = projectRepository(world.app.config, project)
    const url = `/projects/${project.id}`
    const answer = await world.as('owner').delete(url)
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({ message: '202 Accepted' })
    expect((await world.as('owner').get(url)).statusCode).toBe(404)
    const again = await world.as('owner').post('/projects', {
      name: project.name,
      path: project.path,
      namespace_id: project.namespace_id,
    })
    expect(again.statusCode).toBe(201)
    expect(existsSync(repository.path)).toBe(true)
    await world.app.worker.drain()
    expect(existsSync(repository.path)).toBe(false)
    const row = await world.app.db
      .selectFrom('projects')
      .select('id')
      .where('id', '=', project.id)
      .executeTakeFirst()
    expect(row).toBeUndefined()
  })

  it('leaves a project alone that changed since the client looked', async () => {
    const project = await world.newProject()
    const headers = { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:00:00 GMT' }
    const answer = await world.as('owner').delete(`/projects/${project.id}`, undefined, { headers })
    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toEqual({ message: '412 Precondition Failed' })
    expect((await world.as('owner').get(`/projects/${project.id}`)).statusCode).toBe(200)
  })
})

describe('storages', () => {
  it('take new projects by weight, or the one an administrator names', async () => {
    const own = await startApp({
      BLOOMERY_STORAGES:
        '{"full": {"path": "full", "weight": 0}, "free": {"path": "free", "weight": 5}}',
    })
    try {
      const root = own.client(rootToken)
      const chosen = (
        await root.post('/projects', { name: 'a', initialize_with_readme: true })
      ).json()
      expect(chosen.repository_storage).toBe('free')
      const named = (await root.post('/projects', { name: 'b', repository_storage: 'full' })).json()
      expect(named.repository_storage).toBe('full')
      const inFree = projectRepository(own.config, { ...chosen, repository_storage: 'free' })
      expect(inFree.path.startsWith(`${own.config.data}/free/`)).toBe(true)
      expect(inFree.path).not.toContain('root')
      expect(existsSync(inFree.path)).toBe(true)
    } finally {
      await own.close()
    }
  })
})
