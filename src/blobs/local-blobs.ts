// Blobs on the local disk, each in its own file: received under a temporary name, then renamed into place.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  type BlobBackend,
  type BlobRange,
  type ListedBlob,
  type ReceivedBlob,
  readAndHashStream,
} from './backend.ts'
import { type BlobPlace, parseBlobPlace } from './blob-place.ts'

/**
 * An incoming file that was not written for this long is a leftover: limits.upload_idle_ms ends uploads much
 * earlier.
 */
const quiet_ms_min = 60 * 60_000

export class LocalBlobs implements BlobBackend {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async receive(
    stream: Readable,
    { place, bytes_max }: { place: BlobPlace; bytes_max: number },
  ): Promise<ReceivedBlob> {
    const folder = join(this.#path, 'incoming')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    const file = await open(path, 'wx', 0o600)
    const writer = new BatchWriter(file)
    try {
      const taken = await readAndHashStream(stream, { bytes_max }, (chunk) => writer.write(chunk))
      await writer.end()
      await file.sync()
      return {
        ...taken,
        commit: () => this.#putInPlace(place, (target) => rename(path, target)),
        discard: () => rm(path, { force: true }),
      }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  }

  async link(from: BlobPlace, place: BlobPlace): Promise<boolean> {
    const source = join(this.#path, from)
    try {
      await this.#putInPlace(place, (target) =>
        link(source, target).catch((error) => copyUnlinkable(error, source, target)),
      )
      return true
    } catch (error) {
      return whenAbsent(error as NodeJS.ErrnoException) ?? false
    }
  }

  async findSize(place: BlobPlace): Promise<number | undefined> {
    return (await stat(join(this.#path, place)).catch(whenAbsent))?.size
  }

  /** Opens the file before returning, so a blob that is deleted afterwards is still read to its end. */
  async read(
    place: BlobPlace,
    { start, end, chunk_bytes }: BlobRange,
  ): Promise<Readable | undefined> {
    const file = await open(join(this.#path, place), 'r').catch(whenAbsent)
    return file && createReadStream('', { fd: file, start, end, highWaterMark: chunk_bytes })
  }

  delete(place: BlobPlace): Promise<void> {
    return rm(join(this.#path, place), { force: true })
  }

  async *list(folder = ''): AsyncGenerator<ListedBlob> {
    const entries = await readdir(join(this.#path, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) yield* this.list(path)
      const place = parseBlobPlace(path)
      const size = place && (await this.findSize(place))
      if (place && size !== undefined) yield { place, size }
    }
  }

  async removeLeftovers(now_ms: number): Promise<string[]> {
    const folder = join(this.#path, 'incoming')
    const removed: string[] = []
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const stats = await stat(path).catch(() => undefined)
      if (!stats || now_ms - stats.mtimeMs < quiet_ms_min) continue
      await rm(path, { force: true })
      removed.push(name)
    }
    return removed
  }

  /** Runs `put`, which creates the file, and syncs its folders. Afterwards the file survives a power failure. */
  async #putInPlace(place: BlobPlace, put: (target: string) => Promise<void>): Promise<void> {
    const target = join(this.#path, place)
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await put(target)
    await syncFolder(dirname(target))
    // A new folder is an entry of its parent, so parents are synced up to the first folder that existed
    // before.
    for (let folder = dirname(target); made !== undefined && folder.startsWith(made); ) {
      folder = dirname(folder)
      await syncFolder(folder)
    }
  }
}

/** The number of bytes in one write. */
const batch_bytes_min = 1024 * 1024

/** Writes a batch while the next one is received and hashed. At most these two are in memory. */
class BatchWriter {
  readonly #file: FileHandle
  #batch: Buffer[] = []
  #bytes = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(chunk: Buffer): Promise<void> {
    this.#batch.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= batch_bytes_min) await this.#begin()
  }

  /** Resolves when everything is written. Throws the error of any write. */
  async end(): Promise<void> {
    await this.#begin()
    await this.#writing
  }

  async #begin(): Promise<void> {
    await this.#writing
    this.#writing = writeAll(this.#file, this.#batch)
    // The next write, or `end`, throws the error.
    this.#writing.catch(() => {})
    this.#batch = []
    this.#bytes = 0
  }
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  if (batch.length === 0) return
  const bytes = batch.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev(batch)
  // If the disk is full, writing the rest again throws the error that the partial write did not.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
}

/** Copies the file on file systems without hard links. */
async function copyUnlinkable(
  error: NodeJS.ErrnoException,
  source: string,
  target: string,
): Promise<void> {
  if (!['EPERM', 'ENOTSUP', 'EMLINK', 'EXDEV'].includes(error.code ?? '')) throw error
  await copyFile(source, target)
  const file = await open(target, 'r')
  await file.sync().finally(() => file.close())
}

function whenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
