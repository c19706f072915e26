// The documentation as a site, and the job that publishes it.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { newWorld } from './kit/world.ts'

const root = join(import.meta.dirname, '..')

it('is a site whose links all lead to files of it', { timeout: 300_000 }, () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'bloomery-docs-')), 'public')
  execFileSync(process.execPath, [join(root, 'tools/docs-site.ts'), folder])
  const pages = globSync('**/*.html', { cwd: folder })
  expect(pages.length).toBeGreaterThan(100)
  const dead: string[] = []
  let links = 0
  for (const page of pages) {
    const text = readFileSync(join(folder, page), 'utf8')
    for (const [, to = ''] of text.matchAll(/ (?:href|src)="(\.[^"#]*)/g)) {
      links += 1
      if (!existsSync(resolve(folder, dirname(page), to))) dead.push(`${page}: ${to}`)
    }
  }
  expect(dead).toEqual([])
  expect(links).toBeGreaterThan(500)
  const first = readFileSync(join(folder, 'index.html'), 'utf8')
  expect(first).toContain('<a href="./docs/operating/backup.html">Backup</a>')
})

it('is made by a job that a server accepts', async () => {
  const world = await newWorld()
  const content = readFileSync(join(root, '.gitlab-ci.yml'), 'utf8')
  const project = await world.newProject({ files: { a: 'a' } })
  const answer = await world.as('owner').post(`/projects/${project.id}/ci/lint`, { content })
  expect(answer.json()).toMatchObject({ valid: true, errors: [], warnings: [] })
})
