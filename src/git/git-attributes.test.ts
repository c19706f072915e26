import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newFolder, runRealGit } from '../../test/kit/git.ts'
import { findGitAttribute, parseGitAttributes } from './git-attributes.ts'

/** What git itself says the `filter` of each path is, with these attribute files in a working copy. */
async function askGit(files: Record<string, string>, paths: string[]): Promise<string[]> {
  const folder = newFolder()
  await runRealGit(['init', '--quiet'], { cwd: folder })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { stdout } = await runRealGit(['check-attr', '-z', '--stdin', 'filter'], {
    cwd: folder,
    stdin: paths.map((path) => `${path}\0`).join(''),
  })
  const fields = stdout.split('\0')
  return paths.map((_, index) => fields[index * 3 + 2] ?? '')
}

function ask(files: Record<string, string>, paths: string[]): string[] {
  const all = Object.entries(files).map(([name, content]) => ({
    folder: dirname(name) === '.' ? '' : dirname(name),
    file: parseGitAttributes(Buffer.from(content)),
  }))
  return paths.map((path) => {
    const above = all
      .filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
      .sort((a, b) => a.folder.length - b.folder.length)
    const value = findGitAttribute(above, path, 'filter')
    if (value === undefined) return 'unspecified'
    return value === true ? 'set' : value === false ? 'unset' : value
  })
}

const paths = [
  'a.bin',
  'A.BIN',
  'a.txt',
  'b.bin',
  '.bin',
  'dir/a.bin',
  'dir/sub/a.bin',
  'dir/sub/deep/a.bin',
  'other/dir/a.bin',
  'with space.bin',
  'x[1].bin',
  'a*.bin',
  'img/1.png',
  'img/12.png',
  'img/x.png',
  'ünï.bin',
  'dir',
]

describe('attributes are what git says', () => {
  it.each([
    '*.bin filter=lfs diff=lfs merge=lfs -text',
    '/a.bin filter=lfs',
    'dir/a.bin filter=lfs',
    'dir/*.bin filter=lfs',
    '/dir/*.bin filter=lfs',
    'dir/** filter=lfs',
    'dir/**/a.bin filter=lfs',
    '**/a.bin filter=lfs',
    '**/dir/*.bin filter=lfs',
    '** filter=lfs',
    '* filter=lfs',
    'dir filter=lfs',
    'dir/ filter=lfs',
    '!a.bin filter=lfs',
    '"with space.bin" filter=lfs',
    'with\\ space.bin filter=lfs',
    '?.bin filter=lfs',
    '[ab].bin filter=lfs',
    '[!a].bin filter=lfs',
    '[a-c].* filter=lfs',
    'img/[0-9].png filter=lfs',
    'img/[[:digit:]][[:digit:]].png filter=lfs',
    'x\\[1\\].bin filter=lfs',
    'a\\*.bin filter=lfs',
    'a[.bin filter=lfs',
    'a**n filter=lfs',
    'dir/**x/a.bin filter=lfs',
    '*.bin filter',
    '*.bin -filter',
    '*.bin filter=lfs -filter',
    '*.bin filter=lfs !filter',
    '*.bin filter=lfs\na.bin !filter',
    '*.bin filter=lfs\ndir/*.bin -filter',
    '# *.bin filter=lfs',
    '  *.bin\tfilter=lfs\r',
    '[attr]big filter=lfs -text\n*.bin big',
    '[attr]big filter=lfs\n*.bin -big',
    '[attr]big filter=lfs\n*.bin big -filter',
    '*.bin binary filter=lfs',
    `${'x'.repeat(3000)}.bin filter=lfs\n*.bin filter=lfs`,
    '',
  ])('%j', async (content) => {
    const files = { '.gitattributes': `${content}\n` }
    expect(ask(files, paths)).toEqual(await askGit(files, paths))
  })

  it('in nested folders', async () => {
    const files = {
      '.gitattributes': '*.bin filter=lfs\n[attr]big filter=large\n',
      'dir/.gitattributes': 'sub/a.bin -filter\n*.txt filter=lfs\n',
      'dir/sub/deep/.gitattributes': 'a.bin big\n',
      'other/.gitattributes': '*.bin !filter\n',
    }
    expect(ask(files, paths)).toEqual(await askGit(files, paths))
  })

  it('for patterns nobody thought of', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?', '/', '**', '.bin', '[ab]', '[!a]', 'dir'),
      minLength: 1,
      maxLength: 6,
    })
    // Of stars beside other characters git 2.39 says now this, now that: it compares unrelated pointers.
    const isSound = (pattern: string) => !/[^/]\*\*|\*\*[^/]/.test(pattern)
    const patterns = fc.sample(part.filter(isSound), { numRuns: 150, seed: 7 })
    // Each in a folder of its own, so that git is asked once for all.
    const within = (at: number, path: string) => `folder-${at}/${path}`
    const files = Object.fromEntries(
      patterns.map((pattern, at) => [within(at, '.gitattributes'), `${pattern} filter=lfs\n`]),
    )
    const everywhere = patterns.flatMap((_, at) => paths.map((path) => within(at, path)))
    const [ours, real] = [ask(files, everywhere), await askGit(files, everywhere)]
    const told = (values: string[]) =>
      everywhere.map(
        (path, at) => `${patterns[Math.floor(at / paths.length)]}: ${path} ${values[at]}`,
      )
    expect(told(ours)).toEqual(told(real))
  }, 60_000)
})

it('no pattern takes long', () => {
  const file = parseGitAttributes(Buffer.from(`${'*a'.repeat(500)}b filter=lfs\n`))
  const deep = parseGitAttributes(Buffer.from(`${'**/'.repeat(300)}b filter=lfs\n`))
  const files = [
    { folder: '', file },
    { folder: '', file: deep },
  ]
  expect(
    findGitAttribute(files, `${'a/'.repeat(500)}${'a'.repeat(2000)}`, 'filter'),
  ).toBeUndefined()
})

it('patterns of many stars are held against a long name within the time a test has', () => {
  // It took 52 seconds.
  const content = `${'*a'.repeat(800)}b filter=lfs\n`.repeat(60)
  const file = parseGitAttributes(Buffer.from(content))
  expect(findGitAttribute([{ folder: '', file }], 'a'.repeat(4096), 'filter')).toBeUndefined()
})
