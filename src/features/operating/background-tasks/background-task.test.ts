import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { mailSettings } from '../../../../test/kit/emails.ts'
import { processesOf } from '../../../../test/kit/git.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import type { EmailMessage } from '../../../mail/mail.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const url = '/admin/background_tasks'

/** An application whose mail server answers what it is told to. */
async function startMailWorld() {
  const mail = { isAway: false, emails: [] as EmailMessage[] }
  const sendEmail = async (email: EmailMessage) => {
    if (mail.isAway) throw new Error('The mail server\nsaid no.')
    mail.emails.push(email)
  }
  const app = await startApp(mailSettings, { sendEmail })
  ends.push(app.close)
  const world = await newWorld(app)
  return { app, world, mail, admin: app.client(rootToken) }
}

const invite = (world: World, username: string) =>
  world.as('admin').post('/users', {
    username,
    name: username,
    email: `${username}@mail.test`,
    reset_password: true,
  })
const emailTask = (app: TestApp) =>
  app.db
    .selectFrom('tasks')
    .selectAll()
    .where('name', '=', 'send-password-reset')
    .executeTakeFirstOrThrow()

/** An email that could not be sent, until nobody tries any more. */
async function failForGood({ app, world, mail }: Awaited<ReturnType<typeof startMailWorld>>) {
  mail.isAway = true
  await invite(world, 'ann')
  for (let row = await emailTask(app); row.failed_at === null; row = await emailTask(app)) {
    app.clock.advance(Math.max(0, Date.parse(row.run_at) - app.clock.now().getTime()))
    await app.worker.drain()
  }
  return emailTask(app)
}

describe('GET /admin/background_tasks', () => {
  it('shows an administrator what failed and why, but nothing of what is in it', async () => {
    const site = await startMailWorld()
    const row = await failForGood(site)
    const answer = await site.admin.get(`${url}?state=failed`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['x-total']).toBe('1')
    expect(answer.json()).toEqual([
      {
        id: row.id,
        name: 'send-password-reset',
        lane: 'mail',
        key: row.key,
        state: 'failed',
        attempts: limits.mail.attempts_max,
        last_error: 'Error: The mail server',
        run_at: row.run_at,
        started_at: site.app.clock.now().toISOString(),
        failed_at: site.app.clock.now().toISOString(),
        created_at: row.created_at,
      },
    ])
    // Before it would have been of no use any more.
    const tried_ms = Date.parse(row.failed_at ?? '') - Date.parse(row.created_at)
    expect(tried_ms).toBeLessThan(limits.mail.waiting_ms)
    expect(tried_ms).toBeGreaterThan(limits.mail.waiting_ms * 0.9)
    const metrics = (await site.admin.get('/-/metrics')).body
    expect(metrics).toContain(
      `bloomery_task_failures_total{lane="mail",task="send-password-reset"} ${limits.mail.attempts_max}\n`,
    )
    expect(metrics).toContain('bloomery_tasks_failed{lane="mail"} 1\n')
    expect(metrics).toContain('bloomery_tasks_failed{lane="upkeep"} 0\n')
  })

  it('tells states and lanes apart, page by page', async () => {
    const { app, world, admin } = await startMailWorld()
    await app.worker.drain()
    await app.db.deleteFrom('tasks').execute()
    for (const name of ['a', 'b', 'c']) await invite(world, name)
    const tasks = await app.db.selectFrom('tasks').select('id').orderBy('id').execute()
    const [first, second, third] = tasks.map(({ id }) => id)
    const set = (id: number | undefined, values: object) =>
      app.db
        .updateTable('tasks')
        .set(values)
        .where('id', '=', id ?? 0)
        .execute()
    await set(first, { owner_id: 'somebody' })
    await set(second, {
      lane: 'removal',
      run_at: new Date(app.clock.now().getTime() + 1).toISOString(),
    })
    const list = async (query: string) => {
      const answer = await admin.get(`${url}?${query}`)
      const items: { id: number; state: string }[] = answer.json()
      return items.map(({ id, state }) => [id, state])
    }
    expect(await list('')).toEqual([
      [third, 'waiting'],
      [second, 'delayed'],
      [first, 'running'],
    ])
    expect(await list('state=waiting')).toEqual([[third, 'waiting']])
    expect(await list('state=delayed')).toEqual([[second, 'delayed']])
    expect(await list('state=running')).toEqual([[first, 'running']])
    expect(await list('state=failed')).toEqual([])
    expect(await list('lane=removal')).toEqual([[second, 'delayed']])
    expect(await list('per_page=1&page=3')).toEqual([[first, 'running']])
    await set(third, { failed_at: app.clock.now().toISOString() })
    expect(await list('state=waiting')).toEqual([])
    expect(await list('state=failed')).toEqual([[third, 'failed']])
    await set(second, { failed_at: app.clock.now().toISOString() })
    expect(await list('state=delayed')).toEqual([])
    const wrong = await admin.get(`${url}?state=lost&lane=fast`)
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { error: 'state does not have a valid value, lane does not have a valid value' },
    ])
  })
})

