import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { createDatabase } from '../../../../test/kit/database.ts'
import { newFolder } from '../../../../test/kit/git.ts'
import { type Server, startServer } from '../../../../test/kit/server.ts'
import { newWorld } from '../../../../test/kit/world.ts'
import { serverVersion } from '../../../kernel/version.ts'

const url = '/admin/backups'
const isPostgres = process.env.TEST_DB === 'postgres'

const unconfigured = {
  target: null,
  schedule: null,
  keep: null,
  state: 'none',
  last_error: null,
  next_at: null,
  target_error: null,
  count: 0,
  backups: [],
}

describe('without a target', () => {
  it('the backups are shown to administrators', async () => {
    const world = await newWorld()
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
    const refused = await world.as('owner').get(url)
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
    const shown = await world.as('admin').get(url)
    expect([shown.statusCode, shown.json()]).toEqual([200, unconfigured])
  })

  it('none is taken', async () => {
    const world = await newWorld()
    expect((await world.as('anonymous').post(url)).statusCode).toBe(401)
    expect((await world.as('owner').post(url)).statusCode).toBe(403)
    const refused = await world.as('admin').post(url)
    const message = 'No backup target is configured. Set BLOOMERY_BACKUP_TO and restart the server.'
    expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
    expect((await world.as('admin').get(url)).json()).toEqual(unconfigured)
  })
})

describe('with a target', () => {
  let app: TestApp
  let folder: string
  beforeAll(async () => {
    folder = join(newFolder(), 'backups')
    app = await startApp({ BLOOMERY_BACKUP_TO: folder, BLOOMERY_BACKUP_SCHEDULE: '30 4 * * *' })
  })
  afterAll(() => app.close())
  const admin = () => app.client(rootToken)
  const configured = { ...unconfigured, schedule: '30 4 * * *', keep: 14 }

  it('one backup at a time is taken, which is due at once as the first one', async () => {
    const next_at = app.clock.now().toISOString()
    const taken = await admin().post(url)
    const waiting = { ...configured, target: folder, next_at, state: 'waiting' }
    expect([taken.statusCode, taken.json()]).toEqual([202, waiting])
    const again = await admin().post(url)
    const message = 'A backup is already in progress'
    expect([again.statusCode, again.json()]).toEqual([409, { message }])
  })

  it('one that failed is shown with its error, and taken again', async () => {
    await app.worker.drain()
    const failed = {
      state: 'delayed',
      last_error: 'Error: This process cannot run the backup command.',
    }
    expect((await admin().get(url)).json()).toMatchObject(failed)
    expect((await admin().post(url)).json()).toMatchObject({ state: 'waiting', last_error: null })
  })

  it('a target that cannot be read is reported', async () => {
    writeFileSync(folder, 'a file')
    expect((await admin().get(url)).json()).toMatchObject({
      target: folder,
      target_error: expect.stringContaining('ENOTDIR'),
      count: 0,
      backups: [],
    })
  })
})

describe('a server that runs', () => {
  type Shown = { state: string; count: number; last_error: string | null; next_at: string }
  let server: Server
  let folder: string
  let place: Record<string, string>
  const shown = () => server.ask<Shown & { backups: object[] }>(`GET ${url}`)
  const untilCount = (count: number) =>
    expect.poll(shown, { timeout: 60_000 }).toMatchObject({ state: 'none', count })

  beforeAll(async () => {
    folder = join(newFolder(), 'backups')
    mkdirSync(folder)
    const database = isPostgres ? await createDatabase(inject('postgresUrl')) : undefined
    place = {
      BLOOMERY_DATA: newFolder(),
      BLOOMERY_BACKUP_TO: folder,
      BLOOMERY_BACKUP_KEEP: '2',
      ...(database && { BLOOMERY_DATABASE_URL: database.url }),
    }
    server = await startServer(place)
  })

  it('takes its first backup by itself, and others when it is asked to', async () => {
    await server.ask('POST /projects', { name: 'shop', initialize_with_readme: true })
    await untilCount(1)
    const { backups, next_at } = await shown()
    expect(backups).toEqual([
      {
        name: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/),
        created_at: expect.any(String),
        version: serverVersion,
        database: isPostgres ? 'postgresql' : 'sqlite',
        repositories: expect.any(Number),
        blobs: 0,
        bytes: expect.any(Number),
        with_keys: false,
      },
    ])
    expect(next_at).toMatch(/T03:00:00\.000Z$/)
    expect(Date.parse(next_at)).toBeGreaterThan(Date.now())
    await server.ask(`POST ${url}`)
    await untilCount(2)
    await server.ask(`POST ${url}`)
    // Of three two are kept.
    await expect.poll(async () => (await shown()).backups).not.toContainEqual(backups[0])
    await untilCount(2)
    expect((await shown()).backups[0]).toMatchObject({ repositories: 1 })
    const { last_backup_at } = await server.ask<{ last_backup_at: string }>('GET /admin/health')
    expect(Math.abs(Date.now() - Date.parse(last_backup_at))).toBeLessThan(60_000)
  })

  it('takes backups that are whole', () => {
    const args = ['dist/main.js', 'backup', 'verify', folder]
    const env = { PATH: process.env.PATH, BLOOMERY_DATA: place.BLOOMERY_DATA }
    const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
    expect(output).toMatch(/: good, \d+ files, 1 repositories, 0 problems\./)
  })
})
