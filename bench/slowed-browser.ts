// A real browser whose processor is slowed four times, as it visits pages of a server: what the rows about pages share.
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findTestProgram } from '../test/kit/programs.ts'
import type { Bench } from './bench.ts'
import { median } from './measure.ts'
import { below, type Measured, type Row } from './row.ts'

export const slowed = 4
export const samples = 5
export const login = { login: 'root', password: 'a long pass phrase of the bench' }
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic']
const executablePath = findTestProgram('chromium') ?? ''

/** What runs in the page: waits until a text is in it and has been painted; answers when that was. */
const tools = `
  window.waitForText = async (text, within = 'main') => {
    const paint = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    for (;;) {
      if (document.querySelector(within)?.textContent.includes(text)) break
      await paint()
    }
    await paint()
    return performance.now()
  }
  window.countRequests = () => 1 + performance.getEntriesByType('resource').length
  window.countUntilText = (text, within) => new Promise((done) => {
    const look = () => {
      if (!document.querySelector(within)?.textContent.includes(text)) return
      observer.disconnect()
      done(countRequests())
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    look()
  })
  window.rest = async () => {
    let [known, still] = [-1, 0]
    while (still < 5) {
      await new Promise((done) => setTimeout(done, 100))
      const now = countRequests()
      still = now === known ? still + 1 : 0
      known = now
    }
  }
  window.scriptKilobytes = () => performance.getEntriesByType('resource')
    .filter(({ name }) => /[.]js$/.test(name))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  window.interactions = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) window.interactions.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  window.largestPaint = () => new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true })
  })
`

export async function openBrowser(bench: Bench): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args })
  bench.whenClosed(() => browser.close())
  return browser
}

/** A browser and the server whose pages it visits. */
export type Visited = { browser: Browser; fresh: { server: { url: string } } }

/** A context of a signed-in reader, slowed. */
export async function read<T>(
  { fresh, browser }: Visited,
  look: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    baseURL: fresh.server.url,
    viewport: { width: 1280, height: 800 },
  })
  try {
    await context.request.post('/api/v4/session', { data: login })
    await context.addInitScript(tools)
    const page = await context.newPage()
    const inspector = await context.newCDPSession(page)
    await inspector.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    return await look(page, context)
  } finally {
    await context.close()
  }
}

export const run = <T>(page: Page, script: string) => page.evaluate(script) as Promise<T>
export const textIn = (text: string, within?: string) =>
  `waitForText(${JSON.stringify(text)}${within ? `, ${JSON.stringify(within)}` : ''})`

/** As often as there are samples, each in a browser that has seen nothing before. */
export async function sampled<T>(visit: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let sample = 0; sample < samples; sample++) all.push(await visit())
  return all
}

export const middle = <K extends string>(all: readonly Record<K, number>[], name: K) =>
  median(all.map((one) => one[name]))

/** In megabytes, of what is in use. */
export async function heapOf(page: Page, context: BrowserContext): Promise<number> {
  const inspector = await context.newCDPSession(page)
  await inspector.send('HeapProfiler.collectGarbage')
  const { usedSize } = await inspector.send('Runtime.getHeapUsage')
  return usedSize / 1024 ** 2
}

export type Look = {
  paint_ms: number
  shift: number
  requests: number
  all: number
  script_kb: number
  /** The longest task of the page's own thread, and how many took 50 ms or more. */
  task_ms: number
  tasks: number
}

export function lookFirst(web: Visited, path: string, text: string): Promise<Look[]> {
  return sampled(() =>
    read(web, async (page) => {
      await page.goto(path, { waitUntil: 'commit' })
      const requests = await run<number>(page, `countUntilText(${JSON.stringify(text)}, 'body')`)
      const paint_ms = await run<number>(page, 'largestPaint()')
      // A stream of changes never ends, so the network is never idle.
      await run(page, 'rest()')
      const more = await run<Omit<Look, 'paint_ms' | 'requests'>>(
        page,
        `({
          shift: window.shift,
          all: countRequests(),
          script_kb: scriptKilobytes(),
          task_ms: Math.max(0, ...longTasks),
          tasks: longTasks.length,
        })`,
      )
      return { paint_ms, requests, ...more }
    }),
  )
}

/** A page that is nothing but its text, of a bare server. */
export async function floorPaint_ms(bench: Bench, { browser }: Visited): Promise<number> {
  const rows = Array.from({ length: 100 }, (_, at) => `<p>Row ${at} of the floor</p>`).join('')
  const server: HttpServer = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Floor</title><main>${rows}</main>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  bench.whenClosed(async () => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return middle(await lookFirst({ browser, fresh: { server: { url } } }, '/', 'Row 99'), 'paint_ms')
}

export const ms = (value: number, of?: string) => ({
  value,
  unit: 'ms' as const,
  ...(of ? { of } : {}),
})

/** What a page says of itself on a first visit, in a browser that has seen nothing before. */
export function firstVisitRow<W extends Visited>(
  { name, path, text }: { name: string; path: string; text: string },
  open: (bench: Bench) => Promise<W>,
): Row {
  return {
    name: `page of ${name}, first visit, slowed ${slowed} x`,
    goal: below(800, 'ms'),
    async measure(bench): Promise<Measured> {
      const web = await open(bench)
      const floor = ms(await floorPaint_ms(bench, web), 'a page of text')
      const looks = await lookFirst(web, path, text)
      return {
        floor,
        ours: ms(middle(looks, 'paint_ms')),
        note: `largest paint; ${notesOf(looks)}`,
      }
    },
  }
}

/** Beside their budgets. */
function notesOf(looks: readonly Look[]): string {
  const shift = Math.max(...looks.map((look) => look.shift))
  return [
    `shift ${shift.toFixed(3)} (goal 0.02)`,
    `${middle(looks, 'requests')} requests until the text is there (goal 9), ${middle(looks, 'all')} in all`,
    `${middle(looks, 'script_kb').toFixed(0)} KB of script`,
    `${middle(looks, 'tasks')} long tasks, the longest ${Math.round(middle(looks, 'task_ms'))} ms (goal 200)`,
  ].join('; ')
}

export type Followed = { first_ms: number; drawn_ms: number; last_ms: number; heap: number }

export const noteOf = (all: readonly Followed[]) =>
  `from the click; ${Math.round(middle(all, 'drawn_ms'))} ms from its data; heap ${middle(all, 'heap').toFixed(1)} MB`

/** Follows a link from a page of the same project, once that has come to rest. */
export async function follow(
  page: Page,
  context: BrowserContext,
  { address, data, first, last }: { address: string; data: string; first: string; last: string },
): Promise<Followed> {
  await page.goto(address.replace(/\/-\/.*/, ''))
  await page.locator('main h1').first().waitFor()
  await run(page, 'rest()')
  const open = `(async () => {
    performance.clearResourceTimings()
    const link = document.createElement('a')
    link.href = ${JSON.stringify(address)}
    document.querySelector('main').append(link)
    const began = performance.now()
    link.click()
    const first = await ${textIn(first)}
    const last = await ${textIn(last)}
    const came = performance.getEntriesByType('resource')
      .filter(({ name, responseEnd }) => name.includes(${JSON.stringify(data)}) && responseEnd < first)
      .map(({ responseEnd }) => responseEnd)
    return { first_ms: first - began, drawn_ms: first - Math.max(began, ...came), last_ms: last - began }
  })()`
  const took = await run<Omit<Followed, 'heap'>>(page, open)
  return { ...took, heap: await heapOf(page, context) }
}
