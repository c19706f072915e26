import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A project with tag `v1.0.0`, and after that a fixed bug, a feature, and a feature that was taken back. */
async function newHistory(config?: string) {
  const files = { a: 'a', ...(config ? { '.gitlab/changelog_config.yml': config } : {}) }
  const project = await world.newProject({ files })
  const commit = (file: string, message: string) =>
    world.commit(project, { [file]: message }, { branch: 'main', message })
  await commit('before', 'Before the tag\n\nChangelog: added')
  const url = `/projects/${project.id}/repository`
  for (const tag of ['v1.0.0', 'v1.1.0-rc1', 'other']) {
    await world.as('owner').post(`${url}/tags`, { tag_name: tag, ref: 'main' })
  }
  const fixed = await commit('b', 'Fix a bug\n\nChangelog: fixed')
  const added = await commit('c', 'Add a feature\n\nIn a long body.\n\nChangelog: added\nEE: true')
  const taken = await commit('d', 'Add nonsense\n\nChangelog: added')
  await commit('e', `Revert "Add nonsense"\n\nThis reverts commit ${taken}.`)
  await commit('f', 'Say Changelog: where it is no trailer')
  return { project, url: `${url}/changelog`, fixed, added }
}

describe('GET /projects/:id/repository/changelog', () => {
  it.each([
    ['anonymous', 'open', 422],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 422],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const url = `/projects/${world.projects[place].id}/repository/changelog?version=1.0.0`
    expect((await world.as(who).get(url)).statusCode).toBe(status)
  })

  it.each([
    ['', { error: 'version is missing' }],
    ['?version=one', { error: 'version is invalid' }],
    ['?version=1.0.0&date=soon', { error: 'date is invalid' }],
    ['?version=1.0.0&trailer=a b', { error: 'trailer is invalid' }],
  ])('refuses %j', async (query, body) => {
    const url = `/projects/${world.projects.shut.id}/repository/changelog${query}`
    const answer = await world.as('reporter').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })

  it('has the commits with the trailer since the stable version before', async () => {
    const { project, url, fixed, added } = await newHistory()
    const answer = await world.as('reporter').get(`${url}?version=1.1.0&date=2026-04-05`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        notes: [
          '## 1.1.0 (2026-04-05)\n',
          '### added (1 change)\n',
          `- [Add a feature](${project.full_path}@${added})\n`,
          '### fixed (1 change)\n',
          `- [Fix a bug](${project.full_path}@${fixed})\n\n`,
        ].join('\n'),
      },
    ])
    const none = await world.as('reporter').get(`${url}?version=1.1.0&trailer=Nothing`)
    expect(none.json().notes).toBe('## 1.1.0 (2026-03-01)\n\nNo changes.\n\n')
    const until = await world.as('reporter').get(`${url}?version=1.1.0&to=${fixed}`)
    expect(until.json().notes).not.toContain('Add a feature')
  })

  it('says why there is none', async () => {
    const { url } = await newHistory()
    const read = async (query: string) => {
      const answer = await world.as('reporter').get(`${url}?${query}`)
      return [answer.statusCode, answer.json()]
    }
    const failed = 'Failed to generate the changelog:'
    expect(await read('version=0.9.0')).toEqual([
      422,
      {
        message: `${failed} The commit start range is unspecified, and no previous tag could be found to use instead`,
      },
    ])
    expect(await read('version=1.1.0&from=nowhere')).toEqual([
      422,
      { message: `${failed} Invalid or not found commit value in the given range` },
    ])
  })

  it('follows the configuration of the project', async () => {
    const group = world.groups.shut.full_path
    const config = `
date_format: '%d/%m/%Y'
categories:
  fixed: Bug fixes
  added: New features
tag_regex: '^v(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'
include_groups: ['${group}']
template: |
  {% each categories %}
  {{ title }}: {% each entries %}{{ title }}{% if commit.trailers.EE %} (EE){% end %}{% if author.credit %} by {{ author.reference }}{% end %}{% end %}

  {% end %}
`
    const { url } = await newHistory(config)
    const answer = await world.as('reporter').get(`${url}?version=1.1.0`)
    const by = `by @${world.users.owner.username}`
    expect(answer.json().notes).toBe(
      `## 1.1.0 (01/03/2026)\n\nBug fixes: Fix a bug ${by}\nNew features: Add a feature (EE) ${by}\n\n`,
    )
  })

  it.each([
    ['categories: [a]', 'The "categories" configuration must be a YAML mapping'],
    ["template: '{% if a %}'", 'The template has no {% end %} for {% if %}'],
    ["tag_regex: '('", 'The "tag_regex" configuration is no valid regular expression'],
    ["tag_regex: 'x'", 'The "tag_regex" configuration has no group named "major"'],
    ['- a', 'The configuration must be a YAML mapping'],
  ])('refuses the configuration %j', async (config, reason) => {
    const { url } = await newHistory(config)
    const answer = await world.as('reporter').get(`${url}?version=1.1.0`)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { message: `Failed to generate the changelog: ${reason}` },
    ])
  })

  it('credits those outside who had a merge request merged, and members of groups it names', async () => {
    type Person = Awaited<ReturnType<World['newUser']>>
    const [helper, other, second] = [
      await world.newUser(),
      await world.newUser(),
      await world.newUser(),
    ]
    const unsure = await world.newUser({ confirmed_at: null })
    const [named, removed] = [await world.newMemberedGroup(), await world.newMemberedGroup()]
    const hidden = await world.newGroup()
    const paths = [named.full_path, removed.full_path, hidden.full_path, other.user.username]
    const credit = '{% if author.credit %}{{ author.reference }} {% end %}'
    const config = [
      `template: "{% each categories %}{% each entries %}${credit}{% end %}{% end %}"`,
      `include_groups: ${JSON.stringify(paths)}`,
    ].join('\n')
    const project = await world.newProject({ files: { '.gitlab/changelog_config.yml': config } })
    const elsewhere = await world.newProject({ files: { a: 'a' } })
    const [here, there] = [`/projects/${project.id}`, `/projects/${elsewhere.id}`]
    const groupOf = ({ id }: { id: number }) => `/groups/${id}`
    const admin = world.as('admin')
    const join = ({ user }: Person, place: string, access_level = 30) =>
      admin.post(`${place}/members`, { user_id: user.id, access_level })
    const leave = ({ user }: Person, place: string) => admin.delete(`${place}/members/${user.id}`)
    const commitOf = (branch: string) => ({
      branch,
      commit_message: `Add ${branch}\n\nChangelog: added`,
      actions: [{ action: 'create', file_path: `${branch}-${world.app.log.length}`, content: 'c' }],
    })
    const propose = async ({ client }: Person, place: string, branch: string, target = 'main') => {
      const commit = { ...commitOf(branch), start_branch: 'main' }
      await client.post(`${place}/repository/commits`, commit)
      const sides = { source_branch: branch, target_branch: target }
      const made = await client.post(`${place}/merge_requests`, { title: branch, ...sides })
      return `${place}/merge_requests/${made.json().iid}`
    }
    const accept = async (request: string) =>
      expect((await world.as('maintainer').put(`${request}/merge`)).statusCode).toBe(200)
    const owner = world.as('owner')
    const first = (await owner.get(`${here}/repository/commits/main`)).json().id
    await owner.post(`${here}/repository/branches`, { branch: 'next', ref: 'main' })
    for (const who of [helper, other]) for (const place of [here, there]) await join(who, place)
    await accept(await propose(helper, here, 'one'))
    await accept(await propose(other, there, 'one'))
    await accept(await propose(other, here, 'two', 'next'))
    await propose(other, here, 'three')
    const further = `further-${second.user.email}`
    await second.client.post('/user/emails', { email: further })
    for (const author_email of [other.user.email, unsure.user.email, further])
      await owner.post(`${here}/repository/commits`, { ...commitOf('main'), author_email })
    for (const who of [unsure, second]) await join(who, groupOf(named))

    const names = { helper, other, second, unsure }
    const credited = async () => {
      const path = `${here}/repository/changelog?version=1.0.0&from=${first}`
      const words = (await world.as('reporter').get(path)).json().notes.split(/\s+/)
      return Object.entries(names).flatMap(([name, { user }]) =>
        words.includes(`@${user.username}`) ? [name] : [],
      )
    }
    const { db } = world.app
    const setMinimal = ({ user }: Person, { id }: { id: number }) =>
      db
        .insertInto('namespace_access')
        .values({ user_id: user.id, namespace_id: id, access_level: 5 })
        .execute()
    expect(await credited()).toEqual([])
    for (const who of [helper, other]) await leave(who, here)
    expect(await credited()).toEqual(['helper'])
    const group = { id: project.namespace_id }
    await join(helper, groupOf(group), 10)
    expect(await credited()).toEqual([])
    await leave(helper, groupOf(group))
    await setMinimal(helper, group)
    for (const place of [hidden, removed, world.groups.inside]) await join(other, groupOf(place))
    await admin.delete(groupOf(removed))
    await setMinimal(other, named)
    expect(await credited()).toEqual(['helper'])
    await join(other, groupOf(named))
    expect(await credited()).toEqual(['helper', 'other'])
  })

  it('names the merge request that brought a commit', async () => {
    const { project, url } = await newBranches(world, { changes: {}, files: { a: 'a' } })
    const branch = { branch: 'work', start_branch: 'main', message: 'Work\n\nChangelog: added' }
    await world.commit(project, { work: 'w' }, branch)
    // One that waits, and one of a fork, bring it too.
    await newRequest(world, { url }, { source_branch: 'work', target_branch: 'topic' })
    const developer = world.as('developer')
    const fork = (await developer.post(`/projects/${project.id}/fork`)).json()
    await world.app.worker.drain()
    const forked = { url: `/projects/${fork.id}/merge_requests` }
    await newRequest(world, forked, { source_branch: 'work' })
    expect((await developer.put(`${forked.url}/1/merge`)).statusCode).toBe(200)
    const { iid } = await newRequest(world, { url }, { source_branch: 'work' })
    await world.app.worker.drain()
    const merged = await world.as('maintainer').put(`${url}/${iid}/merge`)
    expect(merged.statusCode).toBe(200)
    await world.app.worker.drain()
    const [first] = (
      await world.as('reporter').get(`/projects/${project.id}/repository/commits?ref_name=topic`)
    ).json()
    const path = `/projects/${project.id}/repository/changelog?version=1.0.0&from=${first.id}`
    const { notes } = (await world.as('reporter').get(path)).json()
    expect(notes).toContain(`([merge request](${project.full_path}!${iid}))`)
  })
})

