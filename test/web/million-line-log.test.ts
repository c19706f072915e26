import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

const lines = 1_000_000
const part_bytes = 1024 * 1024

let server: Promise<Server> | undefined
let address: Promise<string> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** A job whose log a runner has sent, a megabyte at a time; answers its page. */
async function makeLog(): Promise<string> {
  const started = await open()
  const { ask, url } = started
  const clone = await newClone(started, 'Long log')
  await clone.commit('Begin', { '.gitlab-ci.yml': 'smelt:\n  script: ["true"]\n' })
  await clone.push('main')
  const runner = await ask<{ token: string }>('POST /user/runners', {
    runner_type: 'instance_type',
  })
  let job: { id: number; token: string } | undefined
  await expect
    .poll(async () => {
      const answer = await fetch(`${url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: runner.token }),
      })
      job = answer.status === 201 ? await answer.json() : undefined
      return job !== undefined
    })
    .toBe(true)
  const log = Buffer.from(
    Array.from({ length: lines }, (_, at) => `line ${at + 1} of the furnace\n`).join(''),
  )
  for (let at = 0; at < log.length; at += part_bytes) {
    const body = log.subarray(at, at + part_bytes)
    const answer = await fetch(`${url}/api/v4/jobs/${job?.id}/trace`, {
      method: 'PATCH',
      headers: {
        'job-token': job?.token ?? '',
        'content-type': 'text/plain',
        'content-range': `${at}-${at + body.length - 1}`,
      },
      body,
    })
    expect(answer.status).toBe(202)
  }
  return `${clone.path}/-/jobs/${job?.id}`
}

stories(
  'million-line-log',
  (story) => {
    story('a log opens at its end, goes to any line and is searched whole', async (visit) => {
      const { page } = visit
      await visit.signIn()
      address ??= makeLog()
      const path = await address
      await visit.open(path)
      await page.getByText(`line ${lines} of the furnace`).waitFor()
      const rows = () => page.locator('.log-line').count()
      expect(await rows()).toBeLessThanOrEqual(3_000)
      await visit.checkWidth()

      await visit.open(`${path}#L500123`)
      await page.locator('.log-marked', { hasText: 'line 500123 of' }).waitFor()
      expect(await rows()).toBeLessThanOrEqual(3_000)
      await page.keyboard.press('g')
      await page.keyboard.press('g')
      await page.locator('.log-marked', { hasText: 'line 1 of' }).waitFor()

      await page.getByLabel('Search the log').fill('line 900001 of')
      await page.keyboard.press('Enter')
      await page.getByText('1 of 1', { exact: true }).waitFor()
      await page.locator('.log-marked', { hasText: 'line 900001 of' }).waitFor()
      expect(await rows()).toBeLessThanOrEqual(3_000)
    })
  },
  open,
)
