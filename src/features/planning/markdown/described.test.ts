import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const html = '<p data-sourcepos="1:1-1:11" dir="auto">Of <strong>iron</strong></p>'

describe('render_html', () => {
  it.each(['projects', 'groups'] as const)('tells the description of %s as HTML', async (kind) => {
    const group = await world.newMemberedGroup()
    const { id } = kind === 'groups' ? group : await world.newProject({ group })
    const url = `/${kind}/${id}`
    const client = world.as('owner')
    await client.put(url, { description: 'Of **iron**' })
    const plain = (await client.get(url)).json()
    expect(plain.description).toBe('Of **iron**')
    expect((await client.get(`${url}?render_html=true`)).json()).toEqual({
      ...plain,
      description_html: html,
    })
  })

  it('tells title and description of an issue as HTML, with links to what the caller sees', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/issues`
    const client = world.as('reporter')
    const plain = (await client.post(url, { title: 'A <b>', description: 'See #1 and #2' })).json()
    const ask = async (query: string) => (await client.get(`${url}/1${query}`)).json()
    expect(await ask('?render_html=true')).toEqual({
      ...plain,
      title_html: 'A &lt;b&gt;',
      description_html: expect.stringMatching(
        /^<p data-sourcepos="1:1-1:13" dir="auto">See <a [^>]*>#1<\/a> and #2<\/p>$/,
      ),
    })
    expect(await ask('')).toEqual(plain)
  })

  it('tells an empty text where there is no description', async () => {
    const { id } = await world.newProject()
    const shown = (await world.as('owner').get(`/projects/${id}?render_html=true`)).json()
    expect(shown.description_html).toBe('')
  })
})
