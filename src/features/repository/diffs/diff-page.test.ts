import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Entry = {
  old_path: string
  new_path: string
  diff?: string
  added_lines: number | null
  removed_lines: number | null
  collapsed: boolean
  too_large: boolean
}

const start = { start: 'start\n' }

type Files = Record<string, string | Buffer>

/** A project of two commits: the files of the first and those of the second. */
const newPair = async (before: Files, after: Files) => {
  const where = await world.newProject({ files: before })
  const actions = [
    ...Object.keys(before)
      .filter((path) => !(path in after))
      .map((file_path) => ({ action: 'delete', file_path })),
    ...Object.entries(after).map(([file_path, content]) => ({
      action: file_path in before ? 'update' : 'create',
      file_path,
      content: Buffer.from(content).toString('base64'),
      encoding: 'base64',
    })),
  ]
  const body = { branch: 'main', commit_message: 'second', actions }
  const url = `/projects/${where.id}/repository/commits`
  expect((await world.as('owner').post(url, body)).statusCode).toBe(201)
  return where
}

const ask = (where: Project, query: Record<string, string>) => {
  const url = `/projects/${where.id}/repository/compare/diffs?${new URLSearchParams(query)}`
  return world.as('reporter').get(url)
}
const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('')
const file = {
  a_mode: '100644',
  b_mode: '100644',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  generated_file: false,
  collapsed: false,
  too_large: false,
}
const git = async (where: Project, args: string[]) => {
  const repository = projectRepository(world.app.config, where)
  return (await runGit(world.app.git.git, repository, { args })).toString()
}
const printed = async (where: Project, path: string, ...options: string[]) => {
  const text = await git(where, ['diff', '-M', ...options, 'main~1', 'main', '--', path])
  return text.slice(text.indexOf('\n@@') + 1)
}

