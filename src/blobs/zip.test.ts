import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../../test/kit/zip.ts'
import {
  findCentralDirectory,
  findZipEntry,
  isZipEntryReadable,
  listZipEntries,
  openZipEntry,
  ZipError,
  type ZipFile,
} from './zip.ts'

/** An archive in memory, whose reads come in small pieces; `reads` counts them. */
function fileOf(
  bytes: Buffer,
  piece_bytes = 7,
): ZipFile & { reads: () => number; bytes_read: () => number } {
  let [reads, read_bytes] = [0, 0]
  return {
    size: bytes.length,
    async read({ start, end }) {
      reads++
      const part = bytes.subarray(start, end + 1)
      read_bytes += part.length
      const pieces: Buffer[] = []
      for (let at = 0; at < part.length; at += piece_bytes) {
        pieces.push(part.subarray(at, at + piece_bytes))
      }
      return Readable.from(pieces)
    },
    reads: () => reads,
    bytes_read: () => read_bytes,
  }
}

async function namesOf(zip: ZipFile): Promise<string[]> {
  const names: string[] = []
  for await (const entries of listZipEntries(zip, await findCentralDirectory(zip))) {
    names.push(...entries.map(({ name }) => name))
  }
  return names
}

async function contentOf(zip: ZipFile, name: string): Promise<string> {
  const entry = await findZipEntry(zip, name)
  if (!entry) throw new Error(`${name} is not there.`)
  return (await buffer(await openZipEntry(zip, entry))).toString()
}

const files = { 'a.txt': 'alpha', 'dir/': '', 'dir/ü.txt': 'beta'.repeat(100), empty: '' }

describe('A zip', () => {
  it('is read by its directory, packed or stored', async () => {
    const zip = fileOf(zipOf(files))
    expect(await namesOf(zip)).toEqual(Object.keys(files))
    expect(await contentOf(zip, 'a.txt')).toBe('alpha')
    expect(await contentOf(zip, 'dir/ü.txt')).toBe('beta'.repeat(100))
    expect(await contentOf(zip, 'empty')).toBe('')
    expect(await findZipEntry(zip, 'dir')).toBeUndefined()
    const stored = fileOf(zipOf([{ name: 's', content: 'gamma', isStored: true }]))
    expect(await contentOf(stored, 's')).toBe('gamma')
    expect(await namesOf(fileOf(zipOf({})))).toEqual([])
  })

  it('is not read but for what is asked', async () => {
    const large = Buffer.alloc(100_000, 'x')
    const zip = fileOf(
      zipOf([
        { name: 'large', content: large, isStored: true },
        { name: 'a', content: 'b' },
      ]),
      65_536,
    )
    expect(await contentOf(zip, 'a')).toBe('b')
    expect(zip.reads()).toBe(4)
    expect(zip.bytes_read()).toBeLessThan(70_000)
  })

  it('may have a comment, even one that looks like an end', async () => {
    const plain = zipOf(files)
    const comment = Buffer.from('PK\x05\x06 is how an end begins')
    plain.writeUInt16LE(comment.length, plain.length - 2)
    const zip = fileOf(Buffer.concat([plain, comment]))
    expect(await namesOf(zip)).toEqual(Object.keys(files))
  })

  it('may be larger than its first fields can say', async () => {
    const plain = zipOf({ a: 'alpha' })
    const end_at = plain.length - 22
    const entry_at = plain.readUInt32LE(end_at + 16)
    // The same entry, with its sizes and place in a field of their own.
    const extra = Buffer.alloc(28)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    extra.writeBigUInt64LE(BigInt(plain.readUInt32LE(entry_at + 24)), 4)
    extra.writeBigUInt64LE(BigInt(plain.readUInt32LE(entry_at + 20)), 12)
    extra.writeBigUInt64LE(0n, 20)
    const header = Buffer.from(plain.subarray(entry_at, end_at))
    for (const at of [20, 24, 42]) header.writeUInt32LE(0xffffffff, at)
    header.writeUInt16LE(extra.length, 30)
    const directory = Buffer.concat([header, extra])
    const end64 = Buffer.alloc(56)
    end64.writeUInt32LE(0x06064b50, 0)
    end64.writeBigUInt64LE(1n, 32)
    end64.writeBigUInt64LE(BigInt(directory.length), 40)
    end64.writeBigUInt64LE(BigInt(entry_at), 48)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(entry_at + directory.length), 8)
    const end = Buffer.from(plain.subarray(end_at))
    end.fill(0xff, 8, 20)
    const zip = fileOf(Buffer.concat([plain.subarray(0, entry_at), directory, end64, locator, end]))
    expect(await contentOf(zip, 'a')).toBe('alpha')
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no zip', Buffer.alloc(10_000, 'x')],
    ['half a zip', zipOf(files).subarray(0, 100)],
    ['a zip without its beginning', zipOf(files).subarray(50)],
  ])('is not %s', async (_what, bytes) => {
    await expect(namesOf(fileOf(bytes))).rejects.toThrow(ZipError)
  })

  it.each([
    ['less', { size: 4 }],
    ['more', { size: 6 }],
  ])('breaks a file off that holds other than the %s it says', async (_what, said) => {
    const zip = fileOf(zipOf([{ name: 'a', content: 'alpha', ...said }]))
    await expect(contentOf(zip, 'a')).rejects.toThrow(ZipError)
  })

  it('breaks a file off as soon as it is larger than it says', async () => {
    const bomb = zipOf([{ name: 'a', content: Buffer.alloc(10 * 1024 * 1024), size: 10 }])
    const zip = fileOf(bomb, 65_536)
    await expect(contentOf(zip, 'a')).rejects.toThrow(ZipError)
  })

  it('has files that cannot be read: folders, encrypted ones, other methods', async () => {
    const odd = zipOf([
      { name: 'dir/', content: '' },
      { name: 'secret', content: 'x', flags: 1 },
      { name: 'zstd', content: 'x', method: 93 },
      { name: 'plain', content: 'x' },
    ])
    const zip = fileOf(odd)
    for (const [name, can] of [
      ['dir/', false],
      ['secret', false],
      ['zstd', false],
      ['plain', true],
    ] as const) {
      const entry = await findZipEntry(zip, name)
      expect([name, entry && isZipEntryReadable(entry)]).toEqual([name, can])
    }
  })

  it('that was damaged is read or refused, and never anything else', async () => {
    const whole = zipOf(files)
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        const zip = fileOf(bytes, 64)
        try {
          for (const name of Object.keys(files)) {
            const entry = await findZipEntry(zip, name)
            if (entry && isZipEntryReadable(entry)) await buffer(await openZipEntry(zip, entry))
          }
        } catch (error) {
          const isInflate = String((error as { code?: string }).code).startsWith('Z_')
          if (!(error instanceof ZipError) && !isInflate) throw error
        }
      }),
    )
  })
})
