import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urlOf = ({ id }: Project, path: string, query = '?ref=main') =>
  `/projects/${id}/repository/files/${encodeURIComponent(path)}/rendered${query}`
const render = async (path: string, content: string | Buffer, query?: string) => {
  const where = await world.newProject({ files: { [path]: content } })
  const answer = await world.as('reporter').get(urlOf(where, path, query))
  const page = `/${where.full_path}/-`
  const html = String(answer.json().html)
    .replaceAll(/http:\/\/[^/"]+/g, '')
    .replaceAll(page, '~')
  return { answer, html }
}

describe('GET /projects/:id/repository/files/:file_path/rendered', () => {
  it.each([
    ['anonymous', 'open', 200, undefined],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 200, undefined],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const answer = await world.as(who).get(urlOf(world.projects[place], 'README.md'))
    expect(answer.statusCode).toBe(status)
    if (body) expect(answer.json()).toEqual(body)
  })

  it.each([
    ['README.md', '?ref=nothing', 404, { message: '404 Commit Not Found' }],
    ['none.md', '', 404, { message: '404 File Not Found' }],
    ['../x', '', 400, { error: 'file_path should be a valid file path' }],
  ])('answers %s%s with %i', async (path, query, status, body) => {
    const answer = await world.as('reporter').get(urlOf(world.projects.shut, path, query))
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('tells HTML, what it is written in, and its headings, each with a name', async () => {
    const { answer } = await render('a.md', '# One *two* & x\n\ntext\n\n## One\n\n## One\n')
    expect(answer.json()).toEqual({
      blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      format: 'markdown',
      html:
        '<h1 data-sourcepos="1:1-1:15" dir="auto" id="user-content-one-two--x">One <em>two</em> &amp; x</h1>\n' +
        '<p data-sourcepos="3:1-3:4" dir="auto">text</p>\n' +
        '<h2 data-sourcepos="5:1-5:6" dir="auto" id="user-content-one">One</h2>\n' +
        '<h2 data-sourcepos="7:1-7:6" dir="auto" id="user-content-one-1">One</h2>',
      headings: [
        { level: 1, id: 'user-content-one-two--x', text: 'One two & x' },
        { level: 2, id: 'user-content-one', text: 'One' },
        { level: 2, id: 'user-content-one-1', text: 'One' },
      ],
    })
  })

  it.each([
    ['[a](b.md#part)', 'href="~/blob/main/d%20e/b.md#part"'],
    ['[a](./f/g.md)', 'href="~/blob/main/d%20e/f/g.md"'],
    ['[a](../../../top.md)', 'href="~/blob/main/top.md"'],
    ['[a](/top.md?x=1)', 'href="~/blob/main/top.md?x=1"'],
    ['[a](#part)', 'href="#user-content-part"'],
    ['![a](p.png)', 'src="~/raw/main/d%20e/p.png"'],
    ['<img src="/p.png">', 'src="~/raw/main/p.png"'],
    ['<a href="b.md">b</a>', 'href="~/blob/main/d%20e/b.md"'],
    ['<a name="part"></a>', '<a id="user-content-part"></a>'],
    ['<h2 id="own">x</h2>', '<h2 id="user-content-own">'],
    ['<a href="/\\x.test/y">b</a>', '<a>b</a>'],
    ['<a href="//x.test/y">b</a>', '<a>b</a>'],
    ['<a href="java\nscript:alert(1)">b</a>', '<a>b</a>'],
    ['<img src="data:text/html;base64,PA==">', '<img />'],
    [
      '[a](https://x.test/y)',
      'href="https://x.test/y" rel="nofollow noreferrer noopener" target="_blank"',
    ],
  ])('places %s', async (text, expected) => {
    const where = await world.newProject({ files: { 'd e/a.md': text } })
    const answer = await world.as('reporter').get(urlOf(where, 'd e/a.md'))
    const url = (await world.as('reporter').get(`/projects/${where.id}`)).json().web_url
    const html = answer.json().html.replaceAll(`${url}/-`, '~')
    expect(html).toContain(expected)
    if (!expected.includes('x.test')) expect(html).not.toContain('target=')
  })

  it('keeps the language of code and boxes of tasks', async () => {
    const { html } = await render('a.md', '```ts\nlet a\n```\n\n- [x] done\n')
    expect(html).toContain('class="language-ts">let a\n</code></pre>')
    expect(html).toContain(
      '<input type="checkbox" class="task-list-item-checkbox" disabled checked />',
    )
  })

  it.each([
    [
      'd/a.adoc',
      '== Part\n\nlink:b.adoc[b] <<_part>> image:p.png[]\n\n[source,ruby]\n----\nputs 1\n----\n',
      'asciidoc',
      [
        '<h2 id="user-content-_part">Part</h2>',
        'href="~/blob/HEAD/d/b.adoc"',
        'href="#user-content-_part"',
        'src="~/raw/HEAD/d/p.png"',
        '<code class="language-ruby">puts 1</code>',
      ],
    ],
    [
      'd/a.org',
      '* Part\n[[file:b.org][b]] [[./p.png]]\n#+BEGIN_SRC python\nprint(1)\n#+END_SRC\n',
      'org',
      [
        '<h1 id="user-content-part">Part</h1>',
        'href="~/blob/HEAD/d/b.org"',
        'src="~/raw/HEAD/d/p.png"',
        '<code class="language-python">',
      ],
    ],
    ['d/a.rdoc', '= Part\n\n{b}[b.rb]\n', 'rdoc', ['href="~/blob/HEAD/d/b.rb"']],
    ['LICENSE', '<b>Free</b>\n', 'plaintext', ['<pre>&lt;b&gt;Free&lt;/b&gt;\n</pre>']],
  ])('renders %s', async (path, text, format, expected) => {
    const { answer, html } = await render(path, text, '')
    expect([answer.statusCode, answer.json().format]).toEqual([200, format])
    for (const part of expected) expect(html).toContain(part)
  })

  it.each([
    [
      'a.adoc',
      '[.modal-backdrop]#x#\n\n[.app-shell]\nparagraph\n\n++++\n<div class="overlay" onclick="x">y</div>\n++++\n\nNOTE: note\n\n[source,ruby,role="dialog"]\n----\nx\n----\n',
    ],
    ['b.adoc', 'pass:[<div class="overlay" style="position:fixed">y</div>] stem:[x" onclick="y]\n'],
    [
      'a.org',
      '#+ATTR_HTML: :class overlay :style position:fixed\n[[./p.png]]\n\n@@html:<div class="overlay" onclick="x">y</div>@@\n\n#+BEGIN_EXPORT html\n<div class="overlay">y</div>\n#+END_EXPORT\n\n#+BEGIN_overlay\ny\n#+END_overlay\n',
    ],
    ['a.rdoc', '= x\n\n<div class="overlay" onclick="x">y</div> +a" class="overlay+\n'],
    [
      'a.md',
      '<div class="overlay" onclick="x" style="position:fixed">y</div>\n\n``` overlay" onclick=x\nz\n```\n',
    ],
  ])('lets nothing in %s dress up as a part of the page', async (path, text) => {
    const { answer, html } = await render(path, text)
    expect(answer.statusCode).toBe(200)
    for (const [tag] of html.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/g)) {
      const names = / class="([^"]*)"/.exec(tag)?.[1]?.split(' ') ?? []
      const foreign = names.filter((name: string) => !name.startsWith('language-') && name !== '')
      expect([tag, foreign]).toEqual([tag, []])
      expect(tag.replace(/="[^"]*"/g, '')).not.toMatch(/ (?:on\w+|style)\b/)
    }
  })

  it('follows the reference that was asked for, with its slashes', async () => {
    const where = await world.newProject({ files: { 'a.md': '[b](b.md)' } })
    const branches = `/projects/${where.id}/repository/branches`
    await world.as('owner').post(branches, { branch: 'topic/ä', ref: 'main' })
    const answer = await world.as('reporter').get(urlOf(where, 'a.md', '?ref=topic%2F%C3%A4'))
    expect(answer.json().html).toContain('/-/blob/topic/%C3%A4/b.md"')
  })

  it('refuses what is too large and what is no text', async () => {
    const { answer: large } = await render(
      'a.md',
      'x'.repeat(limits.markdown.page_characters_max + 1),
    )
    expect(large.statusCode).toBe(413)
    const { answer: binary } = await render('a.md', Buffer.from([65, 0, 66]))
    expect([binary.statusCode, binary.json()]).toEqual([400, { message: 'The file is not text' }])
  })

  it('makes a long text once, in a thread, whoever asks for it', async () => {
    const text = '# x\n\nword **bold**\n\n'.repeat(9000)
    const where = await world.newProject({ files: { 'a.md': text } })
    let threads = 0
    const count = () => threads++
    process.on('worker', count)
    try {
      const first = await world.as('reporter').get(urlOf(where, 'a.md'))
      expect([first.statusCode, first.json().headings.length, threads]).toEqual([200, 1000, 1])
      const again = await world.as('owner').get(urlOf(where, 'a.md'))
      expect([again.body === first.body, threads]).toEqual([true, 1])
    } finally {
      process.off('worker', count)
    }
  })
})
