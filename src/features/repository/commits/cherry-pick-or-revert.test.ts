import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runRealGit } from '../../../../test/kit/git.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Kind = 'cherry_pick' | 'revert'
const kinds: readonly Kind[] = ['cherry_pick', 'revert']

const git = async (project: Project, args: string[], stdin?: string | Buffer) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString()
}
const revision = async (project: Project, name: string) =>
  (await git(project, ['rev-parse', name])).trim()
const objects = async (project: Project) => git(project, ['count-objects'])
const urlOf = (project: Project, sha: string, kind: Kind) =>
  `/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}/${kind}`
const post = (project: Project, sha: string, kind: Kind, body: object) =>
  world.as('maintainer').post(urlOf(project, sha, kind), body)

const lines = (...changes: [number, string][]) => {
  const all = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  for (const [at, text] of changes) all[at] = text
  return `${all.join('\n')}\n`
}

/**
 * `main` has a file changed since `topic` left; `topic` changes another part of it, moves a file, and
 * then has a merge; `clash` changes the same part as main.
 */
async function newProject(): Promise<Project> {
  const project = await world.newProject()
  const commit = (branch: string, mark: number, message: string, rest: string) =>
    `commit refs/heads/${branch}\nmark :${mark}\nauthor Ann <ann@x.test> ${1_600_000_000 + mark} +0530\ncommitter Carl <carl@x.test> 1600000100 +0000\ndata ${message.length}\n${message}\n${rest}`
  const put = (path: string, content: string, mode = '100644') =>
    `M ${mode} inline ${path}\ndata ${content.length}\n${content}\n`
  const stream = [
    commit('main', 1, 'Root\n', put('a', lines()) + put('dir/b', 'b\n') + put('run', 'r\n')),
    commit('main', 2, 'On main', `from :1\n${put('a', lines([2, 'main']))}`),
    commit(
      'topic',
      3,
      'Topic\n\nBody.\n',
      `from :1\n${put('a', lines([17, 'topic']))}R dir/b moved\n${put('run', 'r\n', '100755')}${put('new', 'n\n')}`,
    ),
    commit('clash', 4, 'Clash', `from :1\n${put('a', lines([2, 'clash']))}`),
    commit('side', 5, 'Side', `from :1\n${put('side', 's\n')}`),
    commit('merged', 6, 'Merge side', `from :3\nmerge :5\n${put('side', 's\n')}`),
    commit('nothing', 7, 'Nothing', 'from :2\n'),
  ].join('')
  await git(project, ['fast-import', '--quiet'], stream)
  return project
}

