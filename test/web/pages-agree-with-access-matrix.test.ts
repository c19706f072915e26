// Every page, seen by everybody: docs/pages-by-role.md says what each may see and is offered, and no page asks what its
// reader may not have. UPDATE=1 npm test -- test/web/pages-agree rewrites it; read that diff beside docs/access-matrix/.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askBy, makeSample, samplePassword } from '../../tools/sample.ts'
import { type Screen, screens } from '../../tools/web-screens.ts'
import { type Server, startServer } from '../kit/server.ts'
import { beforeItHangs, visit } from './browser.ts'

const path = join(import.meta.dirname, '../../docs/pages-by-role.md')

/** What somebody sees of a page: why it is not there for them, or what it lets them do, now or at some other time. */
type Seen = { missing: 'nothing' | 'sign in' | null; offers: [name: string, isOff: boolean][] }

const nothing = "Page not found, or you don't have access"
const isOfProject = ({ path: address }: Screen) => address.startsWith('/acme/shop')

/** Of a public project they are no member of, then of a private one by their role in it. */
const strangers = { visitor: '', 'somebody else': 'chen' }
const members = { guest: 'gil', reporter: 'rae', developer: 'bo', maintainer: 'ada' }

describe('pages agree with the access matrix', () => {
  it('as docs/pages-by-role.md says', { timeout: 600_000 }, async () => {
    const server = await startServer({ BLOOMERY_RUNNER: 'builtin' })
    await makeSample(server.url, server.root.token)
    const ask = askBy(server.url, server.root.token)
    const project = 'projects/acme%2Fshop'
    for (const [username, access_level] of [
      ['gil', 10],
      ['rae', 20],
    ] as const) {
      const { id } = await ask<{ id: number }>('POST /users', {
        username,
        name: username,
        email: `${username}@acme.example`,
        password: samplePassword,
        skip_confirmation: true,
      })
      await ask(`POST /${project}/members`, { user_id: id, access_level })
    }
    const known = (await screens(ask)).filter(({ act }) => !act)
    const look = (login: string, pages = known) => lookAt(server, login, pages)

    const byStrangers = await byName(strangers, (login) => look(login))
    await ask(`PUT /${project}`, { visibility: 'private' })
    const hidden = await byName(strangers, (login) => look(login, known.filter(isOfProject)))
    for (const seen of Object.values(hidden)) {
      expect(seen.refused).toEqual([])
      const pages = [...seen.pages].filter(([, { missing }]) => missing === null)
      expect(pages).toEqual([])
    }
    const byMembers = await byName(members, (login) => look(login))
    const { administrator } = await byName({ administrator: 'root' }, () => look('root'))

    const everybody = { ...byStrangers, ...byMembers, administrator }
    const refused = Object.entries(everybody).map(([who, walk]) => [who, walk.refused])
    expect(refused).toEqual(Object.keys(everybody).map((who) => [who, []]))
    const document = write(known, everybody)
    if (process.env.UPDATE) writeFileSync(path, document)
    expect(document).toBe(readFileSync(path, 'utf8'))
  })
})

type Walk = { pages: Map<string, Seen>; refused: string[] }

async function byName<T extends string>(
  people: Record<T, string>,
  look: (login: string) => Promise<Walk>,
): Promise<Record<T, Walk>> {
  const seen = Object.entries<string>(people).map(async ([who, login]) => [who, await look(login)])
  return Object.fromEntries(await Promise.all(seen))
}

/**
 * Follows links to pages as somebody; `refused` is what these asked in vain, or would if they were loaded. Every page is loaded
 * by its address in test/web/every-page.test.ts, which takes more than twice as long for each.
 */
