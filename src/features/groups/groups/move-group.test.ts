import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { moveNamespace } from '../../basics/namespaces/move-namespace.ts'
import { administratorClaimant } from '../../basics/namespaces/namespace.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Until another connection waits for a lock or the task is done; SQLite has one writer to wait for. */
async function untilSomebodyWaits(db: Db, task: Promise<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  let isDone = false
  task.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}

/** The answer to a request that comes while the group is being renamed. */
async function whileRenamed(
  group: Parameters<typeof moveNamespace>[1],
  path: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const { db } = world.app
  const { name } = group
  let answer: Promise<Answer> | undefined
  await db.transaction().execute(async (tx) => {
    await lockAccessRecomputation(tx)
    await moveNamespace(tx, group, { path, name, claimant: administratorClaimant })
    answer = request()
    await untilSomebodyWaits(db, answer)
  })
  if (!answer) throw new Error('Nothing was asked.')
  return answer
}

const byPath = (kind: 'groups' | 'projects', path: string) =>
  world.as('admin').get(`/${kind}/${encodeURIComponent(path)}`)

describe('a group that is renamed', () => {
  const admin = () => world.as('admin')

  it('has what is made in it at that moment under its new path', async () => {
    const group = await world.newGroup()
    const path = `${group.path}-renamed`
    const made = await whileRenamed(group, path, () =>
      admin().post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id }),
    )
    expect(made.json()).toMatchObject({ full_path: `${path}/sub` })
    expect((await byPath('groups', `${path}/sub`)).json().id).toBe(made.json().id)
  })

  it('has a project that is made in it at that moment under its new path', async () => {
    const group = await world.newGroup()
    const path = `${group.path}-renamed`
    const made = await whileRenamed(group, path, () =>
      admin().post('/projects', { name: 'Thing', path: 'thing', namespace_id: group.id }),
    )
    expect(made.json()).toMatchObject({ path_with_namespace: `${path}/thing` })
    expect((await byPath('projects', `${path}/thing`)).json().id).toBe(made.json().id)
  })

  it('has a project that is renamed at that moment under both new paths', async () => {
    const group = await world.newGroup()
    const project = await world.newProject({ group })
    const path = `${group.path}-renamed`
    const answer = await whileRenamed(group, path, () =>
      admin().put(`/projects/${project.id}`, { path: 'other' }),
    )
    expect(answer.statusCode).toBe(200)
    expect((await byPath('projects', `${path}/other`)).json().id).toBe(project.id)
  })

  it('has a subgroup that is renamed at that moment under both new paths', async () => {
    const group = await world.newGroup()
    const sub = await world.newGroup({ parent: group })
    const path = `${group.path}-renamed`
    const answer = await whileRenamed(group, path, () =>
      admin().put(`/groups/${sub.id}`, { path: 'other' }),
    )
    expect(answer.json().full_path).toBe(`${path}/other`)
    expect((await byPath('groups', `${path}/other`)).json().id).toBe(sub.id)
  })
})
