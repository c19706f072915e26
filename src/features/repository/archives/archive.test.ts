import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { type GitWorld, newFolder, newGitWorld, processesOf } from '../../../../test/kit/git.ts'
import { newWorld } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: GitWorld
let project: Project
let oid: string
beforeAll(async () => {
  world = await newGitWorld()
  project = await world.newProject()
  oid = await world.commit(project, {
    'README.md': '# Readme\n',
    'src/a b.ts': 'a',
    'src/ä+%/x': 'x',
    '-dash': 'd',
    'secret.txt': 's',
    '.gitattributes': 'secret.txt export-ignore\n',
  })
  await world
    .as('owner')
    .post(`/projects/${project.id}/repository/branches`, { branch: 'feature/x', ref: 'main' })
})

const urlOf = (where: Project, extension = '', query: Record<string, string> = {}) =>
  `/projects/${where.id}/repository/archive${extension}?${new URLSearchParams(query)}`
const get = (extension = '', query: Record<string, string> = {}) =>
  world.as('reporter').get(urlOf(project, extension, query))

/** The files of a tar archive by name (POSIX ustar and pax: 512-byte headers, names in two parts). */
function readTar(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {}
  let longName: string | undefined
  for (let at = 0; at < bytes.length && bytes[at] !== 0; ) {
    const field = (from: number, length: number) =>
      bytes.toString('utf8', at + from, at + from + length).split('\0', 1)[0] ?? ''
    const size = Number.parseInt(field(124, 12), 8)
    const kind = field(156, 1)
    const content = bytes.toString('utf8', at + 512, at + 512 + size)
    const prefix = field(345, 155)
    if (kind === '0' || kind === '') {
      files[longName ?? (prefix ? `${prefix}/${field(0, 100)}` : field(0, 100))] = content
    }
    longName = kind === 'x' ? /\d+ path=(.*)\n/.exec(content)?.[1] : undefined
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

const contents = (folder: string) => ({
  [`${folder}/README.md`]: '# Readme\n',
  [`${folder}/src/a b.ts`]: 'a',
  [`${folder}/src/ä+%/x`]: 'x',
  [`${folder}/-dash`]: 'd',
  [`${folder}/.gitattributes`]: 'secret.txt export-ignore\n',
})

describe('GET /projects/:id/repository/archive', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    for (const extension of ['', '.zip']) {
      const answer = await world.as(who).get(urlOf(world.projects[place], extension))
      expect(answer.statusCode).toBe(status)
      if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
      if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
    }
  })

  it('is a tar.gz of the default branch under names that tell what it is', async () => {
    const answer = await get()
    const name = `${project.path}-main-${oid}`
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}.tar.gz"; filename*=UTF-8''${name}.tar.gz`,
    })
    expect(readTar(gunzipSync(answer.rawPayload))).toEqual(contents(name))
    // Another time gives the same bytes.
    expect((await get('.tar.gz')).rawPayload.equals(answer.rawPayload)).toBe(true)
  })

  it.each(['.tar', '.zip'])('is what git archive makes of %s', async (extension) => {
    const name = `${project.path}-feature-x-${oid}`
    const answer = await get(extension, { sha: 'feature/x' })
    expect(answer.headers['content-disposition']).toContain(`"${name}${extension}"`)
    const repository = projectRepository(world.app.config, project)
    const format = extension.slice(1)
    const expected = await runGit(world.app.git.git, repository, {
      args: ['archive', `--format=${format}`, `--prefix=${name}/`, 'main'],
    })
    expect(answer.rawPayload.equals(expected)).toBe(true)
  })

  it.each(['.tar.bz2', '.tbz', '.tbz2', '.tb2', '.bz2'])(
    'is a tar.bz2 for %s',
    async (extension) => {
      const answer = await get(extension)
      expect(answer.headers['content-disposition']).toContain(`-main-${oid}.tar.bz2"`)
      const tar = (await get('.tar')).rawPayload
      const { stdout } = spawnSync('bzip2', ['-dc'], { input: answer.rawPayload })
      expect(stdout.equals(tar)).toBe(true)
    },
  )

  it('is refused as a tar.bz2 where the server has no bzip2', async () => {
    const folder = newFolder()
    for (const program of ['git', 'sh']) {
      const { stdout } = spawnSync('which', [program], { encoding: 'utf8' })
      symlinkSync(stdout.trim(), join(folder, program))
    }
    const app = await startApp({ PATH: folder })
    try {
      const other = await newWorld(app)
      const where = await other.newProject({ files: { a: 'a' } })
      const refused = await other.as('reporter').get(urlOf(where, '.tar.bz2'))
      expect([refused.statusCode, refused.json()]).toEqual([
        406,
        { message: '406 Not Acceptable - tar.bz2 needs bzip2 on the server' },
      ])
      expect((await other.as('reporter').get(urlOf(where, '.tar.gz'))).statusCode).toBe(200)
    } finally {
      await app.close()
    }
  })

  it('takes the format as a parameter too', async () => {
    const answer = await get('', { format: 'zip' })
    expect(answer.rawPayload.toString('latin1', 0, 2)).toBe('PK')
  })

  it.each(['src', 'src/ä+%', '-dash', '/src/'])('holds only %s when asked', async (path) => {
    const clean = path.replace(/^\/|\/$/g, '')
    const folder = `${project.path}-main-${oid}-${clean.replaceAll('/', '-')}`
    const answer = await get('.tar', { sha: 'main', path })
    const whole = Object.entries(contents(folder))
    const inside = whole.filter(([name]) => name.startsWith(`${folder}/${clean}`))
    expect(readTar(answer.rawPayload)).toEqual(Object.fromEntries(inside))
    expect(inside.length).toBeGreaterThan(0)
  })

  it.each<readonly [string, Record<string, string>, number, object]>([
    ['', { sha: 'nothing' }, 404, { message: '404 File Not Found' }],
    ['.zip', { sha: '--remote=x' }, 404, { message: '404 File Not Found' }],
    ['', { path: 'nothing' }, 404, { message: '404 File Not Found' }],
    ['', { path: '../x' }, 404, { message: '404 File Not Found' }],
    ['.rar', {}, 404, { error: '404 Not Found' }],
    ['.constructor', {}, 404, { error: '404 Not Found' }],
  ])('answers %s of %j with %i', async (extension, query, status, body) => {
    const answer = await get(extension, query)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('answers an empty repository with 404', async () => {
    const answer = await world.as('reporter').get(urlOf(await world.newProject()))
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 File Not Found' }])
  })

  it('answers HEAD without making anything', async () => {
    const ask = async () => {
      const answer = await world.as('reporter').head(urlOf(project, '.tar'))
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
      expect(answer.headers['content-disposition']).toContain(`-main-${oid}.tar"`)
    }
    await ask()
    expect((await world.app.count(ask)).processes).toBe(0)
  })

  it('ends git when the client goes away, and lets the next one in', async () => {
    const where = await world.newProject()
    const noise = Buffer.alloc(20 * 1024 * 1024, 'x')
    await world.commit(where, { noise })
    const url = `${world.url}/api/v4${urlOf(where, '.tar')}`
    const headers = { 'private-token': world.token('reporter') }
    for (let count = 0; count < 6; count++) {
      const leave = new AbortController()
      const answer = await fetch(url, { headers, signal: leave.signal })
      await answer.body?.getReader().read()
      leave.abort()
    }
    const isArchiving = () =>
      processesOf(world.repository(where)).some((id) => {
        try {
          return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('archive')
        } catch {
          return false
        }
      })
    await expect.poll(isArchiving, { timeout: 10_000 }).toBe(false)
    const whole = await fetch(url, { headers })
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(noise.length)
  })

  it('keeps no place for those who left while they waited', async () => {
    const where = await world.newProject()
    const noise = Buffer.alloc(20 * 1024 * 1024, 'x')
    await world.commit(where, { noise })
    const url = `${world.url}/api/v4${urlOf(where, '.tar')}`
    const headers = { 'private-token': world.token('reporter') }
    const ask = () => {
      const leaving = new AbortController()
      return { leaving, answer: fetch(url, { headers, signal: leaving.signal }) }
    }
    // As many as are made at once for one caller, who does not read on; then some who wait in vain.
    const holding = Array.from({ length: limits.git_turns.archive.running_of_one_max }, ask)
    await Promise.all(holding.map(({ answer }) => answer))
    const connections = () =>
      new Promise((resolve) => {
        world.app.server.server.getConnections((_, count) => resolve(count))
      })
    const before = Number(await connections())
    const waiting = Array.from({ length: 4 }, ask)
    const outcomes = waiting.map(({ answer }) =>
      answer.then(
        () => 'answered',
        () => 'left',
      ),
    )
    await expect.poll(connections, { timeout: 10_000 }).toBe(before + 4)
    for (const { leaving } of waiting) leaving.abort()
    expect(await Promise.all(outcomes)).toEqual(['left', 'left', 'left', 'left'])
    for (const { leaving } of holding) leaving.abort()
    const whole = await fetch(url, { headers })
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(noise.length)
  })

  it('answers 404 where the project is deleted before git begins', async () => {
    const [busy, where] = [await world.newProject(), await world.newProject({ files: { a: 'a' } })]
    await world.commit(busy, { noise: Buffer.alloc(20 * 1024 * 1024, 'x') })
    const headers = { 'private-token': world.token('owner') }
    const leaving = new AbortController()
    const ask = (of: Project, signal?: AbortSignal) =>
      fetch(`${world.url}/api/v4${urlOf(of, '.tar')}`, { headers, ...(signal ? { signal } : {}) })
    const turns = limits.git_turns.archive.running_of_one_max
    await Promise.all(Array.from({ length: turns }, () => ask(busy, leaving.signal)))
    const waiting = ask(where)
    const isWaiting = async () => {
      const { body } = await world.app.server.inject({ url: '/-/metrics' })
      return body.includes('bloomery_git_processes_waiting{kind="archive"} 1')
    }
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
    await world.as('owner').delete(`/projects/${where.id}`)
    await world.app.worker.drain()
    await expect.poll(() => existsSync(world.repository(where)), { timeout: 10_000 }).toBe(false)
    leaving.abort()
    const answer = await waiting
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
  })

  it('breaks off where git does, so that nobody takes a part for the whole', async () => {
    const where = await world.newProject()
    const content = Buffer.alloc(9 * 1024 * 1024, 'x')
    await world.commit(where, { 'a-first': content, 'b-second': 'lost' })
    const repository = world.repository(where)
    const blob = (
      await runGit(
        world.app.git.git,
        { path: repository },
        { args: ['rev-parse', 'main:b-second'] },
      )
    )
      .toString()
      .trim()
    rmSync(join(repository, 'objects', blob.slice(0, 2), blob.slice(2)))
    const answer = await fetch(`${world.url}/api/v4${urlOf(where, '.tar')}`, {
      headers: { 'private-token': world.token('reporter') },
    })
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })

  it('may be limited for each project and caller', async () => {
    const limit = { project_repositories_archive: { requests: 2, period_s: 60 } }
    const app = await startApp({ BLOOMERY_RATE_LIMITS: JSON.stringify(limit) })
    try {
      const limited = await newWorld(app)
      const ask = (who: 'reporter' | 'owner') =>
        limited.as(who).get(urlOf(limited.projects.shut, '.zip'))
      expect([(await ask('reporter')).statusCode, (await ask('reporter')).statusCode]).toEqual([
        200, 200,
      ])
      const refused = await ask('reporter')
      expect(refused.statusCode).toBe(429)
      expect(refused.json()).toEqual({
        message: {
          error: 'This archive has been requested too many times. Try again later.',
        },
      })
      expect(refused.headers).toMatchObject({
        'ratelimit-name': 'throttle_project_repositories_archive',
        'retry-after': '60',
      })
      expect((await ask('owner')).statusCode).toBe(200)
    } finally {
      await app.close()
    }
  })
})