/** The tree that git makes of it in a clone with a working copy; undefined when it conflicts. */
async function treeByGit(project: Project, kind: Kind, sha: string, extra: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-pick-'))
  try {
    const source = projectRepository(world.app.config, project).path
    await runRealGit(['clone', '--quiet', source, folder])
    const settings = ['-c', 'user.name=x', '-c', 'user.email=x@x.test']
    const command = kind === 'revert' ? ['revert', '--no-edit'] : ['cherry-pick']
    const done = await runRealGit([...settings, ...command, ...extra, sha], { cwd: folder })
    if (done.status !== 0) return undefined
    return (await runRealGit(['rev-parse', 'HEAD^{tree}'], { cwd: folder })).stdout.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const texts = {
  cherry_pick:
    'Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, or a more recent commit may have updated some of its content.',
  revert:
    'Sorry, we cannot revert this commit automatically. This commit may already have been reverted, or a more recent commit may have updated some of its content.',
}
const refused = { message: '403 Forbidden - You are not allowed to push into this branch' }

describe.each(kinds)('POST /projects/:id/repository/commits/:sha/%s', (kind) => {
  it.each([
    ['anonymous', 'open', 401, { message: '401 Unauthorized' }],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'open', 403, refused],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 403, refused],
    ['developer', 'shut', 403, refused],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    // Who may not push is told so before the commit and the branch are looked for.
    const url = urlOf(world.projects[place], 'none', kind)
    const answer = await world.as(who).post(url, { branch: 'main' })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it.each([
    ['main', {}, 400, { error: 'branch is missing' }],
    ['main', { branch: ' ' }, 400, { error: 'branch is empty' }],
    ['main', { branch: 'main', dry_run: 'x' }, 400, { error: 'dry_run is invalid' }],
    ['none', { branch: 'none' }, 404, { message: '404 Commit Not Found' }],
    ['main', { branch: 'a..b' }, 400, { message: 'The branch refname is invalid' }],
    ['main', { branch: '-x' }, 400, { message: 'The branch refname is invalid' }],
    ['main', { branch: 'none' }, 404, { message: '404 Branch Not Found' }],
  ])('answers %s with %j with %i', async (sha, body, status, expected) => {
    const answer = await post(world.projects.shut, sha, kind, body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })
})

describe('POST /projects/:id/repository/commits/:sha/cherry_pick', () => {
  it('makes the commit again with its author, and answers it whole', async () => {
    const project = await newProject()
    const [sha, parent] = [await revision(project, 'topic'), await revision(project, 'main')]
    const expected = await treeByGit(project, 'cherry_pick', sha)
    const answer = await post(project, 'topic', 'cherry_pick', { branch: 'main' })
    expect(answer.statusCode).toBe(201)
    const { maintainer } = world.users
    const { id } = answer.json()
    const message = `Topic\n\nBody.\n\n(cherry picked from commit ${sha})`
    expect(answer.json()).toEqual({
      id: await revision(project, 'main'),
      short_id: id.slice(0, 8),
      created_at: '2026-03-01T12:00:00.000+00:00',
      parent_ids: [parent],
      title: 'Topic',
      message,
      author_name: 'Ann',
      author_email: 'ann@x.test',
      authored_date: '2020-09-13T17:56:43.000+05:30',
      committer_name: maintainer.name,
      committer_email: maintainer.email,
      committed_date: '2026-03-01T12:00:00.000+00:00',
      trailers: {},
      web_url: `http://bloomery.test/${project.full_path}/-/commit/${id}`,
    })
    expect(await revision(project, 'main^{tree}')).toBe(expected)
    expect(await git(project, ['show', 'main:a'])).toBe(lines([2, 'main'], [17, 'topic']))
    // The commits it took to merge are not left behind.
    expect(await git(project, ['fsck', '--full', '--strict', '--unreachable'])).toBe('')
  })

  it('takes a message instead', async () => {
    const project = await newProject()
    const body = { branch: 'main', message: 'Mine\n' }
    const answer = await post(project, 'topic', 'cherry_pick', body)
    expect(answer.json()).toMatchObject({ title: 'Mine', message: 'Mine\n' })
  })

  it('compares a merge with its first parent, and a root with nothing', async () => {
    const project = await newProject()
    const sha = await revision(project, 'merged')
    const expected = await treeByGit(project, 'cherry_pick', sha, ['-m', '1'])
    expect((await post(project, sha, 'cherry_pick', { branch: 'main' })).statusCode).toBe(201)
    expect(await revision(project, 'main^{tree}')).toBe(expected)
    expect(await git(project, ['diff', '--name-only', 'main~1', 'main'])).toBe('side\n')
    await world.commit(project, { a: null, 'dir/b': null, run: null }, { branch: 'clash' })
    const root = await post(project, 'main~2', 'cherry_pick', { branch: 'clash' })
    expect(root.statusCode).toBe(201)
    expect(await revision(project, 'clash^{tree}')).toBe(await revision(project, 'main~2^{tree}'))
  })
})

describe('POST /projects/:id/repository/commits/:sha/revert', () => {
  it('undoes the commit in the name of the caller, and answers it whole', async () => {
    const project = await newProject()
    expect((await post(project, 'topic', 'cherry_pick', { branch: 'main' })).statusCode).toBe(201)
    await world.commit(project, { later: 'l' })
    const [sha, parent] = [await revision(project, 'main~1'), await revision(project, 'main')]
    const expected = await treeByGit(project, 'revert', sha)
    const answer = await post(project, sha, 'revert', { branch: 'main' })
    expect(answer.statusCode).toBe(201)
    const { maintainer } = world.users
    const { id } = answer.json()
    const date = '2026-03-01T12:00:00.000+00:00'
    expect(answer.json()).toEqual({
      id: await revision(project, 'main'),
      short_id: id.slice(0, 8),
      created_at: date,
      parent_ids: [parent],
      title: 'Revert "Topic"',
      message: `Revert "Topic"\n\nThis reverts commit ${sha}`,
      author_name: maintainer.name,
      author_email: maintainer.email,
      authored_date: date,
      committer_name: maintainer.name,
      committer_email: maintainer.email,
      committed_date: date,
      trailers: {},
      web_url: `http://bloomery.test/${project.full_path}/-/commit/${id}`,
    })
    expect(await revision(project, 'main^{tree}')).toBe(expected)
  })

  it('undoes a merge by its first parent, and a root to nothing', async () => {
    const project = await newProject()
    await post(project, 'merged', 'revert', { branch: 'merged' })
    expect(await revision(project, 'merged^{tree}')).toBe(await revision(project, 'topic^{tree}'))
    await git(project, ['branch', 'only-root', 'main~1'])
    const answer = await post(project, 'only-root', 'revert', { branch: 'only-root' })
    expect(answer.statusCode).toBe(201)
    expect(await git(project, ['ls-tree', 'only-root'])).toBe('')
    expect(await git(project, ['fsck', '--full', '--strict'])).toBe('')
  })
})

describe('a cherry-pick or revert that cannot be', () => {
  it.each<[Kind, string, string, 'empty' | 'conflict']>([
    ['cherry_pick', 'clash', 'main', 'conflict'],
    ['cherry_pick', 'main', 'main', 'empty'],
    ['cherry_pick', 'nothing', 'main', 'empty'],
    ['revert', 'topic', 'main', 'empty'],
    ['revert', 'clash', 'main', 'conflict'],
    ['revert', 'side', 'topic', 'empty'],
  ])('%s of %s on %s is told as %s, in a dry run too', async (kind, sha, branch, error_code) => {
    const project = await newProject()
    const before = await git(project, ['for-each-ref'])
    const stored = await objects(project)
    for (const dry_run of [true, false]) {
      const answer = await post(project, sha, kind, { branch, dry_run })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ message: texts[kind], error_code })
      // A trial stores nothing at all.
      if (dry_run) expect(await objects(project)).toBe(stored)
    }
    expect(await git(project, ['for-each-ref'])).toBe(before)
  })
})

describe('a dry run', () => {
  it.each<[Kind, string]>([
    ['cherry_pick', 'topic'],
    ['revert', 'main'],
  ])('of %s tells success and changes nothing', async (kind, sha) => {
    const project = await newProject()
    const [before, stored] = [await git(project, ['for-each-ref']), await objects(project)]
    const answer = await post(project, sha, kind, { branch: 'main', dry_run: true })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ dry_run: 'success' })
    expect(await git(project, ['for-each-ref'])).toBe(before)
    expect(await objects(project)).toBe(stored)
  })
})

describe('several at once', () => {
  it('on one branch all arrive, one after the other', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) {
      await world.commit(project, { [name]: name }, { branch: name, start_branch: 'main' })
    }
    const answers = await Promise.all(
      names.map((name) => post(project, name, 'cherry_pick', { branch: 'main' })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(await git(project, ['ls-tree', '--name-only', 'main'])).toBe(
      'a\nfour\none\nthree\ntwo\n',
    )
    expect((await git(project, ['rev-list', '--count', 'main'])).trim()).toBe('5')
  })
})
