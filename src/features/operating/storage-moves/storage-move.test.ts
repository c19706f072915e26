import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { areRefsFrozen, freezeRefs, unfreezeRefs } from '../../../git/freeze-refs.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { wikiRepository } from '../../../subjects/wiki.ts'
import { pauseLanes } from '../../../tasks/lane-pause.ts'
import { enqueue } from '../../../tasks/task.ts'
import { failAbandonedMoves, moveRepositories } from './move-repositories.ts'
import { moveAllFromStorageTask } from './schedule-move.ts'

let app: TestApp
let world: World
beforeAll(async () => {
  const storage = (name: string, weight: number) => ({ path: `repositories-${name}`, weight })
  app = await startApp({
    BLOOMERY_STORAGES: JSON.stringify({
      default: storage('one', 100),
      // What is new is never put there.
      second: storage('two', 1e-9),
      never: storage('three', 0),
    }),
  })
  world = await newWorld(app)
})
afterAll(() => app.close())

type Kind = 'group' | 'project'

/** A group whose wiki has a page, or a project with a commit and such a wiki, on the storage `default`. */
async function newPlace(kind: Kind) {
  const owner =
    kind === 'group'
      ? await world.newMemberedGroup()
      : await world.newProject({ files: { a: 'a' } })
  const table = kind === 'group' ? 'namespace_id' : 'project_id'
  const wikis = `/${kind}s/${owner.id}/wikis`
  await app.db
    .insertInto('wikis')
    .values({
      [table]: owner.id,
      repository_storage: 'default',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    .execute()
  await world.as('owner').post(wikis, { title: 'home', content: 'text' })
  const wiki = () =>
    app.db.selectFrom('wikis').selectAll().where(table, '=', owner.id).executeTakeFirstOrThrow()
  const wikiPath = async (repository_storage: string) =>
    wikiRepository(app.config, { ...(await wiki()), repository_storage }).path
  return { owner, wikis, wiki, wikiPath, moves: `/${kind}s/${owner.id}/repository_storage_moves` }
}

async function updatedAt(kind: Kind, id: number): Promise<string> {
  const table = kind === 'group' ? 'namespaces' : 'projects'
  const row = await app.db
    .selectFrom(table)
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.updated_at
}

/** Runs everything, also what is asked for later. */
async function settle() {
  for (let round = 0; round < 3; round++) {
    await app.worker.drain()
    app.clock.advance(10_000)
  }
}

describe.each(['group', 'project'] as const)('Storage moves of a %s', (kind) => {
  it('are scheduled, go through their states and are shown', async () => {
    const { owner, moves, wikis, wiki, wikiPath } = await newPlace(kind)
    const admin = world.as('admin')
    const made = await admin.post(moves, { destination_storage_name: 'second' })
    const shown = made.json()
    const moved =
      kind === 'group'
        ? {
            group: {
              id: owner.id,
              name: owner.name,
              web_url: `http://bloomery.test/groups/${owner.full_path}`,
            },
          }
        : {
            project: {
              id: owner.id,
              name: owner.name,
              description: null,
              path: owner.path,
              path_with_namespace: owner.full_path,
              name_with_namespace: owner.full_name,
              created_at: expect.any(String),
            },
          }
    expect([made.statusCode, shown]).toEqual([
      201,
      {
        id: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        state: 'scheduled',
        source_storage_name: 'default',
        destination_storage_name: 'second',
        percent: null,
        problem: null,
        ...moved,
      },
    ])
    const again = await admin.post(moves)
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { message: { [kind]: ['is read-only'] } },
    ])
    const [before, after] = [await wikiPath('default'), await wikiPath('second')]
    await app.worker.drain()
    const one = await admin.get(`${moves}/${shown.id}`)
    expect([one.statusCode, one.json()]).toEqual([
      200,
      { ...shown, state: 'replicated', percent: 100 },
    ])
    expect([existsSync(before), existsSync(after)]).toEqual([true, true])
    expect((await wiki()).repository_storage).toBe('second')
    await settle()
    const all = `/${kind}_repository_storage_moves`
    const finished = { ...shown, state: 'finished', percent: 100 }
    expect((await admin.get(`${all}/${shown.id}`)).json()).toEqual(finished)
    expect((await admin.get(moves)).json()).toEqual([finished])
    expect((await admin.get(all)).json()[0]).toEqual(finished)
    expect([existsSync(before), existsSync(after)]).toEqual([false, true])
    expect((await world.as('guest').get(`${wikis}/home`)).json().content).toBe('text')
    const changed = await world.as('developer').put(`${wikis}/home`, { content: 'moved' })
    expect(changed.statusCode).toBe(200)
  })

  it('are for administrators alone', async () => {
    const { moves } = await newPlace(kind)
    const all = `/${kind}_repository_storage_moves`
    for (const [who, status] of [
      ['anonymous', 401],
      ['owner', 403],
    ] as const) {
      const client = world.as(who)
      const answers = await Promise.all([
        client.get(moves),
        client.get(`${moves}/1`),
        client.post(moves),
        client.get(all),
        client.get(`${all}/1`),
        client.post(all, { source_storage_name: 'default' }),
      ])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => status))
    }
  })

  it('say what is wrong', async () => {
    const { moves } = await newPlace(kind)
    const admin = world.as('admin')
    const all = `/${kind}_repository_storage_moves`
    const answer = async (asked: ReturnType<typeof admin.get>) => {
      const { statusCode, ...rest } = await asked
      return [statusCode, rest.json()]
    }
    expect(await answer(admin.post(moves, { destination_storage_name: 'none' }))).toEqual([
      400,
      { message: { destination_storage_name: ['is not included in the list'] } },
    ])
    expect(await answer(admin.post(all))).toEqual([
      400,
      { error: 'source_storage_name is missing' },
    ])
    expect(await answer(admin.post(all, { source_storage_name: 'none' }))).toEqual([
      400,
      { error: 'source_storage_name does not have a valid value' },
    ])
    const wrongs = { source_storage_name: 'none', destination_storage_name: 'none' }
    expect(await answer(admin.post(all, wrongs))).toEqual([
      400,
      {
        error:
          'source_storage_name does not have a valid value, destination_storage_name does not have a valid value',
      },
    ])
    const wrong = { source_storage_name: 'default', destination_storage_name: 'none' }
    expect(await answer(admin.post(all, wrong))).toEqual([
      400,
      { error: 'destination_storage_name does not have a valid value' },
    ])
    expect(await answer(admin.get(`${all}/999999`))).toEqual([404, { message: '404 Not found' }])
    expect(await answer(admin.get(`${moves}/999999`))).toEqual([404, { message: '404 Not found' }])
    const noun = kind === 'group' ? 'Group' : 'Project'
    expect(await answer(admin.get(`/${kind}s/999999/repository_storage_moves`))).toEqual([
      404,
      { message: `404 ${noun} Not Found` },
    ])
    expect((await admin.get(moves)).json()).toEqual([])
  })

  it('choose among the other storages by weight, and fail where the destination is the source', async () => {
    const { moves, wikis, wiki } = await newPlace(kind)
    const admin = world.as('admin')
    const chosen = await admin.post(moves)
    expect(chosen.json().destination_storage_name).toBe('second')
    await settle()
    const same = await admin.post(moves, { destination_storage_name: 'second' })
    expect(same.statusCode).toBe(201)
    await settle()
    expect((await admin.get(`${moves}/${same.json().id}`)).json()).toMatchObject({
      state: 'failed',
      problem: 'Source and destination storage are both second.',
    })
    expect((await wiki()).repository_storage).toBe('second')
    expect((await world.as('developer').put(`${wikis}/home`, { content: 'x' })).statusCode).toBe(
      200,
    )
  })

  it('leave everything where it was when they fail, and writable', async () => {
    const { moves, wikis, wikiPath, wiki } = await newPlace(kind)
    // A file where the folder of the copy should be.
    const blocked = join(await wikiPath('second'), '..')
    rmSync(blocked, { recursive: true, force: true })
    rmSync(join(blocked, '..'), { recursive: true, force: true })
    writeFileSync(join(blocked, '..'), 'in the way')
    const made = await world.as('admin').post(moves, { destination_storage_name: 'second' })
    await settle()
    rmSync(join(blocked, '..'))
    const { id } = made.json()
    expect((await world.as('admin').get(`${moves}/${id}`)).json().state).toBe('failed')
    expect((await wiki()).repository_storage).toBe('default')
    expect((await world.as('developer').put(`${wikis}/home`, { content: 'x' })).statusCode).toBe(
      200,
    )
    const next = await world.as('admin').post(moves, { destination_storage_name: 'second' })
    await settle()
    expect((await world.as('admin').get(`${moves}/${next.json().id}`)).json().state).toBe(
      'finished',
    )
  })

  it('are taken up where a crash left them', async () => {
    const { moves, wikis, wikiPath, wiki } = await newPlace(kind)
    const made = await world.as('admin').post(moves, { destination_storage_name: 'second' })
    const { id } = made.json()
    // As a server leaves it that was killed as it copied.
    await app.db
      .updateTable('storage_moves')
      .set({ state: 'started', attempt: 1 })
      .where('id', '=', id)
      .execute()
    await freezeRefs({ path: await wikiPath('default') })
    const half = await wikiPath('second')
    for (const path of [half, `${half}.new`]) {
      mkdirSync(join(path, 'objects'), { recursive: true })
    }
    const refused = await world.as('developer').put(`${wikis}/home`, { content: 'lost' })
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
      503,
      { message: 'The repository is temporarily read-only. Please try again later.' },
      '5',
    ])
    expect((await world.as('guest').get(`${wikis}/home`)).statusCode).toBe(200)
    await settle()
    expect((await world.as('admin').get(`${moves}/${id}`)).json().state).toBe('finished')
    expect((await wiki()).repository_storage).toBe('second')
    expect((await world.as('guest').get(`${wikis}/home`)).json().content).toBe('text')
  })

  it('fail, and leave everything writable, where a storage has gone from the settings', async () => {
    const { moves, wikis, wikiPath } = await newPlace(kind)
    const admin = world.as('admin')
    const { id } = (await admin.post(moves, { destination_storage_name: 'second' })).json()
    const gone = { state: 'started', attempt: 1, destination_storage_name: 'gone' } as const
    await app.db.updateTable('storage_moves').set(gone).where('id', '=', id).execute()
    await freezeRefs({ path: await wikiPath('default') })
    await settle()
    expect((await admin.get(`${moves}/${id}`)).json().state).toBe('failed')
    const changed = await world.as('developer').put(`${wikis}/home`, { content: 'x' })
    expect(changed.statusCode).toBe(200)
    const next = (await admin.post(moves, { destination_storage_name: 'second' })).json()
    await app.worker.drain()
    await app.db
      .updateTable('storage_moves')
      .set({ source_storage_name: 'gone' })
      .where('id', '=', next.id)
      .execute()
    await settle()
    expect((await admin.get(`${moves}/${next.id}`)).json().state).toBe('cleanup failed')
  })

  it('touch nothing once somebody else has made them', async () => {
    const { owner, moves, wikis, wiki, wikiPath } = await newPlace(kind)
    const made = await world.as('admin').post(moves, { destination_storage_name: 'second' })
    const { id } = made.json()
    const source = await wikiPath('default')
    const lock = join(source, 'HEAD.lock')
    writeFileSync(lock, '')
    const moving = moveRepositories({ ...app, clock: app.clock.now }, id)
    await expect.poll(() => existsSync(join(source, 'moving'))).toBe(true)
    // As another server does that takes this one for dead.
    await app.db
      .updateTable('storage_moves')
      .set({ state: 'finished', attempt: 2 })
      .where('id', '=', id)
      .execute()
    const to = { repository_storage: 'second' }
    await app.db
      .updateTable('wikis')
      .set(to)
      .where('id', '=', (await wiki()).id)
      .execute()
    if (kind === 'project') {
      await app.db.updateTable('projects').set(to).where('id', '=', owner.id).execute()
    }
    cpSync(source, await wikiPath('second'), { recursive: true })
    rmSync(join(await wikiPath('second'), 'moving'))
    rmSync(join(await wikiPath('second'), 'HEAD.lock'))
    const live = await world.as('developer').put(`${wikis}/home`, { content: 'live' })
    expect(live.statusCode).toBe(200)
    rmSync(lock)
    await moving
    expect((await world.as('guest').get(`${wikis}/home`)).json().content).toBe('live')
  })

  it.each(kind === 'group' ? (['wiki'] as const) : (['wiki', 'project', 'state'] as const))(
    'fail where the %s of what they move has changed meanwhile',
    async (what) => {
      const { owner, moves, wiki, wikiPath } = await newPlace(kind)
      const { id } = (
        await world.as('admin').post(moves, { destination_storage_name: 'second' })
      ).json()
      const source = await wikiPath('default')
      const lock = join(source, 'HEAD.lock')
      writeFileSync(lock, '')
      const moving = moveRepositories({ ...app, clock: app.clock.now }, id)
      await expect.poll(() => existsSync(join(source, 'moving'))).toBe(true)
      const elsewhere = { repository_storage: 'never' }
      if (what === 'wiki') {
        const { id: wikiId } = await wiki()
        await app.db.updateTable('wikis').set(elsewhere).where('id', '=', wikiId).execute()
      } else {
        const to = what === 'state' ? ({ state: 'deleting' } as const) : elsewhere
        await app.db.updateTable('projects').set(to).where('id', '=', owner.id).execute()
      }
      rmSync(lock)
      await moving
      expect(
        (await world.as('admin').get(`/${kind}_repository_storage_moves/${id}`)).json(),
      ).toMatchObject({
        state: 'failed',
        problem: `The repositories of storage move ${id} are no longer on storage default.`,
      })
      expect((await wiki()).repository_storage).toBe(what === 'wiki' ? 'never' : 'default')
    },
  )

  it('stay finished when their task runs again', async () => {
    const { moves, wikis, wiki } = await newPlace(kind)
    const admin = world.as('admin')
    const { id } = (await admin.post(moves, { destination_storage_name: 'second' })).json()
    await settle()
    await moveRepositories({ ...app, clock: app.clock.now }, id)
    expect((await admin.get(`${moves}/${id}`)).json().state).toBe('finished')
    expect((await wiki()).repository_storage).toBe('second')
    expect((await world.as('guest').get(`${wikis}/home`)).json().content).toBe('text')
  })

  it('change neither other moves nor what else is stored on the storage', async () => {
    const [moving, waiting, staying] = [
      await newPlace(kind),
      await newPlace(kind),
      await newPlace(kind),
    ]
    const admin = world.as('admin')
    const to = { destination_storage_name: 'second' }
    const { id } = (await admin.post(moving.moves, to)).json()
    const other = (await admin.post(waiting.moves, to)).json()
    const times = () =>
      Promise.all([moving, waiting, staying].map(({ owner }) => updatedAt(kind, owner.id)))
    const before = await times()
    app.clock.advance(60_000)
    await moveRepositories({ ...app, clock: app.clock.now }, id)
    expect(await times()).toEqual([timestamp(app.clock.now), ...before.slice(1)])
    expect((await admin.get(`${moving.moves}/${id}`)).json().state).toBe('replicated')
    expect((await admin.get(`${waiting.moves}/${other.id}`)).json()).toEqual(other)
    for (const { owner, wiki } of [waiting, staying]) {
      expect((await wiki()).repository_storage).toBe('default')
      if (kind === 'group') continue
      const project = (await admin.get(`/projects/${owner.id}`)).json()
      expect(project.repository_storage).toBe('default')
    }
    await settle()
  })

  it('are not found under another project, another group or the other kind', async () => {
    const [one, two] = [await newPlace(kind), await newPlace(kind)]
    const admin = world.as('admin')
    const { id } = (await admin.post(one.moves)).json()
    await settle()
    const otherKind = kind === 'group' ? 'project' : 'group'
    for (const path of [two.moves, `/${otherKind}_repository_storage_moves`]) {
      const missing = await admin.get(`${path}/${id}`)
      expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
    }
    expect((await admin.get(two.moves)).json()).toEqual([])
    const others = (await admin.get(`/${otherKind}_repository_storage_moves`)).json()
    expect(others.map((move: { id: number }) => move.id)).not.toContain(id)
  })

  it('of all that lies on a storage are made one by one', async () => {
    const one = await newPlace(kind)
    const two = await newPlace(kind)
    const away = await newPlace(kind)
    await world.as('admin').post(away.moves, { destination_storage_name: 'never' })
    await settle()
    const all = `/${kind}_repository_storage_moves`
    const body = { source_storage_name: 'default', destination_storage_name: 'second' }
    const asked = await world.as('admin').post(all, body)
    expect([asked.statusCode, asked.json()]).toEqual([202, { message: '202 Accepted' }])
    await settle()
    for (const { wiki, moves } of [one, two]) {
      expect((await wiki()).repository_storage).toBe('second')
      expect((await world.as('admin').get(moves)).json()).toHaveLength(1)
    }
    expect((await away.wiki()).repository_storage).toBe('never')
    expect((await world.as('admin').get(away.moves)).json()).toHaveLength(1)
  })

  it('of all on a storage continue after the last of the batch before', async () => {
    const [before, next] = [await newPlace(kind), await newPlace(kind)]
    const payload = { kind, source: 'default', destination: 'second', after: before.owner.id }
    await enqueue(app.db, app.clock.now, {
      task: moveAllFromStorageTask,
      key: `${kind} batch`,
      payload,
    })
    await settle()
    expect((await before.wiki()).repository_storage).toBe('default')
    expect((await next.wiki()).repository_storage).toBe('second')
  })
})

