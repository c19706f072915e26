import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { sendLog } from './sent-log.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const esc = '\u001b'
const mark = (text: string) => `section_${text}\r${esc}[0K`
const long = (number: number) => `${number} ${'ore and coal '.repeat(60)}\n`
const log = Buffer.from(
  [
    `Hello from https://example.test/a?b=1&c=2.\n`,
    `${mark('start:1772366400:prepare[collapsed=true]')}${esc}[36mPrepare it${esc}[0m\n`,
    ...Array.from({ length: 1500 }, (_, at) => `prepared ${at}\n`),
    `${mark('end:1772366407:prepare')}${mark('start:1772366407:smelt')}Smelt it\n`,
    `<img src=x onerror=alert(1)><script>alert(2)</script>${esc}[31m"><svg onload=alert(3)>${esc}[0m\n`,
    `javascript:alert(4) ${esc}]8;;javascript:alert(5)${esc}\\press${esc}]8;;${esc}\\\n`,
    ...Array.from({ length: 2500 }, (_, at) => long(at)),
    `${'x'.repeat(30_000)}\n`,
    `${mark('end:1772366499:smelt')}\n`,
    'The end is near\n',
  ].join(''),
)

/** Whether any line of the page lies upon the one after it. */
const overlaps = () =>
  [...document.querySelectorAll('.log-line')].some((row, at, rows) => {
    const next = rows[at + 1]
    return next && row.getBoundingClientRect().bottom > next.getBoundingClientRect().top + 0.5
  })

stories(
  'log',
  (story) => {
    story(
      'sections fold where they are, lines wrap, and what is in it never runs',
      async (visit) => {
        const { page } = visit
        const ran: string[] = []
        page.on('dialog', (dialog) => {
          ran.push(dialog.message())
          void dialog.dismiss()
        })
        await visit.signIn()
        const path = await sendLog(await open(), `Furnace ${visit.width}`, log)
        await visit.open(path)
        await page.getByText('The end is near', { exact: true }).waitFor()
        await page.getByText('20,000 more characters').waitFor()

        // What asked to be folded is, and its header says how long it took.
        await page.keyboard.press('g')
        await page.keyboard.press('g')
        const prepare = page.getByRole('button', { name: 'Prepare it' })
        await page.locator('.log-header', { hasText: 'Prepare it' }).getByText('7 s').waitFor()
        expect(await prepare.getAttribute('aria-expanded')).toBe('false')
        expect(await page.getByText('prepared 0', { exact: true }).count()).toBe(0)
        const link = page.getByRole('link', { name: 'https://example.test/a?b=1&c=2', exact: true })
        expect(await link.getAttribute('href')).toBe('https://example.test/a?b=1&c=2')
        await visit.checkAccess()

        // By keys alone, and the focus stays where it was.
        await prepare.focus()
        await page.keyboard.press('Enter')
        await page.getByText('prepared 0', { exact: true }).waitFor()
        expect(await prepare.evaluate((button) => button === document.activeElement)).toBe(true)
        await page.keyboard.press('Enter')
        await expect.poll(() => page.getByText('prepared 0', { exact: true }).count()).toBe(0)

        // A line within it opens it.
        await page.goto(`about:blank`)
        await visit.open(`${path}#L1000`)
        await page.locator('.log-marked', { hasText: 'prepared 997' }).waitFor()

        await page.keyboard.press('w')
        await expect.poll(() => page.evaluate(overlaps)).toBe(false)
        const marked = page.locator('.log-marked', { hasText: 'prepared 997' })
        expect(await marked.isVisible()).toBe(true)
        await visit.write(page.getByLabel('Search log'), '1400 ORE and')
        await page.keyboard.press('Enter')
        await page.getByText('1 of 1', { exact: true }).waitFor()
        const hit = page.locator('.log-marked', { hasText: '1400 ore' })
        await hit.waitFor()
        await expect.poll(() => page.evaluate(overlaps)).toBe(false)
        const box = await page.locator('.log').boundingBox()
        const at = await hit.boundingBox()
        expect(at?.y).toBeGreaterThanOrEqual(box?.y ?? 0)
        expect(at?.y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0))
        await page.locator('.log').focus()
        for (let count = 0; count < 40; count++) {
          await page.keyboard.press('PageDown')
          expect(await page.locator('.log-line').count()).toBeLessThanOrEqual(3_000)
        }
        expect(await page.evaluate(overlaps)).toBe(false)
        await visit.checkWidth()

        // The outline is every header and what is in none.
        await page.keyboard.press('o')
        await page.getByRole('button', { name: 'Smelt it', expanded: false }).waitFor()
        await expect.poll(() => page.locator('.log-line').count()).toBe(4)
        await page.getByText('The end is near', { exact: true }).waitFor()
        await visit.checkAccess()
        await page.keyboard.press('o')
        await page.getByText('<img src=x onerror=alert(1)>').waitFor()
        await page.getByText('javascript:alert(4) press').waitFor()
        expect(
          await page.locator('.log img, .log script, .log svg, .log a[href^="java"]').count(),
        ).toBe(0)
        expect(ran).toEqual([])
      },
    )
  },
  open,
)
