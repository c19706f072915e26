// docs/api/dependencies.md, "Of a group".
import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { recomputeNamespaceAccess } from '../../../access/recompute-access.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Namespace } from '../../../subjects/namespace.ts'
import type { Project } from '../../../subjects/project.ts'
import {
  insertDependencies,
  insertDependencyList,
  markDependencyListReady,
} from './dependency.store.ts'
import { dependencyTasks } from './dependency.tasks.ts'
import type { FoundDependency } from './dependency-collection.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urlOf = ({ id }: Pick<Namespace, 'id'>) => `/groups/${id}/dependencies`
type Found = Partial<FoundDependency> & { name: string }

/** A list of a project, made as by a scan of `source`. */
async function giveList(
  { id: project_id }: Pick<Project, 'id'>,
  found: readonly Found[],
  { source = 'scan', isReady = true } = {},
) {
  const { db, clock } = world.app
  const created_at = timestamp(clock.now)
  const list_id = await insertDependencyList(db, { project_id, source, created_at })
  const rows = found.map((one) => ({
    version: '1.0',
    package_manager: 'npm',
    dependency_file_path: 'package-lock.json',
    vulnerabilities: [],
    licenses: [],
    ...one,
  }))
  for (let at = 0; at < rows.length; at += 500) {
    await insertDependencies(db, list_id, rows.slice(at, at + 500))
  }
  if (isReady) await markDependencyListReady(db, list_id, created_at)
}

async function newInnerGroup(parent: Namespace): Promise<Namespace> {
  const { db, clock } = world.app
  const inner = await world.newGroup({ parent })
  await recomputeNamespaceAccess(db, [inner.id], { today: today(clock.now) })
  return inner
}

