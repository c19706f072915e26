// The pages of issues, boards and merge requests at their real sizes, in a slowed browser.
import type { Browser, Page } from 'playwright-core'
import type { Bench } from '../bench.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { below, type Measured, type Row } from '../row.ts'
import {
  firstVisitRow,
  follow,
  login,
  middle,
  ms,
  noteOf,
  openBrowser,
  read,
  run,
  sampled,
  slowed,
  textIn,
} from '../slowed-browser.ts'

const sizes = { issues: 1_000, notes: 200, files: 3_000, lines_a_file: 34, lists: 4 }

type Work = { fresh: Fresh; browser: Browser; id: number }

const works = new WeakMap<Bench, Promise<Work>>()

/** A project with many issues on a board, a small merge request (!1) and a large one (!2); made once a run. */
export function openWork(bench: Bench): Promise<Work> {
  const known = works.get(bench) ?? makeWork(bench)
  works.set(bench, known)
  return known
}

async function makeWork(bench: Bench): Promise<Work> {
  const fresh = await freshServer(bench, { BLOOMERY_ROOT_PASSWORD: login.password })
  const made = await fresh.send('POST', '/projects', { name: 'work', visibility: 'public' })
  const id = Number(made.id)
  await fresh.push('root/work', history(), ['main', 'small', 'large'])
  await fillBoard(fresh, id)
  for (const branch of ['small', 'large'])
    await fresh.send('POST', `/projects/${id}/merge_requests`, {
      title: `The ${branch} change`,
      description: 'As it was *agreed*.',
      source_branch: branch,
      target_branch: 'main',
      reviewer_ids: [1],
      assignee_id: 1,
    })
  for (const at of ['issues/1', 'merge_requests/1'])
    await inTurns(at === 'issues/1' ? sizes.notes : 20, (note) =>
      fresh.send('POST', `/projects/${id}/${at}/notes`, {
        body: `Comment **${note}** of the forge`,
      }),
    )
  return { fresh, browser: await openBrowser(bench), id }
}

/** An issue in five is in no list; each of the others in one. */
async function fillBoard(fresh: Fresh, id: number): Promise<void> {
  const board = await fresh.send('POST', `/projects/${id}/boards`, { name: 'Forge' })
  for (let list = 0; list < sizes.lists; list++) {
    const label = { name: `list ${list}`, color: '#1f75cb' }
    const { id: label_id } = await fresh.send('POST', `/projects/${id}/labels`, label)
    await fresh.send('POST', `/projects/${id}/boards/${board.id}/lists`, { label_id })
  }
  await inTurns(sizes.issues, (issue) => {
    const list = issue % (sizes.lists + 1)
    return fresh.send('POST', `/projects/${id}/issues`, {
      title: `Heat number ${issue}`,
      ...(list < sizes.lists && { labels: [`list ${list}`] }),
      ...(issue % 50 === 0 && { assignee_ids: [1] }),
    })
  })
}

const at_once = 8

/** Numbers from 1, in their order as far as several at once have one. */
async function inTurns(count: number, make: (number: number) => Promise<unknown>): Promise<void> {
  for (let at = 1; at <= count; at += at_once)
    await Promise.all(
      Array.from({ length: Math.min(at_once, count - at + 1) }, (_, n) => make(at + n)),
    )
}

const pathOf = (file: number) =>
  `src/${String(file % 50).padStart(2, '0')}/file-${String(file).padStart(5, '0')}.ts`
const textOf = (word: string, file: number) =>
  Array.from(
    { length: sizes.lines_a_file },
    (_, at) => `export const ${word}${at} = '${word} line ${at} of file ${file}'\n`,
  ).join('')

