// Two people look at the same issues: what one does, the other sees without asking, and without losing their place.
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories, type Visit, visit as visitServer } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** Sooner than a look at everything, which comes every 15 seconds, would bring it. */
const soon = { timeout: 8_000 }

type Thing = { id: number; iid: number }

/** A project in a group of its own, with two lists on a board of each. */
async function newProject(name: string) {
  const { ask } = await open()
  const path = name.toLowerCase().replaceAll(' ', '-')
  const group = await ask<{ id: number }>('POST /groups', { name, path })
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    ...{ name: 'Shop', namespace_id: group.id, initialize_with_readme: true },
  })
  for (const label of ['doing', 'done']) {
    await ask(`POST /groups/${group.id}/labels`, { name: label, color: '#1f75cb' })
  }
  const labels = await ask<{ id: number; name: string }[]>(`GET /groups/${group.id}/labels`)
  for (const owner of [`/projects/${project.id}`, `/groups/${group.id}`]) {
    const board = await ask<{ id: number }>(`POST ${owner}/boards`, { name: 'Forge' })
    for (const name of ['doing', 'done']) {
      const label_id = labels.find((label) => label.name === name)?.id
      await ask(`POST ${owner}/boards/${board.id}/lists`, { label_id })
    }
  }
  return {
    base: `/${project.path_with_namespace}`,
    groupBase: `/groups/${path}`,
    ask: <T = Thing>(route: string, body?: object) => {
      const [method, rest = ''] = route.split(' ')
      return ask<T>(`${method} /projects/${project.id}${rest}`, body)
    },
  }
}

/** Somebody else, at a page of their own. */
async function secondVisitor({ width }: Visit): Promise<Visit> {
  const other = await visitServer(await open(), { width })
  onTestFinished(other.close)
  await other.signIn()
  return other
}

const cardsOf = ({ page }: Visit, list: string) =>
  page.getByRole('region', { name: list, exact: true }).locator('.board-title')

const shows = (visit: Visit, list: string, titles: readonly string[]) =>
  expect.poll(() => cardsOf(visit, list).allTextContents(), soon).toEqual(titles)

/** Reads that the page asks from now on get their answers at once, and give them to the page when they are released. */
async function holdAnswers(page: Page, url: RegExp) {
  let [count, release] = [0, () => {}]
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    const response = await route.fetch()
    count++
    await released
    await route.fulfill({ response })
  })
  return { count: () => count, release: () => release() }
}

const hasFocus = (what: Locator) => what.evaluate((one) => one === document.activeElement)

