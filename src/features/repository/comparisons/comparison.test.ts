import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
let project: Project
let base: string
let oids: Record<string, string>
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject()
  base = await world.commit(project, { a: 'one\n', b: 'b\n' })
  const start = { branch: 'topic/x', ref: base }
  await world.as('owner').post(`/projects/${project.id}/repository/branches`, start)
  const onMain = await world.commit(project, { 'on main': 'm\n' })
  const first = await world.commit(project, { 'ä+%': '1\n' }, { branch: 'topic/x' })
  const second = await world.commit(project, { b: null }, { branch: 'topic/x', message: 'Drop b' })
  const alone = (await git(['commit-tree', `${base}^{tree}`, '-m', 'alone'])).trim()
  await git(['update-ref', 'refs/heads/alone', alone])
  oids = { onMain, first, second, alone }
})

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@x.test',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@x.test',
}
const git = async (args: string[]) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, env: identity })).toString()
}
const urlOf = (where: Project, query: Record<string, string>) =>
  `/projects/${where.id}/repository/compare?${new URLSearchParams(query)}`
const get = (query: Record<string, string>) => world.as('reporter').get(urlOf(project, query))
const paths = (body: { diffs: { new_path: string }[] }) =>
  body.diffs.map(({ new_path }) => new_path).sort()

describe('GET /projects/:id/repository/compare', () => {
  it('compares with a fork, without anything of it coming into the other', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client } = await world.newUser()
    const made = await client.post(`/projects/${upstream.id}/fork`)
    const fork: Project = made.json()
    const actions = [{ action: 'create', file_path: 'new', content: 'n\n' }]
    const body = { branch: 'main', commit_message: 'In the fork', actions }
    const commit = (await client.post(`/projects/${fork.id}/repository/commits`, body)).json()
    await world.commit(upstream, { later: 'l\n' })
    const query = { from: 'main', to: 'main', from_project_id: String(upstream.id) }
    const answer = await client.get(urlOf(fork, query))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      commit: { id: commit.id },
      commits: [{ title: 'In the fork' }],
      diffs: [{ new_path: 'new' }],
      compare_same_ref: false,
    })
    const straight = await client.get(urlOf(fork, { ...query, straight: 'true' }))
    expect(paths(straight.json())).toEqual(['later', 'new'])
    const again = await client.get(urlOf(fork, query))
    expect(again.json()).toEqual(answer.json())
    const unseen = await world
      .as('admin')
      .get(`/projects/${upstream.id}/repository/commits/${commit.id}`)
    expect(unseen.statusCode).toBe(404)
    await client.put(`/projects/${fork.id}`, { visibility: 'private' })
    for (const [who, where, other] of [
      [client, fork, world.projects.shut],
      [client, fork, world.projects.inside],
      [world.as('guest'), upstream, fork],
      [client, fork, { id: 999_999 }],
    ] as const) {
      const refused = await who.get(urlOf(where, { ...query, from_project_id: String(other.id) }))
      const message = `Target project id:${other.id} is not a fork of project id:${where.id}`
      expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
    }
  })

  it('takes a project of no fork network for a relative of itself alone', async () => {
    const [one, other] = [await world.newProject({ files: { a: 'a' } }), await world.newProject()]
    const compare = async ({ id }: Project) => {
      const query = { from: 'main', to: 'main', from_project_id: String(id) }
      return (await world.as('reporter').get(urlOf(one, query))).statusCode
    }
    expect([await compare(one), await compare(other)]).toEqual([200, 400])
  })

  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const query = { from: 'main', to: 'main' }
    const answer = await world.as(who).get(urlOf(world.projects[place], query))
    expect(answer.statusCode).toBe(status)
  })

  it('tells what a branch changed since it left another', async () => {
    const answer = await get({ from: 'main', to: 'topic/x' })
    const shown = async (sha: string | undefined) => {
      const url = `/projects/${project.id}/repository/commits/${sha}?stats=false`
      const { status, project_id, last_pipeline, ...commit } = (
        await world.as('reporter').get(url)
      ).json()
      expect([status, project_id, last_pipeline]).toEqual([null, project.id, null])
      return commit
    }
    const [first, second] = await Promise.all([shown(oids.first), shown(oids.second)])
    const log = await git(['log', '--reverse', '--format=%H', 'main..topic/x'])
    expect(log.trim().split('\n')).toEqual([oids.first, oids.second])
    expect(answer.json()).toEqual({
      commit: second,
      commits: [first, second],
      diffs: [
        {
          old_path: 'b',
          new_path: 'b',
          a_mode: '100644',
          b_mode: '0',
          new_file: false,
          renamed_file: false,
          deleted_file: true,
          diff: '@@ -1 +0,0 @@\n-b\n',
        },
        {
          old_path: 'ä+%',
          new_path: 'ä+%',
          a_mode: '0',
          b_mode: '100644',
          new_file: true,
          renamed_file: false,
          deleted_file: false,
          diff: '@@ -0,0 +1 @@\n+1\n',
        },
      ],
      compare_timeout: false,
      compare_same_ref: false,
      web_url: `http://bloomery.test/${project.full_path}/-/compare/${base}...${oids.second}`,
    })
  })

  it('compares the trees as they are with straight', async () => {
    const answer = (await get({ from: 'main', to: 'topic/x', straight: 'true' })).json()
    const expected = await git(['diff', '-z', '--name-only', 'main', 'topic/x'])
    expect(paths(answer)).toEqual(expected.split('\0').filter(Boolean).sort())
    expect(paths(answer)).toContain('on main')
    expect(answer.commits).toHaveLength(2)
    expect(answer.web_url).toContain(`/${oids.onMain}...${oids.second}`)
  })

  it('compares histories that have nothing in common', async () => {
    const answer = (await get({ from: 'topic/x', to: 'alone' })).json()
    expect(answer.commits).toMatchObject([{ id: oids.alone }])
    expect(paths(answer)).toEqual(['b', 'ä+%'])
  })

  it.each([
    ['main', 'main', true],
    ['main', 'HEAD', true],
    ['topic/x', 'topic/x~1', false],
  ])('has no commits from %s to %s', async (from, to, same) => {
    expect((await get({ from, to })).json()).toMatchObject({
      commit: null,
      commits: [],
      diffs: [],
      compare_timeout: false,
      compare_same_ref: same,
    })
  })

  it('says where the list of files is cut', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    const files = Object.fromEntries(
      Array.from({ length: limits.diff_files_max + 1 }, (_, at) => [`f${at}`, '']),
    )
    await world.commit(where, files, { branch: 'wide', start_branch: 'main' })
    const answer = await world.as('reporter').get(urlOf(where, { from: 'main', to: 'wide' }))
    expect(answer.json().diffs).toHaveLength(limits.diff_files_max)
    expect(answer.json().compare_timeout).toBe(true)
  })

  it.each<readonly [Record<string, string>, number, object]>([
    [{}, 400, { error: 'from is missing, to is missing' }],
    [{ from: 'main', to: 'x', straight: 'y?' }, 400, { error: 'straight is invalid' }],
    [{ from: 'nothing', to: 'main' }, 404, { message: '404 Ref Not Found' }],
    [{ from: 'main', to: 'nothing' }, 404, { message: '404 Ref Not Found' }],
    [{ from: '--all', to: 'main' }, 404, { message: '404 Ref Not Found' }],
    [{ from: '', to: 'main' }, 404, { message: '404 Ref Not Found' }],
  ])('answers %j with %i', async (query, status, body) => {
    const answer = await get(query)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('starts no process once warm', async () => {
    const ask = () => get({ from: 'main', to: 'topic/x' })
    await ask()
    expect(await world.app.count(ask)).toEqual({ queries: 2, processes: 0 })
  })
})

