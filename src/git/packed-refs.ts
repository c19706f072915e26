// Searches packed-refs on disk: sorted by name, a line for each reference (gitrepository-layout(5)). A lookup reads a
// few blocks of the file and a list the lines it needs, however many there are.
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createLruCache } from '../kernel/lru.ts'
import { asOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

/** Longer than any line: git makes none whose name has more than 4096 bytes. */
const block_bytes = 16 * 1024
/** How much of the file is read before other work gets a turn. */
const run_bytes = 256 * 1024
const oid_digits = 40
/** The signature of a missing file. */
const noSignature = '0'

/** A reference in `source`: its object id begins at `start`, its name begins at `nameStart` and ends at `end`. */
export type PackedRefLine = { source: Buffer; start: number; nameStart: number; end: number }

type Found = { signature: string; oid: Oid | undefined }
const found = createLruCache<Found>(50_000)

/**
 * Returns a value that changes whenever the file is replaced. git replaces such files as a whole, which changes the inode.
 */
export function fileStampOf(stats: BigIntStats): string {
  return `${stats.mtimeNs}:${stats.ino}:${stats.size}`
}

/** Returns a value that changes whenever the file of packed references is replaced. */
export function packedRefsSignature(repository: Repository): string {
  const stats = statSync(pathOf(repository), { bigint: true, throwIfNoEntry: false })
  return stats ? fileStampOf(stats) : noSignature
}

/** Returns the object of the packed reference with exactly that name; undefined if it is missing. */
export function findPackedRef(repository: Repository, name: string): Oid | undefined {
  const signature = packedRefsSignature(repository)
  if (signature === noSignature) return undefined
  const key = `${repository.path}\0${name}`
  const kept = found.get(key)
  if (kept?.signature === signature) return kept.oid
  const answer = PackedFile.use(repository, (file) => ({
    signature: file.signature,
    oid: file.find(Buffer.from(name)),
  }))
  if (answer) found.set(key, answer)
  return answer?.oid
}

/** Whether a packed reference has that name or, if the name ends with a slash, is below it. */
export function hasPackedRefBelow(repository: Repository, prefix: string): boolean {
  // Most repositories without branches have no such file, and a failed open is expensive.
  if (packedRefsSignature(repository) === noSignature) return false
  const wanted = Buffer.from(prefix)
  return (
    PackedFile.use(repository, (file) => {
      for (const line of file.linesFrom(wanted)) {
        if (startsWith(line, wanted)) return true
        if (file.isSorted) return false
      }
      return false
    }) ?? false
  )
}

/** Returns an upper bound of the number of packed references, without counting them. */
export function packedRefsUpperBound(repository: Repository): number {
  const size = statSync(pathOf(repository), { throwIfNoEntry: false })?.size ?? 0
  return Math.floor(size / (oid_digits + ' refs/x\n'.length))
}

/**
 * Calls `tell` with each packed reference below `prefix`, in byte order of names; other work gets turns in between.
 * Returns the signature of the file that was read.
 */
export async function readPackedRefs(
  repository: Repository,
  prefix: string,
  tell: (line: PackedRefLine) => void,
): Promise<string> {
  const file = PackedFile.open(repository)
  if (!file) return noSignature
  const wanted = Buffer.from(prefix)
  // Unsorted ones, which current versions of git do not write, are collected and sorted first.
  const collected: PackedRefLine[] = []
  let read_bytes = 0
  try {
    for (const line of file.linesFrom(wanted)) {
      if (!startsWith(line, wanted)) {
        if (file.isSorted) break
      } else if (file.isSorted) tell(line)
      else collected.push(line)
      read_bytes += line.end - line.start
      if (read_bytes < run_bytes) continue
      read_bytes = 0
      await setImmediate()
    }
  } finally {
    file.close()
  }
  for (const line of collected.sort(compareNames)) tell(line)
  return file.signature
}

function compareNames(a: PackedRefLine, b: PackedRefLine): number {
  return a.source.compare(b.source, b.nameStart, b.end, a.nameStart, a.end)
}

function pathOf({ path }: Repository): string {
  return join(path, 'packed-refs')
}

function startsWith({ source, nameStart, end }: PackedRefLine, prefix: Buffer): boolean {
  const prefixEnd = nameStart + prefix.length
  return prefixEnd <= end && source.compare(prefix, 0, prefix.length, nameStart, prefixEnd) === 0
}

/** The file of one moment: what replaces it meanwhile does not change what is read. */
class PackedFile {
  readonly #descriptor: number
  readonly #size: number
  readonly signature: string
  readonly isSorted: boolean

  private constructor(descriptor: number) {
    const stats = fstatSync(descriptor, { bigint: true })
    this.#descriptor = descriptor
    this.#size = Number(stats.size)
    this.signature = fileStampOf(stats)
    const heading = this.#read(0, block_bytes).toString('latin1').split('\n', 1)[0] ?? ''
    this.isSorted = /^# pack-refs with:.* sorted /.test(heading)
  }

  static open(repository: Repository): PackedFile | undefined {
    try {
      return new PackedFile(openSync(pathOf(repository), 'r'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  static use<T>(repository: Repository, look: (file: PackedFile) => T): T | undefined {
    const file = PackedFile.open(repository)
    try {
      return file && look(file)
    } finally {
      file?.close()
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  find(name: Buffer): Oid | undefined {
    for (const { source, start, nameStart, end } of this.linesFrom(name)) {
      const order = source.compare(name, 0, name.length, nameStart, end)
      if (order === 0) return asOid(source.toString('latin1', start, start + oid_digits))
      if (order > 0 && this.isSorted) return undefined
    }
    return undefined
  }

  /** The lines from the first on that is called `name` or comes after it; all where they are not sorted. */
  *linesFrom(name: Buffer): Generator<PackedRefLine> {
    for (const line of this.#lines(this.isSorted ? this.#search(name) : 0)) {
      const isBefore = line.source.compare(name, 0, name.length, line.nameStart, line.end) < 0
      if (!this.isSorted || !isBefore) yield line
    }
  }

  /** The start of a line, all before which come before `name`, at most a block before where it would be. */
  #search(name: Buffer): number {
    let low = 0
    let high = this.#size
    while (high - low > block_bytes) {
      const middle = Math.floor((low + high) / 2)
      const [first] = this.#lines(middle, { isInside: true })
      const isBefore =
        first && first.source.compare(name, 0, name.length, first.nameStart, first.end) < 0
      if (isBefore) low = middle + first.start
      else high = middle
    }
    return low
  }

  /** Lines from `position` on, without headings and what tags lead to; `isInside` leaves out a broken one. */
  *#lines(position: number, { isInside = false } = {}): Generator<PackedRefLine> {
    let skips = isInside
    let wanted_bytes = block_bytes
    for (let at = position; at < this.#size; ) {
      const source = this.#read(at, wanted_bytes)
      wanted_bytes = run_bytes
      let start = 0
      for (let end = source.indexOf(10); end >= 0; end = source.indexOf(10, start)) {
        const isReference = source[start + oid_digits] === 32 && end > start + oid_digits + 1
        if (!skips && isReference && source[start] !== 35) {
          yield { source, start, nameStart: start + oid_digits + 1, end }
        }
        skips = false
        start = end + 1
      }
      // A malformed line was not written by git.
      if (start === 0) return
      at += start
    }
  }

  #read(position: number, bytes_max: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(bytes_max, this.#size - position)))
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, buffer.length, position))
  }
}
