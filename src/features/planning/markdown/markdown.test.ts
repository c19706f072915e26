import { beforeAll, describe, expect, it } from 'vitest'
import { growthOf } from '../../../../test/kit/hostile.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { renderMarkdownHtml as renderText } from '../../basics/markdown/render.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const render = async (
  text: string,
  more: object = {},
  who: Parameters<World['as']>[0] = 'owner',
) => {
  const answer = await world.as(who).post('/markdown', { text, ...more })
  return [answer.statusCode, answer.json().html]
}

/** Start tags outside of what KaTeX made, as a browser reads them. */
function tagsOf(html: string): RegExpMatchArray[] {
  const own = html.replace(/<span class="katex(?:-display)?">.*?<\/math><\/span>/gs, '')
  return [...own.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/g)]
}

describe('Markdown', () => {
  it('is rendered for anybody, and says where each block came from', async () => {
    expect(await render('# Hello\n\n*world*', {}, 'anonymous')).toEqual([
      201,
      '<h1 data-sourcepos="1:1-1:7" dir="auto">Hello</h1>\n<p data-sourcepos="3:1-3:7" dir="auto"><em>world</em></p>',
    ])
    const missing = await world.as('owner').post('/markdown', {})
    expect([missing.statusCode, missing.json()]).toEqual([400, { error: 'text is missing' }])
  })

  it.each([
    ['<script>alert(1)</script>x', 'script'],
    ['<img src=x onerror=alert(1)>', 'onerror'],
    ['[a](javascript:alert(1))', 'javascript:'],
    ['<a href="&#106;avascript:alert(1)">x</a>', 'href'],
    ['<iframe src="https://x.test"></iframe>', 'iframe'],
    ['<form action="https://x.test"><button>b</button></form>', 'form'],
    ['<p style="position:fixed">x</p>', 'style'],
    ['![x](data:text/html;base64,PHNjcmlwdD4=)', 'data:text'],
    ['<svg onload=alert(1)><use href="#x"/></svg>', 'svg'],
    ['<input type="text" autofocus onfocus=alert(1)>', 'onfocus'],
  ])('lets nothing through that runs or loads: %s', async (text, forbidden) => {
    const [, html] = await render(text)
    expect(String(html).replaceAll('&lt;', '')).not.toContain(`<${forbidden}`)
    expect(html).not.toMatch(new RegExp(`<[^>]*${forbidden}`))
  })

  const math = (html: string, attributes = '') =>
    `<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"${attributes}><semantics><mrow>${html}</semantics></math></span>`
  const x = '<mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation>'
  const block = ' display="block"'

  it.each([
    ['a $x$, ($x$)', `a ${math(x)}, (${math(x)})`],
    ['$`x`$ and `$x$`', `${math(x)} and <code>$x$</code>`],
    ['a $$x$$', `a ${math(x, block)}`],
    ['$$\nx\n$$', math(x, block)],
    ['```math\nx\n```', math(x, block)],
    ['- $$\n  x\n  $$', math(x, block)],
  ])('draws formulas: %s', async (text, expected) => {
    const [status, html] = await render(text)
    expect(status).toBe(201)
    expect(html).toContain(`dir="auto">${expected}</p>`)
  })

  it.each([
    ['from $5 to $10, US$5-$6, $ x $'],
    ['$HOME/$USER and $a-$b, x$y$'],
    ['https://x.test/$a/?b=$c'],
    ['\\$x$'],
    ['$\\frac{$'],
    ['$a'],
    [`$${'x'.repeat(2_000)}$`],
  ])('leaves what is no formula: %s', async (text) => {
    const [, html] = await render(text)
    expect(html).not.toContain('<math')
    expect(String(html).replace(/<[^>]*>/g, '')).toBe(text.replace('\\$', '$'))
  })

  it('takes nothing from behind the list that a formula begins in', async () => {
    const [, html] = await render('- $$\n  a\n\nb\n\n$$')
    expect(html).toMatch(/^<ul.*<\/ul>\s*<p[^>]*>b<\/p>\s*<p[^>]*>\$\$<\/p>$/s)
    expect(html).not.toContain('<math')
  })

  it('lets nothing of a formula be more than one', async () => {
    const tex = '\\text{</math><script>alert(1)</script>} \\href{javascript:alert(1)}{x}'
    const styled = '\\htmlStyle{position:fixed}{x} \\includegraphics{https://x.test/a.png}'
    const [, html] = await render(
      `$${tex}$ $${styled}$ <math><mtext><style>x</style></mtext></math>`,
    )
    expect(html).not.toMatch(/<(?:script|style|a|img)\b|<[^>]*(?:style|href|src)=/)
    expect(String(html).match(/<math/g)).toHaveLength(2)
    const [, shown] = await render('<b title="$x$">$x$</b>')
    expect(shown).toContain(`<b title="$x$">${math(x)}</b>`)
  })

  it.each([
    ['a title', "<div title='\n\n$x$\n\n'>y</div>"],
    ['a title with quotes', '<div title=\'\n\n$\\text{" onclick=alert(1) x="}$\n\n\'>y</div>'],
    ['a title of a link', '[a](https://x.test "$x$ and $\\text{\' onclick=alert(1)}$")'],
    ['a picture', '![$x$ $\\text{" onerror=alert(1)}$](https://x.test/a.png)'],
    [
      'a text for a picture',
      "<div><img src='/a.png' alt='\n\n$`x`$\n\n$\\text{\" onerror=alert(1) }$\n\n'>",
    ],
    ['a block within a title', "<div title='\n\n```math\nx\n```\n\n'>y</div>"],
    ['a class', '<p class="\n\n```math\nx\n```\n\n">y</p>'],
    ['a list of attributes', '<div\n\n$\\text{onclick=alert(1)}$\n\n>y</div>'],
    ['a comment', '<!--\n\n$x$\n\n-->'],
    ['an element that is taken out', '<script>\n\n$x$\n\n</script><style>$x$</style>'],
  ])('puts no formula into %s', async (_, text) => {
    const [status, html] = await render(text)
    expect(status).toBe(201)
    // What KaTeX made begins nowhere within quotes.
    expect(html).not.toMatch(/="[^"<>]*<(?:p|span|math)/)
    for (const [tag] of tagsOf(html)) {
      // Every value of an attribute ends where it began.
      const bare = tag.replace(/="[^"<>]*"/g, '')
      expect(bare).not.toMatch(/<math|<span|\s(?:on\w+|class)\b|["=]/)
    }
  })

  it.each([
    ['a', 'modal-backdrop'],
    ['div', 'app-shell dialog'],
    ['p', 'gfm'],
    ['span', 'katex'],
    ['pre', 'language-ts'],
    ['code', 'button primary'],
    ['li', 'nav'],
    ['input', 'field'],
    ['img', 'avatar'],
    ['table', 'dropdown'],
    ['details', 'menu'],
    ['video', 'overlay'],
  ])('lets no <%s> dress up as a part of the page', async (tag, name) => {
    const [, html] = await render(`<${tag} class="${name}" id="main" style="inset:0">x</${tag}>`)
    expect(html).not.toMatch(/class="[^"]|style=/)
  })

  it('draws very many formulas in a thread, as others do', async () => {
    const [status, html] = await render('$x$ '.repeat(1_500))
    expect([status, String(html).match(/<math/g)?.length]).toEqual([201, 1_500])
  })

  it('has tables, boxes and links of bare addresses', async () => {
    const [, html] = await render(
      '|a|b|\n|-|:-:|\n|1|2|\n\n- [x] done\n- [ ] open\n\nhttps://x.test',
    )
    expect(html).toContain('<td align="center">2</td>')
    expect(html).toContain(
      '<input type="checkbox" class="task-list-item-checkbox" disabled checked />',
    )
    expect(html).toContain(
      '<a href="https://x.test" rel="nofollow noreferrer noopener" target="_blank">https://x.test</a>',
    )
  })

  it('aligns cells, paragraphs and headings without a style, which the policy of pages blocks', async () => {
    const [, html] = await render(
      '|a|b|\n|:-|-:|\n|1|2|\n\n<p align="center">x</p>\n\n<h1 align="right">y</h1>\n\n<div align="end" style="text-align:right">z</div>',
    )
    expect(html).toContain('<td align="left">1</td>\n<td align="right">2</td>')
    expect(html).toContain('<p align="center">x</p>')
    expect(html).toContain('<h1 align="right">y</h1>')
    expect(html).toMatch(/<div[^>]*>z<\/div>$/)
    expect(html).not.toMatch(/style|"end"/)
  })

  const bare = (html: unknown) => String(html).replace(/ (?:data-sourcepos|dir)="[^"]*"/g, '')

  it('moves footnotes below the text, in the order of their references', async () => {
    const text =
      'a[^b], b[^1], again[^B], none[^x]\n\n[^1]: *One*\n[^b]: Two\n\n    more[^1]\n[^c]: unused\n\nend'
    const [, html] = await render(text)
    const shown = bare(html).replaceAll(/-[0-9a-f]{8}/g, '')
    const ref = (of: number, at: number) =>
      `<sup><a href="#user-content-fn-${of}" id="user-content-fnref-${of}-${at}">${of}</a></sup>`
    const back = (of: number, at: number) =>
      ` <a href="#user-content-fnref-${of}-${at}" title="Back to the text">↩</a>`
    expect(shown).toBe(
      `<p>a${ref(1, 1)}, b${ref(2, 1)}, again${ref(1, 2)}, none[^x]</p>\n<p>end</p>\n` +
        '<section class="footnotes">\n<ol>\n' +
        `<li id="user-content-fn-1">\n<p>Two</p>\n<p>more${ref(2, 2)}</p>\n${back(1, 1)}${back(1, 2)}</li>\n` +
        `<li id="user-content-fn-2">\n<p><em>One</em></p>\n${back(2, 1)}${back(2, 2)}</li>\n` +
        '</ol>\n</section>',
    )
    const [, other] = await render(`${text}!`)
    expect(/fn-1-([0-9a-f]{8})"/.exec(String(other))?.[1]).not.toBe(
      /fn-1-([0-9a-f]{8})"/.exec(String(html))?.[1],
    )
  })

  it.each([
    ['> [!note]\n> x', 'note', 'Note', '<p>x</p>'],
    ['> [!WARNING] Data <b> loss\n> x', 'warning', 'Data &lt;b&gt; loss', '<p>x</p>'],
    ['> [!tip]\n>\n> x', 'tip', 'Tip', '\n<p>x</p>'],
    ['>>> [!caution] Mind\nx\n\n- y\n>>>', 'caution', 'Mind', '<p>x</p>\n<ul>\n<li>y</li>\n</ul>'],
    ['>>>\n[!important]\nx\n>>>', 'important', 'Important', '<p>x</p>'],
  ])('makes an alert of %j', async (text, kind, title, inner) => {
    const [, html] = await render(text)
    expect(bare(html)).toBe(
      `<div class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title">${title}</p>\n${inner}\n</div>`,
    )
  })

  it('leaves quotes that are no alerts', async () => {
    const [, html] = await render('> [!other]\n> x\n\n>>>\ny\n>>>\n\n>>> [!none]\nz')
    expect(html).not.toContain('markdown-alert')
    expect(bare(html)).toContain('<blockquote>\n<p>y</p>\n</blockquote>')
  })

  it('shows emoji for short codes, but in code, addresses and times', async () => {
    const [, html] = await render(
      ':tada: **:+1:** `:tada:` :none: 10:30:45 https://x.test/:tada: a:tada:b',
    )
    expect(String(html).replace(/<[^>]*>/g, '')).toBe(
      '🎉 👍 :tada: :none: 10:30:45 https://x.test/:tada: a:tada:b',
    )
  })

  it.each(['[[_TOC_]]', '[TOC]'])('lists the headings in the place of %s', async (mark) => {
    const [, html] = await render(`${mark}\n\n# A *b* <\n\n### C $x$\n\n## D\n\n${mark}`)
    const link = (id: string, text: string) => `<li><a href="#user-content-${id}">${text}</a>`
    const list = `<nav class="table-of-contents"><ul>${link('a-b-', 'A b &lt;')}<ul>${link('c-x', 'C x')}</li></ul><ul>${link('d', 'D')}</li></ul></li></ul></nav>`
    expect(html).toContain(list)
    expect(html).toContain('<h2 data-sourcepos="7:1-7:4" dir="auto" id="user-content-d">D</h2>')
    expect(String(html).split(list)).toHaveLength(2)
    expect(html).toMatch(/TOC.*\]<\/p>$/)
  })

  it.each([
    ['footnotes', '[^a]: [^a] x\n[^b]: [^a]\n'],
    ['open quotes', '>>> [!note]\nx\n'],
    ['lists of contents', '[TOC]\n\n# a\n\n'],
    ['short codes', ':tada'],
    ['brackets of footnotes', '[^'],
    ['alerts', '> [!note]\n'],
    ['names with quotes', '~"'],
    ['names', '%a.'],
  ])('takes no longer than the text is long: very many %s', async (_, unit) => {
    const growth = await growthOf(200_000, (length) =>
      renderText({ text: unit.repeat(length / unit.length), links: {} }, 0),
    )
    expect(growth).toBeUndefined()
  })

  it('links what it names in a project, as far as the caller sees it', async () => {
    const { shut } = world.projects
    const issues = `/projects/${shut.id}/issues`
    await world.as('owner').post(issues, { title: 'Secret', confidential: true })
    await world.as('owner').post(issues, { title: 'Open' })
    const { username } = world.users.guest
    const text = `#1, #2, #99, \`#2\` and @${username}; ![a](/uploads/x/a.png)`
    const options = { gfm: true, project: shut.full_path }
    const [status, html] = await render(text, options, 'guest')
    expect(status).toBe(201)
    expect(String(html).match(/gfm-\w+/g)).toEqual(['gfm-issue', 'gfm-project_member'])
    expect(html).toContain(`/${shut.full_path}/-/issues/2" title="Open"`)
    expect(html).toContain(`/${shut.full_path}/uploads/x/a.png"`)
    expect(html).toContain('<code>#2</code>')
    const hidden = await world.as('outsider').post('/markdown', { text, ...options })
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: '404 Project Not Found' }])
  })

  it('links labels, milestones and commits, as far as the caller sees them', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    await owner.post(`${url}/labels`, { name: 'two words', color: '#112233' })
    await owner.post(`${url}/labels`, {
      name: 'type::bug',
      color: '#112233',
      description: 'Broken',
    })
    await owner.post(`${url}/milestones`, { title: 'v1.0' })
    const [{ id: hash }] = (await owner.get(`${url}/repository/commits`)).json()
    const short = hash.slice(0, 10)
    const text = `~"two words", ~type::bug: 50%v1.0 a~type::bug %v1.0. ${short} ${hash} \`${hash}\` deadbeef ~none`
    const options = { gfm: true, project: project.full_path }
    const [, html] = await render(text, options)
    const found = /<a href="([^"]*)" title="([^"]*)" class="gfm gfm-(\w+)"[^>]*>([^<]*)<\/a>/g
    const base = `http://bloomery.test/${project.full_path}/-`
    const issues = `${base}/issues?label_name%5B%5D`
    const commit = [`${base}/commit/${hash}`, hash.slice(0, 8), 'commit', hash.slice(0, 8)]
    expect(
      [...String(html).matchAll(found)].map(([, href, title, kind, shown]) => {
        return [href, kind === 'commit' ? hash.slice(0, 8) : title, kind, shown]
      }),
    ).toEqual([
      [`${issues}=two%20words`, 'two words', 'label', '~"two words"'],
      [`${issues}=type%3A%3Abug`, 'Broken', 'label', '~type::bug'],
      [`${base}/milestones/1`, 'v1.0', 'milestone', '%v1.0'],
      commit,
      commit,
    ])
    const [, seen] = await render(text, options, 'guest')
    expect(seen).not.toContain('gfm-commit')
    expect(seen).toContain('gfm-label')
  })

  it('is searched for names in its first words alone', async () => {
    const { full_path: project } = world.projects.shut
    const name = `@${world.users.owner.username}`
    const linked = async (words: number) => {
      const [, html] = await render(`${'a '.repeat(words)}${name}`, { gfm: true, project })
      return String(html).includes('gfm-project_member')
    }
    const { reference_words_max } = limits
    expect(await linked(reference_words_max - 1)).toBe(true)
    expect(await linked(reference_words_max)).toBe(false)
  })

  it('is rendered in a thread where it is long', async () => {
    const [status, html] = await render('word **bold** #1\n\n'.repeat(2000), {
      gfm: true,
      project: world.projects.shut.full_path,
    })
    expect([status, String(html).split('<strong>').length]).toEqual([201, 2001])
  })
})

