// What browsers fetch before a page can be used, and after it (web/DESIGN.md, "Budgets"). Sizes are those of the built
// files, as they travel to a browser that takes gzip.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../web/dist')
const kilobyte = 1024

const size = (file: string) => statSync(join(dist, `${file}.gz`)).size
const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + size(file), 0)

/** Files by page, and those that every page has. */
type BySection = Record<string, string[]>
type Preloads = { first: string[]; plain: BySection } & Record<
  'user' | 'group' | 'project',
  BySection
>
const { first, plain, user, group, project }: Preloads = JSON.parse(
  readFileSync(join(dist, 'preloads.en.json'), 'utf8'),
)
const pages = [plain, user, group, project]

it('has little script before the first view of any page', () => {
  const own = pages.flatMap((files) => Object.entries(files))
  expect(own.length).toBeGreaterThan(40)
  // Those that no address of the table leads to, as well.
  const alone = readdirSync(dist).filter((name) => /\.page-[\w-]+\.js$/.test(name))
  const all = [...own, ...alone.map((file) => [file, [file]] as const)]
  const large = all.filter(([, files]) => sum([...first, ...files]) > 60 * kilobyte)
  expect(large).toEqual([])
  expect(sum(first)).toBeGreaterThan(10 * kilobyte)
})

it('asks for few files before the first view of any page', () => {
  const own = pages.flatMap((files) => Object.entries(files))
  expect(own.filter(([, files]) => files.length === 0)).toEqual([])
  expect(own.filter(([, files]) => files.length > 2)).toEqual([])
  // One for all pages, and one for each; what few pages share and is large is a second one of these.
  expect(first).toHaveLength(1)
  const shared = new Set(
    own.flatMap(([, files]) => files.slice(1)).map((file) => file.split('-')[0]),
  )
  expect([...shared].sort()).toEqual([
    'admin',
    'details',
    'diff',
    'issuable',
    'members',
    'settings',
  ])
})

it('has little style', () => {
  const styles = readdirSync(dist).filter((name) => name.endsWith('.css'))
  const bytes = styles.reduce((total, name) => total + size(name), 0)
  expect(bytes).toBeLessThanOrEqual(16 * kilobyte)
  expect(bytes).toBeGreaterThan(0)
})

it('fetches what comes later in pieces', () => {
  const large = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((file) => [file, size(file)] as const)
    .filter(([, bytes]) => bytes > 110 * kilobyte)
  expect(large).toEqual([])
})
