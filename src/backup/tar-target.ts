// A backup as one tar archive, written under a temporary name and renamed when it is complete.
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { limits } from '../kernel/limits.ts'
import {
  type BackupReader,
  type BackupTarget,
  type BackupWriter,
  FileWriter,
  missingFileError,
} from './backup-target.ts'
import { readFully, writeFully } from './file-bytes.ts'
import { fsyncAll } from './folder-target.ts'
import {
  formatTarHeader,
  readTarEntries,
  type TarEntryWithPosition,
  tarEnd,
  tarPadding,
} from './tar.ts'

/** A target with a single backup, whatever its name: each new backup replaces the previous one. */
export class TarTarget implements BackupTarget {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async list(): Promise<string[]> {
    return []
  }

  locationOf(): string {
    return this.#path
  }

  async open(): Promise<BackupReader> {
    return new TarReader(this.#path)
  }

  create(): BackupWriter {
    return new TarWriter(this.#path)
  }

  async delete(): Promise<void> {
    rmSync(this.#path, { force: true })
  }

  async deleteUnfinished(): Promise<void> {}
}

class TarWriter implements BackupWriter {
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
    // The header precedes the file but contains its length, so it is overwritten at the end.
    const start = this.#position
    this.#append(formatTarHeader({ path, size: 0, isSecret }))
    return new FileWriter(path, {
      put: (bytes) => this.#append(bytes),
      close: (size) => {
        this.#append(tarPadding(size))
        writeFully(this.#descriptor, formatTarHeader({ path, size, isSecret }), start)
      },
    })
  }

  async share(): Promise<boolean> {
    return false
  }

  async finish({ path, bytes }: { path: string; bytes: Buffer }): Promise<void> {
    const file = this.begin(path)
    await file.write(bytes)
    await file.end()
    this.#append(tarEnd)
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    renameSync(this.#unfinished, this.#path)
    await fsyncAll([dirname(this.#path)])
  }

  async discard(): Promise<void> {
    closeSync(this.#descriptor)
    rmSync(this.#unfinished, { force: true })
  }

  #append(bytes: Buffer): void {
    writeFully(this.#descriptor, bytes, this.#position)
    this.#position += bytes.length
  }
}

export class TarReader implements BackupReader {
  readonly #descriptor: number
  readonly #entries = new Map<string, TarEntryWithPosition>()

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    const { size } = fstatSync(this.#descriptor)
    const readAt = (position: number, length: number) =>
      readFully(this.#descriptor, { position, length: Math.min(length, size - position) })
    for (const entry of readTarEntries(readAt)) this.#entries.set(entry.path, entry)
  }

  async *read(path: string): AsyncGenerator<Buffer> {
    const { size } = this.#entry(path)
    const { chunk_bytes } = limits.backup
    for (let position = 0; position < size; position += chunk_bytes) {
      yield await this.readAt(path, { position, length: chunk_bytes })
    }
  }

  async readAt(
    path: string,
    { position, length }: { position: number; length: number },
  ): Promise<Buffer> {
    const { start, size } = this.#entry(path)
    return readFully(this.#descriptor, {
      position: start + position,
      length: Math.min(length, size - position),
    })
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #entry(path: string): TarEntryWithPosition {
    const entry = this.#entries.get(path)
    if (!entry) throw missingFileError(path)
    return entry
  }
}
