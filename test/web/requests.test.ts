// Requests until a page is there, on a first visit with nothing in the cache (web/DESIGN.md, "Budgets").
import { expect, it } from 'vitest'
import { askBy, makeSample } from '../../tools/sample.ts'
import { screens } from '../../tools/web-screens.ts'
import { type Server, startServer } from '../kit/server.ts'
import { visit } from './browser.ts'

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

/** A window in which every page is visited for the first time: nothing is cached, and nothing was stored by another page. */
async function firstVisits(server: Server) {
  const seen = await visit(server)
  const session = await seen.context.newCDPSession(seen.page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await seen.page.addInitScript('localStorage.clear(); sessionStorage.clear()')
  await seen.page.addInitScript(watching)
  return seen
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

it('asks for little until a page is there', { timeout: 900_000 }, async () => {
  const server = await startServer({ BLOOMERY_RUNNER: 'builtin' })
  await makeSample(server.url, server.root.token)
  const known = await screens(askBy(server.url, server.root.token))
  const wrong: Record<string, string[]> = {}
  const visitor = await firstVisits(server)
  const root = await firstVisits(server)
  await root.signIn()
  for (const { name, path, isForVisitors } of known) {
    const seen = isForVisitors ? visitor : root
    await seen.open(path)
    await seen.settle()
    const before = await seen.page.evaluate(listBefore)
    if (before.length > (more[name] ?? requests_max)) wrong[name] = before
    if (new Set(before).size < before.length) wrong[`${name}, asked twice`] = before
  }
  await visitor.close()
  await root.close()
  expect(wrong).toEqual({})
})
