import { beforeAll, describe, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { assignResourceTask, resourceGroupTasks } from './assign-resource.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const deploying = { deploy: { script: 'true', resource_group: 'production' } }
/** The job that wants the resource comes second. */
const late = {
  stages: ['test', 'deploy'],
  unit: { stage: 'test', script: 'true' },
  deploy: { stage: 'deploy', script: 'true', resource_group: 'production' },
}

/** So many pipelines of one project, each with a job `deploy` that wants its resource. */
async function newPipelines(count: number, { config = deploying as object, mode = '' } = {}) {
  const project = await newCiProject(world, config)
  const url = `/projects/${project.id}/resource_groups/production`
  const ids: number[] = []
  for (let made = 0; made < count; made++) {
    ids.push((await newPipeline(world, project)).id)
    if (made > 0 || mode === '') continue
    expect((await world.as('developer').put(url, { process_mode: mode })).statusCode).toBe(200)
  }
  await world.app.worker.drain()
  const statuses = async (name = 'deploy') =>
    Promise.all(ids.map(async (id) => (await jobOf(world, id, name)).status))
  const tell = async (index: number, name: string, event: Parameters<typeof tellJob>[2]) =>
    tellJob(world, await jobOf(world, ids[index] ?? 0, name), event)
  const finish = async (index: number, name = 'deploy') => {
    await tell(index, name, 'run')
    await tell(index, name, 'succeed')
  }
  return { project, url, ids, statuses, tell, finish }
}

describe('Resource groups', () => {
  it('are made by the jobs that name them, shown, listed and changed', async () => {
    const { project, url } = await newPipelines(2)
    await newPipelines(1)
    const client = world.as('developer')
    const shown = await client.get(url)
    const record = {
      id: expect.any(Number),
      key: 'production',
      process_mode: 'unordered',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    }
    expect([shown.statusCode, shown.json()]).toEqual([200, record])
    const list = await client.get(`/projects/${project.id}/resource_groups`)
    expect([list.json(), list.headers['x-total']]).toEqual([[shown.json()], '1'])
    for (const process_mode of [
      'oldest_first',
      'newest_first',
      'newest_ready_first',
      'unordered',
    ]) {
      const changed = await client.put(url, { process_mode })
      expect([changed.statusCode, changed.json()]).toEqual([200, { ...shown.json(), process_mode }])
    }
    expect((await client.put(url, {})).json()).toEqual(shown.json())
  })

  it('have keys with slashes', async () => {
    const config = { deploy: { script: 'true', resource_group: 'eu/west-1' } }
    const project = await newCiProject(world, config)
    await newPipeline(world, project)
    const shown = await world
      .as('developer')
      .get(`/projects/${project.id}/resource_groups/eu%2Fwest-1`)
    expect([shown.statusCode, shown.json().key]).toEqual([200, 'eu/west-1'])
  })

  it('refuse another mode, and are unknown by another key', async () => {
    const { project, url } = await newPipelines(1)
    const refused = await world.as('developer').put(url, { process_mode: 'random' })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { error: 'process_mode does not have a valid value' },
    ])
    const unknown = `/projects/${project.id}/resource_groups/staging`
    for (const method of ['get', 'put'] as const) {
      const gone = await world.as('developer')[method](unknown)
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it.each([
    ['outsider', 404],
    ['reporter', 403],
    ['developer', 200],
  ] as const)('answer %s with %i', async (who, status) => {
    const { url } = await newPipelines(1)
    expect((await world.as(who).get(url)).statusCode).toBe(status)
    expect((await world.as(who).put(url, {})).statusCode).toBe(status)
  })

  it('are not for anonymous callers', async () => {
    const { url, project } = await newPipelines(1)
    const anonymous = world.as('anonymous')
    const list = `/projects/${project.id}/resource_groups`
    const expectRefusals = async () => {
      for (const answer of [
        await anonymous.get(list),
        await anonymous.get(url),
        await anonymous.put(url, {}),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
      }
    }
    await expectRefusals()
    await world.app.db
      .updateTable('projects')
      .set({ visibility: 'public' })
      .where('id', '=', project.id)
      .execute()
    await expectRefusals()
  })

  it('of an archived project are read, not changed', async () => {
    const { project, url } = await newPipelines(1)
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect((await world.as('developer').get(url)).statusCode).toBe(200)
    expect((await world.as('developer').put(url, {})).statusCode).toBe(403)
  })
})

describe('The resource of a group', () => {
  it('is one job’s at a time, and goes to the next when it ends', async () => {
    const { statuses, tell } = await newPipelines(3)
    expect(await statuses()).toEqual(['pending', 'waiting_for_resource', 'waiting_for_resource'])
    await tell(0, 'deploy', 'run')
    expect(await statuses()).toEqual(['running', 'waiting_for_resource', 'waiting_for_resource'])
    await tell(0, 'deploy', 'drop')
    expect(await statuses()).toEqual(['failed', 'pending', 'waiting_for_resource'])
    await tell(1, 'deploy', 'cancel')
    expect(await statuses()).toEqual(['failed', 'canceled', 'pending'])
  })

  it('is not given to one that was cancelled while it waited', async () => {
    const { statuses, tell, finish } = await newPipelines(3)
    await tell(1, 'deploy', 'cancel')
    await finish(0)
    expect(await statuses()).toEqual(['success', 'canceled', 'pending'])
  })

  it('is given once, however often it is asked for', async () => {
    const { statuses, project } = await newPipelines(3)
    const { db, clock } = world.app
    const { id } = await db
      .selectFrom('resource_groups')
      .select('id')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const uses = { db, clock: clock.now }
    const run = () => assignResourceTask.run(uses, { resource_group_id: id })
    await Promise.all([run(), run(), run()])
    expect(await statuses()).toEqual(['pending', 'waiting_for_resource', 'waiting_for_resource'])
    await db.updateTable('resource_groups').set({ job_id: null }).where('id', '=', id).execute()
    await Promise.all([run(), run(), run()])
    expect(await statuses()).toEqual(['pending', 'pending', 'waiting_for_resource'])
  })

  it('is given on when the pipeline of who has it is deleted', async () => {
    const { statuses, ids } = await newPipelines(2)
    await world.app.db
      .deleteFrom('pipelines')
      .where('id', '=', ids.shift() ?? 0)
      .execute()
    const sweep = resourceGroupTasks.find(({ every_ms }) => every_ms !== undefined)
    const { db, clock } = world.app
    await sweep?.run({ db, clock: clock.now }, { resource_group_id: 0 })
    await world.app.worker.drain()
    expect(await statuses()).toEqual(['pending'])
  })

  it('goes to whoever waits, unordered', async () => {
    const { statuses, finish } = await newPipelines(3, { config: late })
    await finish(2, 'unit')
    expect(await statuses()).toEqual(['created', 'created', 'pending'])
    await finish(1, 'unit')
    await finish(0, 'unit')
    await finish(2)
    expect(await statuses()).toEqual(['pending', 'waiting_for_resource', 'success'])
  })

  it('goes by the age of pipelines, oldest first: later ones wait for what is to come', async () => {
    const { statuses, finish, tell } = await newPipelines(3, {
      config: {
        ...late,
        deploy: { ...late.deploy, needs: ['unit'] },
        // A job of another resource, which is to come all the time.
        slow: { stage: 'test', script: 'true' },
        audit: { stage: 'deploy', script: 'true', resource_group: 'audits', needs: ['slow'] },
      },
      mode: 'oldest_first',
    })
    await finish(2, 'unit')
    await finish(1, 'unit')
    expect(await statuses()).toEqual(['created', 'waiting_for_resource', 'waiting_for_resource'])
    await finish(0, 'unit')
    expect(await statuses()).toEqual(['pending', 'waiting_for_resource', 'waiting_for_resource'])
    await finish(0)
    expect(await statuses()).toEqual(['success', 'pending', 'waiting_for_resource'])
    await tell(1, 'deploy', 'cancel')
    expect(await statuses()).toEqual(['success', 'canceled', 'pending'])
  })

  it('goes on oldest first when the one that was waited for never comes', async () => {
    const { statuses, finish, tell } = await newPipelines(2, {
      config: late,
      mode: 'oldest_first',
    })
    await finish(1, 'unit')
    expect(await statuses()).toEqual(['created', 'waiting_for_resource'])
    await tell(0, 'unit', 'drop')
    expect(await statuses()).toEqual(['skipped', 'pending'])
  })

  it('goes by the age of pipelines, newest first: earlier ones wait for what is to come', async () => {
    const { statuses, finish } = await newPipelines(3, { config: late, mode: 'newest_first' })
    await finish(0, 'unit')
    await finish(1, 'unit')
    expect(await statuses()).toEqual(['waiting_for_resource', 'waiting_for_resource', 'created'])
    await finish(2, 'unit')
    expect(await statuses()).toEqual(['waiting_for_resource', 'waiting_for_resource', 'pending'])
    await finish(2)
    expect(await statuses()).toEqual(['waiting_for_resource', 'pending', 'success'])
  })

  it('goes to the newest of those that wait, newest ready first', async () => {
    const { statuses, finish } = await newPipelines(3, {
      config: late,
      mode: 'newest_ready_first',
    })
    await finish(0, 'unit')
    expect(await statuses()).toEqual(['pending', 'created', 'created'])
    await finish(1, 'unit')
    await finish(2, 'unit')
    await finish(0)
    expect(await statuses()).toEqual(['success', 'waiting_for_resource', 'pending'])
  })

  it('goes on when the mode no longer keeps it back', async () => {
    const { url, statuses, finish } = await newPipelines(2, {
      config: late,
      mode: 'oldest_first',
    })
    await finish(1, 'unit')
    expect(await statuses()).toEqual(['created', 'waiting_for_resource'])
    await world.as('developer').put(url, { process_mode: 'unordered' })
    await world.app.worker.drain()
    expect(await statuses()).toEqual(['created', 'pending'])
  })

  it('is shown with the job that has it, and with those to come', async () => {
    // Another resource of the same project, which is nothing to this one.
    const other = { stage: 'deploy', script: 'true', resource_group: 'staging' }
    const { url, ids, finish, tell } = await newPipelines(3, {
      config: { ...late, other },
      mode: 'newest_first',
    })
    const client = world.as('developer')
    const none = await client.get(`${url}/current_job`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not found' }])
    await finish(2, 'unit')
    await finish(0, 'unit')
    const jobs = await Promise.all(ids.map((id) => jobOf(world, id, 'deploy')))
    const [oldest, middle, newest] = jobs.map(({ id }) => id)
    const current = await client.get(`${url}/current_job`)
    expect([current.statusCode, current.json().id, current.json().status]).toEqual([
      200,
      newest,
      'pending',
    ])
    const upcoming = async () =>
      (await client.get(`${url}/upcoming_jobs`)).json().map(({ id }: { id: number }) => id)
    expect(await upcoming()).toEqual([middle, oldest])
    await client.put(url, { process_mode: 'oldest_first' })
    expect(await upcoming()).toEqual([oldest, middle])
    await client.put(url, { process_mode: 'unordered' })
    expect(await upcoming()).toEqual([oldest])
    await tell(2, 'deploy', 'run')
    await tell(2, 'deploy', 'succeed')
    expect((await client.get(`${url}/current_job`)).json().id).toBe(oldest)
    expect(await upcoming()).toEqual([])
    expect((await world.as('reporter').get(`${url}/current_job`)).statusCode).toBe(403)
    expect((await world.as('reporter').get(`${url}/upcoming_jobs`)).statusCode).toBe(403)
  })

  it('waits for nobody who plays a manual job', async () => {
    const manual = { deploy: { script: 'true', resource_group: 'production', when: 'manual' } }
    const { statuses } = await newPipelines(2, { config: manual })
    expect(await statuses()).toEqual(['manual', 'manual'])
  })
})
