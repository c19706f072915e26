// Every page there is: it can be used by everybody, in both themes and with longer words, asks for little until it is there
// (web/DESIGN.md, "Budgets"), and each address that the API tells opens its page.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Ask, askBy, makeSample } from '../../tools/sample.ts'
import { type Screen, screens } from '../../tools/web-screens.ts'
import { startServer } from '../kit/server.ts'
import { beforeItHangs, desk_px, phone_px, type Visit, visit } from './browser.ts'

type Sample = {
  url: string
  ask: Ask
  known: Screen[]
  server: Awaited<ReturnType<typeof startServer>>
}

const open = once(makeSampleServer)

async function makeSampleServer(): Promise<Sample> {
  const server = await startServer({ BLOOMERY_RUNNER: 'builtin' })
  await makeSample(server.url, server.root.token)
  const ask = askBy(server.url, server.root.token)
  return { url: server.url, ask, known: await screens(ask), server }
}

const soon = 'This page is not available yet'
const nothing = "Page not found, or you don't have access"

/** What went wrong on each page, by its name. */
async function walk(
  seen: Visit & { problems: string[] },
  known: readonly Screen[],
  go: (screen: Screen) => Promise<void>,
  look: (screen: Screen) => Promise<string[]>,
): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {}
  for (const screen of known) {
    seen.problems.length = 0
    const found = await beforeItHangs(`${screen.name} ${screen.path}`, seen.page, () =>
      go(screen)
        .then(seen.settle)
        .then(() => look(screen))
        .catch((error: unknown) => [String(error)]),
    )
    found.push(...seen.problems)
    if (found.length > 0) wrong[`${screen.name} ${screen.path}`] = found
  }
  return wrong
}

const requests_max = 9
/**
 * Pages of a diff have a file of script that they share with reviews, and ask for the first texts beside the record. A log asks
 * for its bytes as it is laid out, before the page is painted.
 */
const more: Record<string, number> = {
  commit: 10,
  compare: 10,
  'job log': 10,
  'wiki page comparison': 10,
}

/** Runs in the page: remembers when its heading came. */
const watching = `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main h1')) return
    observer.disconnect()
    window.there_ms = performance.now()
  }).observe(document, { subtree: true, childList: true })
`

/** Has a window visit every page for the first time: nothing is cached, and nothing was stored by another page. */
async function makeFirstVisits({ context, page }: Visit): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.addInitScript('localStorage.clear(); sessionStorage.clear()')
  await page.addInitScript(watching)
}

/** What was begun until then, with the page itself; what is only drawn in a font asks for it as it is drawn. */
function listBefore(): string[] {
  const { there_ms } = window as unknown as { there_ms: number }
  const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const before = asked.filter(
    ({ startTime, initiatorType, name }) =>
      startTime < there_ms && initiatorType !== 'css' && !name.includes('/events/stream'),
  )
  return [location.pathname, ...before.map(({ name }) => name.replace(location.origin, ''))]
}

/** What a page that was just loaded asked for until it was there, if that is too much, by what is wrong with it. */
async function findTooMuch(page: Page, { name }: Screen): Promise<Record<string, string[]>> {
  const before = await page.evaluate(listBefore)
  return {
    ...(before.length > (more[name] ?? requests_max) ? { [name]: before } : {}),
    ...(new Set(before).size < before.length ? { [`${name}, asked twice`]: before } : {}),
  }
}

type Look = {
  wrong: Record<string, string[]>
  /** What each page is called, in its heading and in the tab, by its name. */
  titles: Record<string, string>
  links: Set<string>
  tooMuch: Record<string, string[]>
}

/**
 * Visits every page once, as root, and checks its layout in each size as well as with longer words. On a desk each page is
 * loaded, and what it asks for is checked, which does not depend on the width. On a phone each is a link further, which takes
 * less than half of the time; it must be the page that is loaded on a desk.
 */