describe('POST /admin/background_tasks/:id/retry', () => {
  it('has what failed run again, as if for the first time', async () => {
    const site = await startMailWorld()
    const { app, admin, mail } = site
    const { id } = await failForGood(site)
    const again = await admin.post(`${url}/${id}/retry`)
    expect(again.statusCode).toBe(201)
    expect(again.json()).toMatchObject({ id, state: 'waiting', attempts: 0, failed_at: null })
    await app.worker.drain()
    expect((await admin.get(`${url}?lane=mail`)).json()).toMatchObject([
      { id, state: 'delayed', attempts: 1 },
    ])
    // What waits for its next attempt need not.
    mail.isAway = false
    expect((await admin.post(`${url}/${id}/retry`)).json()).toMatchObject({ state: 'waiting' })
    await app.worker.drain()
    expect(mail.emails.map(({ to }) => to)).toEqual(['ann@mail.test'])
    const gone = await admin.post(`${url}/${id}/retry`)
    expect([gone.statusCode, gone.json()]).toEqual([
      404,
      { message: '404 Background task Not Found' },
    ])
  })

  it('leaves alone what runs', async () => {
    const { app, world, admin } = await startMailWorld()
    await invite(world, 'ann')
    const { id } = await emailTask(app)
    await app.db.updateTable('tasks').set({ owner_id: 'somebody' }).where('id', '=', id).execute()
    const answer = await admin.post(`${url}/${id}/retry`)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { message: 'The background task is running' },
    ])
  })
})

describe('DELETE /admin/background_tasks/:id', () => {
  it('removes what failed, and nothing else', async () => {
    const site = await startMailWorld()
    const { app, world, admin } = site
    const { id } = await failForGood(site)
    const row = { name: 'other', key: 'k', lane: 'upkeep', payload: '{}' }
    const now = app.clock.now().toISOString()
    const times = { run_at: now, created_at: now, failed_at: now }
    await app.db
      .insertInto('tasks')
      .values({ ...row, ...times })
      .execute()
    expect((await admin.delete(`${url}/${id}`)).statusCode).toBe(204)
    expect((await admin.delete(`${url}/${id}`)).statusCode).toBe(404)
    expect((await admin.get(`${url}?state=failed`)).json()).toMatchObject([{ name: 'other' }])
    await invite(world, 'bob')
    const answer = await admin.delete(`${url}/${(await emailTask(app)).id}`)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { message: 'The background task has not failed' },
    ])
  })
})

describe('a repository whose upkeep is stuck', () => {
  it('delays no email, and nobody else’s deletion', async () => {
    const { app, world, mail, admin } = await startMailWorld()
    const project = await world.newProject({ files: { a: 'a' } })
    const other = await world.newProject()
    const placed = await admin.get(`/projects/${project.id}/storage`)
    const repository = join(app.config.data, 'repositories', `${placed.json().disk_path}.git`)
    // git reads the list of alternates and waits for what nobody ever writes into it.
    const pipe = join(repository, 'objects/info/alternates')
    execFileSync('mkfifo', [pipe])
    const descriptor = openSync(pipe, constants.O_RDWR)
    let isStuck = true
    const free = () => {
      if (!isStuck) return
      isStuck = false
      rmSync(pipe)
      closeSync(descriptor)
    }
    ends.push(free)
    await app.db.updateTable('tasks').set({ run_at: app.clock.now().toISOString() }).execute()
    await app.worker.start()
    const running = async () =>
      (await admin.get(`${url}?state=running&lane=upkeep`))
        .json()
        .map(({ key }: { key: string }) => key)
    await expect.poll(running, { timeout: 10_000 }).toEqual([String(project.id)])
    await expect.poll(() => processesOf(repository).length, { timeout: 10_000 }).toBeGreaterThan(0)
    await invite(world, 'ann')
    await world.as('owner').delete(`/projects/${other.id}`)
    await expect.poll(() => mail.emails.map(({ to }) => to)).toEqual(['ann@mail.test'])
    const ofOther = () =>
      app.db.selectFrom('projects').select('id').where('id', '=', other.id).execute()
    await expect.poll(ofOther, { timeout: 10_000 }).toEqual([])
    expect(await running()).toEqual([String(project.id)])
    free()
    await expect.poll(running, { timeout: 10_000 }).toEqual([])
  })
})

describe('GET /sidekiq/...', () => {
  it('answers administrators with queues, processes and jobs', async () => {
    const started = await startMailWorld()
    const { admin } = started
    await failForGood(started)
    const { queues, processes, jobs } = (await admin.get('/sidekiq/compound_metrics')).json()
    expect(queues.mail).toEqual({ backlog: 0, latency: 0 })
    expect(processes).toEqual([
      {
        hostname: expect.any(String),
        pid: process.pid,
        tag: 'bloomery',
        started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        queues: Object.keys(queues),
        labels: [],
        concurrency: 45,
        busy: 0,
      },
    ])
    expect(jobs).toEqual({
      processed: expect.any(Number),
      failed: expect.any(Number),
      enqueued: expect.any(Number),
      dead: 1,
    })
    expect(jobs.processed).toBeGreaterThanOrEqual(jobs.failed)
    expect(jobs.failed).toBeGreaterThan(10)
    for (const [name, key] of [
      ['queue_metrics', 'queues'],
      ['process_metrics', 'processes'],
      ['job_stats', 'jobs'],
    ] as const) {
      expect(Object.keys((await admin.get(`/sidekiq/${name}`)).json())).toEqual([key])
    }
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['owner', 403, '403 Forbidden'],
  ] as const)('answers %s with %i', async (who, status, message) => {
    const { world } = await startMailWorld()
    const answer = await world.as(who).get('/sidekiq/compound_metrics')
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })
})
