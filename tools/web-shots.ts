// Pictures of every page, in both themes and three widths, and a sheet to look at them all:
// `npm run web:shots [-- --out <folder>] [--only <words>] [--against <commit>]`, or `--readme` for the pictures of the README.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findTestProgram } from '../test/kit/programs.ts'
import { askBy, makeSample } from './sample.ts'
import { screens } from './web-screens.ts'

const root = join(import.meta.dirname, '..')
const token = 'glpat-the-token-of-the-pictures'
const password = 'a long pass phrase of pictures'
const widths = [375, 768, 1280]
const themes = ['light', 'dark'] as const
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic']

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, '.shots') },
    against: { type: 'string' },
    readme: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

type Shot = { name: string; path: string; file: string }

/** Starts the server of a checkout on an empty folder, with the sample in it. */
async function serve(checkout: string): Promise<{ url: string; stop: () => void }> {
  const data = mkdtempSync(join(tmpdir(), 'bloomery-shots-'))
  const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_LOG_LEVEL: 'warn',
      BLOOMERY_ROOT_TOKEN: token,
      BLOOMERY_ROOT_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const url = /Bloomery serves (\S+)/.exec(output)?.[1]
    if (!url) continue
    child.stdout.resume()
    await makeSample(url, token)
    const stop = () => {
      child.kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    }
    return { url, stop }
  }
  throw new Error('The server did not start.')
}

async function shoot(browser: Browser, url: string, folder: string): Promise<Shot[]> {
  mkdirSync(folder, { recursive: true })
  const known = await screens(askBy(url, token))
  const shots: Shot[] = []
  for (const theme of themes) {
    for (const width of widths) {
      for (const isSignedIn of [true, false]) {
        const context = await browser.newContext({
          baseURL: url,
          viewport: { width, height: 800 },
          colorScheme: theme,
          reducedMotion: 'reduce',
        })
        if (isSignedIn)
          await context.request.post('/api/v4/session', { data: { login: 'root', password } })
        const page = await newPage(context)
        for (const screen of known) {
          if (Boolean(screen.isForVisitors) === isSignedIn || !screen.name.includes(values.only))
            continue
          const file = `${screen.name.replaceAll(/\W+/g, '-')}-${width}-${theme}.png`
          await show(page, screen.path)
          await screen.act?.(page)
          await page.screenshot({ path: join(folder, file), fullPage: true })
          shots.push({ name: `${screen.name}, ${width} px, ${theme}`, path: screen.path, file })
        }
        await context.close()
      }
    }
  }
  return shots
}

/** With the typefaces, which come too late for the first page. */
async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await show(page, '/help')
  return page
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  // Live pages never stop asking.
  await page.waitForTimeout(400)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

function writeSheet(folder: string, shots: readonly (Shot & { changed?: number })[]): void {
  const figures = shots.map(
    ({ name, file, changed }) =>
      `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${name}${changed === undefined ? '' : `: ${changed} points differ`}</figcaption></figure>`,
  )
  const style =
    'body{font:14px sans-serif;background:#888;display:flex;flex-wrap:wrap;gap:16px}figure{margin:0;width:320px}img{width:100%;max-height:480px;object-fit:cover;object-position:top}'
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Every page</title><style>${style}</style>${figures.join('\n')}`,
  )
}

/** Returns how many pixels of two images differ; the browser decodes them. */
async function countChanges(page: Page, one: string, other: string): Promise<number> {
  const urls = [one, other].map((file) => `data:image/png;base64,${readFileSync(file, 'base64')}`)
  return page.evaluate(async ([first = '', second = '']) => {
    const read = async (url: string) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob())
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return context?.getImageData(0, 0, bitmap.width, bitmap.height)
    }
    const [a, b] = [await read(first), await read(second)]
    if (!a || !b || a.width !== b.width || a.height !== b.height) return -1
    let changed = 0
    for (let at = 0; at < a.data.length; at += 4) {
      if (
        a.data[at] !== b.data[at] ||
        a.data[at + 1] !== b.data[at + 1] ||
        a.data[at + 2] !== b.data[at + 2]
      )
        changed += 1
    }
    return changed
  }, urls)
}

/** The pages of another commit, built and served beside these. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-against-'))
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, commit], { cwd: root })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['tools/build-web.ts'], { cwd: folder, stdio: 'inherit' })
  return folder
}

async function shootCheckout(browser: Browser, checkout: string, folder: string): Promise<Shot[]> {
  const server = await serve(checkout)
  try {
    return await shoot(browser, server.url, folder)
  } finally {
    server.stop()
  }
}

const executablePath = findTestProgram('chromium') ?? ''
const browser = await chromium.launch({ executablePath, args })
if (values.readme) await shootForReadme(browser)
else await shootSheet(browser, values.against)
await browser.close()

/** Takes screenshots of all pages and builds the sheet: of all, or of those that differ from another commit. */
async function shootSheet(from: Browser, against: string | undefined): Promise<void> {
  const shots = await shootCheckout(from, root, values.out)
  if (against === undefined) writeSheet(values.out, shots)
  else writeSheet(values.out, await compare(from, shots, against))
  console.log(`${shots.length} pictures: ${join(values.out, 'index.html')}`)
}

async function compare(
  from: Browser,
  shots: readonly Shot[],
  commit: string,
): Promise<(Shot & { changed: number })[]> {
  const checkout = checkOut(commit)
  const before = join(values.out, 'before')
  await shootCheckout(from, checkout, before)
  execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root })
  const page = await from.newPage()
  const told = []
  for (const shot of shots) {
    const old = join(before, shot.file)
    const changed = existsSync(old)
      ? await countChanges(page, old, join(values.out, shot.file))
      : -1
    if (changed !== 0) told.push({ ...shot, changed })
  }
  return told
}

/** The few pictures of the README: committed, so they are small. */
async function shootForReadme(from: Browser): Promise<void> {
  const server = await serve(root)
  const folder = join(root, 'docs/pictures')
  mkdirSync(folder, { recursive: true })
  const context = await from.newContext({
    baseURL: server.url,
    viewport: { width: 1100, height: 700 },
  })
  await context.request.post('/api/v4/session', { data: { login: 'root', password } })
  const page = await newPage(context)
  for (const screen of await screens(askBy(server.url, token))) {
    if (!screen.readme) continue
    await show(page, screen.path)
    await screen.act?.(page)
    await page.screenshot({ path: join(folder, `${screen.readme}.png`) })
  }
  await context.close()
  server.stop()
}
