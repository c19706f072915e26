// Files that attributes hand to LFS, through the APIs of files and commits.
import { beforeAll, describe, expect, it } from 'vitest'
import { lfsClient, objectOf, pointerTo } from '../../../../test/kit/lfs.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
const missing =
  'LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
const fileUrl = ({ id }: Project, path: string) =>
  `/projects/${id}/repository/files/${encodeURIComponent(path)}`
const raw = async (project: Project, path: string, query = '') =>
  world.as('owner').get(`${fileUrl(project, path)}/raw${query}`)
const write = (method: 'post' | 'put', project: Project, path: string, content: string) =>
  world.as('owner')[method](fileUrl(project, path), {
    branch: 'main',
    commit_message: 'm',
    content,
  })
const download = (project: Project, content: string) =>
  lfsClient(world, project, 'owner').download(objectOf(content).oid)

describe('a file that attributes hand to LFS', () => {
  it('is stored as an object, and a pointer is committed', async () => {
    const project = await world.newProject({ files: { '.gitattributes': attributes } })
    expect((await write('post', project, 'dir/a.bin', 'large')).statusCode).toBe(201)
    expect((await raw(project, 'dir/a.bin')).payload).toBe(pointerTo('large'))
    expect((await download(project, 'large')).payload).toBe('large')
    expect((await write('put', project, 'dir/a.bin', 'larger')).statusCode).toBe(200)
    expect((await raw(project, 'dir/a.bin')).payload).toBe(pointerTo('larger'))
    expect((await download(project, 'larger')).payload).toBe('larger')
    const same = await write('put', project, 'dir/a.bin', 'larger')
    expect([same.statusCode, same.json()]).toEqual([
      400,
      { message: 'The content is identical to the current content of the file' },
    ])
    const { statistics } = (
      await world.as('owner').get(`/projects/${project.id}?statistics=true`)
    ).json()
    expect(statistics.lfs_objects_size).toBe('large'.length + 'larger'.length)
  })

  it('is known by attributes of the same commit, nearer ones winning', async () => {
    const project = await world.newProject({ files: { 'README.md': 'r' } })
    const create = (file_path: string, content: string) => ({
      action: 'create',
      file_path,
      content,
    })
    const answer = await world.as('owner').post(`/projects/${project.id}/repository/commits`, {
      branch: 'main',
      commit_message: 'm',
      actions: [
        create('before.bin', 'plain'),
        create('.gitattributes', attributes),
        create('small/.gitattributes', '*.bin -filter\n'),
        create('a.bin', 'large'),
        create('a.txt', 'text'),
        create('small/a.bin', 'small'),
        create('empty.bin', ''),
        { action: 'move', file_path: 'moved.bin', previous_path: 'README.md', content: 'moved' },
      ],
    })
    expect(answer.statusCode).toBe(201)
    for (const [path, content] of [
      ['before.bin', 'plain'],
      ['a.bin', pointerTo('large')],
      ['a.txt', 'text'],
      ['small/a.bin', 'small'],
      ['empty.bin', ''],
      ['moved.bin', pointerTo('moved')],
    ] as const) {
      expect([path, (await raw(project, path)).payload]).toEqual([path, content])
    }
  })

  it('is never the attributes themselves', async () => {
    const project = await world.newProject({ files: { '.gitattributes': '* filter=lfs\n' } })
    await write('put', project, '.gitattributes', '* filter=lfs -text\n')
    expect((await raw(project, '.gitattributes')).payload).toBe('* filter=lfs -text\n')
    await write('post', project, 'anything', 'large')
    expect((await raw(project, 'anything')).payload).toBe(pointerTo('large'))
  })

  it('stays as it is where the project has LFS switched off', async () => {
    const project = await world.newProject({ files: { '.gitattributes': attributes } })
    await world.as('owner').put(`/projects/${project.id}`, { lfs_enabled: false })
    await write('post', project, 'a.bin', 'large')
    expect((await raw(project, 'a.bin')).payload).toBe('large')
  })

  it('is not stored for somebody who may not push', async () => {
    const project = await world.newProject({ files: { '.gitattributes': attributes } })
    for (const who of ['reporter', 'developer'] as const) {
      const body = { branch: 'main', commit_message: 'm', content: `of ${who}` }
      await world.as(who).post(fileUrl(project, 'a.bin'), body)
      expect((await download(project, `of ${who}`)).statusCode).toBe(404)
    }
  })

  it('may be written as a pointer to an object the project has', async () => {
    const project = await world.newProject({ files: { '.gitattributes': attributes } })
    const refused = await write('post', project, 'a.bin', pointerTo('sent'))
    expect([refused.statusCode, refused.json()]).toEqual([400, { message: missing }])
    await lfsClient(world, project, 'owner').upload('sent')
    expect((await write('post', project, 'a.bin', pointerTo('sent'))).statusCode).toBe(201)
    expect((await raw(project, 'a.bin')).payload).toBe(pointerTo('sent'))
  })
})

describe('GET /projects/:id/repository/files/:file_path/raw', () => {
  it('serves with lfs=true the object a pointer leads to', async () => {
    const project = await world.newProject({ files: { '.gitattributes': attributes } })
    await write('post', project, 'dir/a b.bin', '<script>large</script>')
    const plain = await raw(project, 'dir/a b.bin', '?lfs=false')
    expect(plain.payload).toBe(pointerTo('<script>large</script>'))
    const answer = await raw(project, 'dir/a b.bin', '?lfs=true')
    expect([answer.statusCode, answer.payload]).toEqual([200, '<script>large</script>'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '22',
      'content-disposition': `attachment; filename="a b.bin"; filename*=UTF-8''a%20b.bin`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-gitlab-file-path': 'dir/a b.bin',
    })
    const head = await world.as('owner').head(`${fileUrl(project, 'dir/a b.bin')}/raw?lfs=true`)
    expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([200, '', '22'])
  })

  it('serves what is no pointer as ever, and answers 404 where the object is not the project’s', async () => {
    const files = { 'a.txt': 'text', 'a.bin': 'x' }
    const project = await world.newProject({ files })
    expect((await raw(project, 'a.txt', '?lfs=true')).payload).toBe('text')
    const other = await world.newProject()
    await lfsClient(world, other, 'owner').upload('of another')
    // Written while LFS was off, so that nobody asked for the object.
    await world.as('owner').put(`/projects/${project.id}`, { lfs_enabled: false })
    await write('put', project, 'a.bin', pointerTo('of another'))
    expect((await raw(project, 'a.bin', '?lfs=true')).payload).toBe(pointerTo('of another'))
    await world.as('owner').put(`/projects/${project.id}`, { lfs_enabled: true })
    const answer = await raw(project, 'a.bin', '?lfs=true')
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not Found' }])
  })
})
