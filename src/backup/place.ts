// Where a backup lies: a folder, or one tar archive. Files are written one after another, and hashed on the way.
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import { type FoundEntry, tarEnd, tarEntries, tarHeader, tarPadding } from './tar.ts'

export type WrittenFile = { path: string; size: number; sha256: string }

export interface BackupWriter {
  /** Begins a file; the one before it has ended. */
  begin(path: string, options?: { isSecret?: boolean }): FileWriter
  /**
   * Gives a file of this backup, or with an absolute path of another one, a second name here; false where it has
   * to be written again.
   */
  share(from: string, path: string): boolean
  /** Everything is on the disk and has its name when this has ended. */
  finish(): Promise<void>
  /** Leaves nothing of it. */
  discard(): void
}

type Sink = { put: (bytes: Buffer) => void; close: (size: number) => void }

/** One file that is being written. */
export class FileWriter {
  readonly #digest = createHash('sha256')
  readonly #path: string
  readonly #sink: Sink
  #size = 0

  constructor(path: string, sink: Sink) {
    this.#path = path
    this.#sink = sink
  }

  write(bytes: Buffer): void {
    this.#digest.update(bytes)
    this.#size += bytes.length
    this.#sink.put(bytes)
  }

  end(): WrittenFile {
    this.#sink.close(this.#size)
    return { path: this.#path, size: this.#size, sha256: this.#digest.digest('hex') }
  }
}

function writeFully(descriptor: number, bytes: Buffer, position: number | null = null): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(
      descriptor,
      bytes,
      at,
      bytes.length - at,
      position === null ? null : position + at,
    )
  }
}

/** A folder, made under another name and renamed when it is whole. */
export class FolderWriter implements BackupWriter {
  readonly #path: string
  readonly #unfinished: string
  readonly #folders = new Set<string>()
  readonly #syncs: Promise<Error | null>[] = []

  constructor(path: string) {
    this.#path = path
    this.#unfinished = `${path}.unfinished`
    rmSync(this.#unfinished, { recursive: true, force: true })
    mkdirSync(this.#unfinished, { recursive: true, mode: 0o700 })
  }

  begin(path: string, { isSecret = false } = {}): FileWriter {
    const target = this.#place(path)
    // Written before and then found to have changed: it may be a name of a file of another backup.
    rmSync(target, { force: true })
    const descriptor = openSync(target, 'wx', isSecret ? 0o600 : 0o640)
    return new FileWriter(path, {
      put: (bytes) => writeFully(descriptor, bytes),
      close: (size) => {
        if (size < limits.backup.large_bytes_min) closeSync(descriptor)
        else this.#beginSync(descriptor)
      },
    })
  }

  /** The disk writes a large file while the next ones are read. */
  #beginSync(descriptor: number): void {
    this.#syncs.push(
      new Promise((resolve) => {
        fsync(descriptor, (error) => {
          closeSync(descriptor)
          resolve(error)
        })
      }),
    )
  }

