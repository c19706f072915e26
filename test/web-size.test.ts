// What browsers fetch before a page can be used, and after it (web/DESIGN.md, "Budgets"). Sizes are those of the built
// files, as they travel to a browser that takes gzip.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../web/dist')
const kilobyte = 1024

type Chunk = { file: string; imports?: string[] }
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(dist, 'manifest.json'), 'utf8'),
)
const size = (file: string) => statSync(join(dist, `${file}.gz`)).size

/** A chunk and all that it cannot run without. */
function withImports(key: string, known = new Set<string>()): Set<string> {
  if (known.has(key)) return known
  known.add(key)
  for (const next of manifest[key]?.imports ?? []) withImports(next, known)
  return known
}

/** Whatever page is opened, the shell names this script. */
const [, started] =
  /src="\/-\/assets\/([^"]+)"/.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? []
const first = withImports(
  Object.keys(manifest).find((key) => manifest[key]?.file === started) ?? '',
)
const sum = (keys: Iterable<string>) =>
  [...keys].reduce((bytes, key) => bytes + size(manifest[key]?.file ?? ''), 0)

it('has little script before the first view of any page', () => {
  const pages = Object.keys(manifest).filter((key) => /\.page\.tsx$/.test(key))
  expect(pages.length).toBeGreaterThan(10)
  const large = pages
    .map((key) => ({ key, bytes: sum(new Set([...first, ...withImports(key)])) }))
    .filter(({ bytes }) => bytes > 60 * kilobyte)
  expect(large).toEqual([])
  expect(sum(first)).toBeGreaterThan(10 * kilobyte)
})

it('has little style', () => {
  const styles = readdirSync(dist).filter((name) => name.endsWith('.css'))
  const bytes = styles.reduce((total, name) => total + size(name), 0)
  expect(bytes).toBeLessThanOrEqual(16 * kilobyte)
  expect(bytes).toBeGreaterThan(0)
})

it('fetches what comes later in pieces', () => {
  const later = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  const large = later
    .map(({ file }) => [file, size(file)] as const)
    .filter(([, bytes]) => bytes > 110 * kilobyte)
  expect(large).toEqual([])
})