async function lookAtAll(width: number, theme: 'light' | 'dark', sizes: Size[]): Promise<Look> {
  const { server, known } = await open()
  const seen = await visit(server, { width, theme })
  const isLoaded = width === desk_px
  if (isLoaded) await makeFirstVisits(seen)
  await seen.signIn()
  if (!isLoaded) await seen.open('/')
  const links = new Set<string>()
  const tooMuch = {}
  const titles: Record<string, string> = {}
  const go = ({ path }: Screen) => (isLoaded ? seen.open(path) : seen.follow(path))
  const wrong = await walk(seen, known, go, async (screen) => {
    titles[screen.name] = await readTitle(seen.page)
    if (isLoaded && !screen.isForVisitors)
      Object.assign(tooMuch, await findTooMuch(seen.page, screen))
    for (const path of await listLinks(seen.page)) links.add(path)
    await screen.act?.(seen.page)
    const found = [...(await seen.findBarriers()), ...(await seen.findMisplaced())]
    for (const [name, size] of sizes) {
      await seen.resize({ width, ...size })
      found.push(...(await seen.findMisplaced()).map((one) => `${name}: ${one}`))
    }
    await seen.resize({ width })
    await seen.page.evaluate(lengthenWords)
    found.push(...(await seen.findMisplaced()).map((one) => `longer words: ${one}`))
    if (!isLoaded) await seen.page.evaluate(shortenWords)
    // What was opened stays open beside the next page.
    if (!isLoaded && screen.act) await seen.open('/')
    return found
  })
  await seen.close()
  return { wrong, titles, links, tooMuch }
}

function readTitle(page: Page): Promise<string> {
  return page.evaluate(
    () => `${document.querySelector('main h1')?.textContent} | ${document.title}`,
  )
}

type Size = [name: string, size: { width?: number; letters_px?: number }]
const largeLetters: Size = ['letters twice as large', { letters_px: 32 }]

/** Each page is visited once for a device: a page that is resized gets the layout of a page that is loaded in that size. */
const devices = {
  phone: once(() => lookAtAll(phone_px, 'light', [['320 px', { width: 320 }], largeLetters])),
  desk: once(() => lookAtAll(desk_px, 'dark', [largeLetters])),
  visitor: once(lookAsVisitor),
}

