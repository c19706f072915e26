// Backups in a folder of an S3 bucket, each below a name that is its time. A backup is complete once it has its
// manifest, the last object that is written. S3 copies unchanged files from the previous backup.

import { S3Objects } from '../blobs/s3-objects.ts'
import type { S3Place } from '../blobs/s3-place.ts'
import type { S3Upload } from '../blobs/s3-upload.ts'
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts'
import { limits } from '../kernel/limits.ts'
import { BackupError } from './backup-error.ts'
import {
  type BackupReader,
  type BackupTarget,
  type BackupWriter,
  FileWriter,
  isBackupName,
  missingFileError,
  type ReusableBackupFile,
} from './backup-target.ts'
import { manifestPath } from './manifest.ts'

const at_once = limits.s3.moves_at_once

export class S3Target implements BackupTarget {
  readonly #place: S3Place
  readonly #objects: S3Objects

  constructor(place: S3Place) {
    this.#place = place
    this.#objects = new S3Objects(place)
  }

  async list(): Promise<string[]> {
    const names = await Array.fromAsync(this.#objects.listFolders())
    const complete: string[] = []
    await forEachConcurrently(names.filter(isBackupName), at_once, async (name) => {
      if (await this.#isComplete(name)) complete.push(name)
    })
    return complete.sort()
  }

  locationOf(name: string): string {
    return `${this.#place.name}/${name}`
  }

  async open(name: string): Promise<BackupReader> {
    return new S3Reader(this.#objects, `${name}/`)
  }

  create(name: string): BackupWriter {
    return new S3Writer(this.#objects, name)
  }

  /** Deletes the manifest first, so that an interrupted deletion leaves no complete backup. */
  async delete(name: string): Promise<void> {
    await this.#objects.delete(`${name}/${manifestPath}`)
    await deleteBelow(this.#objects, `${name}/`)
  }

  async deleteUnfinished(now_ms: number): Promise<void> {
    const isOwn = (key: string) => isBackupName(key.split('/', 1)[0] ?? '')
    await this.#objects.abortLeftovers(now_ms, isOwn)
    for await (const name of this.#objects.listFolders()) {
      if (!isBackupName(name) || (await this.#isComplete(name))) continue
      let newest_ms = 0
      for await (const { modified_ms } of this.#objects.list(`${name}/`)) {
        newest_ms = Math.max(newest_ms, modified_ms)
      }
      if (now_ms - newest_ms < limits.backup.unfinished_ms_min) continue
      await deleteBelow(this.#objects, `${name}/`)
    }
  }

  async #isComplete(name: string): Promise<boolean> {
    return (await this.#objects.findSize(`${name}/${manifestPath}`)) !== undefined
  }
}

async function deleteBelow(objects: S3Objects, folder: string): Promise<void> {
  await forEachConcurrently(objects.list(folder), at_once, ({ key }) => objects.delete(key))
}

class S3Writer implements BackupWriter {
  readonly #objects: S3Objects
  readonly #name: string
  /** Incomplete uploads, which are aborted if the backup is discarded. */
  readonly #open = new Set<S3Upload>()
  /** Calls to S3 that run while the next files are read. */
  readonly #underWay = new Set<Promise<void>>()
  #problem: { error: unknown } | undefined

  constructor(objects: S3Objects, name: string) {
    this.#objects = objects
    this.#name = name
  }

  begin(path: string): FileWriter {
    const upload = this.#objects.upload(`${this.#name}/${path}`)
    this.#open.add(upload)
    return new FileWriter(path, {
      put: (bytes) => upload.write(bytes),
      close: async () => {
        await upload.end()
        await this.#run(async () => {
          await upload.complete()
          this.#open.delete(upload)
        })
      },
    })
  }

  /** Copies the file in the background. If it no longer exists in the other backup, the backup fails later. */
  async share({ backup, path: from, size }: ReusableBackupFile, path: string): Promise<boolean> {
    // A file of this backup may still be uploading.
    if (backup === undefined) await this.#settled()
    const source = `${backup ?? this.#name}/${from}`
    await this.#run(async () => {
      if (await this.#objects.copy(source, { key: `${this.#name}/${path}`, size })) return
      throw new BackupError(
        `${source} is missing in the bucket, though the backup before lists it. Delete that backup and try again.`,
      )
    })
    return true
  }

  async finish({ path, bytes }: { path: string; bytes: Buffer }): Promise<void> {
    await this.#settled()
    // These uploads were started for files that changed while they were read, and were then uploaded again.
    for (const upload of this.#open) await upload.abort()
    const file = this.begin(path)
    await file.write(bytes)
    await file.end()
    await this.#settled()
  }

  async discard(): Promise<void> {
    await Promise.all(this.#underWay)
    for (const upload of this.#open) await upload.abort()
    await deleteBelow(this.#objects, `${this.#name}/`)
  }

  /** Starts a call as soon as fewer than the maximum are running. Throws the error of an earlier call. */
  async #run(call: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= at_once) await Promise.race(this.#underWay)
    this.#throwProblem()
    const running: Promise<void> = call()
      .catch((error) => {
        this.#problem ??= { error }
      })
      .finally(() => this.#underWay.delete(running))
    this.#underWay.add(running)
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#underWay)
    this.#throwProblem()
  }

  #throwProblem(): void {
    if (this.#problem) throw this.#problem.error
  }
}

class S3Reader implements BackupReader {
  readonly #objects: S3Objects
  readonly #folder: string

  constructor(objects: S3Objects, folder: string) {
    this.#objects = objects
    this.#folder = folder
  }

  async *read(path: string): AsyncGenerator<Buffer> {
    const stream = await this.#objects.read(this.#folder + path)
    if (!stream) throw missingFileError(path)
    yield* stream
  }

  async readAt(
    path: string,
    { position, length }: { position: number; length: number },
  ): Promise<Buffer> {
    if (length <= 0) return Buffer.alloc(0)
    const range = { start: position, end: position + length - 1 }
    const stream = await this.#objects.read(this.#folder + path, range)
    if (!stream) throw missingFileError(path)
    return Buffer.concat(await stream.toArray())
  }

  close(): void {}
}
