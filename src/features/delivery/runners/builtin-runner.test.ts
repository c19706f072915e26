import { describe, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { failOrphanedJobsOfBuiltinRunner, jobTasks } from '../jobs/job.tasks.ts'
import { ensureBuiltinRunner, waitForJobOfBuiltinRunner } from './builtin-runner.ts'

const tokenOf = ({ app }: World) =>
  ensureBuiltinRunner(app.db, { clock: app.clock.now, key: app.secretKey })

/** What happens every minute. */
async function dropSilentJobs({ app: { db, clock, config } }: World): Promise<void> {
  const task = jobTasks.find(({ name }) => name === 'drop-silent-jobs')
  await task?.run({ db, clock: clock.now, config }, {} as never)
}

describe('the built-in runner', () => {
  it('is one instance runner, whose token is good whatever became of it', async () => {
    const world = await newWorld()
    const made = await world.as('admin').post('/user/runners', { runner_type: 'instance_type' })
    const token = await tokenOf(world)
    const anonymous = world.as('anonymous')
    const own = await anonymous.post('/runners/verify', { token: made.json().token })
    expect([own.statusCode, own.json().id]).toEqual([200, made.json().id])
    const verified = await anonymous.post('/runners/verify', { token })
    expect(verified.statusCode).toBe(200)
    const { id } = verified.json()
    const reset = await anonymous.post('/runners/reset_authentication_token', { token })
    expect(reset.statusCode).toBe(201)
    expect((await anonymous.post('/runners/verify', { token })).statusCode).toBe(403)
    expect(await tokenOf(world)).toBe(token)
    expect((await anonymous.post('/runners/verify', { token })).json()).toEqual({
      id,
      token,
      token_expires_at: null,
    })
    const rows = await world.app.db
      .selectFrom('runners')
      .selectAll()
      .where('builtin', '=', true)
      .execute()
    expect(rows).toMatchObject([{ id, runner_type: 'instance_type', run_untagged: true }])
  })

  it('has lost at once what it had when it died, and only that', async () => {
    const world = await newWorld()
    const project = await newCiProject(world, { one: { script: 'true' }, two: { script: 'true' } })
    const { id } = await newPipeline(world, project)
    const anonymous = world.as('anonymous')
    const taken = await anonymous.post('/jobs/request', { token: await tokenOf(world) })
    const { runners_token } = (await world.as('owner').get(`/projects/${project.id}`)).json()
    const { token } = (await anonymous.post('/runners', { token: runners_token })).json()
    expect((await anonymous.post('/jobs/request', { token })).statusCode).toBe(201)
    const { db, clock } = world.app
    await failOrphanedJobsOfBuiltinRunner({ db, clock: clock.now })
    const { name } = taken.json().job_info
    expect(await jobOf(world, id, name)).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_system_failure',
    })
    const other = await jobOf(world, id, name === 'one' ? 'two' : 'one')
    expect(other.status).toBe('running')
  })

  it('has lost nothing of a pipeline that has ended, which stays as it is', async () => {
    const world = await newWorld()
    const project = await newCiProject(world, { one: { script: 'true' } })
    const { id } = await newPipeline(world, project)
    const anonymous = world.as('anonymous')
    const taken = (await anonymous.post('/jobs/request', { token: await tokenOf(world) })).json()
    await anonymous.put(`/jobs/${taken.id}`, { token: taken.token, state: 'success' })
    await world.app.worker.drain()
    const pipeline = async () =>
      (await world.as('owner').get(`/projects/${project.id}/pipelines/${id}`)).json()
    const ended = await pipeline()
    const { db, clock } = world.app
    expect(ended).toMatchObject({ status: 'success', finished_at: clock.now().toISOString() })
    clock.advance(3 * 60_000)
    await failOrphanedJobsOfBuiltinRunner({ db, clock: clock.now })
    expect(await pipeline()).toEqual(ended)
    await dropSilentJobs(world)
    expect(await pipeline()).toEqual(ended)
  })

  it('has lost a job it has said nothing of for two minutes, which others have not', async () => {
    const world = await newWorld()
    const project = await newCiProject(world, { one: { script: 'true' }, two: { script: 'true' } })
    const { id } = await newPipeline(world, project)
    const anonymous = world.as('anonymous')
    const { runners_token } = (await world.as('owner').get(`/projects/${project.id}`)).json()
    const registered = await anonymous.post('/runners', { token: runners_token })
    for (const token of [await tokenOf(world), registered.json().token]) {
      expect((await anonymous.post('/jobs/request', { token })).statusCode).toBe(201)
    }
    const statuses = async () => [
      (await jobOf(world, id, 'one')).status,
      (await jobOf(world, id, 'two')).status,
    ]
    world.app.clock.advance(119_000)
    await dropSilentJobs(world)
    expect(await statuses()).toEqual(['running', 'running'])
    world.app.clock.advance(2000)
    await dropSilentJobs(world)
    expect((await statuses()).sort()).toEqual(['failed', 'running'])
    const lost = await jobOf(world, id, (await statuses())[0] === 'failed' ? 'one' : 'two')
    expect(lost.failure_reason).toBe('stuck_or_timeout_failure')
  })

  describe('that can make no sandbox', () => {
    const info = { name: 'bloomery-runner', isolation_problem: 'namespaces are switched off' }

    const waitingJob = async (world: World) => {
      await world.as('admin').put('/application/settings', { allow_jobs_without_isolation: false })
      const project = await newCiProject(world, { test: { script: 'true' } })
      const { id } = await newPipeline(world, project)
      const job = await jobOf(world, id, 'test')
      const request = { token: await tokenOf(world), info }
      return {
        url: `/projects/${project.id}/jobs/${job.id}?with_abilities=true`,
        take: () => world.as('anonymous').post('/jobs/request', request),
      }
    }

    it('gets jobs only once an administrator has allowed it', async () => {
      const world = await newWorld()
      const { take } = await waitingJob(world)
      expect((await take()).statusCode).toBe(204)
      const change = { allow_jobs_without_isolation: true }
      for (const who of ['anonymous', 'owner'] as const) {
        const refused = await world.as(who).put('/application/settings', change)
        expect(refused.statusCode).toBe(who === 'anonymous' ? 401 : 403)
      }
      expect((await take()).statusCode).toBe(204)
      const changed = await world.as('admin').put('/application/settings', change)
      expect(changed.json()).toMatchObject(change)
      expect((await take()).statusCode).toBe(201)
    })

    it('is told of on a job that waits for it, and who may allow it', async () => {
      const world = await newWorld()
      const { url, take } = await waitingJob(world)
      const told = async (who: 'owner' | 'admin') => {
        const { isolation_problem, abilities } = (await world.as(who).get(url)).json()
        return { isolation_problem, may: abilities.allow_jobs_without_isolation }
      }
      await take()
      const { isolation_problem } = info
      expect(await told('owner')).toEqual({ isolation_problem, may: false })
      expect(await told('admin')).toEqual({ isolation_problem, may: true })
      const shown = await world.as('admin').get(url.replace('?with_abilities=true', ''))
      expect(shown.json()).not.toHaveProperty('isolation_problem')
      await world.as('admin').put('/application/settings', { allow_jobs_without_isolation: true })
      expect(await told('admin')).toEqual({ isolation_problem: null, may: false })
      expect((await take()).statusCode).toBe(201)
    })

    it('is no reason to hold jobs back from another runner that says the same', async () => {
      const world = await newWorld()
      const project = await newCiProject(world, { test: { script: 'true' } })
      await newPipeline(world, project)
      const { runners_token } = (await world.as('owner').get(`/projects/${project.id}`)).json()
      const { token } = (
        await world.as('anonymous').post('/runners', { token: runners_token })
      ).json()
      const taken = await world.as('anonymous').post('/jobs/request', { token, info })
      expect(taken.statusCode).toBe(201)
    })
  })
})

