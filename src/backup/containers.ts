// Containers: files with the archives of many repositories, since creating and flushing a file takes longer than writing
// a small repository. A container never changes: later backups share it as long as enough of it is still in use.
import { hash } from 'node:crypto'
import { limits } from '../kernel/limits.ts'
import { BackupError } from './backup-error.ts'
import type { BackupFile, BackupReader, BackupWriter } from './backup-target.ts'
import type { ArchiveLocation, BackedUpRepository } from './manifest.ts'
import { formatTarHeader, tarEnd, tarPadding } from './tar.ts'

/** Writes containers. Each is a tar archive of archives, which is completed in memory and then written. */
export class ContainerWriter {
  readonly #writer: BackupWriter
  readonly #name: string
  readonly #onWritten: (file: BackupFile) => void
  #pieces: Buffer[] = []
  #size = 0
  #count = 1

  /** `name` must be unique among all backups. */
  constructor(writer: BackupWriter, name: string, onWritten: (file: BackupFile) => void) {
    this.#writer = writer
    this.#name = name
    this.#onWritten = onWritten
  }

  async add(
    { storage, name }: { storage: string; name: string },
    { archive, sha256 }: { archive: Buffer; sha256: string },
  ): Promise<ArchiveLocation> {
    const size = archive.length
    if (this.#size > 0 && this.#size + size > limits.backup.container_bytes_max) await this.end()
    this.#push(formatTarHeader({ path: `${storage}/${name}.tar`, size }))
    const place = { container: this.#path, offset: this.#size, size, sha256 }
    this.#push(archive)
    this.#push(tarPadding(size))
    return place
  }

  /** Writes the last container. */
  async end(): Promise<void> {
    if (this.#size === 0) return
    const file = this.#writer.begin(this.#path)
    for (const piece of this.#pieces) await file.write(piece)
    await file.write(tarEnd)
    this.#onWritten(await file.end())
    this.#pieces = []
    this.#size = 0
    this.#count++
  }

  get #path(): string {
    return `repositories/${this.#name}-${this.#count}.tar`
  }

  #push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
  }
}

/**
 * Returns the containers that are not shared with the next backup, and whose live archives are written anew: those
 * with less than half of their bytes live, and small ones once there are many.
 */
export function containersToRewrite(
  files: ReadonlyMap<string, BackupFile>,
  kept: Iterable<BackedUpRepository>,
): Set<string> {
  const live = new Map<string, number>()
  for (const { archive } of kept) {
    live.set(archive.container, (live.get(archive.container) ?? 0) + archive.size)
  }
  const { container_bytes_max, small_containers_max } = limits.backup
  const half = [...live].filter(([path, size]) => size < (files.get(path)?.size ?? 0) / 2)
  const small = [...live].filter(([, size]) => size < container_bytes_max / 2)
  const worn = small.length > small_containers_max ? [...half, ...small] : half
  return new Set(worn.map(([path]) => path))
}

/** The archive of a repository. Throws BackupError if it does not match its digest. */
export async function readRepositoryArchive(
  reader: BackupReader,
  repository: BackedUpRepository,
): Promise<Buffer> {
  const { storage, name, archive } = repository
  const { container, offset, size, sha256 } = archive
  const what = `The archive of ${storage}/${name} in ${container}`
  let bytes: Buffer
  try {
    bytes = await reader.readAt(container, { position: offset, length: size })
  } catch (error) {
    throw new BackupError(`${what} cannot be read: ${(error as Error).message}`)
  }
  if (hash('sha256', bytes) !== sha256) throw new BackupError(`${what} does not match its digest.`)
  return bytes
}

/** Links containers of the previous backup into this one, each once. */
export class ReusedContainers {
  readonly #shared = new Map<string, boolean>()
  readonly #writer: BackupWriter
  readonly #previous: { name: string; files: ReadonlyMap<string, BackupFile> }
  readonly #onShared: (file: BackupFile) => void

  constructor(
    writer: BackupWriter,
    previous: { name: string; files: ReadonlyMap<string, BackupFile> },
    onShared: (file: BackupFile) => void,
  ) {
    this.#writer = writer
    this.#previous = previous
    this.#onShared = onShared
  }

  /** Returns whether this backup contains the container now. */
  async share(container: string): Promise<boolean> {
    let isShared = this.#shared.get(container)
    if (isShared === undefined) {
      const file = this.#previous.files.get(container)
      isShared =
        file !== undefined &&
        (await this.#writer.share({ ...file, backup: this.#previous.name }, container))
      if (file && isShared) this.#onShared(file)
      this.#shared.set(container, isShared)
    }
    return isShared
  }
}
