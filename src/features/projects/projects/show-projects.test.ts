import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import type { Actor } from '../../../access/actor.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { listProjectIds } from './list-projects.ts'
import { showProjects } from './show-projects.ts'

const listed = 20
let app: TestApp
let root: Actor
beforeAll(async () => {
  app = await startApp()
  for (let number = 0; number < listed; number++) {
    const { statusCode } = await app.client(rootToken).post('/projects', {
      ...{ name: `Shown ${number}`, initialize_with_readme: number % 2 === 0 },
    })
    expect(statusCode).toBe(201)
  }
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow()
  root = { user, token: undefined }
})
afterAll(() => app.close())

async function show(actor: Actor) {
  const { db, git, config, secretKey } = app
  const ids = await listProjectIds(db, actor, {
    ...{ filter: {}, order: { by: 'id', sort: 'desc' }, offset: 0, per_page: listed },
  })
  const viewer = { db, git, config, secretKey, actor, baseUrl: 'http://bloomery.test' }
  return showProjects(viewer, ids)
}

it('writes no record again that nothing has changed, where the database tells', async () => {
  const first = await show(root)
  const second = await show(root)
  expect(first).toHaveLength(listed)
  expect(second).toEqual(first)
  const kept = second.filter((text, index) => text === first[index])
  // PostgreSQL hands out rows without saying of which version they are.
  expect(kept).toHaveLength(isPostgres(app.db) ? 0 : listed)
})

it('shows at once what was written, to the row or to the repository', async () => {
  const [newest] = await show(root)
  const { id } = newest?.value ?? {}
  expect(newest?.value).toMatchObject({ empty_repo: true, description: null })
  const client = app.client(rootToken)
  await client.post(`/projects/${id}/repository/files/README.md`, {
    ...{ branch: 'main', commit_message: 'Begin', content: 'Read me.' },
  })
  const [pushed] = await show(root)
  expect(pushed?.value).toMatchObject({ empty_repo: false })
  expect(pushed?.value.readme_url).toContain('/-/blob/main/README.md')
  await app.db
    .updateTable('projects')
    .set({ description: 'New' })
    .where('id', '=', Number(id))
    .execute()
  const [changed] = await show(root)
  expect(changed?.value).toMatchObject({ description: 'New' })
})

it('tells each caller what is theirs to know', async () => {
  const user = root.user && { ...root.user, id: 999_999, is_admin: false }
  const nobody: Actor = { user, token: undefined }
  const mine = await app.client(rootToken).get('/projects?per_page=1')
  expect(mine.json()[0].runners_token).toMatch(/^GR1348941/)
  await app.db.updateTable('projects').set({ visibility: 'internal' }).execute()
  const [theirs] = await show(nobody)
  expect(theirs?.value).toMatchObject({ runners_token: null })
  expect(theirs?.value).not.toHaveProperty('repository_storage')
  expect((await show(root))[0]?.value).toHaveProperty('repository_storage')
})

it('answers a list as it answers its records, and 304 to its own tag', async () => {
  const client = app.client(rootToken)
  const list = await client.get('/projects?per_page=3')
  for (const record of list.json()) {
    const one = await client.get(`/projects/${record.id}`)
    expect(one.json()).toEqual(record)
    expect(one.headers['content-type']).toBe('application/json')
  }
  const tag = String(list.headers.etag)
  const headers = { 'if-none-match': tag }
  expect((await client.get('/projects?per_page=3', { headers })).statusCode).toBe(304)
  const before = list.json()[0]
  await client.put(`/projects/${before.id}`, { description: 'Newer' })
  const changed = await client.get('/projects?per_page=3', { headers })
  expect([changed.statusCode, changed.json()[0].description]).toEqual([200, 'Newer'])
})

it('looks at the disk a few times a project and asks four questions', async () => {
  const client = app.client(rootToken)
  const ask = () => client.get(`/projects?per_page=${listed}`)
  await ask()
  const { statSync } = fs
  let looks = 0
  fs.statSync = ((...args: Parameters<typeof statSync>) => {
    if (String(args[0]).includes('.git/')) looks++
    return statSync(...args)
  }) as typeof statSync
  syncBuiltinESMExports()
  let queries: number
  try {
    queries = (await app.count(ask)).queries
  } finally {
    fs.statSync = statSync
    syncBuiltinESMExports()
  }
  expect(looks).toBeGreaterThan(0)
  // The branch, loose and packed; where it is missing the folder and the file of all others too.
  expect(looks).toBeLessThanOrEqual(2 * listed + (2 * listed) / 2)
  // The caller, the page, its records and the total.
  expect(queries).toBeLessThanOrEqual(4)
})
