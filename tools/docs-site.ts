// Writes the documentation as a site of plain files, whose links are relative, so that it may lie at any address:
// `npm run docs:site [folder]`, `public` by default. A job `pages` publishes it (.gitlab-ci.yml).
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type HelpPage,
  listHelpPages,
  listHelpPaths,
  renderHelpPage,
} from '../src/features/basics/help-pages/help-page.ts'
import { escapeHtml } from '../src/kernel/html.ts'
import { helpPagesText } from '../web/text/help.ts'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'public'))

const style = `:root { color-scheme: light dark }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 48rem; padding: 1rem }
h1, h2, h3 { line-height: 1.25 }
pre { border: 1px solid; border-radius: .25rem; overflow-x: auto; padding: .75rem }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
pre code { overflow-wrap: normal }
img { max-width: 100% }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { border: 1px solid; padding: .25rem .5rem; text-align: left; vertical-align: top }
:focus-visible { outline: 3px solid; outline-offset: 2px }
`

function documentOf(title: string, content: string, toRoot: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Bloomery</title>
<link rel="stylesheet" href="${toRoot}/style.css">
</head>
<body>
<nav><a href="${toRoot}/index.html">Documentation</a></nav>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}

const addressOf = (path: string) => path.replace(/\.md$/, '.html')

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The way from a page to the top of the site: `.` or `..` as often as it is deep. */
function wayToRoot(path: string): string {
  const depth = path.split('/').length - 1
  return depth === 0 ? '.' : Array(depth).fill('..').join('/')
}

function listOf(pages: readonly HelpPage[]): string {
  const items = pages.map(
    ({ path, title }) => `<li><a href="./${addressOf(path)}">${escapeHtml(title)}</a></li>`,
  )
  return `<ul>\n${items.join('\n')}\n</ul>`
}

rmSync(folder, { recursive: true, force: true })
for (const path of await listHelpPaths()) {
  const toRoot = wayToRoot(path)
  const page = await renderHelpPage(path, toRoot)
  if (!page) throw new Error(`${path}: no such page`)
  const html = page.html.replace(/(href="\.[^"#:]*)\.md(?=["#])/g, '$1.html')
  write(addressOf(path), documentOf(page.title, html, toRoot))
}
const pages = await listHelpPages()
const contents = helpPagesText.sections.map(
  ([section, title]) =>
    `<h2>${title}</h2>\n${listOf(pages.filter((page) => page.section === section))}`,
)
write('index.html', documentOf('Documentation', contents.join('\n'), '.'))
write('style.css', style)
cpSync(join(root, 'docs/pictures'), join(folder, 'docs/pictures'), { recursive: true })
console.log(`${pages.length} pages and what they lead to are in ${folder}`)
