// Pages in a real browser whose processor is slowed four times, beside a page of the same machine that is nothing but
// its text. Times are what a reader waits for: until what they came for has been painted.
import type { Browser, Page } from 'playwright-core'
import type { Bench } from '../bench.ts'
import { startCiServer } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { runProgram } from '../machine.ts'
import { median, time_ms } from '../measure.ts'
import { below, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import {
  firstVisitRow,
  follow,
  heapOf,
  login,
  middle,
  ms,
  noteOf,
  openBrowser,
  read,
  run,
  sampled,
  samples,
  slowed,
  textIn,
} from '../slowed-browser.ts'

type Web = { fresh: Fresh; browser: Browser; id: number }

const webs = new WeakMap<Bench, Promise<Web>>()

function openWeb(bench: Bench, sizes: WebSizes): Promise<Web> {
  const known = webs.get(bench) ?? makeWeb(bench, sizes)
  webs.set(bench, known)
  return known
}

async function makeWeb(bench: Bench, sizes: WebSizes): Promise<Web> {
  const fresh = await freshServer(bench, { BLOOMERY_ROOT_PASSWORD: login.password })
  const { id } = await fresh.send('POST', '/projects', { name: 'pages', visibility: 'public' })
  await fresh.push('root/pages', history(sizes))
  return { fresh, browser: await openBrowser(bench), id: Number(id) }
}

type WebSizes = { entries: number[]; lines: number[]; changed: number[]; logged: number[] }

const sizesOfWeb: WebSizes = {
  entries: [100, 1_000, 10_000],
  lines: [500, 5_000, 20_000],
  changed: [1_000, 10_000, 100_000],
  logged: [10_000, 100_000, 1_000_000],
}

const lines_a_file = 100
const put = (path: string, text: string) =>
  `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`

/** One branch, whose commits each change so many lines, in files of a hundred. */
function* history({ entries, lines, changed }: WebSizes): Generator<string> {
  const commit = (message: string, at: number) =>
    `commit refs/heads/main\ncommitter Smith <smith@bloomery.test> ${1_700_000_000 + at} +0000\ndata ${message.length}\n${message}\n`
  yield commit('Everything', 0)
  yield put('README.md', '# The furnace\n\nHeat it *slowly*.\n')
  for (const count of entries) {
    for (let at = 0; at < count; at++) yield put(`many-${count}/${nameOf(at)}`, `${at}\n`)
  }
  for (const count of lines) yield put(`lines-${count}.ts`, code(count))
  for (const count of changed) {
    for (let file = 0; file < count / lines_a_file / 2; file++)
      yield put(changedPath(count, file), lineText('old', file))
  }
  for (const [at, count] of changed.entries()) {
    yield commit(`Change ${count} lines`, at + 1)
    for (let file = 0; file < count / lines_a_file / 2; file++)
      yield put(changedPath(count, file), lineText('new', file))
  }
}

const nameOf = (at: number) => `entry-${String(at).padStart(6, '0')}.txt`
const changedPath = (count: number, file: number) =>
  `changed-${count}/${String(file).padStart(5, '0')}.txt`
const lineText = (word: string, file: number) =>
  Array.from({ length: lines_a_file }, (_, at) => `${word} line ${at} of file ${file}\n`).join('')

function code(lines: number): string {
  return Array.from({ length: lines }, (_, at) =>
    at % 5 === 0
      ? `/** Heat number ${at}. */\n`
      : `export const heat${at}: number = '${at}'.length\n`,
  ).join('')
}

const coldRow = (name: string, path: string, text: string) =>
  firstVisitRow({ name, path, text }, (bench) => openWeb(bench, sizesOfWeb))

/** Gone to by a link, left, and come back to. */
function seenRow(name: string, path: string, text: string): Row {
  return {
    name: `page of ${name}, seen before, slowed ${slowed} x`,
    goal: below(100, 'ms'),
    async measure(bench): Promise<Measured> {
      const web = await openWeb(bench, sizesOfWeb)
      const times = await read(web, async (page) => {
        await page.goto(path)
        await run(page, textIn(text))
        const found: number[] = []
        for (let sample = 0; sample < samples; sample++) {
          await page.getByRole('link', { name: /^Bloomery/ }).click()
          await run(page, textIn('Your projects'))
          found.push(
            await run<number>(
              page,
              `(async () => { const began = performance.now(); history.back(); return await ${textIn(text)} - began })()`,
            ),
          )
        }
        return found
      })
      return { ours: ms(median(times)) }
    },
  }
}

/** Opens an address by a link, and says how long until the first and the last of its text are painted. */
function openRow(
  name: string,
  {
    path,
    data,
    first,
    last,
    goal_ms,
  }: {
    path: string | ((web: Web) => Promise<string>)
    /** In the address of what it is made of. */
    data: string
    first: string
    last: string
    goal_ms: number
  },
): Row {
  return {
    name: `${name}, slowed ${slowed} x`,
    goal: below(goal_ms, 'ms'),
    async measure(bench): Promise<Measured> {
      const web = await openWeb(bench, sizesOfWeb)
      const address = typeof path === 'string' ? path : await path(web)
      const all = await sampled(() =>
        read(web, (page, context) => follow(page, context, { address, data, first, last })),
      )
      const whole = `all in after ${Math.round(middle(all, 'last_ms'))} ms`
      return { ours: ms(middle(all, 'first_ms')), note: `${noteOf(all)}; ${whole}` }
    },
  }
}

async function changedCommit({ fresh, id }: Web, count: number): Promise<string> {
  const commits = (
    await callWell(`${fresh.server.url}/api/v4/projects/${id}/repository/commits`, {
      headers: fresh.headers,
    })
  ).body
  const found = (JSON.parse(commits.toString()) as { id: string; title: string }[]).find(
    ({ title }) => title === `Change ${count} lines`,
  )
  return `/root/pages/-/commit/${found?.id}`
}

/** Milliseconds until a line of a log that is open is painted. */
function goToLine(page: Page, line: number): Promise<number> {
  return run<number>(
    page,
    `(async () => {
      const began = performance.now()
      location.hash = '#L${line}'
      return await ${textIn(`line ${line} of the furnace`)} - began
    })()`,
  )
}

function logRow(lines: number): Row {
  return {
    name: `log of ${lines} lines, opened at its end, slowed ${slowed} x`,
    goal: below(300, 'ms'),
    async measure(bench): Promise<Measured> {
      const ci = await startCiServer(bench, {
        config: { smelt: { script: ['true'] } },
        env: { BLOOMERY_ROOT_PASSWORD: login.password },
      })
      await ci.post(`/projects/${ci.project_id}/pipeline`, { ref: 'main' })
      const job = await ci.takeJob()
      const log = Buffer.from(
        Array.from({ length: lines }, (_, at) => `line ${at + 1} of the furnace\n`).join(''),
      )
      const part = 1024 * 1024
      for (let at = 0; at < log.length; at += part) {
        const body = log.subarray(at, at + part)
        await callWell(`${ci.server.url}/api/v4/jobs/${job.id}/trace`, {
          method: 'PATCH',
          headers: {
            'job-token': job.token,
            'content-type': 'text/plain',
            'content-range': `${at}-${at + body.length - 1}`,
          },
          body,
        })
      }
      const browser = await openBrowser(bench)
      const web = { browser, fresh: { server: ci.server } }
      const wanted = `line ${lines} of the furnace`
      const all = await sampled(() =>
        read(web, async (page, context) => {
          const opened = await follow(page, context, {
            address: `/root/furnace/-/jobs/${job.id}`,
            data: '/trace',
            first: wanted,
            last: wanted,
          })
          return { ...opened, line_ms: await goToLine(page, lines / 2) }
        }),
      )
      const line = `its middle line ${Math.round(middle(all, 'line_ms'))} ms after it is asked for (goal 200)`
      return { ours: ms(middle(all, 'first_ms')), note: `${noteOf(all)}; ${line}` }
    },
  }
}

/** Keys that walk lists, open the palette and find in it, and go through a file, once the page is there. */
const interactionRow: Row = {
  name: `interaction to next paint, slowed ${slowed} x`,
  goal: below(100, 'ms'),
  async measure(bench): Promise<Measured> {
    const web = await openWeb(bench, sizesOfWeb)
    return read(web, async (page) => {
      const took: number[] = []
      const pressAll = async (path: string, keys: readonly string[]) => {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        for (const key of keys) {
          await run(page, 'window.interactions.splice(0)')
          await page.keyboard.press(key)
          await page.waitForTimeout(300)
          took.push(...(await run<number[]>(page, 'window.interactions')))
        }
      }
      const finding = ['Control+k', 'p', 'a', 'g', 'ArrowDown', 'ArrowUp', 'Escape']
      const files = ['t', 'e', 'n', 't', 'ArrowDown']
      await pressAll('/root/pages/-/tree/main/many-1000', [
        ...['j', 'j', 'j', 'k'],
        ...finding,
        ...['?', 'Escape'],
        ...files,
      ])
      await pressAll('/root/pages/-/blob/main/lines-5000.ts', ['y', 'PageDown', 'End', 'Home', 'b'])
      took.sort((one, other) => one - other)
      const p95 = took[Math.floor(took.length * 0.95)] ?? 0
      return { ours: ms(p95), note: `p95 of the ${took.length} that took 16 ms or more` }
    })
  },
}

/** A page that nobody touches. */
const idleRow: Row = {
  name: 'idle page of a project, heap',
  goal: below(15, 'MB'),
  async measure(bench): Promise<Measured> {
    const web = await openWeb(bench, sizesOfWeb)
    return read(web, async (page, context) => {
      await page.goto('/root/pages')
      await page.waitForLoadState('networkidle')
      return { ours: { value: await heapOf(page, context), unit: 'MB' } }
    })
  },
}

const buildRow: Row = {
  name: 'the pages, built',
  goal: { text: '< 4 s', isMet: ({ ours }) => ours.value < 4 },
  async measure(): Promise<Measured> {
    const took = await time_ms(() => runProgram(process.execPath, ['tools/build-web.ts']))
    return { ours: { value: took / 1000, unit: 's' } }
  },
}

export function webRows(_sizes: Sizes): Row[] {
  return [
    buildRow,
    coldRow("one's projects", '/', 'pages'),
    coldRow('a project', '/root/pages', 'many-1000'),
    coldRow('a file of 500 lines', '/root/pages/-/blob/main/lines-500.ts', 'Heat number 0'),
    interactionRow,
    idleRow,
    seenRow('a project', '/root/pages', 'many-1000'),
    seenRow('a file of 500 lines', '/root/pages/-/blob/main/lines-500.ts', 'Heat number 0'),
    ...sizesOfWeb.entries.map((count) =>
      openRow(`tree of ${count}`, {
        path: `/root/pages/-/tree/main/many-${count}`,
        data: '/repository/tree',
        first: nameOf(0),
        last: nameOf(Math.min(count, 1_000) - 1),
        goal_ms: 300,
      }),
    ),
    ...sizesOfWeb.lines.map((count) =>
      openRow(`file of ${count} lines`, {
        path: `/root/pages/-/blob/main/lines-${count}.ts`,
        data: '/raw',
        first: 'Heat number 0',
        last: `heat${count - 1}`,
        goal_ms: 200,
      }),
    ),
    ...sizesOfWeb.changed.map((count) =>
      openRow(`diff of ${count} lines`, {
        path: (web) => changedCommit(web, count),
        data: 'text=true',
        first: 'new line 1 of file 0',
        // Beyond 20,000 lines files are filled when they are near.
        last: `new line 99 of file ${Math.min(count / lines_a_file / 2, 50) - 1}`,
        goal_ms: 300,
      }),
    ),
    ...sizesOfWeb.logged.map(logRow),
  ]
}
