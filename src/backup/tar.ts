// The tar format as far as a backup needs it: plain files and folders, names of any length by GNU's long names,
// sizes of any number. What is written here, every tar reads.
import { closeSync, openSync, readSync } from 'node:fs'
import { limits } from '../kernel/limits.ts'

const block_bytes = 512
const name_bytes_max = 100
/** The largest size that fits in eleven octal digits. */
const octal_max = 8 ** 11 - 1

export type TarEntry = { path: string; size: number; isFolder?: boolean; isSecret?: boolean }

/** What stands before the bytes of a file. */
export function tarHeader(entry: TarEntry): Buffer {
  const name = Buffer.from(entry.path)
  if (name.length <= name_bytes_max) return headerBlock(name, entry)
  const long = Buffer.concat([name, Buffer.alloc(1)])
  return Buffer.concat([
    headerBlock(Buffer.from('././@LongLink'), { size: long.length }, 'L'),
    long,
    tarPadding(long.length),
    headerBlock(name.subarray(0, name_bytes_max), entry),
  ])
}

function headerLength(path: string): number {
  const length = Buffer.byteLength(path)
  return length <= name_bytes_max ? block_bytes : 2 * block_bytes + roundUp(length + 1)
}

function roundUp(size: number): number {
  return Math.ceil(size / block_bytes) * block_bytes
}

/** What fills the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(roundUp(size) - size)
}

/** What ends an archive. */
export const tarEnd = Buffer.alloc(2 * block_bytes)

function headerBlock(
  name: Buffer,
  { size, isFolder, isSecret }: Omit<TarEntry, 'path'>,
  type = isFolder ? '5' : '0',
): Buffer {
  const block = Buffer.alloc(block_bytes)
  const mode = isFolder ? '0000755' : isSecret ? '0000600' : '0000644'
  name.copy(block, 0)
  block.write(`${mode}\0`, 100, 'latin1')
  block.write('0000000\0', 108, 'latin1')
  block.write('0000000\0', 116, 'latin1')
  if (size <= octal_max) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else {
    // GNU: the number itself, marked by the first bit.
    block.writeBigUInt64BE(BigInt(size), 128)
    block[124] = 0x80
  }
  block.write('00000000000\0', 136, 'latin1')
  block.write('        ', 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Archives in the making, in memory that is used again for the next ones. */
export class TarBuffer {
  #bytes = Buffer.allocUnsafeSlow(room_bytes)
  length = 0

  clear(): void {
    this.length = 0
    if (this.#bytes.length > 4 * room_bytes) this.#bytes = Buffer.allocUnsafeSlow(room_bytes)
  }

  addFolder(path: string): void {
    this.append(tarHeader({ path, size: 0, isFolder: true }))
  }

  add(path: string, content: Uint8Array): void {
    this.append(tarHeader({ path, size: content.length }))
    this.append(content)
    this.append(tarPadding(content.length))
  }

  /** Adds a file of the disk; false where it is large. */
  addSmallFile(path: string, source: string): boolean {
    const { large_bytes_min } = limits.backup
    const start = this.length + headerLength(path)
    this.#makeRoom(start + large_bytes_min)
    const descriptor = openSync(source, 'r')
    try {
      // A read of a file ends early only where the file does.
      const size = readSync(descriptor, this.#bytes, start, large_bytes_min, 0)
      if (size === large_bytes_min) return false
      this.append(tarHeader({ path, size }))
      this.length += size
      this.append(tarPadding(size))
      return true
    } finally {
      closeSync(descriptor)
    }
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(this.length + bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  end(): void {
    this.append(tarEnd)
  }

  /** What was added from there on; valid until more is added. */
  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.length)
  }

  /** What there is, in memory of its own that may be handed to another thread. */
  take(): Buffer<ArrayBuffer> {
    const own = Buffer.allocUnsafeSlow(this.length)
    this.#bytes.copy(own, 0, 0, this.length)
    return own
  }

  #makeRoom(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }
}

const room_bytes = 2 * limits.backup.large_bytes_min

export type FoundEntry = { path: string; size: number; isFolder: boolean; start: number }

/** Reads `length` bytes at a place of the archive; fewer only at its end. */
export type ReadAt = (position: number, length: number) => Buffer

/** The files and folders of an archive, in their order, with where their bytes begin. */
export function* tarEntries(readAt: ReadAt): Generator<FoundEntry> {
  let long: string | undefined
  for (let position = 0; ; ) {
    const block = readAt(position, block_bytes)
    if (block.length < block_bytes) throw new Error('The archive ends in the middle of a file.')
    if (block.every((byte) => byte === 0)) return
    const size = sizeIn(block)
    const start = position + block_bytes
    const type = String.fromCharCode(block[156] ?? 0)
    if (type === 'L') long = textIn(readAt(start, size))
    else {
      yield { path: long ?? textIn(block.subarray(0, 100)), size, isFolder: type === '5', start }
      long = undefined
    }
    position = start + roundUp(size)
  }
}

function sizeIn(block: Buffer): number {
  if (block[124] === 0x80) return Number(block.readBigUInt64BE(128))
  const size = Number.parseInt(textIn(block.subarray(124, 136)), 8)
  if (!Number.isSafeInteger(size)) throw new Error('The archive is broken.')
  return size
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
