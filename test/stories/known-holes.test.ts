// The classes of holes other forges have shipped, one test a class: requests that were the attack.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertPersonalToken } from '../../src/features/people/tokens/token.ts'
import { type GitWorld, newFolder, newGitWorld, runRealGit, WorkingCopy } from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

const fileUrl = (id: number, path: string, query = '') =>
  `/projects/${id}/repository/files/${encodeURIComponent(path)}${query}`
const commitBody = (actions: object[], fields: object = {}) => ({
  branch: 'main',
  commit_message: 'x',
  actions,
  ...fields,
})

describe('argument injection', () => {
  const evil = () => {
    const file = join(newFolder(), 'made-by-injection')
    return [
      { file, text: `--output=${file}` },
      { file, text: `--exec=touch ${file}` },
      { file, text: `--upload-pack=touch ${file}` },
      { file, text: `-c core.fsmonitor=touch ${file}` },
      { file, text: `$(touch ${file})` },
      { file, text: `\`touch ${file}\`` },
      { file, text: `x; touch ${file}` },
      { file, text: `ext::sh -c touch% ${file}` },
      { file, text: `main\n--output=${file}` },
    ]
  }

  it('through ref, branch, start_branch and start_sha does nothing', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const owner = world.as('owner')
    for (const { file, text } of evil()) {
      const ref = encodeURIComponent(text)
      const answers = [
        await owner.get(fileUrl(project.id, 'a', `?ref=${ref}`)),
        await owner.get(fileUrl(project.id, 'a/raw', `?ref=${ref}`)),
        await owner.get(`/projects/${project.id}/repository/files/a/raw?ref=${ref}`),
        await owner.get(`/projects/${project.id}/repository/files/a/blame?ref=${ref}`),
      ]
      const action = { action: 'create', file_path: 'b', content: 'b' }
      for (const fields of [
        { branch: text },
        { branch: 'new', start_branch: text },
        { branch: 'new', start_sha: text },
      ]) {
        const url = `/projects/${project.id}/repository/commits`
        answers.push(await owner.post(url, commitBody([action], fields)))
      }
      for (const { statusCode } of answers) expect([400, 404]).toContain(statusCode)
      expect(existsSync(file)).toBe(false)
    }
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })

  it('through file paths, names and messages makes plain files of them', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const owner = world.as('owner')
    for (const { file, text } of evil()) {
      const path = text.replaceAll('/', '_')
      const answer = await owner.post(fileUrl(project.id, path), {
        branch: 'main',
        content: 'x',
        commit_message: text,
        author_name: text,
        author_email: `${text}@x`,
      })
      expect([path, answer.statusCode]).toEqual([path, 201])
      const raw = await owner.get(`${fileUrl(project.id, path)}/raw?ref=main`)
      expect([path, raw.statusCode]).toEqual([path, 200])
      expect((await owner.get(`${fileUrl(project.id, path)}/blame?ref=main`)).statusCode).toBe(200)
      expect(existsSync(file)).toBe(false)
    }
    const path = world.repository(project)
    expect((await runRealGit(['fsck', '--full'], { env: { GIT_DIR: path } })).status).toBe(0)
  })

  it('through the names of pushed references does nothing', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const copy = await world.clone(project)
    for (const name of ['-x', '--all', '--exec=x', 'x/-x', '$(id)', '`id`', '|id', ';id', "'"]) {
      const { status } = await copy.run(['push', '--quiet', 'origin', `HEAD:refs/heads/${name}`])
      expect([name, status]).toEqual([name, name.startsWith('-') ? 1 : 0])
      if (status === 0) await copy.must(['push', '--quiet', 'origin', `:refs/heads/${name}`])
    }
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })

  it('through the protocol header is ignored', async () => {
    const { full_path } = world.projects.open
    const url = `${world.url}/${full_path}.git/info/refs?service=git-upload-pack`
    for (const value of ['version=2 GIT_DIR=/etc', '$(id)', 'version=99', 'x'.repeat(5000)]) {
      const answer = await fetch(url, { headers: { 'git-protocol': value } })
      expect([value, answer.status]).toEqual([value, 200])
      expect(await answer.text()).toMatch(/^001e# service=git-upload-pack\n/)
    }
  })
})

describe('path traversal', () => {
  it.each(['../x', 'a/../../x', '..', '/../x', './../x', 'a/..', '..\\..\\x/../y'])(
    'by the path "%s" is refused',
    async (path) => {
      const project = await world.newProject({ files: { a: 'a' } })
      const before = await world.refs(project)
      const answer = await world
        .as('owner')
        .post(
          `/projects/${project.id}/repository/commits`,
          commitBody([{ action: 'create', file_path: path, content: 'x' }]),
        )
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: 'Path cannot include directory traversal' },
      ])
      expect(await world.refs(project)).toEqual(before)
    },
  )
})