type Row = { name: string; project: { id: number } }
async function names(group: Namespace, query = '', who: 'developer' | 'guest' = 'developer') {
  const answer = await world.as(who).get(`${urlOf(group)}${query}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, expect.any(Array)])
  return answer.json().map(({ name }: Row) => name)
}

const flaw = (severity: string) => ({ name: `A ${severity} flaw`, severity })

describe('GET /groups/:id/dependencies', () => {
  it('lists those of the projects in and below the group, by name, with their projects', async () => {
    const group = await world.newMemberedGroup()
    const inner = await newInnerGroup(group)
    const [project, below] = [
      await world.newProject({ group }),
      await world.newProject({ group: inner }),
    ]
    const license = { name: 'MIT License', url: 'https://spdx.org/licenses/MIT.html' }
    await giveList(project, [{ name: 'Zod' }, { name: 'abbrev', licenses: [license] }])
    await giveList(below, [
      {
        name: 'lodash',
        version: null,
        package_manager: 'yarn',
        dependency_file_path: 'web app/yarn.lock',
        vulnerabilities: [flaw('high')],
      },
      { name: 'none', dependency_file_path: null },
    ])
    const answer = await world.as('developer').get(urlOf(group))
    const projectOf = ({ id, name, full_path, full_name }: Project) => ({
      id,
      name,
      full_path,
      full_name,
    })
    const plain = { version: '1.0', package_manager: 'npm', licenses: [], vulnerabilities: [] }
    const here = {
      ...plain,
      dependency_file_path: 'package-lock.json',
      location: {
        path: 'package-lock.json',
        blob_path: `/${project.full_path}/-/blob/main/package-lock.json`,
      },
      project: projectOf(project),
    }
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        { ...here, name: 'abbrev', licenses: [license] },
        {
          name: 'lodash',
          version: null,
          package_manager: 'yarn',
          dependency_file_path: 'web app/yarn.lock',
          licenses: [],
          vulnerabilities: [flaw('high')],
          location: {
            path: 'web app/yarn.lock',
            blob_path: `/${below.full_path}/-/blob/main/web%20app/yarn.lock`,
          },
          project: projectOf(below),
        },
        {
          ...plain,
          name: 'none',
          dependency_file_path: null,
          location: { path: null, blob_path: null },
          project: projectOf(below),
        },
        { ...here, name: 'Zod' },
      ],
    ])
    expect(answer.headers['x-total']).toBe('4')
  })

  it('has of each project its newest list that is whole, while the project is there', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    expect(await names(group)).toEqual([])
    await giveList(project, [{ name: 'old' }])
    await giveList(project, [{ name: 'new' }], { source: 'later' })
    await giveList(project, [{ name: 'half' }], { source: 'latest', isReady: false })
    expect(await names(group)).toEqual(['new'])
    const setState = (state: 'ready' | 'deleting') =>
      world.app.db.updateTable('projects').set({ state }).where('id', '=', project.id).execute()
    await setState('deleting')
    expect(await names(group)).toEqual([])
    await setState('ready')
    expect(await names(group)).toEqual(['new'])
  })

  it('has what the caller may read: code of Reporters and of projects that are open', async () => {
    const group = await world.newMemberedGroup()
    const [shut, off] = [await world.newProject({ group }), await world.newProject({ group })]
    await giveList(shut, [{ name: 'shut' }])
    await giveList(off, [{ name: 'off' }])
    const { db } = world.app
    const set = (
      id: number,
      values: { repository_access_level: 'disabled' | 'private' | 'enabled' },
    ) => db.updateTable('projects').set(values).where('id', '=', id).execute()
    await set(off.id, { repository_access_level: 'disabled' })
    expect(await names(group)).toEqual(['shut'])
    expect((await world.as('admin').get(urlOf(group))).json()).toHaveLength(1)
    await db
      .updateTable('projects')
      .set({ visibility: 'private' })
      .where('id', '=', shut.id)
      .execute()
    expect(await names(group, '', 'guest')).toEqual([])
    const { client: outsider } = await world.newUser()
    await db
      .updateTable('namespaces')
      .set({ visibility: 'public' })
      .where('id', '=', group.id)
      .execute()
    const seen = async () => {
      const answer = await outsider.get(urlOf(group))
      return answer.json().map(({ name }: Row) => name)
    }
    expect(await seen()).toEqual([])
    await db
      .updateTable('projects')
      .set({ visibility: 'public' })
      .where('id', '=', shut.id)
      .execute()
    expect(await seen()).toEqual(['shut'])
    await set(shut.id, { repository_access_level: 'private' })
    expect(await seen()).toEqual([])
    expect(await names(group)).toEqual(['shut'])
  })

  it('tells vulnerabilities, and their order, of projects whose security the caller reads', async () => {
    const group = await world.newMemberedGroup()
    const [watched, off] = [await world.newProject({ group }), await world.newProject({ group })]
    await giveList(watched, [
      { name: 'a' },
      { name: 'b', vulnerabilities: [flaw('low')] },
      { name: 'c', vulnerabilities: [flaw('low'), flaw('critical')] },
    ])
    await giveList(off, [{ name: 'd', vulnerabilities: [flaw('critical')] }])
    const disabled = { security_and_compliance_access_level: 'disabled' as const }
    await world.app.db.updateTable('projects').set(disabled).where('id', '=', off.id).execute()
    const listed = await world.as('developer').get(`${urlOf(group)}?order_by=severity`)
    expect(
      listed
        .json()
        .map((row: Row & { vulnerabilities?: object[] }) => [
          row.name,
          row.vulnerabilities?.length,
        ]),
    ).toEqual([
      ['c', 2],
      ['b', 1],
      ['a', 0],
      ['d', undefined],
    ])
    const reporter = await world.as('reporter').get(`${urlOf(group)}?order_by=severity`)
    expect(reporter.json().map(({ name }: Row) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(JSON.stringify(reporter.json())).not.toContain('flaw')
  })

  it('is narrowed and paged', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    await giveList(project, [
      { name: 'Rack', package_manager: 'bundler' },
      { name: 'rake', package_manager: 'bundler' },
      { name: 'left-pad' },
      { name: 'y18n', package_manager: 'yarn' },
    ])
    expect(await names(group, '?package_manager=bundler,yarn')).toEqual(['Rack', 'rake', 'y18n'])
    expect(await names(group, '?search=RA')).toEqual(['Rack', 'rake'])
    expect(await names(group, '?search=ra&package_manager=npm')).toEqual([])
    const answer = await world.as('developer').get(`${urlOf(group)}?per_page=3&page=2`)
    expect(answer.json()).toMatchObject([{ name: 'y18n' }])
    expect(answer.headers).toMatchObject({
      'x-total': '4',
      'x-total-pages': '2',
      'x-page': '2',
      'x-prev-page': '1',
      'x-next-page': '',
    })
  })

  it.each([
    ['package_manager=cargo', { error: 'package_manager does not have a valid value' }],
    ['order_by=version', { error: 'order_by does not have a valid value' }],
    ['page=a', { error: 'page is invalid' }],
  ])('refuses %s', async (query, body) => {
    const answer = await world.as('developer').get(`${urlOf(world.groups.shut)}?${query}`)
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 200],
    ['anonymous', 'shut', 401],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the group %s sees with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.groups[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Group Not Found' })
    if (status === 401) expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('asks the database the same few times, however many there are', async () => {
    const count = async (rows: number) => {
      const group = await world.newMemberedGroup()
      for (const project of [
        await world.newProject({ group }),
        await world.newProject({ group }),
      ]) {
        await giveList(
          project,
          Array.from({ length: rows }, (_, at) => ({ name: `p${at}` })),
        )
      }
      await names(group)
      return world.app.count(() => names(group, '?order_by=severity'))
    }
    const few = await count(25)
    expect(few.processes).toBe(0)
    expect(await count(600)).toEqual(few)
  })

  it('is an unknown route below ultimate', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    const answer = await app.client(rootToken).get('/groups/1/dependencies')
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
  })
})

describe('The lists of a group', () => {
  const files = { 'go.sum': 'c v1 h1:0=\n' }

  it('are made of projects that have none, and follow the default branch', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group, files })
    expect(await names(group)).toEqual([])
    const task = dependencyTasks.find(({ name }) => name === 'prepare-missing-dependency-lists')
    const { db, git, config, clock } = world.app
    await task?.run({ db, git, config, clock: clock.now } as never, {} as never)
    await world.app.worker.drain()
    expect(await names(group)).toEqual(['c'])
    await world.commit(project, { 'yarn.lock': 'd@1:\n  version "1"\n' })
    await world.app.worker.drain()
    expect(await names(group)).toEqual(['c', 'd'])
  })

  it('are made of old projects too, however many newer ones have none', async () => {
    const group = await world.newMemberedGroup()
    await world.newProject({ group, files })
    const given = limits.dependencies as { missing_max: number }
    const { missing_max } = given
    given.missing_max = 2
    try {
      for (let made = 0; made < 3; made++) {
        const { id } = await world.newProject({ group })
        // A default branch without a commit makes no list.
        const fields = { default_branch: 'main' }
        await world.app.db.updateTable('projects').set(fields).where('id', '=', id).execute()
      }
      const task = dependencyTasks.find(({ name }) => name === 'prepare-missing-dependency-lists')
      const { db, git, config, clock } = world.app
      for (let run = 0; run < 3; run++) {
        await task?.run({ db, git, config, clock: clock.now } as never, {} as never)
        await world.app.worker.drain()
      }
      expect(await names(group)).toEqual(['c'])
    } finally {
      given.missing_max = missing_max
    }
  })
})