stories(
  'live-lists',
  (story) => {
    story('a board shows what somebody else does', async (visit) => {
      const { page } = visit
      const project = await newProject(`Board ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', labels: ['doing'] })
      await project.ask('POST /issues', { title: 'Hammer', labels: ['doing'] })
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await shows(visit, 'doing', ['Anvil', 'Hammer'])
      await visit.settle()
      const other = await secondVisitor(visit)
      const ofGroup = await secondVisitor(visit)
      await ofGroup.open(`${project.groupBase}/-/boards`)
      await shows(ofGroup, 'doing', ['Anvil', 'Hammer'])

      await cardsOf(visit, 'doing').first().focus()
      await other.open(`${project.base}/-/boards`)
      await shows(other, 'doing', ['Anvil', 'Hammer'])
      await cardsOf(other, 'doing').first().focus()
      await other.page.keyboard.press('Shift+ArrowRight')
      for (const reader of [visit, ofGroup]) {
        await shows(reader, 'doing', ['Hammer'])
        await shows(reader, 'done', ['Anvil'])
      }
      // The reader was on the card that has left; the next one has taken its place.
      await expect.poll(() => hasFocus(cardsOf(visit, 'doing').first())).toBe(true)

      await project.ask('POST /issues', { title: 'Tongs', labels: ['doing'] })
      await project.ask('PUT /issues/1', { state_event: 'close' })
      for (const reader of [visit, other, ofGroup]) {
        await shows(reader, 'doing', ['Hammer', 'Tongs'])
        await shows(reader, 'done', [])
        await shows(reader, 'Closed', ['Anvil'])
      }
      await cardsOf(other, 'doing').last().focus()
      await other.page.keyboard.press('Shift+ArrowUp')
      for (const reader of [visit, ofGroup]) await shows(reader, 'doing', ['Tongs', 'Hammer'])
      expect(await hasFocus(cardsOf(visit, 'doing').last())).toBe(true)

      const [board] = await project.ask<{ id: number; lists: Thing[] }[]>('GET /boards')
      await project.ask(`DELETE /boards/${board?.id}/lists/${board?.lists[1]?.id}`)
      await expect
        .poll(() => page.locator('.board-column h2').allTextContents(), soon)
        .toEqual(['Open', 'doing', 'Closed'])
    })

    story('a board shows what somebody else does to a card it has just moved', async (visit) => {
      const project = await newProject(`Own ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', labels: ['doing'] })
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await shows(visit, 'doing', ['Anvil'])
      await visit.settle()
      await cardsOf(visit, 'doing').first().focus()
      await visit.page.keyboard.press('Shift+ArrowRight')
      const labels = async () => (await project.ask<{ labels: string[] }>('GET /issues/1')).labels
      await expect.poll(labels).toEqual(['done'])
      await visit.settle()
      await project.ask('PUT /issues/1', { state_event: 'close' })
      await shows(visit, 'Closed', ['Anvil'])
      await shows(visit, 'done', [])
    })

    story('a board shows what changes while its lists are being read', async (visit) => {
      const { page } = visit
      const project = await newProject(`Held ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', labels: ['doing'] })
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await shows(visit, 'doing', ['Anvil'])
      const other = await secondVisitor(visit)
      await other.open(`${project.base}/-/boards`)
      await shows(other, 'doing', ['Anvil'])
      await Promise.all([visit.settle(), other.settle()])

      const reads = await holdAnswers(page, /\/issues\?/)
      await project.ask('POST /issues', { title: 'Tongs', labels: ['doing'] })
      await shows(other, 'doing', ['Anvil', 'Tongs'])
      await expect.poll(reads.count, soon).toBe(4)
      // The answers that are held are from before this change, and its event comes before them.
      await project.ask('PUT /issues/1', { state_event: 'close' })
      await shows(other, 'Closed', ['Anvil'])
      reads.release()
      await shows(visit, 'Closed', ['Anvil'])
      await shows(visit, 'doing', ['Tongs'])
    })

    story(
      'a card that was moved stays where it is while its lists are read again',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Stay ${visit.width}`)
        await project.ask('POST /issues', { title: 'Anvil', labels: ['doing'] })
        await visit.signIn()
        await visit.open(`${project.base}/-/boards`)
        await shows(visit, 'doing', ['Anvil'])
        await visit.settle()
        const reads = await holdAnswers(page, /\/issues\?/)
        await project.ask('POST /issues', { title: 'Tongs', labels: ['doing'] })
        await expect.poll(reads.count, soon).toBe(4)
        await cardsOf(visit, 'doing').first().focus()
        await page.keyboard.press('Shift+ArrowRight')
        await page.getByText('Anvil moved to done').waitFor()
        // What was read before the move comes now, and the lists are read again.
        const later = await holdAnswers(page, /\/issues\?/)
        reads.release()
        await expect.poll(later.count, soon).toBeGreaterThan(0)
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        expect(await cardsOf(visit, 'doing').allTextContents()).toEqual(['Tongs'])
        expect(await cardsOf(visit, 'done').allTextContents()).toEqual(['Anvil'])
        later.release()
        await visit.settle()
        await shows(visit, 'doing', ['Tongs'])
        await shows(visit, 'done', ['Anvil'])
      },
    )

    story('a board that is made while the boards are being read is shown', async (visit) => {
      const { page } = visit
      const project = await newProject(`Made ${visit.width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await visit.settle()
      const reads = await holdAnswers(page, /\/boards\?/)
      const [board] = await project.ask<{ id: number; lists: Thing[] }[]>('GET /boards')
      await project.ask(`DELETE /boards/${board?.id}/lists/${board?.lists[1]?.id}`)
      await expect.poll(reads.count, soon).toBe(1)
      await visit.press(page.getByRole('button', { name: 'Board actions' }))
      await visit.press(page.getByRole('menuitem', { name: 'New board' }))
      await visit.write(page.getByLabel('Name'), 'Smithy')
      await visit.press(page.getByRole('button', { name: 'Create board' }))
      await page.getByRole('heading', { level: 1, name: 'Smithy' }).waitFor()
      const again = await holdAnswers(page, /\/boards\?/)
      reads.release()
      await expect.poll(again.count, soon).toBe(1)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Smithy')
      again.release()
      await visit.settle()
      await page.getByRole('heading', { level: 1, name: 'Smithy' }).waitFor()
    })

    story('a board keeps its place, and what is dragged, while others change it', async (visit) => {
      const { page, width } = visit
      const project = await newProject(`Drag ${width}`)
      for (let at = 1; at <= 19; at++) {
        await project.ask('POST /issues', { title: `Card ${at}`, labels: ['doing'] })
      }
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await cardsOf(visit, 'doing').nth(18).waitFor()
      await visit.settle()
      const card = page.locator('.board-card', {
        has: page.getByRole('link', { name: 'Card 15', exact: true }),
      })
      await card.scrollIntoViewIfNeeded()
      await card.getByRole('link').focus()
      const top = async () => Math.round((await card.boundingBox())?.y ?? 0)
      const before = await top()

      // It comes first, above all that the reader looks at.
      const first = await project.ask('POST /issues', { title: 'Card 0', labels: ['doing'] })
      const { id } = await project.ask('GET /issues/1')
      await project.ask(`PUT /issues/${first.iid}/reorder`, { move_before_id: id })
      await expect.poll(() => cardsOf(visit, 'doing').first().textContent(), soon).toBe('Card 0')
      await visit.settle()
      expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
      expect(await hasFocus(card.getByRole('link'))).toBe(true)
      if (width === phone_px) return

      const grip = await card.locator('.board-grip').boundingBox()
      await page.mouse.move((grip?.x ?? 0) + 4, (grip?.y ?? 0) + 4)
      await page.mouse.down()
      const target = page.getByRole('region', { name: 'done', exact: true })
      const onto = await target.boundingBox()
      await page.mouse.move((onto?.x ?? 0) + 60, (onto?.y ?? 0) + 60, { steps: 5 })
      await page.locator('.board-ghost').waitFor()
      const shown = await cardsOf(visit, 'doing').allTextContents()
      const told = page.waitForResponse(
        async (response) =>
          response.url().includes('/issues?') &&
          response.status() === 200 &&
          (await response.text()).includes('Card 15, renamed'),
      )
      await project.ask('PUT /issues/14', { state_event: 'close' })
      await project.ask('PUT /issues/15', { title: 'Card 15, renamed' })
      await told
      // The page is never idle while a button is pressed: two frames draw what the answer brought.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      expect(await cardsOf(visit, 'doing').allTextContents()).toEqual(shown)
      expect(await page.locator('.board-ghost').textContent()).toBe('Card 15')
      await page.mouse.move((onto?.x ?? 0) + 70, (onto?.y ?? 0) + 70)
      await page.mouse.up()
      await shows(visit, 'done', ['Card 15, renamed'])
      await shows(
        visit,
        'doing',
        shown.filter((title) => title !== 'Card 15' && title !== 'Card 14'),
      )
      const { labels } = await project.ask<{ labels: string[] }>('GET /issues/15')
      expect(labels).toEqual(['done'])
    })

    story('lists of issues and of merge requests show what somebody else does', async (visit) => {
      const { page } = visit
      const project = await newProject(`Lists ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil' })
      await project.ask('POST /issues', { title: 'Hammer' })
      await project.ask('POST /repository/branches', { branch: 'topic', ref: 'main' })
      await visit.signIn()
      const titles = ({ page }: Visit) => page.locator('.issuable-title').allTextContents()
      const lists = async (visitors: readonly Visit[], wanted: readonly string[]) => {
        for (const one of visitors) await expect.poll(() => titles(one), soon).toEqual(wanted)
      }
      const ofGroup = await secondVisitor(visit)
      const both = [visit, ofGroup]
      await visit.open(`${project.base}/-/issues`)
      await ofGroup.open(`${project.groupBase}/-/issues`)
      await lists(both, ['Hammer', 'Anvil'])
      await visit.settle()
      await page.getByRole('link', { name: 'Anvil', exact: true }).focus()

      await project.ask('POST /issues', { title: 'Tongs' })
      await lists(both, ['Tongs', 'Hammer', 'Anvil'])
      expect(await hasFocus(page.getByRole('link', { name: 'Anvil', exact: true }))).toBe(true)
      await page.getByRole('link', { name: 'Open 3' }).waitFor()
      await project.ask('PUT /issues/2', { state_event: 'close' })
      await lists(both, ['Tongs', 'Anvil'])
      await project.ask('DELETE /issues/3')
      await lists(both, ['Anvil'])

      // Very many at once are one reload now and then, not one for each.
      await visit.settle()
      let asked = 0
      page.on('request', (request) => {
        if (request.url().includes('/issues?')) asked += 1
      })
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => project.ask('POST /issues', { title: `Nail ${at}` })),
      )
      await expect.poll(async () => (await titles(visit)).length, soon).toBe(30)
      await page.getByRole('link', { name: 'Open 41' }).waitFor()
      expect(asked).toBeLessThan(10)

      await visit.open(`${project.base}/-/merge_requests`)
      await ofGroup.open(`${project.groupBase}/-/merge_requests`)
      await lists(both, [])
      const made = await project.ask('POST /merge_requests', {
        ...{ title: 'Broom', source_branch: 'topic', target_branch: 'main' },
      })
      await lists(both, ['Broom'])
      await project.ask(`PUT /merge_requests/${made.iid}`, { title: 'Better broom' })
      await lists(both, ['Better broom'])
      await project.ask(`PUT /merge_requests/${made.iid}`, { state_event: 'close' })
      await lists(both, [])
    })
  },
  open,
)
