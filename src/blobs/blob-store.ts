// Bytes on the local disk, each blob in a file of its own: received under a temporary name, put in place
// by one rename. See README.md for what holds here.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'

export type BlobStore = { readonly path: string }

/** Where the bytes of an instance lie that are in no repository; `data` is its data folder. */
export function blobStoreOf({ data }: { readonly data: string }): BlobStore {
  return { path: join(data, 'blobs') }
}

declare const brand: unique symbol
/** Where a blob lies, relative to its store; made by contentPlace and ownBlobPlace only. */
export type BlobPlace = string & { readonly [brand]: 'blob place' }

/** What blobs are for; each kind is a folder. */
export type BlobKind = 'lfs' | 'avatars' | 'artifacts' | 'logs' | 'uploads' | 'pages' | 'exports'

const namePattern = /^[0-9a-f]{64}$/

/** The place of the content with that SHA-256 (64 lower-case hex digits). */
export function contentPlace(kind: BlobKind, sha256: string): BlobPlace {
  if (!namePattern.test(sha256)) {
    throw new Error(`The name of a ${kind} blob must be a SHA-256, not ${sha256.slice(0, 80)}.`)
  }
  return placeOf(kind, sha256)
}

/**
 * The place of a blob that one row alone has, whatever its content: named by `newBlobName`. Nobody else
 * can come to want it, so it is deleted without a look at anybody else.
 */
export function ownBlobPlace(kind: BlobKind, name: string): BlobPlace {
  if (!namePattern.test(name))
    throw new Error(`Malformed name of a ${kind} blob: ${name.slice(0, 80)}`)
  return placeOf(kind, name)
}

/** A name no blob has had: 64 random hex digits. */
export function newBlobName(): string {
  return randomBytes(32).toString('hex')
}

function placeOf(kind: BlobKind, name: string): BlobPlace {
  return join(kind, name.slice(0, 2), name.slice(2, 4), name) as BlobPlace
}

/** Why bytes were not taken: more of them than announced, or none came for too long. */
export class ReceiveError extends Error {
  readonly kind: 'too-large' | 'idle'

  constructor(kind: 'too-large' | 'idle') {
    super(kind === 'too-large' ? 'More bytes came than were announced.' : 'No bytes came any more.')
    this.kind = kind
  }
}

/** Bytes that have come in and are synced, under a name nobody looks for. */
export type ReceivedBlob = { readonly path: string; readonly sha256: string; readonly size: number }

/**
 * Takes in a stream. Ends with ReceiveError after `bytes_max` bytes or when none come for
 * `limits.upload_idle_ms`, and with the stream's own error; nothing is left then, but the rest of the stream.
 */
export async function receiveBlob(
  store: BlobStore,
  stream: Readable,
  { bytes_max }: { bytes_max: number },
): Promise<ReceivedBlob> {
  // A client may be gone before the first byte is asked for; the loop below is told then too.
  stream.on('error', () => {})
  const folder = join(store.path, 'incoming')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  const writer = new BatchWriter(file)
  let size = 0
  const idle = setTimeout(() => stream.destroy(new ReceiveError('idle')), limits.upload_idle_ms)
  try {
    // Its owner decides what becomes of a stream that is not read to its end: it may carry an answer.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      idle.refresh()
      size += chunk.length
      if (size > bytes_max) throw new ReceiveError('too-large')
      digest.update(chunk)
      await writer.write(chunk)
    }
    await writer.end()
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    clearTimeout(idle)
    await file.close()
  }
  return { path, sha256: digest.digest('hex'), size }
}

/** So much is written at once. */
const batch_bytes_min = 1024 * 1024

/** Writes one batch while the next comes in and is hashed, and never holds more than these two. */
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

  /** Ends when everything is written; throws what any write has thrown. */
  async end(): Promise<void> {
    await this.#begin()
    await this.#writing
  }

  async #begin(): Promise<void> {
    await this.#writing
    this.#writing = writeAll(this.#file, this.#batch)
    // Whoever writes next, or ends, is told of a failure.
    this.#writing.catch(() => {})
    this.#batch = []
    this.#bytes = 0
  }
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  if (batch.length === 0) return
  const bytes = batch.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev(batch)
  // What the disk had no room for says so when it is written by itself.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
}

/** Moves a received blob to its place, where it replaces an existing one. */
export async function storeBlob(
  store: BlobStore,
  received: ReceivedBlob,
  place: BlobPlace,
): Promise<void> {
  await putInPlace(store, place, (target) => rename(received.path, target))
}

/**
 * Links a blob to a second place, which outlives the first and takes no room of its own. Returns false if the blob
 * does not exist.
 */
export async function linkBlob(
  store: BlobStore,
  from: BlobPlace,
  place: BlobPlace,
): Promise<boolean> {
  const source = join(store.path, from)
  try {
    await putInPlace(store, place, (target) =>
      link(source, target).catch((error) => copyUnlinkable(error, source, target)),
    )
    return true
  } catch (error) {
    return whenAbsent(error as NodeJS.ErrnoException) ?? false
  }
}

/** Some file systems know no second name of a file. */
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

/** Runs `put`, which makes the file of that name; it stays from here on. */
async function putInPlace(
  store: BlobStore,
  place: BlobPlace,
  put: (target: string) => Promise<void>,
): Promise<void> {
  const target = join(store.path, place)
  const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await put(target)
  await syncFolder(dirname(target))
  // A folder made just now is a name in the one above it, up to the first that was there.
  for (let folder = dirname(target); made !== undefined && folder.startsWith(made); ) {
    folder = dirname(folder)
    await syncFolder(folder)
  }
}

/** Removes a received blob that is not wanted. */
export function discardBlob({ path }: ReceivedBlob): Promise<void> {
  return rm(path, { force: true })
}

/** Bytes of a blob, or undefined when there is none at that place. */
export async function findBlobSize(
  store: BlobStore,
  place: BlobPlace,
): Promise<number | undefined> {
  return (await stat(join(store.path, place)).catch(whenAbsent))?.size
}

/**
 * A blob, or the part of it from `start` to `end`, both counted from 0 and included. The file is open
 * when this answers, so a blob deleted from here on is still read to its end.
 */
export async function readBlob(
  store: BlobStore,
  place: BlobPlace,
  { start, end, chunk_bytes }: { start?: number; end?: number; chunk_bytes?: number } = {},
): Promise<Readable | undefined> {
  const file = await open(join(store.path, place), 'r').catch(whenAbsent)
  return file && createReadStream('', { fd: file, start, end, highWaterMark: chunk_bytes })
}

/** Removes a blob; one that is not there is fine. */
export function deleteBlob(store: BlobStore, place: BlobPlace): Promise<void> {
  return rm(join(store.path, place), { force: true })
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
