import { gzipSync } from 'node:zlib'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type GivenJob, newRunner, takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { zipOf } from '../../../../test/kit/zip.ts'
import type { Project } from '../../../subjects/project.ts'
import { runnerTasks } from './runner.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const isPostgres = process.env.TEST_DB === 'postgres'

const simple = { build: { script: ['make'] } }

async function open(config: object = simple, settings: object = {}) {
  const project = await newCiProject(world, config)
  const runner = await newRunner(world, project.id, settings)
  const pipeline = await newPipeline(world, project)
  await world.app.worker.drain()
  return { project, runner, pipeline }
}

const shown = async (project: Project, id: number) =>
  (await world.as('owner').get(`/projects/${project.id}/jobs/${id}`)).json()

async function registrationToken(project: Project): Promise<string> {
  const url = `/projects/${project.id}/runners/reset_registration_token`
  return (await world.as('owner').post(url)).json().token
}

describe('POST /runners', () => {
  it('makes a runner of the project whose registration token it is', async () => {
    const project = await world.newProject()
    const token = await registrationToken(project)
    const made = await world.as('anonymous').post('/runners', {
      token,
      description: 'stock',
      tag_list: 'a,b',
      run_untagged: false,
      info: {
        name: 'gitlab-runner',
        version: '17.0',
        executor: 'shell',
        features: { refspecs: true },
      },
    })
    expect([made.statusCode, made.json()]).toEqual([
      201,
      { id: expect.any(Number), token: expect.any(String), token_expires_at: null },
    ])
    // Clients take the prefix for a runner that a user has made.
    expect(made.json().token).not.toMatch(/^glrt-/)
    const [listed] = (
      await world.as('owner').get(`/projects/${project.id}/runners?type=project_type`)
    ).json()
    expect(listed).toEqual({
      id: made.json().id,
      description: 'stock',
      ip_address: null,
      active: true,
      paused: false,
      is_shared: false,
      runner_type: 'project_type',
      name: 'gitlab-runner',
      online: null,
      status: 'never_contacted',
    })
  })

  it('makes runners of groups and of the instance', async () => {
    const group = await world.newMemberedGroup()
    const ofGroup = await world
      .as('owner')
      .post(`/groups/${group.id}/runners/reset_registration_token`)
    const first = await world.as('anonymous').post('/runners', { token: ofGroup.json().token })
    const [listed] = (
      await world.as('owner').get(`/groups/${group.id}/runners?type=group_type`)
    ).json()
    expect([first.statusCode, listed.id]).toEqual([201, first.json().id])
    const ofAll = await world.as('admin').post('/runners/reset_registration_token')
    const second = await world.as('anonymous').post('/runners', { token: ofAll.json().token })
    const record = (await world.as('admin').get(`/runners/${second.json().id}`)).json()
    expect(record).toMatchObject({ runner_type: 'instance_type', is_shared: true })
    await world.as('admin').delete(`/runners/${second.json().id}`)
  })

  it.each([
    [{}, 400, { error: 'token is missing, token is empty' }],
    [{ token: 'nobodys' }, 403, { message: '403 Forbidden - invalid token supplied' }],
  ])('refuses %j', async (body, status, answer) => {
    const refused = await world.as('anonymous').post('/runners', body)
    expect([refused.statusCode, refused.json()]).toEqual([status, answer])
  })

  it.each([
    [
      { tag_list: Array.from({ length: 51 }, (_, at) => `t${at}`) },
      { tags_list: ['Too many tags specified. Please limit the number of tags to 50'] },
    ],
    [
      { run_untagged: false },
      { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
    ],
    [{ maximum_timeout: 60 }, { maximum_timeout: ['needs to be at least 10 minutes'] }],
  ])('refuses %j', async (settings, message) => {
    const token = await registrationToken(await world.newProject())
    const refused = await world.as('anonymous').post('/runners', { token, ...settings })
    expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
  })

  it('knows tokens that are older than their digests once it has read those', async () => {
    const { db, secretKey } = world.app
    const [old, unreadable] = [await world.newProject(), await world.newProject()]
    const token = await registrationToken(old)
    const register = async () =>
      (await world.as('anonymous').post('/runners', { token })).statusCode
    const change = (project: Project, row: object) =>
      db.updateTable('projects').set(row).where('id', '=', project.id).execute()
    await change(old, { runners_token_digest: null })
    // Needs no digest, so nobody has to read it.
    await registrationToken(unreadable)
    await change(unreadable, { runners_token: 'unreadable' })
    expect(await register()).toBe(403)
    const task = runnerTasks.find(({ name }) => name === 'index-registration-tokens')
    await task?.run({ db, secretKey, clock: world.app.clock.now }, {})
    expect(await register()).toBe(201)
    await change(unreadable, { runners_token: null, runners_token_digest: null })
  })

  it('knows a token no more once it is reset, or the project is being deleted', async () => {
    const project = await world.newProject()
    const token = await registrationToken(project)
    const next = await registrationToken(project)
    const register = async (given: string) =>
      (await world.as('anonymous').post('/runners', { token: given })).statusCode
    expect([await register(token), await register(next)]).toEqual([403, 201])
    await world.as('owner').delete(`/projects/${project.id}`)
    expect(await register(next)).toBe(403)
    await world.app.worker.drain()
  })
})

describe('A runner', () => {
  it('is verified, given another token and removed by its token', async () => {
    const { token, id } = await newRunner(world, (await world.newProject()).id)
    const nobody = world.as('anonymous')
    const verified = await nobody.post('/runners/verify', { token, system_id: 's_1' })
    expect([verified.statusCode, verified.json()]).toEqual([
      200,
      { id, token, token_expires_at: null },
    ])
    const byHeader = await nobody.post(
      '/runners/verify',
      {},
      { headers: { 'runner-token': token } },
    )
    expect(byHeader.statusCode).toBe(200)
    const renewed = await nobody.post('/runners/reset_authentication_token', { token })
    expect(renewed.statusCode).toBe(201)
    expect((await nobody.post('/runners/verify', { token })).statusCode).toBe(403)
    const next = { token: renewed.json().token }
    expect(
      (await nobody.delete('/runners/managers', { ...next, system_id: 's_1' })).statusCode,
    ).toBe(204)
    expect((await nobody.delete('/runners', next)).statusCode).toBe(204)
    expect((await nobody.post('/runners/verify', next)).json()).toEqual({
      message: '403 Forbidden',
    })
    const { token_digest } = await world.app.db
      .selectFrom('runners')
      .select('token_digest')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(token_digest).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('POST /jobs/request', () => {
  it('hands a job out in a fixed number of queries and without a process', async () => {
    const { runner } = await open({ build: { script: ['make'], parallel: 4 } })
    await runner.take()
    const taking = await world.app.count(() => runner.ask())
    expect(taking).toEqual({ queries: isPostgres ? 25 : 23, processes: 0 })
  })

  it('answers a job with all a runner needs', async () => {
    const { project, runner, pipeline } = await open({
      variables: { GREETING: 'hello' },
      build: {
        stage: 'build',
        image: 'alpine:3',
        services: ['postgres:14'],
        before_script: ['prepare'],
        script: ['make', 'make install'],
        after_script: ['clean'],
        timeout: '10 minutes',
        cache: { key: 'k', paths: ['vendor/'] },
        artifacts: { paths: ['out/'], expire_in: '7d', reports: { junit: 'report.xml' } },
      },
    })
    const job = await runner.take()
    expect(job).toMatchObject({
      id: expect.any(Number),
      token: expect.stringMatching(/^glcbt-/),
      allow_git_fetch: true,
      job_info: {
        name: 'build',
        stage: 'build',
        project_id: project.id,
        project_name: project.path,
      },
      git_info: {
        repo_url: expect.stringMatching(
          new RegExp(`^http://gitlab-ci-token:glcbt-[^@]*@bloomery.test/${project.full_path}.git$`),
        ),
        ref: 'main',
        sha: pipeline.sha,
        before_sha: '0'.repeat(40),
        ref_type: 'branch',
        refspecs: [
          `+refs/pipelines/${pipeline.id}:refs/pipelines/${pipeline.id}`,
          '+refs/heads/main:refs/remotes/origin/main',
        ],
      },
      runner_info: { timeout: 600, runner_session_url: null },
      steps: [
        {
          name: 'script',
          script: ['prepare', 'make', 'make install'],
          timeout: 600,
          when: 'on_success',
          allow_failure: false,
        },
        {
          name: 'after_script',
          script: ['clean'],
          timeout: 600,
          when: 'always',
          allow_failure: true,
        },
      ],
      image: { name: 'alpine:3', entrypoint: null, ports: [] },
      services: [
        {
          name: 'postgres:14',
          alias: null,
          entrypoint: null,
          command: null,
          ports: [],
          variables: [],
        },
      ],
      artifacts: [
        {
          untracked: false,
          paths: ['out/'],
          when: 'on_success',
          expire_in: '7d',
          artifact_type: 'archive',
          artifact_format: 'zip',
        },
        {
          name: 'junit.xml',
          untracked: false,
          paths: ['report.xml'],
          when: 'always',
          expire_in: '7d',
          artifact_type: 'junit',
          artifact_format: 'gzip',
        },
      ],
      // The branch is protected.
      cache: [
        {
          key: 'k-protected',
          untracked: false,
          policy: 'pull-push',
          paths: ['vendor/'],
          when: 'on_success',
        },
      ],
      credentials: [],
      dependencies: [],
      features: {
        trace_sections: true,
        failure_reasons: expect.arrayContaining(['script_failure']),
      },
    })
    expect(job).not.toHaveProperty('run')
    const value = (key: string) => job?.variables.find((one) => one.key === key)
    expect(value('GREETING')).toMatchObject({ value: 'hello', public: true })
    expect(value('CI_COMMIT_SHA')?.value).toBe(pipeline.sha)
    expect(value('CI_PIPELINE_ID')?.value).toBe(String(pipeline.id))
    expect(value('CI_JOB_TOKEN')).toMatchObject({ value: job?.token, public: false, masked: true })
    const record = await shown(project, job?.id ?? 0)
    expect(record).toMatchObject({ status: 'running', runner: { id: runner.id } })
  })

  it('gives a job the tokens its id_tokens say, signed with the public keys', async () => {
    const id_tokens = { VAULT: { aud: 'https://$PLACE.test' }, TWO: { aud: ['a', 'b'] } }
    const variables = { PLACE: 'vault' }
    const config = { build: { script: ['make'], id_tokens, variables, timeout: '10 minutes' } }
    const { project, runner, pipeline } = await open(config)
    const job = await runner.take()
    const answer = await world.app.server.inject({
      url: '/oauth/discovery/keys',
      headers: { host: 'bloomery.test' },
    })
    const keys = createLocalJWKSet(answer.json())
    const now_s = Math.floor(world.app.clock.now().getTime() / 1000)
    const check = async (name: string, audience: string) => {
      const given = job?.variables.find(({ key }) => key === name)
      expect(given).toMatchObject({ masked: true, public: false })
      const currentDate = world.app.clock.now()
      const options = { audience, issuer: 'http://bloomery.test', currentDate }
      return (await jwtVerify(given?.value ?? '', keys, options)).payload
    }
    const owner = world.users.owner
    expect(await check('VAULT', 'https://vault.test')).toEqual({
      iss: 'http://bloomery.test',
      aud: 'https://vault.test',
      sub: `project_path:${project.full_path}:ref_type:branch:ref:main`,
      iat: now_s,
      nbf: now_s - 5,
      exp: now_s + 600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace_id: String(project.namespace_id),
      namespace_path: project.full_path.split('/').slice(0, -1).join('/'),
      project_id: String(project.id),
      project_path: project.full_path,
      project_visibility: project.visibility,
      user_id: String(owner.id),
      user_login: owner.username,
      user_email: owner.email,
      groups_direct: expect.arrayContaining([world.groups.shut.full_path]),
      pipeline_id: String(pipeline.id),
      pipeline_source: expect.any(String),
      job_id: String(job?.id),
      ref: 'main',
      ref_type: 'branch',
      ref_path: 'refs/heads/main',
      ref_protected: expect.stringMatching(/^(true|false)$/),
      runner_id: runner.id,
      runner_environment: 'self-hosted',
      sha: pipeline.sha,
      ci_config_ref_uri: `bloomery.test/${project.full_path}//.gitlab-ci.yml@refs/heads/main`,
      ci_config_sha: pipeline.sha,
    })
    expect((await check('TWO', 'b')).aud).toEqual(['a', 'b'])
    const stored = await world.app.db.selectFrom('jobs').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('eyJ')
  })

  it('answers nothing where there is nothing, with what to wait for', async () => {
    const runner = await newRunner(world, (await world.newProject()).id)
    const answer = await runner.ask()
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers['x-gitlab-last-update']).toEqual(expect.any(String))
  })

  it('asks for no other credentials, and reads none', async () => {
    const runner = await newRunner(world, (await world.newProject()).id)
    const body = { token: runner.token, private_token: 'wrong' }
    const headers = { 'private-token': 'wrong' }
    for (const answer of [
      await world.as('anonymous').post('/jobs/request', body),
      await world.as('anonymous').post('/jobs/request', { token: runner.token }, { headers }),
    ])
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
  })

  it('gives nobody a job twice', async () => {
    const { runner, project } = await open()
    const other = await newRunner(world, project.id)
    const taken = await Promise.all([runner.take(), other.take(), runner.take(), other.take()])
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('wakes a runner that waits', async () => {
    const { runner, project } = await open({ later: { script: ['x'], when: 'manual' } })
    const mark = (await runner.ask()).headers['x-gitlab-last-update']
    const waiting = runner.take({ last_update: mark })
    const job = await jobOf(world, (await newPipeline(world, project)).id, 'later')
    await world.as('owner').post(`/projects/${project.id}/jobs/${job.id}/play`)
    expect((await waiting)?.id).toBe(job.id)
  })

  it.each([
    ['a paused runner', { paused: true }, simple],
    ['one without the tags', { tag_list: ['a'] }, { build: { script: ['x'], tags: ['a', 'b'] } }],
    ['one that wants tags', { tag_list: ['a'], run_untagged: false }, simple],
  ])('has nothing for %s', async (_name, settings, config) => {
    const { runner } = await open(config, settings)
    expect(await runner.take()).toBeUndefined()
  })

  it('has tagged jobs for who has all of the tags', async () => {
    const config = { build: { script: ['x'], tags: ['b', 'a'] } }
    const { runner } = await open(config, { tag_list: ['a', 'b', 'c'] })
    expect((await runner.take())?.job_info.name).toBe('build')
  })

  it('keeps jobs of unprotected branches from runners of protected ones', async () => {
    const project = await newCiProject(world, simple)
    await world
      .as('owner')
      .post(`/projects/${project.id}/repository/branches`, { branch: 'topic', ref: 'main' })
    const runner = await newRunner(world, project.id, { access_level: 'ref_protected' })
    await world.app.db.deleteFrom('tasks').where('name', '=', 'tell-of-push').execute()
    await newPipeline(world, project, { ref: 'topic' })
    expect(await runner.take()).toBeUndefined()
    await newPipeline(world, project)
    const ofMain = { job_info: { name: 'build' }, git_info: { ref: 'main' } }
    expect(await runner.take()).toMatchObject(ofMain)
    const ofAll = await newRunner(world, project.id)
    expect(await ofAll.take()).toMatchObject({ git_info: { ref: 'topic' } })
  })

  const excluding = { artifacts: { paths: ['a'], exclude: ['b'] } }
  it.each([
    [{}, {}, true],
    [excluding, undefined, true],
    [excluding, { artifacts_exclude: true }, true],
    [excluding, { artifacts_exclude: false, multi_build_steps: true }, false],
    [{ release: { tag_name: 'v1', description: 'd' } }, { artifacts_exclude: true }, false],
    [{ secrets: { A: { vault: 'a/b/c@d' } } }, { artifacts_exclude: true }, false],
  ])('gives %j to a runner that says it can %j: %s', async (keys, features, isGiven) => {
    const { runner } = await open({ build: { script: ['x'], ...keys } })
    const job = await runner.take({ info: { features } })
    expect(job?.job_info.name).toBe(isGiven ? 'build' : undefined)
  })

  it('fails a job that the runner cannot do, and goes on to the next', async () => {
    const { runner, pipeline, project } = await open({
      build: { script: ['x'], ...excluding },
      next: { script: ['x'] },
    })
    expect((await runner.take({ info: { features: {} } }))?.job_info.name).toBe('next')
    const { id } = await jobOf(world, pipeline.id, 'build')
    expect(await shown(project, id)).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_unsupported',
    })
  })

  it('deploys nothing older than what is there, but for who asks for it', async () => {
    const { runner, project, pipeline } = await open({
      ship: { script: ['x'], environment: 'production' },
    })
    const newer = await newPipeline(world, project)
    const waiting = await jobOf(world, newer.id, 'ship')
    for (const event of ['run', 'succeed'] as const) await tellJob(world, waiting, event)
    expect(await runner.take()).toBeUndefined()
    const { id } = await jobOf(world, pipeline.id, 'ship')
    expect(await shown(project, id)).toMatchObject({
      status: 'failed',
      failure_reason: 'forward_deployment_failure',
    })
    await world.as('owner').post(`/projects/${project.id}/jobs/${id}/retry`)
    expect((await runner.take())?.job_info.name).toBe('ship')
  })

  it('deploys what is older than failures, and than successes in other environments', async () => {
    const { runner, project } = await open({
      ship: { script: ['x'], environment: 'production' },
      demo: { script: ['x'], environment: 'staging' },
    })
    const newer = await newPipeline(world, project)
    for (const [name, event] of [
      ['ship', 'drop'],
      ['demo', 'succeed'],
    ] as const) {
      const job = await jobOf(world, newer.id, name)
      await tellJob(world, job, 'run')
      await tellJob(world, job, event)
    }
    expect((await runner.take())?.job_info.name).toBe('ship')
    expect(await runner.take()).toBeUndefined()
  })

  it('deploys what is older where the project lets it', async () => {
    const { runner, project } = await open({ ship: { script: ['x'], environment: 'production' } })
    const settings = { ci_forward_deployment_enabled: false }
    expect((await world.as('owner').put(`/projects/${project.id}`, settings)).statusCode).toBe(200)
    const newer = await newPipeline(world, project)
    const waiting = await jobOf(world, newer.id, 'ship')
    for (const event of ['run', 'succeed'] as const) await tellJob(world, waiting, event)
    expect((await runner.take())?.job_info.name).toBe('ship')
  })

  it('fails a job that it cannot describe', async () => {
    const { runner, pipeline } = await open()
    const gone = { sha: 'f'.repeat(40) }
    await world.app.db.updateTable('pipelines').set(gone).where('id', '=', pipeline.id).execute()
    expect((await runner.ask()).statusCode).toBe(500)
    expect(await jobOf(world, pipeline.id, 'build')).toMatchObject({
      status: 'failed',
      failure_reason: 'scheduler_failure',
    })
    expect(await runner.take()).toBeUndefined()
  })

  it.each(['projects', 'namespaces'] as const)(
    'is not registered in one of the %s that is being deleted',
    async (table) => {
      const group = await world.newMemberedGroup()
      const { id } = table === 'namespaces' ? group : await world.newProject({ group })
      const kind = table === 'namespaces' ? 'groups' : 'projects'
      const url = `/${kind}/${id}/runners/reset_registration_token`
      const { token } = (await world.as('owner').post(url)).json()
      const register = () => world.as('anonymous').post('/runners', { token })
      const { db } = world.app
      await db.updateTable(table).set({ state: 'deleting' }).where('id', '=', id).execute()
      expect((await register()).statusCode).toBe(403)
      await db.updateTable(table).set({ state: 'ready' }).where('id', '=', id).execute()
      expect((await register()).statusCode).toBe(201)
    },
  )

  it('has nothing of a project that is being deleted, and no trigger jobs', async () => {
    const { runner, project } = await open()
    const child = { trigger: { include: [{ local: '.gitlab-ci.yml' }] } }
    const parent = await newCiProject(world, { child })
    const ofParent = await newRunner(world, parent.id)
    const { id } = await newPipeline(world, parent)
    expect((await jobOf(world, id, 'child')).status).toBe('pending')
    expect(await ofParent.take()).toBeUndefined()
    await world.app.db
      .updateTable('projects')
      .set({ state: 'deleting' })
      .where('id', '=', project.id)
      .execute()
    expect(await runner.take()).toBeUndefined()
    await world.app.db
      .updateTable('projects')
      .set({ state: 'ready' })
      .where('id', '=', project.id)
      .execute()
    expect(await runner.take()).toBeDefined()
  })

  it.each([true, false])(
    'fails a job whose user is blocked, at once or when it is asked for: %s',
    async (isAtOnce) => {
      const { user, client } = await world.newUser()
      const project = await newCiProject(world, simple)
      await world
        .as('owner')
        .post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 40 })
      const started = await client.post(`/projects/${project.id}/pipeline`, { ref: 'main' })
      expect(started.statusCode).toBe(201)
      const runner = await newRunner(world, project.id)
      await world.as('admin').post(`/users/${user.id}/block`)
      if (isAtOnce) await world.app.worker.drain()
      else expect(await runner.take()).toBeUndefined()
      const { id } = await jobOf(world, started.json().id, 'build')
      expect(await shown(project, id)).toMatchObject({
        status: 'failed',
        failure_reason: 'user_blocked',
      })
    },
  )

  it('gives jobs of projects by turns to runners of the instance', async () => {
    const fair = { build: { script: ['make'], tags: ['fair'] } }
    const [first, second, own] = [
      await newCiProject(world, fair),
      await newCiProject(world, fair),
      await newCiProject(world, fair),
    ]
    await world.as('owner').put(`/projects/${own.id}`, { shared_runners_enabled: false })
    const made = await world.as('admin').post('/user/runners', {
      runner_type: 'instance_type',
      tag_list: ['fair'],
      run_untagged: false,
    })
    const { token, id } = made.json()
    // What its own runner does counts for nobody's turn.
    const ofFirst = await newRunner(world, first.id, { tag_list: ['fair'] })
    await newPipeline(world, first)
    expect((await ofFirst.take())?.job_info).toMatchObject({ project_id: first.id })
    for (const project of [own, first, first, second]) await newPipeline(world, project)
    const nobody = world.as('anonymous')
    const take = async () => (await nobody.post('/jobs/request', { token })).json()
    const placeOf = async () => (await take()).job_info.project_id
    expect(await placeOf()).toBe(first.id)
    const ofSecond = await take()
    expect(ofSecond.job_info.project_id).toBe(second.id)
    const ended = { token: ofSecond.token, state: 'success' }
    expect((await nobody.put(`/jobs/${ofSecond.id}`, ended)).statusCode).toBe(200)
    await newPipeline(world, second)
    expect([await placeOf(), await placeOf()]).toEqual([second.id, first.id])
    const none = await world.as('anonymous').post('/jobs/request', { token })
    expect(none.statusCode).toBe(204)
    await world.as('admin').delete(`/runners/${id}`)
    const ofOwn = await newRunner(world, own.id, { tag_list: ['fair'] })
    expect((await ofOwn.take())?.job_info).toMatchObject({ project_id: own.id })
  })

  it('gives no job of a project without pipelines, and none of another project', async () => {
    const [project, other] = [await newCiProject(world, simple), await newCiProject(world, simple)]
    const runner = await newRunner(world, project.id)
    for (const one of [other, project]) await newPipeline(world, one)
    const set = (builds_access_level: string) =>
      world.as('owner').put(`/projects/${project.id}`, { builds_access_level })
    await set('disabled')
    expect(await runner.take()).toBeUndefined()
    await set('private')
    expect((await runner.take())?.job_info).toMatchObject({ project_id: project.id })
    expect(await runner.take()).toBeUndefined()
  })

  it('gives a runner of a group the oldest job of its projects, whatever its tags', async () => {
    const group = await world.newMemberedGroup()
    const tagged = { build: { script: ['make'], tags: ['forge'] } }
    const first = await newCiProject(world, tagged, { group })
    const second = await newCiProject(world, simple, { group })
    const elsewhere = await newCiProject(world, simple)
    const made = await world.as('owner').post('/user/runners', {
      runner_type: 'group_type',
      group_id: group.id,
      tag_list: ['forge'],
      run_untagged: true,
    })
    const { token } = made.json()
    for (const project of [elsewhere, second, first, first, second]) {
      await newPipeline(world, project)
    }
    const take = async () =>
      (await world.as('anonymous').post('/jobs/request', { token })).json().job_info.project_id
    const taken = [await take(), await take(), await take(), await take()]
    expect(taken).toEqual([second.id, first.id, first.id, second.id])
    const none = await world.as('anonymous').post('/jobs/request', { token })
    expect(none.statusCode).toBe(204)
  })

  it('gives variables of instance, group, project and pipeline in the order in which they win', async () => {
    const project = await newCiProject(world, {
      variables: { A: 'file', B: 'file' },
      build: { script: ['x'], variables: { B: 'job' } },
    })
    const owner = world.as('owner')
    await owner.post(`/projects/${project.id}/variables`, {
      key: 'A',
      value: 'project-value',
      masked: true,
    })
    await owner.post(`/projects/${project.id}/variables`, {
      key: 'SAFE',
      value: 's',
      protected: true,
    })
    await owner.post(`/projects/${project.id}/variables`, {
      key: 'PROD',
      value: 'p',
      environment_scope: 'production',
    })
    await owner.post(`/projects/${project.id}/variables`, {
      key: 'CFG',
      value: 'text',
      variable_type: 'file',
    })
    const variables = [{ key: 'GIVEN', value: 'by hand', variable_type: 'env_var' as const }]
    const { job } = await takeFirstJob(world, project, { variables })
    const effective = Object.fromEntries(job.variables.map(({ key, value }) => [key, value]))
    expect(effective).toMatchObject({ A: 'project-value', B: 'job', SAFE: 's', GIVEN: 'by hand' })
    expect(effective).not.toHaveProperty('PROD')
    expect(job.variables.find(({ key }) => key === 'CFG')).toMatchObject({ file: true })
    expect(job.variables.findLast(({ key }) => key === 'A')).toMatchObject({
      masked: true,
      public: false,
    })
  })
})

describe('PATCH /jobs/:id/trace', () => {
  async function running() {
    const project = await newCiProject(world, simple)
    return { project, ...(await takeFirstJob(world, project)) }
  }

  it('appends, answers the length, and shows the log while it grows', async () => {
    const { runner, job, project } = await running()
    const first = await runner.log(job, 'hello ')
    expect([first.statusCode, first.headers.range, first.headers['job-status']]).toEqual([
      202,
      '0-6',
      'running',
    ])
    expect(first.headers['x-gitlab-trace-update-interval']).toBe('3')
    expect((await runner.log(job, 'world', 6)).headers.range).toBe('0-11')
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    const log = await world.as('owner').get(url)
    expect([log.statusCode, log.body, log.headers['content-disposition']]).toEqual([
      200,
      'hello world',
      `infile; filename="${job.id}.log"`,
    ])
    // A browser shows it, as nothing but text.
    const shown = await world.as('owner').get(url, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(shown.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="${job.id}.log"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const tail = await world.as('owner').get(url, { headers: { range: 'bytes=6-' } })
    expect([tail.statusCode, tail.body, tail.headers['content-range']]).toEqual([
      206,
      'world',
      'bytes 6-10/11',
    ])
    const none = await world.as('owner').get(url, { headers: { range: 'bytes=11-' } })
    expect([none.statusCode, none.headers['content-range']]).toEqual([416, 'bytes */11'])
    await runner.end(job, 'success')
    expect((await world.as('owner').get(url)).body).toBe('hello world')
    const parts = await world.app.db
      .selectFrom('job_log_parts')
      .where('job_id', '=', job.id)
      .select('job_id')
      .execute()
    expect(parts).toEqual([])
    const archived = await world.as('owner').get(url, { headers: { range: 'bytes=0-4' } })
    expect(archived.body).toBe('hello')
  })

  it('is read to its end and from any byte of it, of however many parts it is', {
    timeout: 30_000,
  }, async () => {
    const { runner, job, project } = await running()
    const parts = Array.from({ length: 10 }, (_, n) => `line ${n}\n`)
    for (const [n, part] of parts.entries()) await runner.log(job, part, n * part.length)
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    const tail = await world.as('owner').get(url, { headers: { range: 'bytes=65-' } })
    expect([tail.statusCode, tail.body]).toEqual([206, 'ne 9\n'])
    expect((await world.as('owner').get(url)).body).toBe(parts.join(''))
    await runner.end(job, 'success')
    expect((await world.as('owner').get(url)).body).toBe(parts.join(''))
  })

  it('is continued while it grows, and is another one for each length', async () => {
    const { runner, job, project } = await running()
    const other = await running()
    await other.runner.log(other.job, 'of another job')
    const owner = world.as('owner')
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    const get = async (headers: Record<string, string> = {}) => {
      const answer = await owner.get(url, { headers })
      const { etag, 'content-range': range } = answer.headers
      return { status: answer.statusCode, body: answer.body, etag: String(etag), range }
    }
    await runner.log(job, 'hello ')
    const first = await get()
    expect(first).toEqual({
      ...{ status: 200, body: 'hello ', range: undefined },
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    expect(await get({ 'if-none-match': first.etag })).toMatchObject({ status: 304, body: '' })
    const more = { range: 'bytes=6-', 'if-range': first.etag }
    expect(await get(more)).toEqual({
      ...{ status: 416, body: '', etag: first.etag, range: 'bytes */6' },
    })

    await runner.log(job, 'world', 6)
    const second = await get({ range: more.range })
    expect(second).toMatchObject({ status: 206, body: 'world', range: 'bytes 6-10/11' })
    expect(second.etag).not.toBe(first.etag)
    expect(await get({ 'if-none-match': first.etag })).toMatchObject({ status: 200 })
    const whole = { status: 200, body: 'hello world', etag: second.etag, range: undefined }
    const others = [first.etag, `W/${second.etag}`, '"6"', 'Sun, 01 Mar 2026 12:00:00 GMT']
    for (const state of others) expect(await get({ ...more, 'if-range': state })).toEqual(whole)

    await runner.end(job, 'success')
    const now = { ...more, 'if-range': second.etag }
    expect(await get(now)).toMatchObject({ status: 206, body: 'world', etag: second.etag })
    await owner.post(`${url.replace('/trace', '')}/erase`)
    const erased = await get(now)
    expect(erased).toMatchObject({ status: 200, body: '' })
    expect([first.etag, second.etag]).not.toContain(erased.etag)
    const kept = `/projects/${other.project.id}/jobs/${other.job.id}/trace`
    expect((await owner.get(kept)).body).toBe('of another job')
  })

  it('tells where lines and sections of a log are, while it grows and afterwards', async () => {
    const { runner, job, project } = await running()
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    const index = async () => (await world.as('owner').get(`${url}?index=true`)).json()
    expect(await index()).toEqual({ bytes: 0, lines: 0, offsets: [], sections: [] })
    const mark = (text: string) => `section_${text}\r\u001b[0K`
    const head = `Hi\n${mark('start:1772366400:get[collapsed=true]')}\u001b[36mGet it\u001b[0m`
    await runner.log(job, head)
    expect(await index()).toEqual({ bytes: head.length, lines: 2, offsets: [0], sections: [] })
    const rest = `\n${mark('end:1772366407:get')}${mark('start:1772366408:make')}Make\n${'é\n'.repeat(2000)}end`
    await runner.log(job, rest, head.length)
    const lines = head.length + rest.indexOf('é')
    const whole = {
      bytes: Buffer.byteLength(head + rest),
      lines: 2004,
      offsets: [0, lines + 997 * 3, lines + 1997 * 3],
      sections: [
        {
          name: 'get',
          header: 'Get it',
          start: '2026-03-01T12:00:00.000Z',
          end: '2026-03-01T12:00:07.000Z',
          offset: 3,
          first_line: 2,
          last_line: 2,
          collapsed: true,
        },
        {
          name: 'make',
          header: 'Make',
          start: '2026-03-01T12:00:08.000Z',
          end: null,
          offset: head.length + 1,
          first_line: 3,
          last_line: null,
          collapsed: false,
        },
      ],
    }
    expect(await Promise.all([index(), index()])).toEqual([whole, whole])
    await runner.end(job, 'success')
    expect(await index()).toEqual(whole)
    const wrong = await world.as('owner').get(`${url}?index=maybe`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'index is invalid' }])
    await world.as('owner').post(`/projects/${project.id}/jobs/${job.id}/erase`)
    expect(await index()).toMatchObject({ lines: 0, sections: [] })
  })

  it.each([
    [8, 416, '0-11'],
    [15, 416, '0-11'],
    [6, 202, '0-11'],
  ])('writes nothing that begins at %i of 11 bytes', async (start, status, range) => {
    const { runner, job, project } = await running()
    await runner.log(job, 'hello world')
    const answer = await runner.log(job, start === 6 ? 'world' : 'later', start)
    expect([answer.statusCode, answer.headers.range]).toEqual([status, range])
    expect((await world.as('owner').get(`/projects/${project.id}/jobs/${job.id}/trace`)).body).toBe(
      'hello world',
    )
  })

  it('wants a range and the token of the job', async () => {
    const { job } = await running()
    const send = (headers: Record<string, string>) =>
      world.as('anonymous').patch(`/jobs/${job.id}/trace`, Buffer.from('x'), { headers })
    const bare = await send({ 'job-token': job.token })
    expect([bare.statusCode, bare.json()]).toEqual([
      400,
      { message: '400 Missing header Content-Range' },
    ])
    expect((await send({ 'job-token': 'none', 'content-range': '0-0' })).statusCode).toBe(403)
  })

  it('tells a runner that its job was cancelled', async () => {
    const { runner, job, project } = await running()
    await world.as('owner').post(`/projects/${project.id}/jobs/${job.id}/cancel`)
    const answer = await runner.log(job, 'late')
    expect([answer.statusCode, answer.headers['job-status'], answer.json()]).toEqual([
      403,
      'canceled',
      { message: '403 Forbidden - Job is not running' },
    ])
  })
})

describe('PUT /jobs/:id', () => {
  it('ends a job, and what waits for it goes on', async () => {
    const { runner, project, pipeline } = await open({
      stages: ['a', 'b'],
      one: { stage: 'a', script: ['x'] },
      two: { stage: 'b', script: ['y'] },
    })
    const one = await runner.takeJob()
    expect(await runner.take()).toBeUndefined()
    const touched = await world
      .as('anonymous')
      .put(`/jobs/${one.id}`, { token: one.token, state: 'running' })
    expect([touched.statusCode, touched.headers['job-status']]).toEqual([200, 'running'])
    const ended = await runner.end(one, 'success')
    expect([ended.statusCode, ended.headers['job-status']]).toEqual([200, 'success'])
    const two = await runner.takeJob()
    await runner.end(two, 'failed', { failure_reason: 'script_failure', exit_code: 3 })
    expect(await shown(project, two.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'script_failure',
    })
    const record = (
      await world.as('owner').get(`/projects/${project.id}/pipelines/${pipeline.id}`)
    ).json()
    expect(record.status).toBe('failed')
    const again = await runner.end(two, 'success')
    expect([again.statusCode, again.headers['job-status']]).toEqual([403, 'failed'])
  })

  it('takes an unknown reason for an unknown failure', async () => {
    const { runner, project } = await open()
    const job = await runner.takeJob()
    await runner.end(job, 'failed', { failure_reason: 'bad_mood' })
    expect(await shown(project, job.id)).toMatchObject({ failure_reason: 'unknown_failure' })
  })

  it('lets a job fail by the exit codes that may', async () => {
    const config = { build: { script: ['x'], allow_failure: { exit_codes: [3] } } }
    const { runner, project, pipeline } = await open(config)
    const job = await runner.takeJob()
    await runner.end(job, 'failed', { failure_reason: 'script_failure', exit_code: 3 })
    expect(await shown(project, job.id)).toMatchObject({ status: 'failed', allow_failure: true })
    const record = (
      await world.as('owner').get(`/projects/${project.id}/pipelines/${pipeline.id}`)
    ).json()
    expect([record.status, record.detailed_status.label]).toEqual([
      'success',
      'passed with warnings',
    ])
  })

  it('repeats a job as its retry says', async () => {
    const config = { build: { script: ['x'], retry: { max: 1, when: ['script_failure'] } } }
    const { runner, pipeline } = await open(config)
    const first = await runner.takeJob()
    await runner.end(first, 'failed', { failure_reason: 'script_failure' })
    const second = await runner.takeJob()
    expect(second.id).toBeGreaterThan(first.id)
    await runner.end(second, 'failed', { failure_reason: 'script_failure' })
    expect(await runner.take()).toBeUndefined()
    expect((await jobOf(world, pipeline.id, 'build')).id).toBe(second.id)
  })

  it('asks for the rest of a log it has not got', async () => {
    const { runner } = await open()
    const job = await runner.takeJob()
    await runner.log(job, 'half')
    const early = await runner.end(job, 'success', { output: { bytesize: 8, checksum: 'crc32:0' } })
    expect(early.statusCode).toBe(412)
    await runner.log(job, 'more', 4)
    expect((await runner.end(job, 'success', { output: { bytesize: 8 } })).statusCode).toBe(200)
  })

  it('reads the coverage from the log', async () => {
    const { runner, project } = await open({
      build: { script: ['x'], coverage: '/Total: \\d+\\.\\d+%/' },
    })
    const job = await runner.takeJob()
    await runner.log(job, 'Total: 12.5%\nTotal: 83.25%\ndone\n')
    await runner.end(job, 'success')
    expect(await shown(project, job.id)).toMatchObject({ coverage: 83.25 })
  })

  it.each([
    [{ state: 'success' }, 400, { error: 'token is missing, token is empty' }],
    [{ token: 'x', state: 'sleeping' }, 400, { error: 'state does not have a valid value' }],
    [{ token: 'x', state: 'success' }, 403, { message: '403 Forbidden' }],
  ])('refuses %j', async (body, status, answer) => {
    const refused = await world.as('anonymous').put('/jobs/1', body)
    expect([refused.statusCode, refused.json()]).toEqual([status, answer])
  })
})

describe('Archives', () => {
  it('are uploaded by a job and fetched by those after it', async () => {
    const config = {
      stages: ['a', 'b'],
      make: { stage: 'a', script: ['x'], artifacts: { paths: ['out'] } },
      use: { stage: 'b', script: ['y'] },
    }
    const { runner, project } = await open(config)
    const make = await runner.takeJob()
    const zip = zipOf({ 'out/a.txt': 'data' })
    const query = '?artifact_type=archive&artifact_format=zip&expire_in=7d'
    const stored = await runner.upload(make, zip, query)
    expect([stored.statusCode, stored.body]).toEqual([201, '201'])
    expect((await runner.upload(make, zip, query)).statusCode).toBe(201)
    const other = await runner.upload(make, zipOf({ b: 'b' }), query)
    expect([other.statusCode, other.json()]).toEqual([
      400,
      { message: '400 Bad request - another artifact of the same type already exists' },
    ])
    await runner.end(make, 'success')
    const use = await runner.take()
    expect(use?.dependencies).toEqual([
      {
        id: make.id,
        name: 'make',
        token: use?.token,
        artifacts_file: { filename: 'artifacts.zip', size: zip.length },
      },
    ])
    const fetch = (token: string) =>
      world.as('anonymous').get(`/jobs/${make.id}/artifacts`, { headers: { 'job-token': token } })
    const fetched = await fetch(use?.token ?? '')
    expect([fetched.statusCode, fetched.rawPayload.equals(zip)]).toEqual([200, true])
    expect((await fetch(make.token)).statusCode).toBe(401)
    expect((await world.as('owner').get(`/jobs/${make.id}/artifacts`)).statusCode).toBe(401)
    expect(await shown(project, make.id)).toMatchObject({
      artifacts_file: { filename: 'artifacts.zip', size: zip.length },
    })
  })

  it('and variables are handed on within a pipeline, by the jobs of it that count', async () => {
    const artifacts = { paths: ['out'], reports: { dotenv: 'a.env' } }
    const config = {
      stages: ['a', 'b'],
      make: { stage: 'a', script: ['x'], artifacts: { ...artifacts, when: 'always' } },
      use: { stage: 'b', script: ['y'], needs: ['make'] },
      all: { stage: 'b', script: ['z'] },
    }
    const [own, other] = [await open(config), await open(config)]
    const make = async ({ runner }: typeof own, state: 'failed' | 'success', value: string) => {
      const job = await runner.takeJob()
      expect(job.job_info.name).toBe('make')
      const dotenv = '?artifact_type=dotenv&artifact_format=gzip'
      const archive = '?artifact_type=archive&artifact_format=zip'
      for (const uploaded of [
        await runner.upload(job, zipOf({ 'out/a.txt': value }), archive),
        await runner.upload(job, gzipSync(`MADE=${value}`), dotenv),
      ])
        expect(uploaded.statusCode).toBe(201)
      await runner.end(job, state)
      return job
    }
    const ofOther = await make(other, 'success', 'elsewhere')
    const failed = await make(own, 'failed', 'first')
    await world.as('owner').post(`/projects/${own.project.id}/jobs/${failed.id}/retry`)
    const made = await make(own, 'success', 'second')
    for (const [{ runner }, { id }, value] of [
      [own, made, 'second'],
      [other, ofOther, 'elsewhere'],
    ] as const) {
      for (const name of ['use', 'all']) {
        const job = await runner.takeJob()
        expect(job.job_info.name).toBe(name)
        expect(job.dependencies).toMatchObject([{ id }])
        expect(job.variables.filter(({ key }) => key === 'MADE')).toMatchObject([{ value }])
      }
    }
  })

  it('come from jobs of runners alone, without the variables that those were played with', async () => {
    const files = { 'child.yml': JSON.stringify({ inner: { script: 'x', tags: ['moon'] } }) }
    const config = {
      stages: ['a', 'b'],
      ask: { stage: 'a', script: ['x'], when: 'manual', allow_failure: false },
      kid: { stage: 'a', trigger: { include: 'child.yml' } },
      use: { stage: 'b', script: ['y'] },
    }
    const project = await newCiProject(world, config, { files })
    const runner = await newRunner(world, project.id)
    const pipeline = await newPipeline(world, project)
    await world.app.worker.drain()
    const { id } = await jobOf(world, pipeline.id, 'ask')
    const body = { job_variables_attributes: [{ key: 'ANSWER', value: '42' }] }
    await world.as('owner').post(`/projects/${project.id}/jobs/${id}/play`, body)
    const answers = ({ variables }: GivenJob) => variables.filter(({ key }) => key === 'ANSWER')
    const ask = await runner.takeJob()
    expect(answers(ask)).toMatchObject([{ value: '42' }])
    await runner.end(ask, 'success')
    const use = await runner.takeJob()
    expect(use).toMatchObject({ job_info: { name: 'use' }, dependencies: [{ id }] })
    expect(answers(use)).toEqual([])
  })

  it.each([
    ['?artifact_type=junit&artifact_format=zip', 'Invalid file format with specified file type'],
    ['?artifact_type=poem', 'Invalid file type'],
  ])('of %s are refused', async (query, reason) => {
    const { runner } = await open()
    const job = await runner.takeJob()
    const refused = await runner.upload(job, zipOf({ a: 'a' }), query)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: `400 Bad request - ${reason}` },
    ])
  })
})

describe('The token of a job', () => {
  it('shows the job while it runs, and no longer', async () => {
    const { runner } = await open()
    const job = await runner.takeJob()
    const ask = () => world.as('anonymous').get('/job', { headers: { 'job-token': job.token } })
    const mine = await ask()
    expect([mine.statusCode, mine.json().id]).toEqual([200, job.id])
    await runner.end(job, 'success')
    expect([(await ask()).statusCode, (await ask()).json()]).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
  })

  it('counts as none where it is not taken', async () => {
    const { runner, project } = await open()
    const job = await runner.take()
    const answer = await world
      .as('anonymous')
      .get(`/projects/${project.id}/variables`, { headers: { 'job-token': job?.token ?? '' } })
    expect(answer.statusCode).toBe(401)
  })
})
