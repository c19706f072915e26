import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../../test/kit/app.ts'
import { newPlace, runCommand } from '../../test/kit/command.ts'
import { type GitWorld, newFolder, newGitWorld, runRealGit } from '../../test/kit/git.ts'
import type { Project } from '../subjects/project.ts'
import { FolderTarget } from './folder-target.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const tokenOf = (app: TestApp, who: Parameters<GitWorld['token']>[0]) =>
  app.client(world.token(who))

/** A server on what was restored, told its own address as the first one was. */
async function serveRestored(place: Awaited<ReturnType<typeof newPlace>>): Promise<TestApp> {
  const app = await startApp({
    BLOOMERY_URL: '',
    BLOOMERY_DATA: place.data,
    ...(place.databaseUrl === undefined ? {} : { BLOOMERY_DATABASE_URL: place.databaseUrl }),
  })
  // Its database goes with the file.
  onTestFinished(() => app.close())
  return app
}

function copyKey(data: string): void {
  copyFileSync(join(world.app.config.data, 'secret.key'), join(data, 'secret.key'))
}

/** Paths of the complete backups in a folder, the oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const target = new FolderTarget(folder)
  return (await target.list()).map((name) => target.locationOf(name))
}

function containersIn(backup: string): string[] {
  return readdirSync(join(backup, 'repositories')).filter((name) => name.endsWith('.tar'))
}

describe('backup and restore', () => {
  it('of a server under load: whole, consistent, and answering as before', {
    timeout: 120_000,
  }, async () => {
    const projects = await Promise.all(
      Array.from({ length: 4 }, (_, at) => world.newProject({ files: { a: `${at}` } })),
    )
    // So many that threads read them.
    for (let at = 0; at < 30; at++) await world.newProject({ files: { a: `${at}` } })
    const owner = world.as('owner')
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const form = new FormData()
    form.set('file', new Blob([picture]), 'x.png')
    const [pushed] = projects as [Project, ...Project[]]
    const uploaded = await fetch(`${world.url}/api/v4/projects/${pushed.id}/uploads`, {
      method: 'POST',
      headers: { 'private-token': world.token('owner') },
      body: form,
    })
    expect(uploaded.status).toBe(201)
    const upload = (await uploaded.json()) as { full_path: string }
    const secret = await owner.post(`/projects/${pushed.id}/variables`, {
      key: 'K',
      value: 'sealed!',
    })
    expect(secret.statusCode).toBe(201)

    let isLoaded = true
    const acknowledged: { project: Project; oid: string }[] = []
    const pushing = projects.map(async (project) => {
      const copy = await world.clone(project)
      for (let at = 0; isLoaded; at++) {
        const oid = await copy.commit({ [`pushed-${at}`]: 'x' })
        const result = await copy.run(['push', 'origin', 'HEAD:main', `HEAD:refs/heads/b${at}`])
        if (result.status === 0) acknowledged.push({ project, oid })
      }
    })
    const writing = (async () => {
      for (let at = 0; isLoaded; at++) {
        const made = await world.newProject({ files: { made: `${at}` } })
        await owner.post(`/projects/${made.id}/issues`, { title: `Issue ${at}` })
        if (at % 2 === 1) await owner.delete(`/projects/${made.id}`)
        await world.app.worker.drain()
      }
    })()
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(8)
    const before = [...acknowledged]
    const folder = newFolder()
    const { config } = world.app
    const first = await runCommand(config, ['backup', '--to', folder])
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toContain('WITHOUT KEYS: keep a copy of ')
    isLoaded = false
    await Promise.all([...pushing, writing])

    const verified = await runCommand(config, ['backup', 'verify', folder])
    expect(verified.stdout).toMatch(/: good, \d+ files, \d+ repositories, 0 problems\.\n$/)

    const place = await newPlace()
    const refused = await runCommand(place, ['restore', '--from', folder])
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(
      `Copy the secret.key of the backed-up server to ${place.data}/secret.key`,
    )
    copyKey(place.data)
    const restored = await runCommand(place, ['restore', '--from', folder, '--check'])
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toMatch(/git fsck: \d+ repositories, 0 broken\./)
    expect(restored.stdout).toMatch(/Database: \d+ rows of \d+ tables, the counts of the backup\./)

    const app = await serveRestored(place)
    await app.worker.drain()
    const again = tokenOf(app, 'owner')
    for (const { project, oid } of before) {
      const commit = await again.get(`/projects/${project.id}/repository/commits/${oid}`)
      expect(commit.statusCode).toBe(200)
    }
    // What the rows name is there.
    const listed = await tokenOf(app, 'admin').get('/projects?per_page=100&order_by=id')
    expect(listed.json().length).toBeGreaterThan(4)
    for (const { id } of listed.json()) {
      const answer = await tokenOf(app, 'admin').get(`/projects/${id}/repository/branches`)
      expect([id, answer.statusCode]).toEqual([id, 200])
    }
    const variable = await again.get(`/projects/${pushed.id}/variables/K`)
    expect(variable.json().value).toBe('sealed!')
    const bytes = await app.server.inject({
      url: upload.full_path,
      headers: { 'private-token': world.token('owner') },
    })
    expect(bytes.rawPayload).toEqual(picture)
    // Ids that were given out after the moment of the backup are not given out again.
    const made = await again.post('/projects', { name: 'after-the-restore' })
    expect(made.statusCode).toBe(201)
    expect(made.json().id).toBeGreaterThan(Math.max(...listed.json().map((p: Project) => p.id)))
  })

  it('again: copies what has changed and shares the rest', async () => {
    const [still, moving] = [
      await world.newProject({ files: { a: 'a' } }),
      await world.newProject({ files: { a: 'a' } }),
    ]
    const folder = newFolder()
    const { config } = world.app
    await runCommand(config, ['backup', '--to', folder])
    await world.commit(moving, { b: 'b' })
    const second = await runCommand(config, ['backup', '--to', folder])
    expect(second.stdout).toContain('Previous backup: ')
    const count = Number(/Repositories: (\d+)/.exec(second.stdout)?.[1])
    expect(second.stdout).toContain(`Repositories: ${count}, of which ${count - 1} unchanged.`)
    const [one = '', two = ''] = await listBackups(folder)
    const [shared = '', ...others] = containersIn(one)
    expect(others).toEqual([])
    expect(containersIn(two)).toEqual([shared, expect.any(String)])
    const path = join('repositories', shared)
    expect(statSync(join(two, path)).ino).toBe(statSync(join(one, path)).ino)
    const place = await newPlace()
    copyKey(place.data)
    expect((await runCommand(place, ['restore', '--from', two])).status).toBe(0)
    for (const project of [still, moving]) {
      const path = world.repository(project).replace(world.app.config.data, place.data)
      const refs = await runRealGit(['for-each-ref'], { env: { GIT_DIR: path } })
      const own = await runRealGit(['for-each-ref'], {
        env: { GIT_DIR: world.repository(project) },
      })
      expect(refs.stdout).toBe(own.stdout)
    }
    const third = await runCommand(config, ['backup', '--to', folder, '--keep', '2'])
    expect(third.stdout).toContain(`Deleted old backup: ${one}.`)
    expect(existsSync(one)).toBe(false)
    expect((await runCommand(config, ['backup', 'verify', two])).status).toBe(0)
  })

  it('again: copies what counts of a container that is mostly out of date, and tells damage by repository', async () => {
    const still = await world.newProject({ files: { a: 'a' } })
    const moving = await world.newProject({ files: { a: 'a' } })
    // More than all the others together, none of it so large that it is a file of its own.
    for (const name of ['b', 'c', 'd', 'e']) {
      await world.commit(moving, { [name]: randomBytes(450_000).toString('hex') })
    }
    const folder = newFolder()
    const { config } = world.app
    await runCommand(config, ['backup', '--to', folder])
    await world.commit(moving, { f: 'f' })
    const second = await runCommand(config, ['backup', '--to', folder])
    expect(second.stdout).toMatch(/Repositories: \d+, of which [1-9]\d* unchanged\./)
    const [one = '', two = ''] = await listBackups(folder)
    const [container = '', ...others] = containersIn(two)
    expect(others).toEqual([])
    expect(containersIn(one)).not.toContain(container)
    const place = await newPlace()
    copyKey(place.data)
    const restored = await runCommand(place, ['restore', '--from', two, '--check'])
    expect(restored.stdout).toMatch(/git fsck: \d+ repositories, 0 broken\./)

    const name = relative(config.storages.default?.path ?? '', world.repository(still))
    const path = join(two, 'repositories', container)
    const bytes = readFileSync(path)
    const at = bytes.indexOf(`default/${name}.tar`) + 512 + 600
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const verified = await runCommand(config, ['backup', 'verify', two])
    expect(verified.status).toBe(1)
    expect(verified.stdout.split('\n').slice(0, -2)).toEqual([
      `BROKEN repositories/${container} does not match its digest.`,
      `BROKEN The archive of default/${name} in repositories/${container} does not match its digest.`,
    ])
  })

  it('of one database into the other, as a file with its keys', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const owner = world.as('owner')
    await owner.post(`/projects/${project.id}/issues`, { title: 'Zwölf Ä ' })
    await owner.post(`/projects/${project.id}/variables`, { key: 'K', value: 'sealed!' })
    const file = join(newFolder(), 'all.tar')
    const { config } = world.app
    const taken = await runCommand(config, ['backup', '--to', file, '--with-keys'])
    expect(taken.stdout).toContain('WITH KEYS: ')
    for (const kind of ['sqlite', 'postgres'] as const) {
      if (kind === 'postgres' && process.env.TEST_DB !== 'postgres') continue
      const place = await newPlace(kind)
      const restored = await runCommand(place, ['restore', '--from', file, '--check'])
      expect(restored).toMatchObject({ status: 0, stderr: '' })
      const app = await serveRestored(place)
      const again = tokenOf(app, 'owner')
      for (const path of ['', '/issues', '/variables/K', '/repository/commits', '/members/all']) {
        const url = `/projects/${project.id}${path}`
        expect((await again.get(url)).json()).toEqual((await owner.get(url)).json())
      }
      const search = await again.get('/issues?scope=all&search=Zw%C3%B6lf')
      expect(search.json().map((issue: { project_id: number }) => issue.project_id)).toContain(
        project.id,
      )
    }
  })

  it('refuses what it would harm, and what is harmed', async () => {
    const folder = newFolder()
    const { config } = world.app
    const inside = await runCommand(config, ['backup', '--to', join(config.data, 'blobs', 'x')])
    expect(inside).toMatchObject({ status: 1, stdout: '' })
    expect(inside.stderr).toBe(
      `The backup target ${config.data}/blobs/x is inside ${config.data}/blobs, which is backed up. Choose another target.\n`,
    )
    await runCommand(config, ['backup', '--to', folder])
    const [path = ''] = await listBackups(folder)

    const used = await runCommand(config, ['restore', '--from', path])
    expect(used.status).toBe(1)
    expect(used.stderr).toContain('The target is not empty: ')
    const running = await runCommand(config, ['restore', '--from', path, '--overwrite'])
    expect(running.stderr).toBe('The database is in use. Stop the server first.\n')

    const place = await newPlace()
    writeFileSync(join(place.data, 'secret.key'), Buffer.alloc(32))
    const otherKey = await runCommand(place, ['restore', '--from', path])
    expect(otherKey.stderr).toContain('is not the key of the backed-up server.')
    copyKey(place.data)
    const storages = JSON.stringify({ other: { path: '/nowhere' } })
    const otherStorage = await runCommand(place, ['restore', '--from', path], {
      BLOOMERY_STORAGES: storages,
    })
    expect(otherStorage.stderr).toBe(
      'The backup has repositories of the storage default. Add it to BLOOMERY_STORAGES.\n',
    )

    const list = join(path, 'repositories.ndjson')
    const listed = readFileSync(list)
    writeFileSync(list, listed.toString().replace(/"name":"[^"]+"/, '"name":"../../elsewhere.git"'))
    const forged = await runCommand(place, ['restore', '--from', path])
    expect(forged).toMatchObject({ status: 1, stdout: '' })
    expect(forged.stderr).toBe('repositories.ndjson does not match its digest.\n')
    writeFileSync(list, listed)

    const table = join(path, 'database/users.ndjson.gz')
    const bytes = readFileSync(table)
    bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1
    writeFileSync(table, bytes)
    const verified = await runCommand(config, ['backup', 'verify', path])
    expect(verified.status).toBe(1)
    expect(verified.stdout).toContain(
      'BROKEN database/users.ndjson.gz does not match its digest.\n',
    )
    const broken = await runCommand(place, ['restore', '--from', path])
    expect(broken.status).toBe(1)
    const restart = await runCommand(place, ['serve'])
    expect(restart.status).toBe(1)
    expect(restart.stderr).toContain('The last restore into this data folder did not finish.')
  })

  it('leaves nothing behind where it fails', async () => {
    const folder = newFolder()
    const place = await newPlace()
    const nothing = await runCommand(place, ['backup', '--to', folder])
    expect(nothing.status).toBe(1)
    expect(nothing.stderr).toMatch(/^No database at .*\. Start the server once to create it\.\n$/)
    expect(readdirSync(folder)).toEqual([])
    expect(await runCommand(place, ['backup'])).toMatchObject({ status: 2 })
    expect((await runCommand(place, ['backup', '--help'])).stdout).toContain(
      'Usage: bloomery backup',
    )
  })
})