describe('GET /projects/:id/repository/merge_base', () => {
  const baseUrl = (where: Project, refs: string[]) =>
    `/projects/${where.id}/repository/merge_base?${new URLSearchParams(refs.map((ref) => ['refs[]', ref]))}`
  const ask = (refs: string[]) => world.as('reporter').get(baseUrl(project, refs))

  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(baseUrl(world.projects[place], ['main', 'main']))
    expect(answer.statusCode).toBe(status)
  })

  it.each([
    [['main', 'topic/x']],
    [['topic/x', 'main', 'topic/x~1']],
    [['main', 'main']],
    [['main', 'main~1']],
  ])('answers what git merge-base %j does', async (refs) => {
    const expected = (await git(['merge-base', ...refs])).trim()
    const answer = await ask(refs)
    const url = `/projects/${project.id}/repository/commits?ref_name=${expected}&per_page=1`
    const [commit] = (await world.as('reporter').get(url)).json()
    expect(answer.json()).toEqual(commit)
    expect(answer.json().id).toBe(expected)
  })

  it('takes names separated by commas', async () => {
    const url = `/projects/${project.id}/repository/merge_base?refs=main,topic/x`
    expect((await world.as('reporter').get(url)).json().id).toBe(base)
  })

  it.each<readonly [string[], number, object]>([
    [[], 400, { error: 'refs is missing' }],
    [['main'], 400, { message: 'Provide at least 2 refs' }],
    [['main', 'x'], 400, { message: 'Could not find ref: x' }],
    [['-x', 'main', 'y'], 400, { message: 'Could not find refs: -x, y' }],
    [['main', 'alone'], 404, { message: '404 Merge Base Not Found' }],
  ])('answers %j with %i', async (refs, status, body) => {
    const answer = await ask(refs)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('starts no process once warm', async () => {
    await ask(['main', 'topic/x'])
    expect(await world.app.count(() => ask(['main', 'topic/x']))).toEqual({
      queries: 2,
      processes: 0,
    })
  })
})
