// The HTML that every address of the web interface returns: a constant file whose script requests the rest from the API.
// It reveals nothing about what exists, and differs only by the reader's theme and language.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { parseWebAddress, splitUrlPath } from '../../features/repository/addresses/web-address.ts'
import { isMatchingEtag } from '../../http/conditional.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import { assetFolder } from './assets.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types bloomery',
].join('; ')

type Preloads = {
  plain: Record<string, string[]>
  group: Record<string, string[]>
  project: Record<string, string[]>
  /** Patterns of addresses that the application replaces by others, and of what follows `/-/` in such. */
  redirects: string[]
  projectSectionRedirects: string[]
}

/**
 * Whether an address may be of a project, group or user, the scripts that its page begins with, and whether there is a
 * page for addresses like it.
 */
type Grammar = (path: string) => {
  isPlace: boolean
  isKnown: boolean
  scripts: readonly string[]
}
type Page = { html: string; tag: string }
/** The pages in one language: for each theme that a browser may ask for by its cookie; '' is that of the system. */
type Shell = { pages: Record<'' | 'light' | 'dark', Page>; grammar: Grammar }
const shells = new Map<PageLanguage, Shell>()

/** Whether a request is from a browser that wants a page: API clients do not accept HTML. */
export function isPageRequest({ method, headers, raw }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    (headers.accept ?? '').includes('text/html') &&
    !/^\/(?:api|-\/assets)(?:\/|$)/.test(raw.url ?? '')
  )
}

/** Whether the pages are built. */
export function hasShell(): boolean {
  return readShell('en') !== undefined
}

const english = {
  notBuilt: 'The web interface is not built',
  notBuiltHtml: `The API and git are available. Run <code>npm start</code> to build the web interface.
If the build fails, its output shows the reason.`,
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    notBuilt: 'Die Weboberfläche ist nicht gebaut',
    notBuiltHtml: `Die API und Git sind verfügbar. Führen Sie <code>npm start</code> aus, um die Weboberfläche zu bauen.
Schlägt das fehl, nennt die Ausgabe den Grund.`,
  },
}

/**
 * Sends 200 with the shell of the pages, 304 if the browser has it, 404 with the shell if no page has such a URL, and a 503
 * with a text if the pages have not been built.
 */
export function sendShell(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = pageLanguageOfRequest(request)
  const found = readShell(language)
  if (!found) {
    return sendPlainPage(reply, 503, {
      language,
      title: texts[language].notBuilt,
      content: `<p>${texts[language].notBuiltHtml}</p>`,
    })
  }
  const page = found.pages[themeOf(request)]
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  const { isKnown, ...first } = found.grammar(path.replace(/(?<=.)\/$/, ''))
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
      vary: 'Accept-Language, Cookie',
      etag: page.tag,
      link: firstCalls(request, { path, ...first }),
    })
    .removeHeader('access-control-allow-origin')
  if (!isKnown) return reply.code(404).send(page.html)
  if (isMatchingEtag(request.headers['if-none-match'], page.tag)) return reply.code(304).send()
  return reply.send(page.html)
}

/** The theme of the reader's preferences, which pages keep in a cookie: the first paint has its colours. */
function themeOf({ headers }: FastifyRequest): '' | 'light' | 'dark' {
  const [, theme] = /(?:^|; )bloomery_theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '') ?? []
  return theme === 'light' || theme === 'dark' ? theme : ''
}

