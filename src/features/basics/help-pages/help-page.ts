// The project's documentation, read from the files of the program; it changes only with the program.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../../kernel/limits.ts'
import { addHeadingIds } from '../markdown/headings.ts'
import { renderMarkdown } from '../markdown/markdown.ts'

const root = join(import.meta.dirname, '../../../..')

/** The audience of a page: newcomers, operators, and users of the API. */
export type HelpSection = 'start' | 'operating' | 'api'
/** `path` is the path of the file in the source. `excerpt` is a line that matches the search. */
export type HelpPage = { path: string; title: string; section: HelpSection; excerpt: string | null }

const startPages = ['README.md', 'CHANGELOG.md', 'SECURITY.md']
const furtherPages = ['ARCHITECTURE.md', 'CONTRIBUTING.md']

let paths: Promise<readonly string[]> | undefined

/** Lists the paths of all pages, those for developers of Bloomery too: first those above `docs`, then those in it by name. */
export function listHelpPaths(): Promise<readonly string[]> {
  paths ??= readdir(join(root, 'docs'), { recursive: true }).then((names) => [
    ...startPages,
    ...furtherPages,
    ...names
      .map((name) => `docs/${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.md'))
      .toSorted(),
  ])
  return paths
}

/** Returns undefined for pages for developers of Bloomery. */
function sectionOf(path: string): HelpSection | undefined {
  if (startPages.includes(path)) return 'start'
  if (path.startsWith('docs/operating/')) return 'operating'
  return path.startsWith('docs/api/') ? 'api' : undefined
}

const readPage = (path: string) => readFile(join(root, path), 'utf8')

/** Splits a page into its heading and the text below. */
function splitTitle(path: string, text: string): { title: string; body: string } {
  const [, title = path, body = text] = /^# ([^\n]+)\n(.*)$/s.exec(text) ?? []
  return { title, body }
}

type Guide = Omit<HelpPage, 'excerpt'> & { body: string }

/** Reads the pages for users and operators, one at a time. */
async function* readGuides(): AsyncGenerator<Guide> {
  for (const path of await listHelpPaths()) {
    const section = sectionOf(path)
    if (section !== undefined) yield { path, section, ...splitTitle(path, await readPage(path)) }
  }
}

/** Lists the pages for those who use and run the server. */
export async function listHelpPages(): Promise<HelpPage[]> {
  const pages: HelpPage[] = []
  for await (const { path, title, section } of readGuides()) {
    pages.push({ path, title, section, excerpt: null })
  }
  return pages
}

/**
 * Finds the pages that hold every word of the search: first those with all of them in the title, `limits.help.results_max`
 * in all.
 */
export async function searchHelpPages(search: string): Promise<HelpPage[]> {
  const words = search.toLowerCase().split(/\s+/, limits.help.search_words_max).filter(Boolean)
  const holdsAll = (text: string) => words.every((word) => text.includes(word))
  const titled: HelpPage[] = []
  const others: HelpPage[] = []
  for await (const { path, title, section, body } of readGuides()) {
    if (!holdsAll(`${title}\n${body}`.toLowerCase())) continue
    const found = holdsAll(title.toLowerCase()) ? titled : others
    found.push({ path, title, section, excerpt: excerptOf(body, words) })
  }
  return [...titled, ...others].slice(0, limits.help.results_max)
}

/** Returns the line of a text that contains the most of the words. */
function excerptOf(text: string, words: readonly string[]): string | null {
  let best: string | null = null
  let most = 0
  for (const line of text.split('\n')) {
    const lower = line.toLowerCase()
    const count = words.filter((word) => lower.includes(word)).length
    if (count > most) {
      most = count
      best = line
    }
  }
  return best && withoutMarks(best).slice(0, limits.help.excerpt_characters_max)
}

/** Returns a line of Markdown as plain text; links are replaced by their text. */
function withoutMarks(line: string): string {
  const [first = '', ...others] = line.split('](')
  const text = [first, ...others.map((part) => part.slice(part.indexOf(')') + 1))].join('')
  return text
    .replace(/[|`*#[\]]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Renders a page as safe HTML, with links to other pages below `pagesUrl`. Returns undefined if `path` is not a page. */
export async function renderHelpPage(
  path: string,
  pagesUrl = '/help',
): Promise<{ path: string; title: string; html: string } | undefined> {
  if (!(await listHelpPaths()).includes(path)) return undefined
  const { title, body } = splitTitle(path, await readPage(path))
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const place = { pagesUrl, rawUrl: pagesUrl, folder }
  const { html } = addHeadingIds(await renderMarkdown({ text: body, place }))
  return { path, title, html }
}
