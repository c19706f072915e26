import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const name = '<img src=x onerror=alert(3)>.md'
const markdown = `# Title\n\n${evil}\n\n[press](javascript:alert(4)) <a href="javascript:alert(5)">too</a>

<svg onload="alert(6)"></svg>\n\n<form action="https://example.test"><input name="q"></form>
<div style="position:fixed;inset:0">over all</div>\n
|a|b|\n|:-:|-:|\n|<b onclick="alert(10)">1</b>|2[^f]|\n\n[^f]: <b onmouseover="alert(11)">x</b>
\n> [!note] <script>alert(12)</script>\n> x\n\n[TOC]\n\n\`\`\`html\n${evil}\n\`\`\`\n`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(7)"><script>alert(8)</script></svg>`

stories(
  'hostile-content',
  (story) => {
    story('what others wrote is text, and never runs', async (visit) => {
      const { page } = visit
      const ran: string[] = []
      page.on('dialog', (dialog) => {
        ran.push(dialog.message())
        void dialog.dismiss()
      })
      const clone = await newClone(await open(), `Hostile ${visit.width}`)
      const branch = 'evil/<script>alert(9)</script>'
      await clone.commit('Begin', { 'a.txt': 'a\n' })
      await clone.git('checkout', '-q', '-b', branch)
      await clone.commit(`${evil} title\n\n${evil} body`, {
        [name]: markdown,
        'README.md': markdown,
        'code.ts': `const a = "${evil}" // ${evil}\n`,
        'page.html': evil,
        'logo.svg': svg,
      })
      await clone.git('tag', '-a', 'evil', '-m', evil)
      await clone.push('main', branch, 'evil')
      const { ask } = await open()
      await ask(`PUT /projects/${clone.id}`, { description: evil, default_branch: branch })
      const head = await clone.git('rev-parse', 'HEAD')
      const ref = encodeURIComponent(branch).replaceAll('%2F', '/')

      const places: [string, string][] = [
        ['', '.prose h1'],
        [`/-/tree/${ref}`, '.tree-name'],
        [`/-/blob/${ref}/${encodeURIComponent(name)}`, '.prose h1'],
        [`/-/blob/${ref}/${encodeURIComponent(name)}?plain=1`, '.code-line'],
        [`/-/blob/${ref}/code.ts`, '.hljs-string'],
        [`/-/blob/${ref}/page.html`, '.code-line'],
        [`/-/blob/${ref}/logo.svg`, '.code-line'],
        [`/-/blame/${ref}/code.ts`, '.blame-title'],
        [`/-/commits/${ref}`, '.commit-line-title'],
        [`/-/commit/${head}`, '.diff-added'],
        [`/-/compare/main...${ref}`, '.diff-added'],
        ['/-/branches', '.branch-list-name'],
        ['/-/tags/evil', '.tag-message'],
        [`/-/find_file/${ref}?q=img`, '.find-file-one'],
      ]
      for (const [place, sight] of places) {
        await visit.open(clone.path + place)
        await page.locator(sight).first().waitFor()
        const bad = await page.evaluate(
          () =>
            [
              ...document.querySelectorAll(
                'main script, main [onerror], main [onload], main form:not([class]), main [href^="javascript:"], main iframe, main .prose [style]',
              ),
            ].length,
        )
        expect(bad, place).toBe(0)
        await visit.checkWidth()
      }
      await visit.open(`${clone.path}/-/commit/${head}`)
      const said = await page.locator('main').innerText()
      expect(said).toContain(`${evil} title`)
      expect(said).toContain(`${evil} body`)
      for (const file of ['page.html', 'logo.svg']) {
        const raw = await page.request.get(`${clone.path}/-/raw/${ref}/${file}`)
        expect(raw.headers()['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
        expect(raw.headers()['content-type']).toContain('text/plain')
        expect(raw.headers()['x-content-type-options']).toBe('nosniff')
        await page.goto(`${clone.path}/-/raw/${ref}/${file}`)
      }
      expect(ran).toEqual([])
    })
  },
  open,
)