describe('GET /projects/:id/repository/compare/diffs', () => {
  it.each([
    ['anonymous', 'open', 200, []],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 200, []],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const url = `/projects/${world.projects[place].id}/repository/compare/diffs?from=main&to=main`
    const answer = await world.as(who).get(url)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it.each<readonly [Record<string, string>, number, object]>([
    [{}, 400, { error: 'from is missing, to is missing' }],
    [
      { from: 'main', to: 'main', whitespace: 'x' },
      400,
      { error: 'whitespace does not have a valid value' },
    ],
    [{ from: 'main', to: 'main', text: 'x' }, 400, { error: 'text is invalid' }],
    [{ from: 'nothing', to: 'main' }, 404, { message: '404 Ref Not Found' }],
  ])('answers %j with %i', async (query, status, body) => {
    const answer = await ask(world.projects.shut, query)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('tells each file with its figures, as git counts and prints them', async () => {
    const before = { a: lines(9), 'old/b': lines(20, 'b'), bin: Buffer.from([0, 1]), gone: 'x\n' }
    const where = await newPair(before, {
      a: lines(9).replace('line 4', 'line four'),
      'new/b': `${lines(20, 'b')}more\n`,
      bin: Buffer.from([0, 2]),
      'x/package-lock.json': '{}\n',
    })
    const query = { from: 'main~1', to: 'main' }
    const answer = await ask(where, query)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      [
        {
          ...file,
          old_path: 'a',
          new_path: 'a',
          diff: await printed(where, 'a'),
          added_lines: 1,
          removed_lines: 1,
        },
        {
          ...file,
          old_path: 'bin',
          new_path: 'bin',
          diff: 'Binary files a/bin and b/bin differ\n',
          added_lines: null,
          removed_lines: null,
        },
        {
          ...file,
          old_path: 'gone',
          new_path: 'gone',
          b_mode: '0',
          deleted_file: true,
          diff: '@@ -1 +0,0 @@\n-x\n',
          added_lines: 0,
          removed_lines: 1,
        },
        {
          ...file,
          old_path: 'old/b',
          new_path: 'new/b',
          renamed_file: true,
          diff: '@@ -18,3 +18,4 @@ b 16\n b 17\n b 18\n b 19\n+more\n',
          added_lines: 1,
          removed_lines: 0,
        },
        {
          ...file,
          old_path: 'x/package-lock.json',
          new_path: 'x/package-lock.json',
          a_mode: '0',
          new_file: true,
          generated_file: true,
          diff: '@@ -0,0 +1 @@\n+{}\n',
          added_lines: 1,
          removed_lines: 0,
        },
      ],
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '5', 'x-next-page': '' })
    const figures = answer.json().map(({ diff: _, ...entry }: Entry) => entry)
    expect((await ask(where, { ...query, text: 'false' })).json()).toEqual(figures)
    const third = await ask(where, { ...query, per_page: '1', page: '4' })
    expect(third.json()).toEqual([answer.json()[3]])
    expect(third.headers).toMatchObject({ 'x-total': '5', 'x-next-page': '5' })
  })

  it('tells odd names as a whole diff does, and takes none for a pattern', async () => {
    const after = { 'ä "q"\t*': 'q\n', '-x': 'x\n', '[a]': 'b\n' }
    const where = await newPair({ '[a]': 'a\n', a: 'a\n' }, { ...after, a: 'c\n' })
    const whole = (
      await world.as('reporter').get(`/projects/${where.id}/repository/commits/main/diff`)
    ).json()
    const paged: Entry[] = (await ask(where, { from: 'main~1', to: 'main' })).json()
    const known = ({ old_path, new_path, diff }: Entry) => ({ old_path, new_path, diff })
    expect(whole.length).toBe(4)
    expect(paged.map(known)).toEqual(whole.map(known))
  })

  it('leaves out changes of white space where they are ignored', async () => {
    const before = { a: 'a b\nc\n', w: 'x y\n' }
    const where = await newPair(before, { a: 'a  b\nd\n', w: 'x\ty \n' })
    const query = { from: 'main~1', to: 'main', whitespace: 'ignore' }
    const brief = ({ new_path, diff, added_lines, removed_lines, collapsed }: Entry) => [
      new_path,
      diff,
      added_lines,
      removed_lines,
      collapsed,
    ]
    expect((await ask(where, query)).json().map(brief)).toEqual([
      ['a', '@@ -1,2 +1,2 @@\n a  b\n-c\n+d\n', 1, 1, false],
      ['w', '', 0, 0, false],
    ])
    expect(
      (await ask(where, { ...query, whitespace: 'show' })).json().map(brief)[1].slice(2),
    ).toEqual([1, 1, false])
  })

  it('tells a diff of nothing but white space as one without changes', async () => {
    const where = await newPair({ w: 'x y\n' }, { w: 'x  y\n' })
    const query = { from: 'main~1', to: 'main', whitespace: 'ignore' }
    expect((await ask(where, query)).json()).toEqual([
      { ...file, old_path: 'w', new_path: 'w', diff: '', added_lines: 0, removed_lines: 0 },
    ])
  })

  it('heeds linguist-generated at the top of the newer commit', async () => {
    const before = { '.gitattributes': 'out/** linguist-generated' }
    const where = await newPair(before, { ...before, 'out/a': 'a\n', b: 'b\n' })
    const entries = (await ask(where, { from: 'main~1', to: 'main' })).json()
    expect(entries.map((entry: { generated_file: boolean }) => entry.generated_file)).toEqual([
      false,
      true,
    ])
  })

  it('tells a diff of 100,000 lines whole, page by page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1200 }, (_, at) => [`d/${1000 + at}`, lines(84, `file ${at}`)]),
    )
    const where = await newPair(start, { ...start, ...files })
    const query = { from: 'main~1', to: 'main', per_page: '100' }
    const found: Entry[] = []
    for (let page = '1'; page !== ''; ) {
      const answer = await ask(where, { ...query, page })
      found.push(...answer.json())
      page = String(answer.headers['x-next-page'])
    }
    const added = found.map(({ diff = '' }) => diff.split('\n+').length - 1)
    expect([found.length, added.reduce((sum, count) => sum + count)]).toEqual([1200, 100_800])
    expect(found.every(({ added_lines, collapsed }) => added_lines === 84 && !collapsed)).toBe(true)
  }, 60_000)

  it('leaves a long change out until it is asked for, and says so', async () => {
    const where = await newPair(start, {
      ...start,
      long: lines(100_000, 'a long line'),
      short: 's\n',
    })
    const query = { from: 'main~1', to: 'main' }
    const brief = async (more: Record<string, string>) => {
      const entries: Entry[] = (await ask(where, { ...query, ...more })).json()
      return entries.map(({ diff, added_lines, collapsed, too_large }) => [
        diff?.length,
        added_lines,
        collapsed,
        too_large,
      ])
    }
    const short = ['@@ -0,0 +1 @@\n+s\n'.length, 1, false, false]
    expect(await brief({})).toEqual([[0, 100_000, true, false], short])
    expect(await brief({ text: 'false' })).toEqual([
      [undefined, 100_000, true, false],
      [undefined, 1, false, false],
    ])
    const length = '@@ -0,0 +1,100000 @@\n'.length + lines(100_000, '+a long line').length
    expect(await brief({ expanded: 'true', per_page: '1' })).toEqual([
      [length, 100_000, false, false],
    ])
  })

  it('says what is too large to be told at all', async () => {
    const where = await newPair(start, { ...start, huge: `${'x'.repeat(99)}\n`.repeat(90_000) })
    const [entry] = (await ask(where, { from: 'main~1', to: 'main', expanded: 'true' })).json()
    expect(entry).toMatchObject({
      diff: '',
      added_lines: 90_000,
      collapsed: false,
      too_large: true,
    })
  })

  it('fills a page with what there is room for, and collapses the rest', async () => {
    const long = `${'y'.repeat(99)}\n`.repeat(30_000)
    const where = await newPair(start, { ...start, a: long, b: `b${long}`, c: `c${long}` })
    const query = { from: 'main~1', to: 'main', expanded: 'true' }
    const entries: Entry[] = (await ask(where, query)).json()
    expect(entries.map(({ collapsed }) => collapsed)).toEqual([false, false, true])
    const [last] = (await ask(where, { ...query, per_page: '1', page: '3' })).json()
    expect([last.collapsed, last.diff.length > 3_000_000]).toEqual([false, true])
  })

  it('compares with a fork', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client } = await world.newUser()
    const fork: Project = (await client.post(`/projects/${upstream.id}/fork`)).json()
    const actions = [{ action: 'create', file_path: 'new', content: 'n\n' }]
    const body = { branch: 'main', commit_message: 'In the fork', actions }
    await client.post(`/projects/${fork.id}/repository/commits`, body)
    const url = `/projects/${fork.id}/repository/compare/diffs?from=main&to=main&from_project_id=`
    const answer = await client.get(`${url}${upstream.id}`)
    expect(answer.json()).toMatchObject([{ new_path: 'new', added_lines: 1 }])
    const hidden = await client.get(`${url}${world.projects.shut.id}`)
    expect(hidden.statusCode).toBe(400)
  })

  it('counts from the common ancestor unless told otherwise, and starts no process once warm', async () => {
    const where = await world.newProject({ files: { a: 'a\n' } })
    await world
      .as('owner')
      .post(`/projects/${where.id}/repository/branches`, { branch: 'topic', ref: 'main' })
    await world.commit(where, { 'on main': 'm\n' })
    await world.commit(where, { 'on topic': 't\n' }, { branch: 'topic' })
    const paths = async (query: object) =>
      (await ask(where, { from: 'main', to: 'topic', ...query }))
        .json()
        .map(({ new_path }: Entry) => new_path)
    expect(await paths({})).toEqual(['on topic'])
    expect(await paths({ straight: 'true' })).toEqual(['on main', 'on topic'])
    expect(await world.app.count(() => paths({}))).toEqual({ queries: 2, processes: 0 })
    expect(await world.app.count(() => paths({ text: 'false' }))).toEqual({
      queries: 2,
      processes: 0,
    })
  })
})

