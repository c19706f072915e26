import { expect } from 'vitest'
import { type Server, startServer, withoutNamespaces } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer({ BLOOMERY_RUNNER: 'builtin' }, withoutNamespaces)
  return server
}

stories(
  'no sandbox',
  (story) => {
    story('a job waits until an administrator lets it run without a sandbox', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await ask('PUT /application/settings', { allow_jobs_without_isolation: false })
      const login = `dev${visit.width}`
      const password = 'a long pass phrase of theirs'
      const { id: user_id } = await ask<{ id: number }>('POST /users', {
        ...{ username: login, name: 'Dev', email: `${login}@example.test`, password },
        skip_confirmation: true,
      })
      const clone = await newClone(await open(), `Waiting ${visit.width}`)
      await ask(`POST /projects/${clone.id}/members`, { user_id, access_level: 40 })
      await clone.commit('Begin', { '.gitlab-ci.yml': 'unit: { script: [echo it ran] }' })
      await clone.push('main')
      const problem = async () => {
        const [job] = await ask<{ id: number }[]>(`GET /projects/${clone.id}/jobs`)
        const path = `/projects/${clone.id}/jobs/${job?.id}?with_abilities=true`
        return { id: job?.id, ...(await ask<{ isolation_problem?: string }>(`GET ${path}`)) }
      }
      await expect.poll(async () => (await problem()).isolation_problem).toContain('unshare')
      const job = `${clone.path}/-/jobs/${(await problem()).id}`

      await visit.signIn({ login, password })
      await visit.open(job)
      await page.getByText("the built-in runner can't run it in a sandbox").waitFor()
      await page.getByText('Ask an administrator to allow jobs to run').waitFor()
      expect(await page.getByRole('button', { name: 'Run jobs without a sandbox' }).count()).toBe(0)

      await visit.signIn()
      await visit.open(job)
      const allow = page.getByRole('button', { name: 'Run jobs without a sandbox' })
      await allow.waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(allow)
      await page.getByRole('dialog').getByText('Every job of every project').waitFor()
      await visit.checkAccess()
      await visit.press(
        page.getByRole('dialog').getByRole('button', { name: 'Run jobs without a sandbox' }),
      )
      await page.locator('.log-line', { hasText: 'it ran' }).last().waitFor()
    })
  },
  open,
)
