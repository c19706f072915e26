// Pushes that bring pointers: their objects must be there first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectGitAttributesOids } from '../../src/git/quarantine.ts'
import type { Project } from '../../src/subjects/project.ts'
import { type GitWorld, newGitWorld, type WorkingCopy } from '../kit/git.ts'
import { lfsClient, objectOf, pointerTo } from '../kit/lfs.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
const missing =
  'remote: GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
const send = (project: Project, content: string) =>
  lfsClient(world, project, 'owner').upload(content)

async function push(copy: WorkingCopy, refspec = 'HEAD:main'): Promise<string> {
  const { status, stderr } = await copy.run(['push', 'origin', refspec])
  return status === 0 ? 'accepted' : stderr
}
/** How many processes the server starts for a push of one commit with these files. */
async function cost(copy: WorkingCopy, files: Record<string, string>): Promise<number> {
  await copy.commit(files)
  const { processes } = await world.app.count(async () => {
    expect(await push(copy, 'HEAD:topic')).toBe('accepted')
  })
  return processes
}

describe('a client with git-lfs', () => {
  it('sends objects, then the commit, and fetches both', async () => {
    // What the program does around a push and a clone, without the program.
    const project = await world.newProject()
    const content = 'a large file'
    const developer = lfsClient(world, project, 'developer')
    const verified = await developer.send('POST', 'info/lfs/locks/verify', {
      ref: { name: 'refs/heads/topic' },
    })
    expect(verified.json()).toEqual({ ours: [], theirs: [] })
    const asked = await developer.batch('upload', [objectOf(content)])
    const { upload } = asked.json().objects[0].actions
    const sent = await fetch(upload.href.replace('http://bloomery.test', world.url), {
      method: 'PUT',
      headers: {
        Authorization: upload.header.Authorization,
        'Content-Type': 'application/octet-stream',
      },
      body: Readable.toWeb(Readable.from([Buffer.from(content)])) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect(sent.status).toBe(200)
    const copy = await world.begin(project, 'owner')
    await copy.commit({ '.gitattributes': attributes, 'a.bin': pointerTo(content) })
    expect(await push(copy)).toBe('accepted')
    const clone = await world.clone(project, { as: 'reporter' })
    const pointer = readFileSync(join(clone.path, 'a.bin'), 'utf8')
    expect(pointer).toBe(pointerTo(content))
    const [, oid = ''] = /sha256:(\w+)/.exec(pointer) ?? []
    const found = await lfsClient(world, project, 'reporter').batch('download', [
      { oid, size: content.length },
    ])
    const { download } = found.json().objects[0].actions
    const fetched = await fetch(download.href.replace('http://bloomery.test', world.url), {
      headers: download.header,
    })
    expect(await fetched.text()).toBe(content)
  })
})

describe('a push with pointers', () => {
  it('is refused until their objects are there', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    await copy.commit({
      '.gitattributes': attributes,
      'a.bin': pointerTo('a'),
      'b.bin': pointerTo('b'),
    })
    expect(await push(copy)).toContain(missing)
    expect(await world.refs(project)).toEqual({})
    await send(project, 'a')
    expect(await push(copy)).toContain(missing)
    await send(project, 'b')
    expect(await push(copy)).toBe('accepted')
  })

  it('is refused whichever branch or folder they are in, and however long ago LFS began', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    await copy.commit({ 'deep/er/.gitattributes': attributes })
    expect(await push(copy)).toBe('accepted')
    await copy.commit({ 'deep/er/a.bin': pointerTo('a') })
    expect(await push(copy, 'HEAD:other')).toContain(missing)
    expect(await push(copy, 'HEAD:refs/tags/v1')).toContain(missing)
    await send(project, 'a')
    expect(await push(copy, 'HEAD:refs/tags/v1')).toBe('accepted')
  })

  it('is refused though another project has the object', async () => {
    const [first, second] = [await world.newProject(), await world.newProject()]
    await send(first, 'of the first')
    const copy = await world.begin(second)
    await copy.commit({ '.gitattributes': attributes, 'a.bin': pointerTo('of the first') })
    expect(await push(copy)).toContain(missing)
  })

  it('is accepted where the project has LFS switched off', async () => {
    const project = await world.newProject()
    await world.app.db
      .updateTable('projects')
      .set({ lfs_enabled: false })
      .where('id', '=', project.id)
      .execute()
    const copy = await world.begin(project)
    await copy.commit({ '.gitattributes': attributes, 'a.bin': pointerTo('never sent') })
    expect(await push(copy)).toBe('accepted')
    // Switched on later, the attributes are known of.
    await world.app.db
      .updateTable('projects')
      .set({ lfs_enabled: true })
      .where('id', '=', project.id)
      .execute()
    await copy.commit({ 'b.bin': pointerTo('never sent either') })
    expect(await push(copy)).toContain(missing)
  })

  it('needs the objects of new commits alone', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    // A pointer from before the project began to use LFS.
    await copy.commit({ 'old.bin': pointerTo('never sent') })
    expect(await push(copy)).toBe('accepted')
    await copy.commit({ '.gitattributes': attributes })
    expect(await push(copy)).toBe('accepted')
    await copy.commit({ text: 'no pointer' })
    expect(await push(copy)).toBe('accepted')
  })

  it('is looked through however many there are', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    const import_ = ['commit refs/heads/many', 'committer A <a@x> 1 +0000', 'data 1', 'x']
    const add = (path: string, content: string) =>
      import_.push(`M 100644 inline ${path}`, `data ${content.length}`, content)
    add('.gitattributes', attributes)
    for (let index = 0; index < 3000; index++) add(`${index}.bin`, pointerTo(`object ${index}`))
    await copy.must(['fast-import', '--quiet'], { stdin: `${import_.join('\n')}\n` })
    expect(await push(copy, 'many:many')).toContain(missing)
    const { db } = world.app
    const now = '2026-01-01T00:00:00.000Z'
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      ...objectOf(`object ${index}`),
      created_at: now,
    }))
    const ids: { id: number }[] = []
    for (let at = 0; at < rows.length; at += 1000) {
      const some = rows.slice(at, at + 1000)
      ids.push(...(await db.insertInto('lfs_objects').values(some).returning('id').execute()))
    }
    const link = ({ id }: { id: number }) => ({
      project_id: project.id,
      lfs_object_id: id,
      created_at: now,
    })
    const [last, ...others] = ids
    for (let at = 0; at < others.length; at += 1000) {
      await db
        .insertInto('project_lfs_objects')
        .values(others.slice(at, at + 1000).map(link))
        .execute()
    }
    expect(await push(copy, 'many:many')).toContain(missing)
    if (last) await db.insertInto('project_lfs_objects').values(link(last)).execute()
    expect(await push(copy, 'many:many')).toBe('accepted')
  })
})

