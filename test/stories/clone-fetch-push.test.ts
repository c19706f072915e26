import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type GitWorld, newFolder, newGitWorld, runRealGit, WorkingCopy } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

/** The requests git made, as its own trace shows them. */
const trace = { GIT_CURL_VERBOSE: '1', GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '0' }

/** `count` empty commits on the branch that is checked out, made by one process. */
async function grow(copy: WorkingCopy, count: number): Promise<void> {
  const tip = await copy.must(['rev-parse', 'HEAD'])
  const commits = Array.from({ length: count }, (_, index) =>
    [
      'commit refs/heads/main',
      `committer C <c@bloomery.test> ${1_800_000_000 + index} +0000`,
      'data 1',
      'x',
      index === 0 ? `from ${tip}` : '',
      '',
    ].join('\n'),
  )
  await copy.must(['fast-import', '--quiet'], { stdin: commits.join('') })
}

describe.each(['0', '2'])('over protocol v%s', (version) => {
  const config = { 'protocol.version': version }

  it('clones, fetches what is new and pushes it back', async () => {
    const project = await world.newProject({ files: { 'README.md': '# Readme\n', 'd/e': 'e' } })
    const copy = await world.clone(project, { config })
    expect(await copy.must(['ls-files'])).toBe('README.md\nd/e')
    const tip = await copy.commit({ new: 'new' })
    await copy.must(['push', 'origin', 'HEAD'], { config })
    expect(await world.refs(project)).toEqual({ 'refs/heads/main': tip })
    const next = await world.commit(project, { more: 'more' })
    await copy.must(['fetch', 'origin'], { config })
    expect(await copy.must(['rev-parse', 'origin/main'])).toBe(next)
    await copy.must(['fsck', '--full', '--strict'])
  })

  it('clones an empty repository and names its first branch', async () => {
    const project = await world.newProject({ branch: 'trunk' })
    const path = join(newFolder(), 'copy')
    const result = await runRealGit(['clone', world.remote(project), path], { config })
    expect([result.status, result.stderr]).toEqual([
      0,
      expect.stringContaining('You appear to have cloned an empty repository.'),
    ])
    const copy = new WorkingCopy(path)
    // Only version 2 tells a client which branch an empty repository begins with.
    const branch = version === '2' ? 'trunk' : 'main'
    expect(await copy.must(['symbolic-ref', 'HEAD'])).toBe(`refs/heads/${branch}`)
  })

  it('speaks the version it is asked for', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const { stderr } = await runRealGit(['ls-remote', world.remote(project)], {
      config,
      env: { GIT_TRACE_PACKET: '1' },
    })
    expect(stderr.includes('git< version 2')).toBe(version === '2')
  })

  it('takes a negotiation so long that its requests are compressed', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    await grow(copy, 200)
    await world.commit(project, { b: 'b' })
    const { status, stderr } = await copy.run(['fetch', 'origin'], { config, env: trace })
    expect(status).toBe(0)
    expect(/content-encoding: gzip/i.test(stderr)).toBe(true)
  })

  it('fetches a part of the history, deepens it and makes it whole', async () => {
    const project = await world.newProject()
    for (let index = 0; index < 5; index++) await world.commit(project, { [`f${index}`]: 'x' })
    const copy = await world.clone(project, { args: ['--depth=1'], config })
    const count = () => copy.must(['rev-list', '--count', 'HEAD'])
    expect(await count()).toBe('1')
    await copy.must(['fetch', '--deepen=2'], { config })
    expect(await count()).toBe('3')
    await copy.must(['fetch', '--unshallow'], { config })
    expect(await count()).toBe('5')
  })

  it('takes a push from a shallow clone', async () => {
    const project = await world.newProject()
    for (let index = 0; index < 3; index++) await world.commit(project, { [`f${index}`]: 'x' })
    const copy = await world.clone(project, { args: ['--depth=1'], config })
    const tip = await copy.commit({ new: 'new' })
    await copy.must(['push', 'origin', 'HEAD'], { config })
    expect((await world.refs(project))['refs/heads/main']).toBe(tip)
  })

  it('refuses from a shallow clone what has no history here', async () => {
    const source = await world.newProject()
    for (let index = 0; index < 3; index++) await world.commit(source, { [`f${index}`]: 'x' })
    const copy = await world.clone(source, { args: ['--depth=1'], config })
    await copy.commit({ new: 'new' })
    const target = await world.newProject()
    const { status, stderr } = await copy.run(
      ['push', world.remote(target), 'HEAD:refs/heads/other'],
      { config },
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(/remote rejected|unpack failed/)
    expect(await world.refs(target)).toEqual({})
    expect(world.leftovers(target)).toEqual([])
  })

  it('leaves blobs out of a partial clone and sends them when they are needed', async () => {
    const project = await world.newProject({ files: { a: 'first\n' } })
    await world.as('owner').put(`/projects/${project.id}/repository/files/a`, {
      branch: 'main',
      content: 'second\n',
      commit_message: 'Change it',
    })
    const copy = await world.clone(project, { args: ['--filter=blob:none'], config })
    const missing = await copy.must(['rev-list', '--objects', '--all', '--missing=print'])
    expect(missing).toMatch(/^\?[0-9a-f]{40}$/m)
    expect(await copy.must(['show', 'HEAD~1:a'], { config })).toBe('first')
  })

  it('shows of the references it keeps those of pipelines and merge requests', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const tip = (await world.refs(project))['refs/heads/main'] ?? ''
    const path = world.repository(project)
    const hidden = [`refs/keep-around/${tip}`, 'refs/pipelines/1', 'refs/environments/x/1']
    for (const name of [...hidden, 'refs/merge-requests/1/head']) {
      await runRealGit(['update-ref', name, tip], { env: { GIT_DIR: path } })
    }
    const { stdout } = await runRealGit(['ls-remote', world.remote(project)], { config })
    const names = stdout.split('\n').filter(Boolean)
    expect(names.map((line) => line.split('\t')[1])).toEqual([
      'HEAD',
      'refs/heads/main',
      'refs/merge-requests/1/head',
      'refs/pipelines/1',
    ])
    const copy = await world.clone(project)
    for (const name of ['refs/merge-requests/1/head', 'refs/pipelines/1']) {
      await copy.must(['fetch', '--quiet', 'origin', name], { config })
    }
    for (const name of [`refs/keep-around/${tip}`, 'refs/environments/x/1']) {
      const fetched = await copy.run(['fetch', 'origin', name], { config })
      expect([name, fetched.status]).not.toEqual([name, 0])
    }
    for (const name of ['refs/pipelines/1', 'pipelines/1', 'refs/pipelines/1~0', 'pipelines/1~0']) {
      const url = `/projects/${project.id}/repository/commits/${encodeURIComponent(name)}`
      expect([name, (await world.as('owner').get(url)).statusCode]).toEqual([name, 404])
    }
    const kept = `/projects/${project.id}/repository/commits/refs%2Fmerge-requests%2F1%2Fhead`
    expect((await world.as('owner').get(kept)).statusCode).toBe(200)
  })
})