function* history(): Generator<string> {
  let mark = 0
  const commit = (branch: string, message: string) =>
    `commit refs/heads/${branch}\nmark :${++mark}\ncommitter Smith <smith@bloomery.test> ${1_700_000_000 + mark} +0000\ndata ${message.length}\n${message}\n`
  const put = (path: string, text: string) =>
    `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  yield commit('main', 'Everything')
  for (let file = 0; file < sizes.files; file++) yield put(pathOf(file), textOf('old', file))
  yield `${commit('small', 'Change five files')}from :1\n`
  for (let file = 0; file < 5; file++) yield put(pathOf(file), textOf('new', file))
  yield `${commit('large', 'Change every file')}from :1\n`
  for (let file = 0; file < sizes.files; file++) yield put(pathOf(file), textOf('new', file))
}

const pageRow = (name: string, path: string, text: string) =>
  firstVisitRow({ name, path, text }, openWork)

const boardMoveRow: Row = {
  name: `board of ${sizes.issues} cards, a card moved by keys, slowed ${slowed} x`,
  goal: below(100, 'ms'),
  async measure(bench): Promise<Measured> {
    const work = await openWork(bench)
    return read(work, async (page) => {
      const writes: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') writes.push(request.url())
      })
      await page.goto('/root/work/-/boards')
      await run(page, textIn('Heat number 5'))
      await run(page, 'rest()')
      const took: number[] = []
      await page.locator('.board-title').first().focus()
      writes.length = 0
      for (let press = 0; press < 5; press++) {
        await run(page, 'window.interactions.splice(0)')
        await page.keyboard.press('Shift+ArrowDown')
        await run(page, 'rest()')
        took.push(...(await run<number[]>(page, 'window.interactions')))
      }
      const longest = Math.max(16, ...took)
      return {
        ours: ms(longest),
        note: `the longest interaction to next paint of 5; ${writes.length / 5} writes a move`,
      }
    })
  },
}

/** Scrolls to the end, forty windows at a time, and says how the page's thread fared. */
async function scrollThrough(page: Page): Promise<{ task_ms: number; took_ms: number }> {
  return run(
    page,
    `(async () => {
      longTasks.splice(0)
      const began = performance.now()
      for (let still = 0; still < 10;) {
        const before = scrollY
        scrollBy(0, innerHeight * 40)
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        still = scrollY === before ? still + 1 : 0
      }
      await rest()
      return { task_ms: Math.max(0, ...longTasks), took_ms: performance.now() - began }
    })()`,
  )
}

const changes = '/root/work/-/merge_requests/2/diffs'

const largeDiffRow: Row = {
  name: `changes of a merge request of ${sizes.files} files, ${2 * sizes.files * sizes.lines_a_file} lines, slowed ${slowed} x`,
  goal: below(300, 'ms'),
  async measure(bench): Promise<Measured> {
    const work = await openWork(bench)
    const all = await sampled(() =>
      read(work, async (page, context) => {
        const opened = await follow(page, context, {
          address: changes,
          data: 'text=true',
          first: "new1 = 'new line 1 of file 0'",
          last: 'file-02950.ts',
        })
        return { ...opened, open_ms: Math.max(0, ...(await run<number[]>(page, 'longTasks'))) }
      }),
    )
    // Once: it takes as long as all others.
    const scrolled = await read(work, async (page) => {
      await page.goto(changes)
      await page
        .locator('.diff-file')
        .nth(sizes.files - 1)
        .waitFor({
          state: 'attached',
          timeout: 120_000,
        })
      await run(page, 'rest()')
      return scrollThrough(page)
    })
    const opening = Math.round(middle(all, 'open_ms'))
    const [longest, took] = [scrolled.task_ms, scrolled.took_ms].map(Math.round)
    return {
      ours: ms(middle(all, 'first_ms')),
      note: `${noteOf(all)} (goal 150); longest task ${opening} ms opening, ${longest} ms scrolling to the end in ${took} ms (goal 200)`,
    }
  },
}

export const webWorkRows: readonly Row[] = [
  pageRow('home', '/', 'The small change'),
  pageRow('a list of 1,000 issues', '/root/work/-/issues', 'Heat number 1000'),
  pageRow('an issue with 200 comments', '/root/work/-/issues/1', 'Comment'),
  pageRow('a board of 1,000 cards', '/root/work/-/boards', 'Heat number 5'),
  pageRow('a merge request', '/root/work/-/merge_requests/1', 'As it was agreed'),
  pageRow('changes of 3,000 files', changes, "new1 = 'new line 1 of file 0'"),
  boardMoveRow,
  largeDiffRow,
]
