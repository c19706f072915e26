// What comments and the first pages cite must be there for a reader: files below docs/, and their headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

const sources = ['src', 'test', 'tools', 'bench'].flatMap((folder) => [
  ...filesBelow(folder, '.ts'),
  ...filesBelow(folder, '.md'),
])
const firstPages = readdirSync(root).filter((name) => name.endsWith('.md'))
const pages = filesBelow('docs', '.md')

/**
 * What a file says to its readers: the comments of a source, a page without its examples. Lines are joined,
 * so that a citation may be wrapped.
 */
function readProse(path: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  const lines = path.endsWith('.ts')
    ? text.split('\n').flatMap((line) => /^\s*(?:\/\/|\/\*\*|\*)(.*)/.exec(line)?.[1] ?? [])
    : text.replace(/^```[\s\S]*?^```/gm, '').split('\n')
  return lines.map((line) => line.trim()).join(' ')
}

type Citation = { from: string; file: string; headings: string[] }

/** A page below docs/, and the headings in quotes after it: `, "One", "Two" and "Three"`. */
function citationsIn(from: string): Citation[] {
  const pattern = /(git-lfs: )?\b(docs\/[\w./-]+\.md)((?:(?:,| and) "[^"]+")*)/g
  return [...readProse(from).matchAll(pattern)]
    .filter(([, elsewhere]) => elsewhere === undefined)
    .map(([, , file = '', quoted = '']) => ({
      from,
      file,
      headings: [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading),
    }))
}

function headingsOf(path: string): string[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) => line.replace(/^#+ /, ''))
}

describe('citations', () => {
  const citations = [...sources, ...firstPages].flatMap(citationsIn)

  it('are found, with their headings, also where a comment is wrapped', () => {
    expect(citations.length).toBeGreaterThan(50)
    expect(citations).toContainEqual({
      from: 'src/kernel/errors.ts',
      file: 'docs/api/users.md',
      headings: ['Taken addresses and names'],
    })
  })

  it('name files that exist', () => {
    const missing = citations.filter(({ file }) => !existsSync(join(root, file)))
    expect(missing).toEqual([])
  })

  it('name headings that exist', () => {
    const missing = citations.flatMap(({ from, file, headings }) =>
      headings
        .filter((heading) => !headingsOf(file).includes(heading))
        .map((heading) => `${from}: ${file}, "${heading}"`),
    )
    expect(missing).toEqual([])
  })

  it('name sources that exist', () => {
    const missing = sources
      .filter((path) => path.endsWith('.ts'))
      .flatMap((from) =>
        [...readProse(from).matchAll(/(?<![\w/.-])(?:[a-z][\w-]*\/)+[\w.-]+\.ts\b/g)]
          .filter(([file]) =>
            ['', 'src', 'src/features', dirname(from)].every(
              (folder) => !existsSync(join(root, folder, file)),
            ),
          )
          .map(([file]) => `${from}: ${file}`),
      )
    expect(missing).toEqual([])
  })

  it('on the first pages name sources that exist', () => {
    const code = ['src', 'test', 'tools', 'bench', 'runner', 'web'].flatMap((folder) => [
      ...filesBelow(folder, '.ts'),
      ...filesBelow(folder, '.tsx'),
    ])
    // The changelog names files as they were; a name without a folder may be an example.
    const missing = firstPages
      .filter((from) => from !== 'CHANGELOG.md')
      .flatMap((from) =>
        [...readProse(from).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g)]
          .filter(([, file]) => !code.some((path) => `/${path}`.endsWith(`/${file}`)))
          .map(([, file]) => `${from}: ${file}`),
      )
    expect(missing).toEqual([])
  })

  it('lead somewhere from page to page', () => {
    const missing = [...firstPages, ...pages].flatMap((from) =>
      [...readFileSync(join(root, from), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)]
        .map(([, target = '']) => join(dirname(from), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${from} -> ${target}`),
    )
    expect(missing).toEqual([])
  })

  it('are of nothing that a reader does not have', () => {
    const unknown = /\bbehaviour[:,]|\bbehaviour notes\b|\bspec \d|\bthe specification\b/i
    const wrong = [...sources, ...firstPages, ...pages].filter((path) =>
      unknown.test(readProse(path)),
    )
    expect(wrong).toEqual([])
  })
})