describe('a write to .git', () => {
  it.each([
    '.git/config',
    '.GIT/config',
    '.Git/hooks/post-receive',
    'sub/.git/config',
    'git~1/config',
    'GIT~1',
    '.g\u200cit/config',
    '.git\ufeff/config',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    '.git\\config',
    'a\\.git\\config',
    './x',
    'a//b',
  ])('by the path "%s" is refused in every action', async (path) => {
    const project = await world.newProject({ files: { a: 'a' } })
    const before = await world.refs(project)
    const owner = world.as('owner')
    const url = `/projects/${project.id}/repository/commits`
    for (const action of [
      { action: 'create', file_path: path, content: 'x' },
      { action: 'move', file_path: path, previous_path: 'a' },
    ]) {
      const answer = await owner.post(url, commitBody([action]))
      expect([action.action, answer.statusCode]).toEqual([action.action, 400])
    }
    const body = { branch: 'main', content: 'x', commit_message: 'x' }
    expect((await owner.post(fileUrl(project.id, path), body)).statusCode).toBe(400)
    expect(await world.refs(project)).toEqual(before)
  })
})

describe('a symlink in the repository', () => {
  it('is never followed: not by a write, not by a read', async () => {
    const project = await world.newProject()
    const outside = newFolder()
    const copy = await world.begin(project)
    for (const [name, target] of [
      ['link', outside],
      ['passwd', '/etc/passwd'],
    ] as const) {
      const blob = await copy.must(['hash-object', '-w', '--stdin'], { stdin: target })
      await copy.must(['update-index', '--add', '--cacheinfo', `120000,${blob},${name}`])
    }
    await copy.must(['commit', '--quiet', '-m', 'Links'])
    await copy.must(['push', '--quiet', 'origin', 'HEAD:main'])
    const owner = world.as('owner')
    const body = { branch: 'main', content: 'x', commit_message: 'x' }
    const through = await owner.post(fileUrl(project.id, 'link/planted'), body)
    expect(through.statusCode).toBe(400)
    expect(existsSync(join(outside, 'planted'))).toBe(false)
    const raw = await owner.get(`${fileUrl(project.id, 'passwd')}/raw?ref=main`)
    expect(raw.body).toBe('/etc/passwd')
    const before = readFileSync('/etc/passwd', 'utf8')
    await owner.put(fileUrl(project.id, 'passwd'), body)
    expect(readFileSync('/etc/passwd', 'utf8')).toBe(before)
  })
})

describe('a token for reading', () => {
  it('neither pushes nor commits', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const before = await world.refs(project)
    const { text } = await insertPersonalToken(world.app.db, world.app.clock.now, {
      user_id: world.users.owner.id,
      name: 'reader',
      scopes: ['read_repository'],
      expires_at: null,
    })
    const copy = new WorkingCopy()
    await copy.must(['init', '--quiet'])
    await copy.must(['fetch', '--quiet', world.remote(project, { password: text }), 'main'])
    const push = ['push', world.remote(project, { password: text }), 'FETCH_HEAD:refs/heads/x']
    const { status, stderr } = await copy.run(push)
    expect([status, stderr]).toEqual([
      128,
      expect.stringContaining('remote: You are not allowed to upload code.'),
    ])
    const body = { branch: 'main', content: 'x', commit_message: 'x' }
    const reader = world.app.client(text)
    expect((await reader.post(fileUrl(project.id, 'b'), body)).statusCode).toBe(403)
    expect(await world.refs(project)).toEqual(before)
  })

  it('posted to git-receive-pack without asking first is refused too', async () => {
    const url = `${world.url}/${world.projects.shut.full_path}.git/git-receive-pack`
    for (const who of ['reporter', 'outsider', 'guest'] as const) {
      const answer = await fetch(url, {
        method: 'POST',
        body: '0000',
        headers: {
          authorization: `Basic ${Buffer.from(`x:${world.token(who)}`).toString('base64')}`,
          'content-type': 'application/x-git-receive-pack-request',
        },
      })
      expect([who, answer.status]).toEqual([who, who === 'outsider' ? 404 : 403])
    }
  })
})

describe('an object of another project', () => {
  it('cannot be fetched by its name', async () => {
    const secret = await world.newProject({ files: { secret: 'a secret' } })
    const oid = (await world.refs(secret))['refs/heads/main'] ?? ''
    const open = world.projects.open
    const copy = new WorkingCopy()
    await copy.must(['init', '--quiet'])
    const { status, stderr } = await copy.run(['fetch', world.remote(open, 'outsider'), oid])
    expect([status, stderr]).toEqual([128, expect.stringMatching(/not our ref/)])
    const raw = await world.as('outsider').get(fileUrl(open.id, 'secret', `?ref=${oid}`))
    expect(raw.statusCode).toBe(404)
  })
})
