// Files as they are read: what READMEs name, tables, notebooks, pictures.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'reading-files',
  (story) => {
    story('a README links what it names, as far as the reader sees it', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const clone = await newClone(await open(), `Names ${visit.width}`)
      await ask(`POST /projects/${clone.id}/issues`, { title: 'Open to all' })
      await ask(`POST /projects/${clone.id}/issues`, { title: 'Secret', confidential: true })
      await clone.commit('Begin', { a: 'a' })
      const head = await clone.git('rev-parse', 'HEAD')
      await clone.commit('Write', {
        'README.md': `# Names\n\n[[_TOC_]]\n\nSee #1, #2 and @root, not \`#1\`; ${head}.\n\n|left|right|\n|:-|-:|\n|1|2|\n\n> [!tip]\n> Read[^1] :tada:\n\n[^1]: Below\n\n## Last part\n`,
      })
      await clone.push('main')

      await visit.open(clone.path)
      const prose = page.locator('.prose')
      const first = prose.getByRole('link', { name: '#1', exact: true })
      await first.waitFor()
      expect(await first.getAttribute('title')).toBe('Open to all')
      expect(await prose.getByRole('link', { name: '@root' }).count()).toBe(1)
      expect(await prose.getByRole('link', { name: head.slice(0, 8) }).count()).toBe(1)
      expect(await prose.getByRole('link', { name: '#2' }).count()).toBe(0)
      expect(await prose.locator('td[align=right]').innerText()).toBe('2')
      await prose.getByText('Read').waitFor()
      expect(await prose.locator('.markdown-alert-tip').innerText()).toMatch(/Tip\s+Read1 🎉/)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(prose.getByRole('link', { name: 'Last part' }))
      expect(new URL(page.url()).hash).toBe('#user-content-last-part')

      await visit.signIn()
      await visit.open(`${clone.path}/-/blob/main/README.md`)
      const second = prose.getByRole('link', { name: '#2', exact: true })
      await second.waitFor()
      expect(await second.getAttribute('title')).toBe('Secret')
      expect(await second.getAttribute('target')).toBe(null)
    })

    story(
      'the home of a project tells how it is, and offers what follows a push',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        await visit.signIn()
        const clone = await newClone(await open(), `Home ${visit.width}`)
        await clone.commit('Begin', {
          'README.md': '# Home\n',
          LICENSE: 'MIT License\n',
          '.gitlab-ci.yml': 'build: { script: make }\n',
        })
        await clone.push('main')
        await ask(`POST /projects/${clone.id}/releases`, {
          tag_name: 'v1',
          name: 'First',
          ref: 'main',
        })
        await clone.git('checkout', '-q', '-b', 'feature/a-b')
        await clone.commit('Change', { 'README.md': '# Home again\n' })
        await clone.push('feature/a-b')
        await ask(`PUT /projects/${clone.id}`, { topics: ['iron'] })

        await visit.open(clone.path)
        const offer = page.getByRole('link', { name: 'Create merge request' })
        await offer.waitFor()
        expect(await offer.getAttribute('href')).toBe(
          `${clone.path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=feature%2Fa-b`,
        )
        await page.getByText('You pushed to feature/a-b now').waitFor()
        const about = page.getByRole('complementary', { name: 'Project information' })
        for (const name of [
          '1 commit',
          '2 branches',
          '1 tag',
          'Latest release: First',
          'License: LICENSE',
          'iron',
        ])
          await about.getByRole('link', { name, exact: true }).waitFor()
        await about.getByText('pending').waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        const readme = page.getByRole('region', { name: 'README.md' })
        expect(await readme.getByRole('link', { name: 'Raw' }).getAttribute('href')).toBe(
          `${clone.path}/-/raw/main/README.md`,
        )
        await visit.press(readme.getByRole('link', { name: 'Edit file' }))
        await expect
          .poll(() => new URL(page.url()).pathname)
          .toBe(`${clone.path}/-/edit/main/README.md`)

        await ask(`POST /projects/${clone.id}/merge_requests`, {
          source_branch: 'feature/a-b',
          target_branch: 'main',
          title: 'Change',
        })
        await visit.open(clone.path)
        await about.getByText('pending').waitFor()
        expect(await offer.count()).toBe(0)
      },
    )

    story(
      'a diff is copied with its blank lines, and opens what lies between its changes',
      async (visit) => {
        const { page } = visit
        const clone = await newClone(await open(), `Diff ${visit.width}`)
        const lines = Array.from({ length: 120 }, (_, at) => `const line${at + 1} = ${at + 1}`)
        await clone.commit('Begin', { 'a.ts': `${lines.join('\n')}\n` })
        const changed = lines.map((line, at) => ([39, 79].includes(at) ? `${line} + 1` : line))
        changed.splice(40, 0, '', 'const added = 1')
        await clone.commit('Change', { 'a.ts': `${changed.join('\n')}\n` })
        await clone.push('main')
        await visit.open(`${clone.path}/-/commit/${await clone.git('rev-parse', 'HEAD')}`)
        await page.locator('.diff-added .hljs-keyword').first().waitFor()
        const copied = await page.evaluate(() => {
          const range = document.createRange()
          const rows = [...document.querySelectorAll('.diff-added')].slice(0, 3)
          range.setStartBefore(rows[0] as Element)
          range.setEndAfter(rows[2] as Element)
          getSelection()?.removeAllRanges()
          getSelection()?.addRange(range)
          return String(getSelection())
        })
        expect(copied.trim()).toBe('const line40 = 40 + 1\n\nconst added = 1')

        const file = page.getByRole('region', { name: /a\.ts/ })
        const rows = file.locator('.diff-context')
        expect(await rows.count()).toBe(0)
        await visit.press(file.getByRole('button', { name: 'Expand up' }).first())
        await expect.poll(() => rows.count()).toBe(20)
        expect(await rows.first().innerText()).toMatch(/^\s*17\s+17\s+const line17 = 17/)
        expect(await rows.first().locator('.hljs-keyword').count()).toBe(1)
        await visit.press(file.getByRole('button', { name: 'Expand up' }).first())
        await expect.poll(() => rows.count()).toBe(36)
        // Between the changes there are 33 lines: twenty from above, then the others.
        await visit.press(file.getByRole('button', { name: 'Expand down' }).first())
        await expect.poll(() => rows.count()).toBe(56)
        await visit.press(file.getByRole('button', { name: 'Expand down' }).first())
        await expect.poll(() => rows.count()).toBe(69)
        await visit.press(file.getByRole('button', { name: 'Expand down' }).last())
        await expect.poll(() => rows.count()).toBe(89)
        expect(await rows.last().innerText()).toMatch(/103\s+105\s+const line103 = 103/)
        await visit.checkAccess()
        await visit.checkWidth()
      },
    )
  },
  open,
)
