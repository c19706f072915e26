import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories, type Visit } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type Issue = { id: number; iid: number; title: string; state: string; labels: string[] }
type Planned = {
  labels: string[]
  assignees: { name: string }[]
  milestone: { title: string } | null
}

/** A project in a group of its own. */
async function newProject(name: string) {
  const { ask } = await open()
  const path = name.toLowerCase().replaceAll(' ', '-')
  const group = await ask<{ id: number }>('POST /groups', { name, path })
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name: 'Shop',
    namespace_id: group.id,
  })
  return {
    id: project.id,
    group: { id: group.id, base: `/groups/${path}` },
    base: `/${project.path_with_namespace}`,
    ask: <T>(route: string, body?: object) => {
      const [method, rest = ''] = route.split(' ')
      return ask<T>(`${method} /projects/${project.id}${rest}`, body)
    },
  }
}

stories(
  'planning',
  (story) => {
    story('a label is made, changed, used as a filter, promoted and deleted', async (visit) => {
      const { page } = visit
      const project = await newProject(`Labels ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', labels: ['old'] })
      await project.ask('POST /issues', { title: 'Hammer' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await visit.press(page.getByRole('link', { name: 'Labels', exact: true }))
      await visit.press(page.getByRole('link', { name: 'New label' }))
      await visit.write(page.getByLabel('Name', { exact: true }), 'needs heat')
      await visit.write(page.getByLabel('Description'), 'Into the fire first')
      await visit.press(page.getByRole('button', { name: 'Orange' }))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create label' }))
      await page.getByText('Into the fire first').waitFor()
      const labelOf = (name: string) =>
        project.ask<{ color: string; subscribed: boolean; is_project_label: boolean }>(
          `GET /labels/${encodeURIComponent(name)}`,
        )
      await expect
        .poll(() => labelOf('needs heat'))
        .toMatchObject({ color: '#e67e22', subscribed: false })

      await project.ask('PUT /issues/1', { add_labels: ['needs heat'] })
      await page.reload()
      await visit.press(page.getByRole('link', { name: '1 open issue with label needs heat' }))
      await page.getByRole('link', { name: 'Anvil' }).waitFor()
      expect(await page.getByRole('link', { name: 'Hammer' }).count()).toBe(0)

      await visit.press(page.getByRole('link', { name: 'Labels', exact: true }))
      await visit.press(page.getByRole('button', { name: 'Subscribe needs heat' }))
      await page.getByRole('button', { name: 'Unsubscribe needs heat' }).waitFor()
      await expect.poll(() => labelOf('needs heat')).toMatchObject({ subscribed: true })

      const menu = page.getByRole('button', { name: 'Actions for label needs heat' })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Edit label' }))
      const form = page.getByRole('form', { name: 'Edit label needs heat' })
      await visit.write(form.getByLabel('Name'), 'hot')
      await visit.press(form.getByRole('button', { name: 'Save changes' }))
      await visit.press(page.getByRole('button', { name: 'Actions for label hot' }))
      await visit.press(page.getByRole('menuitem', { name: 'Promote to group label' }))
      await visit.press(page.getByRole('button', { name: 'Promote to group label' }))
      await page.getByText('Group label', { exact: true }).waitFor()
      await expect.poll(() => labelOf('hot')).toMatchObject({ is_project_label: false })
      await expect
        .poll(async () => (await project.ask<Issue>('GET /issues/1')).labels)
        .toEqual(['hot', 'old'])

      await visit.write(page.getByRole('searchbox', { name: 'Search labels' }), 'hot')
      await page.getByText('Actions for label old').waitFor({ state: 'detached' })
      await visit.open(`${project.group.base}/-/labels`)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Actions for label hot' }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete label' }))
      await visit.press(page.getByRole('button', { name: 'Delete label' }))
      await page.getByText('No labels yet').waitFor()
      await expect
        .poll(async () => (await project.ask<Issue>('GET /issues/1')).labels)
        .toEqual(['old'])
    })

    story('the burndown table of a milestone agrees with its issues', async (visit) => {
      const { page } = visit
      const project = await newProject(`Milestones ${visit.width}`)
      const day = (offset: number) =>
        new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
      await visit.signIn()
      await visit.open(`${project.base}/-/milestones`)
      await page.getByText('No milestones yet').waitFor()
      await visit.press(page.getByRole('link', { name: 'New milestone' }))
      await visit.write(page.getByLabel('Title'), 'First heat')
      await page.getByLabel('Start date').fill(day(-5))
      await page.getByLabel('Due date').fill(day(12))
      await visit.write(page.getByLabel('Description', { exact: true }), 'All **hot** things.')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create milestone' }))
      await page.getByRole('heading', { level: 1, name: 'First heat' }).waitFor()
      await page.locator('.prose strong', { hasText: 'hot' }).waitFor()
      const [{ id: milestone_id } = { id: 0 }] = await project.ask<{ id: number }[]>(
        'GET /milestones?iids[]=1',
      )
      const make = (title: string, offset: number, weight: number) =>
        project.ask('POST /issues', {
          title,
          milestone_id,
          weight,
          created_at: `${day(offset)}T12:00:00Z`,
        })
      await make('Made before', -9, 5)
      await make('Made on the second day', -4, 2)
      await make('Made on the third day', -3, 1)
      await project.ask('PUT /issues/1', { state_event: 'close' })
      await page.reload()
      await page.getByText('1 of 3 closed').waitFor()
      await page.getByText('12 days left').waitFor()
      await page
        .getByRole('img', { name: /^Burndown chart: 1 remaining at the start, 2 on/ })
        .waitFor()
      const rows = async () => {
        await page.locator('.milestone-table tr').first().waitFor()
        return page
          .locator('.milestone-table tbody tr')
          .evaluateAll((all) =>
            all.map((row) =>
              [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)),
            ),
          )
      }
      await visit.press(page.getByText('Show as table'))
      await visit.checkAccess()
      await visit.checkWidth()
      // Opened, closed and remaining: on the first day, then as issues were made, and today.
      expect(await rows()).toEqual([
        [0, 0, 1],
        [1, 0, 2],
        [1, 0, 3],
        [0, 1, 2],
      ])
      await visit.press(page.getByRole('link', { name: 'Weight' }))
      await page
        .getByRole('img', { name: /^Burndown chart: 5 remaining at the start, 3 on/ })
        .waitFor()
      expect(await rows()).toEqual([
        [0, 0, 5],
        [2, 0, 7],
        [1, 0, 8],
        [0, 5, 3],
      ])
      const open = (await project.ask<Issue[]>('GET /issues?state=opened')).length
      expect(open).toBe(2)

      await visit.press(page.getByRole('button', { name: 'Close milestone' }))
      await page.getByRole('button', { name: 'Reopen milestone' }).waitFor()
      await visit.press(page.getByRole('button', { name: 'More actions' }))
      await visit.press(page.getByRole('menuitem', { name: 'Promote to group milestone' }))
      await visit.press(page.getByRole('button', { name: 'Promote to group milestone' }))
      await expect
        .poll(() => new URL(page.url()).pathname)
        .toBe(`${project.group.base}/-/milestones/1`)
      await page.getByText('1 of 3 closed').waitFor()
      await page.getByRole('link', { name: 'Made before' }).waitFor()
      await visit.press(page.getByRole('button', { name: 'Reopen milestone' }))
      await visit.open(`${project.group.base}/-/milestones`)
      await page.getByText('1 of 3 closed').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('what is typed in a dialog goes to its first field', async (visit) => {
      const { page } = visit
      const project = await newProject(`Dialogs ${visit.width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await visit.press(page.getByRole('button', { name: 'New board' }))
      await page.getByRole('dialog').waitFor()
      await page.keyboard.insertText('Forge')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Forge' }).waitFor()
    })

    story('cards are added, moved by keys, dragged, and taken back if refused', async (visit) => {
      const { page } = visit
      const project = await newProject(`Boards ${visit.width}`)
      for (const name of ['doing', 'review']) {
        await project.ask('POST /labels', { name, color: '#1f75cb' })
      }
      for (const title of ['One', 'Two', 'Three']) await project.ask('POST /issues', { title })
      await visit.signIn()
      await visit.open(`${project.base}/-/boards`)
      await page.getByText('No boards yet').waitFor()
      await visit.press(page.getByRole('button', { name: 'New board' }))
      await visit.write(page.getByLabel('Name'), 'Forge')
      await visit.press(page.getByRole('button', { name: 'Create board' }))
      await page.getByRole('heading', { level: 1, name: 'Forge' }).waitFor()
      for (const name of ['doing', 'review']) {
        await visit.press(page.getByRole('button', { name: 'Add list' }))
        await visit.press(page.getByRole('option', { name }))
        await page.getByRole('region', { name, exact: true }).waitFor()
      }
      const cardsOf = (name: string) =>
        page.getByRole('region', { name, exact: true }).locator('.board-title').allTextContents()
      const issueOf = (iid: number) => project.ask<Issue>(`GET /issues/${iid}`)
      await expect.poll(() => cardsOf('Open')).toEqual(['One', 'Two', 'Three'])

      await visit.press(page.getByRole('button', { name: 'Add issue to doing' }))
      await visit.write(page.getByLabel('Title'), 'Four')
      await visit.press(
        page.getByRole('form', { name: 'Add issue to doing' }).getByRole('button', {
          name: 'Add issue',
        }),
      )
      await expect.poll(() => cardsOf('doing')).toEqual(['Four'])
      await expect.poll(async () => (await issueOf(4)).labels).toEqual(['doing'])
      await visit.checkAccess()
      await visit.checkWidth()

      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      await page.getByRole('link', { name: 'One', exact: true }).focus()
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe('Two')
      await page.keyboard.press('Shift+ArrowUp')
      await expect.poll(() => cardsOf('Open')).toEqual(['Two', 'One', 'Three'])
      expect(await focused()).toBe('Two')
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(() => cardsOf('review')).toEqual(['Two'])
      expect(await focused()).toBe('Two')
      await expect.poll(async () => (await issueOf(2)).labels).toEqual(['review'])
      await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(() => cardsOf('Closed')).toEqual(['Two'])
      await expect.poll(async () => (await issueOf(2)).state).toBe('closed')
      await visit.press(page.getByRole('button', { name: 'Move Two' }))
      await visit.press(page.getByRole('menuitem', { name: 'Move to Open' }))
      await expect.poll(() => issueOf(2)).toMatchObject({ state: 'opened', labels: [] })
      await visit.settle()
      await expect.poll(() => cardsOf('Open')).toEqual(['Two', 'One', 'Three'])

      await dragCard(visit, { card: 'Three', onto: 'Four' })
      await expect.poll(() => cardsOf('doing')).toEqual(['Three', 'Four'])
      await expect.poll(async () => (await issueOf(3)).labels).toEqual(['doing'])
      await visit.settle()
      await page.reload()
      await expect.poll(() => cardsOf('doing')).toEqual(['Three', 'Four'])
      await expect.poll(() => cardsOf('Open')).toEqual(['Two', 'One'])

      await project.ask('POST /archive')
      await page.getByRole('link', { name: 'One', exact: true }).focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.locator('.refusal').first().waitFor()
      await expect.poll(() => cardsOf('Open')).toEqual(['Two', 'One'])
      await expect.poll(() => cardsOf('doing')).toEqual(['Three', 'Four'])
    })

    story(
      'lists are of labels, assignees and milestones, and cards take on what they are of',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Scopes ${visit.width}`)
        await project.ask('POST /labels', { name: 'doing', color: '#1f75cb' })
        const v1 = await project.ask<{ id: number }>('POST /milestones', { title: 'v1' })
        await project.ask('POST /milestones', { title: 'v2' })
        for (const title of ['One', 'Two']) await project.ask('POST /issues', { title })
        await project.ask('POST /boards', { name: 'Forge' })
        await visit.signIn()
        await visit.open(`${project.base}/-/boards`)
        const lists = ['doing', 'Administrator', 'v1', 'v2']
        for (const name of lists) {
          await visit.press(page.getByRole('button', { name: 'Add list' }))
          await visit.press(page.getByRole('option', { name }).first())
          await page.getByRole('region', { name, exact: true }).waitFor()
        }
        await visit.press(page.getByRole('button', { name: 'Add list' }))
        await page.getByText('No matching results').waitFor()
        await page.keyboard.press('Escape')
        await visit.checkAccess()
        await visit.checkWidth()

        const cardsOf = (name: string) =>
          page.getByRole('region', { name, exact: true }).locator('.board-title').allTextContents()
        const told = async () => {
          const { labels, assignees, milestone } = await project.ask<Planned>('GET /issues/1')
          return [labels, assignees.map(({ name }) => name), milestone?.title]
        }
        const move = async (to: string) => {
          const region = page.getByRole('region', { name: to, exact: true })
          const source = page.locator('.board-column', {
            hasNot: page.getByRole('heading', { level: 2, name: to, exact: true }),
            has: page.getByRole('link', { name: 'One', exact: true }),
          })
          await visit.press(source.first().getByRole('button', { name: 'Move One' }))
          await visit.press(page.getByRole('menuitem', { name: `Move to ${to}`, exact: true }))
          if (to !== 'Open') await region.getByRole('link', { name: 'One', exact: true }).waitFor()
          await visit.settle()
        }
        await expect.poll(() => cardsOf('Open')).toEqual(['One', 'Two'])
        await move('doing')
        await expect.poll(told).toEqual([['doing'], [], undefined])
        await move('Administrator')
        await expect.poll(told).toEqual([['doing'], ['Administrator'], undefined])
        expect([await cardsOf('doing'), await cardsOf('Administrator')]).toEqual([['One'], ['One']])
        await move('v1')
        await expect.poll(told).toEqual([['doing'], ['Administrator'], 'v1'])
        await move('v2')
        await expect.poll(told).toEqual([['doing'], ['Administrator'], 'v2'])
        await expect.poll(() => cardsOf('v1')).toEqual([])
        await page.reload()
        for (const name of ['doing', 'Administrator', 'v2']) {
          await expect.poll(() => cardsOf(name)).toEqual(['One'])
        }
        expect(await cardsOf('Open')).toEqual(['Two'])
        await move('Open')
        await expect.poll(told).toEqual([[], [], undefined])
        await expect.poll(() => cardsOf('Open')).toEqual(['One', 'Two'])

        const pick = async (opener: string, option: string) => {
          await visit.press(page.locator('.filter-bar').getByRole('button', { name: opener }))
          await visit.press(page.getByRole('option', { name: option }).first())
        }
        await project.ask('PUT /issues/2', { labels: 'doing', milestone_id: v1.id })
        await expect.poll(() => cardsOf('v1')).toEqual(['Two'])
        await visit.press(page.getByText('Filters', { exact: true }))
        await pick('Milestone', 'v1')
        await expect.poll(() => cardsOf('Open')).toEqual([])
        await expect.poll(() => cardsOf('doing')).toEqual(['Two'])
        await visit.press(page.getByRole('link', { name: /Remove filter/ }))
        await expect.poll(() => cardsOf('Open')).toEqual(['One'])
        await visit.write(page.getByRole('searchbox', { name: 'Search issues' }), 'Two')
        await expect.poll(() => cardsOf('Open')).toEqual([])
        expect(await cardsOf('doing')).toEqual(['Two'])
        await visit.press(page.getByRole('link', { name: 'Clear filters' }))
        await expect.poll(() => cardsOf('Open')).toEqual(['One'])
        await visit.checkAccess()
        await visit.checkWidth()

        await visit.press(page.getByRole('button', { name: 'Add issue to v2' }))
        const form = page.getByRole('form', { name: 'Add issue to v2' })
        await visit.write(form.getByLabel('Title'), 'Three')
        await visit.press(form.getByRole('button', { name: 'Add issue' }))
        await expect.poll(() => cardsOf('v2')).toEqual(['Three'])
        const { milestone } = await project.ask<Planned>('GET /issues/3')
        expect(milestone?.title).toBe('v2')
      },
    )

    story('a board of 1,000 cards asks for few of them, and writes a move once', async (visit) => {
      const { page } = visit
      const project = await newLargeBoard(visit.width)
      await visit.signIn()
      // Events would have the lists read at times of their own; a stream that ends at once is opened again after ten minutes.
      await page.route(/\/events\/stream/, (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n\n' }),
      )
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        const isIssues = pathname.endsWith('/issues')
        if (isIssues || request.method() !== 'GET')
          asked.push(`${request.method()} ${isIssues ? search : pathname}`)
      })
      await visit.open(`${project.base}/-/boards`)
      const doing = page.getByRole('region', { name: 'doing', exact: true })
      await doing.getByText('Card 20', { exact: true }).waitFor()
      const cards = doing.locator('[data-card]')
      expect([asked.length, await cards.count()]).toEqual([3, 20])
      await visit.checkAccess()
      for (let shown = 100; shown <= 1_000; shown += 100) {
        await visit.press(doing.getByRole('button', { name: /Show more/ }))
        await expect.poll(() => cards.count()).toBe(shown)
      }
      expect(await doing.getByRole('button', { name: /Show more/ }).count()).toBe(0)
      await cards.last().scrollIntoViewIfNeeded()
      await visit.checkWidth()
      await visit.settle()

      asked.length = 0
      await cards.last().getByRole('link').focus()
      await page.keyboard.press('Shift+ArrowUp')
      await page.getByRole('status').getByText('Card 1000 moved to position 999 of 1,000').waitFor()
      await visit.settle()
      const writes = () => asked.filter((one) => !one.startsWith('GET'))
      expect(writes()).toEqual([`PUT /api/v4/projects/${project.id}/issues/1000/reorder`])
      // The ten pages of the list, and none of the others.
      expect(asked.length).toBe(1 + 10)
      const titles = await cards.locator('.board-title').allTextContents()
      expect(titles.slice(-3)).toEqual(['Card 998', 'Card 1000', 'Card 999'])

      asked.length = 0
      await page.keyboard.press('Shift+ArrowRight')
      await expect
        .poll(() =>
          page.getByRole('region', { name: 'Closed' }).locator('.board-title').allTextContents(),
        )
        .toEqual(['Card 1000'])
      await visit.settle()
      expect(writes()).toEqual([`PUT /api/v4/projects/${project.id}/issues/1000`])
    })

    for (const kind of ['project', 'group'] as const) {
      story(`the lists of a board of a ${kind} are reordered`, async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const project = await newProject(`Lists of a ${kind} ${visit.width}`)
        const own = `/${kind}s/${kind === 'group' ? project.group.id : project.id}`
        const board = await ask<{ id: number }>(`POST ${own}/boards`, { name: 'Forge' })
        for (const name of ['doing', 'review', 'done']) {
          const label = await ask<{ id: number }>(`POST ${own}/labels`, { name, color: '#1f75cb' })
          await ask(`POST ${own}/boards/${board.id}/lists`, { label_id: label.id })
        }
        const stored = async () =>
          (await ask<{ label: { name: string } }[]>(`GET ${own}/boards/${board.id}/lists`)).map(
            ({ label }) => label.name,
          )
        const shown = () => page.locator('.board-column h2').allTextContents()
        await visit.signIn()
        await visit.open(`${kind === 'group' ? project.group.base : project.base}/-/boards`)
        await expect.poll(shown).toEqual(['Open', 'doing', 'review', 'done', 'Closed'])
        await visit.checkAccess()
        await visit.checkWidth()

        const menu = page.getByRole('button', { name: 'Actions for list doing' })
        await visit.press(menu)
        expect(await page.getByRole('menuitem', { name: 'Move list left' }).count()).toBe(0)
        await visit.press(page.getByRole('menuitem', { name: 'Move list right' }))
        await page.getByRole('status').getByText('List doing moved to position 2 of 3').waitFor()
        expect(await shown()).toEqual(['Open', 'review', 'doing', 'done', 'Closed'])
        await expect.poll(stored).toEqual(['review', 'doing', 'done'])
        await expect.poll(() => menu.evaluate((one) => one === document.activeElement)).toBe(true)

        await dragList(visit, { list: 'done', before: 'review' })
        await expect.poll(shown).toEqual(['Open', 'done', 'review', 'doing', 'Closed'])
        await expect.poll(stored).toEqual(['done', 'review', 'doing'])
        await visit.settle()
        await page.reload()
        await expect.poll(shown).toEqual(['Open', 'done', 'review', 'doing', 'Closed'])

        // Somebody else removes a list just before: the server refuses the place, and the page shows what is true.
        const lists = await ask<{ id: number }[]>(`GET ${own}/boards/${board.id}/lists`)
        await page.route(
          /\/lists\/\d+$/,
          async (route) => {
            await ask(`DELETE ${own}/boards/${board.id}/lists/${lists[2]?.id}`)
            await route.continue()
          },
          { times: 1 },
        )
        await visit.press(page.getByRole('button', { name: 'Actions for list review' }))
        await visit.press(page.getByRole('menuitem', { name: 'Move list right' }))
        await page.locator('.refusal').first().waitFor()
        await expect.poll(shown).toEqual(['Open', 'done', 'review', 'Closed'])
      })
    }
  },
  open,
)

/** A project with a board whose one list has a thousand issues. */
async function newLargeBoard(width: number) {
  const project = await newProject(`Many ${width}`)
  const { id: label_id } = await project.ask<{ id: number }>('POST /labels', {
    name: 'doing',
    color: '#1f75cb',
  })
  const board = await project.ask<{ id: number }>('POST /boards', { name: 'Forge' })
  await project.ask(`POST /boards/${board.id}/lists`, { label_id })
  for (let at = 1; at <= 1_000; at += 1)
    await project.ask('POST /issues', { title: `Card ${at}`, labels: ['doing'] })
  return project
}

/** Drags a card onto the upper half of another one. */
function dragCard(visit: Visit, { card, onto }: { card: string; onto: string }) {
  const found = (title: string) =>
    visit.page.locator('.board-card', {
      has: visit.page.getByRole('link', { name: title, exact: true }),
    })
  return drag(visit, { grip: found(card).locator('.board-grip'), onto: found(onto) })
}

/** Drags a list of a board before another one. */
function dragList(visit: Visit, { list, before }: { list: string; before: string }) {
  const head = (name: string) =>
    visit.page.getByRole('region', { name, exact: true }).locator('.board-column-head')
  return drag(visit, { grip: head(list).locator('.board-grip'), onto: head(before) })
}

/** Drags something to the upper left corner of something else: with a mouse on a desk, by touch on a phone. */
async function drag({ page, width }: Visit, { grip, onto }: { grip: Locator; onto: Locator }) {
  // In sight, and once no message of an earlier move lies upon it.
  await grip.click({ trial: true })
  const middleOf = async (what: Locator) => {
    const { x = 0, y = 0, width: wide = 0, height = 0 } = (await what.boundingBox()) ?? {}
    return { x: x + wide / 2, y: y + height / 2 }
  }
  const from = await middleOf(grip)
  const { x = 0, y = 0 } = (await onto.boundingBox()) ?? {}
  if (width !== phone_px) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y + 20, { steps: 5 })
    await page.mouse.move(x + 20, y + 5, { steps: 5 })
    await page.mouse.up()
    return
  }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', from)
  // At the edges of the window the lists move by beneath the finger, until the other one is there.
  let now = from
  for (let moves = 0; moves < 100; moves++) {
    const box = await onto.boundingBox()
    if (box && box.x >= 0 && box.x + 40 < width - 60) break
    now = { x: box && box.x < 0 ? 20 + (moves % 2) : width - 20 - (moves % 2), y: from.y }
    await touch('touchMove', now)
  }
  const at = await onto.boundingBox()
  await touch('touchMove', { x: (at?.x ?? 0) + 40, y: (at?.y ?? 0) + 5 })
  await touch('touchEnd')
  await session.detach()
}
