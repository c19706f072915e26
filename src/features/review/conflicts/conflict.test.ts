import { beforeAll, describe, expect, it } from 'vitest'
import { newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Files = Record<string, string | Buffer | null>

const lines = (...texts: string[]) => `${texts.join('\n')}\n`

/** A merge request whose source has `ours` where the target has `theirs`, both from `base`. */
async function open({
  base = { list: lines('one', 'two', 'three') },
  ours = { list: lines('one', 'TWO', 'three') },
  theirs = { list: lines('one', 'zwei', 'three') },
}: {
  base?: Record<string, string | Buffer>
  ours?: Files
  theirs?: Files
} = {}) {
  const project = await world.newProject({ files: base })
  const commit = async (branch: string, files: Files, more: object = {}) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({
      action: content === null ? 'delete' : file_path in base ? 'update' : 'create',
      file_path,
      content: Buffer.from(content ?? '').toString('base64'),
      encoding: 'base64',
    }))
    const made = await world.as('owner').post(`/projects/${project.id}/repository/commits`, {
      branch,
      commit_message: `Change ${branch}`,
      actions,
      ...more,
    })
    return made.json().id as string
  }
  const source = await commit('topic', ours, { start_branch: 'main' })
  const place = { project, url: `/projects/${project.id}/merge_requests` }
  const { iid } = await newRequest(world, place)
  const target = await commit('main', theirs)
  const one = `${place.url}/${iid}`
  const url = `${one}/conflicts`
  const fileAt = async (path: string, ref: string) =>
    (
      await world
        .as('owner')
        .get(`/projects/${place.project.id}/repository/files/${path}/raw?ref=${ref}`)
    ).body
  return { ...place, one, url, target, source, fileAt }
}

const answerOf = ({ statusCode, json }: { statusCode: number; json: () => unknown }) => [
  statusCode,
  json(),
]
const none = { id: null, text: null, ours: null, theirs: null }

