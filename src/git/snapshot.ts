// A repository as an uncompressed tar archive: HEAD, references and objects, as gitrepository-layout(5) has them.
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import { allRefPrefixes, copyRepository } from './copy-repository.ts'
import { enforceReadRate } from './least-rate.ts'
import type { Repository } from './repository.ts'

const block_bytes = 512
const chunk_bytes = 256 * 1024
/** The largest size that eleven octal digits hold. */
const octal_max = 8 ** 11 - 1

/**
 * Streams an archive of the repository at one moment. It is read from a copy whose object files are hard links, so pushes
 * and repacks do not change it. The copy is deleted when the stream ends; after a crash, removeLeftoverFiles removes it.
 */
export async function openSnapshotStream(git: Git, repository: Repository): Promise<Readable> {
  const path = join(repository.path, 'objects', `tmp_snapshot-${randomUUID()}`)
  const remove = () => rm(path, { recursive: true, force: true })
  try {
    await copyRepository(git, repository, { path }, { references: allRefPrefixes })
    const archive = enforceReadRate(readOnce(path, remove), limits.least_rate)
    // A stream that is never read does not start, and so never ends.
    archive.once('close', () => void remove().catch(() => {}))
    return archive
  } catch (error) {
    await remove()
    throw error
  }
}

async function* readOnce(path: string, remove: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* readArchive(path)
  } finally {
    await remove()
  }
}

async function* readArchive(path: string): AsyncGenerator<Buffer> {
  for (const file of ['HEAD', 'packed-refs']) yield* readEntry(path, file)
  for (const folder of ['refs', 'refs/heads', 'refs/tags', 'objects']) yield folderHeader(folder)
  for (const folder of (await readdir(join(path, 'objects'))).toSorted()) {
    if (!/^(pack|[0-9a-f]{2})$/.test(folder)) continue
    yield folderHeader(`objects/${folder}`)
    for (const name of (await readdir(join(path, 'objects', folder))).toSorted()) {
      yield* readEntry(path, `objects/${folder}/${name}`)
    }
  }
  yield Buffer.alloc(2 * block_bytes)
}

async function* readEntry(path: string, name: string): AsyncGenerator<Buffer> {
  const file = await open(join(path, name))
  try {
    const { size } = await file.stat()
    yield tarHeader(name, { size, type: '0' })
    yield* readBytes(file, size)
    const rest = size % block_bytes
    if (rest > 0) yield Buffer.alloc(block_bytes - rest)
  } finally {
    await file.close()
  }
}

/** Exactly so many bytes: the archive has promised them. */
async function* readBytes(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const length = Math.min(chunk_bytes, size - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0)
      throw new Error(`A file of a snapshot was truncated: ${at} of ${size} bytes left.`)
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function folderHeader(name: string): Buffer {
  return tarHeader(`${name}/`, { size: 0, type: '5' })
}

/** Formats a ustar header. No name in a repository is longer than its 100 bytes. */
function tarHeader(name: string, { size, type }: { size: number; type: '0' | '5' }): Buffer {
  const header = Buffer.alloc(block_bytes)
  header.write(name, 0, 100)
  header.write(type === '5' ? '0000755\0' : '0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (size <= octal_max) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    // As GNU has it: the first bit set, then the number in binary.
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
