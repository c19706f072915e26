// Clone, fetch and push over SSH, and what is refused (docs/api/git-access.md, "SSH").
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/kernel/limits.ts'
import { runAsWork } from '../../src/kernel/work-attribution.ts'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit } from '../kit/git.ts'
import { newSshWorld, type SshWorld, speak } from '../kit/ssh.ts'
import type { Who } from '../kit/world.ts'

let world: SshWorld
beforeAll(async () => {
  world = await newSshWorld()
})

type Person = Exclude<Who, 'anonymous'>

const hidden =
  "The project you were looking for could not be found or you don't have permission to view it."
const noPush = 'You are not allowed to push code to this project.'
const noFetch = 'You are not allowed to download code from this project.'

/** How the server tells a client why not. */
const boxed = (text: string) =>
  `remote:\nremote: ${'='.repeat(72)}\nremote:\nremote: ERROR: ${text}\nremote:\nremote: ${'='.repeat(72)}\nremote:\n`

async function listRefs(project: Pick<Project, 'full_path'>, who: Person) {
  const env = world.env(await world.keyOf(who))
  return runRealGit(['ls-remote', world.sshUrl(project)], { env })
}

describe('fetching', () => {
  it('clones, and fetches what is new', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.cloneOverSsh(project, await world.keyOf('reporter'))
    const commit = await world.commit(project, { b: 'b' })
    await copy.must(['fetch', 'origin'])
    expect(await copy.must(['rev-parse', 'origin/main'])).toBe(commit)
  })

  it('clones shallow, deepens, and clones without blobs', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    for (const name of ['b', 'c', 'd']) await world.commit(project, { [name]: name })
    const key = await world.keyOf('reporter')
    const copy = await world.cloneOverSsh(project, key, ['--depth=1'])
    expect(await copy.must(['rev-list', '--count', 'HEAD'])).toBe('1')
    await copy.must(['fetch', '--deepen=1'])
    expect(await copy.must(['rev-list', '--count', 'HEAD'])).toBe('2')
    const partial = await world.cloneOverSsh(project, key, ['--filter=blob:none', '--no-checkout'])
    expect(await partial.must(['rev-list', '--objects', '--missing=print', 'HEAD'])).toMatch(/^\?/m)
  })

  it.each([
    [0, 'version=1', ''],
    [2, 'version=2', 'ls-refs'],
  ])('speaks protocol v%i when asked to', async (version, asked, capability) => {
    const project = await world.newProject({ files: { a: 'a' } })
    const key = await world.keyOf('reporter')
    const copy = await world.beginOverSsh(project, key)
    const config = { 'protocol.version': String(version) }
    const env = { GIT_TRACE_PACKET: '1' }
    const { status, stderr } = await copy.run(['fetch', 'origin'], { config, env })
    expect(status).toBe(0)
    if (version === 2) expect(stderr).toMatch(/fetch< version 2/)
    else expect(stderr).not.toMatch(/fetch< version 2/)
    const client = await world.connect(key)
    const spoken = await speak(client, `git-upload-pack '${project.full_path}'`, {
      env: { GIT_PROTOCOL: asked },
      stdin: Buffer.from('0000'),
    })
    expect(spoken).toMatchObject({ status: 0, stdout: expect.stringContaining(capability) })
    client.end()
  })

  it('makes an archive of a branch', async () => {
    const project = await world.newProject({ files: { 'a.txt': 'hello' } })
    const env = world.env(await world.keyOf('reporter'))
    const remote = `--remote=${world.sshUrl(project)}`
    const result = await runRealGit(['archive', remote, '--format=tar', 'main'], { env })
    expect([result.status, result.stderr]).toEqual([0, ''])
    expect(result.stdout).toMatch(/a\.txt[\s\S]*hello/)
    const refused = await runRealGit(['archive', remote, 'main'], {
      env: world.env(await world.keyOf('guest')),
    })
    expect(refused.stderr).toContain(boxed(noFetch))
  })

  it('is told so while too much is under way', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const { turns } = world.app.git.git
    const { running_of_one_max, waiting_of_one_max } = limits.git_turns.archive
    const gone = new AbortController()
    const take = () =>
      runAsWork({ holder: `user:${world.users.reporter.id}`, name: 'a test' }, () =>
        turns.take('archive', gone.signal),
      )
    const held = await Promise.all(Array.from({ length: running_of_one_max }, take))
    const waiting = Array.from({ length: waiting_of_one_max }, take)
    const remote = `--remote=${world.sshUrl(project)}`
    const ask = async (who: 'reporter' | 'developer') =>
      runRealGit(['archive', remote, 'main'], { env: world.env(await world.keyOf(who)) })
    expect((await ask('reporter')).stderr).toContain(
      boxed('The server is busy. Please try again later.'),
    )
    expect((await ask('developer')).status).toBe(0)
    gone.abort(new Error('gone'))
    await Promise.allSettled(waiting)
    for (const end of held) end()
    expect((await ask('reporter')).status).toBe(0)
  })

  it('finds a project by its path in other letters, without .git and with a leading ~', async () => {
    const { full_path } = world.projects.open
    const env = world.env(await world.keyOf('outsider'))
    const address = `ssh://git@127.0.0.1:${world.sshPort}`
    for (const path of [`${full_path.toUpperCase()}.git`, full_path, `~/${full_path}.git`]) {
      const { stdout } = await runRealGit(['ls-remote', `${address}/${path}`], { env })
      expect([path, stdout]).toEqual([path, expect.stringContaining('refs/heads/main')])
    }
  })
})

