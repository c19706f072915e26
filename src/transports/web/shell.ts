// The page that every address of the web interface answers: one constant file, which asks the API for the rest. It
// tells nothing of what exists.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesTag } from '../../http/conditional.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { sendPage } from '../plain-pages/plain-page.ts'
import { assetFolder } from './assets.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
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
}

/** Whether an address may be of a project, group or user, and the scripts that its page begins with. */
type Grammar = (path: string) => { isPlace: boolean; scripts: readonly string[] }
let shell: { html: Buffer; tag: string; grammar: Grammar } | undefined

/** Whether a request is a browser's, for a page: one for an address that programs ask takes no HTML. */
export function wantsPage({ method, headers, raw }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    (headers.accept ?? '').includes('text/html') &&
    !/^\/(?:api|-\/assets)(?:\/|$)/.test(raw.url ?? '')
  )
}

/** Whether the pages are built. */
export function hasShell(): boolean {
  return readShell() !== undefined
}

/** Answers 200 with the shell, 304 where the browser has it, and 503 in words where the pages are not built. */
export function sendShell(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = readShell()
  if (!found) {
    return sendPage(reply, 503, {
      title: 'The web interface is not built',
      content: `<p>The API and git are available. Run <code>npm start</code> to build the web interface.
If the build fails, its output shows the reason.</p>`,
    })
  }
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
      etag: found.tag,
      link: firstCalls(request, found.grammar),
    })
    .removeHeader('access-control-allow-origin')
  if (matchesTag(request.headers['if-none-match'], found.tag)) return reply.code(304).send()
  return reply.send(found.html)
}

function readShell(): typeof shell {
  try {
    shell ??= load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return shell
}

function load(): NonNullable<typeof shell> {
  const html = readFileSync(join(assetFolder, 'index.html'))
  const preloads: Preloads = JSON.parse(readFileSync(join(assetFolder, 'preloads.json'), 'utf8'))
  return {
    html,
    grammar: grammarOf(preloads),
    tag: `"${hash('sha256', html, 'base64url').slice(0, 22)}"`,
  }
}

/** Reads an address by its grammar alone (docs/api/addresses.md). */
function grammarOf({ plain, ...places }: Preloads): Grammar {
  return (path) => {
    const own = ownValue(plain, path)
    const isPlace =
      !own &&
      /^\/[^/]/.test(path) &&
      !/^\/(?:-|users|admin|dashboard|explore|help|search)(?:\/|$)/.test(path)
    return { isPlace, scripts: own ?? (isPlace ? scriptsIn(places, path) : []) }
  }
}

function scriptsIn(places: Omit<Preloads, 'plain'>, path: string): readonly string[] {
  const [, group, name = '', place = ''] =
    /^\/(groups\/)?([^-/][^/]*(?:\/[^-/][^/]*)*)(?:\/-\/(.*))?$/.exec(path) ?? []
  // One name alone may be anybody's.
  if (name === '' || (!group && !name.includes('/'))) return []
  const pages = places[group ? 'group' : 'project']
  if (/^jobs\/\d+\/artifacts\//.test(place)) return ownValue(pages, 'jobs/*/artifacts') ?? []
  const [section = '', word = ''] = place.split('/', 2)
  return ownValue(pages, `${section}/${word}`) ?? ownValue(pages, section) ?? []
}

/** What the page asks first, by its address alone, so that it travels with the script. */
function firstCalls({ headers, raw: { url = '' } }: FastifyRequest, grammar: Grammar): string {
  const [path = ''] = url.split('?', 1)
  const { isPlace, scripts } = grammar(path)
  const calls: string[] = []
  if (/(?:^|; )bloomery_signed_in=1/.test(headers.cookie ?? '')) calls.push('/api/v4/session')
  // As the page writes it: the form of URLSearchParams.
  if (isPlace) calls.push(`/api/v4/resolve?${new URLSearchParams({ path })}`)
  return [
    ...calls.map((call) => `<${call}>; rel=preload; as=fetch; crossorigin`),
    ...scripts.map((file) => `</-/assets/${file}>; rel=modulepreload`),
  ].join(', ')
}