describe('Conflicts of a merge request', () => {
  it('are what both sides changed, by sections', async () => {
    const { url, source, target } = await open()
    const read = await world.as('developer').get(url)
    expect([read.statusCode, read.json()]).toEqual([
      200,
      {
        source_branch: 'topic',
        target_branch: 'main',
        source_sha: source,
        target_sha: target,
        commit_message: "Merge branch 'main' into 'topic'\n\n# Conflicts:\n#   list\n",
        resolvable: true,
        files: [
          {
            path: 'list',
            reason: null,
            content: lines(
              'one',
              `<<<<<<< ${source}`,
              'TWO',
              '=======',
              'zwei',
              `>>>>>>> ${target}`,
              'three',
            ),
            sections: [
              { ...none, text: 'one\n' },
              { ...none, id: '0', ours: 'TWO\n', theirs: 'zwei\n' },
              { ...none, text: 'three\n' },
            ],
          },
        ],
      },
    ])
  })

  it('are resolved by one commit that merges the target, and the request can be merged', async () => {
    const { url, one, project, source, target, fileAt } = await open({
      base: { list: lines('one', 'two', 'three'), other: 'o\n', whole: 'w\n' },
      ours: { list: lines('one', 'TWO', 'three'), whole: 'ours\n' },
      theirs: { list: lines('one', 'zwei', 'three'), other: 'O\n', whole: 'theirs\n' },
    })
    const client = world.as('developer')
    const heads = { source_sha: source, target_sha: target }
    const made = await client.post(url, {
      ...heads,
      commit_message: 'Agree',
      files: [
        { path: 'list', sections: [{ id: '0', use: 'theirs' }] },
        { path: 'whole', content: 'both\n' },
      ],
    })
    expect(answerOf(made)).toEqual([201, { commit_id: expect.stringMatching(/^[0-9a-f]{40}$/) }])
    const { commit_id } = made.json()
    const commit = await client.get(`/projects/${project.id}/repository/commits/${commit_id}`)
    expect(commit.json()).toMatchObject({
      parent_ids: [source, target],
      message: 'Agree',
      author_name: world.users.developer.name,
    })
    expect(await fileAt('list', 'topic')).toBe(lines('one', 'zwei', 'three'))
    expect(await fileAt('whole', 'topic')).toBe('both\n')
    expect(await fileAt('other', 'topic')).toBe('O\n')
    expect(await fileAt('list', 'main')).toBe(lines('one', 'zwei', 'three'))
    expect((await client.get(one)).json()).toMatchObject({
      sha: commit_id,
      has_conflicts: false,
      merge_status: 'can_be_merged',
    })
    expect(answerOf(await client.post(url, { ...heads, files: [] }))).toEqual([
      409,
      { message: 'The source or target branch has changed since the conflicts were read' },
    ])
    const left = (await client.get(url)).json()
    expect([left.resolvable, left.files]).toEqual([false, []])
    const again = { source_sha: left.source_sha, target_sha: left.target_sha, files: [] }
    expect(answerOf(await client.post(url, again))).toEqual([
      409,
      { message: 'There are no conflicts to resolve' },
    ])
  })

  it('start what a push starts', async () => {
    const ci = 'job:\n  script: echo\n'
    const base = { '.gitlab-ci.yml': ci, list: lines('one', 'two') }
    const { url, project, source, target } = await open({
      base,
      ours: { list: lines('one', 'TWO') },
      theirs: { list: lines('one', 'zwei') },
    })
    await world.app.worker.drain()
    const client = world.as('developer')
    const heads = { source_sha: source, target_sha: target }
    const files = [{ path: 'list', sections: [{ id: '0', use: 'ours' }] }]
    const { commit_id } = (await client.post(url, { ...heads, files })).json()
    await world.app.worker.drain()
    const pipelines = (
      await client.get(`/projects/${project.id}/pipelines?sha=${commit_id}`)
    ).json()
    expect(pipelines).toMatchObject([{ ref: 'topic', source: 'push', sha: commit_id }])
    const events = (await client.get(`/projects/${project.id}/events?action=pushed`)).json()
    expect(events[0].push_data).toMatchObject({ ref: 'topic', commit_to: commit_id })
  })

  it('are left to git where a file is no text of both, too large, or looks like a conflict', async () => {
    const long = (end: string) =>
      `${'x'.repeat(limits.merge_requests.conflict_file_bytes_max)}${end}`
    const { url } = await open({
      base: {
        binary: Buffer.from([0, 1]),
        large: long('base'),
        latin: Buffer.from([0xe9, 10]),
        marked: 'm\n',
        removed: 'r\n',
      },
      ours: {
        binary: Buffer.from([0, 2]),
        large: long('ours'),
        latin: Buffer.from([0xe8, 10]),
        marked: 'ours\n=======\n',
        removed: 'ours\n',
        both: 'ours\n',
      },
      theirs: {
        binary: Buffer.from([0, 3]),
        large: long('theirs'),
        latin: Buffer.from([0xe7, 10]),
        marked: 'theirs\n',
        removed: null,
        both: 'theirs\n',
      },
    })
    const client = world.as('developer')
    const read = (await client.get(url)).json()
    expect(read.resolvable).toBe(false)
    const reasons = read.files.map((file: { path: string; reason: string }) => [
      file.path,
      file.reason,
    ])
    expect(Object.fromEntries(reasons)).toEqual({
      binary: 'binary',
      both: 'not_changed_by_both',
      large: 'too_large',
      latin: 'binary',
      marked: 'has_markers',
      removed: 'not_changed_by_both',
    })
    const { source_sha, target_sha } = read
    const refused = await client.post(url, { source_sha, target_sha, files: [] })
    expect(answerOf(refused)).toEqual([
      400,
      { message: '400 Bad request - binary cannot be resolved here' },
    ])
  })

  it('keep line ends as they are', async () => {
    const { url, source, target, fileAt } = await open({
      base: { list: 'one\r\ntwo' },
      ours: { list: 'one\r\nTWO' },
      theirs: { list: 'one\r\nzwei\r\n' },
    })
    const client = world.as('developer')
    const [file] = (await client.get(url)).json().files
    expect(file.sections.at(-1)).toMatchObject({ ours: 'TWO', theirs: 'zwei\r\n' })
    const files = [{ path: 'list', sections: [{ id: '0', use: 'ours' }] }]
    const made = await client.post(url, { source_sha: source, target_sha: target, files })
    expect(made.statusCode).toBe(201)
    expect(await fileAt('list', 'topic')).toBe('one\r\nTWO')
  })

  it('refuse a push in between, and what is left undecided', async () => {
    const { url, project, source, target, fileAt } = await open()
    const client = world.as('developer')
    const heads = { source_sha: source, target_sha: target }
    const post = async (files: object[], more: object = {}) =>
      answerOf(await client.post(url, { ...heads, files, ...more }))
    const bad = (text: string) => [400, { message: `400 Bad request - ${text}` }]
    expect(await post([])).toEqual(bad('list is not resolved'))
    expect(await post([{ path: 'list' }])).toEqual(bad('list has conflicts that are not resolved'))
    const unknown = [{ path: 'list', sections: [{ id: 'toString', use: 'ours' }] }]
    expect(await post(unknown)).toEqual(bad('list has conflicts that are not resolved'))
    expect(await post([{ path: 'list', content: `<<<<<<< ${source}\n` }])).toEqual(
      bad('list still has conflict markers'),
    )
    const whole = { path: 'list', content: 'x\n' }
    expect(await post([whole, { path: 'other', content: '' }])).toEqual(
      bad('other has no conflicts'),
    )
    expect(await post([{ path: 'list', sections: [{ id: '0', use: 'mine' }] }])).toEqual([
      400,
      { error: 'files[0][sections][0][use] does not have a valid value' },
    ])
    expect(answerOf(await client.post(url, {}))).toEqual([
      400,
      { error: 'source_sha is missing, target_sha is missing, files is missing' },
    ])
    await world.commit(project, { more: 'm\n' }, { branch: 'topic', message: 'More' })
    expect(await post([whole])).toEqual([
      409,
      { message: 'The source or target branch has changed since the conflicts were read' },
    ])
    expect(await fileAt('list', 'topic')).toBe(lines('one', 'TWO', 'three'))
  })

  it('are for who may push to the source branch', async () => {
    const { url, one, project, source, target } = await open()
    const body = {
      source_sha: source,
      target_sha: target,
      files: [{ path: 'list', content: 'x\n' }],
    }
    const refusals: [Who, number][] = [
      ['anonymous', 401],
      ['outsider', 404],
      ['guest', 404],
      ['reporter', 403],
    ]
    for (const [who, status] of refusals) {
      expect([who, (await world.as(who).get(url)).statusCode]).toEqual([who, status])
    }
    expect((await world.as('guest').post(url, body)).statusCode).toBe(403)
    expect(answerOf(await world.as('reporter').post(url, body))).toEqual([
      403,
      { message: '403 Forbidden - Cannot push to source branch' },
    ])
    const rule = { name: 'topic', push_access_level: 40 }
    await world.as('owner').post(`/projects/${project.id}/protected_branches`, rule)
    expect((await world.as('developer').get(url)).statusCode).toBe(403)
    expect((await world.as('developer').post(url, body)).statusCode).toBe(403)
    await world.as('owner').put(one, { state_event: 'close' })
    expect(answerOf(await world.as('maintainer').post(url, body))).toEqual([
      409,
      { message: 'The merge request is not open' },
    ])
  })

  it('of a fork are resolved in the fork, by who may push there', async () => {
    const upstream = await world.newProject({ group: world.groups.open, files: { a: 'a\n' } })
    const { client } = await world.newUser()
    const fork = (await client.post(`/projects/${upstream.id}/fork`)).json()
    await world.app.worker.drain()
    const change = (content: string) => ({
      commit_message: 'Change a',
      actions: [{ action: 'update', file_path: 'a', content }],
    })
    await client.post(`/projects/${fork.id}/repository/commits`, {
      ...change('ours\n'),
      branch: 'topic',
      start_branch: 'main',
    })
    const made = await client.post(`/projects/${fork.id}/merge_requests`, {
      title: 'From a fork',
      source_branch: 'topic',
      target_branch: 'main',
      target_project_id: upstream.id,
    })
    await world.as('owner').post(`/projects/${upstream.id}/repository/commits`, {
      ...change('theirs\n'),
      branch: 'main',
    })
    const url = `/projects/${upstream.id}/merge_requests/${made.json().iid}/conflicts`
    expect((await world.as('owner').get(url)).statusCode).toBe(403)
    const { source_sha, target_sha } = (await client.get(url)).json()
    const files = [{ path: 'a', sections: [{ id: '0', use: 'theirs' }] }]
    const resolved = await client.post(url, { source_sha, target_sha, files })
    expect(resolved.statusCode).toBe(201)
    const branch = (await client.get(`/projects/${fork.id}/repository/branches/topic`)).json()
    expect(branch.commit).toMatchObject({
      id: resolved.json().commit_id,
      parent_ids: [source_sha, target_sha],
    })
    const main = (await client.get(`/projects/${upstream.id}/repository/branches/main`)).json()
    expect(main.commit.id).toBe(target_sha)
  })
})
