import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'
import { sendLog } from './sent-log.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** Runs in the page: counts the timers that wait, and the streams that are open. */
const counting = `
  window.waiting = new Set()
  const { setTimeout: begin, clearTimeout: end } = window
  window.setTimeout = (run, ...rest) => {
    const id = begin(() => { waiting.delete(id); run() }, ...rest)
    waiting.add(id)
    return id
  }
  const repeat = window.setInterval
  window.setInterval = (...given) => {
    const id = repeat(...given)
    waiting.add(id)
    return id
  }
  window.clearTimeout = window.clearInterval = (id) => { waiting.delete(id); end(id) }
  window.streams = []
  window.EventSource = class extends EventSource {
    constructor(url) { super(url); streams.push(this) }
  }
`

/** As when another tab comes in front of it, or it comes back. */
const show = ({ page }: Visit, isShown: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} })
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isShown ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
const openStreams = ({ page }: Visit) =>
  page.evaluate('streams.filter(({ readyState }) => readyState < 2).length')

stories(
  'hidden-tab',
  (story) => {
    story('a tab that nobody sees rests, and is true again when it is seen', async (visit) => {
      const { page, width } = visit
      await visit.signIn()
      const path = await sendLog(await open(), `Hidden ${width}`, Buffer.from('one line\n'))
      await page.addInitScript(counting)
      await visit.open(path)
      await page.getByText('one line').waitFor()
      await expect.poll(() => openStreams(visit)).toBe(1)
      await page.waitForTimeout(2_500)

      await show(visit, false)
      await expect.poll(() => openStreams(visit), { timeout: 15_000 }).toBe(0)
      expect(await page.evaluate('waiting.size')).toBe(0)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.waitForTimeout(4_000)
      expect(asked).toEqual([])
      expect(await page.evaluate('waiting.size')).toBe(0)

      await show(visit, true)
      await expect.poll(() => openStreams(visit)).toBe(1)
      await expect.poll(() => asked.some((url) => url.includes('/jobs/'))).toBe(true)
    })
  },
  open,
)
