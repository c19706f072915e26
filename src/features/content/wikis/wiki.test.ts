import { beforeAll, describe, expect, it } from 'vitest'
import { multipart } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Kind = 'groups' | 'projects'

async function newPlace(kind: Kind) {
  const group = await world.newMemberedGroup()
  const { id } = kind === 'groups' ? group : await world.newProject({ group })
  return { id, url: `/${kind}/${id}/wikis` }
}

async function newPages(kind: Kind, pages: readonly (readonly [title: string, format?: string])[]) {
  const { url } = await newPlace(kind)
  const slugs: string[] = []
  for (const [title, format] of pages) {
    const made = await world.as('developer').post(url, { title, content: `# ${title}`, format })
    expect(made.statusCode).toBe(201)
    slugs.push(made.json().slug)
  }
  return { url, slugs }
}

const at = (url: string, slug: string) => `${url}/${encodeURIComponent(slug)}`

describe.each(['groups', 'projects'] as const)('The wiki of %s', (kind) => {
  it('has pages that are made, listed, shown, changed and removed', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const empty = await world.as('guest').get(url)
    expect([empty.statusCode, empty.json()]).toEqual([200, []])
    const made = await client.post(url, { title: 'new title', content: 'Hello *you*' })
    const page = {
      content: 'Hello *you*',
      encoding: 'UTF-8',
      format: 'markdown',
      slug: 'new-title',
      title: 'new title',
    }
    expect([made.statusCode, made.json()]).toEqual([201, page])
    const list = await world.as('guest').get(url)
    const { content, encoding, ...listed } = page
    expect([list.statusCode, list.json()]).toEqual([200, [listed]])
    expect((await client.get(`${url}?with_content=1`)).json()).toEqual([page])
    for (const slug of ['new-title', 'new%20title']) {
      const shown = await world.as('guest').get(`${url}/${slug}`)
      expect([shown.statusCode, shown.json()]).toEqual([200, page])
    }
    const changed = await client.put(`${url}/new-title`, { title: 'a/b c', format: 'org' })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...page, format: 'org', slug: 'a/b-c', title: 'b c' },
    ])
    const gone = await client.get(`${url}/new-title`)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Wiki Page Not Found' }])
    const removed = await client.delete(at(url, 'a/b-c'))
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect((await client.get(url)).json()).toEqual([])
    const again = await client.delete(at(url, 'a/b-c'))
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Wiki Page Not Found' }])
  })

  it.each([
    ['anonymous', 404, 404],
    ['outsider', 404, 404],
    ['guest', 200, 403],
    ['reporter', 200, 403],
    ['developer', 200, 201],
    ['admin', 200, 201],
  ] as const)('lets %s read with %i and write with %i', async (who, read, write) => {
    const { url } = await newPlace(kind)
    const client = world.as(who)
    const page = { title: 'x', content: 'y' }
    expect((await client.get(url)).statusCode).toBe(read)
    expect((await client.post(url, page)).statusCode).toBe(write)
    await world.as('owner').post(url, { title: 'kept', content: 'y' })
    const statuses = [
      (await client.put(`${url}/kept`, { content: 'z' })).statusCode,
      (await client.delete(`${url}/kept`)).statusCode,
    ]
    expect(statuses).toEqual(write === 201 ? [200, 204] : [write, write])
  })

  it('says what is wrong with a page', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const post = async (body: object) => {
      const { statusCode, ...answer } = await client.post(url, body)
      expect(statusCode).toBe(400)
      return answer.json()
    }
    expect(await post({})).toEqual({ error: 'title is missing, content is missing' })
    expect(await post({ title: 'a' })).toEqual({ error: 'content is missing' })
    expect(await post({ title: 'a', content: 'b', format: 'txt' })).toEqual({
      error: 'format does not have a valid value',
    })
    expect(await post({ title: ' ', content: 'b' })).toEqual({
      message: { title: ["can't be blank"] },
    })
    expect(await post({ title: 'a', content: ' ' })).toEqual({
      message: { content: ["can't be blank"] },
    })
    expect(await post({ title: '', content: '' })).toEqual({
      message: { title: ["can't be blank"], content: ["can't be blank"] },
    })
    expect(await post({ title: 'a\u001b[2Jb', content: 'b' })).toEqual({
      message: { title: ['is invalid'] },
    })
    expect(await post({ title: '../..', content: 'b' })).toEqual({
      message: { title: ["can't be blank"] },
    })
    expect(await post({ title: 'a/.git/b', content: 'b' })).toEqual({
      message: { title: ['is invalid'] },
    })
    expect(await post({ title: 'é'.repeat(123), content: 'b' })).toEqual({
      message: { title: ['exceeds the limit of 245 bytes'] },
    })
    const long = 'f'.repeat(256)
    expect(await post({ title: `${long}/a`, content: 'b' })).toEqual({
      message: { title: [`exceeds the limit of 255 bytes for directory name "${long}"`] },
    })
    expect((await client.get(url)).json()).toEqual([])
    await client.post(url, { title: 'Some page', content: 'b', format: 'rdoc' })
    const duplicate = {
      message: { base: ['Duplicate page: A page with that title already exists'] },
    }
    expect(await post({ title: 'some Page', content: 'b' })).toEqual(duplicate)
    await client.post(url, { title: 'other', content: 'b' })
    const renamed = await client.put(`${url}/other`, { title: 'SOME page' })
    expect([renamed.statusCode, renamed.json()]).toEqual([400, duplicate])
    const nothing = await client.put(`${url}/other`, {})
    expect([nothing.statusCode, nothing.json()]).toEqual([
      400,
      { error: 'content, title, format are missing, at least one parameter must be provided' },
    ])
    const missing = await client.put(`${url}/nowhere`, { content: 'b' })
    expect([missing.statusCode, missing.json()]).toEqual([
      404,
      { message: '404 Wiki Page Not Found' },
    ])
  })

  it.each([
    ['new title', 'new-title', 'new title'],
    ['page2.with.dot', 'page2.with.dot', 'page2.with.dot'],
    [' a  b / c\td ', 'a-b/c-d', 'c d'],
    ['../../up/./x', 'up/x', 'x'],
    ['/root', 'root', 'root'],
    ['Größe & "so"', 'Größe-&-"so"', 'Größe & "so"'],
    ['a--b', 'a--b', 'a b'],
  ])('gives the title %j the slug %j', async (title, slug, shown) => {
    const { url } = await newPlace(kind)
    const made = await world.as('developer').post(url, { title, content: 'x' })
    expect(made.json()).toMatchObject({ slug, title: shown })
    expect((await world.as('guest').get(at(url, slug))).json()).toEqual(made.json())
  })

  it('leaves a page in its folder unless its new title has a slash', async () => {
    const { url, slugs } = await newPages(kind, [['dir/page']])
    const client = world.as('developer')
    const rename = async (slug: string | undefined, title: string) =>
      (await client.put(at(url, slug ?? ''), { title })).json().slug
    expect(await rename(slugs[0], 'sub title')).toBe('dir/sub-title')
    expect(await rename('dir/sub-title', 'sub title')).toBe('dir/sub-title')
    expect(await rename('dir/sub-title', '/top')).toBe('top')
    expect(await rename('top', 'x/y')).toBe('x/y')
  })

  it('lists its pages in the order of their paths', async () => {
    const { url, slugs } = await newPages(kind, [
      ['b'],
      ['home'],
      ['a/c', 'asciidoc'],
      ['_sidebar'],
    ])
    const list = (await world.as('guest').get(url)).json()
    expect(list.map(({ slug }: { slug: string }) => slug)).toEqual([...slugs].sort())
  })

  it('keeps files beside its pages, and says how to refer to them', async () => {
    const { url } = await newPages(kind, [['home']])
    const client = world.as('developer')
    const upload = (filename: string, more: Record<string, string> = {}) => {
      const { body, options } = multipart({
        file: { filename, content: Buffer.from('bytes') },
        ...more,
      })
      return client.post(`${url}/attachments`, body, options)
    }
    const made = await upload('dk.png')
    const record = made.json()
    expect([made.statusCode, record]).toEqual([
      201,
      {
        file_name: 'dk.png',
        file_path: expect.stringMatching(/^uploads\/[0-9a-f]{32}\/dk\.png$/),
        branch: 'main',
        link: { url: record.file_path, markdown: `![dk](${record.file_path})` },
      },
    ])
    // Such a name would end every checkout.
    expect((await upload('.git')).json().file_name).toBe('_.git')
    const { file_path, link } = (await upload('test.txt')).json()
    expect(link).toEqual({ url: file_path, markdown: `[test.txt](${file_path})` })
    // What is attached is no page, whatever its name.
    expect((await client.get(url)).json()).toHaveLength(1)
    const elsewhere = await upload('a.txt', { branch: 'none' })
    expect([elsewhere.statusCode, elsewhere.json()]).toEqual([
      400,
      { message: 'You can only create or edit files when you are on a branch' },
    ])
    const missing = await client.post(`${url}/attachments`, {})
    expect([missing.statusCode, missing.json()]).toEqual([400, { error: 'file is missing' }])
    const text = await client.post(`${url}/attachments`, { file: 'text' })
    expect([text.statusCode, text.json()]).toEqual([400, { error: 'file is invalid' }])
    expect((await world.as('reporter').post(`${url}/attachments`, { file: 'x' })).statusCode).toBe(
      400,
    )
  })

  it.each([
    ['markdown', '*a*', '<em>a</em>'],
    ['asciidoc', '*a*', '<strong>a</strong>'],
    ['org', '*a*', '<strong>a</strong>'],
    ['rdoc', '*a*', '<strong>a</strong>'],
  ])('shows a page in %s as HTML that runs nothing', async (format, content, shown) => {
    const { url } = await newPlace(kind)
    const evil = '<script>alert(1)</script> link:javascript:alert(1)[x] {x}[javascript:alert(1)]'
    await world.as('developer').post(url, { title: 'p', content: `${content}\n\n${evil}`, format })
    const html = (await world.as('guest').get(`${url}/p?render_html=true`)).json().content
    expect(html).toContain(shown)
    expect(html).not.toMatch(/<script|href="javascript:/)
  })

  it('has links of Markdown lead to its pages', async () => {
    const { id, url } = await newPlace(kind)
    const content =
      '[a](other) [b](./beside) [c](../up) [d](/abs) [e](https://x.test) [[Some Page]] [[t|dir/p]] ![i](uploads/x.png)'
    await world.as('developer').post(url, { title: 'dir/p', content })
    const html = (await world.as('guest').get(`${at(url, 'dir/p')}?render_html=true`)).json()
      .content
    const paths = [...String(html).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) =>
      link.replace(/^.*\/-\/wikis\//, ''),
    )
    expect(paths).toEqual([
      'other',
      'dir/beside',
      'up',
      '/abs',
      'https://x.test',
      'Some-Page',
      'dir/p',
      'uploads/x.png',
    ])
    const { web_url } = (await world.as('guest').get(`/${kind}/${id}`)).json()
    expect(html).toContain(`href="${web_url}/-/wikis/other"`)
    expect(html).toContain('dir="auto"')
  })

  it('shows a page as it was at a commit, and none at a commit that is not there', async () => {
    const { url } = await newPages(kind, [['home']])
    const missing = await world.as('guest').get(`${url}/home?version=${'1'.repeat(40)}`)
    expect([missing.statusCode, missing.json()]).toEqual([
      404,
      { message: '404 Wiki Page Not Found' },
    ])
  })

  it('has versions, each shown as it was and compared with another', async () => {
    const { url } = await newPages(kind, [['dir/heat'], ['other']])
    const client = world.as('developer')
    const page = at(url, 'dir/heat')
    const versionsOf = async (query = '') => {
      const answer = await world.as('guest').get(`${page}/versions${query}`)
      expect(answer.statusCode).toBe(200)
      return answer.json()
    }
    await client.put(page, { content: 'Red\nDull\n' })
    await client.put(`${url}/other`, { content: 'Elsewhere' })
    await client.put(page, { content: 'Red\nBright\n' })
    const versions = await versionsOf()
    const { username, name } = (await client.get('/user')).json()
    expect(versions.map(({ title }: { title: string }) => title)).toEqual([
      `${username} updated page: heat`,
      `${username} updated page: heat`,
      `${username} created page: heat`,
    ])
    expect(versions[2]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      short_id: versions[2].id.slice(0, 8),
      title: `${username} created page: heat`,
      message: expect.stringMatching(/ created page: heat\n?$/),
      author_name: name,
      author_email: expect.stringContaining('@'),
      authored_date: expect.stringMatching(/^20/),
      committed_date: expect.stringMatching(/^20/),
    })
    expect(await versionsOf('?per_page=1&page=2')).toEqual([versions[1]])
    expect(await versionsOf('?page=2')).toEqual([])
    const [newest, before, first] = versions.map(({ id }: { id: string }) => id)
    const old = (await world.as('guest').get(`${page}?version=${before}`)).json()
    expect(old.content).toBe('Red\nDull\n')

    const diffsOf = async (query: string) => {
      const answer = await world.as('guest').get(`${page}/diffs${query}`)
      expect([query, answer.statusCode]).toEqual([query, 200])
      return answer.json()
    }
    const change = {
      old_path: 'dir/heat.md',
      new_path: 'dir/heat.md',
      a_mode: '100644',
      b_mode: '100644',
      new_file: false,
      renamed_file: false,
      deleted_file: false,
      diff: '@@ -1,2 +1,2 @@\n Red\n-Dull\n+Bright\n',
      added_lines: 1,
      removed_lines: 1,
      generated_file: false,
      collapsed: false,
      too_large: false,
    }
    for (const query of ['', `?to=${newest}`, `?from=${before}`, `?from=${before}&to=${newest}`])
      expect(await diffsOf(query)).toEqual([change])
    const { diff, ...figures } = change
    expect(await diffsOf('?text=false')).toEqual([figures])
    expect(await diffsOf(`?from=${newest}`)).toEqual([])
    expect(await diffsOf(`?to=${first}`)).toMatchObject([{ new_file: true, added_lines: 1 }])
    expect(await diffsOf(`?from=${newest}&to=${before}`)).toMatchObject([
      { diff: '@@ -1,2 +1,2 @@\n Red\n-Bright\n+Dull\n' },
    ])
    await client.put(page, { format: 'org' })
    expect(await diffsOf('?from='.concat(newest))).toMatchObject([
      { old_path: 'dir/heat.md', new_path: 'dir/heat.org', renamed_file: true },
    ])
  })

  it.each([
    ['/nowhere/versions', 404],
    ['/nowhere/diffs', 404],
    [`/home/diffs?from=${'1'.repeat(40)}`, 404],
    [`/home/diffs?to=${'1'.repeat(40)}`, 404],
    ['/home/diffs?from=main', 404],
  ])('answers %s with %i', async (path, status) => {
    const { url } = await newPages(kind, [['home']])
    const answer = await world.as('guest').get(url + path)
    expect([answer.statusCode, answer.json()]).toEqual([
      status,
      { message: '404 Wiki Page Not Found' },
    ])
    for (const who of ['anonymous', 'outsider'] as const)
      expect((await world.as(who).get(url + path)).statusCode).toBe(404)
  })

  it('takes an empty version for the newest', async () => {
    const { url } = await newPages(kind, [['home']])
    expect((await world.as('guest').get(`${url}/home?version=`)).statusCode).toBe(200)
  })

  it('puts no page in the place of a folder, or where attachments lie', async () => {
    const { url } = await newPages(kind, [['foo.md/inner'], ['other']])
    const client = world.as('developer')
    const invalid = [400, { message: { title: ['is invalid'] } }]
    for (const title of ['foo', `uploads/${'a'.repeat(32)}/x`]) {
      const made = await client.post(url, { title, content: 'x' })
      expect([made.statusCode, made.json()]).toEqual(invalid)
      const renamed = await client.put(`${url}/other`, { title: `/${title}` })
      expect([renamed.statusCode, renamed.json()]).toEqual(invalid)
    }
    expect((await client.get(at(url, 'foo.md/inner'))).statusCode).toBe(200)
  })

  it('links from a folder whose name looks like an address', async () => {
    const { url } = await newPlace(kind)
    await world.as('developer').post(url, { title: 'a:b?#/c', content: '[x](./y)' })
    const shown = await world.as('guest').get(`${at(url, 'a:b?#/c')}?render_html=true`)
    expect([shown.statusCode, shown.json().content]).toEqual([
      200,
      expect.stringContaining('/-/wikis/a%3Ab%3F%23/y"'),
    ])
  })

  it('takes fifty pages at once', async () => {
    const { url } = await newPlace(kind)
    const client = world.as('developer')
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, at) => client.post(url, { title: `p${at}`, content: 'x' })),
    )
    expect(new Set(made.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect((await client.get(url)).json()).toHaveLength(50)
    const same = await Promise.all(
      Array.from({ length: 10 }, () => client.post(url, { title: 'same', content: 'x' })),
    )
    expect(same.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(400)])
  })

  it('keeps a page in its format, and its file in its ending, where neither is named', async () => {
    const { url } = await newPages(kind, [['p', 'rdoc']])
    const changed = await world.as('developer').put(`${url}/p`, { content: 'new' })
    expect(changed.json()).toMatchObject({ format: 'rdoc', content: 'new' })
  })

  it('refuses a text above the size that is set', async () => {
    const { url } = await newPlace(kind)
    await world.as('admin').put('/application/settings', { wiki_page_max_content_bytes: 1024 })
    try {
      const large = await world.as('developer').post(url, { title: 'p', content: 'x'.repeat(1536) })
      expect([large.statusCode, large.json()]).toEqual([
        400,
        { message: { content: ['is too long (1.5 KB). The maximum size is 1 KB.'] } },
      ])
    } finally {
      await world
        .as('admin')
        .put('/application/settings', { wiki_page_max_content_bytes: 52_428_800 })
    }
  })
})

