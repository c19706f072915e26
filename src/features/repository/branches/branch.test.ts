import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { type Oid, type RefName, tagRef, zeroOid } from '../../../git/names.ts'
import { confirmAlways, updateRefs } from '../../../git/update-refs.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { protectDefaultBranch } from '../protected-branches/protected-branch.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const listUrl = (project: Project, query = '') =>
  `/projects/${project.id}/repository/branches${query}`
const branchUrl = (project: Project, name: string) =>
  listUrl(project, `/${encodeURIComponent(name)}`)
const create = (who: Who, project: Project, body: object) =>
  world.as(who).post(listUrl(project), body)
const namesOf = (answer: { json: () => { name: string }[] }) =>
  answer.json().map(({ name }) => name)

/** A private project with a commit on `main` and further branches at the same commit. */
async function projectWith(...branches: string[]): Promise<Project> {
  const project = await world.newProject({ files: { a: 'a' } })
  for (const branch of branches) {
    const answer = await create('owner', project, { branch, ref: 'main' })
    expect([branch, answer.statusCode]).toEqual([branch, 201])
  }
  return project
}

/** Protects by the levels of `default_branch_protection`: 1 lets Developers push, 3 lets them merge. */
const protect = (project: Project, name: string, protection: 1 | 2 | 3) =>
  protectDefaultBranch(world.app.db, {
    project_id: project.id,
    name,
    protection,
    now: '2026-03-01T12:00:00.000Z',
  })

