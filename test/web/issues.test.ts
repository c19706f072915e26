import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, pressAgain, stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type Issue = {
  iid: number
  state: string
  title: string
  description: string
  labels: string[]
  confidential: boolean
  assignees: { username: string }[]
}

/** A project of its own, with labels and people. */
async function newProject(name: string) {
  const { ask, root } = await open()
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', { name })
  for (const label of ['bug', 'feature'])
    await ask(`POST /projects/${project.id}/labels`, { name: label, color: '#c0392b' })
  return {
    id: project.id,
    base: `/${project.path_with_namespace}`,
    ask: <T>(route: string, body?: object) => {
      const [method, path = ''] = route.split(' ')
      return ask<T>(`${method} /projects/${project.id}${path}`, body)
    },
    root,
  }
}

/** Windows scroll by whole pixels. */
const expectNear = (place_px: number, other_px: number) =>
  expect(Math.abs(place_px - other_px)).toBeLessThan(4)

stories(
  'issues',
  (story) => {
    story('a new issue that was left unfinished is still there on the way back', async (visit) => {
      const { page } = visit
      const project = await newProject(`Left ${visit.width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await visit.press(page.getByRole('link', { name: 'New issue' }).first())
      const title = page.getByLabel('Title', { exact: true })
      const description = page.getByLabel('Description', { exact: true })
      await visit.write(title, 'Half a title')
      await visit.write(description, 'Half a text')
      await page.goBack()
      await page.getByText('No issues yet').waitFor()
      await page.goForward()
      await page.getByText('Your unsent draft was restored.').waitFor()
      expect(await title.inputValue()).toBe('Half a title')
      expect(await description.inputValue()).toBe('Half a text')
      // A link that proposes texts is not answered with others.
      await visit.follow(`${project.base}/-/issues/new?issue%5Btitle%5D=Proposed`)
      await expect.poll(() => title.inputValue()).toBe('Proposed')
      expect(await description.inputValue()).toBe('')
      await visit.open(`${project.base}/-/issues/new`)
      await visit.press(page.getByRole('button', { name: 'Discard draft' }))
      expect(await title.inputValue()).toBe('')
      expect(await description.inputValue()).toBe('')
      await visit.write(title, 'A whole title')
      await visit.press(page.getByRole('button', { name: 'Create issue' }))
      await page.getByRole('heading', { level: 1, name: 'A whole title' }).waitFor()
      await visit.open(`${project.base}/-/issues/new`)
      await visit.settle()
      expect(await title.inputValue()).toBe('')
      expect(await page.getByText('Your unsent draft was restored.').count()).toBe(0)
    })

    story('whoever edits again is told that a draft takes the place of the text', async (visit) => {
      const { page } = visit
      const project = await newProject(`Draft ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', description: 'First' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      const edit = page.getByRole('button', { name: 'Edit', exact: true })
      const description = page.getByLabel('Description', { exact: true })
      await visit.press(edit)
      await visit.write(description, 'Mine')
      await visit.follow(`${project.base}/-/issues`)
      await page.getByText('Add issue').first().waitFor()
      await project.ask('PUT /issues/1', { description: 'Theirs' })
      await visit.open(`${project.base}/-/issues/1`)
      await visit.press(edit)
      await page.getByText('Your unsent draft was restored.').waitFor()
      expect(await description.inputValue()).toBe('Mine')
      await visit.press(page.getByRole('button', { name: 'Discard draft' }))
      expect(await description.inputValue()).toBe('Theirs')
    })

    story(
      'a new issue is kept when the session has ended, also without signing in',
      async (visit) => {
        const { page, context } = visit
        const project = await newProject(`Ended ${visit.width}`)
        const { login, password } = project.root
        await visit.signIn()
        await visit.open(`${project.base}/-/issues/new`)
        const title = page.getByLabel('Title', { exact: true })
        await visit.write(title, 'Kept')
        await context.clearCookies()
        const create = page.getByRole('button', { name: 'Create issue' })
        await visit.press(create)
        const dialog = page.getByRole('dialog', { name: 'Sign in again to continue' })
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await page
          .getByRole('alert')
          .getByText('You are signed out, or you do not have permission to do this.')
          .waitFor()
        expect(await title.inputValue()).toBe('Kept')
        await visit.press(create)
        await visit.write(dialog.getByLabel('Username or email'), login)
        await visit.write(dialog.getByLabel('Password'), password)
        await visit.press(dialog.getByRole('button', { name: 'Sign in' }))
        await page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor()
      },
    )

    story('titles are read in their own direction, and long ones stay in place', async (visit) => {
      const { page } = visit
      const project = await newProject(`Titles ${visit.width}`)
      const arabic = 'مرحبا بالعالم (v2)'
      await project.ask('POST /issues', { title: arabic })
      await project.ask('POST /issues', { title: 'A title without an end '.repeat(11) })
      /** Where words of the page are, from its left. */
      const placeOf = (words: string) =>
        page.evaluate((searched) => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
          while (walker.nextNode()) {
            const text = walker.currentNode as Text
            const at = text.data.indexOf(searched)
            if (at < 0 || !text.parentElement?.closest('h1, .issuable-title')) continue
            const range = document.createRange()
            range.setStart(text, at)
            range.setEnd(text, at + searched.length)
            return range.getBoundingClientRect().left
          }
          return Number.NaN
        }, words)
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      expect(await placeOf('(v2)')).toBeLessThan(await placeOf('مرحبا'))
      expect(await placeOf('مرحبا')).toBeLessThan(await placeOf('#'))
      await visit.open(`${project.base}/-/issues`)
      expect(await placeOf('(v2)')).toBeLessThan(await placeOf('مرحبا'))
      const row = page.locator('.issuable-row-head', { hasText: 'A title without' })
      const [box, title] = [row.getByRole('checkbox'), row.locator('.issuable-title')]
      const edgesOf = async (what: Locator) => {
        const { x, y, width, height } = (await what.boundingBox()) ?? {
          x: 0,
          y: 0,
          width: 0,
          height: 0,
        }
        return { left: x, top: y, right: x + width, bottom: y + height }
      }
      const [boxEdges, titleEdges] = [await edgesOf(box), await edgesOf(title)]
      expect(titleEdges.left).toBeGreaterThanOrEqual(boxEdges.right)
      expect(titleEdges.top).toBeLessThan(boxEdges.bottom)
      await visit.checkWidth()
    })

    story('a double click closes an issue, and does not open it again', async (visit) => {
      const { page } = visit
      const project = await newProject(`Twice ${visit.width}`)
      await project.ask('POST /issues', { title: 'Closed for good' })
      const stateOf = async () => (await project.ask<Issue>('GET /issues/1')).state
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      const reopen = page.getByRole('button', { name: 'Reopen issue' })
      await page.getByRole('button', { name: 'Close issue' }).click()
      await reopen.waitFor()
      await pressAgain(page, reopen)
      await visit.settle()
      expect(await stateOf()).toBe('closed')
      await visit.press(reopen)
      await page.getByRole('button', { name: 'Close issue' }).waitFor()
      expect(await stateOf()).toBe('opened')
      await page.getByRole('button', { name: 'Close issue' }).dblclick()
      await reopen.waitFor()
      await visit.settle()
      expect(await stateOf()).toBe('closed')
    })

    story('one is made, found, talked about, closed and opened again', async (visit) => {
      const { page } = visit
      const project = await newProject(`Forge ${visit.width}`)
      const issueOf = (iid: number) => project.ask<Issue>(`GET /issues/${iid}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await page.getByText('No issues yet').waitFor()
      await visit.press(page.getByRole('link', { name: 'New issue' }).first())
      await visit.write(page.getByLabel('Title', { exact: true }), 'The anvil rings')
      await visit.write(
        page.getByLabel('Description', { exact: true }),
        '- [ ] find the crack\n- [ ] weld it\n\nSee **below**.',
      )
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create issue' }))
      await page.getByRole('heading', { level: 1, name: 'The anvil rings' }).waitFor()
      await page.getByText('0 of 2 tasks completed').waitFor()

      await visit.press(page.getByRole('checkbox', { name: 'find the crack' }))
      await page.getByText('1 of 2 tasks completed').waitFor()
      await expect
        .poll(async () => (await issueOf(1)).description)
        .toContain('- [x] find the crack\n- [ ] weld it')

      await visit.press(page.getByRole('button', { name: 'Edit labels' }))
      await visit.press(page.getByRole('option', { name: 'bug' }))
      await visit.press(page.getByRole('button', { name: 'Done' }))
      await page.getByRole('complementary').getByRole('link', { name: 'bug' }).waitFor()
      await expect.poll(async () => (await issueOf(1)).labels).toEqual(['bug'])
      await visit.press(page.getByRole('button', { name: 'Assign yourself' }))
      await page
        .getByRole('complementary')
        .getByRole('link', { name: 'Administrator' })
        .first()
        .waitFor()
      await expect
        .poll(async () => (await issueOf(1)).assignees)
        .toMatchObject([{ username: 'root' }])

      const comment = page.getByRole('textbox', { name: 'Comment' })
      await visit.write(comment, 'It was the **hammer**.')
      await visit.press(page.getByRole('button', { name: 'Comment', exact: true }))
      await page.locator('.note strong', { hasText: 'hammer' }).waitFor()
      await visit.press(page.getByRole('button', { name: 'Reply' }))
      await visit.write(page.getByRole('textbox', { name: 'Reply to thread' }), 'Which one?')
      await visit.press(page.getByRole('button', { name: 'Reply' }))
      await page.getByText('Which one?').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.write(comment, 'Done.')
      await visit.press(page.getByRole('button', { name: 'Comment and close' }))
      await page.getByRole('button', { name: 'Reopen issue' }).waitFor()
      await expect.poll(() => issueOf(1)).toMatchObject({ state: 'closed' })
      await visit.press(page.getByRole('button', { name: 'Reopen issue' }))
      await page.getByRole('button', { name: 'Close issue' }).waitFor()
      await page.emulateMedia({ media: 'print' })
      expect(await comment.isVisible()).toBe(false)
      expect(await page.getByText('Which one?').isVisible()).toBe(true)
      await page.emulateMedia({ media: null })

      await visit.open(`${project.base}/-/issues?label_name[]=feature`)
      await page.getByText('No matching issues').waitFor()
      await visit.press(page.getByRole('link', { name: 'Remove filter: Label: feature' }))
      await page.getByRole('link', { name: 'The anvil rings' }).waitFor()
      expect(new URL(page.url()).search).toBe('')
    })

    story('pressing twice creates one issue, though its page is slow to come', async (visit) => {
      const { page } = visit
      const project = await newProject(`Anvil ${visit.width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/new`)
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/\/issues\/\d+\?/, async (route) => {
        await held
        await route.continue()
      })
      const title = page.getByLabel('Title', { exact: true })
      await visit.write(title, 'Only once')
      await visit.press(page.getByRole('button', { name: 'Create issue' }))
      await page.waitForURL('**/-/issues/1')
      await title.press('Enter')
      await visit.page.waitForTimeout(200)
      release()
      await page.getByRole('heading', { level: 1, name: 'Only once' }).waitFor()
      await visit.settle()
      expect(await project.ask<Issue[]>('GET /issues')).toHaveLength(1)
    })

    story(
      'a comment on an issue that was deleted meanwhile is kept, and says why',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Clinker ${visit.width}`)
        await project.ask('POST /issues', { title: 'Doomed' })
        await visit.signIn()
        await visit.open(`${project.base}/-/issues/1`)
        const box = page.getByRole('textbox', { name: 'Comment' })
        await visit.write(box, 'Is it warm?')
        await project.ask('DELETE /issues/1')
        await visit.press(page.getByRole('button', { name: 'Comment', exact: true }))
        await page
          .getByRole('alert')
          .getByText('Not found. It may have been deleted, or you no longer have access.')
          .waitFor()
        expect(await box.inputValue()).toBe('Is it warm?')
      },
    )

    story('a project without issues has no list of them', async (visit) => {
      const { page } = visit
      const project = await newProject(`Bellows ${visit.width}`)
      await project.ask('PUT ', { issues_access_level: 'disabled' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      await visit.follow('/search')
      await page.waitForFunction(() => document.title === 'Search · Bloomery')
    })

    story('a list that became shorter than its address shows its last page', async (visit) => {
      const { page } = visit
      const project = await newProject(`Short list ${visit.width}`)
      for (let made = 1; made <= 31; made++) {
        await project.ask('POST /issues', { title: `Tongs number ${made}` })
      }
      await visit.signIn()
      await visit.open(`${project.base}/-/issues?sort=created_asc&page=9`)
      await page.getByRole('link', { name: 'Tongs number 31' }).waitFor()
      const { search } = new URL(page.url())
      expect(search).toBe('?sort=created_asc&page=2')
      await project.ask('PUT /issues/31', { state_event: 'close' })
      await page.getByRole('link', { name: 'Tongs number 30' }).waitFor()
      expect(new URL(page.url()).search).toBe('?sort=created_asc')
      await visit.follow(`${project.base}/-/tags?page=3`)
      await page.getByText('No tags yet').waitFor()
      await page.waitForURL('**/-/tags')
      await page.goBack()
      await page.getByRole('link', { name: 'Tongs number 30' }).waitFor()
    })

    story(
      'a draft survives a reload, and a text that somebody else changed is not lost',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Tuyere ${visit.width}`)
        await project.ask('POST /issues', { title: 'Air', description: 'More air.' })
        await visit.signIn()
        await visit.open(`${project.base}/-/issues/1`)
        const comment = page.getByRole('textbox', { name: 'Comment' })
        await visit.write(comment, 'Half a thou')
        await page.waitForTimeout(400)
        await page.reload()
        await page.getByText('Your unsent draft was restored.').waitFor()
        await expect.poll(() => comment.inputValue()).toBe('Half a thou')
        await visit.press(page.getByRole('button', { name: 'Discard draft' }))
        await expect.poll(() => comment.inputValue()).toBe('')

        await visit.press(page.getByRole('button', { name: 'Edit', exact: true }).first())
        await visit.write(page.getByLabel('Description', { exact: true }), 'Much more air.')
        await project.ask('PUT /issues/1', { description: 'Less air.' })
        await visit.press(page.getByRole('button', { name: 'Save changes' }))
        await page.getByText('Someone else changed this while you were editing').waitFor()
        await visit.checkAccess()
        await expect
          .poll(async () => (await project.ask<Issue>('GET /issues/1')).description)
          .toBe('Less air.')
        await visit.press(page.getByRole('button', { name: 'Save my version' }))
        await page.getByText('Much more air.').waitFor()
        await expect
          .poll(async () => (await project.ask<Issue>('GET /issues/1')).description)
          .toBe('Much more air.')
      },
    )

    story('what others do appears by itself', async (visit) => {
      const { page } = visit
      const project = await newProject(`Tongs ${visit.width}`)
      await project.ask('POST /issues', { title: 'Grip' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      await visit.settle()
      await project.ask('POST /issues/1/notes', { body: 'From elsewhere' })
      await page.getByText('From elsewhere').waitFor()
      await project.ask('PUT /issues/1', { state_event: 'close' })
      await page.getByRole('button', { name: 'Reopen issue' }).waitFor()
    })

    story('the field one writes in stays where it is while others comment', async (visit) => {
      const { page } = visit
      const project = await newProject(`Bellows leather ${visit.width}`)
      await project.ask('POST /issues', { title: 'Leather', description: 'Cracked.\n\n'.repeat(9) })
      for (const body of ['First', 'Second']) await project.ask('POST /issues/1/notes', { body })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      const field = page.getByRole('textbox', { name: 'Comment', exact: true })
      await field.scrollIntoViewIfNeeded()
      const topOfField = () => field.evaluate((one) => one.getBoundingClientRect().top)
      const comment = async (body: string) => {
        await project.ask('POST /issues/1/notes', { body: `${body}\n\nand\n\nmore` })
        await page.getByText(body).waitFor()
        await visit.settle()
      }
      await visit.write(field, 'Half a sente')
      await visit.settle()
      const written = await topOfField()
      await comment('While somebody writes')
      expectNear(await topOfField(), written)
      // Without the focus what is written stays in sight as well.
      await field.evaluate((one) => one.blur())
      await comment('While somebody reads')
      expectNear(await topOfField(), written)
      await project.ask('PUT /issues/1', {
        description: `Mended.${'\n\nCracked.'.repeat(6)}`,
      })
      await page.getByText('Mended.').waitFor()
      await visit.settle()
      expectNear(await topOfField(), written)
    })

    story('the history says who is assigned and how the weight changed', async (visit) => {
      const { page } = visit
      const { ask, root } = await open()
      const project = await newProject(`Plumb line ${visit.width}`)
      const [me] = await ask<{ id: number }[]>(`GET /users?username=${root.login}`)
      await project.ask('POST /issues', { title: 'Heavy', assignee_ids: [me?.id], weight: 3 })
      await project.ask('PUT /issues/1', { weight: 5 })
      await project.ask('PUT /issues/1', { weight: null })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      for (const text of [
        'assigned to',
        'set weight to 3',
        'set weight to 5',
        'removed the weight',
      ])
        await page.locator('.activity-event', { hasText: text }).waitFor()
      await visit.press(page.getByRole('button', { name: 'More actions' }))
      await visit.press(page.getByRole('menuitem', { name: 'Copy issue' }))
      await page.getByText('So are labels and the milestone').waitFor()
      await visit.checkAccess()
    })

    story('names complete, and quick actions are done', async (visit) => {
      const { page } = visit
      const project = await newProject(`Quench ${visit.width}`)
      await project.ask('POST /issues', { title: 'Oil' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues/1`)
      const comment = page.getByRole('textbox', { name: 'Comment' })
      await visit.enter(comment)
      // Enter comes before the list is that of all that was typed.
      await page.keyboard.type('/')
      await page.getByRole('option', { name: '/close' }).waitFor()
      await page.keyboard.type('lab')
      await page.keyboard.press('Enter')
      expect(await comment.inputValue()).toBe('/label ')
      await page.keyboard.type('~')
      await page.getByRole('option', { name: 'feature' }).waitFor()
      await page.keyboard.type('fea')
      await page.keyboard.press('Enter')
      expect(await comment.inputValue()).toBe('/label ~feature ')
      await page.keyboard.type('~bu')
      await page.getByRole('option', { name: 'bug' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      expect(await comment.inputValue()).toBe('/label ~feature ~bug ')
      await page.keyboard.press('ControlOrMeta+Enter')
      await page.getByRole('complementary').getByRole('link', { name: 'bug' }).waitFor()
      await expect
        .poll(async () => (await project.ask<Issue>('GET /issues/1')).labels)
        .toEqual(['bug', 'feature'])
      // What was chosen by arrows for one name is not chosen for the next.
      await visit.enter(comment)
      await page.keyboard.type('~')
      await page.getByRole('option', { name: 'bug', selected: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('option', { name: 'feature', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('~')
      await page.getByRole('option', { name: 'bug', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      expect(await comment.inputValue()).toBe('~feature ~bug ')
      // Whose user name begins so comes before those whose name does, as the Administrator's.
      const { ask } = await open()
      const username = `admi-${visit.width}`
      const { id: user_id } = await ask<{ id: number }>('POST /users', {
        ...{ username, name: 'Zoe', email: `${username}@forge.test`, force_random_password: true },
      })
      await project.ask('POST /members', { user_id, access_level: 30 })
      await page.keyboard.type('@admi')
      await page.getByRole('option', { name: 'Administrator' }).waitFor()
      await page.getByRole('option', { name: 'Zoe', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      expect(await comment.inputValue()).toBe(`~feature ~bug @${username} `)
    })

    story('many are changed at once', async (visit) => {
      const { page } = visit
      const project = await newProject(`Slag ${visit.width}`)
      for (const title of ['One', 'Two', 'Three']) await project.ask('POST /issues', { title })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await visit.press(page.getByRole('checkbox', { name: 'Select One' }))
      await visit.press(page.getByRole('checkbox', { name: 'Select Three' }))
      await page.getByText('2 selected').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Close', exact: true }))
      await page.getByRole('link', { name: 'Open 1' }).waitFor()
      const states = await project.ask<Issue[]>('GET /issues?order_by=created_at&sort=asc')
      expect(states.map(({ state }) => state)).toEqual(['closed', 'opened', 'closed'])
      if (visit.width === phone_px) return
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByText('1 selected').waitFor()
    })

    story('what is selected while others are still being changed stays selected', async (visit) => {
      const { page } = visit
      const project = await newProject(`Ladle ${visit.width}`)
      for (const title of ['One', 'Two']) await project.ask('POST /issues', { title })
      const mayAnswer = Promise.withResolvers<void>()
      await page.route('**/issues/1', async (route) => {
        const response = await route.fetch()
        await mayAnswer.promise
        await route.fulfill({ response })
      })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await visit.press(page.getByRole('checkbox', { name: 'Select One' }))
      await visit.press(page.getByRole('button', { name: 'Close', exact: true }))
      // The list hears of the change before the page has its answer.
      await page.getByRole('link', { name: 'Open 1' }).waitFor()
      await visit.press(page.getByRole('checkbox', { name: 'Select Two' }))
      mayAnswer.resolve()
      await page.getByText('1 selected').waitFor()
      expect(await page.getByRole('checkbox', { name: 'Select Two' }).isChecked()).toBe(true)
    })

    story('a due date is the same day west of Greenwich', async (visit) => {
      const { page, context } = visit
      const project = await newProject(`Sundial ${visit.width}`)
      await project.ask('POST /issues', { title: 'Early', due_date: '2030-03-01' })
      await project.ask('POST /issues', { title: 'Late', due_date: '2020-03-01' })
      await visit.signIn()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' })
      await visit.open(`${project.base}/-/issues`)
      await page.getByText('Due date: Mar 1, 2030').waitFor()
      await page.getByText('Overdue: Mar 1, 2020').waitFor()
    })
  },
  open,
)
