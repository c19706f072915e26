import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('Templates', () => {
  it.each([
    ['dockerfiles', 'Node', 'Dockerfile'],
    ['gitignores', 'Node', 'Gitignore'],
    ['gitlab_ci_ymls', 'Nodejs', 'Gitlab ci yml'],
  ])('are listed and shown to everybody: %s', async (kind, name, noun) => {
    const client = world.as('anonymous')
    const list = await client.get(`/templates/${kind}?per_page=100`)
    expect(list.json()).toContainEqual({ key: name, name })
    expect(list.json().length).toBeGreaterThan(10)
    const page = await client.get(`/templates/${kind}?per_page=1&page=2`)
    expect(page.json()).toEqual([list.json()[1]])
    const one = await client.get(`/templates/${kind}/${name}`)
    expect([one.statusCode, one.json()]).toEqual([200, { name, content: expect.any(String) }])
    const none = await client.get(`/templates/${kind}/constructor`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: `404 ${noun} Not Found` }])
  })

  it('of pipelines can be included, each of them', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const list = (await world.as('anonymous').get('/templates/gitlab_ci_ymls?per_page=100')).json()
    expect(list.length).toBeGreaterThan(20)
    for (const { name } of list) {
      const path = `/templates/gitlab_ci_ymls/${encodeURIComponent(name)}`
      const { content } = (await world.as('anonymous').get(path)).json()
      expect(content).toMatch(/\S/)
      const include = `include: {template: "${name}.gitlab-ci.yml"}\nextra: {script: "true"}`
      const answer = await world
        .as('developer')
        .post(`/projects/${project.id}/ci/lint`, { content: include })
      expect([name, answer.json().errors]).toEqual([name, []])
    }
  })

  it('of licences say what one may do, and are filled in', async () => {
    const client = world.as('anonymous')
    const list = (await client.get('/templates/licenses')).json()
    expect(list.map(({ key }: { key: string }) => key)).toContain('bsd-2-clause')
    const popular = (await client.get('/templates/licenses?popular=true')).json()
    expect(popular.map(({ key }: { key: string }) => key)).toEqual(['apache-2.0', 'gpl-3.0', 'mit'])
    const one = await client.get('/templates/licenses/mit?fullname=Ada%20$1&project=p')
    expect([one.statusCode, one.json()]).toEqual([
      200,
      {
        key: 'mit',
        name: 'MIT License',
        nickname: null,
        popular: true,
        html_url: expect.any(String),
        source_url: expect.any(String),
        description: null,
        conditions: ['include-copyright'],
        permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
        limitations: ['liability', 'warranty'],
        content: expect.stringContaining('Copyright (c) 2026 Ada $1'),
      },
    ])
    const none = await client.get('/templates/licenses/none')
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 License Not Found' }])
  })
})
