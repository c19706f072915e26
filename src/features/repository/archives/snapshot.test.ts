import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newFolder, runRealGit } from '../../../../test/kit/git.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Unpacks a tar archive of short names into a new folder; answers it and the names. */
function unpack(archive: Buffer): { folder: string; names: string[] } {
  const folder = newFolder()
  const names: string[] = []
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)
    const bytes = archive.subarray(at + 512, at + 512 + size)
    names.push(name)
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    if (name.endsWith('/')) mkdirSync(join(folder, name), { recursive: true })
    else writeFileSync(join(folder, name), bytes)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return { folder, names }
}

describe('GET /projects/:id/snapshot', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['owner', 'shut', 403],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(`/projects/${world.projects[place].id}/snapshot`)
    expect(answer.statusCode).toBe(status)
  })

  it('is the bare repository, which git reads', async () => {
    const project = await world.newProject({
      files: { a: 'one\n', 'big.bin': Buffer.alloc(700_000, 7) },
    })
    const oid = await world.commit(
      project,
      { b: 'two\n' },
      { branch: 'topic', start_branch: 'main' },
    )
    const answer = await world.as('admin').get(`/projects/${project.id}/snapshot`)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-disposition': 'attachment; filename="snapshot.tar"',
    })
    expect(answer.rawPayload.length % 512).toBe(0)
    const { folder, names } = unpack(answer.rawPayload)
    expect(names.slice(0, 6)).toEqual([
      'HEAD',
      'packed-refs',
      'refs/',
      'refs/heads/',
      'refs/tags/',
      'objects/',
    ])
    expect(names.filter((name) => !name.startsWith('objects/')).slice(5)).toEqual([])
    const git = (...args: string[]) => runRealGit([`--git-dir=${folder}`, ...args])
    expect((await git('fsck', '--full')).status).toBe(0)
    expect((await git('rev-parse', 'topic')).stdout.trim()).toBe(oid)
    expect((await git('symbolic-ref', 'HEAD')).stdout.trim()).toBe('refs/heads/main')
    expect((await git('cat-file', '-p', 'topic:b')).stdout).toBe('two\n')
    const { path } = projectRepository(world.app.config, project)
    const left = readdirSync(join(path, 'objects')).filter((name) => name.startsWith('tmp_'))
    expect(left).toEqual([])
  })

  it('is of an empty repository, and of a wiki that has pages', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/snapshot`
    const empty = await world.as('admin').get(url)
    expect([empty.statusCode, unpack(empty.rawPayload).names[0]]).toEqual([200, 'HEAD'])
    const none = await world.as('admin').get(`${url}?wiki=true`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Not Found' }])
    const page = { title: 'home', content: 'Welcome' }
    await world.as('owner').post(`/projects/${project.id}/wikis`, page)
    const wiki = await world.as('admin').get(`${url}?wiki=true`)
    const { folder } = unpack(wiki.rawPayload)
    const shown = await runRealGit([`--git-dir=${folder}`, 'cat-file', '-p', 'HEAD:home.md'])
    expect(shown.stdout).toBe('Welcome')
    const head = await world.as('admin').head(url)
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'application/x-tar',
      '',
    ])
  })
})