describe('Moves to the disk of another server', () => {
  it('fail when that server goes away, and their repositories are writable again', async () => {
    const { db, git, clock } = app
    const { owner, moves } = await newPlace('project')
    const admin = world.as('admin')
    const { id } = (await admin.post(moves, { destination_storage_name: 'second' })).json()
    const config = { ...app.config, storagesElsewhere: { far: { weight: 0 } } }
    const begun = { state: 'started', attempt: 3, destination_storage_name: 'far' } as const
    await db
      .updateTable('storage_moves')
      .set({ ...begun, updated_at: timestamp(clock.now) })
      .where('id', '=', id)
      .execute()
    const repository = projectRepository(config, { id: owner.id, repository_storage: 'default' })
    await freezeRefs(repository)
    const state = async () => {
      await failAbandonedMoves({ db, git, clock: clock.now, config })
      return (await admin.get(`${moves}/${id}`)).json()
    }
    expect(await state()).toMatchObject({ state: 'started' })
    expect(areRefsFrozen(repository)).toBe(true)
    clock.advance(5 * 60_000 + 1)
    expect(await state()).toMatchObject({
      state: 'failed',
      problem: 'The server with the storage far went away.',
    })
    expect(areRefsFrozen(repository)).toBe(false)
    // What that server had begun does not go on.
    const row = await db
      .selectFrom('storage_moves')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.attempt).toBe(4)
  })
})