describe('GET /projects/:id/references', () => {
  const ask = async (
    names: string[],
    { where = world.projects.shut, who = 'owner' as Parameters<World['as']>[0] } = {},
  ) => {
    const query = new URLSearchParams(names.map((name) => ['names[]', name]))
    const answer = await world.as(who).get(`/projects/${where.id}/references?${query}`)
    return [answer.statusCode, answer.json()]
  }

  it('answers what the names lead to, as far as the caller sees it', async () => {
    const where = await world.newProject()
    const issues = `/projects/${where.id}/issues`
    await world.as('owner').post(issues, { title: 'Open' })
    await world.as('owner').post(issues, { title: 'Secret', confidential: true })
    const { username, name } = world.users.guest
    const names = ['#1', '#2', `@${username}`, `${where.full_path}#1`, '~none', '!1', 'word']
    const base = 'http://bloomery.test'
    const issue = { kind: 'issue', url: `${base}/${where.full_path}/-/issues/1`, title: 'Open' }
    const user = { kind: 'project_member', url: `${base}/${username}`, title: name }
    expect(await ask(names, { where, who: 'guest' })).toEqual([
      200,
      [
        { name: '#1', ...issue, text: '#1' },
        { name: `@${username}`, ...user, text: `@${username}` },
        { name: `${where.full_path}#1`, ...issue, text: `${where.full_path}#1` },
      ],
    ])
    const [, seen] = await ask(['#2'], { where })
    expect(seen).toMatchObject([{ name: '#2', title: 'Secret' }])
  })

  it('refuses whoever does not see the project, and too many names', async () => {
    expect(await ask(['#1'], { who: 'outsider' })).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    const [status] = await ask(Array.from({ length: 101 }, (_, at) => `#${at + 1}`))
    expect(status).toBe(400)
  })
})
