import { beforeAll, describe, expect, it } from 'vitest'
import { randomBelow } from '../../../../test/kit/random.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urlOf = (project: Project) => `/projects/${project.id}/repository/commits`
const git = async (project: Project, ...args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args })).toString()
}
const body = (...actions: object[]) => ({
  branch: 'main',
  commit_message: 'Change things',
  actions,
})

describe('POST /projects/:id/repository/commits', () => {
  const create = { action: 'create', file_path: 'new', content: 'n' }

  it.each([
    ['anonymous', 'open', 401, { message: '401 Unauthorized' }],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    [
      'outsider',
      'open',
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    [
      'reporter',
      'shut',
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ],
    [
      'developer',
      'shut',
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, expected) => {
    const answer = await world.as(who).post(urlOf(world.projects[place]), body(create))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('does all five actions in one commit, and answers it whole', async () => {
    const project = await world.newProject({
      files: { keep: 'k', change: 'old\n', gone: 'g\n', 'dir/from': 'f\n', run: 'r' },
    })
    const parent = (await git(project, 'rev-parse', 'main')).trim()
    const answer = await world.as('maintainer').post(
      urlOf(project),
      body(
        { action: 'create', file_path: 'a/b/new', content: 'one\ntwo\n' },
        {
          action: 'update',
          file_path: 'change',
          content: Buffer.from('new\n').toString('base64'),
          encoding: 'base64',
        },
        { action: 'delete', file_path: 'gone' },
        { action: 'move', file_path: 'to', previous_path: 'dir/from' },
        { action: 'chmod', file_path: 'run', execute_filemode: true },
      ),
    )
    expect(answer.statusCode).toBe(201)
    const { maintainer } = world.users
    const { id } = answer.json()
    const date = '2026-03-01T12:00:00.000+00:00'
    expect(answer.json()).toEqual({
      id: (await git(project, 'rev-parse', 'main')).trim(),
      short_id: id.slice(0, 8),
      created_at: date,
      parent_ids: [parent],
      title: 'Change things',
      message: 'Change things',
      author_name: maintainer.name,
      author_email: maintainer.email,
      authored_date: date,
      committer_name: maintainer.name,
      committer_email: maintainer.email,
      committed_date: date,
      trailers: {},
      web_url: `http://bloomery.test/${project.full_path}/-/commit/${id}`,
      stats: { additions: 3, deletions: 2, total: 5 },
      status: null,
      project_id: project.id,
      last_pipeline: null,
    })
    expect(await git(project, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toBe(
      '100644 a/b/new\n100644 change\n100644 keep\n100755 run\n100644 to\n',
    )
    expect(await git(project, 'show', 'main:to')).toBe('f\n')
    expect(await git(project, 'show', 'main:change')).toBe('new\n')
    expect(await git(project, 'fsck', '--full', '--strict')).toBe('')
  })

  it('counts lines as git does, whatever changed', async () => {
    const project = await world.newProject({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } })
    const next = randomBelow(11)
    const words = ['one\n', 'two\n', 'three\r\n', '\n', 'no end', 'a\0b\n']
    const text = () => Array.from({ length: next(6) }, () => words[next(words.length)]).join('')
    for (let step = 0; step < 60; step++) {
      const actions: object[] = [
        { action: 'update', file_path: 'a.txt', content: text() },
        { action: 'update', file_path: 'b.txt', content: text() },
        { action: 'create', file_path: `new-${step}.txt`, content: text() },
      ].slice(next(3))
      // The same path twice, a file that goes, and one that is only run: git counts these.
      if (step % 10 === 3) actions.push({ action: 'update', file_path: 'b.txt', content: text() })
      if (step % 10 === 6) actions.push({ action: 'create', file_path: `x-${step}`, content: '1' })
      if (step % 10 === 7) actions.push({ action: 'delete', file_path: `x-${step - 1}` })
      const chmod = { action: 'chmod', file_path: 'a.txt', execute_filemode: step % 20 === 8 }
      if (step % 10 === 8) actions.push(chmod)
      const answer = await world.as('maintainer').post(urlOf(project), body(...actions))
      expect(answer.statusCode).toBe(201)
      const printed = await git(project, 'diff', '--numstat', '-M', 'main~1', 'main')
      const lines = printed.split('\n').map((line) => line.split('\t'))
      const sum = (at: number) => lines.reduce((all, line) => all + (Number(line[at]) || 0), 0)
      const stats = { additions: sum(0), deletions: sum(1), total: sum(0) + sum(1) }
      expect([step, answer.json().stats]).toEqual([step, stats])
    }
  }, 60_000)

  it('starts no program to write one file, once the repository is being read', async () => {
    const project = await world.newProject({ files: { 'a.txt': 'one\n' } })
    const commit = (content: string) =>
      world
        .as('maintainer')
        .post(urlOf(project), body({ action: 'update', file_path: 'a.txt', content }))
    await commit('two\n')
    const { processes } = await world.app.count(() => commit('three\n'))
    expect(processes).toBe(0)
  })

  it('takes the form of Rack, and leaves stats out when asked', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const form = new URLSearchParams([
      ['branch', 'main'],
      ['commit_message', 'm'],
      ['stats', 'false'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'x'],
      ['actions[][content]', '1'],
      ['actions[][action]', 'create'],
      ['actions[][file_path]', 'y'],
    ]).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await world.as('owner').post(urlOf(project), form, { headers })
    expect(answer.statusCode).toBe(201)
    expect(answer.json().stats).toBeUndefined()
    expect(await git(project, 'ls-tree', '--name-only', 'main')).toBe('a\nx\ny\n')
  })

  it('moves with new content, and keeps the content without', async () => {
    const project = await world.newProject({ files: { a: 'a', b: 'b' } })
    await world
      .as('owner')
      .post(
        urlOf(project),
        body(
          { action: 'move', file_path: 'a2', previous_path: 'a' },
          { action: 'move', file_path: 'b2', previous_path: 'b', content: '' },
        ),
      )
    expect(await git(project, 'show', 'main:a2')).toBe('a')
    expect(await git(project, 'show', 'main:b2')).toBe('')
  })

  it('lets a folder take the place of a file removed in the same commit', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const answer = await world
      .as('owner')
      .post(
        urlOf(project),
        body(
          { action: 'delete', file_path: 'a' },
          { action: 'create', file_path: 'a/b', content: '' },
        ),
      )
    expect(answer.statusCode).toBe(201)
    expect(await git(project, 'ls-tree', '-r', '--name-only', 'main')).toBe('a/b\n')
  })

  it('leaves an empty tree when the last file goes', async () => {
    const project = await world.newProject({ files: { 'd/a': 'a' } })
    await world.as('owner').post(urlOf(project), body({ action: 'delete', file_path: 'd/a' }))
    expect(await git(project, 'ls-tree', '-r', 'main')).toBe('')
    expect(await git(project, 'fsck', '--strict')).toBe('')
  })

  it('keeps names that are no UTF-8, submodules and links of other parts of the tree', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const repository = projectRepository(world.app.config, project)
    const blob = (await git(project, 'rev-parse', 'main:a')).trim()
    const entries = Buffer.concat([
      Buffer.from(`120000 blob ${blob}\tlink\x00100644 blob ${blob}\t`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`\x00160000 commit ${'1'.repeat(40)}\tsub\x00100644 blob ${blob}\ta\0`),
    ])
    const run = (args: string[], stdin?: Buffer) =>
      runGit(world.app.git.git, repository, { args, stdin })
    const tree = (await run(['mktree', '-z', '--missing'], entries)).toString().trim()
    const env = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a',
    }
    const commit = (
      await runGit(world.app.git.git, repository, { args: ['commit-tree', tree, '-m', 'odd'], env })
    )
      .toString()
      .trim()
    await run(['update-ref', 'refs/heads/main', commit])
    const answer = await world
      .as('owner')
      .post(urlOf(project), body({ action: 'update', file_path: 'a', content: 'z' }))
    expect(answer.statusCode).toBe(201)
    const names = await run(['ls-tree', '-z', '--format=%(objectmode) %(path)', 'main'])
    expect(names.includes(Buffer.from([0xff, 0xfe]))).toBe(true)
    expect(names.toString('latin1')).toContain('120000 link')
    expect(names.toString('latin1')).toContain('160000 sub')
  })

  it.each([
    [{}, { error: 'branch is missing, commit_message is missing, actions is missing' }],
    [
      { ...body(create), branch: '', commit_message: ' ' },
      { error: 'branch is empty, commit_message is empty' },
    ],
    [body(), { error: 'actions is empty' }],
    [
      body({ file_path: 'x' }),
      { error: 'actions[0][action] is missing, actions[0][action] is empty' },
    ],
    [
      body({ action: 'burn', file_path: 'x' }),
      { error: 'actions[0][action] does not have a valid value' },
    ],
    [
      body(create, { action: 'create' }),
      { error: 'actions[1][file_path] is missing, actions[1][file_path] is empty' },
    ],
    [body({ action: 'update', file_path: 'a' }), { error: 'actions[0][content] is missing' }],
    [body({ action: 'move', file_path: 'x' }), { error: 'actions[0][previous_path] is missing' }],
    [
      body({ action: 'chmod', file_path: 'a' }),
      { error: 'actions[0][execute_filemode] is missing' },
    ],
    [
      { ...body(create), start_branch: 'main', start_sha: 'x' },
      { error: 'start_branch, start_sha are mutually exclusive' },
    ],
    [
      { ...body(create), branch: 'none' },
      { message: 'You can only create or edit files when you are on a branch' },
    ],
    [{ ...body(create), branch: 'new', start_sha: 'abc' }, { message: "Invalid start_sha 'abc'" }],
    [
      { ...body(create), branch: 'new', start_sha: '1'.repeat(40) },
      { message: `Cannot find start_sha '${'1'.repeat(40)}'` },
    ],
    [body({ ...create, file_path: 'a' }), { message: 'A file with this name already exists' }],
    [
      body({ ...create, file_path: 'dir' }),
      { message: 'A directory with this name already exists' },
    ],
    [
      body({ action: 'update', file_path: 'x', content: '' }),
      { message: "A file with this name doesn't exist" },
    ],
    [
      body({ action: 'delete', file_path: 'dir' }),
      { message: "A file with this name doesn't exist" },
    ],
    [
      body({ action: 'move', file_path: 'y', previous_path: 'x' }),
      { message: "A file with this name doesn't exist" },
    ],
    [
      body({ ...create, file_path: '../x' }),
      { message: 'Path cannot include directory traversal' },
    ],
    [body({ ...create, file_path: '/' }), { message: 'You must provide a file path' }],
    [
      body({ ...create, file_path: '.git/hooks/post-receive' }),
      { message: "invalid path: '.git/hooks/post-receive'" },
    ],
    [body({ ...create, content: '!', encoding: 'base64' }), { message: 'invalid base64' }],
    [
      body({ action: 'update', file_path: 'a', content: 'x', last_commit_id: 'old' }),
      { message: 'The file has changed since you started editing it: a' },
    ],
    [
      body({ action: 'move', file_path: 'x', previous_path: 'a', last_commit_id: 'old' }),
      { message: 'The file has changed since you started editing it: a' },
    ],
    [
      body(create, { action: 'delete', file_path: 'absent' }),
      { message: "A file with this name doesn't exist" },
    ],
  ])('answers %j with 400 and leaves the branch as it is', async (given, expected) => {
    const project = await world.newProject({ files: { a: 'a', 'dir/b': 'b' } })
    const before = await git(project, 'for-each-ref')
    const answer = await world.as('owner').post(urlOf(project), given)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
    expect(await git(project, 'for-each-ref')).toBe(before)
  })

  it('takes texts that are empty as if they were not sent', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const none = { start_branch: '', start_project: '', author_name: '', author_email: '' }
    const answer = await world.as('maintainer').post(`/projects/${project.id}/repository/commits`, {
      ...none,
      branch: 'main',
      commit_message: 'x',
      actions: [{ action: 'update', file_path: 'a', content: 'b', last_commit_id: '' }],
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json().author_email).toBe(world.users.maintainer.email)
  })

  it('begins a branch at another branch or commit, and replaces one by force', async () => {
    const project = await world.newProject()
    const first = await world.commit(project, { a: 'a' })
    const second = await world.commit(project, { b: 'b' })
    const post = async (fields: object) => {
      const answer = await world.as('owner').post(urlOf(project), { ...body(create), ...fields })
      return [answer.statusCode, answer.json().parent_ids ?? answer.json()]
    }
    expect(await post({ branch: 'one', start_branch: 'main' })).toEqual([201, [second]])
    expect(await post({ branch: 'two', start_sha: first })).toEqual([201, [first]])
    const exists = {
      message:
        "A branch called 'two' already exists. Switch to that branch in order to make changes",
    }
    expect(await post({ branch: 'two', start_branch: 'main' })).toEqual([400, exists])
    expect(await post({ branch: 'two', start_sha: second })).toEqual([400, exists])
    expect(await post({ branch: 'two', start_branch: 'main', force: true })).toEqual([
      201,
      [second],
    ])
  })

  it('leaves nothing of a protected branch behind by force, unless a rule allows it', async () => {
    const project = await world.newProject()
    const first = await world.commit(project, { a: 'a' })
    const second = await world.commit(project, { b: 'b' })
    const admin = world.as('admin')
    const rules = `/projects/${project.id}/protected_branches`
    const post = async (who: 'maintainer' | 'admin', fields: object) => {
      const given = { ...body(create), ...fields, force: true }
      const answer = await world.as(who).post(urlOf(project), given)
      return [answer.statusCode, answer.json().parent_ids ?? answer.json()]
    }
    const refused = {
      message: 'You are not allowed to force push code to a protected branch on this project.',
    }
    for (const who of ['maintainer', 'admin'] as const) {
      expect(await post(who, { branch: 'main', start_sha: first })).toEqual([400, refused])
    }
    expect((await git(project, 'rev-parse', 'main')).trim()).toBe(second)
    // What goes on from the branch is no force, wherever it starts.
    expect(await post('maintainer', { branch: 'main', start_sha: second })).toEqual([201, [second]])
    expect((await admin.patch(`${rules}/main`, { allow_force_push: true })).statusCode).toBe(200)
    expect(await post('maintainer', { branch: 'main', start_sha: first })).toEqual([201, [first]])
  })

  it('makes the first branch of an empty repository', async () => {
    const project = await world.newProject()
    const answer = await world.as('maintainer').post(urlOf(project), body(create))
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      parent_ids: [],
      stats: { additions: 1, deletions: 0, total: 1 },
    })
  })
})
