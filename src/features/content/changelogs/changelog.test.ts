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

  it('names the merge request that brought a commit', async () => {
    const { project, url } = await newBranches(world, { changes: {}, files: { a: 'a' } })
    const branch = { branch: 'work', start_branch: 'main', message: 'Work\n\nChangelog: added' }
    await world.commit(project, { work: 'w' }, branch)
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