describe('GET /projects/:id/repository/branches', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'open', 200],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(listUrl(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('sorts by name and answers whole records with totals', async () => {
    const project = await projectWith('z', 'Upper', 'b/c')
    const answer = await world.as('developer').get(listUrl(project))
    expect(namesOf(answer)).toEqual(['Upper', 'b/c', 'main', 'z'])
    expect(answer.headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '1', 'x-page': '1' })
    const url = `http://bloomery.test/${project.full_path}`
    const commit = answer.json()[1].commit
    expect(answer.json()[1]).toEqual({
      name: 'b/c',
      commit: {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        short_id: commit.id.slice(0, 8),
        created_at: '2026-03-01T12:00:00.000+00:00',
        parent_ids: [],
        title: 'Add files',
        message: 'Add files',
        author_name: world.users.owner.name,
        author_email: world.users.owner.email,
        authored_date: '2026-03-01T12:00:00.000+00:00',
        committer_name: world.users.owner.name,
        committer_email: world.users.owner.email,
        committed_date: '2026-03-01T12:00:00.000+00:00',
        trailers: {},
        web_url: `${url}/-/commit/${commit.id}`,
      },
      merged: false,
      protected: false,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      default: false,
      web_url: `${url}/-/tree/b/c`,
    })
    expect(answer.json()[2]).toMatchObject({
      name: 'main',
      merged: false,
      protected: true,
      can_push: false,
      default: true,
    })
  })

  it('answers an empty repository with an empty list', async () => {
    const answer = await world.as('reporter').get(listUrl(await world.newProject()))
    expect(answer.json()).toEqual([])
    expect(answer.headers['x-total']).toBe('0')
  })

  it('tells what is merged: below the tip of the default branch, but not at it', async () => {
    const project = await projectWith('old')
    await world.commit(project, { b: 'b' })
    await create('owner', project, { branch: 'level', ref: 'main' })
    await world.commit(project, { c: 'c' }, { branch: 'ahead', start_branch: 'old' })
    const merged = async () => {
      const shown = (await world.as('reporter').get(listUrl(project))).json()
      return Object.fromEntries(
        shown.map((branch: { name: string; merged: boolean }) => [branch.name, branch.merged]),
      )
    }
    expect(await merged()).toEqual({ main: false, old: true, level: false, ahead: false })
    await world.commit(project, { d: 'd' })
    expect(await merged()).toEqual({ main: false, old: true, level: true, ahead: false })
  })

  it('tells what each rule that matches lets the caller do', async () => {
    const project = await projectWith('dev/a', 'dev/b', 'none')
    await protect(project, 'dev/*', 3)
    await protect(project, 'dev/b', 1)
    const shown = async (who: Who) => {
      const answer = await world.as(who).get(listUrl(project))
      return answer
        .json()
        .map((branch: Record<string, boolean | string>) =>
          [
            branch.name,
            branch.protected && 'protected',
            branch.developers_can_push && 'devs push',
            branch.developers_can_merge && 'devs merge',
            branch.can_push && 'can push',
          ]
            .filter(Boolean)
            .join(', '),
        )
    }
    expect(await shown('developer')).toEqual([
      'dev/a, protected, devs merge',
      'dev/b, protected, devs push, devs merge, can push',
      'main, protected',
      'none, can push',
    ])
    expect(await shown('maintainer')).toEqual([
      'dev/a, protected, devs merge, can push',
      'dev/b, protected, devs push, devs merge, can push',
      'main, protected, can push',
      'none, can push',
    ])
    expect(await shown('reporter')).toEqual([
      'dev/a, protected, devs merge',
      'dev/b, protected, devs push, devs merge',
      'main, protected',
      'none',
    ])
  })

  it.each([
    ['FEAT', ['feat', 'a-feat', 'feat-a', 'my/feature']],
    ['^feat', ['feat', 'feat-a']],
    ['feat$', ['a-feat', 'feat']],
    ['^feat$', ['feat']],
    ['^*feat$', ['a-feat', 'feat']],
    ['f*-a', ['feat-a']],
    ['a*f', ['a-feat']],
    ['a^feat', []],
    ['$feat', []],
    ['.', []],
    ['nothing', []],
  ])('finds by the search %s', async (search, expected) => {
    searched ??= projectWith('feat', 'feat-a', 'a-feat', 'my/feature')
    const query = `?search=${encodeURIComponent(search)}`
    const answer = await world.as('reporter').get(listUrl(await searched, query))
    expect(namesOf(answer)).toEqual(expected)
    expect(answer.headers['x-total']).toBe(String(expected.length))
  })
  it('finds by an expression that takes linear time, and refuses others', async () => {
    const project = await projectWith('feat/1', 'feat/22', 'FIX/3', 'release-4')
    const list = (query: string) => world.as('reporter').get(listUrl(project, query))
    const find = async (regex: string) =>
      namesOf(await list(`?regex=${encodeURIComponent(regex)}&sort=name_asc`))
    expect(await find('^feat/\\d$')).toEqual(['feat/1'])
    expect(await find('^(feat|release)')).toEqual(['feat/1', 'feat/22', 'release-4'])
    expect(await find('^FIX/')).toEqual(['FIX/3'])
    expect(await find('^(a+)+$')).toEqual([])
    for (const regex of ['(', '(a)\\1', '(?=x)', 'a'.repeat(256), '((a{9}){9}){9}']) {
      const answer = await list(`?regex=${encodeURIComponent(regex)}`)
      expect([regex, answer.statusCode, answer.json()]).toEqual([
        regex,
        400,
        { message: 'Regex is invalid' },
      ])
    }
    const both = await list('?search=a&regex=b')
    expect(both.json()).toEqual({ error: 'search, regex are mutually exclusive' })
  })

  let searched: Promise<Project> | undefined

  it('sorts by when the tip was committed', async () => {
    const project = await projectWith('a-first')
    for (const branch of ['c-second', 'b-third']) {
      world.app.clock.advance(60_000)
      await world.commit(project, { [branch]: '' }, { branch, start_branch: 'main' })
    }
    const sorted = async (sort: string) =>
      namesOf(await world.as('reporter').get(listUrl(project, `?sort=${sort}`)))
    expect(await sorted('updated_desc')).toEqual(['b-third', 'c-second', 'a-first', 'main'])
    expect(await sorted('updated_asc')).toEqual(['a-first', 'main', 'c-second', 'b-third'])
    expect(await sorted('name_asc')).toEqual(['a-first', 'b-third', 'c-second', 'main'])
  })

  it.each([
    ['?sort=size', { error: 'sort does not have a valid value' }],
    ['?per_page=0', { error: 'per_page has a value not allowed' }],
    ['?per_page=x', { error: 'per_page is invalid' }],
    ['?pagination=other', { error: 'pagination does not have a valid value' }],
  ])('refuses %s', async (query, body) => {
    const answer = await world.as('reporter').get(listUrl(world.projects.shut, query))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(body)
  })

  it('pages by number and by name', async () => {
    const project = await projectWith('a', 'b', 'c')
    const byNumber = await world.as('reporter').get(listUrl(project, '?per_page=3&page=2'))
    expect(namesOf(byNumber)).toEqual(['main'])
    expect(byNumber.headers).toMatchObject({
      'x-total': '4',
      'x-next-page': '',
      'x-prev-page': '1',
    })

    const seen: string[][] = []
    let url: string | undefined = listUrl(project, '?per_page=2&pagination=keyset')
    while (url) {
      const answer = await world.as('reporter').get(url)
      expect(answer.headers['x-total']).toBeUndefined()
      seen.push(namesOf(answer))
      const next = /^<http:\/\/bloomery\.test([^>]+)>; rel="next"$/
      url = next.exec(String(answer.headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual([
      ['a', 'b'],
      ['c', 'main'],
    ])
  })

  it('goes on after a page token whose branch is gone', async () => {
    const project = await projectWith('a', 'c')
    const url = listUrl(project, '?pagination=keyset&page_token=b')
    expect(namesOf(await world.as('reporter').get(url))).toEqual(['c', 'main'])
  })

  it('starts one process cold and none once warm, however many branches', async () => {
    const project = await projectWith('a', 'b', 'c', 'd')
    await world.commit(project, { b: 'b' })
    const list = () => world.as('reporter').get(listUrl(project))
    await list()
    // The listing of references is kept once they have rested for longer than the clock's grain.
    await world.commit(project, { c: 'c' })
    expect((await world.app.count(list)).processes).toBe(1)
    expect(await world.app.count(list)).toEqual({ queries: 3, processes: 0 })
    const byDate = () => world.as('reporter').get(listUrl(project, '?sort=updated_desc'))
    await byDate()
    expect(await world.app.count(byDate)).toEqual({ queries: 3, processes: 0 })
  })
})

describe('GET /projects/:id/repository/branches/:branch', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(branchUrl(world.projects[place], 'main'))
    expect(answer.statusCode).toBe(status)
  })

  it('answers the record of the list', async () => {
    const project = await projectWith('feature/a.b#c')
    const [inList] = (await world.as('developer').get(listUrl(project))).json()
    const answer = await world.as('developer').get(branchUrl(project, 'feature/a.b#c'))
    expect(answer.json()).toEqual(inList)
    expect(inList.web_url).toMatch(/\/-\/tree\/feature\/a\.b%23c$/)
  })

  it.each([
    ['nothing', 404, { message: '404 Branch Not Found' }],
    ['main/sub', 404, { message: '404 Branch Not Found' }],
    ['branch*', 400, { message: 'The branch refname is invalid' }],
    ['-x', 400, { message: 'The branch refname is invalid' }],
    ['a..b', 400, { message: 'The branch refname is invalid' }],
  ])('answers the name "%s" with %i', async (name, status, body) => {
    const answer = await world.as('reporter').get(branchUrl(world.projects.shut, name))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('does not find a name whose slash is not escaped', async () => {
    const project = await projectWith('a/b')
    const answer = await world.as('reporter').get(listUrl(project, '/a/b'))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: '404 Not Found' })
  })

  it('answers HEAD with 204 or 404', async () => {
    const found = await world.as('reporter').head(branchUrl(world.projects.shut, 'main'))
    expect([found.statusCode, found.body]).toEqual([204, ''])
    const missing = await world.as('reporter').head(branchUrl(world.projects.shut, 'nothing'))
    expect([missing.statusCode, missing.body]).toEqual([404, ''])
  })
})

