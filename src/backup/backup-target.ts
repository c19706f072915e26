// The targets of backups: a folder with one subfolder for each backup, a tar archive, or a folder of an S3 bucket. Files
// are written one after another and hashed on the way.
import { createHash } from 'node:crypto'

export type BackupFile = { path: string; size: number; sha256: string }

export interface BackupTarget {
  /**
   * Returns the names of complete backups, oldest first. Returns no names if the target holds a single
   * backup.
   */
  list(): Promise<string[]>
  /** Returns the path or URL of a backup, as shown to operators. */
  locationOf(name: string): string
  /** Opens a complete backup. */
  open(name: string): Promise<BackupReader>
  /** Starts a backup. It gets its name when it is complete. */
  create(name: string): BackupWriter
  /** Deletes a complete backup. */
  delete(name: string): Promise<void>
  /** Deletes the remains of interrupted backups that are too old to be still in progress. */
  deleteUnfinished(now_ms: number): Promise<void>
}

/** A file that the target already has: in the backup that is being written, or in the complete backup named `backup`. */
export type ReusableBackupFile = { path: string; size: number; backup?: string }

export interface BackupWriter {
  /** Starts a file. The previous file must have ended. */
  begin(path: string, options?: { isSecret?: boolean }): FileWriter
  /** Reuses an existing file under `path`. Returns false if the file must be written. */
  share(source: ReusableBackupFile, path: string): Promise<boolean>
  /** Writes the manifest as the last file. Afterwards the backup is complete and durable. */
  finish(manifest: { path: string; bytes: Buffer }): Promise<void>
  /** Deletes everything that was written. */
  discard(): Promise<void>
}

export interface BackupReader {
  /** Reads a file in chunks. Throws if it is missing. */
  read(path: string): AsyncIterable<Buffer>
  /** Reads `length` bytes of a file; fewer at its end. Throws if the file is missing. */
  readAt(path: string, range: { position: number; length: number }): Promise<Buffer>
  close(): void
}

/** Takes the bytes of one file. Callers must not change them afterwards. */
type FileSink = {
  put: (bytes: Buffer) => Promise<void> | void
  close: (size: number) => Promise<void> | void
}

/** Writes one file and computes its digest. */
export class FileWriter {
  readonly #digest = createHash('sha256')
  readonly #path: string
  readonly #sink: FileSink
  #size = 0

  constructor(path: string, sink: FileSink) {
    this.#path = path
    this.#sink = sink
  }

  async write(bytes: Buffer): Promise<void> {
    this.#digest.update(bytes)
    this.#size += bytes.length
    await this.#sink.put(bytes)
  }

  async end(): Promise<BackupFile> {
    await this.#sink.close(this.#size)
    return { path: this.#path, size: this.#size, sha256: this.#digest.digest('hex') }
  }
}

const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** Whether a name has the form of a backup's name: a time. */
export function isBackupName(name: string): boolean {
  return namePattern.test(name)
}

/** The name of a backup that is taken at that time (ISO 8601). */
export function backupNameAt(now: string): string {
  return now.replace(/[:.]/g, '-')
}

/** The error for a file that a backup should have. */
export function missingFileError(path: string): Error {
  return new Error(`${path} is missing in the backup.`)
}
