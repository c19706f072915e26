import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const configuration = `variables:
  TARGET: { value: staging, description: Where to deploy, options: [staging, production] }
  REASON: { description: Why by hand }
  PLAIN: not asked for
deploy:
  script: ./deploy
  rules:
    - if: $CI_PIPELINE_SOURCE == "web"
`

stories(
  'run-pipeline',
  (story) => {
    story('a pipeline is run with the variables that its configuration asks for', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const { ask } = await open()
      const clone = await newClone(await open(), `Run ${visit.width}`)
      await clone.commit('Begin', { '.gitlab-ci.yml': configuration })
      await clone.push('main')
      await visit.open(`${clone.path}/-/pipelines/new`)
      const target = page.getByLabel('TARGET')
      await target.waitFor()
      await page.getByText('Where to deploy').waitFor()
      expect(await target.inputValue()).toBe('staging')
      expect(await page.getByLabel('PLAIN').count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await target.selectOption('production')
      await visit.write(page.getByLabel('REASON'), 'it is time')
      await visit.press(page.getByRole('button', { name: 'Run pipeline' }))
      await page.waitForURL(/\/-\/pipelines\/\d+$/)
      const id = page.url().split('/').at(-1)
      const pipeline = `GET /projects/${clone.id}/pipelines/${id}`
      await expect.poll(() => ask(pipeline)).toMatchObject({ source: 'web', ref: 'main' })
      const variables = await ask<{ key: string; value: string }[]>(`${pipeline}/variables`)
      expect(variables.map(({ key, value }) => `${key}=${value}`).sort()).toEqual([
        'REASON=it is time',
        'TARGET=production',
      ])
      // A program, which comes by a token, runs what the rules have for programs: nothing.
      await expect(ask(`POST /projects/${clone.id}/pipeline`, { ref: 'main' })).rejects.toThrow(
        /rules configuration prevented any jobs/,
      )
    })

    story('an address to edit what is no file says so', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Edit ${visit.width}`)
      await clone.commit('Begin', { 'src/a.txt': 'a\n' })
      await clone.push('main')
      for (const rest of ['main/none.txt', 'main/src', 'main']) {
        await visit.open(`${clone.path}/-/edit/${rest}`)
        await page.getByRole('heading', { name: /not found$/ }).waitFor()
      }
      await visit.open(`${clone.path}/-/edit/main/src/a.txt`)
      await page.getByRole('button', { name: 'Commit changes' }).waitFor()
    })
  },
  open,
)
