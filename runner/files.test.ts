import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolderForcibly, selectFiles } from './files.ts'

let outside = ''
let folder = ''
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'bloomery-files-'))
  folder = join(outside, 'project')
  mkdirSync(folder)
})
afterEach(() => rmSync(outside, { recursive: true, force: true }))

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name)
  }
}
const select = async (paths: string[], more: { exclude?: string[]; others?: string[] } = {}) =>
  (await selectFiles(folder, { paths, ...more })).names

describe('selected files', () => {
  beforeEach(() => write('a.txt', 'out/b.txt', 'out/c/d.log', '.hidden/e.txt', '.git/config'))

  it('are files, and folders with all they have', async () => {
    expect(await select(['a.txt', 'out/'])).toEqual([
      'a.txt',
      'out/',
      'out/b.txt',
      'out/c/',
      'out/c/d.log',
    ])
    expect(await select([join(folder, 'out/c')])).toEqual(['out/c/', 'out/c/d.log'])
  })

  it('are those that others list, but none that leads out of the folder', async () => {
    writeFileSync(join(outside, 'secret'), '')
    symlinkSync(outside, join(folder, 'link'))
    const others = ['a.txt', '../secret', 'out/../../secret', 'link/secret', '/secret', 'out/b.txt']
    expect(await select([], { others })).toEqual(['a.txt', 'out/b.txt'])
  })

  it('are found by wildcards, but for what is git’s', async () => {
    expect(await select(['*.txt'])).toEqual(['a.txt'])
    expect(await select(['**/*.txt'])).toEqual(['.hidden/e.txt', 'a.txt', 'out/b.txt'])
    expect(await select(['out/*'])).toEqual(['out/b.txt', 'out/c/', 'out/c/d.log'])
    expect(await select(['out/**/*.log', '{a,b}.txt'])).toEqual(['a.txt', 'out/c/d.log'])
    expect(await select(['.'])).not.toContain('.git/config')
    expect(await select(['.git', '.git/config', '**/config'])).toEqual([])
  })

  it('are less what is excluded', async () => {
    expect(await select(['out'], { exclude: ['out/**/*.log'] })).toEqual([
      'out/',
      'out/b.txt',
      'out/c/',
    ])
    expect(await select([], { others: ['a.txt', 'x.o'], exclude: ['*.o'] })).toEqual(['a.txt'])
  })

  it('say which patterns took nothing or may not be used', async () => {
    expect(await selectFiles(folder, { paths: ['../x', '/etc/passwd', 'none/*'] })).toEqual({
      names: [],
      warnings: [
        '../x: leads out of the folder of the project, so it is left out',
        '/etc/passwd: leads out of the folder of the project, so it is left out',
        'none/*: nothing has that name',
      ],
    })
  })

  it('are never reached through a link', async () => {
    mkdirSync(join(outside, 'secret'))
    writeFileSync(join(outside, 'secret/key'), 'key')
    symlinkSync(join(outside, 'secret'), join(folder, 'link'))
    expect(await select(['link/key', 'link/*', 'link/**'])).toEqual([])
    expect(await select(['link', '**/key'])).toEqual(['link'])
  })
})

it('removes folders that a job has made read-only', async () => {
  write('locked/deep/file')
  chmodSync(join(folder, 'locked/deep'), 0o500)
  chmodSync(join(folder, 'locked'), 0o500)
  await removeFolderForcibly(folder)
  await expect(selectFiles(folder, { paths: ['locked'] })).resolves.toMatchObject({ names: [] })
})
