import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { makeTable } from '../../../../tools/language-table.ts'
import { runGit } from '../../../git/command.ts'
import type { Oid } from '../../../git/names.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { maintainProjectTask } from '../maintenance/maintenance.tasks.ts'
import { listLanguages, replaceLanguages } from './language.store.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urlOf = ({ id }: Project) => `/projects/${id}/languages`
const shown = async (project: Project) => (await world.as('reporter').get(urlOf(project))).json()
const of = async (files: Record<string, string>) => shown(await world.newProject({ files }))
const git = async (project: Project, args: string[], stdin?: string) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
}

describe('GET /projects/:id/languages', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(status === 200 ? {} : { message: '404 Project Not Found' })
  })

  it('tells the share of each in bytes, the largest first, with two decimals', async () => {
    const project = await world.newProject({
      files: { 'a.css': 'x'.repeat(77), 'src/a.ts': 'x'.repeat(600), 'src/b.TSX': 'x'.repeat(323) },
    })
    const answer = await world.as('reporter').get(urlOf(project))
    expect(answer.body).toBe('{"TypeScript":92.3,"CSS":7.7}')
    expect(await of({ 'a.py': 'aa', 'a.rb': 'b' })).toEqual({ Python: 66.67, Ruby: 33.33 })
  })

  it('answers an empty repository with nothing', async () => {
    expect(await shown(await world.newProject())).toEqual({})
  })

  it.each<readonly [string, Record<string, string>, object]>([
    [
      'data and prose',
      { 'a.json': 'x', 'a.yml': 'x', 'a.md': 'x', 'a.sql': 'x', 'a.go': 'x' },
      { Go: 100 },
    ],
    [
      'what was vendored',
      { 'node_modules/a/b.js': 'x', 'vendor/a.rb': 'x', 'x/third_party/a.c': 'x', 'a.min.js': 'x' },
      {},
    ],
    [
      'what was generated',
      { 'a.pb.go': 'x', 'a_pb2.py': 'x', 'x/__generated__/a.ts': 'x', 'go.sum': 'x' },
      {},
    ],
    ['documentation', { 'docs/a.js': 'x', 'examples/a.py': 'x', 'x/javadoc/a.java': 'x' }, {}],
    ['empty files', { 'a.py': '' }, {}],
    ['names it does not know', { a: 'x', 'a.nothing': 'x', 'constructor.__proto__': 'x' }, {}],
  ])('does not count %s', async (_, files, expected) => {
    expect(await of(files)).toEqual(expected)
  })

  it.each<readonly [string, Record<string, string>, object]>([
    ['whole names', { Makefile: 'x', 'x/Dockerfile': 'x' }, { Dockerfile: 50, Makefile: 50 }],
    ['the longest extension', { 'a.html.erb': 'x' }, { HTML: 100 }],
    [
      'the likeliest of several',
      { 'a.rs': 'x', 'a.pl': 'x', 'a.m': 'x', 'a.v': 'x' },
      { 'Objective-C': 25, Perl: 25, Rust: 25, Verilog: 25 },
    ],
    ['headers of C', { 'a.h': 'x', 'a.c': 'xxx' }, { C: 100 }],
    ['headers of C++', { 'a.h': 'x', 'a.cpp': 'xxx' }, { 'C++': 100 }],
    ['headers of Objective-C', { 'a.h': 'x', 'a.m': 'xxx' }, { 'Objective-C': 100 }],
  ])('knows %s', async (_, files, expected) => {
    expect(await of(files)).toEqual(expected)
  })

  it('looks into scripts, and at neither links nor submodules', async () => {
    const project = await world.newProject({ files: { README: 'r' } })
    const from = await git(project, ['rev-parse', 'main'])
    const file = (mode: string, name: string, text: string) =>
      `M ${mode} inline ${name}\ndata ${text.length}\n${text}\n`
    const stream = [
      'commit refs/heads/main\ncommitter C <c@x.test> 1700000000 +0000\ndata 1\nm\n',
      `from ${from}\n`,
      file('100755', 'bin/one', '#!/usr/bin/env -S python3 -u\n'),
      file('100755', 'bin/two', '#! /bin/bash\n################'),
      file('100755', 'bin/three', 'no program'),
      file('100644', 'bin/four', '#!/usr/bin/ruby\n'),
      file('120000', 'link.c', 'a'),
      `M 160000 ${from} module.go\n`,
    ]
    await git(project, ['fast-import', '--quiet'], stream.join(''))
    expect(Object.keys(await shown(project)).sort()).toEqual(['Python', 'Shell'])
  })

  it('heeds .gitattributes', async () => {
    const files = {
      '.gitattributes': [
        '*.foo linguist-language=Java',
        'vendor/** -linguist-vendored',
        'mine/*.py linguist-generated=true',
        '/top.rb linguist-documentation',
        '*.css linguist-detectable=false',
        '*.bar linguist-language=Common-Lisp # and more',
      ].join('\n'),
      'a.foo': 'x',
      'vendor/a.go': 'x',
      'mine/a.py': 'x',
      'mine/deeper/a.py': 'x',
      'top.rb': 'x',
      'x/top.rb': 'x',
      'a.css': 'x',
      'a.bar': 'x',
    }
    expect(await of(files)).toEqual({ 'Common Lisp': 20, Go: 20, Java: 20, Python: 20, Ruby: 20 })
  })

  it('counts once for a tip, and anew when it moves', async () => {
    const project = await world.newProject({ files: { 'a.py': 'x' } })
    const ask = () => shown(project)
    expect(await ask()).toEqual({ Python: 100 })
    expect(await world.app.count(ask)).toEqual({ queries: 4, processes: 0 })
    await world.commit(project, { 'a.py': null, 'b.rb': 'x' })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers).toEqual([{ Ruby: 100 }, { Ruby: 100 }, { Ruby: 100 }])
    // Another project keeps what was counted for it.
    await shown(await world.newProject({ files: { 'c.go': 'x' } }))
    expect(await ask()).toEqual({ Ruby: 100 })
  })

  it('is counted after a push, before anybody asks', async () => {
    const { app } = world
    const project = await world.newProject({ files: { 'a.py': 'x' } })
    const tools = { db: app.db, git: app.git, clock: app.clock.now, config: app.config }
    await maintainProjectTask.run(tools, { project_id: project.id })
    expect(await listLanguages(app.db, project.id)).toEqual([{ name: 'Python', bytes: 1 }])
    expect((await app.count(() => shown(project))).processes).toBe(0)
  })

  it('keeps one whole count of two made at once', async () => {
    const { db } = world.app
    const project = await world.newProject()
    const count = (commit_id: string, names: string[]) =>
      replaceLanguages(db, {
        project_id: project.id,
        commit_id,
        bytes: new Map(names.map((name) => [name, 1])),
      })
    const counts = [1, 2, 3, 4].flatMap((at) => [
      count(`a${at}`, ['A', 'Both']),
      count(`b${at}`, ['B', 'Both']),
    ])
    await Promise.all(counts)
    const names = (await listLanguages(db, project.id)).map(({ name }) => name)
    expect([
      ['A', 'Both'],
      ['B', 'Both'],
    ]).toContainEqual(names)
  })

  it('is empty for a commit of very many files', async () => {
    const project = await world.newProject({ files: { 'a.py': 'x' } })
    let tree = await git(project, ['rev-parse', 'main^{tree}'])
    // 400 folders of 400 files each, made of three objects.
    const wide = async (mode: string, type: string, oid: string, name: string) => {
      const lines = Array.from({ length: 400 }, (_, at) => `${mode} ${type} ${oid}\t${at}${name}`)
      return git(project, ['mktree'], `${lines.join('\n')}\n`)
    }
    tree = await wide('100644', 'blob', await git(project, ['rev-parse', 'main:a.py']), '.py')
    tree = await wide('040000', 'tree', tree, '')
    expect(400 * 400).toBeGreaterThan(limits.language_files_max)
    const commit = await git(
      project,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      `tree ${tree}\nauthor A <a@x.test> 1 +0000\ncommitter A <a@x.test> 1 +0000\n\nm\n`,
    )
    await git(project, ['update-ref', 'refs/heads/main', commit as Oid])
    expect(await shown(project)).toEqual({})
  })
})

describe('language-table.json', () => {
  it('is what tools/language-table.ts makes of the package', () => {
    const path = join(import.meta.dirname, 'language-table.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(makeTable())
  })
})