describe('POST /projects/:id/repository/branches', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['outsider', 'open', 403],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const body = { branch: `by-${who}`, ref: 'main' }
    const answer = await create(who, world.projects[place], body)
    expect(answer.statusCode).toBe(status)
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
    if (status === 401) expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('answers the new branch as GET does', async () => {
    const project = await projectWith()
    const answer = await create('developer', project, { branch: 'topic', ref: 'main' })
    const got = await world.as('developer').get(branchUrl(project, 'topic'))
    expect(answer.json()).toEqual(got.json())
    expect(answer.json()).toMatchObject({ name: 'topic', protected: false, can_push: true })
  })

  it.each<readonly [object, object]>([
    [{}, { error: 'branch is missing, branch is empty, ref is missing, ref is empty' }],
    [{ branch: 'a', ref: '' }, { error: 'ref is empty' }],
    [{ branch: ' ', ref: 'main' }, { error: 'branch is empty' }],
    ...['new design', 'a..b', '-x', 'x.lock', 'HEAD', 'refs/heads/x', '/a', 'a~1', '@{u}'].map(
      (branch) => [{ branch, ref: 'nothing' }, { message: 'Branch name is invalid' }] as const,
    ),
    [{ branch: 'main', ref: 'nothing' }, { message: 'Branch already exists' }],
    ...['foo', '-x', 'a:b', 'main:a'].map(
      (ref) =>
        [
          { branch: 'new', ref },
          { message: `Failed to create branch 'new': invalid reference name '${ref}'` },
        ] as const,
    ),
    [
      { branch: 'main/sub', ref: 'main' },
      {
        message:
          "Failed to create branch 'main/sub': Branch name conflicts with existing branch hierarchy.",
      },
    ],
    ...['', '/a', '-/a'].map(
      (rest) =>
        [
          { branch: `${'a1'.repeat(20)}${rest}`, ref: 'main' },
          { message: 'You cannot create a branch with a 40-character hexadecimal branch name.' },
        ] as const,
    ),
  ])('refuses %j', async (body, expected) => {
    const answer = await create('developer', world.projects.shut, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('starts from a branch, a hash, a short one or HEAD', async () => {
    const project = await projectWith('base')
    const { commit } = (await world.as('owner').get(branchUrl(project, 'base'))).json()
    for (const ref of ['base', commit.id, commit.short_id, 'HEAD', 'refs/heads/base']) {
      const branch = `from-${ref.replaceAll('/', '-')}`
      const answer = await create('developer', project, { branch, ref })
      expect([ref, answer.statusCode]).toEqual([ref, 201])
      expect(answer.json().commit.id).toBe(commit.id)
    }
  })

  it('starts from the branch where a tag has the same name', async () => {
    const project = await projectWith('same')
    const next = await world.commit(project, { b: 'b' })
    const repository = projectRepository(world.app.config, project)
    const update = { name: tagRef('same') as RefName, oldOid: zeroOid, newOid: next as Oid }
    await updateRefs(world.app.git.git, repository, { updates: [update], confirm: confirmAlways })
    const answer = await create('developer', project, { branch: 'new', ref: 'same' })
    expect(answer.json().commit.parent_ids).toEqual([])
    const byTag = await create('developer', project, { branch: 'newer', ref: 'refs/tags/same' })
    expect(byTag.json().commit.id).toBe(next)
  })

  it('lets one of two that come at once win', async () => {
    const project = await projectWith()
    const both = await Promise.all(
      [1, 2].map(() => create('developer', project, { branch: 'same', ref: 'main' })),
    )
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400])
    const refused = both.find(({ statusCode }) => statusCode === 400)
    expect(refused?.json()).toEqual({ message: 'Branch already exists' })
  })

  it('makes no branch above another one, until that is gone', async () => {
    const project = await projectWith('a/b')
    const refused = await create('developer', project, { branch: 'a', ref: 'main' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({
      message: "Failed to create branch 'a': Branch name conflicts with existing branch hierarchy.",
    })
    await world.as('developer').delete(branchUrl(project, 'a/b'))
    expect((await create('developer', project, { branch: 'a', ref: 'main' })).statusCode).toBe(201)
  })

  it('makes one of two branches at once of which one is above the other', async () => {
    const project = await projectWith()
    for (let round = 0; round < 20; round++) {
      const names = [`r${round}`, `r${round}/b`, `r${round}/b/c`]
      const answers = await Promise.all(
        names.map((branch) => create('developer', project, { branch, ref: 'main' })),
      )
      const told = answers.map(({ statusCode, body }) => [statusCode, body])
      const made = answers.findIndex(({ statusCode }) => statusCode === 201)
      const refusals = names.map((name, index) => [
        ...(index === made ? [201, answers[index]?.body] : [400, refusalOf(name)]),
      ])
      expect(told).toEqual(refusals)
    }
  })

  const refusalOf = (name: string) =>
    JSON.stringify({
      message: `Failed to create branch '${name}': Branch name conflicts with existing branch hierarchy.`,
    })

  it('lets two begin an empty repository at once', async () => {
    const project = await world.newProject()
    const both = await Promise.all(
      ['x', 'y'].map((branch) => create('maintainer', project, { branch, ref: 'main' })),
    )
    expect(both.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    const shown = (await world.as('maintainer').get(listUrl(project))).json()
    expect(new Set(shown.map((branch: { commit: { id: string } }) => branch.commit.id)).size).toBe(
      1,
    )
  })

  it('refuses changes to an archived project', async () => {
    const project = await projectWith()
    await world.app.db
      .updateTable('projects')
      .set({ archived: true })
      .where('id', '=', project.id)
      .execute()
    const answer = await create('owner', project, { branch: 'new', ref: 'main' })
    expect(answer.statusCode).toBe(403)
    const [main] = (await world.as('owner').get(listUrl(project))).json()
    expect(main.can_push).toBe(false)
  })

  it('makes a protected branch only for those who may push there', async () => {
    const project = await projectWith()
    await protect(project, 'stable/*', 2)
    const refused = await create('developer', project, { branch: 'stable/1', ref: 'main' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({
      message: 'You are not allowed to create protected branches on this project.',
    })
    const made = await create('maintainer', project, { branch: 'stable/1', ref: 'main' })
    expect(made.json()).toMatchObject({ name: 'stable/1', protected: true })
  })

  it('lets those who may only merge start a protected branch from a protected one', async () => {
    const project = await projectWith()
    await protect(project, 'stable/*', 3)
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const refused = await create('developer', project, { branch: 'stable/1', ref: 'topic' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({
      message:
        'You can only use an existing protected branch ref as the basis of a new protected branch.',
    })
    const made = await create('developer', project, { branch: 'stable/1', ref: 'main' })
    expect(made.statusCode).toBe(201)
  })

  it('begins an empty repository with a readme', async () => {
    const project = await world.newProject()
    const answer = await create('maintainer', project, { branch: 'topic', ref: 'main' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json().commit).toMatchObject({ title: 'Add README.md', parent_ids: [] })
    const branches = (await world.as('maintainer').get(listUrl(project))).json()
    expect(branches).toMatchObject([
      { name: 'main', default: true, protected: true },
      { name: 'topic', default: false, protected: false },
    ])
  })

  it('leaves an empty repository empty when it refuses the name', async () => {
    const project = await world.newProject()
    const answer = await create('maintainer', project, { branch: 'a..b', ref: 'main' })
    expect(answer.json()).toEqual({ message: 'Branch name is invalid' })
    expect((await world.as('maintainer').get(listUrl(project))).json()).toEqual([])
  })

  it('lets nobody begin an empty repository who may not push its default branch', async () => {
    const project = await world.newProject()
    const answer = await create('developer', project, { branch: 'topic', ref: 'main' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message: 'You are not allowed to push into this branch' })
    expect((await world.as('developer').get(listUrl(project))).json()).toEqual([])
  })
})

describe('DELETE /projects/:id/repository/branches/:branch', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 204],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const name = `of-${who}`
    await create('owner', world.projects[place], { branch: name, ref: 'main' })
    const answer = await world.as(who).delete(branchUrl(world.projects[place], name))
    expect(answer.statusCode).toBe(status)
    const after = await world.as('owner').get(branchUrl(world.projects[place], name))
    expect(after.statusCode).toBe(status === 204 ? 404 : 200)
    if (status === 204) expect(answer.body).toBe('')
  })

  it.each([
    ['nothing', 404, { message: '404 Branch Not Found' }],
    ['a*', 400, { message: 'The branch refname is invalid' }],
    ['main', 400, { message: 'The default branch of a project cannot be deleted.' }],
  ])('answers the name "%s" with %i', async (name, status, body) => {
    const answer = await world.as('maintainer').delete(branchUrl(world.projects.shut, name))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('leaves protected branches to Maintainers', async () => {
    const project = await projectWith('stable/1')
    await protect(project, 'stable/*', 1)
    const refused = await world.as('developer').delete(branchUrl(project, 'stable/1'))
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({
      message:
        'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
    })
    const done = await world.as('maintainer').delete(branchUrl(project, 'stable/1'))
    expect(done.statusCode).toBe(204)
  })

  it('keeps what was committed after If-Unmodified-Since', async () => {
    const project = await projectWith('topic')
    const remove = (since: string) =>
      world.as('developer').delete(branchUrl(project, 'topic'), undefined, {
        headers: { 'if-unmodified-since': since },
      })
    const refused = await remove('Sat, 28 Feb 2026 12:00:00 GMT')
    expect(refused.statusCode).toBe(412)
    expect(refused.json()).toEqual({ message: '412 Precondition Failed' })
    const done = await remove(world.app.clock.now().toUTCString())
    expect(done.statusCode).toBe(204)
  })
})

describe('DELETE /projects/:id/repository/merged_branches', () => {
  const url = (project: Project) => `/projects/${project.id}/repository/merged_branches`

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 202],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).delete(url(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 202) expect(answer.json()).toEqual({ message: '202 Accepted' })
  })

  it('deletes what is merged, later, and nothing else', async () => {
    const project = await projectWith('merged', 'also/merged', 'stable/1', 'fixed')
    await protect(project, 'stable/*', 1)
    await protect(project, 'fixed', 1)
    await world.commit(project, { b: 'b' })
    await world.commit(project, { c: 'c' }, { branch: 'ahead', start_branch: 'merged' })
    await create('owner', project, { branch: 'level', ref: 'main' })
    await world.as('developer').delete(url(project))
    const names = async () => namesOf(await world.as('developer').get(listUrl(project)))
    expect(await names()).toHaveLength(7)
    await world.app.worker.drain()
    expect(await names()).toEqual(['ahead', 'fixed', 'level', 'main', 'stable/1'])
    await world.as('developer').delete(url(project))
    await world.app.worker.drain()
    expect(await names()).toHaveLength(5)
  })

  it('does nothing to an empty repository', async () => {
    const project = await world.newProject()
    expect((await world.as('maintainer').delete(url(project))).statusCode).toBe(202)
    await world.app.worker.drain()
    expect((await world.as('maintainer').get(listUrl(project))).json()).toEqual([])
  })
})
