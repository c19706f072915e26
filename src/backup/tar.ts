// The tar format as far as backups need it: plain files and folders, long names (GNU), sizes of any length. Any tar
// program can read the result.
import { closeSync, openSync, readSync } from 'node:fs'
import { limits } from '../kernel/limits.ts'

const block_bytes = 512
const name_bytes_max = 100
/** The largest size that fits in eleven octal digits. */
const octal_max = 8 ** 11 - 1

export type TarEntry = { path: string; size: number; isFolder?: boolean; isSecret?: boolean }

/** Formats the header of an entry. */
export function formatTarHeader(entry: TarEntry): Buffer {
  const header = Buffer.allocUnsafe(headerLength(entry.path))
  writeHeader(header, 0, entry)
  return header
}

function writeHeader(target: Buffer, start: number, entry: TarEntry): void {
  const name = Buffer.from(entry.path)
  if (name.length <= name_bytes_max) {
    writeBlock(target, start, name, entry)
    return
  }
  const size = name.length + 1
  writeBlock(target, start, Buffer.from('././@LongLink'), { size }, 'L')
  const end = start + 2 * block_bytes + roundUp(size)
  target.fill(0, start + block_bytes, end)
  target.set(name, start + block_bytes)
  writeBlock(target, end - block_bytes, name.subarray(0, name_bytes_max), entry)
}

function headerLength(path: string): number {
  const length = Buffer.byteLength(path)
  return length <= name_bytes_max ? block_bytes : 2 * block_bytes + roundUp(length + 1)
}

function roundUp(size: number): number {
  return Math.ceil(size / block_bytes) * block_bytes
}

/** Returns the zeros that fill the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(roundUp(size) - size)
}

/** The two empty blocks at the end of an archive. */
export const tarEnd = Buffer.alloc(2 * block_bytes)

function writeBlock(
  target: Buffer,
  start: number,
  name: Buffer,
  { size, isFolder, isSecret }: Omit<TarEntry, 'path'>,
  type = isFolder ? '5' : '0',
): void {
  const mode = isFolder ? '0000755' : isSecret ? '0000600' : '0000644'
  target.fill(0, start, start + block_bytes)
  target.set(name, start)
  target.write(`${mode}\x000000000\x000000000\0`, start + 100, 'latin1')
  if (size <= octal_max)
    target.write(`${size.toString(8).padStart(11, '0')}\0`, start + 124, 'latin1')
  else {
    // Large numbers are written in binary with the first bit set (GNU).
    target.writeBigUInt64BE(BigInt(size), start + 128)
    target[start + 124] = 0x80
  }
  target.write(`00000000000\0        ${type}`, start + 136, 'latin1')
  target.write('ustar\x0000', start + 257, 'latin1')
  let sum = 0
  for (let at = start; at < start + block_bytes; at++) sum += target[at] ?? 0
  target.write(`${sum.toString(8).padStart(6, '0')}\0 `, start + 148, 'latin1')
}

/** Builds archives in memory that is reused for the next ones. */
export class TarBuffer {
  #bytes = Buffer.allocUnsafeSlow(room_bytes)
  length = 0

  clear(): void {
    this.length = 0
    if (this.#bytes.length > 4 * room_bytes) this.#bytes = Buffer.allocUnsafeSlow(room_bytes)
  }

  addFolder(path: string): void {
    this.#begin({ path, size: 0, isFolder: true })
  }

  add(path: string, content: Uint8Array): void {
    this.#begin({ path, size: content.length })
    this.append(content)
    this.#pad(content.length)
  }

  /** Adds a file from the disk. Returns false if the file is large. */
  addSmallFile(path: string, source: string): boolean {
    const { large_bytes_min } = limits.backup
    const start = this.length + headerLength(path)
    this.#makeRoom(start + large_bytes_min)
    const descriptor = openSync(source, 'r')
    try {
      // A read of a regular file returns fewer bytes only at the end of the file.
      const size = readSync(descriptor, this.#bytes, start, large_bytes_min, 0)
      if (size === large_bytes_min) return false
      this.#begin({ path, size })
      this.length += size
      this.#pad(size)
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

  /** Returns what was added since `start`; valid until more is added. */
  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.length)
  }

  /** Returns a copy of the archive, which can be transferred to another thread. */
  take(): Buffer<ArrayBuffer> {
    const own = Buffer.allocUnsafeSlow(this.length)
    this.#bytes.copy(own, 0, 0, this.length)
    return own
  }

  #begin(entry: TarEntry): void {
    const end = this.length + headerLength(entry.path)
    this.#makeRoom(end)
    writeHeader(this.#bytes, this.length, entry)
    this.length = end
  }

  #pad(size: number): void {
    const end = this.length + roundUp(size) - size
    this.#makeRoom(end)
    this.#bytes.fill(0, this.length, end)
    this.length = end
  }

  #makeRoom(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }
}

const room_bytes = 2 * limits.backup.large_bytes_min

export type TarEntryWithPosition = { path: string; size: number; isFolder: boolean; start: number }

/** Reads `length` bytes at a position of the archive; fewer at its end. */
export type ReadAtPosition = (position: number, length: number) => Buffer

/** The files and folders of an archive, in their order, with where their bytes begin. */
export function* readTarEntries(readAt: ReadAtPosition): Generator<TarEntryWithPosition> {
  let long: string | undefined
  for (let position = 0; ; ) {
    const block = readAt(position, block_bytes)
    if (block.length < block_bytes) throw new Error('The archive is truncated.')
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
  if (!Number.isSafeInteger(size)) throw new Error('The archive has a malformed header.')
  return size
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
