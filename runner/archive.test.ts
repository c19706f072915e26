import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { packArchive, unpackArchive } from './archive.ts'

let outside = ''
let from = ''
let to = ''
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'bloomery-archive-'))
  from = join(outside, 'from')
  to = join(outside, 'to')
  mkdirSync(from)
  mkdirSync(to)
})
afterEach(() => rmSync(outside, { recursive: true, force: true }))

const path = () => join(outside, 'archive.zip')

/** An archive as somebody else might write it; names are replaced afterwards, for the writer is honest too. */
async function write(
  entries: { name: string; content?: string; mode?: number; as?: string }[],
): Promise<void> {
  const zip = new ZipFile()
  for (const { name, content = 'x', mode = 0o100644 } of entries) {
    zip.addBuffer(Buffer.from(content), name, { mode })
  }
  zip.end()
  let bytes = (await buffer(zip.outputStream)).toString('latin1')
  for (const { name, as } of entries) if (as) bytes = bytes.replaceAll(name, as)
  writeFileSync(path(), Buffer.from(bytes, 'latin1'))
}

const link = 0o120777

describe('an archive', () => {
  it('comes out as it went in: folders, modes, times, links', async () => {
    mkdirSync(join(from, 'd/empty'), { recursive: true })
    writeFileSync(join(from, 'd/run'), '#!/bin/sh', { mode: 0o755 })
    writeFileSync(join(from, 'naïve ☃'), Buffer.alloc(100_000, 7))
    symlinkSync('d/run', join(from, 'link'))
    symlinkSync('../../etc', join(from, 'out'))
    await packArchive(path(), from, ['d/', 'd/empty/', 'd/run', 'link', 'naïve ☃', 'out'])
    expect(await unpackArchive(path(), to)).toBe(3)
    expect(readdirSync(to, { recursive: true }).map(String).sort()).toEqual([
      'd',
      'd/empty',
      'd/run',
      'link',
      'naïve ☃',
    ])
    expect(lstatSync(join(to, 'd/run')).mode & 0o777).toBe(0o755)
    expect(readFileSync(join(to, 'naïve ☃'))).toEqual(Buffer.alloc(100_000, 7))
    expect(readlinkSync(join(to, 'link'))).toBe('d/run')
  })

  it('replaces what is there', async () => {
    await write([{ name: 'd/a', content: 'new' }])
    mkdirSync(join(to, 'd'))
    writeFileSync(join(to, 'd/a'), 'old', { mode: 0o400 })
    await unpackArchive(path(), to)
    expect(readFileSync(join(to, 'd/a'), 'utf8')).toBe('new')
  })

  it.each([
    ['a name that goes up', [{ name: 'aa/evil', as: '../evil' }]],
    ['an absolute name', [{ name: 'a/evil', as: '//evil' }]],
    ['a name with a backslash', [{ name: 'aa/evil', as: 'aa\\evil' }]],
    ['a link that leads out', [{ name: 'd/link', content: '../../evil', mode: link }]],
    ['an absolute link', [{ name: 'link', content: '/etc/passwd', mode: link }]],
  ])('is refused with %s', async (_name, entries) => {
    await write(entries)
    await expect(unpackArchive(path(), to)).rejects.toThrow(/^The archive/)
    expect(existsSync(join(outside, 'evil'))).toBe(false)
    expect(readdirSync(to, { recursive: true }).filter((name) => name !== 'd')).toEqual([])
  })

  it('writes through no link, its own or one that is there', async () => {
    mkdirSync(join(outside, 'victim'))
    symlinkSync(join(outside, 'victim'), join(to, 'there'))
    writeFileSync(join(outside, 'victim/file'), 'kept')
    symlinkSync(join(outside, 'victim/file'), join(to, 'file'))
    await write([
      { name: 'there/a' },
      { name: 'file' },
      { name: 'own', content: 'there', mode: link },
    ])
    await unpackArchive(path(), to)
    expect(readdirSync(join(outside, 'victim'))).toEqual(['file'])
    expect(readFileSync(join(outside, 'victim/file'), 'utf8')).toBe('kept')
    expect(readFileSync(join(to, 'there/a'), 'utf8')).toBe('x')
  })

  it('is refused before a byte of it is written where it would be far larger than itself', async () => {
    const size = 0xffffff00
    const zip = new ZipFile()
    zip.addBuffer(Buffer.alloc(5000), 'zeros')
    zip.end()
    const bytes = await buffer(zip.outputStream)
    bytes.writeUInt32LE(size, bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
    writeFileSync(path(), bytes)
    await expect(unpackArchive(path(), to)).rejects.toThrow(`too large: ${size} bytes`)
    expect(readdirSync(to)).toEqual([])
  })

  it('is refused where a file is larger than it says', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.alloc(5000, 1), 'liar')
    zip.end()
    const bytes = await buffer(zip.outputStream)
    const entry = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    bytes.writeUInt32LE(10, entry + 24)
    writeFileSync(path(), bytes)
    await expect(unpackArchive(path(), to)).rejects.toThrow(/too many bytes/)
  })

  it.each(['', 'PK', 'no archive at all'])('is refused where it is none: %j', async (content) => {
    writeFileSync(path(), content)
    await expect(unpackArchive(path(), to)).rejects.toThrow(/^The archive cannot be read/)
  })
})