describe('The wiki of a project', () => {
  it.each([
    ['disabled', 'owner', 403],
    ['private', 'anonymous', 403],
    ['private', 'outsider', 403],
    ['private', 'guest', 200],
    ['enabled', 'anonymous', 200],
  ] as const)(
    'that is %s answers a %s of a public project with %i',
    async (access, who, status) => {
      const { id } = await world.newProject({ group: world.groups.open, visibility: 'public' })
      await world.as('owner').post(`/projects/${id}/wikis`, { title: 'home', content: 'x' })
      await world.as('owner').put(`/projects/${id}`, { wiki_access_level: access })
      const answer = await world.as(who).get(`/projects/${id}/wikis/home`)
      expect(answer.statusCode).toBe(status)
    },
  )

  it('stays as it is while the project is archived', async () => {
    const { id } = await world.newProject()
    const owner = world.as('owner')
    await owner.post(`/projects/${id}/wikis`, { title: 'home', content: 'x' })
    await owner.post(`/projects/${id}/archive`)
    expect((await owner.put(`/projects/${id}/wikis/home`, { content: 'y' })).statusCode).toBe(403)
    expect((await owner.get(`/projects/${id}/wikis/home`)).json().content).toBe('x')
  })

  it('is counted in the statistics, and its pages are events', async () => {
    const group = await world.newMemberedGroup()
    const { id } = await world.newProject({ group })
    for (const [owner, title] of [
      [`/projects/${id}`, 'A b'],
      [`/groups/${group.id}`, 'home'],
    ]) {
      const made = await world.as('developer').post(`${owner}/wikis`, { title, content: 'x' })
      expect(made.statusCode, made.body).toBe(201)
    }
    await world.app.worker.drain()
    const { db } = world.app
    await db.updateTable('tasks').set({ run_at: '2020-01-01T00:00:00.000Z' }).execute()
    await world.app.worker.drain()
    const failed = db.selectFrom('tasks').select(['name', 'last_error'])
    expect(await failed.where('last_error', 'is not', null).execute()).toEqual([])
    const project = (await world.as('owner').get(`/projects/${id}?statistics=true`)).json()
    const { wiki_size, storage_size, repository_size } = project.statistics
    expect(wiki_size).toBeGreaterThan(0)
    expect(storage_size).toBe(wiki_size + repository_size)
    const whole = (await world.as('admin').get(`/groups/${group.id}?statistics=true`)).json()
    expect(whole.statistics.wiki_size).toBeGreaterThan(wiki_size)
    const url = `/projects/${id}/events?target_type=wiki`
    const [event, ...others] = (await world.as('guest').get(url)).json()
    expect(others).toEqual([])
    expect(event).toMatchObject({
      action_name: 'created',
      target_type: 'WikiPage::Meta',
      target_title: 'A b',
      wiki_page: { format: 'markdown', slug: 'A-b', title: 'A b' },
    })
    await world.as('owner').put(`/projects/${id}`, { wiki_access_level: 'disabled' })
    expect((await world.as('guest').get(url)).json()).toEqual([])
  })

  it('is searched by who reads it', async () => {
    const { id } = await world.newProject({ group: world.groups.open, visibility: 'public' })
    const url = `/projects/${id}/search?scope=wiki_blobs&search=anvil`
    expect((await world.as('guest').get(url)).json()).toEqual([])
    const page = { title: 'a/Tools', content: 'hammer\nanvil\n' }
    await world.as('owner').post(`/projects/${id}/wikis`, page)
    const found = await world.as('outsider').get(url)
    expect(found.json()).toEqual([
      {
        basename: 'a/Tools',
        data: 'hammer\nanvil\n',
        path: 'a/Tools.md',
        filename: 'a/Tools.md',
        id: null,
        ref: 'main',
        startline: 1,
        project_id: id,
      },
    ])
    await world.as('owner').put(`/projects/${id}`, { wiki_access_level: 'private' })
    expect((await world.as('outsider').get(url)).json()).toEqual([])
    expect((await world.as('guest').get(url)).json()).toHaveLength(1)
  })
})

it('The wiki of a private group is not for who knows the group by a project alone, that of a public group for everybody', async () => {
  const group = await world.newMemberedGroup()
  const project = await world.newProject({ group })
  const { user, client } = await world.newUser()
  const member = { user_id: user.id, access_level: 40 }
  await world.as('owner').post(`/projects/${project.id}/members`, member)
  expect((await client.get(`/groups/${group.id}`)).statusCode).toBe(200)
  const url = `/groups/${group.id}/wikis`
  const statuses = [client, world.as('guest')].map(async (one) => (await one.get(url)).statusCode)
  expect(await Promise.all(statuses)).toEqual([403, 200])
  const open = await world.newGroup({ visibility: 'public' })
  expect((await world.as('outsider').get(`/groups/${open.id}/wikis`)).statusCode).toBe(200)
})