describe('GET /projects/:id/repository/commits/:sha/diff', () => {
  it('tells figures only to who asks for them', async () => {
    const where = await newPair({ a: 'a\n' }, { a: 'b\n' })
    const url = `/projects/${where.id}/repository/commits/main/diff`
    const common = { old_path: 'a', new_path: 'a', a_mode: '100644', b_mode: '100644' }
    const flags = { new_file: false, renamed_file: false, deleted_file: false }
    const known = { ...common, ...flags, diff: '@@ -1 +1 @@\n-a\n+b\n' }
    const get = async (query: string) => (await world.as('reporter').get(`${url}${query}`)).json()
    expect(await get('')).toEqual([known])
    const figures = {
      added_lines: 1,
      removed_lines: 1,
      generated_file: false,
      collapsed: false,
      too_large: false,
    }
    expect(await get('?text=true')).toEqual([{ ...known, ...figures }])
    expect(await get('?text=false')).toEqual([{ ...common, ...flags, ...figures }])
    expect(await get('?expanded=true&whitespace=show')).toEqual([{ ...known, ...figures }])
  })

  it('counts everything of a first commit as added', async () => {
    const where = await world.newProject({ files: { a: 'a\n' } })
    const url = `/projects/${where.id}/repository/commits/main/diff?text=false`
    expect((await world.as('reporter').get(url)).json()).toMatchObject([
      { new_path: 'a', new_file: true, added_lines: 1, removed_lines: 0 },
    ])
  })
})
