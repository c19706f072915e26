import { expect, it } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { visit } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}
const wide_px = 1920
const timeout = 120_000

it('has the bar, the tabs and the page at one edge, in a wide window too', {
  timeout,
}, async () => {
  const seen = await visit(await open(), { width: wide_px })
  await seen.signIn()
  const clone = await newClone(await open(), 'Wide')
  await clone.commit('Begin', { 'a.txt': 'a\n', '.gitlab-ci.yml': 'a: { script: x }\n' })
  await clone.push('main')
  for (const path of [
    '',
    '/-/branches',
    '/-/pipelines',
    '/-/settings/general',
    '/-/blob/main/a.txt',
  ]) {
    await seen.open(clone.path + path)
    await seen.settle()
    const edges = await seen.page.evaluate(() =>
      ['.frame-mark', '.head-path', '.tabs', '.page'].map((name) =>
        Math.round(document.querySelector(name)?.getBoundingClientRect().left ?? -1),
      ),
    )
    expect([path, new Set(edges).size]).toEqual([path, 1])
    expect(edges[0]).toBeGreaterThan(0)
    // Nothing is kept free beside the page that has another colour than the bar.
    const bar = await seen.page.locator('.frame-top').boundingBox()
    expect(bar?.width).toBe(await seen.page.evaluate(() => document.documentElement.clientWidth))
  }
  await seen.checkWidth()
  expect(seen.problems).toEqual([])
  await seen.close()
})

it('names the project in the tab, and offers SSH where the server has it', {
  timeout,
}, async () => {
  const seen = await visit(await open())
  const clone = await newClone(await open(), 'Named')
  await clone.commit('Begin', { 'a.txt': 'a\n' })
  await clone.push('main')
  await seen.open(`${clone.path}/-/branches`)
  await expect.poll(() => seen.page.title()).toBe('Branches · root/named · Bloomery')
  await seen.open('/explore/projects')
  await expect.poll(() => seen.page.title()).toBe('Projects · Bloomery')
  await seen.open(clone.path)
  await seen.page.getByRole('button', { name: /^Clone/ }).click()
  await seen.page.getByText('Clone with HTTP').waitFor()
  expect(await seen.page.getByText('Clone with SSH').count()).toBe(0)
  await seen.close()
})

it('is dark from the first paint on, for whoever prefers that', { timeout }, async () => {
  const { url, ask } = await open()
  const seen = await visit(await open(), { theme: 'light' })
  await seen.signIn()
  await ask('PUT /user/preferences', { theme: 'dark' })
  await seen.open('/')
  await seen.settle()
  const cookies = await seen.context.cookies()
  expect(cookies.find(({ name }) => name === 'bloomery_theme')?.value).toBe('dark')
  // Without any script, the page has its colours and its typeface is on the way.
  await seen.page.route(/\.js$/, (route) => route.abort())
  await seen.page.goto(`${url}/explore/projects`)
  expect(
    await seen.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
  ).toBe('dark')
  expect(await seen.page.locator('link[rel=preload][as=font]').count()).toBe(1)
  await seen.page.unroute(/\.js$/)
  await ask('PUT /user/preferences', { theme: 'system' })
  await seen.open('/')
  await seen.settle()
  const after = await seen.context.cookies()
  expect(after.some(({ name }) => name === 'bloomery_theme')).toBe(false)
  await seen.close()
})

it('keeps the path on paper, without buttons', { timeout }, async () => {
  const seen = await visit(await open())
  const clone = await newClone(await open(), 'Printed')
  await clone.commit('Begin', { 'a.txt': 'a\n' })
  await clone.push('main')
  await seen.open(`${clone.path}/-/blob/main/a.txt`)
  await seen.page.emulateMedia({ media: 'print' })
  expect(await seen.page.locator('.head-path').isVisible()).toBe(true)
  for (const part of ['.frame-top', '.tabs', '.button']) {
    expect(await seen.page.locator(`${part}:visible`).count(), part).toBe(0)
  }
  await seen.close()
})
