// Reads a zip archive by its central directory (APPNOTE 6.3.10, sections 4.3 and 4.4), in ranges of bytes: the list of
// entries, and single files. Nothing else is unpacked, and sizes are enforced, so that an archive cannot take more
// memory or produce more bytes than it declares.
import { compose, type Readable, Transform } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { markWorkResumed } from '../kernel/work-attribution.ts'

/** Reads a range of bytes of an archive; `start` and `end` are inclusive. */
export type ReadByteRange = (range: { start: number; end: number }) => Promise<Readable>

export type ZipFile = { read: ReadByteRange; size: number }

export type ZipEntry = {
  /** The name as in the archive. The name of a folder ends with a slash. */
  name: string
  size: number
  compressed_size: number
  method: number
  isEncrypted: boolean
  /** Whether the entry is a symbolic link, with its target as content. */
  isLink: boolean
  /** The offset of the local header. */
  offset: number
}

/** The archive is malformed. */
export class ZipError extends Error {}

const endSignature = Buffer.from('PK\x05\x06')
const end_bytes = 22
const comment_bytes_max = 0xffff
const locator_bytes = 20
const end64_bytes = 56
const header_bytes = 46
const local_header_bytes = 30
const stored = 0
const deflated = 8
/** The host system of entries whose attributes are those of Unix. */
const unix = 3

type Directory = { start: number; bytes: number; entries: number }

/** Returns the position of the central directory and its number of entries. */
export async function findCentralDirectory({ read, size }: ZipFile): Promise<Directory> {
  const tail_bytes = Math.min(size, end_bytes + comment_bytes_max + locator_bytes)
  if (tail_bytes < end_bytes) throw new ZipError('The archive is too short.')
  const tail = await collect(read, size - tail_bytes, tail_bytes)
  const at = findEnd(tail)
  const directory = {
    entries: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
  }
  const is64 =
    directory.entries === 0xffff || directory.bytes === 0xffffffff || directory.start === 0xffffffff
  const found = (is64 && (await findDirectory64({ read, size }, tail, at))) || directory
  const { start, bytes, entries } = found
  const isWithin = start + bytes <= size && entries * header_bytes <= bytes
  if (!isWithin) throw new ZipError('The directory of the archive is not within it.')
  return found
}

/** Returns the position of the last signature whose comment ends at the end of the archive. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - end_bytes; at >= 0; at--) {
    at = tail.lastIndexOf(endSignature, at)
    if (at < 0) break
    if (at + end_bytes + tail.readUInt16LE(at + 20) === tail.length) return at
  }
  throw new ZipError('The archive has no directory.')
}

/** Returns the ZIP64 directory of a large archive; undefined if there is none. */
async function findDirectory64(
  { read, size }: ZipFile,
  tail: Buffer,
  end: number,
): Promise<Directory | undefined> {
  const locator = end - locator_bytes
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return undefined
  const start = Number(tail.readBigUInt64LE(locator + 8))
  if (start + end64_bytes > size)
    throw new ZipError('The directory of the archive is not within it.')
  const end64 = await collect(read, start, end64_bytes)
  if (end64.readUInt32LE(0) !== 0x06064b50) throw new ZipError('The archive has no directory.')
  return {
    entries: Number(end64.readBigUInt64LE(32)),
    bytes: Number(end64.readBigUInt64LE(40)),
    start: Number(end64.readBigUInt64LE(48)),
  }
}

/** The entries of the directory, as many at a time as are read at once. */
export async function* listZipEntries(
  { read }: Pick<ZipFile, 'read'>,
  { start, bytes }: Directory,
): AsyncGenerator<ZipEntry[]> {
  if (bytes === 0) return
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of await read({ start, end: start + bytes - 1 })) {
    markWorkResumed()
    const data: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const entries: ZipEntry[] = []
    let at = 0
    while (at + header_bytes <= data.length) {
      if (data.readUInt32LE(at) !== 0x02014b50) throw new ZipError('An entry has no header.')
      const name_bytes = data.readUInt16LE(at + 28)
      const extra_bytes = data.readUInt16LE(at + 30)
      const end = at + header_bytes + name_bytes + extra_bytes + data.readUInt16LE(at + 32)
      if (end > data.length) break
      entries.push(readHeader(data, at, { name_bytes, extra_bytes }))
      at = end
    }
    rest = data.subarray(at)
    yield entries
  }
  if (rest.length > 0) throw new ZipError('The directory ends within an entry.')
}