describe('POST /projects/:id/repository/changelog', () => {
  it.each([
    ['anonymous', 404],
    ['outsider', 404],
    ['reporter', 403],
    ['developer', 403],
    ['maintainer', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    const { url } = await newHistory()
    const answer = await world.as(who).post(url, { version: '1.1.0' })
    expect(answer.statusCode).toBe(status)
    if (who === 'developer') {
      expect(answer.json()).toEqual({
        message: '403 Forbidden - You are not allowed to commit a changelog on this branch',
      })
    }
    if (status === 200) expect(answer.json()).toBe(200)
  })

  it('commits the section before those of older versions', async () => {
    const { project, url } = await newHistory()
    const client = world.as('maintainer')
    const read = async (path: string) => {
      const file = encodeURIComponent(path)
      return (await client.get(`/projects/${project.id}/repository/files/${file}/raw`)).body
    }
    expect((await client.post(url, { version: '1.1.0' })).statusCode).toBe(200)
    expect(await read('CHANGELOG.md')).toMatch(/^## 1\.1\.0 \(2026-03-01\)\n\n### added/)
    const [last] = (await client.get(`/projects/${project.id}/repository/commits`)).json()
    expect(last).toMatchObject({
      title: 'Add changelog for version 1.1.0',
      author_name: world.users.maintainer.name,
    })
    expect((await client.post(url, { version: '1.2.0' })).statusCode).toBe(200)
    expect(await read('CHANGELOG.md')).toMatch(/^## 1\.2\.0 [\s\S]*\n\n## 1\.1\.0 /)
    const body = { version: '1.3.0', file: 'docs/LOG.md', message: 'Log it', branch: 'main' }
    expect((await client.post(url, body)).statusCode).toBe(200)
    expect(await read('docs/LOG.md')).toMatch(/^## 1\.3\.0 /)
    const [newest] = (await client.get(`/projects/${project.id}/repository/commits`)).json()
    expect(newest.title).toBe('Log it')
  })
})
