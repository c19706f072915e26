// A real browser on a real server. What goes wrong in a page fails the story it is in, whatever the story looks at.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import type Axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findTestProgram } from '../kit/programs.ts'
import type { Server } from '../kit/server.ts'

/**
 * A new renderer for each document costs a fifth of a page's processor time. The others are those of Playwright's that a
 * browser without a screen has: of two lists the browser takes the last.
 */
const disabledFeatures = [
  'RenderDocument',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
].join(',')

/** Flags for a machine without a screen, where nothing may be asked of other hosts. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures}`,
  // A document lives for seconds: what the optimizing compilers make of its scripts takes longer than it saves.
  '--js-flags=--no-opt,--no-maglev',
]

let browser: Promise<Browser> | undefined

/** Starts the browser once for a process, which runs several files; the browser exits when the process does. */
export async function openBrowser(): Promise<Browser> {
  if (browser && !(await browser).isConnected()) browser = undefined
  browser ??= chromium.launch({ executablePath: findTestProgram('chromium') ?? '', args })
  return browser
}

export type Visit = {
  page: Page
  context: BrowserContext
  width: number
  /** Opens an address of the server, and waits until its page is shown. */
  open: (path: string) => Promise<void>
  /** Follows a link to an address of the server from the page that is shown: the program of the pages goes on. */
  follow: (path: string) => Promise<void>
  /** Signs in without the form. */
  signIn: (who?: { login: string; password: string }) => Promise<void>
  /** Waits until the page has asked all it wants, but for what goes on. */
  settle: () => Promise<void>
  /** Presses a button, follows a link, ticks a box: by touch on a phone, by keys alone on a desk. */
  press: (what: Locator) => Promise<void>
  /** Has the focus somewhere, likewise. */
  enter: (what: Locator) => Promise<void>
  /** Writes in a field instead of what it held, likewise. */
  write: (what: Locator, text: string) => Promise<void>
  /** What axe finds wrong with the page as it is. */
  findBarriers: () => Promise<string[]>
  /** What is wider than the window, and words that lie upon each other. */
  findMisplaced: () => Promise<string[]>
  /** Changes the window's width and the size of letters, and waits until the page has the new layout. */
  resize: (size: { width?: number; letters_px?: number }) => Promise<void>
  /** What axe finds wrong with the page as it is: nothing. */
  checkAccess: () => Promise<void>
  /** Nothing but code, tables of code and logs is wider than the window. */
  checkWidth: () => Promise<void>
}

/** How long a page may take to show what a story waits for, on a busy machine. */
const wait_ms_max = 60_000
export const phone_px = 375
export const desk_px = 1280
const height_px = 800

