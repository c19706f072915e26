import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
/** With the runner that the server starts itself. */
const open = () => {
  server ??= startServer({ BLOOMERY_RUNNER: 'builtin' })
  return server
}

const configuration = `stages: [build, test]
build:
  stage: build
  script:
    - echo "begun"
    - until git ls-remote --exit-code --quiet origin refs/tags/gate; do sleep 0.2; done
    - printf '\\033[32mgreen line\\033[0m <b>no bold</b>\\n'
    - mkdir -p out/deep && echo "<h1>made</h1>" > out/deep/page.html && echo plain > out/notes.txt
  artifacts:
    paths: [out]
lint:
  stage: test
  needs: [build]
  script:
    - echo "first line"
    - echo "src/a.ts:4 error here"
    - echo '<testsuite name="sums"><testcase name="adds" classname="Sum"><failure>1 is not 2</failure></testcase><testcase name="takes" classname="Sum"/></testsuite>' > tests.xml
    - exit 3
  artifacts:
    when: always
    reports: { junit: tests.xml }
`

stories(
  'delivery',
  (story) => {
    story('an environment is rolled back to an older deployment', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      const clone = await newClone(await open(), `Rollback ${visit.width}`)
      const at = `/projects/${encodeURIComponent(clone.path.slice(1))}`
      const deployments = () =>
        ask<{ sha: string; status: string; environment: { id: number } }[]>(
          `GET ${at}/deployments?order_by=id&sort=asc`,
        )
      const statuses = async () => (await deployments()).map(({ status }) => status)
      const deploy = {
        '.gitlab-ci.yml': 'ship:\n  script: [echo ship]\n  environment: { name: live }\n',
      }
      await clone.commit('One', deploy)
      await clone.push('main')
      await expect.poll(statuses, { timeout: 60_000 }).toEqual(['success'])
      await clone.commit('Two', { 'two.txt': 'two' })
      await clone.push('main')
      await expect.poll(statuses, { timeout: 60_000 }).toEqual(['success', 'success'])
      const [first] = await deployments()
      await visit.open(`${clone.path}/-/environments/${first?.environment.id}`)
      await page.getByRole('button', { name: 'Re-deploy: #2' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Roll back: #1' }))
      await page.getByText('This runs the job ship again for commit').waitFor()
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Roll back' }))
      await page.getByText('Deployment started').waitFor()
      await expect.poll(statuses, { timeout: 60_000 }).toEqual(['success', 'success', 'success'])
      expect((await deployments())[2]?.sha).toBe(first?.sha)
      // The job that has run again is not offered once more.
      await page.reload()
      await page.getByRole('button', { name: 'Re-deploy: #3' }).waitFor()
      expect(await page.getByRole('button', { name: /: #1$/ }).count()).toBe(0)
    })

    story('a pipeline is watched from a push to its end, and mended', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Pipelines ${visit.width}`)
      await visit.open(`${clone.path}/-/pipelines`)
      await page.getByText('No pipelines yet').waitFor()
      await visit.checkAccess()
      await clone.commit('Begin', { '.gitlab-ci.yml': configuration })
      await clone.push('main')

      // Nothing is reloaded: the list, the pipeline and the log follow what happens.
      const row = page.getByRole('link', { name: /^#\d+/ })
      await row.waitFor()
      await visit.checkWidth()
      await visit.press(row)
      await page.getByRole('heading', { level: 1, name: /Pipeline \d+/ }).waitFor()
      await page.getByRole('link', { name: 'Begin', exact: true }).waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'build', exact: true }))
      await page.getByText('begun', { exact: true }).waitFor()
      const bar = page.locator('.state-bar')
      // Counted on by the page: nothing that the server sends changes meanwhile.
      await expect.poll(() => bar.innerText()).toMatch(/\b[2-9] s\b/)
      const siblings = page.getByRole('navigation', { name: /^Jobs of pipeline \d+$/ })
      await siblings.getByRole('link', { name: 'lint' }).waitFor()
      expect(await siblings.locator('[aria-current=page]').innerText()).toContain('build')
      await visit.checkAccess()
      await visit.checkWidth()
      // The job waits for this tag: in its sandbox it sees no file of the machine.
      await clone.git('push', '-q', '-o', 'ci.skip', 'origin', 'HEAD:refs/tags/gate')
      await page.locator('.log-colour-2', { hasText: 'green line' }).last().waitFor()
      await page.getByText('<b>no bold</b>').last().waitFor()
      await page.locator('.state-bar', { hasText: 'passed' }).waitFor()
      const again = page.getByRole('button', { name: 'Retry job', exact: true })
      expect(await again.getAttribute('class')).not.toContain('primary')

      await page.goBack()
      await page.locator('.state-bar', { hasText: 'failed' }).waitFor()
      await page
        .getByRole('region', { name: 'Last log lines of lint' })
        .getByText('error here')
        .last()
        .waitFor()
      expect(await page.locator('.connecting-lines path').count()).toBe(visit.width > 700 ? 1 : 0)
      await page.locator('.pipeline-job', { hasText: 'needs build' }).waitFor()
      await page.getByText('1 passed, 1 failed').waitFor()
      await visit.press(page.locator('summary', { hasText: 'adds' }))
      await page.getByRole('region', { name: 'Output of adds' }).getByText('1 is not 2').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'View log of lint' }))
      await page.getByRole('heading', { name: 'lint' }).waitFor()
      await page.locator('.log-line', { hasText: 'error here' }).last().waitFor()
      await page.keyboard.press('e')
      await page.locator('.log-marked', { hasText: 'error here' }).waitFor()
      expect(new URL(page.url()).hash).toMatch(/^#L\d+$/)
      await page.keyboard.press('/')
      await page.keyboard.type('first line')
      await page.keyboard.press('Enter')
      await page.getByText(/^1 of \d+$/).waitFor()
      await visit.checkAccess()
      const failed = page.url()
      await visit.press(page.getByRole('button', { name: 'Retry job', exact: true }))
      await expect.poll(() => new URL(page.url()).pathname).not.toBe(new URL(failed).pathname)

      await visit.open(`${clone.path}/-/artifacts`)
      await visit.press(page.getByRole('link', { name: 'build', exact: true }))
      await visit.press(page.getByRole('link', { name: 'out/' }))
      await visit.press(page.getByRole('link', { name: 'deep/' }))
      await visit.press(page.getByRole('link', { name: 'page.html' }))
      await page.getByText('<h1>made</h1>').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const raw = new URL(page.url()).pathname.replace('/file/', '/raw/')
      const bytes = await page.request.get(raw)
      expect(await bytes.text()).toBe('<h1>made</h1>\n')
      expect(bytes.headers()['content-security-policy']).toContain("default-src 'none'")
    })

    story('a schedule says when it will run, and is kept', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      const clone = await newClone(await open(), `Schedules ${visit.width}`)
      await clone.commit('Begin', { 'a.txt': 'a\n' })
      await clone.push('main')
      await visit.open(`${clone.path}/-/pipeline_schedules`)
      await visit.press(page.getByRole('link', { name: 'New schedule' }))
      await visit.write(page.getByLabel('Description'), 'Nightly')
      await visit.write(page.getByLabel('Cron expression'), '99 * * * *')
      await page.getByRole('alert').waitFor()
      await visit.write(page.getByLabel('Cron expression'), '30 4 * * *')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(5)
      await page.getByText('04:30').first().waitFor()
      await page.getByText('At 04:30, every day').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Save schedule' }))
      await page.getByRole('link', { name: 'Nightly' }).waitFor()
      const [kept] = await ask<{ id: number; cron: string; ref: string }[]>(
        `GET /projects/${clone.id}/pipeline_schedules`,
      )
      expect(kept).toMatchObject({ cron: '30 4 * * *', ref: 'main' })
      await visit.checkAccess()

      await visit.press(page.getByRole('link', { name: 'Nightly' }))
      await visit.write(page.getByLabel('Key'), 'TARGET')
      await visit.write(page.getByLabel('Value'), 'staging')
      await visit.press(page.getByRole('button', { name: 'Add variable' }))
      await visit.press(page.getByRole('button', { name: 'Edit TARGET' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Value'), 'production')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await page.getByText('TARGET=production').waitFor()
      await dialog.waitFor({ state: 'detached' })
      const { variables } = await ask<{ variables: object[] }>(
        `GET /projects/${clone.id}/pipeline_schedules/${kept?.id}`,
      )
      expect(variables).toMatchObject([
        { key: 'TARGET', value: 'production', variable_type: 'env_var' },
      ])
    })

    story('a trigger token is made, described anew, and deleted', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      const clone = await newClone(await open(), `Triggers ${visit.width}`)
      const tokens = () =>
        ask<{ description: string }[]>(`GET /projects/${clone.id}/triggers`).then((all) =>
          all.map(({ description }) => description),
        )
      await visit.open(`${clone.path}/-/settings/ci_cd`)
      const triggers = page.locator('#triggers')
      await visit.write(triggers.getByLabel('Description'), 'Deploy')
      await visit.press(triggers.getByRole('button', { name: 'Create trigger token' }))
      await page.getByText('Copy your new trigger token.').waitFor()
      await visit.press(triggers.getByRole('button', { name: 'Edit Deploy' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Description'), 'Deploy to production')
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await dialog.waitFor({ state: 'detached' })
      await triggers.locator('strong', { hasText: 'Deploy to production' }).waitFor()
      expect(await tokens()).toEqual(['Deploy to production'])
      await visit.checkWidth()
      await visit.press(triggers.getByRole('button', { name: 'Delete Deploy to production' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }))
      await page.getByText('No trigger tokens yet.').waitFor()
      expect(await tokens()).toEqual([])
    })

    story(
      'a pipeline is written where it is checked, and nobody overwrites another',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        await visit.signIn()
        const clone = await newClone(await open(), `Editor ${visit.width}`)
        await clone.commit('Begin', { 'a.txt': 'a\n' })
        await clone.push('main')
        const address = `${clone.path}/-/ci/editor`
        const write = async (text: string) => {
          await visit.enter(page.locator('.code-field-host .cm-content'))
          await page.keyboard.press('ControlOrMeta+a')
          await page.keyboard.insertText(text)
        }
        await visit.open(address)
        await page.getByText('The CI configuration is valid.').waitFor()
        await write('unit: { stage: nowhere, script: [make] }')
        await page.getByText('The CI configuration is invalid.').waitFor()
        await page
          .getByText(/nowhere/)
          .last()
          .waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await write('unit: { script: [echo] }')
        await page.getByText('The CI configuration is valid.').waitFor()
        await visit.press(page.getByRole('button', { name: 'Commit changes' }))
        await page.getByRole('link', { name: /^#\d+/ }).waitFor()

        const file = `/projects/${clone.id}/repository/files/.gitlab-ci.yml`
        const theirs = {
          branch: 'main',
          content: 'theirs: { script: [ls] }',
          commit_message: 'Theirs',
        }
        await visit.open(address)
        await write('mine: { script: [ls] }')
        await ask(`PUT ${file}`, theirs)
        await visit.press(page.getByRole('button', { name: 'Commit changes' }))
        await page
          .getByRole('alert')
          .getByText(/has changed/)
          .waitFor()
        await page.locator('.cm-line', { hasText: 'mine' }).waitFor()
        const { content } = await ask<{ content: string }>(`GET ${file}?ref=main`)
        expect(Buffer.from(content, 'base64').toString()).toBe(theirs.content)
      },
    )

    story('all jobs of a pipeline are shown, however many', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Many ${visit.width}`)
      const names = Array.from({ length: 230 }, (_, at) => `job ${at + 1}`)
      const jobs = names.map((name) => `${name}: { script: [ls], when: manual }`)
      await clone.commit('Begin', { '.gitlab-ci.yml': jobs.join('\n') })
      await clone.push('main')
      await visit.open(`${clone.path}/-/pipelines`)
      await visit.press(page.getByRole('link', { name: /^#\d+/ }))
      const shown = page.locator('.pipeline-name')
      await expect.poll(() => shown.count()).toBe(names.length)
      expect(new Set(await shown.allTextContents())).toEqual(new Set(names))
    })

    story('what somebody may not do is refused where they see it', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const clone = await newClone(await open(), `Refused ${visit.width}`)
      await clone.commit('Begin', { '.gitlab-ci.yml': 'unit: { script: [exit 1] }' })
      await clone.push('main')
      await ask(`POST /projects/${clone.id}/pipeline_schedules`, {
        description: 'Nightly',
        ref: 'main',
        cron: '0 3 * * *',
      })
      const login = `dev${visit.width}`
      const password = 'a long pass phrase of theirs'
      const { id: user_id } = await ask<{ id: number }>('POST /users', {
        username: login,
        name: 'Dev',
        email: `${login}@example.test`,
        password,
        skip_confirmation: true,
      })
      await ask(`POST /projects/${clone.id}/members`, { user_id, access_level: 30 })
      await visit.signIn({ login, password })

      // The branch is protected, which a list of schedules does not know.
      await visit.open(`${clone.path}/-/pipeline_schedules`)
      await visit.press(page.getByRole('button', { name: /Run now/ }))
      await page.getByRole('alert').getByText('Forbidden').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'Pipelines' }))
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)

      await page.getByRole('link', { name: /^#\d+/ }).waitFor()
      await visit.press(page.getByRole('link', { name: /^#\d+/ }))
      const retry = page.getByRole('button', { name: 'Retry failed jobs' })
      await retry.waitFor()
      expect(await retry.getAttribute('aria-disabled')).toBe('true')
      expect(await retry.textContent()).toContain('main is protected')

      // What cannot be pushed there begins a branch of its own.
      await visit.open(`${clone.path}/-/edit/main/.gitlab-ci.yml`)
      await visit.enter(page.locator('.code-field-host .cm-content'))
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText('unit: { script: [exit 0] }')
      expect(await page.getByLabel('Target branch').inputValue()).toMatch(
        new RegExp(`^${login}-patch-\\d{4}$`),
      )
      await visit.press(page.getByRole('button', { name: 'Commit changes' }))
      await page.waitForURL(/\/merge_requests\/new/)
      const branch = new URL(page.url()).searchParams.get('merge_request[source_branch]') ?? ''
      expect(branch).toMatch(new RegExp(`^${login}-patch-\\d{4}$`))
      const file = `/projects/${clone.id}/repository/files/.gitlab-ci.yml?ref=${branch}`
      const { content } = await ask<{ content: string }>(`GET ${file}`)
      expect(Buffer.from(content, 'base64').toString()).toBe('unit: { script: [exit 0] }')
    })
  },
  open,
)
