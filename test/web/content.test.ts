import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** A project of its own, asked below its own address; `askAs` uses the token of somebody else. */
async function newProject(name: string) {
  const { ask } = await open()
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', { name })
  return {
    id: project.id,
    base: `/${project.path_with_namespace}`,
    ask: <T>(route: string, body?: object) => {
      const [method, path = ''] = route.split(' ')
      return ask<T>(`${method} /projects/${project.id}${path}`, body)
    },
  }
}

/** Somebody with a token of their own, who may write in a project. */
async function newDeveloper(username: string, project: { id: number }) {
  const { ask } = await open()
  const { id } = await ask<{ id: number }>('POST /users', {
    username,
    name: `Smith ${username}`,
    email: `${username}@forge.example`,
    password: 'a long pass phrase of a smith',
    skip_confirmation: true,
  })
  const { token } = await ask<{ token: string }>(`POST /users/${id}/personal_access_tokens`, {
    name: 'story',
    scopes: ['api'],
    expires_at: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
  })
  await ask(`POST /projects/${project.id}/members`, { user_id: id, access_level: 30 })
  return <T>(route: string, body?: object) => ask<T>(route, body, { token })
}

stories(
  'home, wikis, releases and badges',
  (story) => {
    story('home says what to do next, and a to-do item is done there', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const project = await newProject(`Hearth ${visit.width}`)
      const askAsSmith = await newDeveloper(`hearth${visit.width}`, project)
      const title = `Bellows leak ${visit.width}`
      await askAsSmith(`POST /projects/${project.id}/issues`, { title, description: '@root, see.' })
      const own = `Stoke the fire ${visit.width}`
      const { id } = await ask<{ id: number }>('GET /user')
      await project.ask('POST /issues', { title: own, assignee_ids: [id] })
      await visit.signIn()
      await visit.open('/')
      const needs = page.getByRole('list', { name: /^Needs your attention/ })
      const item = needs.getByRole('listitem').filter({ hasText: title })
      await item.getByText(`by Smith hearth${visit.width}`).waitFor()
      await needs
        .getByRole('listitem')
        .filter({ hasText: own })
        .getByText('Assigned to you')
        .waitFor()
      await page.getByRole('heading', { name: 'Waiting for others (0)' }).waitFor()
      const listed = page.getByRole('list', { name: 'Your projects' })
      await listed.getByRole('link', { name: project.base.slice(1) }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(item.getByRole('button', { name: 'Mark as done' }))
      await item.waitFor({ state: 'detached' })
      const pending = await ask<{ target: { title: string } }[]>('GET /todos')
      expect(pending.map(({ target }) => target.title)).not.toContain(title)

      await visit.press(page.getByRole('link', { name: 'To-do list' }))
      await page.getByRole('heading', { level: 1, name: 'To-do list' }).waitFor()
      await visit.press(page.getByRole('link', { name: 'Done', exact: true }))
      await page.getByRole('link', { name: title }).waitFor()
      expect(new URL(page.url()).search).toBe('?state=done')
      await visit.checkAccess()
      await visit.checkWidth()
      await page.getByLabel('Reason').selectOption('review_requested')
      await page.getByText('No matching to-do items').waitFor()

      await askAsSmith(`POST /projects/${project.id}/issues`, {
        title: 'Again',
        description: '@root',
      })
      await visit.open('/dashboard/todos')
      await visit.press(page.getByRole('button', { name: 'Mark all as done' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Mark all as done' }))
      await page.getByText('No to-do items').waitFor()
      await expect.poll(() => ask('GET /todos')).toEqual([])
    })

    story('a wiki page is written, and what somebody else changed is not lost', async (visit) => {
      const { page } = visit
      const project = await newProject(`Lore ${visit.width}`)
      type Page = { slug: string; title: string; content: string }
      const pageOf = (slug: string) => project.ask<Page>(`GET /wikis/${encodeURIComponent(slug)}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/wikis`)
      await page.getByText('No pages yet').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'Create home page' }))
      const content = page.getByLabel('Content', { exact: true })
      await visit.write(content, '# Welcome\n\nSee [heat](tempering/heat).')
      await visit.press(page.getByRole('button', { name: 'Preview' }))
      await page.locator('.comment-box-preview h1', { hasText: 'Welcome' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create page' }))
      await page.getByRole('heading', { level: 1, name: 'home' }).waitFor()
      await page.locator('.prose h1', { hasText: 'Welcome' }).waitFor()
      await expect.poll(async () => (await pageOf('home')).content).toContain('# Welcome')

      await visit.press(page.getByRole('link', { name: 'heat' }))
      await page.getByText('This page does not exist').waitFor()
      await visit.press(page.getByRole('link', { name: 'Create page' }))
      expect(await page.getByLabel('Title').inputValue()).toBe('tempering/heat')
      await visit.write(content, 'Cherry red.')
      await visit.press(page.getByRole('button', { name: 'Create page' }))
      await page.locator('.prose', { hasText: 'Cherry red.' }).waitFor()
      const tree = page.getByRole('navigation', { name: 'Pages' })
      await tree.getByRole('link', { name: 'home' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.press(page.getByRole('link', { name: 'Edit page' }))
      await visit.write(content, 'Cherry red, then **straw**.')
      await project.ask('PUT /wikis/tempering%2Fheat', { content: 'Dull red.' })
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Someone else changed this while you were editing').waitFor()
      await page.getByText('Dull red.').waitFor()
      await expect.poll(async () => (await pageOf('tempering/heat')).content).toBe('Dull red.')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Save my version' }))
      await page.locator('.prose strong', { hasText: 'straw' }).waitFor()
      await expect
        .poll(async () => (await pageOf('tempering/heat')).content)
        .toBe('Cherry red, then **straw**.')

      await visit.press(page.getByRole('link', { name: 'Edit page' }))
      await visit.write(page.getByLabel('Title'), 'Colours')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByRole('heading', { level: 1, name: 'Colours' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${project.base}/-/wikis/tempering/Colours`)

      await visit.press(page.getByRole('button', { name: 'Delete page' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete page' }))
      await page.locator('.prose h1', { hasText: 'Welcome' }).waitFor()
      await expect.poll(() => project.ask('GET /wikis')).toMatchObject([{ slug: 'home' }])
    })

    for (const kind of ['project', 'group'] as const) {
      story(`the history of a wiki page of a ${kind} is compared and restored`, async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const name = `past-of-a-${kind}-${visit.width}`
        const { id } = await ask<{ id: number }>(`POST /${kind}s`, { name, path: name })
        const own = `/${kind}s/${id}`
        const base = kind === 'group' ? `/groups/${name}` : `/root/${name}`
        const heat = `${own}/wikis/tempering%2Fheat`
        await ask(`POST ${own}/wikis`, { title: 'tempering/heat', content: 'Red\n\nDull\n' })
        await ask(`PUT ${heat}`, { content: 'Red\n\nBright\n' })
        await ask(`PUT ${heat}`, { content: 'White\n\nBright\n' })
        const versions = await ask<{ id: string; short_id: string }[]>(`GET ${heat}/versions`)
        const [newest, second, first] = versions.map(({ short_id }) => short_id)
        await visit.signIn()
        await visit.open(`${base}/-/wikis/tempering/heat`)
        await visit.press(page.getByRole('link', { name: 'Page history' }))
        const list = page.getByRole('list', { name: 'Versions' })
        await list.getByText('Newest version').waitFor()
        expect(await list.getByRole('listitem').count()).toBe(3)
        await visit.checkAccess()
        await visit.checkWidth()

        await visit.press(page.getByRole('link', { name: `Changes in version ${second}` }))
        await page.locator('.diff-file', { hasText: 'Dull' }).waitFor()
        await page.locator('.diff-file', { hasText: 'Bright' }).waitFor()
        expect(await page.locator('.diff-file', { hasText: 'White' }).count()).toBe(0)
        await visit.checkAccess()
        await visit.checkWidth()

        await page.goBack()
        await visit.press(page.getByRole('radio', { name: `From version ${first}` }))
        await visit.press(page.getByRole('radio', { name: `To version ${newest}` }))
        await visit.press(page.getByRole('button', { name: 'Compare versions' }))
        await page.locator('.diff-file', { hasText: 'Dull' }).waitFor()
        await page.locator('.diff-file', { hasText: 'White' }).waitFor()

        await visit.press(page.getByRole('link', { name: 'Page history' }))
        await visit.press(list.getByRole('link', { name: /created page/ }))
        await page.getByText('This is an old version of this page.').waitFor()
        expect(new URL(page.url()).searchParams.get('version_id')).toBe(versions[2]?.id)
        await page.locator('.prose', { hasText: 'Dull' }).waitFor()
        expect(await page.getByRole('link', { name: 'Edit page' }).count()).toBe(0)
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(page.getByRole('link', { name: 'Compare with newest version' }))
        await page.locator('.diff-file', { hasText: 'White' }).waitFor()
        await page.goBack()
        await visit.press(page.getByRole('button', { name: 'Restore this version' }))
        await page.getByText('This is an old version of this page.').waitFor({ state: 'detached' })
        await page.locator('.prose', { hasText: 'Dull' }).waitFor()
        await expect
          .poll(async () => (await ask<{ content: string }>(`GET ${heat}`)).content)
          .toBe('Red\n\nDull\n')
        await expect.poll(async () => (await ask<object[]>(`GET ${heat}/versions`)).length).toBe(4)
      })
    }

    story('a file is added to a wiki page, and the wiki of a group is written', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const path = `smithy-${visit.width}`
      const { id } = await ask<{ id: number }>('POST /groups', { name: path, path })
      await visit.signIn()
      await visit.open(`/groups/${path}`)
      await visit.press(page.getByRole('link', { name: 'Wiki', exact: true }))
      await visit.press(page.getByRole('link', { name: 'Create home page' }))
      const content = page.getByLabel('Content', { exact: true })
      await visit.write(content, 'Tongs: ')
      const chosen = page.waitForEvent('filechooser')
      await visit.press(page.getByRole('button', { name: 'Attach a file' }))
      const file = { name: 'tongs.txt', mimeType: 'text/plain', buffer: Buffer.from('long\n') }
      await (await chosen).setFiles(file)
      await expect.poll(() => content.inputValue()).toMatch(/\[tongs\.txt\]\(uploads\//)
      await visit.press(page.getByRole('button', { name: 'Create page' }))
      await page.locator('.prose', { hasText: 'Tongs' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const home = await ask<{ content: string }>(`GET /groups/${id}/wikis/home`)
      expect(home.content).toMatch(/^Tongs: \[tongs\.txt\]\(uploads\/[0-9a-f]{32}\/tongs\.txt\)/)
      const link = page.getByRole('link', { name: 'tongs.txt' })
      const file_path = (await link.getAttribute('href')) ?? ''
      const read = await visit.context.request.get(file_path)
      expect([read.status(), await read.text()]).toEqual([200, 'long\n'])
      expect(read.headers()['content-disposition']).toContain('attachment; filename="tongs.txt"')
      // The group is private.
      const { url } = await open()
      expect((await fetch(new URL(file_path, url))).status).toBe(404)
    })

    story('the releases of a group are those of all its projects', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const path = `smiths-${width}`
      const group = await ask<{ id: number }>('POST /groups', {
        ...{ name: path, path, visibility: 'private' },
      })
      for (const [name, tag_name, released_at] of [
        ['Bellows', 'v1.0', '2020-05-01T00:00:00Z'],
        ['Tongs', 'rel/2', '2199-05-01T00:00:00Z'],
      ] as const) {
        const project = await ask<{ id: number }>('POST /projects', {
          ...{ name, path: name.toLowerCase(), namespace_id: group.id },
          ...{ visibility: 'private', initialize_with_readme: true },
        })
        const named = `${name} <img src=x onerror=alert(1)>`
        const release = { name: named, tag_name, ref: 'main', released_at }
        await ask(`POST /projects/${project.id}/releases`, release)
      }
      const login = `guest-${width}`
      const password = 'a pass phrase of a guest'
      const guest = await ask<{ id: number }>('POST /users', {
        ...{ username: login, name: login, email: `${login}@smiths.test`, password },
        skip_confirmation: true,
      })
      await ask(`POST /groups/${group.id}/members`, { user_id: guest.id, access_level: 10 })

      await visit.signIn()
      await visit.open(`/groups/${path}`)
      const tabs = page.getByRole('navigation', { name: 'Group', exact: true })
      await visit.press(tabs.getByRole('link', { name: 'Releases' }))
      await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
      expect(await tabs.locator('[aria-current]').allInnerTexts()).toEqual(['Releases'])
      const rows = page.getByRole('list', { name: 'Releases' }).getByRole('listitem')
      await expect.poll(() => rows.count()).toBe(2)
      await rows.nth(0).getByText('upcoming release').waitFor()
      await rows.nth(0).getByText(`${path}/tongs`).waitFor()
      expect(await rows.nth(1).innerText()).toContain('Bellows <img src=x onerror=alert(1)>')
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await visit.findMisplaced()).toEqual([])
      await visit.press(rows.nth(0).getByRole('link', { name: 'Tongs <img' }))
      await page.waitForURL(`**/${path}/tongs/-/releases/rel*2`)
      await page.getByRole('heading', { level: 1, name: 'Tongs <img' }).waitFor()

      // Who may not read the code is not told what was released.
      await visit.signIn({ login, password })
      await visit.open(`/groups/${path}/-/releases`)
      await expect.poll(() => rows.count()).toBe(2)
      expect(await rows.getByRole('link').count()).toBe(0)
      expect(await page.locator('main').innerText()).not.toContain('Tongs')
      await visit.checkAccess()
    })

    story('a release is made of a new tag, with notes of what was merged', async (visit) => {
      const { page } = visit
      const clone = await newClone(await open(), `Anvil ${visit.width}`)
      const { ask } = await open()
      const project = await ask<{ id: number }>(
        `GET /projects/${encodeURIComponent(clone.path.slice(1))}`,
      )
      const at = `/projects/${project.id}`
      await clone.commit('Begin', { 'a.txt': 'one\n' })
      await clone.git('tag', '-a', 'v1.0.0', '-m', 'First')
      await clone.git('checkout', '-q', '-b', 'topic')
      await clone.commit('Harden the face', { 'b.txt': 'b\n' })
      await clone.push('main', 'topic', 'v1.0.0')
      await ask(`POST ${at}/milestones`, { title: 'Spring' })
      await ask(`POST ${at}/merge_requests`, {
        title: 'Harder face',
        source_branch: 'topic',
        target_branch: 'main',
      })
      const merged = () =>
        ask(`PUT ${at}/merge_requests/1/merge`).then(
          () => true,
          () => false,
        )
      await expect.poll(merged, { timeout: 20_000 }).toBe(true)
      await visit.signIn()
      const refused: string[] = []
      page.on('response', (one) => {
        if (one.status() >= 400) refused.push(one.url())
      })
      await visit.open(clone.path)
      const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
      await visit.press(tabs.getByRole('link', { name: 'Releases' }))
      await page.getByText('No releases yet').waitFor()
      expect(await tabs.locator('[aria-current]').allInnerTexts()).toEqual(['Releases'])
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'New release' }).first())
      const tag = page.getByRole('combobox', { name: 'Tag', exact: true })
      // Left before the page has drawn what was typed.
      await tag.evaluate((field: HTMLInputElement) => {
        field.focus()
        field.value = 'v1.0.1'
        field.dispatchEvent(new Event('input', { bubbles: true }))
        field.blur()
      })
      await page.getByText('This tag does not exist yet').waitFor()
      await visit.write(tag, 'v1.1.0')
      await visit.enter(page.getByLabel('Title'))
      await page.getByText('This tag does not exist yet').waitFor()
      await visit.write(page.getByLabel('Title'), 'Harder')
      await visit.press(page.getByRole('button', { name: 'Milestones' }))
      await visit.press(page.getByRole('option', { name: 'Spring' }))
      await page.keyboard.press('Escape')
      await visit.press(page.getByRole('button', { name: 'Generate notes' }))
      await visit.press(page.getByRole('menuitem', { name: 'Generate from merge requests' }))
      const notes = page.getByLabel('Release notes', { exact: true })
      await expect.poll(() => notes.inputValue()).toBe('## Merged\n\n- Harder face (!1) by @root')
      await visit.press(page.getByRole('button', { name: 'Add link' }))
      await visit.write(page.getByLabel('Name of link 1'), 'Handbook')
      await visit.write(page.getByLabel('URL of link 1'), 'https://docs.example.test/1.1')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create release' }))
      await page.getByRole('heading', { level: 1, name: 'Harder' }).waitFor()
      expect(refused).toEqual([])
      await page.locator('.prose', { hasText: 'Harder face' }).waitFor()
      await page.getByRole('link', { name: 'Source code (zip)' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      type Release = { milestones?: { title: string }[]; assets: { links: { name: string }[] } }
      const release = () => ask<Release>(`GET ${at}/releases/v1.1.0`)
      expect((await release()).milestones).toMatchObject([{ title: 'Spring' }])

      await visit.press(page.getByRole('link', { name: 'Edit release' }))
      await visit.write(page.getByLabel('Name of link 1'), 'Manual')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByRole('link', { name: 'Manual' }).waitFor()
      expect((await release()).assets.links).toMatchObject([{ name: 'Manual' }])

      await visit.press(page.getByRole('button', { name: 'Delete release' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete release' }))
      await page.getByText('No releases yet').waitFor()
      await expect.poll(() => ask(`GET ${at}/releases`)).toEqual([])
      await expect
        .poll(() => ask(`GET ${at}/repository/tags/v1.1.0`))
        .toMatchObject({ name: 'v1.1.0' })
    })

    story('a badge is previewed, added, changed and deleted', async (visit) => {
      const { page } = visit
      const { url } = await open()
      const project = await newProject(`Shield ${visit.width}`)
      type Badge = { name: string; image_url: string }
      const badges = () => project.ask<Badge[]>('GET /badges')
      await visit.signIn()
      await visit.open(`${project.base}/-/settings/general`)
      const part = page.locator('#badges')
      await part.getByText('No badges yet').waitFor()
      await visit.press(part.getByRole('button', { name: 'Add badge' }))
      const dialog = page.getByRole('dialog', { name: 'Add badge' })
      await visit.write(dialog.getByLabel('Name'), 'build')
      await visit.write(dialog.getByLabel('Link', { exact: true }), `${url}/`)
      await visit.press(dialog.getByRole('button', { name: 'Insert placeholder into link' }))
      await visit.press(dialog.getByRole('menuitem', { name: 'Project path' }))
      await visit.write(
        dialog.getByLabel('Image URL', { exact: true }),
        `${url}/%{project_path}/badges/main/pipeline.svg`,
      )
      const picture = dialog.getByRole('region', { name: 'Preview' }).getByRole('img')
      await expect
        .poll(() => picture.getAttribute('src'))
        .toBe(`${url}${project.base}/badges/main/pipeline.svg`)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(dialog.getByRole('button', { name: 'Add badge' }))
      await part.getByRole('img', { name: 'build' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await badges()).toMatchObject([{ name: 'build', link_url: `${url}/%{project_path}` }])

      await visit.press(part.getByRole('button', { name: 'Edit build' }))
      await visit.write(page.getByRole('dialog').getByLabel('Name'), 'pipeline')
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Save changes' }))
      await visit.press(part.getByRole('button', { name: 'Delete pipeline' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete badge' }))
      await part.getByText('No badges yet').waitFor()
      expect(await badges()).toEqual([])
    })
  },
  open,
)