describe('the built-in runner whose process does not run', () => {
  /** Whether there is a job to start it for. */
  const hasJob = async ({ app: { db, clock, config } }: World): Promise<boolean> => {
    const aborter = new AbortController()
    const waited = waitForJobOfBuiltinRunner({ db, clock: clock.now, config }, aborter.signal)
    const found = await Promise.race([
      waited.then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 200, false)),
    ])
    aborter.abort()
    await waited
    return found
  }

  it('is online, and wanted once a job is pending that it may take', async () => {
    const world = await newWorld()
    const project = await newCiProject(world, { one: { script: 'true' } })
    await tokenOf(world)
    expect(await hasJob(world)).toBe(false)
    const admin = world.as('admin')
    const [{ id }] = (await admin.get('/runners/all?type=instance_type')).json()
    expect((await admin.get(`/runners/${id}`)).json()).toMatchObject({
      status: 'online',
      name: 'bloomery-runner',
      platform: process.platform,
      ip_address: '127.0.0.1',
    })
    await admin.put(`/runners/${id}`, { paused: true })
    await newPipeline(world, project)
    expect(await hasJob(world)).toBe(false)
    await admin.put(`/runners/${id}`, { paused: false })
    expect(await hasJob(world)).toBe(true)
    await admin.put('/application/settings', { allow_jobs_without_isolation: false })
    // It has said that it cannot isolate jobs: they wait for an administrator.
    const isolation_problem = 'no namespaces'
    await world.app.db
      .updateTable('runners')
      .set({ isolation_problem })
      .where('id', '=', id)
      .execute()
    expect(await hasJob(world)).toBe(false)
    await admin.put('/application/settings', { allow_jobs_without_isolation: true })
    expect(await hasJob(world)).toBe(true)
  })

  it('is wanted at the moment a job becomes pending', async () => {
    const world = await newWorld()
    const project = await newCiProject(world, { one: { script: 'true' } })
    await tokenOf(world)
    const { db, clock, config } = world.app
    const { signal } = new AbortController()
    const waited = waitForJobOfBuiltinRunner({ db, clock: clock.now, config }, signal)
    await newPipeline(world, project)
    await waited
  })
})
