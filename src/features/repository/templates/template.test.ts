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

describe('GET /projects/:id/templates/:type', () => {
  /** A group with a template project, and a project in a group below it. */
  async function newFamily() {
    const group = await world.newMemberedGroup()
    const source = await world.newProject({
      group,
      files: {
        'gitignore/Ours.gitignore': 'ours\n',
        'gitignore/Node.gitignore': 'node of the group\n',
        'gitignore/README.md': 'no template',
        'LICENSE/House.txt': '[year] [fullname] [project]\n',
        '.gitlab/issue_templates/Bug.md': 'bug of the group\n',
      },
    })
    const user = world.as('owner')
    const sub = await user.post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id })
    const made = await user.post('/projects', { name: 'p', namespace_id: sub.json().id })
    const project: { id: number } = made.json()
    for (const name of ['Bug.md', 'b.txt']) {
      const file = encodeURIComponent(`.gitlab/issue_templates/${name}`)
      const body = { branch: 'main', commit_message: name, content: 'own bug\n' }
      const answer = await user.post(`/projects/${project.id}/repository/files/${file}`, body)
      expect(answer.statusCode).toBe(201)
    }
    const named = await user.put(`/groups/${group.id}`, { file_template_project_id: source.id })
    expect([named.statusCode, named.json().file_template_project_id]).toEqual([200, source.id])
    return { group, source, project, url: `/projects/${project.id}/templates` }
  }

  it('has the templates of the server for everybody who sees the project', async () => {
    const { open, shut } = world.projects
    const anonymous = world.as('anonymous')
    const list = await anonymous.get(`/projects/${open.id}/templates/gitignores?per_page=100`)
    expect(list.json()).toContainEqual({ key: 'Node', name: 'Node' })
    const licenses = await anonymous.get(`/projects/${open.id}/templates/licenses`)
    expect(licenses.json()).toContainEqual({ key: 'mit', name: 'MIT License' })
    const mit = await anonymous.get(`/projects/${open.id}/templates/licenses/mit?fullname=Ann`)
    expect(mit.json()).toMatchObject({ key: 'mit', content: expect.stringContaining('2026 Ann') })
    const hidden = await anonymous.get(`/projects/${shut.id}/templates/gitignores`)
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: '404 Project Not Found' }])
    const kind = await anonymous.get(`/projects/${open.id}/templates/cakes`)
    expect([kind.statusCode, kind.json()]).toEqual([
      400,
      { error: 'type does not have a valid value' },
    ])
    const none = await anonymous.get(`/projects/${open.id}/templates/dockerfiles/constructor`)
    expect([none.statusCode, none.json()]).toEqual([404, { message: '404 Template Not Found' }])
  })

  it('has those of the project that a group above names, before those of the server', async () => {
    const { url, source, project } = await newFamily()
    const client = world.as('reporter')
    const list = (await client.get(`${url}/gitignores?per_page=100`)).json()
    expect(list.slice(0, 2)).toEqual([
      { key: 'Node', name: 'Node' },
      { key: 'Ours', name: 'Ours' },
    ])
    expect(list.filter(({ key }: { key: string }) => key === 'Node')).toHaveLength(1)
    expect((await client.get(`${url}/gitignores/Node`)).json()).toEqual({
      name: 'Node',
      content: 'node of the group\n',
    })
    expect((await client.get(`${url}/licenses/House?fullname=Ann&project=P`)).json()).toEqual({
      key: 'House',
      name: 'House',
      nickname: null,
      popular: false,
      html_url: null,
      source_url: null,
      description: null,
      conditions: [],
      permissions: [],
      limitations: [],
      content: '2026 Ann P\n',
    })
    const bug = async (query = '') => (await client.get(`${url}/issues/Bug${query}`)).json().content
    expect((await client.get(`${url}/issues`)).json()).toEqual([{ key: 'Bug', name: 'Bug' }])
    expect(await bug()).toBe('own bug\n')
    expect(await bug(`?source_template_project_id=${source.id}`)).toBe('bug of the group\n')
    expect(await bug(`?source_template_project_id=${project.id}`)).toBe('own bug\n')
    const ofAll = async (of: string) =>
      (await client.get(`${of}/gitignores?per_page=100`))
        .json()
        .map(({ key }: { key: string }) => key)
    const elsewhere = `/projects/${world.projects.open.id}/templates`
    expect(await ofAll(elsewhere)).not.toContain('Ours')
    await world.as('owner').delete(`/projects/${source.id}`)
    expect(await ofAll(url)).not.toContain('Ours')
  })

  it('reads no code the caller may not read', async () => {
    const { url } = await newFamily()
    const guest = world.as('guest')
    const list = (await guest.get(`${url}/gitignores?per_page=100`)).json()
    expect(list).not.toContainEqual({ key: 'Ours', name: 'Ours' })
    expect((await guest.get(`${url}/issues`)).json()).toEqual([])
    expect((await guest.get(`${url}/issues/Bug`)).statusCode).toBe(404)
  })
})