describe('pushing', () => {
  it('takes a push in chunks', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index) % 251))
    const tip = await copy.commit({ big: bytes })
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:main'], {
      config: { 'http.postBuffer': '1024', 'core.compression': '0' },
      env: trace,
    })
    expect([status, /=> Send header: transfer-encoding: chunked/i.test(stderr)]).toEqual([0, true])
    expect(await world.refs(project)).toEqual({ 'refs/heads/main': tip })
  })

  it('takes tags, a deletion and a branch on a commit that is there', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    const tip = await copy.must(['rev-parse', 'HEAD'])
    await copy.must(['tag', 'light'])
    await copy.must(['tag', '-a', 'heavy', '-m', 'A heavy one'])
    await copy.must(['push', 'origin', '--tags', 'HEAD:refs/heads/same'])
    const heavy = await copy.must(['rev-parse', 'heavy'])
    expect(await world.refs(project)).toEqual({
      'refs/heads/main': tip,
      'refs/heads/same': tip,
      'refs/tags/heavy': heavy,
      'refs/tags/light': tip,
    })
    await copy.must(['push', 'origin', ':same', ':refs/tags/light'])
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main', 'refs/tags/heavy'])
    expect(world.leftovers(project)).toEqual([])
  })

  it('takes 2,000 tags at once and shows them to a fetch', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    const tip = await copy.must(['rev-parse', 'HEAD'])
    const lines = Array.from({ length: 2000 }, (_, index) => `create refs/tags/t${index} ${tip}\n`)
    await copy.must(['update-ref', '--stdin'], { stdin: lines.join('') })
    await copy.must(['push', '--quiet', 'origin', '--tags'])
    expect(Object.keys(await world.refs(project))).toHaveLength(2001)
    const other = await world.clone(project)
    expect((await other.must(['tag'])).split('\n')).toHaveLength(2000)
  })

  it('takes push options, known or not', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    await copy.commit()
    const options = ['-o', 'ci.skip', '-o', 'ci.variable="A=b c"', '-o', 'no.such=ä']
    await copy.must(['push', ...options, 'origin', 'HEAD:main'])
  })

  it('changes nothing when one reference of an atomic push is refused', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    await world.commit(project, { b: 'b' })
    const before = await world.refs(project)
    await copy.commit()
    // Without a lease the client itself would not send what cannot be fast-forwarded.
    const stale = await copy.must(['rev-parse', 'HEAD~1'])
    const push = ['push', `--force-with-lease=main:${before['refs/heads/main']}`, 'origin']
    const { status, stderr } = await copy.run([
      ...push,
      '--atomic',
      'HEAD:refs/heads/new',
      `${stale}:refs/keep-around/x`,
    ])
    expect(status).toBe(1)
    expect(stderr).toContain('atomic push failure')
    expect(await world.refs(project)).toEqual(before)
  })

  it('takes the good references of a push that is not atomic', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    const tip = await copy.commit()
    const { status, stderr } = await copy.run([
      'push',
      'origin',
      'HEAD:refs/heads/new',
      'HEAD:refs/keep-around/x',
      'HEAD:refs/heads/main/below',
    ])
    expect(status).toBe(1)
    expect(stderr).toContain('refs/keep-around/x (deny updating a hidden ref)')
    expect(stderr).toContain('HEAD -> main/below (failed to update ref)')
    const refs = await world.refs(project)
    expect(Object.keys(refs)).toEqual(['refs/heads/main', 'refs/heads/new'])
    expect(refs['refs/heads/new']).toBe(tip)
  })

  it('keeps names outside ASCII', async () => {
    const project = await world.newProject()
    const copy = await world.begin(project)
    const tip = await copy.commit({ 'größe/日本': 'x' })
    await copy.must(['push', 'origin', 'HEAD:refs/heads/zweig/ästchen-日本'])
    expect(await world.refs(project)).toEqual({ 'refs/heads/zweig/ästchen-日本': tip })
    const answer = await world
      .as('owner')
      .get(
        `/projects/${project.id}/repository/files/${encodeURIComponent('größe/日本')}?ref=${tip}`,
      )
    expect(answer.statusCode).toBe(200)
  })
})