describe('a push without LFS', () => {
  it('costs as many processes as ever, but for those that bring attributes', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    await copy.commit()
    expect(await push(copy)).toBe('accepted')
    await cost(copy, { first: 'first' })
    const usual = await cost(copy, { a: 'a'.repeat(150) })
    // Index the pack, walk it, move the reference.
    expect(usual).toBe(3)
    expect(await cost(copy, { '.gitattributes': '* text=auto\n' })).toBe(usual + 2)
    expect(await cost(copy, { b: 'b'.repeat(150) })).toBe(usual)
    expect(await cost(copy, { '.gitattributes': attributes })).toBe(usual + 3)
    expect(await cost(copy, { c: 'c' })).toBe(usual + 1)
    expect(await cost(copy, { d: 'd'.repeat(150) })).toBe(usual + 2)
  })
})

describe('the walk through a push', () => {
  const oid = (digit: string) => digit.repeat(40)
  it('finds attribute files wherever the output is cut', async () => {
    const text = [
      oid('1'),
      `${oid('2')} `,
      `${oid('3')} .gitattributes`,
      `${oid('4')} a/b/.gitattributes`,
      `${oid('5')} my.gitattributes`,
      `${oid('6')} .gitattributes/file`,
      `${oid('7')} a/.gitattributes.gitattributes`,
      `${oid('8')} .gitattributes b/.gitattributes`,
      `${oid('9')} z`,
      '',
    ].join('\n')
    for (let size = 1; size <= text.length; size++) {
      const chunks: Buffer[] = []
      for (let at = 0; at < text.length; at += size) {
        chunks.push(Buffer.from(text.slice(at, at + size)))
      }
      const found = await collectGitAttributesOids(Readable.from(chunks))
      expect(found).toEqual([oid('3'), oid('4'), oid('8')])
    }
  })
})

describe('a push of what somebody has locked', () => {
  it('is refused to everybody else, on every branch, by new commits alone', async () => {
    const project = await world.newProject({ files: { 'locked.bin': 'a', free: 'a' } })
    const lock = (who: 'developer' | 'maintainer', path: string) =>
      lfsClient(world, project, who).send('POST', 'info/lfs/locks', { path })
    expect((await lock('developer', 'locked.bin')).statusCode).toBe(201)
    const other = await world.clone(project, { as: 'maintainer' })
    await other.commit({ 'locked.bin': 'b' })
    await other.commit({ free: 'b' })
    const refusal = `remote: GitLab: The path 'locked.bin' is locked in Git LFS by ${world.users.developer.name}`
    for (const refspec of ['HEAD:main', 'HEAD:topic']) {
      expect(await push(other, refspec)).toContain(refusal)
    }
    await other.must(['reset', '--quiet', '--hard', 'origin/main'])
    await other.commit({ free: 'c' })
    expect(await push(other)).toBe('accepted')
    const owner = await world.clone(project, { as: 'developer' })
    await owner.commit({ 'locked.bin': 'c' })
    expect(await push(owner, 'HEAD:topic')).toBe('accepted')
    // What the owner has pushed is nobody else's change any more.
    await other.must(['fetch', '--quiet', 'origin'])
    await other.must(['merge', '--quiet', '--no-edit', 'origin/topic'])
    expect(await push(other)).toBe('accepted')
    await other.must(['rm', '--quiet', 'locked.bin'])
    await other.commit()
    expect(await push(other)).toContain(refusal)
    await world.as('owner').put(`/projects/${project.id}`, { lfs_enabled: false })
    expect(await push(other)).toBe('accepted')
  })
})
