import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../test/kit/command.ts'
import { type GitWorld, newGitWorld, runRealGit } from '../../test/kit/git.ts'
import { newPasswordUser, signInAs } from '../../test/kit/session.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const admin = (...args: string[]) => runCommand(world.app.config, ['admin', ...args])

describe('bloomery admin', () => {
  it('says what there is, and what it did not understand', async () => {
    const help = await admin('--help')
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: bloomery admin <command>\n/)
    expect(await admin('dance')).toMatchObject({ status: 2, stdout: '' })
    expect(await admin('rebuild', 'nothing')).toMatchObject({ status: 2, stdout: '' })
    expect(await admin('make-admin')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Missing user.\nUsage: bloomery admin make-admin <user>\n',
    })
    expect((await admin('tasks')).stderr).toMatch(
      /^Missing verb\.\nUsage: bloomery admin tasks list /,
    )
  })

  it('makes an administrator while the server runs, also of somebody blocked', async () => {
    const { user, client } = await world.newUser()
    await world.as('admin').post(`/users/${user.id}/block`)
    expect(await admin('make-admin', user.username)).toEqual({
      status: 0,
      stdout: `${user.username} is now an administrator.\n`,
      stderr: '',
    })
    expect((await client.get('/application/settings')).statusCode).toBe(200)
    expect((await admin('make-admin', user.email)).stdout).toContain('is already an administrator')
    const nobody = await admin('make-admin', 'nobody-at-all')
    expect(nobody).toEqual({ status: 1, stdout: '', stderr: 'User not found: nobody-at-all\n' })
  })

  it('sets a password that is printed once, and ends sessions', async () => {
    const { user } = await newPasswordUser(world)
    const other = await newPasswordUser(world)
    for (const { username } of [user, user, other.user]) await signInAs(world, username)
    const done = await admin('reset-password', user.username)
    expect(done.status).toBe(0)
    expect(done.stdout).toContain('Sessions ended: 2.')
    const password = /: ([0-9a-f]{24,})\n/.exec(done.stdout)?.[1] ?? ''
    const remote = world.remote(world.projects.open, { username: user.username, password })
    expect(await runRealGit(['ls-remote', remote])).toMatchObject({ status: 0 })
    const sessions = await world.app.db
      .selectFrom('sessions')
      .select('user_id')
      .where('user_id', 'in', [user.id, other.user.id])
      .execute()
    expect(sessions).toEqual([{ user_id: other.user.id }])
    const event = await world.app.db
      .selectFrom('audit_events')
      .select(['action', 'author_id'])
      .where('entity_id', '=', user.id)
      .where('action', '=', 'password_reset')
      .executeTakeFirst()
    expect(event).toEqual({ action: 'password_reset', author_id: null })
  })

  it('lists tasks that failed, and has them run again', async () => {
    const now = '2026-03-01T12:00:00.000Z'
    const row = { name: 'unknown', lane: 'events', payload: '{}', run_at: now, created_at: now }
    const { id } = await world.app.db
      .insertInto('tasks')
      .values({
        ...row,
        key: 'a',
        failed_at: now,
        last_error: 'Why it failed\nand more',
        attempts: 3,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const listed = await admin('tasks', 'list')
    expect(listed.stdout).toContain(`${id} events unknown a failed 3 Why it failed\n`)
    expect((await admin('tasks', 'retry', String(id))).stdout).toBe('1 tasks run again.\n')
    const after = await world.app.db
      .selectFrom('tasks')
      .select(['failed_at', 'attempts'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(after).toEqual({ failed_at: null, attempts: 0 })
    expect(await admin('tasks', 'retry', '999999')).toMatchObject({ status: 1 })
    await world.app.db.deleteFrom('tasks').where('id', '=', id).execute()
  })

  it('finds what is missing on the disks, and what nobody has', async () => {
    const now = world.app.clock.now().toISOString()
    // No project has it any more, so its bytes may be gone.
    const object = { oid: 'e'.repeat(64), size: 1, unlinked_since: now, created_at: now }
    await world.app.db.insertInto('lfs_objects').values(object).execute()
    expect(await admin('check')).toMatchObject({ status: 0, stderr: '' })
    const project = await world.newProject({ files: { a: 'a' } })
    const path = world.repository(project)
    renameSync(path, `${path.slice(0, -4)}x.git`)
    const found = await admin('check')
    expect(found.status).toBe(1)
    expect(found.stdout).toContain(`BROKEN project ${project.id}: no ${path}\n`)
    expect(found.stdout).toContain(`BROKEN no project or wiki has ${path.slice(0, -4)}x.git\n`)
    renameSync(`${path.slice(0, -4)}x.git`, path)
    expect(await admin('check')).toMatchObject({ status: 0 })
  })

  it('looks through repositories, and makes anew what follows from objects', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const path = world.repository(project)
    const graphs = join(path, 'objects/info/commit-graphs')
    world.app.clock.advance(60_000)
    await world.app.worker.drain()
    expect(existsSync(graphs)).toBe(true)
    for (const name of readdirSync(graphs)) {
      if (!name.endsWith('.graph')) continue
      const bytes = readFileSync(join(graphs, name))
      rmSync(join(graphs, name))
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      writeFileSync(join(graphs, name), bytes)
    }
    const looked = await admin('check-repositories')
    expect(looked.status).toBe(1)
    expect(looked.stdout).toContain(`BROKEN ${path}: `)
    const repaired = await admin('check-repositories', '--repair')
    expect(repaired.status).toBe(0)
    expect(repaired.stdout).toContain(`REPAIRED ${path}: `)
    expect(repaired.stdout).toMatch(/\d+ repositories, 1 repaired, 0 broken\.\n$/)
    expect((await admin('check-repositories')).status).toBe(0)
  })

  it('makes anew the rows that follow from others', async () => {
    const { db } = world.app
    const project = await world.newProject()
    await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'A searched title' })
    const tables = [
      'namespace_ancestors',
      'namespace_access',
      'project_access',
      'issuable_counts',
    ] as const
    const read = async () => {
      const rows = await Promise.all(
        tables.map((table) => db.selectFrom(table).selectAll().execute()),
      )
      return rows.map((list) => list.map((row) => JSON.stringify(row)).sort())
    }
    const before = await read()
    await db.deleteFrom('namespace_access').execute()
    await db.deleteFrom('project_access').execute()
    await db.deleteFrom('namespace_ancestors').where('depth', '>', 0).execute()
    await sql`update issuable_counts set number = number + 5`.execute(db)
    const done = await admin('rebuild', 'all')
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^tree: \d+ rows of namespace_ancestors\naccess: /)
    expect(await read()).toEqual(before)
    const found = await world.as('owner').get('/issues?scope=all&search=A+searched+title')
    expect(found.json()).toHaveLength(1)
  })
})

describe('bloomery migrate', () => {
  it('says what there is to do, and that there is nothing', async () => {
    const status = await runCommand(world.app.config, ['migrate', '--status'])
    expect(status).toEqual({ status: 0, stdout: 'The database is up to date.\n', stderr: '' })
    const done = await runCommand(world.app.config, ['migrate'])
    expect(done).toEqual({ status: 0, stdout: 'The database is up to date.\n', stderr: '' })
    expect(await runCommand(world.app.config, ['migrate', 'x'])).toMatchObject({ status: 2 })
  })
})

describe('bloomery health', () => {
  it('asks the server whether it is ready', async () => {
    const settings = { BLOOMERY_PORT: new URL(world.url).port }
    const ready = await runCommand(world.app.config, ['health'], settings)
    expect(ready).toEqual({ status: 0, stdout: '{"status":"ok"}\n', stderr: '' })
    const nobody = await runCommand(world.app.config, ['health'], { BLOOMERY_PORT: '1' })
    expect(nobody).toMatchObject({ status: 1, stdout: '' })
    expect(nobody.stderr).toMatch(/^No answer from 127\.0\.0\.1:1: /)
  })
})
