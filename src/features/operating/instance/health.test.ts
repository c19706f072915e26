import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { runCommand } from '../../../../test/kit/command.ts'
import { mailSettings } from '../../../../test/kit/emails.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe.each(['/admin/health', '/admin/configuration'])('GET %s', (url) => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
    ['admin', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).get(url)).statusCode).toBe(status)
  })
})

describe('GET /admin/health', () => {
  const health = async () => (await world.as('admin').get('/admin/health')).json()

  it('tells of disks, tasks, emails and runners', async () => {
    const bytes = expect.any(Number)
    const disk = { free_bytes: bytes, size_bytes: bytes, nearly_full: false }
    const { data, storages } = world.app.config
    const { tasks, ...rest } = await health()
    expect(rest).toEqual({
      version: '0.1.0',
      database: process.env.TEST_DB === 'postgres' ? 'postgresql' : expect.any(String),
      url: world.app.config.url ?? null,
      nodes: (await world.as('admin').get('/admin/nodes')).json().map((node: object) => ({
        ...node,
        started_at: expect.any(String),
        seen_at: expect.any(String),
      })),
      workers: 1,
      mail_from: null,
      runners_online: 0,
      users_pending_approval: 0,
      last_backup_at: null,
      disks: [
        { storage: null, path: data, ...disk },
        { storage: 'default', path: storages.default?.path, ...disk },
      ],
    })
    expect(tasks).toContainEqual({
      lane: 'mail',
      waiting: 0,
      waiting_seconds: 0,
      running: 0,
      failed: 0,
    })
  })

  it('counts what failed, and how long the oldest task has been due', async () => {
    const now = world.app.clock.now()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
    const row = { name: 'unknown', payload: '{}', created_at: ago(90) }
    await world.app.db
      .insertInto('tasks')
      .values([
        { ...row, lane: 'domains', key: 'due', run_at: ago(90) },
        { ...row, lane: 'domains', key: 'failed', run_at: ago(90), failed_at: ago(1) },
      ])
      .execute()
    const { tasks } = await health()
    expect(tasks.find(({ lane }: { lane: string }) => lane === 'domains')).toEqual({
      lane: 'domains',
      waiting: 1,
      waiting_seconds: 90,
      running: 0,
      failed: 1,
    })
  })

  it('counts the runners that asked lately and are not paused', async () => {
    const { id } = (
      await world.as('admin').post('/user/runners', { runner_type: 'instance_type' })
    ).json()
    const set = (values: { contacted_at?: string; paused?: boolean }) =>
      world.app.db.updateTable('runners').set(values).where('id', '=', id).execute()
    expect((await health()).runners_online).toBe(0)
    await set({ contacted_at: world.app.clock.now().toISOString() })
    expect((await health()).runners_online).toBe(1)
    await set({ paused: true })
    expect((await health()).runners_online).toBe(0)
    await set({ paused: false, contacted_at: '2026-01-01T00:00:00.000Z' })
    expect((await health()).runners_online).toBe(0)
  })

  it('counts who waits for approval', async () => {
    await world.newUser({ state: 'blocked_pending_approval' })
    await world.newUser({ state: 'blocked' })
    expect((await health()).users_pending_approval).toBe(1)
  })

  it('tells when a backup completed, by the audit event it leaves', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bloomery-health-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const done = await runCommand(world.app.config, ['backup', '--to', folder])
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const { last_backup_at } = await health()
    expect(Math.abs(Date.now() - Date.parse(last_backup_at))).toBeLessThan(60_000)
    const scope = 'Gitlab::Audit::InstanceScope'
    const [event] = (
      await world.as('admin').get(`/audit_events?entity_type=${scope}&per_page=1`)
    ).json()
    expect(event).toMatchObject({
      event_name: 'backup_completed',
      author_id: -1,
      details: { with_keys: false, bytes: expect.any(Number) },
    })
    // What else has happened since is no backup.
    await world.as('admin').put('/application/settings', { help_text: 'Ask us.' })
    expect((await health()).last_backup_at).toBe(last_backup_at)
  })
})

describe('GET /admin/configuration', () => {
  it('names every setting as the environment does, and shows no secret', async () => {
    const app = await startApp({
      ...mailSettings,
      BLOOMERY_SMTP_URL: 'smtp://forge:hunter2hunter2@mail.test:2525',
      BLOOMERY_METRICS_TOKEN: 'metrics-of-nobody',
    })
    onTestFinished(() => app.close())
    const answer = await app.client(rootToken).get('/admin/configuration')
    const entries: { name: string; value: string | null }[] = answer.json()
    const entryOf = (name: string) => entries.find((entry) => entry.name === name)
    expect(entries.length).toBeGreaterThan(35)
    expect(entryOf('smtp_url')).toEqual({
      name: 'smtp_url',
      environment_name: 'BLOOMERY_SMTP_URL',
      value: 'mail.test:2525',
      secret: false,
    })
    expect(entryOf('metrics_token')).toMatchObject({ value: null, secret: true })
    expect(entryOf('database_url')?.value ?? null).toBeNull()
    expect(entryOf('acme_email')).toMatchObject({ value: null, secret: false })
    expect(entryOf('disk_free_min')).toMatchObject({ value: '256 MB' })
    expect(entryOf('repository_size_max')).toMatchObject({ value: '102400 MB' })
    for (const secret of ['hunter2hunter2', 'metrics-of-nobody']) {
      expect(answer.body).not.toContain(secret)
    }
  })
})
