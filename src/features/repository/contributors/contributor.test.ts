import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject()
  const authors = [
    ...Array(3).fill('Ann <ann@x.test>'),
    ...Array(2).fill('Zoë Ü. <b@x.test>'),
    'Old Name <c@x.test>',
    'New Name <c@x.test>',
    'Solo <-d@x.test>',
  ]
  const commits = authors.map(
    (author, at) =>
      `commit refs/heads/main\nauthor ${author} ${1_700_000_000 + at} +0000\n` +
      `committer C <committer@x.test> ${1_700_000_000 + at} +0000\ndata 1\nm\n`,
  )
  await git(['fast-import', '--quiet'], commits.join(''))
})

const git = async (args: string[], stdin?: string) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString()
}
const urlOf = (where: Project, query = '') =>
  `/projects/${where.id}/repository/contributors${query}`
const get = (query = '') => world.as('reporter').get(urlOf(project, query))
const emails = async (query: string) =>
  (await get(query)).json().map(({ email }: { email: string }) => email)

describe('GET /projects/:id/repository/contributors', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.projects[place]))
    expect(answer.statusCode).toBe(status)
  })

  it('counts as git shortlog does, by address and under the newest name', async () => {
    const answer = await get('?order_by=email')
    const figures = { additions: 0, deletions: 0 }
    expect(answer.json()).toEqual([
      { name: 'Solo', email: '-d@x.test', commits: 1, ...figures },
      { name: 'Ann', email: 'ann@x.test', commits: 3, ...figures },
      { name: 'Zoë Ü.', email: 'b@x.test', commits: 2, ...figures },
      { name: 'New Name', email: 'c@x.test', commits: 2, ...figures },
    ])
    expect(answer.headers['x-total']).toBe('4')
    const counted = new Map<string, number>()
    for (const line of (await git(['shortlog', '-sne', 'HEAD'])).trim().split('\n')) {
      const [, count, email = ''] = /^\s*(\d+)\t.*<(.*)>$/.exec(line) ?? []
      counted.set(email, (counted.get(email) ?? 0) + Number(count))
    }
    const shown = answer
      .json()
      .map(({ email, commits }: { email: string; commits: number }) => [email, commits])
    expect(new Map(shown)).toEqual(counted)
  })

  it('sorts by commits, name or address, either way, and pages', async () => {
    expect(await emails('')).toEqual(['-d@x.test', 'b@x.test', 'c@x.test', 'ann@x.test'])
    const down = ['ann@x.test', 'c@x.test', 'b@x.test', '-d@x.test']
    expect(await emails('?order_by=commits&sort=desc')).toEqual(down)
    expect(await emails('?order_by=name')).toEqual([
      'ann@x.test',
      'c@x.test',
      '-d@x.test',
      'b@x.test',
    ])
    expect(await emails('?order_by=email&sort=desc&per_page=2&page=2')).toEqual([
      'ann@x.test',
      '-d@x.test',
    ])
  })

  it.each([
    ['?order_by=size', { error: 'order_by does not have a valid value' }],
    ['?sort=up', { error: 'sort does not have a valid value' }],
  ])('refuses %s', async (query, body) => {
    const answer = await get(query)
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })

  it('answers an empty repository with an empty list', async () => {
    const answer = await world.as('reporter').get(urlOf(await world.newProject()))
    expect(answer.json()).toEqual([])
  })

  it('counts a tip once', async () => {
    await get()
    expect(await world.app.count(() => get('?order_by=name'))).toEqual({
      queries: 2,
      processes: 0,
    })
  })
})