/** Opens a page of its own; `problems` gathers what went wrong in it. */
export async function visit(
  server: Server,
  { width = desk_px, theme = 'light' as 'light' | 'dark' } = {},
): Promise<Visit & { problems: string[]; close: () => Promise<void> }> {
  const context = await (await openBrowser()).newContext({
    baseURL: server.url,
    viewport: { width, height: height_px },
    colorScheme: theme,
    permissions: [],
  })
  context.setDefaultTimeout(wait_ms_max)
  const page = await context.newPage()
  await page.addInitScript(recordSteps)
  const asked = listAsked(page)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // What the server refuses is told on the page; the browser tells it here as well.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      problems.push(text)
    if (/Content.Security.Policy|TrustedHTML|TrustedScript/i.test(text)) problems.push(text)
  })
  return {
    page,
    context,
    width,
    problems,
    open: async (path) => {
      // The browser does not always say how a request ended whose page was left.
      asked.clear()
      await page.goto(path)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
    },
    follow: (path) =>
      page.evaluate((to) => {
        const link = Object.assign(document.createElement('a'), { href: to })
        document.body.append(link)
        link.click()
        link.remove()
      }, path),
    signIn: async ({ login, password } = server.root) => {
      const answer = await context.request.post('/api/v4/session', { data: { login, password } })
      if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`)
    },
    settle: () => settle(page, asked),
    press: async (what) => {
      if (width === phone_px) return what.click()
      await reach(page, what)
      const isBox = await what.evaluate((one) => one.matches('[type=checkbox], [type=radio]'))
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    },
    enter: (what) => (width === phone_px ? what.click() : reach(page, what)),
    write: async (what, text) => {
      if (width === phone_px) return what.fill(text)
      await reach(page, what)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
    },
    findBarriers: () => findBarriers(page),
    findMisplaced: async () => [
      ...(await findTooWide(page)),
      ...(await page.evaluate(findWordsUponWords)),
    ],
    resize: (size) => resize(page, size),
    checkAccess: async () => expect(await findBarriers(page)).toEqual([]),
    checkWidth: async () => expect(await findTooWide(page)).toEqual([]),
    close: () => context.close(),
  }
}

/** What a page has asked and not been answered; the stream of what happens has no end. */
function listAsked(page: Page): Set<Request> {
  const asked = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().includes('/events/stream')) asked.add(request)
  })
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  return asked
}

const looks = 4
const look_ms = 25
const settle_ms_max = 60_000
/** Where frames take longer than their time there is no idle moment: then what was queued before has run. */
const idle_ms_max = 2_000

/**
 * Waits until no request has been under way for a while, and the page has drawn what the answers brought. Throws with
 * what is still asked after a minute.
 */
async function settle(page: Page, asked: ReadonlySet<Request>): Promise<void> {
  const end_ms = Date.now() + settle_ms_max
  let isAsked = true
  const noteAsked = (request: Request) => {
    isAsked ||= asked.has(request)
  }
  page.on('request', noteAsked)
  try {
    while (isAsked) {
      while (asked.size > 0 && Date.now() < end_ms) await setTimeout(look_ms)
      isAsked = false
      await page.evaluate(rest, { looks, look_ms, idle_ms_max }).catch((error: unknown) => {
        // Another document was loaded meanwhile.
        if (!String(error).includes('context was destroyed')) throw error
        isAsked = true
      })
      if (asked.size > 0) isAsked = true
      if (Date.now() > end_ms) {
        const urls = [...asked].map((request) => request.url())
        throw new Error(`${page.url()} does not settle; it asks ${urls.join(', ')}`)
      }
    }
  } finally {
    page.off('request', noteAsked)
  }
}

/** Runs in the page: waits for an idle moment after each of several pauses. A message for each moment costs more than the wait. */
async function rest(of: { looks: number; look_ms: number; idle_ms_max: number }): Promise<void> {
  for (let look = 0; look < of.looks; look++) {
    await new Promise((resolve) => window.setTimeout(resolve, of.look_ms))
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: of.idle_ms_max }))
  }
}

/** The size of letters that browsers start with. */
const letters_px_default = 16

async function resize(
  page: Page,
  { width = page.viewportSize()?.width ?? desk_px, letters_px = letters_px_default },
): Promise<void> {
  await page.setViewportSize({ width, height: height_px })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: letters_px } })
  await session.detach()
  // Resize observers run in the first frame, and may change the layout of the second one. A browser that has nothing to draw,
  // or never rests, is not waited for without end.
  await page.evaluate(
    (timeout) =>
      Promise.race([
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve)))
        }),
        new Promise((resolve) => window.setTimeout(resolve, timeout)),
      ]),
    idle_ms_max,
  )
}

const presses_max = 200

/** Goes from where the focus is to an element, as people do who have no mouse: by arrows within menus and choices. */
async function reach(page: Page, what: Locator): Promise<void> {
  await what.waitFor()
  for (let presses = 0; presses < presses_max; ) {
    const keys = await what.evaluate(listKeysTowards)
    if (keys.length === 0) return
    presses += keys.length
    if (keys.length > 2) await pressTabs(page, keys.length)
    else for (const key of keys) await page.keyboard.press(key)
  }
  throw new Error(`No key leads to ${what}.`)
}

/** Runs in the page: the keys that lead towards the element, none where it has the focus; more than two are all Tab. */
function listKeysTowards(one: HTMLElement | SVGElement): string[] {
  const now = document.activeElement
  const named = now?.getAttribute('aria-activedescendant')
  const root = one.getRootNode() as Document | ShadowRoot
  if (root.activeElement === one || (named && named === one.id)) return []
  const isChoice = (other: Element | null): other is HTMLInputElement =>
    other instanceof HTMLInputElement && other.type === 'radio'
  if (isChoice(one) && isChoice(now) && one.name === now.name) return ['ArrowDown']
  if (/^(?:menuitem|option)$/.test(one.role ?? '')) return ['ArrowDown']
  // An editor indents by Tab, until Escape.
  if (now?.shadowRoot) return ['Escape', 'Tab']
  // The focus goes on from where an element was that is no longer there.
  if (!now || now === document.body) return ['Tab']
  const isAfter = (first: Node, second: Node) =>
    (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const within = document.querySelector('dialog:modal') ?? document
  const target = root instanceof ShadowRoot ? root.host : one
  const between = [...within.querySelectorAll<HTMLElement>('*')].filter(
    (other) => isAfter(now, other) && isAfter(other, target),
  )
  // What follows an editor is not asked for before the focus has left it.
  const editor = between.findIndex(({ shadowRoot }) => shadowRoot)
  const stops = (editor < 0 ? between : between.slice(0, editor)).filter(
    (other) =>
      other.tabIndex >= 0 &&
      !other.matches(':disabled, [type=radio], [inert] *') &&
      other.checkVisibility({ visibilityProperty: true }),
  )
  return Array.from({ length: Math.max(1, stops.length) }, () => 'Tab')
}

/** Presses Tab so often, one press behind the other: an answer is awaited for the last alone. */
async function pressTabs(page: Page, count: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  const presses = Array.from({ length: count }, () => [
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ])
  await Promise.all(presses.flat())
  await session.detach()
}

/** The minified axe, deflated, in base64: to send 650 KB to each document takes longer than to run them there. */
const axeDeflated = deflateRawSync(
  readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))),
).toString('base64')

/** Makes axe known to the document that is shown. */
async function loadAxe(page: Page): Promise<void> {
  const source = await page.evaluateHandle(async (deflated) => {
    const inflating = new DecompressionStream('deflate-raw')
    const bytes = new Blob([Uint8Array.fromBase64(deflated)]).stream().pipeThrough(inflating)
    // Within an object: a handle of a text is the text, which would be sent back.
    return { text: await new Response(bytes).text() }
  }, axeDeflated)
  // The page's own policy lets nobody run a text. The inspector may, until a script of its own waits for something.
  // biome-ignore lint/security/noGlobalEval: the text is axe.
  await source.evaluate(({ text }) => globalThis.eval(text))
}

async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page)
  return page.evaluate(async () => {
    // A button that fades in has, for a moment, less contrast than it will have. A transition rests in what is far from
    // the window.
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.race([
      Promise.allSettled(transitions.map((one) => one.finished)),
      new Promise((resolve) => window.setTimeout(resolve, 2_000)),
    ])
    const { axe } = window as unknown as { axe: typeof Axe }
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Of what is right nothing is told, and of what is wrong its HTML.
      resultTypes: ['violations'],
      selectors: false,
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

function findTooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seen = innerWidth
    if (document.documentElement.scrollWidth <= seen) return []
    const out = [...document.querySelectorAll('main *, header *')].filter(
      (element) => element.getBoundingClientRect().right > seen + 1,
    )
    const widest = out.slice(0, 3).map((element) => element.outerHTML.slice(0, 120))
    return [`sideways: ${document.documentElement.scrollWidth} px`, ...widest]
  })
}

/** Words that lie upon other words, each pair by the beginning of both; what is scrolled or cut away does not count. */
function findWordsUponWords(): string[] {
  type Seen = { left: number; right: number; top: number; bottom: number; text: Text }
  const seen: Seen[] = []
  const take = (text: Text): void => {
    const parent = text.parentElement
    // What is far from the window is not laid out before it comes near.
    const seenBy = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }
    if (!parent?.checkVisibility(seenBy)) return
    let [left, right, top, bottom] = [0, innerWidth, -1e9, 1e9]
    for (let one: Element | null = parent; one; one = one.parentElement) {
      const { overflowX, clipPath, position } = getComputedStyle(one)
      // For the ear alone; or above the others, as what sticks is.
      if (clipPath !== 'none' || position === 'fixed' || position === 'sticky') return
      if (overflowX === 'visible') continue
      const box = one.getBoundingClientRect()
      left = Math.max(left, box.left)
      right = Math.min(right, box.right)
      top = Math.max(top, box.top)
      bottom = Math.min(bottom, box.bottom)
    }
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const box of range.getClientRects())
      seen.push({
        left: Math.max(left, box.left),
        right: Math.min(right, box.right),
        top: Math.max(top, box.top),
        bottom: Math.min(bottom, box.bottom),
        text,
      })
  }
  const layer = document.querySelector('dialog[open], [popover]:popover-open') ?? document.body
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    if (text.data.trim() !== '') take(text)
  }
  const upon: string[] = []
  for (const [at, one] of seen.entries())
    for (const other of seen.slice(at + 1)) {
      const wide_px = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const high_px = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      // Letters need less room than their boxes have.
      if (one.text === other.text || wide_px < 3 || high_px < 5) continue
      upon.push(`upon each other: ${one.text.data.slice(0, 30)} | ${other.text.data.slice(0, 30)}`)
    }
  return upon.slice(0, 5)
}

/** The second press of a slow double click, on whatever is now in the place of the pressed element. */
export async function pressAgain(page: Page, what: Locator): Promise<void> {
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

/** A busy machine draws some pages ten times as slowly as a quiet one. */
const story_ms_max = 300_000

/** What a page shows, for whoever reads why a story failed on a machine that is gone. */
async function describePage(page: Page): Promise<string> {
  const options = { timeout: 5_000 }
  const text = await page.locator('body').innerText(options).catch(String)
  const focused = await page
    .evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
    .catch(String)
  const steps = await page
    .evaluate(() => (window as unknown as { steps: string[] }).steps.join('\n'))
    .catch(String)
  return `${page.url()} shows:\n${text.slice(0, 3_000)}\nThe focus is on ${focused}\nLast steps:\n${steps}`
}

/** Runs in each page: keeps the last keys, clicks and moves of the focus, for `describePage`. */
function recordSteps(): void {
  const steps: string[] = []
  Object.assign(window, { steps })
  const keep = (what: string, of: EventTarget | null) => {
    const on = of instanceof Element ? of.outerHTML.slice(0, 100) : String(of)
    steps.push(`${performance.now().toFixed(0)} ${what} ${location.pathname} ${on}`)
    if (steps.length > 20) steps.shift()
  }
  addEventListener('keydown', (event) => keep(event.key, event.target), true)
  addEventListener('click', (event) => keep('click', event.target), true)
  addEventListener('focusin', (event) => keep('focus', event.target), true)
}

/** Stories, each on a phone and on a desk. */
export function stories(
  name: string,
  tell: (story: (title: string, run: (visit: Visit) => Promise<void>) => void) => void,
  open: () => Promise<Server>,
): void {
  describe(`${name}, in a browser`, () => {
    tell((title, run) => {
      it.each([phone_px, desk_px])(`${title} (%i px)`, { timeout: story_ms_max }, async (width) => {
        const visited = await visit(await open(), { width })
        try {
          await run(visited)
          expect(visited.problems).toEqual([])
        } catch (error) {
          if (error instanceof Error) error.message += `\n${await describePage(visited.page)}`
          throw error
        } finally {
          await visited.close()
        }
      })
    })
  })
}

/** A busy machine takes some seconds for the slowest page. */
const page_ms_max = 120_000
const answer_ms_max = 5_000

/**
 * Looks at a page, and names it where that does not end. A page that answers nothing any more is busy without end, and at fault.
 * Where it answers still, the browser lost one answer: then the page is looked at once more.
 */
export async function beforeItHangs<T>(
  name: string,
  page: Page,
  look: () => Promise<T>,
): Promise<T> {
  const first = await within(page_ms_max, look())
  if (first) return first.value
  const state = await readState(page)
  if (!state) throw new Error(`${name} hung, and answers nothing.`)
  process.stderr.write(`${name} hung, but answers: ${state}. It is looked at once more.\n`)
  const second = await within(page_ms_max, look())
  if (!second) throw new Error(`${name} hung twice, but answers: ${state}.`)
  return second.value
}

/** What came in time; undefined otherwise. */
async function within<T>(ms: number, coming: Promise<T>): Promise<{ value: T } | undefined> {
  const ended = coming.then((value) => ({ value }))
  // It may fail when nobody waits any more.
  ended.catch(() => {})
  return Promise.race([ended, setTimeout(ms, undefined, { ref: false })])
}

/** What a page says of itself by a new connection; undefined where it cannot be asked. */
async function readState(page: Page): Promise<string | undefined> {
  const expression = '[document.readyState, document.visibilityState, location.href].join(" ")'
  const asked = page
    .context()
    .newCDPSession(page)
    .then((session) => session.send('Runtime.evaluate', { expression }))
  return (await within(answer_ms_max, asked))?.value.result.value
}