async function lookAt(server: Server, login: string, known: readonly Screen[]): Promise<Walk> {
  const seen = await visit(server)
  const pages = new Map<string, Seen>()
  const refused: string[] = []
  let vain: string[] = []
  seen.page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    // An address that no page is for says so in its status too.
    if (response.status() < 400 || response.request().isNavigationRequest()) return
    vain.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  if (login === 'root') await seen.signIn()
  else if (login !== '') await seen.signIn({ login, password: samplePassword })
  await seen.open('/')
  await seen.settle()
  refused.push(...vain.splice(0).map((one) => `first page: ${one}`))
  const cookies = await seen.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  for (const screen of known) {
    const page = await beforeItHangs(`${screen.name} as ${login}`, seen.page, () =>
      seen
        .follow(screen.path)
        .then(seen.settle)
        .then(() => seen.page.evaluate(readPage, nothing)),
    )
    pages.set(screen.name, page)
    // A page that is not for them was asked for by its address: the server says so once.
    if (page.missing === null) {
      vain.push(...(await askFirst(server.url + screen.path, cookie)))
      refused.push(...vain.map((one) => `${screen.name}: ${one}`))
    }
    vain = []
  }
  refused.push(...seen.problems)
  await seen.close()
  return { pages, refused }
}

/** Asks what the browser asks before the program of the pages when a page is loaded; answers what is refused. */
async function askFirst(url: string, cookie: string): Promise<string[]> {
  const headers = { cookie, accept: 'text/html' }
  const shell = await fetch(url, { headers })
  await shell.body?.cancel()
  const links = shell.headers.get('link') ?? ''
  const calls = [...links.matchAll(/<(\/api\/[^>]+)>; rel=preload/g)].map(([, path = '']) => path)
  const answers = calls.map(async (path) => {
    const { status, body } = await fetch(new URL(path, url), { headers: { cookie } })
    await body?.cancel()
    return { path, status }
  })
  return (await Promise.all(answers))
    .filter(({ status }) => status >= 400)
    .map(({ path, status }) => `${status} GET ${path}`)
}

function readPage(nothingThere: string): Seen {
  const isSignIn = location.pathname === '/users/sign_in'
  const isNothing = document.querySelector('main h1')?.textContent === nothingThere
  const all = [...document.querySelectorAll('main button, main summary, main a.button')]
  const offers = all
    .filter((one) => one.checkVisibility())
    .map((one): [string, boolean] => {
      const isOff = one.getAttribute('aria-disabled') === 'true'
      const told = one.cloneNode(true) as Element
      for (const part of told.querySelectorAll(isOff ? 'kbd, .only-spoken' : 'kbd')) part.remove()
      return [(one.getAttribute('aria-label') ?? told.textContent ?? '').trim(), isOff]
    })
  return { missing: isNothing ? 'nothing' : isSignIn ? 'sign in' : null, offers }
}

function write(known: readonly Screen[], everybody: Record<string, Walk>): string {
  const names = Object.keys(everybody)
  const row = (words: string, cells: string[]) => `| ${words} | ${cells.join(' | ')} |`
  const lines = known.flatMap(({ name }) => {
    const seen = names.map((who) => everybody[who]?.pages.get(name))
    const offersOf = (one: Seen | undefined) => new Map(one?.missing ? [] : one?.offers)
    const offers = new Set(seen.flatMap((one) => [...offersOf(one).keys()]))
    const cell = (one: Seen | undefined, offer: string) => {
      const isOff = offersOf(one).get(offer)
      return isOff === undefined ? '' : isOff ? 'not now' : 'yes'
    }
    return [
      row(
        `**${name}**`,
        seen.map((one) => one?.missing ?? 'yes'),
      ),
      ...[...offers].map((offer) =>
        row(
          offer,
          seen.map((one) => cell(one, offer)),
        ),
      ),
    ]
  })
  return [
    '# What pages offer to whom',
    '',
    'Pages, and below each what can be pressed on it, or not now, for a reason that the page tells. Visitors and somebody else look',
    'at a public project, the others at a private one they are members of. A link within a text is no offer.',
    'Made by `test/web/pages-agree-with-access-matrix.test.ts`, which fails when it is no longer true.',
    '',
    `| page | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    ...lines,
    '',
  ].join('\n')
}