  share(from: string, path: string): boolean {
    const target = this.#place(path)
    rmSync(target, { force: true })
    try {
      linkSync(from.startsWith('/') ? from : join(this.#unfinished, from), target)
      return true
    } catch {
      // Gone, on another disk, or with as many names as it can have: it is copied.
      return false
    }
  }

  async finish(): Promise<void> {
    for (const error of await Promise.all(this.#syncs)) if (error) throw error
    await syncFolderTree(this.#unfinished)
    renameSync(this.#unfinished, this.#path)
    await syncAll([dirname(this.#path)])
  }

  discard(): void {
    rmSync(this.#unfinished, { recursive: true, force: true })
  }

  #place(path: string): string {
    const target = join(this.#unfinished, path)
    const folder = dirname(target)
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      this.#folders.add(folder)
    }
    return target
  }
}

const syncs_at_once = 16

/** Makes everything below a folder survive a power failure; several at a time, which the disk joins. */
export async function syncFolderTree(folder: string): Promise<void> {
  const folders = [folder]
  const files: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) folders.push(path)
    else files.push(path)
  }
  await syncAll(files)
  await syncAll(folders)
}

async function syncAll(paths: string[]): Promise<void> {
  const rest = paths.values()
  const work = async () => {
    for (const path of rest) {
      const handle = await open(path, 'r')
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    }
  }
  await Promise.all(Array.from({ length: syncs_at_once }, work))
}

/** One archive, made under another name and renamed when it is whole. */
export class TarWriter implements BackupWriter {
  readonly #path: string
  readonly #unfinished: string
  readonly #descriptor: number
  #position = 0

  constructor(path: string) {
    this.#path = path
    this.#unfinished = `${path}.unfinished`
    mkdirSync(dirname(path), { recursive: true })
    this.#descriptor = openSync(this.#unfinished, 'w', 0o600)
  }

  begin(path: string, { isSecret = false } = {}): FileWriter {
    // How long the file is stands before it, and is known at its end.
    const start = this.#position
    this.#append(tarHeader({ path, size: 0, isSecret }))
    return new FileWriter(path, {
      put: (bytes) => this.#append(bytes),
      close: (size) => {
        this.#append(tarPadding(size))
        writeFully(this.#descriptor, tarHeader({ path, size, isSecret }), start)
      },
    })
  }

  share(): boolean {
    return false
  }

  async finish(): Promise<void> {
    this.#append(tarEnd)
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    renameSync(this.#unfinished, this.#path)
    await syncAll([dirname(this.#path)])
  }

  discard(): void {
    closeSync(this.#descriptor)
    rmSync(this.#unfinished, { force: true })
  }

  #append(bytes: Buffer): void {
    writeFully(this.#descriptor, bytes, this.#position)
    this.#position += bytes.length
  }
}

export interface BackupReader {
  /** The bytes of a file, some at a time. Throws where there is none. */
  read(path: string): AsyncIterable<Buffer>
  /** The same file for reading anywhere in it. */
  openAt(path: string): { readAt: (position: number, length: number) => Buffer; close: () => void }
  close(): void
}

/** A backup that is a folder, or an archive. */
export function openBackup(path: string): BackupReader {
  return statSync(path).isDirectory() ? new FolderReader(path) : new TarReader(path)
}

class FolderReader implements BackupReader {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  read(path: string): AsyncIterable<Buffer> {
    return createReadStream(join(this.#path, path), { highWaterMark: limits.backup.chunk_bytes })
  }

  openAt(path: string) {
    const descriptor = openSync(join(this.#path, path), 'r')
    const { size } = fstatSync(descriptor)
    return {
      readAt: (position: number, length: number) =>
        readFully(descriptor, position, Math.min(length, size - position)),
      close: () => closeSync(descriptor),
    }
  }

  close(): void {}
}

class TarReader implements BackupReader {
  readonly #descriptor: number
  readonly #entries = new Map<string, FoundEntry>()

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    const { size } = fstatSync(this.#descriptor)
    const readAt = (position: number, length: number) =>
      readFully(this.#descriptor, position, Math.min(length, size - position))
    for (const entry of tarEntries(readAt)) this.#entries.set(entry.path, entry)
  }

  async *read(path: string): AsyncGenerator<Buffer> {
    const { start, size } = this.#entry(path)
    for (let at = 0; at < size; at += limits.backup.chunk_bytes) {
      yield readFully(this.#descriptor, start + at, Math.min(limits.backup.chunk_bytes, size - at))
    }
  }

  openAt(path: string) {
    const { start, size } = this.#entry(path)
    return {
      readAt: (position: number, length: number) =>
        readFully(this.#descriptor, start + position, Math.min(length, size - position)),
      close: () => {},
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #entry(path: string): FoundEntry {
    const entry = this.#entries.get(path)
    if (!entry) throw new Error(`${path} is missing in the backup.`)
    return entry
  }
}

function readFully(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, length))
  let at = 0
  while (at < buffer.length) {
    const read = readSync(descriptor, buffer, at, buffer.length - at, position + at)
    if (read === 0) break
    at += read
  }
  return buffer.subarray(0, at)
}
