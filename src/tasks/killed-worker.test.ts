// A process that dies while it runs a task, with real processes: another one takes it up within seconds.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/kit/database.ts'
import { newFolder } from '../../test/kit/git.ts'

const token = 'glpat-the-token-of-a-killed-worker'
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const isPostgres = process.env.TEST_DB === 'postgres'

type Settings = Record<string, string | undefined>

async function serve(settings: Settings) {
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill('SIGKILL'))
  const url = await addressOf(child)
  const headers = { 'private-token': token, 'content-type': 'application/json' }
  const ask = async (path: string, request: RequestInit = {}) =>
    (await fetch(`${url}/api/v4${path}`, { ...request, headers })).json()
  return {
    child,
    get: (path: string) => ask(path),
    post: (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    const url = /Bloomery serves (\S+)/.exec(output)?.[1]
    if (!url) continue
    child.stdout?.resume()
    return url
  }
  throw new Error(`The server did not start: ${output}`)
}

it('what a killed process ran is taken up within seconds by another one', {
  timeout: 180_000,
}, async () => {
  const data = newFolder()
  const database = isPostgres ? await createDatabase(inject('postgresUrl')) : undefined
  if (database) ends.push(database.drop)
  const settings = { BLOOMERY_DATA: data, BLOOMERY_DATABASE_URL: database?.url }
  const first = await serve(settings)
  const { id } = (await first.post('/projects', { name: 'stuck' })) as { id: number }
  const placed = (await first.get(`/projects/${id}/storage`)) as { disk_path: string }
  // git waits for what nobody ever writes into its list of alternates.
  const repository = join(data, 'repositories', `${placed.disk_path}.git`)
  execFileSync('mkfifo', [join(repository, 'objects/info/alternates')])
  await first.post(`/projects/${id}/housekeeping`, {})
  const list = '/admin/background_tasks?lane=upkeep&state=running'
  const runsFor = (attempts: number) => [{ name: 'maintain-project', key: String(id), attempts }]
  await expect.poll(() => first.get(list), { timeout: 10_000 }).toMatchObject(runsFor(1))

  // SQLite's file has one process at a time, PostgreSQL as many as there are.
  const beside = isPostgres ? await serve(settings) : undefined
  if (beside) expect(await beside.get(list)).toMatchObject(runsFor(1))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const next = beside ?? (await serve(settings))
  await expect.poll(() => next.get(list), { timeout: 20_000 }).toMatchObject(runsFor(2))
})