describe('A move', () => {
  it('takes commits, branches, tags and what the server keeps, and refuses pushes by API meanwhile', async () => {
    const { owner, moves } = await newPlace('project')
    const { id } = owner
    const client = world.as('owner')
    await client.post(`/projects/${id}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    const place = { id, repository_storage: 'default' }
    const repository = projectRepository(app.config, place)
    await freezeRefs(repository)
    const commit = { branch: 'main', content: 'b', commit_message: 'b' }
    const refused = await client.post(`/projects/${id}/repository/files/b`, commit)
    expect([refused.statusCode, refused.json().message]).toEqual([
      503,
      'The repository is temporarily read-only. Please try again later.',
    ])
    const branch = { branch: 'x', ref: 'main' }
    expect((await client.post(`/projects/${id}/repository/branches`, branch)).statusCode).toBe(503)
    expect((await client.get(`/projects/${id}/repository/commits`)).statusCode).toBe(200)
    await unfreezeRefs(repository)
    expect((await client.post(`/projects/${id}/repository/files/b`, commit)).statusCode).toBe(201)
    const before = (await client.get(`/projects/${id}/repository/commits?all=true`)).json()
    await world.as('admin').post(moves, { destination_storage_name: 'second' })
    await settle()
    expect((await client.get(`/projects/${id}/repository/commits?all=true`)).json()).toEqual(before)
    expect((await client.get(`/projects/${id}/repository/tags/v1`)).statusCode).toBe(200)
    const shown = await world.as('admin').get(`/projects/${id}`)
    expect(shown.json().repository_storage).toBe('second')
    expect((await client.post(`/projects/${id}/repository/files/c`, commit)).statusCode).toBe(201)
  })

  it('of a project whose repository is missing fails, and makes no empty one', async () => {
    const { owner, moves } = await newPlace('project')
    const { path } = projectRepository(app.config, { ...owner, repository_storage: 'default' })
    renameSync(path, `${path}.unmounted`)
    const made = await world.as('admin').post(moves, { destination_storage_name: 'second' })
    await settle()
    const { id } = made.json()
    expect((await world.as('admin').get(`${moves}/${id}`)).json().state).toBe('failed')
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.unmounted`, path)
  })

  it('leaves nothing behind of a project that is removed before its source is', async () => {
    const { owner, moves } = await newPlace('project')
    await world.as('admin').post(moves, { destination_storage_name: 'second' })
    const paths = ['default', 'second'].map(
      (repository_storage) => projectRepository(app.config, { ...owner, repository_storage }).path,
    )
    await app.worker.drain()
    expect(paths.map((path) => existsSync(path))).toEqual([true, true])
    await world.as('admin').delete(`/projects/${owner.id}`)
    await settle()
    expect(paths.map((path) => existsSync(path))).toEqual([false, false])
  })

  it('is not made of a project that is being deleted', async () => {
    const [asked, bulk] = [await newPlace('project'), await newPlace('project')]
    const admin = world.as('admin')
    const { id } = (await admin.post(asked.moves, { destination_storage_name: 'second' })).json()
    // The tasks that delete them wait.
    const hold = await pauseLanes(app.db, app.clock.now, { lanes: ['removal'], onLost: () => {} })
    for (const { owner } of [asked, bulk]) await admin.delete(`/projects/${owner.id}`)
    const body = { source_storage_name: 'default', destination_storage_name: 'second' }
    await admin.post('/project_repository_storage_moves', body)
    await app.worker.drain()
    const all = (await admin.get('/project_repository_storage_moves')).json()
    expect(all.find((move: { id: number }) => move.id === id)).toMatchObject({ state: 'failed' })
    const moved = all.map(({ project }: { project: { id: number } }) => project.id)
    expect(moved).not.toContain(bulk.owner.id)
    await hold.release()
    await settle()
  })

  it('of a group that has no wiki is done by nothing to copy', async () => {
    const group = await world.newMemberedGroup()
    const moves = `/groups/${group.id}/repository_storage_moves`
    const made = await world.as('admin').post(moves, { destination_storage_name: 'never' })
    await settle()
    expect((await world.as('admin').get(`${moves}/${made.json().id}`)).json().state).toBe(
      'finished',
    )
    const page = { title: 'home', content: 'x' }
    expect((await world.as('developer').post(`/groups/${group.id}/wikis`, page)).statusCode).toBe(
      201,
    )
    expect((await world.as('guest').get(`/groups/${group.id}/wikis`)).json()).toHaveLength(1)
  })

  it('goes by the weights that an administrator has set', async () => {
    const admin = world.as('admin')
    const usual = (await admin.get('/application/settings')).json().repository_storages_weighted
    expect(usual).toMatchObject({ default: 100, never: 0 })
    const weights = { never: 100 }
    const set = await admin.put('/application/settings', { repository_storages_weighted: weights })
    expect(set.json().repository_storages_weighted).toEqual({ default: 0, second: 0, never: 100 })
    const group = await world.newMemberedGroup()
    await world.as('developer').post(`/groups/${group.id}/wikis`, { title: 'a', content: 'a' })
    const wiki = app.db.selectFrom('wikis').selectAll().where('namespace_id', '=', group.id)
    expect((await wiki.executeTakeFirstOrThrow()).repository_storage).toBe('never')
    const nowhere = await admin.post(`/groups/${group.id}/repository_storage_moves`)
    expect([nowhere.statusCode, nowhere.json()]).toEqual([
      400,
      { message: { destination_storage_name: ['is not included in the list'] } },
    ])
    await app.db.deleteFrom('settings').where('name', '=', 'repository_storages_weighted').execute()
  })

  it('removes nothing at its source that has no fence, for it is in use again', async () => {
    const { owner, moves, wikiPath } = await newPlace('project')
    await world.as('admin').post(moves, { destination_storage_name: 'second' })
    await app.worker.drain()
    const place = { id: owner.id, repository_storage: 'default' }
    await unfreezeRefs(projectRepository(app.config, place))
    const wiki = await wikiPath('default')
    await settle()
    expect(existsSync(projectRepository(app.config, place).path)).toBe(true)
    expect(existsSync(wiki)).toBe(false)
  })
})