describe('who may fetch', () => {
  it.each([
    ['outsider', 'open', ''],
    ['outsider', 'inside', ''],
    ['outsider', 'shut', hidden],
    ['guest', 'open', ''],
    ['guest', 'shut', noFetch],
    ['reporter', 'shut', ''],
    ['admin', 'shut', ''],
  ] as const)('%s of the %s project reads "%s"', async (who, place, text) => {
    const { status, stdout, stderr } = await listRefs(world.projects[place], who)
    if (text === '') {
      expect([status, stdout]).toEqual([0, expect.stringContaining('refs/heads/main')])
    } else {
      expect([status, stdout]).toEqual([128, ''])
      expect(stderr).toContain(boxed(text))
      expect(stderr).toContain('fatal: Could not read from remote repository.')
    }
  })

  it('cannot tell a project that does not exist from one that is hidden', async () => {
    const absent = await listRefs({ full_path: 'no/such' }, 'outsider')
    expect(absent).toEqual(await listRefs(world.projects.shut, 'outsider'))
    const odd = ['../../../etc/passwd', 'a%2fb', 'group', `${world.projects.shut.full_path}/..`]
    for (const full_path of odd) expect(await listRefs({ full_path }, 'outsider')).toEqual(absent)
  })
})

describe('pushing', () => {
  it('pushes commits, tags and deletions, and the first branch becomes the default', async () => {
    const project = await world.newProject()
    const copy = await world.beginOverSsh(project, await world.keyOf('owner'))
    const commit = await copy.commit({ a: 'a' })
    await copy.must(['push', 'origin', 'HEAD:trunk', 'HEAD:topic', 'HEAD:refs/tags/v1'])
    expect(await world.refs(project)).toEqual({
      'refs/heads/trunk': commit,
      'refs/heads/topic': commit,
      'refs/tags/v1': commit,
    })
    const { default_branch } = (await world.as('owner').get(`/projects/${project.id}`)).json()
    expect(default_branch).toBe('trunk')
    await copy.must(['push', 'origin', ':topic'])
    const again = await copy.run(['push', 'origin', 'HEAD:trunk'])
    expect([again.status, again.stderr]).toEqual([0, 'Everything up-to-date\n'])
    // A commit the server has, under a new name: a pack without objects.
    await copy.must(['push', 'origin', 'HEAD~0:refs/heads/same'])
    expect(Object.keys(await world.refs(project)).sort()).toEqual([
      'refs/heads/same',
      'refs/heads/trunk',
      'refs/tags/v1',
    ])
    expect(world.leftovers(project)).toEqual([])
  })

  it.each([
    ['guest', 'shut', noFetch],
    ['reporter', 'shut', noPush],
    ['outsider', 'open', noPush],
    ['outsider', 'shut', hidden],
  ] as const)('is refused to %s of the %s project', async (who, place, text) => {
    const project = world.projects[place]
    const before = await world.refs(project)
    const copy = await world.beginOverSsh(project, await world.keyOf(who))
    await copy.commit()
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:new'])
    expect([status, stderr]).toEqual([128, expect.stringContaining(boxed(text))])
    expect(await world.refs(project)).toEqual(before)
  })

  it('is refused to an archived project, which may be fetched', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.cloneOverSsh(project, await world.keyOf('owner'))
    await world.app.db
      .updateTable('projects')
      .set({ archived: true })
      .where('id', '=', project.id)
      .execute()
    await copy.must(['fetch', 'origin'])
    await copy.commit()
    const { stderr } = await copy.run(['push', 'origin', 'HEAD:new'])
    expect(stderr).toContain(boxed(noPush))
  })

  const forced = 'You are not allowed to force push code to a protected branch on this project.'
  const noProtected = 'You are not allowed to push code to protected branches on this project.'
  const noCreate = 'You are not allowed to create protected branches on this project.'
  it.each([
    ['developer', 'HEAD:main', noProtected],
    ['maintainer', '+HEAD~2:main', forced],
    ['developer', 'HEAD:stable-1', noCreate],
    [
      'developer',
      ':stable-0',
      'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
    ],
    ['maintainer', ':stable-0', 'You can only delete protected branches using the web interface.'],
    ['owner', ':main', 'The default branch of a project cannot be deleted.'],
    [
      'owner',
      `HEAD:refs/heads/${'a'.repeat(40)}`,
      'You cannot create a branch with a 40-character hexadecimal branch name.',
    ],
  ] as const)('%s of %s is told why', async (who, refspec, text) => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' })
    const copy = await world.cloneOverSsh(project, await world.keyOf(who))
    const admin = world.env(await world.keyOf('admin'))
    await copy.must(['push', 'origin', 'HEAD:refs/heads/stable-0', 'HEAD:refs/tags/v1'], {
      env: admin,
    })
    const rule = { name: 'stable-*' }
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, rule)
    const before = await world.refs(project)
    await copy.commit()
    const { status, stderr } = await copy.run(['push', 'origin', refspec])
    expect([status, stderr]).toEqual([1, expect.stringContaining(`remote: GitLab: ${text}`)])
    expect(stderr).toContain('(pre-receive hook declined)')
    expect(await world.refs(project)).toEqual(before)
    expect(world.leftovers(project)).toEqual([])
  })

  it('tells a Developer who may begin an empty repository', async () => {
    const project = await world.newProject({ branch: 'trunk' })
    const copy = await world.beginOverSsh(project, await world.keyOf('developer'))
    await copy.commit()
    const { stderr } = await copy.run(['push', 'origin', 'HEAD:trunk'])
    expect(stderr).toContain(
      `remote: GitLab: A default branch (e.g. trunk) does not yet exist for ${project.full_path}`,
    )
    expect(stderr).toContain(`remote:   ${world.url}/${project.full_path}/-/project_members`)
  })

  it('refuses an incomplete atomic push whole, and takes push options', async () => {
    const { project, copy } = await (async () => {
      const made = await world.newProject({ files: { a: 'a' } })
      return { project: made, copy: await world.cloneOverSsh(made, await world.keyOf('owner')) }
    })()
    await copy.commit()
    const atomic = await copy.run([
      'push',
      '--atomic',
      'origin',
      'HEAD:new',
      'HEAD:refs/pipelines/1',
    ])
    expect([atomic.status, Object.keys(await world.refs(project))]).toEqual([
      1,
      ['refs/heads/main'],
    ])
    await copy.must(['push', '-o', 'ci.skip', 'origin', 'HEAD:new'])
  })

  it('tells the new address of a project that was renamed', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.cloneOverSsh(project, await world.keyOf('owner'))
    const path = `${project.path}-moved`
    await world.as('owner').put(`/projects/${project.id}`, { path })
    await copy.must(['fetch', 'origin'])
    await copy.commit()
    const { status, stderr } = await copy.run(['push', 'origin', 'HEAD:new'])
    const now = project.full_path.replace(/[^/]+$/, path)
    expect(status).toBe(0)
    expect(stderr).toContain(`remote: Project '${project.full_path}' was moved to '${now}'.`)
    expect(stderr).toContain(
      `remote:   git remote set-url origin ssh://git@127.0.0.1:${world.app.config.sshPort}/${now}.git`,
    )
  })
})