function readHeader(
  data: Buffer,
  at: number,
  { name_bytes, extra_bytes }: { name_bytes: number; extra_bytes: number },
): ZipEntry {
  const name_at = at + header_bytes
  const extra_at = name_at + name_bytes
  const entry = {
    name: data.toString('utf8', name_at, extra_at),
    isEncrypted: (data.readUInt16LE(at + 8) & 1) !== 0,
    isLink: data[at + 5] === unix && (data.readUInt16LE(at + 40) & 0o170000) === 0o120000,
    method: data.readUInt16LE(at + 10),
    compressed_size: data.readUInt32LE(at + 20),
    size: data.readUInt32LE(at + 24),
    offset: data.readUInt32LE(at + 42),
  }
  return readExtra64(entry, data.subarray(extra_at, extra_at + extra_bytes))
}

/**
 * Reads the sizes and offset that do not fit into 32 bits. The extra field contains only those that need it,
 * in this order.
 */
function readExtra64(entry: ZipEntry, extra: Buffer): ZipEntry {
  const large = (['size', 'compressed_size', 'offset'] as const).filter(
    (field) => entry[field] === 0xffffffff,
  )
  if (large.length === 0) return entry
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1 && end <= extra.length) {
      for (const [index, field] of large.entries()) {
        const value_at = at + 4 + index * 8
        if (value_at + 8 > end) throw new ZipError('An entry lacks its sizes.')
        entry[field] = Number(extra.readBigUInt64LE(value_at))
      }
      return entry
    }
    at = end
  }
  throw new ZipError('An entry lacks its sizes.')
}

/** Returns the entry with exactly that name. */
export async function findZipEntry(zip: ZipFile, name: string): Promise<ZipEntry | undefined> {
  for await (const entries of listZipEntries(zip, await findCentralDirectory(zip))) {
    const found = entries.find((entry) => entry.name === name)
    if (found) return found
  }
  return undefined
}

/** Whether the file can be read: it is not encrypted, and its compression method is supported. */
export function isZipEntryReadable({ name, method, isEncrypted }: ZipEntry): boolean {
  return !name.endsWith('/') && !isEncrypted && (method === stored || method === deflated)
}

/** Returns the position of the bytes of an uncompressed file; undefined for a compressed one. */
export async function findStartOfStoredEntry(
  { read, size }: ZipFile,
  entry: ZipEntry,
): Promise<number | undefined> {
  if (entry.method !== stored) return undefined
  const start = await findStart(read, entry)
  if (start + entry.size > size) throw new ZipError('A file is not within the archive.')
  return start
}

async function findStart(read: ReadByteRange, entry: Pick<ZipEntry, 'offset'>): Promise<number> {
  const header = await collect(read, entry.offset, local_header_bytes)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new ZipError('A file has no header.')
  return entry.offset + local_header_bytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

/** Streams the bytes of a file. The stream fails as soon as there are more or fewer bytes than the archive records. */
export async function openZipEntry({ read, size }: ZipFile, entry: ZipEntry): Promise<Readable> {
  const start = await findStart(read, entry)
  const end = start + entry.compressed_size - 1
  if (end >= size) throw new ZipError('A file is not within the archive.')
  const exact = exactly(entry.size)
  if (entry.compressed_size === 0) {
    exact.end()
    return exact
  }
  const bytes = await read({ start, end })
  return entry.method === stored
    ? (compose(bytes, exact) as Readable)
    : (compose(bytes, createInflateRaw(), exact) as Readable)
}

function exactly(size: number): Transform {
  let passed = 0
  const problem = () => new ZipError('A file is not as long as the archive says.')
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > size) done(problem())
      else done(null, chunk)
    },
    flush(done) {
      done(passed === size ? null : problem())
    },
  })
}

async function collect(read: ReadByteRange, start: number, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await read({ start, end: start + bytes - 1 })) chunks.push(chunk)
  const data = Buffer.concat(chunks)
  if (data.length !== bytes) throw new ZipError('The archive ends too soon.')
  return data
}
