// What is seen and said of changes beside their lines: comments on whole files, pictures, lines that were moved.
import { crc32, deflateSync } from 'node:zlib'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories, type Visit } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type Discussion = { notes: { body: string; position?: Record<string, unknown> }[] }

/** A PNG of one colour. */
function picture(width: number, height: number, rgb: readonly [number, number, number]): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a colour, three colours.
  head.set([8, 2], 8)
  const line = Buffer.concat([Buffer.alloc(1), Buffer.from(Array(width).fill(rgb).flat())])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array(height).fill(line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

type Files = Record<string, string | Buffer>

/** A project whose branch `topic` has `after` where `main` has `before`, and a merge request from it. */
async function newChange(name: string, { before, after }: { before: Files; after: Files }) {
  const running = await open()
  const clone = await newClone(running, name)
  await clone.git('switch', '-qc', 'main')
  await clone.commit('Begin', before)
  await clone.push('main')
  await clone.git('switch', '-qc', 'topic')
  await clone.commit('Change', after)
  await clone.push('topic')
  await running.ask(`POST /projects/${clone.id}/merge_requests`, {
    title: 'Change',
    source_branch: 'topic',
    target_branch: 'main',
  })
  const own = `/projects/${clone.id}/merge_requests/1`
  return {
    clone,
    page: `${clone.path}/-/merge_requests/1`,
    /** Without what the server notes. */
    threads: async () => {
      const all = await running.ask<Discussion[]>(`GET ${own}/discussions`)
      return all.filter(({ notes }) => notes[0]?.position)
    },
  }
}

/** The section of a file, with the focus in it on a desk. */
async function openFile(visit: Visit, path: string): Promise<Locator> {
  const file = visit.page.getByRole('region', { name: new RegExp(path) })
  await file.waitFor()
  return file
}

stories(
  'changes',
  (story) => {
    story('a whole file is commented on, at once and in a review', async (visit) => {
      const { page } = visit
      const change = await newChange(`Whole ${visit.width}`, {
        before: { 'list.txt': 'one\ntwo\n' },
        after: { 'list.txt': 'one\nTWO\n' },
      })
      await visit.signIn()
      await visit.open(`${change.page}/diffs`)
      await page.locator('.diff-added', { hasText: 'TWO' }).waitFor()
      const file = await openFile(visit, 'list.txt')
      const comment = file.getByRole('button', { name: 'Comment on list.txt' })
      if (visit.width === phone_px) await comment.click()
      else {
        // The next file, then a comment on it.
        await page.keyboard.press(']')
        await page.keyboard.press('Shift+C')
      }
      const box = page.getByRole('textbox', { name: 'Comment on list.txt' })
      await visit.write(box, 'Is this file still needed?')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Add comment now' }))
      await file.getByText('Is this file still needed?').waitFor()
      await expect.poll(change.threads).toMatchObject([
        {
          notes: [
            {
              body: 'Is this file still needed?',
              position: { position_type: 'file', new_path: 'list.txt' },
            },
          ],
        },
      ])

      await visit.press(comment)
      await visit.write(box, 'And its name?')
      await visit.press(page.getByRole('button', { name: 'Add to review' }))
      await page.getByText('1 draft comment').waitFor()
      await page.reload()
      await file.getByText('And its name?').waitFor()
      // Above the lines.
      const [note, line] = await Promise.all(
        [file.getByText('And its name?'), file.locator('.diff-added')].map((one) =>
          one.boundingBox(),
        ),
      )
      expect(note?.y).toBeLessThan(line?.y ?? 0)
      await visit.press(page.getByRole('button', { name: 'Finish review' }))
      await visit.press(page.getByRole('button', { name: 'Submit review' }))
      await page.getByText('Review submitted').waitFor()
      await expect
        .poll(async () => (await change.threads()).map(({ notes }) => notes[0]))
        .toMatchObject([
          { body: 'Is this file still needed?' },
          { body: 'And its name?', position: { position_type: 'file' } },
        ])
    })

    story('lines that were moved say where from and where to', async (visit) => {
      const { page } = visit
      const moved = 'export function add(one, other) {\n  return one + other\n}\n'
      const change = await newChange(`Moved ${visit.width}`, {
        before: { 'a.js': `${moved}\nconst kept = 1\n`, 'b.js': 'const first = 1\n' },
        after: { 'a.js': 'const kept = 1\n', 'b.js': `const first = 1\n\n${moved}` },
      })
      await visit.signIn()
      await visit.open(`${change.page}/diffs`)
      const read = (path: string) =>
        page
          .getByRole('region', { name: new RegExp(path) })
          .locator('.diff-moved')
          .evaluateAll((cells) =>
            cells.map((cell) => [
              cell.textContent,
              cell.getAttribute('title'),
              getComputedStyle(cell, '::after').content,
            ]),
          )
      const rows = (words: string) => [
        ['export function add(one, other) {', words, `"${words}"`],
        ['  return one + other', words, 'none'],
        ['}', words, 'none'],
      ]
      await expect.poll(() => read('a.js')).toEqual(rows('Moved to b.js:3'))
      await expect.poll(() => read('b.js')).toEqual(rows('Moved from a.js:1'))
      await visit.checkAccess()
      await visit.checkWidth()
      if (visit.width === phone_px) return
      await page.keyboard.press('s')
      await expect.poll(() => read('b.js')).toEqual(rows('Moved from a.js:1'))
      await visit.checkAccess()
    })

    story('pictures are compared in three ways and commented on', async (visit) => {
      const { page } = visit
      const change = await newChange(`Pictures ${visit.width}`, {
        before: {
          'logo.png': picture(80, 40, [200, 40, 40]),
          'old.png': picture(20, 20, [0, 0, 0]),
        },
        after: {
          'logo.png': picture(80, 40, [40, 40, 200]),
          'new.png': picture(30, 20, [0, 90, 0]),
        },
      })
      await change.clone.git('rm', '-q', 'old.png')
      await change.clone.commit('Remove', {})
      await change.clone.push('topic')
      await visit.signIn()
      await visit.open(`${change.page}/diffs`)
      const logo = await openFile(visit, 'logo.png')
      const shown = (locator: Locator) =>
        locator.evaluate((one) => (one as HTMLImageElement).naturalWidth)
      const [before, after] = ['before', 'after'].map((side) =>
        logo.getByRole('img', { name: `logo.png ${side} the change` }),
      ) as [Locator, Locator]
      await expect.poll(() => shown(before)).toBe(80)
      await expect.poll(() => shown(after)).toBe(80)
      await logo.getByText('80 × 40 pixels').first().waitFor()
      const added = await openFile(visit, 'new.png')
      await added.scrollIntoViewIfNeeded()
      await added.getByText('Added').waitFor()
      await added.getByText('30 × 20 pixels').waitFor()
      expect(await added.getByRole('img').count()).toBe(1)
      const removed = await openFile(visit, 'old.png')
      await removed.scrollIntoViewIfNeeded()
      await removed.getByText('20 × 20 pixels').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.press(logo.getByRole('button', { name: 'Swipe' }))
      const divider = logo.getByRole('slider', { name: 'Divider between before and after' })
      await visit.enter(divider)
      await page.keyboard.press('End')
      expect(await divider.inputValue()).toBe('100')
      await visit.checkAccess()
      await visit.press(logo.getByRole('button', { name: 'Onion skin' }))
      await logo.getByRole('slider', { name: 'Opacity of the new image' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(logo.getByRole('button', { name: '2-up' }))

      await logo.getByText('80 × 40 pixels').nth(1).waitFor()
      let point = { x: 40, y: 20 }
      if (visit.width === phone_px) {
        await after.click({ position: { x: 60, y: 10 } })
        const chosen = logo.getByRole('button', { name: /^Comment position/ })
        const [x = 0, y = 0] = (await chosen.getAttribute('aria-label'))?.match(/\d+/g) ?? []
        // Pictures need not begin at a whole pixel of the window.
        point = { x: Number(x), y: Number(y) }
        expect([Math.abs(point.x - 60), Math.abs(point.y - 10)].every((away) => away < 2)).toBe(
          true,
        )
      } else {
        await visit.press(logo.getByRole('button', { name: 'Comment on this image' }))
        await visit.enter(logo.getByRole('button', { name: /^Comment position: 40, 20/ }))
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('Shift+ArrowUp')
        point = { x: 41, y: 12 }
      }
      await logo.getByRole('button', { name: `Comment position: ${point.x}, ${point.y}` }).waitFor()
      await visit.write(page.getByRole('textbox', { name: 'Comment on logo.png' }), 'Too blue')
      // Off the bar at the bottom, which covers what is below it.
      await page.evaluate(() => scrollTo(0, 0))
      await visit.checkAccess()
      await visit.press(page.getByRole('button', { name: 'Add comment now' }))
      await logo.getByText('Point 1').waitFor()
      await logo.locator('.picture-diff-mark', { hasText: '1' }).waitFor()
      await expect.poll(change.threads).toMatchObject([
        {
          notes: [
            {
              body: 'Too blue',
              position: { position_type: 'image', width: 80, height: 40, ...point },
            },
          ],
        },
      ])
      await visit.checkWidth()

      const sha = await change.clone.git('rev-parse', 'HEAD~1')
      await visit.open(`${change.clone.path}/-/commit/${sha}`)
      await expect.poll(() => shown(before)).toBe(80)
      await visit.open(`${change.clone.path}/-/compare/main...topic`)
      await expect.poll(() => shown(before)).toBe(80)
      await expect.poll(() => shown(after)).toBe(80)
    })

    story('changed files are found by a part of their path', async (visit) => {
      const { page } = visit
      const names = [
        ...Array.from({ length: 14 }, (_, at) => `src/part-${at}.ts`),
        'docs/Guide.md',
        'docs/index.md',
      ]
      const filesOf = (text: string) => Object.fromEntries(names.map((name) => [name, text]))
      const change = await newChange(`Many files ${visit.width}`, {
        before: filesOf('one\n'),
        after: filesOf('two\n'),
      })
      const sha = await change.clone.git('rev-parse', 'HEAD')
      const list = page.locator('.diff-listed')
      const field = page.getByRole('searchbox', { name: 'Filter changed files' })
      await visit.signIn()
      for (const address of [
        `${change.page}/diffs`,
        `${change.clone.path}/-/commit/${sha}`,
        `${change.clone.path}/-/compare/main...topic`,
      ]) {
        await visit.open(address)
        await field.waitFor()
        await visit.settle()
        // A long list is folded until one looks for something in it.
        expect(await list.count()).toBe(0)
        if (visit.width === phone_px) await field.click()
        else await page.keyboard.press('/')
        await page.keyboard.type('guide')
        await expect.poll(() => list.locator('a').allTextContents()).toEqual(['docs/Guide.md'])
        await page.getByRole('status').getByText('1 of 16 files').waitFor()
        expect(new URL(page.url()).searchParams.get('file')).toBe('guide')
        await visit.checkAccess()
        await visit.checkWidth()
        await page.keyboard.press('Enter')
        const section = page.locator('.diff-file', { hasText: 'docs/Guide.md' })
        await expect
          .poll(() => section.evaluate((one) => one === document.activeElement))
          .toBe(true)
        await expect
          .poll(async () => Math.round((await section.boundingBox())?.y ?? -1))
          .toBeGreaterThanOrEqual(0)

        await visit.write(field, 'nowhere')
        await page.getByText('No matching files').waitFor()
        expect(await list.count()).toBe(0)
        await visit.checkAccess()
        // A part of the name of a folder, in the address that a colleague is sent.
        await visit.open(`${address}?file=DOCS/`)
        await expect.poll(() => list.count()).toBe(2)
      }
    })
  },
  open,
)
