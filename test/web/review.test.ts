import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { visit as openVisit, phone_px, pressAgain, stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type MergeRequest = {
  iid: number
  state: string
  title: string
  sha: string
  merged_at: string | null
}
type Discussion = {
  id: string
  notes: {
    body: string
    resolved?: boolean
    position?: { new_path: string; new_line: number | null }
  }[]
}

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
const after = 'one\nTWO\nthree\nfour\nfive\nsix\nSEVEN\neight\n'

const isFocused = (one: Element) => one === document.activeElement

/** A project with a branch whose file differs from the default one in two lines. */
async function newProject(name: string) {
  const { ask } = await open()
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name,
    initialize_with_readme: true,
  })
  const own = <T>(route: string, body?: object) => {
    const [method, path = ''] = route.split(' ')
    return ask<T>(`${method} /projects/${project.id}${path}`, body)
  }
  const commit = (branch: string, files: Record<string, string>, more: object = {}) =>
    own('POST /repository/commits', {
      branch,
      commit_message: `Change ${Object.keys(files).join(', ')}`,
      actions: Object.entries(files).map(([file_path, content]) => ({
        action: 'exists' in more ? 'update' : 'create',
        file_path,
        content,
      })),
      ...('start_branch' in more ? more : {}),
    })
  await commit('main', { 'list.txt': before })
  await own('POST /repository/branches', { branch: 'topic', ref: 'main' })
  await commit('topic', { 'list.txt': after }, { exists: true })
  return {
    base: `/${project.path_with_namespace}`,
    ask: own,
    commit,
    newRequest: (fields: object = {}) =>
      own<MergeRequest>('POST /merge_requests', {
        title: 'Louder',
        source_branch: 'topic',
        target_branch: 'main',
        ...fields,
      }),
    requestOf: (iid: number) => own<MergeRequest>(`GET /merge_requests/${iid}`),
    fileOf: async (branch: string) =>
      atob(
        (await own<{ content: string }>(`GET /repository/files/list.txt?ref=${branch}`)).content,
      ),
  }
}

/** Threads on the second and the seventh line of the changed file, each with a suggestion. */
async function suggestTwoLines(project: Pick<Awaited<ReturnType<typeof newProject>>, 'ask'>) {
  const { diff_refs } = await project.ask<{ diff_refs: object }>('GET /merge_requests/1')
  const place = { position_type: 'text', new_path: 'list.txt', old_path: 'list.txt' }
  for (const [new_line, text] of [
    [2, 'Two'],
    [7, 'Seven'],
  ] as const) {
    await project.ask('POST /merge_requests/1/discussions', {
      body: `Perhaps:\n\n\`\`\`suggestion:-0+0\n${text}\n\`\`\``,
      position: { ...diff_refs, ...place, new_line },
    })
  }
}