function readShell(language: PageLanguage): Shell | undefined {
  const known = shells.get(language)
  if (known) return known
  try {
    const shell = load(language)
    shells.set(language, shell)
    return shell
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

function load(language: PageLanguage): Shell {
  const html = readFileSync(join(assetFolder, `index.${language}.html`), 'utf8')
  const preloads: Preloads = JSON.parse(
    readFileSync(join(assetFolder, `preloads.${language}.json`), 'utf8'),
  )
  const themed = (theme: string) => html.replace('<html ', `<html data-theme="${theme}" `)
  return {
    pages: { '': pageOf(html), light: pageOf(themed('light')), dark: pageOf(themed('dark')) },
    grammar: grammarOf(preloads),
  }
}

function pageOf(html: string): Page {
  return { html, tag: `"${hash('sha256', html, 'base64url').slice(0, 22)}"` }
}

const ofTheServer =
  /^\/(?:-|users|admin|dashboard|explore|help|search|projects|profile|u|groups\/new)(?:\/|$)/

/** Reads an address by its grammar alone (docs/api/addresses.md). */
function grammarOf({ plain, redirects, ...places }: Preloads): Grammar {
  const patterns = Object.keys(plain).filter((path) => path.includes(':'))
  return (path) => {
    const isPlace = /^\/[^/]/.test(path) && !ofTheServer.test(path)
    const page =
      ownValue(plain, path) ?? ownValue(plain, patterns.find((one) => fits(path, one)) ?? '')
    if (page) return { isPlace: false, isKnown: true, scripts: page }
    if (redirects.some((one) => fits(path, one))) {
      return { isPlace: false, isKnown: true, scripts: [] }
    }
    if (!isPlace) return { isPlace, isKnown: false, scripts: [] }
    return { isPlace, isKnown: isInPlace(places, path), scripts: scriptsIn(places, path) }
  }
}

/** Whether a path is what a pattern means: `:name` is one part, `*` at the end all that follows. */
function fits(path: string, pattern: string): boolean {
  const isOpen = pattern.endsWith('/*')
  const wanted = (isOpen ? pattern.slice(0, -2) : pattern).split('/')
  const parts = path.split('/')
  if (isOpen ? parts.length < wanted.length : parts.length !== wanted.length) return false
  return wanted.every(
    (part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''),
  )
}

type Places = Pick<Preloads, 'group' | 'project' | 'projectSectionRedirects'>

/** Whether an address may be of a project, group or user, and of a section that has pages there. */
function isInPlace(places: Places, path: string): boolean {
  const segments = splitUrlPath(path)
  if (!segments) return false
  const { owner, isGroup, inside } = parseWebAddress(segments)
  // Behind the project's own path an older address has names of references and files.
  if (owner.length === 0 || !owner.slice(0, 2).every((name) => /^[\w.][\w.-]*$/.test(name)))
    return false
  if (!inside) return true
  const [section = '', word = ''] = inside
  if (section === 'edit' && inside.length === 1) return true
  const rest = inside.join('/')
  if (!isGroup && places.projectSectionRedirects.some((one) => fits(rest, one))) return true
  // Without `groups/`, as older addresses of groups are.
  const kinds = isGroup ? [places.group] : [places.project, places.group]
  return kinds.some((pages) => scriptsOfSection(pages, section, word))
}

function scriptsIn(places: Places, path: string): readonly string[] {
  const [, group, name = '', place = ''] =
    /^\/(groups\/)?([^-/][^/]*(?:\/[^-/][^/]*)*)(?:\/-\/(.*))?$/.exec(path) ?? []
  // One name alone may be anybody's.
  if (name === '' || (!group && !name.includes('/'))) return []
  const pages = places[group ? 'group' : 'project']
  if (/^jobs\/\d+\/artifacts\//.test(place)) return ownValue(pages, 'jobs/*/artifacts') ?? []
  if (/^merge_requests\/\d+\/conflicts$/.test(place)) {
    return ownValue(pages, 'merge_requests/*/conflicts') ?? []
  }
  const [section = '', word = ''] = place.split('/', 2)
  return scriptsOfSection(pages, section, word) ?? []
}

/**
 * Returns the scripts of a section's page by the keys of `sectionPages` (web/app/routes.ts); undefined for an unknown
 * page.
 */
function scriptsOfSection(
  pages: Record<string, string[]>,
  section: string,
  word: string,
): readonly string[] | undefined {
  const below =
    word === ''
      ? undefined
      : (ownValue(pages, `${section}/${word}`) ?? ownValue(pages, `${section}/*`))
  return below ?? ownValue(pages, section)
}

/**
 * Returns the API requests that the page will make first, derived from its address, so that the browser can send them
 * while it loads the script.
 */
function firstCalls(
  { headers }: FastifyRequest,
  { path, isPlace, scripts }: { path: string; isPlace: boolean; scripts: readonly string[] },
): string {
  const calls: string[] = []
  if (/(?:^|; )bloomery_signed_in=1/.test(headers.cookie ?? '')) calls.push('/api/v4/session')
  // As the page writes it: the form of URLSearchParams.
  if (isPlace) {
    calls.push(`/api/v4/resolve?${new URLSearchParams({ path, with_record: 'true' })}`)
  }
  return [
    ...calls.map((call) => `<${call}>; rel=preload; as=fetch; crossorigin`),
    ...scripts.map((file) => `</-/assets/${file}>; rel=modulepreload`),
  ].join(', ')
}
