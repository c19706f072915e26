import { beforeAll, describe, expect, it } from 'vitest'
import { insertVulnerabilities } from '../../../test/kit/vulnerabilities.ts'
import { newWorld, type World } from '../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** How many statements it takes to remove a project in which so many are found. */
async function removeWith(count: number): Promise<number> {
  const { app } = world
  const project = await world.newProject()
  const { id: project_id } = project
  const now = app.clock.now().toISOString()
  const other = await world.newProject()
  const kept = { project_id: other.id, source: `commit:${count}`, created_at: now, ready_at: now }
  await app.db.insertInto('dependency_lists').values(kept).execute()
  await insertVulnerabilities(
    app.db,
    project,
    Array.from({ length: count }, () => ({})),
  )
  const list = { project_id, source: `commit:${count}`, created_at: now, ready_at: now }
  const { id: list_id } = await app.db
    .insertInto('dependency_lists')
    .values(list)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let at = 0; at < count; at += 500) {
    const rows = Array.from({ length: Math.min(500, count - at) }, (_, row) => ({
      list_id,
      name: `d${at + row}`,
      version: '1',
      package_manager: 'npm',
      dependency_file_path: 'package-lock.json',
      vulnerabilities: '[]',
    }))
    await app.db.insertInto('dependencies').values(rows).execute()
  }
  // Whatever else waits is done before.
  await app.worker.drain()
  expect((await world.as('owner').delete(`/projects/${project_id}`)).statusCode).toBe(202)
  const { queries } = await app.count(() => app.worker.drain())
  const tables = ['vulnerabilities', 'dependency_lists', 'alerts'] as const
  for (const table of tables) {
    const left = await app.db
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', project_id)
      .execute()
    expect(left).toEqual([])
  }
  const others = app.db.selectFrom('dependency_lists').select('id')
  expect(await others.where('project_id', '=', other.id).execute()).toHaveLength(1)
  return queries
}

describe('A project that goes', () => {
  it('takes what was found in it along some rows at a time', async () => {
    const few = await removeWith(1)
    // Five hundred vulnerabilities at once, and a thousand dependencies.
    expect((await removeWith(4001)) - few).toBe(8 + 4)
  })
})
