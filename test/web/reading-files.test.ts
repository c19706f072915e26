// Files as they are read: what READMEs name, tables, notebooks, pictures.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories } from './browser.ts'
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

    story('an address that names no branch says so, whatever it would show', async (visit) => {
      const { page } = visit
      const clone = await newClone(await open(), `Gone ${visit.width}`)
      await clone.commit('Begin', { a: 'a' })
      await clone.push('main')
      for (const section of ['tree', 'blob', 'blame', 'commits', 'graphs', 'find_file']) {
        await visit.open(`${clone.path}/-/${section}/old/branch`)
        await page.getByRole('heading', { level: 1, name: 'Branch or tag not found' }).waitFor()
        await page.getByText('No branch, tag or commit matches old/branch.').waitFor()
      }
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.locator('main .blank').getByRole('link', { name: 'Branches' }))
      await page.getByRole('heading', { level: 1, name: 'Branches' }).waitFor()
      await visit.open(`${clone.path}/-/commits/main`)
      await page.getByText('Begin').waitFor()
    })

    story('code in a README is reached by keys once it no longer fits', async (visit) => {
      const { page, width } = visit
      const clone = await newClone(await open(), `Wide ${width}`)
      // In the window it is opened in it just fits.
      const code = '=== '.repeat(width === phone_px ? 5 : 20)
      await clone.commit('Begin', { 'README.md': `# Wide\n\n\`\`\`\n${code}\n\`\`\`\n` })
      await clone.push('main')
      await visit.open(clone.path)
      const block = page.locator('.prose pre')
      await block.waitFor()
      await visit.settle()
      expect(await block.getAttribute('tabindex')).toBe(null)
      await visit.resize({ width: width === phone_px ? 200 : phone_px })
      await expect.poll(() => block.getAttribute('tabindex')).toBe('0')
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

        // Nor once the branch is gone, which is asked for without a refusal.
        const refused: string[] = []
        page.on('response', (one) => {
          if (one.status() >= 400) refused.push(one.url())
        })
        await ask(`PUT /projects/${clone.id}/merge_requests/1`, { state_event: 'close' })
        await visit.open(clone.path)
        await offer.waitFor()
        // Nor once it is merged, though the branch is kept.
        await ask(`PUT /projects/${clone.id}/merge_requests/1`, { state_event: 'reopen' })
        await ask(`PUT /projects/${clone.id}/merge_requests/1/merge`, {
          should_remove_source_branch: false,
        })
        await visit.open(clone.path)
        await about.getByRole('link', { name: '2 branches', exact: true }).waitFor()
        await visit.settle()
        expect(await offer.count()).toBe(0)
        await ask(`DELETE /projects/${clone.id}/repository/branches/feature%2Fa-b`)
        await visit.open(clone.path)
        await about.getByRole('link', { name: '1 branch', exact: true }).waitFor()
        await visit.settle()
        expect(await offer.count()).toBe(0)
        expect(refused).toEqual([])
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

    story('tables, notebooks, pictures and documents look like what they are', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Looks ${visit.width}`)
      const notebook = {
        metadata: { language_info: { name: 'python' } },
        cells: [
          {
            cell_type: 'markdown',
            source: ['# Sums\n', '<b onclick=alert(1)>b</b><script>alert(2)</script>'],
          },
          {
            cell_type: 'code',
            execution_count: 3,
            source: ['import math\n'],
            outputs: [
              { output_type: 'stream', text: ['plain output\n'] },
              { data: { 'text/html': ['<b>never</b>'], 'text/plain': ['shown'] } },
            ],
          },
        ],
      }
      const commits = Array.from({ length: 12 }, (_, at) => at)
      await clone.commit('Begin', {
        'a.csv': 'name,"two\nlines"\n"a, ""b""",<b>2</b>\n',
        'b.ipynb': JSON.stringify(notebook),
        'c.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
        'd.pdf': Buffer.from('%PDF-1.4\n\0'),
        'e.ts': 'const a = 1\nconst b = 2\n',
      })
      await clone.git('checkout', '-q', '-b', 'many')
      for (const at of commits) await clone.commit(`Change ${at}`, { 'e.ts': `const b = ${at}\n` })
      await clone.push('main', 'many')
      const blob = `${clone.path}/-/blob/main`

      await visit.open(`${blob}/a.csv`)
      const table = page.getByRole('region', { name: 'Table of a.csv' })
      await table.waitFor()
      expect(await table.locator('th').allInnerTexts()).toEqual(['name', 'two lines'])
      expect(await table.locator('td').allInnerTexts()).toEqual(['a, "b"', '<b>2</b>'])
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'Show source' }))
      await page.locator('#L1').waitFor()

      await visit.open(`${blob}/b.ipynb`)
      await page.getByRole('heading', { name: 'Sums' }).waitFor()
      await page.getByText('In [3]:').waitFor()
      expect(await page.getByRole('region', { name: 'Output' }).innerText()).toBe(
        'plain output\n\nshown',
      )
      expect(await page.locator('main [onclick], main .notebook script').count()).toBe(0)
      expect(await page.locator('main').innerText()).not.toContain('never')
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.open(`${blob}/c.png`)
      await page.locator('img[alt="c.png"]').waitFor()
      const bar = page.locator('.file-frame-bar')
      expect(await bar.getByRole('link', { name: 'Blame' }).count()).toBe(0)
      expect(await bar.getByRole('link', { name: 'Edit file' }).count()).toBe(0)
      await visit.open(`${blob}/d.pdf`)
      await page.getByText('Download the file to view it.').waitFor()

      await visit.open(`${blob}/e.ts`)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await visit.press(page.getByRole('button', { name: 'Copy file path' }))
      await page.getByText('File path copied').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('e.ts')
      await page.locator('#L2').click({ position: { x: 20, y: 10 } })
      await page.keyboard.press('Shift')
      await page.getByRole('button', { name: 'Copy permalink' }).waitFor()
      expect(
        await page.locator('.code').evaluate((code) => getComputedStyle(code).outlineStyle),
      ).toBe('none')
      await visit.checkAccess()
      await page.emulateMedia({ media: 'print' })
      const printed = await page.locator('.code-block').evaluate((block) => {
        const line = block.querySelector('.code-line') ?? block
        return [getComputedStyle(block).contentVisibility, getComputedStyle(line).whiteSpace]
      })
      expect(printed).toEqual(['visible', 'pre-wrap'])
      expect(await page.getByRole('button', { name: 'Copy permalink' }).count()).toBe(0)
      await page.emulateMedia({ media: null })
      await visit.press(page.getByRole('link', { name: 'View blame of line 2' }))
      await expect.poll(() => new URL(page.url()).pathname).toBe(`${clone.path}/-/blame/main/e.ts`)
      await visit.open(`${clone.path}/-/blame/many/e.ts`)
      await visit.press(page.getByRole('link', { name: 'View blame before this change' }))
      await page.getByText('const b = 10').first().waitFor()

      await visit.open(`${clone.path}/-/compare/main...many`)
      await page.locator('.diff-added').first().waitFor()
      expect(await page.locator('.commit-line').count()).toBe(8)
      await visit.press(page.getByRole('button', { name: 'Show 12 commits' }))
      await expect.poll(() => page.locator('.commit-line').count()).toBe(12)

      await visit.open(`/search?scope=blobs&project_id=${clone.id}&search=CONST`)
      await page.locator('.code mark', { hasText: 'const' }).first().waitFor()
      await visit.checkAccess()
    })

    story('the files stand beside the one that is read, where there is room', async (visit) => {
      const { page } = visit
      const clone = await newClone(await open(), `Tree ${visit.width}`)
      await clone.commit('Begin', {
        'src/deep/a.ts': 'const a = 1\n',
        'src/deep/b.ts': 'const b = 1\n',
        'other/c.ts': 'const c = 1\n',
      })
      await clone.push('main')
      await visit.open(`${clone.path}/-/blob/main/src/deep/a.ts`)
      await page.locator('#L1').waitFor()
      const tree = page.getByRole('navigation', { name: 'File tree' })
      expect(await tree.count()).toBe(0)
      await page.setViewportSize({ width: 1_600, height: 900 })
      await tree.getByText('a.ts').waitFor()
      expect(await tree.locator('[aria-current=page]').innerText()).toBe('a.ts')
      await visit.checkAccess()
      await visit.checkWidth()
      await tree.getByText('other').click()
      await tree.getByRole('link', { name: 'b.ts' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/b\.ts$/)
      await expect.poll(() => tree.locator('[aria-current=page]').innerText()).toBe('b.ts')
      await tree.getByRole('link', { name: 'c.ts' }).waitFor()
      await page.getByRole('button', { name: 'File tree', expanded: true }).click()
      await expect.poll(() => tree.count()).toBe(0)
      await page.reload()
      await page.getByRole('button', { name: 'File tree', expanded: false }).waitFor()
      await page.locator('#L1').waitFor()
      expect(await tree.count()).toBe(0)
    })
  },
  open,
)