stories(
  'review',
  (story) => {
    story('a merge request is asked for again until its check has ended', async (visit) => {
      const { page } = visit
      const project = await newProject(`Checking ${visit.width}`)
      const { iid } = await project.newRequest()
      // The server is still checking for a while, and says that nothing has changed.
      let isChecking = true
      let asked = 0
      const etag = '"checking"'
      await page.route(/\/merge_requests\/1\?/, async (route) => {
        if (!isChecking) return route.continue()
        asked++
        if (route.request().headers()['if-none-match'] === etag) {
          return route.fulfill({ status: 304, headers: { etag } })
        }
        const response = await route.fetch()
        const json = { ...(await response.json()), detailed_merge_status: 'checking' }
        return route.fulfill({ json, headers: { etag } })
      })
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/${iid}`)
      await page.getByText('Checking if it can be merged').waitFor()
      await expect.poll(() => asked).toBeGreaterThan(2)
      isChecking = false
      await page.getByText('Ready to merge').waitFor()
    })

    story('a double click opens a merge request again, and does not merge it', async (visit) => {
      const { page } = visit
      const project = await newProject(`Twice ${visit.width}`)
      const { iid } = await project.newRequest()
      await project.ask(`PUT /merge_requests/${iid}`, { state_event: 'close' })
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/${iid}`)
      const merge = page.getByRole('button', { name: 'Merge', exact: true })
      await page.getByRole('button', { name: 'Reopen merge request' }).click()
      await merge.waitFor()
      await pressAgain(page, merge)
      await visit.settle()
      expect((await project.requestOf(iid)).state).toBe('opened')
      await visit.press(merge)
      await page.getByText('Merged by').first().waitFor()
    })

    story('a branch is proposed by the link that git prints, and merged', async (visit) => {
      const { page } = visit
      const project = await newProject(`Propose ${visit.width}`)
      await visit.signIn()
      const compared = Promise.withResolvers<void>()
      await page.route('**/repository/compare?*', async (route) => {
        await compared.promise
        await route.continue()
      })
      await visit.open(
        `${project.base}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic`,
      )
      const create = page.getByRole('button', { name: 'Create merge request' })
      await create.waitFor()
      // There is no title yet to create it with.
      expect(await create.getAttribute('aria-disabled')).toBe('true')
      compared.resolve()
      await expect
        .poll(() => page.getByLabel('Title', { exact: true }).inputValue())
        .toBe('Change list.txt')
      expect(await create.getAttribute('aria-disabled')).toBe(null)
      await page.locator('.diff-added', { hasText: 'SEVEN' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(create)
      await page.getByRole('heading', { level: 1, name: 'Change list.txt' }).waitFor()
      await page.getByText('Ready to merge').waitFor()
      await page.locator('.diff-added', { hasText: 'SEVEN' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Merge', exact: true }))
      await page.getByText('Merged into main').waitFor()
      await expect.poll(() => project.requestOf(1)).toMatchObject({ state: 'merged' })
      await expect.poll(() => project.fileOf('main')).toBe(after)
      // The source branch goes with the merge, as the project has it by default.
      const branches = await project.ask<{ name: string }[]>('GET /repository/branches')
      expect(branches.map(({ name }) => name)).toEqual(['main'])
    })

    story(
      'lines are commented on, drafts survive a reload and are published together',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Comment ${visit.width}`)
        await project.newRequest()
        const threads = () => project.ask<Discussion[]>('GET /merge_requests/1/discussions')
        await visit.signIn()
        await visit.open(`${project.base}/-/merge_requests/1/diffs`)
        const line = page.locator('.diff-added', { hasText: 'TWO' })
        await line.waitFor()
        if (visit.width === phone_px) await line.locator('th').click()
        else {
          // The first change, then a comment on it.
          await page.keyboard.press('n')
          await page.keyboard.press('c')
        }
        const box = page.getByRole('textbox', { name: /^Comment on list\.txt/ })
        await visit.write(box, 'Why so loud?')
        await visit.press(page.getByRole('button', { name: 'Add to review' }))
        await page.getByText('1 draft comment').waitFor()
        expect((await threads()).length).toBe(0)
        await page.reload()
        await page.getByText('1 draft comment').waitFor()
        await page.locator('.line-notes', { hasText: 'Why so loud?' }).waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(page.getByRole('button', { name: 'Finish review' }))
        await visit.write(page.getByLabel('Summary (optional)'), 'One question.')
        await visit.press(page.getByRole('radio', { name: /^Approve/ }))
        await visit.checkAccess()
        await visit.press(page.getByRole('button', { name: 'Submit review' }))
        await page.getByText('Review submitted').waitFor()
        await expect
          .poll(async () => (await threads()).map(({ notes }) => notes[0]?.body))
          .toEqual(expect.arrayContaining(['Why so loud?', 'One question.']))
        await page.getByRole('button', { name: 'Revoke approval' }).waitFor()

        await page.locator('.line-notes').getByRole('button', { name: 'Resolve thread' }).waitFor()
        // It is resolved at once, and open again if the server refuses.
        const resolve = page.locator('.line-notes').getByRole('button', { name: 'Resolve thread' })
        const resolved = page.locator('.line-notes').getByText('Resolved by Administrator')
        let answer = Promise.withResolvers<object | undefined>()
        await page.route('**/merge_requests/1/discussions/*', async (route) => {
          const refusal = await answer.promise
          await (refusal ? route.fulfill(refusal) : route.continue())
        })
        await visit.press(resolve)
        await resolved.waitFor()
        answer.resolve({ status: 400, json: { message: '400 Bad request - Not so fast.' } })
        await page.getByText('Not so fast.').waitFor()
        await resolve.waitFor()
        answer = Promise.withResolvers()
        await visit.press(resolve)
        await resolved.waitFor()
        answer.resolve(undefined)
        await expect
          .poll(async () => (await threads()).map(({ notes }) => notes[0]?.resolved))
          .toContain(true)
        await visit.settle()
        await resolved.waitFor()
      },
    )

    story('suggestions are written, and applied one by one and together', async (visit) => {
      const { page } = visit
      const project = await newProject(`Suggest ${visit.width}`)
      await project.newRequest()
      await suggestTwoLines(project)
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1/diffs`)
      await page.getByRole('button', { name: 'Add to batch' }).nth(1).waitFor()
      await visit.press(page.getByRole('button', { name: 'Add to batch' }).first())
      await visit.press(page.getByRole('button', { name: 'Add to batch' }).first())
      await visit.press(page.getByRole('button', { name: 'Apply 2 suggestions' }))
      await page.getByText('Suggestion applied').waitFor()
      await expect
        .poll(() => project.fileOf('topic'))
        .toBe(after.replace('TWO', 'Two').replace('SEVEN', 'Seven'))
      await expect
        .poll(async () => {
          const found = await project.ask<Discussion[]>('GET /merge_requests/1/discussions')
          return found.filter(({ notes }) => notes[0]?.resolved).length
        })
        .toBe(2)
      await page.locator('.diff-added', { hasText: 'Seven' }).waitFor()
    })

    story(
      'threads on the overview show their lines, and suggestions are applied there',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Overview ${visit.width}`)
        await project.newRequest()
        await suggestTwoLines(project)
        await visit.signIn()
        await visit.open(`${project.base}/-/merge_requests/1`)
        const threads = page.locator('.activity .thread')
        const first = threads.first()
        await first.locator('.code-line', { hasText: 'TWO' }).waitFor()
        expect(await first.locator('.code-line').allTextContents()).toEqual(['one\n', 'TWO\n'])
        // The suggestion is drawn by a part of the pages that is loaded after the lines.
        const suggested = () => first.locator('.line-diff-line').allTextContents()
        await expect.poll(suggested).toEqual(['-TWO', '+Two'])
        await first.getByText('line 2', { exact: true }).waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(first.getByRole('link', { name: 'list.txt' }))
        await page.waitForURL(/\/diffs#note_/)
        const inDiff = page.locator('.diff-notes', { hasText: 'Two' })
        await expect
          .poll(() =>
            inDiff.evaluate((one) => {
              const { top, bottom } = one.getBoundingClientRect()
              return bottom > 0 && top < innerHeight
            }),
          )
          .toBe(true)
        await page.goBack()
        await visit.press(threads.nth(1).getByRole('button', { name: 'Add to batch' }))
        await page.getByRole('button', { name: 'Apply 1 suggestion', exact: true }).waitFor()
        await visit.press(first.getByRole('button', { name: 'Apply suggestion' }))
        await expect.poll(() => project.fileOf('topic')).toBe(after.replace('TWO', 'Two'))
        await first.getByText('Resolved by Administrator').waitFor()
        // The seventh line is not as it was when the suggestion was made.
        await project.commit('topic', { 'list.txt': before }, { exists: true })
        await page.reload()
        await threads.nth(1).getByText('Outdated').waitFor()
        await threads.nth(1).getByText('so this suggestion cannot be applied').waitFor()
        expect(await page.getByRole('button', { name: 'Apply suggestion' }).count()).toBe(0)
        await visit.press(threads.nth(1).getByRole('button', { name: 'Resolve thread' }))
        await threads.nth(1).getByText('Resolved by Administrator').waitFor()
        await visit.checkAccess()
      },
    )

    story('a merge follows an applied suggestion, but no push of somebody else', async (visit) => {
      const { page } = visit
      const project = await newProject(`Suggest and merge ${visit.width}`)
      await project.newRequest()
      await suggestTwoLines(project)
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1/diffs`)
      const apply = page.getByRole('button', { name: 'Apply suggestion' })
      const merge = page.getByRole('button', { name: 'Merge', exact: true })
      await apply.nth(1).waitFor()
      // The page is not told of what happens before it merges.
      let read = Promise.withResolvers<void>()
      await page.route('**/merge_requests/1?*', (route) =>
        read.promise.then(() => route.continue()),
      )
      // Somebody pushes while the suggestion is on its way.
      await page.route(
        '**/repository/commits',
        async (route) => {
          await project.commit('topic', { 'other.txt': 'other\n' })
          await route.continue()
        },
        { times: 1 },
      )
      await visit.press(apply.first())
      await page.getByText('Suggestion applied').waitFor()
      await visit.press(merge)
      await page.getByText(/SHA does not match HEAD/).waitFor()
      read.resolve()
      await visit.settle()

      read = Promise.withResolvers<void>()
      await visit.press(apply)
      await expect
        .poll(() => project.fileOf('topic'))
        .toBe(after.replace('TWO', 'Two').replace('SEVEN', 'Seven'))
      await expect.poll(() => apply.count()).toBe(0)
      await visit.press(merge)
      await expect
        .poll(async () => (await project.ask<MergeRequest>('GET /merge_requests/1')).state)
        .toBe('merged')
      read.resolve()
      await page.getByText('Merged by Administrator').waitFor()
    })

    story(
      'what changed since the last look is shown alone, and viewed files stay folded',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Again ${visit.width}`)
        await project.commit('topic', { 'other.txt': 'other\n' })
        await project.newRequest()
        await visit.signIn()
        await visit.open(`${project.base}/-/merge_requests/1/diffs`)
        await page.locator('.diff-added', { hasText: 'TWO' }).waitFor()
        // The files above have their height: a pointer that is pressed on a box that moves releases it beside.
        await page.getByRole('row', { name: /other$/ }).waitFor()
        await visit.press(page.getByRole('checkbox', { name: 'Viewed: other.txt' }))
        await page.getByText('1 of 2 files viewed').waitFor()
        await page.route('**/viewed_files', (route) =>
          route.fulfill({ status: 400, json: { message: '400 Bad request - No more files.' } }),
        )
        await visit.press(page.getByRole('checkbox', { name: 'Viewed: list.txt' }))
        await page.getByText('No more files.').waitFor()
        await page.getByText('1 of 2 files viewed').waitFor()
        await page.unroute('**/viewed_files')
        await expect.poll(() => page.getByRole('row', { name: /other$/ }).count()).toBe(0)
        await project.commit(
          'topic',
          { 'list.txt': after.replace('four', 'FOUR') },
          { exists: true },
        )
        await page.reload()
        await page.locator('.diff-added', { hasText: 'FOUR' }).waitFor()
        await page
          .getByLabel('Compare with')
          .selectOption({ label: 'Changes since your last visit' })
        await page.getByText('You are viewing the changes between two versions').waitFor()
        await page.locator('.diff-added', { hasText: 'FOUR' }).waitFor()
        expect(await page.locator('.diff-added', { hasText: 'TWO' }).count()).toBe(0)
        await visit.checkAccess()
        await visit.press(page.getByRole('link', { name: 'Show all changes' }))
        await page.locator('.diff-added', { hasText: 'TWO' }).waitFor()
      },
    )

    story('the field one writes in stays where it is while others review', async (visit) => {
      const { page } = visit
      const project = await newProject(`Quiet ${visit.width}`)
      await project.newRequest()
      const thread = await project.ask<Discussion>('POST /merge_requests/1/discussions', {
        body: 'First\n\nwith\n\nlines',
      })
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1`)
      const field = page.getByRole('textbox', { name: 'Comment', exact: true })
      await visit.write(field, 'Half a sente')
      await page.locator('.diff-added', { hasText: 'SEVEN' }).waitFor({ state: 'attached' })
      await visit.settle()
      const topOfField = () => field.evaluate((one) => one.getBoundingClientRect().top)
      const written = await topOfField()
      await project.ask(`POST /merge_requests/1/discussions/${thread.id}/notes`, {
        body: 'An answer\n\nof\n\nothers',
      })
      await page.getByText('An answer').waitFor()
      await visit.settle()
      // Windows scroll by whole pixels.
      expect(Math.abs((await topOfField()) - written)).toBeLessThan(4)
      await project.ask(`PUT /merge_requests/1/discussions/${thread.id}?resolved=true`)
      await page.getByText('Resolved by').waitFor()
      await visit.settle()
      expect(Math.abs((await topOfField()) - written)).toBeLessThan(4)
    })

    story('a reviewer requests changes, and approves later', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const project = await newProject(`Request changes ${visit.width}`)
      const author = await ask<{ id: number }>('POST /users', {
        name: 'Bo',
        username: `bo${visit.width}`,
        email: `bo${visit.width}@example.com`,
        password: 'a long pass phrase of Bo',
      })
      await project.ask('POST /members', { user_id: author.id, access_level: 30 })
      await project.ask(`POST /merge_requests?sudo=${author.id}`, {
        title: 'Louder',
        source_branch: 'topic',
        target_branch: 'main',
      })
      const states = async () => {
        const found = await project.ask<{ state: string }[]>('GET /merge_requests/1/reviewers')
        return found.map(({ state }) => state)
      }
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1/diffs`)
      await page.locator('.diff-added', { hasText: 'TWO' }).waitFor()
      if (visit.width === phone_px) {
        await page.getByRole('button', { name: 'Finish review' }).click()
      } else await page.keyboard.press('a')
      await visit.write(page.getByLabel('Summary (optional)'), 'Too loud.')
      await visit.press(page.getByRole('radio', { name: /^Request changes/ }))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Submit review' }))
      await page.getByText('Changes requested by Administrator').waitFor()
      await expect.poll(states).toEqual(['requested_changes'])
      await expect
        .poll(async () => {
          const found = await project.ask<Discussion[]>('GET /merge_requests/1/discussions')
          return found.map(({ notes }) => notes[0]?.body)
        })
        .toEqual(['Too loud.', 'requested changes'])
      // It blocks nothing, but nobody calls it ready.
      await page.getByRole('button', { name: 'Merge', exact: true }).waitFor()
      await page.locator('.state-bar').getByText('Changes requested', { exact: true }).waitFor()
      expect(await page.getByText('Ready to merge').count()).toBe(0)
      const other = await openVisit(await open(), { width: visit.width })
      try {
        await other.signIn({ login: `bo${visit.width}`, password: 'a long pass phrase of Bo' })
        await other.open('/')
        const waiting = other.page.getByRole('list', { name: 'Waiting for others (1)' })
        await waiting.getByText('Changes requested by Administrator').waitFor()
        expect(await waiting.getByText('Ready to merge').count()).toBe(0)
        expect(other.problems).toEqual([])
      } finally {
        await other.close()
      }
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Approve', exact: true }))
      await page.getByRole('button', { name: 'Revoke approval' }).waitFor()
      await expect.poll(states).toEqual(['approved'])
      await expect.poll(() => page.getByText('Changes requested by').count()).toBe(0)
    })

    story(
      'a merge waits for a pipeline that runs, whether or not it has to pass',
      async (visit) => {
        const { page } = visit
        const project = await newProject(`Auto ${visit.width}`)
        await project.newRequest()
        await project.commit('topic', { '.gitlab-ci.yml': 'unit:\n  script: [make]\n' })
        await visit.signIn()
        await visit.open(`${project.base}/-/merge_requests/1`)
        await page.getByRole('button', { name: 'Merge', exact: true }).waitFor()
        await visit.press(page.getByRole('button', { name: 'Set to auto-merge' }))
        await page.getByText('Set by Administrator to merge when the pipeline succeeds').waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(page.getByRole('button', { name: 'Cancel auto-merge' }))
        await page.getByRole('button', { name: 'Set to auto-merge' }).waitFor()
        expect(await project.requestOf(1)).toMatchObject({ state: 'opened' })
        const [pipeline] = await project.ask<{ id: number }[]>('GET /pipelines')
        await project.ask(`POST /pipelines/${pipeline?.id}/cancel`)
        await expect
          .poll(() => page.getByRole('button', { name: 'Set to auto-merge' }).count())
          .toBe(0)
        await page.getByRole('button', { name: 'Merge', exact: true }).waitFor()
      },
    )

    story('the default template is the description of a new merge request', async (visit) => {
      const { page } = visit
      const project = await newProject(`Template ${visit.width}`)
      await project.commit('main', {
        '.gitlab/merge_request_templates/Default.md': '## What changes\n',
        '.gitlab/merge_request_templates/Fix.md': '## What was wrong\n',
        '.gitlab/issue_templates/default.md': '## What happens\n',
      })
      await visit.signIn()
      const description = page.getByRole('textbox', { name: 'Description' })
      const template = page.getByLabel('Template')
      await visit.open(`${project.base}/-/issues/new`)
      await expect.poll(() => description.inputValue()).toBe('## What happens\n')
      // What an address says is not overwritten, and a template is no draft.
      await visit.open(`${project.base}/-/issues/new?issue%5Bdescription%5D=As%20said`)
      await template.waitFor()
      await visit.settle()
      expect(await description.inputValue()).toBe('As said')
      await visit.open(
        `${project.base}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic`,
      )
      await expect.poll(() => description.inputValue()).toBe('## What changes\n')
      expect(await template.inputValue()).toBe('Default')
      await template.selectOption('Fix')
      await expect.poll(() => description.inputValue()).toBe('## What was wrong\n')
    })

    story('a review is requested once more', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const project = await newProject(`Once more ${visit.width}`)
      const reviewer = await ask<{ id: number }>('POST /users', {
        name: 'Cy',
        username: `cy${visit.width}`,
        email: `cy${visit.width}@example.com`,
        password: 'a long pass phrase of Cy',
      })
      await project.ask('POST /members', { user_id: reviewer.id, access_level: 30 })
      await project.newRequest({ reviewer_ids: [reviewer.id] })
      const todos = async () =>
        (await ask<object[]>(`GET /todos?action=review_requested&sudo=${reviewer.id}`)).length
      expect(await todos()).toBe(1)
      await visit.signIn()
      // The page is read before it follows what happens.
      const stream = Promise.withResolvers<void>()
      await page.route('**/events/stream?*', (route) => stream.promise.then(() => route.continue()))
      await visit.open(`${project.base}/-/merge_requests/1`)
      const details = page.getByRole('region', { name: 'Reviewers' })
      await details.getByText('Not yet reviewed').waitFor()
      const button = details.getByRole('button', { name: 'Re-request review from Cy' })
      expect(await button.count()).toBe(0)

      // What the reviewer does appears by itself.
      await project.ask(`POST /merge_requests/1/approve?sudo=${reviewer.id}`)
      stream.resolve()
      await details.getByText('Approved').waitFor()
      expect(await todos()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(button)
      await page.getByText('Review requested from Cy').waitFor()
      await details.getByText('Not yet reviewed').waitFor()
      await expect.poll(() => button.count()).toBe(0)
      expect(await details.getByRole('link', { name: 'Cy' }).evaluate(isFocused)).toBe(true)
      await expect.poll(todos).toBe(1)
      expect(await project.ask('GET /merge_requests/1/approvals')).toMatchObject({
        approved_by: [],
      })

      await project.ask(`POST /merge_requests/1/notes?sudo=${reviewer.id}`, {
        body: '/request_changes',
      })
      await details.getByText('Changes requested').waitFor()
      await visit.press(button)
      await details.getByText('Not yet reviewed').waitFor()
      await expect.poll(() => page.getByText('Changes requested by Cy').count()).toBe(0)
    })

    story('a branch that is missing is told, in a proposal and once reopened', async (visit) => {
      const { page } = visit
      const project = await newProject(`Missing ${visit.width}`)
      const { iid } = await project.newRequest()
      await project.ask('DELETE /repository/branches/topic')
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/new?merge_request[source_branch]=topic`)
      await page.getByText('Branch topic or main does not exist.').waitFor()
      expect(await page.getByRole('button', { name: 'Create merge request' }).count()).toBe(0)
      await visit.open(`${project.base}/-/merge_requests/${iid}`)
      await visit.press(page.getByRole('button', { name: 'Reopen merge request' }))
      await page.getByText('A branch is missing, or the source branch has no new').waitFor()
      expect(await page.getByRole('link', { name: 'Resolve conflicts' }).count()).toBe(0)
    })

    story('an archived project says why nobody comments or merges', async (visit) => {
      const { page } = visit
      const project = await newProject(`Shelf ${visit.width}`)
      const { iid } = await project.newRequest()
      await project.ask('POST /issues', { title: 'Shelved' })
      await project.ask('POST /archive')
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/${iid}`)
      const reason = page.getByText('This project is archived and read-only.')
      // In the bar of the merge, and in place of the box for comments.
      await expect.poll(() => reason.count()).toBe(2)
      await visit.open(`${project.base}/-/issues/1`)
      await reason.waitFor()
    })

    story('a draft, a conflict and a rebase each say what to do next', async (visit) => {
      const { page } = visit
      const project = await newProject(`Blocked ${visit.width}`)
      await project.newRequest({ title: 'Draft: Louder' })
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1`)
      await page.getByText('The merge request must not be a draft.').waitFor()
      await visit.press(page.getByRole('button', { name: 'Mark as ready' }))
      await page.getByText('Ready to merge').waitFor()
      await expect.poll(() => project.requestOf(1)).toMatchObject({ title: 'Louder' })

      await project.commit('main', { 'elsewhere.txt': 'x\n' })
      await project.ask('PUT ', { merge_method: 'ff' })
      await page.reload()
      await page.getByText('The source branch must be rebased').waitFor()
      await visit.press(page.getByRole('button', { name: 'Rebase', exact: true }))
      await page.getByText('Ready to merge').waitFor()

      await project.commit('main', { 'list.txt': before.replace('two', 'zwei') }, { exists: true })
      await page.reload()
      await page.getByText('Merge conflicts must be resolved.').waitFor()
      await visit.press(page.getByRole('button', { name: 'Resolve locally' }))
      await page.getByText('git merge origin/main').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('conflicts are resolved section by section, and in the whole file', async (visit) => {
      const { page } = visit
      const project = await newProject(`Conflicts ${visit.width}`)
      await project.commit('topic', { 'other.txt': 'ours\n' })
      await project.newRequest()
      const theirs = before.replace('two', 'zwei').replace('seven', 'sieben')
      await project.commit('main', { 'list.txt': theirs }, { exists: true })
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1`)
      await page.getByText('Merge conflicts must be resolved.').waitFor()
      await visit.press(page.getByRole('link', { name: 'Resolve conflicts' }))
      await page.getByRole('heading', { level: 1, name: 'Resolve conflicts' }).waitFor()
      await page.getByText('0 of 2 conflicts resolved').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Use ours: Conflict 1 in list.txt' }))
      await page.getByText('1 of 2 conflicts resolved').waitFor()

      // Somebody pushes in between: what was chosen stays.
      await project.commit('topic', { 'more.txt': 'more\n' })
      await visit.press(page.getByRole('button', { name: 'Use theirs: Conflict 2 in list.txt' }))
      await page.getByText('2 of 2 conflicts resolved').waitFor()
      await visit.checkAccess()
      const commit = page.getByRole('button', { name: 'Commit to topic' })
      await visit.press(commit)
      await page.getByText('The branches changed in the meantime.').waitFor()
      await page.getByText('2 of 2 conflicts resolved').waitFor()
      await visit.write(page.getByLabel('Commit message'), 'Agree on the list')
      await visit.press(commit)
      await page.getByText('Conflicts resolved', { exact: true }).waitFor()
      await expect.poll(() => project.fileOf('topic')).toBe(after.replace('SEVEN', 'sieben'))
      await page.getByText('Ready to merge').waitFor()

      await project.commit('main', { 'list.txt': theirs.replace('zwei', 'deux') }, { exists: true })
      await visit.open(`${project.base}/-/merge_requests/1/conflicts`)
      await page.getByText('0 of 1 conflict resolved').waitFor()
      await visit.press(page.getByRole('button', { name: 'Edit file: list.txt' }))
      const editor = page.getByRole('textbox', { name: 'Contents of list.txt' })
      await editor.waitFor()
      await expect.poll(() => page.locator('.code-field-plain').count()).toBe(0)
      await visit.write(editor, 'one\nboth\n')
      await page.getByText('1 of 1 conflict resolved').waitFor()
      await visit.checkWidth()
      await visit.press(commit)
      await page.getByText('Conflicts resolved', { exact: true }).waitFor()
      await expect.poll(() => project.fileOf('topic')).toBe('one\nboth\n')
    })
  },
  open,
)
