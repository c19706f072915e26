// Backups in a folder on disk, each in a subfolder named by its time. A backup is written under a temporary name and
// renamed when it is complete; unchanged files are hard links to those of the previous backup.
import {
  closeSync,
  createReadStream,
  existsSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import {
  type BackupReader,
  type BackupTarget,
  type BackupWriter,
  FileWriter,
  isBackupName,
  type ReusableBackupFile,
} from './backup-target.ts'
import { readFully, writeFully } from './file-bytes.ts'
import { manifestPath } from './manifest.ts'

const unfinished = '.unfinished'

export class FolderTarget implements BackupTarget {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async list(): Promise<string[]> {
    return this.#names()
      .filter((name) => isBackupName(name))
      .filter((name) =>
        statSync(join(this.#folder, name, manifestPath), { throwIfNoEntry: false })?.isFile(),
      )
      .sort()
  }

  locationOf(name: string): string {
    return join(this.#folder, name)
  }

  async open(name: string): Promise<BackupReader> {
    return new FolderReader(this.locationOf(name))
  }

  create(name: string): BackupWriter {
    return new FolderWriter(this.#folder, name)
  }

  async delete(name: string): Promise<void> {
    await rm(this.locationOf(name), { recursive: true, force: true })
  }

  async deleteUnfinished(now_ms: number): Promise<void> {
    for (const name of this.#names()) {
      if (!name.endsWith(unfinished) || !isBackupName(name.slice(0, -unfinished.length))) continue
      const path = join(this.#folder, name)
      if (now_ms - statSync(path).mtimeMs < limits.backup.unfinished_ms_min) continue
      await rm(path, { recursive: true, force: true })
    }
  }

  #names(): string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder) : []
  }
}

class FolderWriter implements BackupWriter {
  readonly #parent: string
  readonly #path: string
  readonly #unfinished: string
  readonly #folders = new Set<string>()
  readonly #syncs: Promise<Error | null>[] = []

  constructor(parent: string, name: string) {
    this.#parent = parent
    this.#path = join(parent, name)
    this.#unfinished = `${this.#path}${unfinished}`
    rmSync(this.#unfinished, { recursive: true, force: true })
    mkdirSync(this.#unfinished, { recursive: true, mode: 0o700 })
  }

  begin(path: string, { isSecret = false } = {}): FileWriter {
    const target = this.#prepare(path)
    // If the file was written before and then changed, it may be a hard link to a file of another backup,
    // which must not be overwritten.
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

  /** Starts the sync of a large file, which runs while the next files are read. */
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

  async share({ backup, path: from }: ReusableBackupFile, path: string): Promise<boolean> {
    const target = this.#prepare(path)
    rmSync(target, { force: true })
    const folder = backup === undefined ? this.#unfinished : join(this.#parent, backup)
    try {
      linkSync(join(folder, from), target)
      return true
    } catch {
      // The file is missing or has the maximum number of hard links, so it must be written.
      return false
    }
  }

  async finish({ path, bytes }: { path: string; bytes: Buffer }): Promise<void> {
    const file = this.begin(path)
    await file.write(bytes)
    await file.end()
    for (const error of await Promise.all(this.#syncs)) if (error) throw error
    await fsyncFolderTree(this.#unfinished)
    renameSync(this.#unfinished, this.#path)
    await fsyncAll([this.#parent])
  }

  async discard(): Promise<void> {
    await rm(this.#unfinished, { recursive: true, force: true })
  }

  /** Returns the path of a file to write, and creates its folder. */
  #prepare(path: string): string {
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

/**
 * Syncs everything below a folder to disk, so that it survives a power failure. Several files are synced at a time, since
 * the disk combines them.
 */
export async function fsyncFolderTree(folder: string): Promise<void> {
  const folders = [folder]
  const files: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) folders.push(path)
    else files.push(path)
  }
  await fsyncAll(files)
  await fsyncAll(folders)
}

/** Syncs files or folders to disk, so that they survive a power failure. */
export async function fsyncAll(paths: string[]): Promise<void> {
  const remaining = paths.values()
  const work = async () => {
    for (const path of remaining) {
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

export class FolderReader implements BackupReader {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  read(path: string): AsyncIterable<Buffer> {
    return createReadStream(join(this.#path, path), { highWaterMark: limits.backup.chunk_bytes })
  }

  async readAt(path: string, range: { position: number; length: number }): Promise<Buffer> {
    const descriptor = openSync(join(this.#path, path), 'r')
    try {
      return readFully(descriptor, range)
    } finally {
      closeSync(descriptor)
    }
  }

  close(): void {}
}