async function lookAsVisitor(): Promise<Look> {
  const { server, known } = await open()
  const seen = await visit(server)
  await makeFirstVisits(seen)
  const links = new Set<string>()
  const tooMuch = {}
  const shown = known.filter(({ isForVisitors }) => isForVisitors)
  const titles: Record<string, string> = {}
  const go = ({ path }: Screen) => seen.open(path)
  const wrong = await walk(seen, shown, go, async (screen) => {
    titles[screen.name] = await readTitle(seen.page)
    Object.assign(tooMuch, await findTooMuch(seen.page, screen))
    for (const path of await listLinks(seen.page)) links.add(path)
    return []
  })
  await seen.close()
  return { wrong, titles, links, tooMuch }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

describe('every page', () => {
  it('works on a phone: light theme, longer words, larger letters and 320 px', {
    timeout: 600_000,
  }, async () => {
    const { wrong, titles } = await devices.phone()
    expect(wrong).toEqual({})
    expect(titles).toEqual((await devices.desk()).titles)
  })

  it('works on a desk: dark theme, longer words and larger letters', {
    timeout: 600_000,
  }, async () => {
    const { wrong } = await devices.desk()
    expect(wrong).toEqual({})
  })

  it('shows what is chosen where the system has the colours', async () => {
    const { server } = await open()
    const seen = await visit(server)
    await seen.page.emulateMedia({ forcedColors: 'active' })
    await seen.signIn()
    const look = (selector: string, of: string) =>
      seen.page
        .locator(selector)
        .first()
        .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), of)
    await seen.open('/acme/shop/-/blob/main/src/carts.ts#L6-8')
    await seen.page.locator('.code-marked .hljs-keyword').first().waitFor()
    expect(await look('.code-marked', 'outline-style')).toBe('solid')
    expect(await look('.code-marked', 'outline-color')).toBe(await look('body', 'color'))
    const edge = 'border-bottom-color'
    expect(await look('.tabs-one:not([aria-current])', edge)).toBe(
      await look('body', 'background-color'),
    )
    expect(await look('.tabs-one[aria-current]', edge)).not.toBe(
      await look('body', 'background-color'),
    )
    await seen.open('/acme/shop/-/pipelines')
    expect(await look('.button-primary', 'color')).not.toBe(
      await look('.button-primary', 'background-color'),
    )
    await seen.close()
  })

  it('says of commits who is known to have signed them', async () => {
    const { server } = await open()
    const seen = await visit(server)
    await seen.open('/acme/shop/-/commits/feature/vouchers')
    const row = (title: string) => seen.page.getByRole('listitem').filter({ hasText: title })
    await row('Cover negative totals').getByText('Verified', { exact: true }).waitFor()
    await row('Vouchers, rounded up').getByText('Unverified', { exact: true }).waitFor()
    expect(
      await row('First carts')
        .getByText(/verified/i)
        .count(),
    ).toBe(0)
    await seen.close()
  })

  it('is led to by another', { timeout: 600_000 }, async () => {
    const { known } = await open()
    const visitor = await devices.visitor()
    expect(visitor.wrong).toEqual({})
    const linked = visitor.links.union((await devices.desk()).links)
    const alone = known.filter(({ path }) => !linked.has(path.replace(/[?#].*/, '')))
    // A merge request leads to its conflicts when it has some.
    const unlinked = ['nothing here', 'merge request conflicts', 'soon']
    expect(alone.map(({ name }) => name).sort()).toEqual(unlinked.sort())
  })

  it('asks for little until it is there', { timeout: 600_000 }, async () => {
    expect((await devices.desk()).tooMuch).toEqual({})
    expect((await devices.visitor()).tooMuch).toEqual({})
  })

  it('is where the API says', { timeout: 600_000 }, async () => {
    const { server, ask } = await open()
    const seen = await visit(server)
    await seen.signIn()
    const urls = await listWebUrls(ask)
    expect(urls.length).toBeGreaterThan(15)
    const wrong: string[] = []
    for (const url of urls) {
      await seen.open(new URL(url).pathname)
      const title = await seen.page.locator('main h1').first().textContent()
      if (title === nothing || title === soon) wrong.push(`${url}: ${title}`)
    }
    await seen.close()
    expect(wrong).toEqual([])
  })
})

/** Where the links of a page lead to that do not stay on it, those of its menus too. */
function listLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    return links.map(({ pathname }) => pathname).filter((path) => path !== location.pathname)
  })
}

type Lengthened = Map<Text, { words: string; longer: string }>

/** As another language might have it: each text that people read is 40 % longer. */
function lengthenWords(): void {
  const lengthened: Lengthened = new Map()
  Object.assign(window, { lengthened })
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest('pre, code, kbd, .code, .diff, .log, [role=log]')) continue
    const words = text.data
    if (!/\p{L}{3}/u.test(words)) continue
    text.data = `${words}${words.slice(0, Math.ceil(words.length * 0.4))}`
    lengthened.set(text, { words, longer: text.data })
  }
}

/** Gives texts their own words again, but for those that the page has changed since. */
function shortenWords(): void {
  const { lengthened } = window as unknown as { lengthened: Lengthened }
  for (const [text, { words, longer }] of lengthened) if (text.data === longer) text.data = words
}

/** Every `web_url` in what the API answers of the sample. */
async function listWebUrls(ask: Ask): Promise<string[]> {
  const shop = '/projects/acme%2Fshop'
  const [pipeline] = await ask<{ id: number }[]>(`GET ${shop}/pipelines`)
  const routes = [
    'GET /projects',
    'GET /groups',
    'GET /users',
    'GET /user',
    `GET ${shop}`,
    `GET ${shop}/members/all`,
    `GET ${shop}/issues`,
    `GET ${shop}/merge_requests`,
    `GET ${shop}/repository/commits?all=true`,
    `GET ${shop}/repository/branches`,
    `GET ${shop}/repository/tags`,
    `GET ${shop}/pipelines`,
    `GET ${shop}/pipelines/${pipeline?.id}/jobs`,
    `GET ${shop}/jobs`,
    `GET ${shop}/alert_management_alerts`,
  ]
  const answers = await Promise.all(routes.map((route) => ask<unknown>(route)))
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'web_url' && typeof inner === 'string') found.add(inner)
      else look(inner)
    }
  }
  answers.forEach(look)
  return [...found]
}
