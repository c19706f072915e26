// An index of texts only narrows a search: what is found is what looking at every row finds.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../test/kit/app.ts'
import { containsTextCondition, isPostgres } from './dialect.ts'

const texts = [
  'Furnace',
  'furnace of the "old" works',
  "the smith's 100%_done",
  'ÄÖÜ äöü',
  'İstanbul ıI',
  '漢字三つ',
  '🚀🚀x',
  'back\\slash',
  'AND OR NOT NEAR(a b)',
  'a*b^c-d:e',
  `${'='.repeat(60)}!${'='.repeat(40)}`,
]
const searches = [
  ...['fur', 'FURNACE', '"old"', '"', "h's", '%_d', '___', 'äöü', 'ÄÖÜ', 'İst', 'ist', 'ıI'],
  ...[
    '漢字三',
    '字三',
    '🚀🚀x',
    '🚀x',
    'k\\s',
    'AND',
    'NEAR(',
    'a*b',
    '^c-d:',
    'none of them',
    '   ',
  ],
]

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  const client = app.client(rootToken)
  for (const [number, text] of texts.entries()) {
    const path = `searched-${number}`
    const made = await client.post('/projects', { name: path, path, description: text })
    expect(made.statusCode).toBe(201)
    const user = {
      username: `someone-${number}`,
      email: `s${number}@bloomery.test`,
      password: 'Anvil-Hammer-77',
    }
    expect((await client.post('/users', { ...user, name: text })).statusCode).toBe(201)
  }
})
afterAll(() => app.close())

async function found(path: string): Promise<number[]> {
  const answer = await app.client(rootToken).get(`${path}&per_page=100`)
  expect([answer.statusCode, answer.headers['x-total']]).toEqual([
    200,
    String(answer.json().length),
  ])
  return answer
    .json()
    .map(({ id }: { id: number }) => id)
    .toSorted((a: number, b: number) => a - b)
}

async function everyRow(table: 'projects' | 'users', columns: string[], text: string) {
  const rows = await app.db
    .selectFrom(table)
    .select('id')
    .where(containsTextCondition(app.db, columns, text))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function compare(text: string) {
  const query = `search=${encodeURIComponent(text)}`
  const projects = await everyRow('projects', ['path', 'name', 'description'], text)
  const users = await everyRow('users', ['name', 'username'], text)
  if ([...text].length >= 3) expect(await found(`/projects?${query}`)).toEqual(projects)
  if (text.length >= 3 && text !== '   ') expect(await found(`/users?${query}`)).toEqual(users)
  return projects.length
}

it.each(searches)('finds %s as looking at every row does', async (text) => {
  await compare(text)
})

it.each([
  ['='.repeat(60), 1],
  ['='.repeat(61), 0],
  [`!${'='.repeat(40)}`, 1],
  [`${'='.repeat(41)}!`, 1],
  [`!${'='.repeat(41)}`, 0],
  [`${'='.repeat(20)}?`, 0],
])(
  'finds %s, in which the same three characters stand many times, in %i rows',
  async (text, rows) => {
    expect(await compare(text)).toBe(rows)
  },
)

it.each(['ÄÖÜ äöü', 'äöü ÄÖÜ', 'ÖÜ ä'])(
  'finds %s in whatever case its letters are',
  async (text) => {
    expect(await compare(text)).toBe(1)
  },
)

it('compares whole names and topics in whatever case their letters are', async () => {
  const client = app.client(rootToken)
  const person = { username: 'oez', email: 'oez@bloomery.test', password: 'Anvil-Hammer-77' }
  const user = (await client.post('/users', { ...person, name: 'Öz' })).json()
  const made = await client.post('/projects', { name: 'Ül', path: 'ul', topics: ['Ökologie'] })
  for (const [path, text, id] of [
    ['users?search', 'Öz', user.id],
    ['users?search', 'öZ', user.id],
    ['projects?search', 'Ül', made.json().id],
    ['projects?search', 'üL', made.json().id],
    ['projects?topic', 'Ökologie', made.json().id],
    ['projects?topic', 'ökologie', made.json().id],
    ['projects?order_by=similarity&search', 'ÜL', made.json().id],
  ] as const) {
    expect(await found(`/${path}=${encodeURIComponent(text)}`)).toEqual([id])
  }
})

it('looks for a text of more than 255 characters by its first 255', async () => {
  const description = `${'anvil '.repeat(42)}hammer`
  const path = 'searched-by-much'
  await app.client(rootToken).post('/projects', { name: path, path, description })
  expect(await compare(description)).toBe(1)
  expect(await compare(`${description.slice(0, 255)} and tongs`)).toBe(1)
  expect(await compare(`${description.slice(0, 254)}?`)).toBe(0)
})

it('follows what is changed and removed', async () => {
  const client = app.client(rootToken)
  expect(await compare('furnace')).toBe(2)
  const [first, second] = await found('/projects?search=furnace')
  await client.put(`/projects/${first}`, { description: 'bellows' })
  expect(await compare('furnace')).toBe(1)
  expect(await found('/projects?search=bellows')).toEqual([first])
  await app.db.deleteFrom('projects').where('id', '=', Number(second)).execute()
  expect(await compare('furnace')).toBe(0)
  await app.db
    .updateTable('users')
    .set({ name: 'Founder' })
    .where('username', '=', 'root')
    .execute()
  expect(await found('/users?search=ounde')).toHaveLength(1)
})

it('does not wait for who writes', async () => {
  const search = () => app.client(rootToken).get('/projects?search=bellows')
  // Whose token is used is noted first.
  const before = await search()
  const meanwhile = await app.db.transaction().execute(async () => search())
  expect([meanwhile.statusCode, meanwhile.json()]).toEqual([200, before.json()])
})

it('has its indexes', async () => {
  const query = isPostgres(app.db)
    ? sql<{
        name: string
      }>`select indexname as name from pg_indexes where indexname like '%_trigrams'`
    : sql<{ name: string }>`select name from sqlite_master where sql like '%trigram%'`
  const { rows } = await query.execute(app.db)
  expect(rows).toHaveLength(isPostgres(app.db) ? 7 : 3)
})

if (process.env.TEST_DB === 'postgres') {
  it('is planned for disks that read any page as fast as the next one', async () => {
    const { rows } = await sql`show random_page_cost`.execute(app.db)
    expect(rows).toEqual([{ random_page_cost: '1.1' }])
  })
}
