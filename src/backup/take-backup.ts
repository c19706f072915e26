// Backs up a running server. The rows are captured first, then references, then objects and blobs: files that are newer
// than their rows are harmless, missing ones are not. Meanwhile the lanes that delete files are paused, so that nothing
// rows refer to is deleted. docs/operating/backup.md lists the contents.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip, type ZlibOptions } from 'node:zlib'
import type { ListedBlob } from '../blobs/backend.ts'
import { type BlobStore, blobStoreOf, listBlobs, readBlob } from '../blobs/blob-store.ts'
import type { S3Place } from '../blobs/s3-place.ts'
import type { Db } from '../db/db.ts'
import { readSequences } from '../db/insert-snapshot-rows.ts'
import { openSnapshot, type PlainRow, type Snapshot } from '../db/snapshot.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { splitIntoBatches } from '../kernel/split-into-batches.ts'
import { serverVersion } from '../kernel/version.ts'
import { type LanePause, pauseLanes } from '../tasks/lane-pause.ts'
import { RepositoryChangedWhileRead } from './archive-repositories.ts'
import { BackupError } from './backup-error.ts'
import {
  type BackupFile,
  type BackupReader,
  type BackupTarget,
  type BackupWriter,
  backupNameAt,
  type FileWriter,
} from './backup-target.ts'
import {
  ContainerWriter,
  containersToRewrite,
  ReusedContainers,
  readRepositoryArchive,
} from './containers.ts'
import { type ReuseFromPreviousBackup, writeLargeFiles } from './large-files.ts'
import {
  type ArchiveLocation,
  type BackedUpRepository,
  backupFormat,
  filesListPath,
  listBackedUpRepositories,
  listBackupFiles,
  type Manifest,
  manifestPath,
  readManifest,
  repositoriesListPath,
  secretKeyFingerprint,
  toNdjsonLine,
} from './manifest.ts'
import {
  type RefSnapshot,
  type RepositoryWithRefSnapshot,
  type StoredRepository,
  topFolderOfRepository,
} from './repositories.ts'
import type { RepositoryReader } from './repository-reader.ts'

/** The locations of everything that is backed up and restored. */
export type BackupPlaces = {
  /** The URL of the database, as for `openDatabase`. */
  url: string
  data: string
  /** Undefined if all blobs are in the data folder. */
  blobs: S3Place | undefined
  storages: Readonly<Record<string, { path: string }>>
}

/** Files with keys and settings, which may contain passwords, relative to the data folder. */
export const keyFilePaths = ['secret.key', 'ssh', 'bloomery.json']

export type BackupOptions = Omit<BackupPlaces, 'storages'> & {
  target: BackupTarget
  withKeys: boolean
  /** The number of backups to keep; all if undefined. */
  keep?: number
  /** The readers of repositories, by storage name. */
  readers: ReadonlyMap<string, RepositoryReader>
  clock: Clock
  print: (line: string) => void
}

type Previous = {
  name: string
  reader: BackupReader
  files: Map<string, BackupFile>
  repositories: Map<string, BackedUpRepository>
}

/** Takes a backup. Returns its location and its manifest. */
export async function takeBackup(
  db: Db,
  options: BackupOptions,
): Promise<{ path: string; manifest: Manifest }> {
  const { clock, print } = options
  const { target } = options
  const name = backupNameAt(timestamp(clock))
  const previous = await findPrevious(target)
  if (previous) print(`Previous backup: ${target.locationOf(previous.name)}.`)
  await target.deleteUnfinished(clock().getTime())
  const writer = target.create(name)
  try {
    const lost = { error: undefined as unknown }
    const hold = await pauseLanes(db, clock, {
      lanes: ['removal', 'upkeep', 'moves'],
      onLost(error) {
        lost.error = error
      },
    })
    let manifest: Manifest
    try {
      await waitForRunning(hold, clock, print)
      manifest = await writeAll({ db, writer, previous, lost }, options)
    } finally {
      await hold.release()
    }
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`
    await writer.finish({ path: manifestPath, bytes: Buffer.from(text) })
    if (options.keep !== undefined) await deleteOld(target, options.keep, print)
    return { path: target.locationOf(name), manifest }
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function findPrevious(target: BackupTarget): Promise<Previous | undefined> {
  const name = (await target.list()).at(-1)
  if (name === undefined) return undefined
  const reader = await target.open(name)
  try {
    await readManifest(reader)
  } catch (error) {
    // The previous backup has another format, so nothing is reused from it.
    if (error instanceof BackupError) return undefined
    throw error
  }
  const files = new Map<string, BackupFile>()
  for await (const file of listBackupFiles(reader)) files.set(file.path, file)
  const repositories = new Map<string, BackedUpRepository>()
  for await (const entry of listBackedUpRepositories(reader)) repositories.set(keyOf(entry), entry)
  return { name, reader, files, repositories }
}

const keyOf = ({ storage, name }: { storage: string; name: string }) => `${storage}/${name}`

async function deleteOld(
  target: BackupTarget,
  keep: number,
  print: (line: string) => void,
): Promise<void> {
  for (const name of (await target.list()).slice(0, -keep)) {
    await target.delete(name)
    print(`Deleted old backup: ${target.locationOf(name)}.`)
  }
}

/** Waits for the tasks that were running when the lanes were paused, since they delete or repack. */
async function waitForRunning(
  hold: LanePause,
  clock: Clock,
  print: (line: string) => void,
): Promise<void> {
  const end_ms = clock().getTime() + limits.backup.wait_ms_max
  for (let isPrinted = false; (await hold.countRunning()) > 0; isPrinted = true) {
    if (!isPrinted) print('Waiting for running tasks of the lanes removal, upkeep and moves.')
    if (clock().getTime() > end_ms) {
      throw new BackupError(
        'Running tasks of the lanes removal, upkeep and moves did not finish in time. Try again later.',
      )
    }
    await setTimeout(200)
  }
}

type Work = {
  db: Db
  writer: BackupWriter
  previous: Previous | undefined
  /** Contains the error if the pause of the lanes could not be renewed. */
  lost: { error: unknown }
}

async function writeAll(
  { db, writer, previous, lost }: Work,
  { url, data, blobs: s3, withKeys, readers, clock, print }: BackupOptions,
): Promise<Manifest> {
  const made_at = timestamp(clock)
  const snapshot = await openSnapshot(url, db)
  const list = new FileList()
  try {
    const capturing = captureAll(previous, readers)
    // The error is thrown where the promise is awaited.
    capturing.catch(() => {})
    const tables = await writeTables(writer, snapshot, list)
    const captured = await capturing
    // Read after the last repository was found, so that ids of projects newer than the snapshot are never
    // assigned again.
    const sequences = await readSequences(db)
    print(`Database: ${sumOf(Object.values(tables))} rows of ${snapshot.tables.length} tables.`)
    const writing = { writer, previous, list }
    const repositories = await writeRepositories(writing, { captured, readers, made_at })
    print(`Repositories: ${captured.length}, of which ${repositories.unchanged} unchanged.`)
    const blobs = await writeBlobs(writing, blobStoreOf({ data, blobs: s3 }), print)
    print(`Blobs: ${blobs.count}, of which ${blobs.unchanged} unchanged.`)
    const key = readFileSync(join(data, 'secret.key'))
    if (withKeys) await writeKeys(writer, data, list)
    if (lost.error)
      throw new BackupError(`Lost the hold on the lanes removal, upkeep and moves: ${lost.error}`)
    const lists = {
      [filesListPath]: (await writeList(writer, filesListPath, list.files)).sha256,
      [repositoriesListPath]: (await writeList(writer, repositoriesListPath, repositories.entries))
        .sha256,
    }
    const manifest: Manifest = {
      format: backupFormat,
      made_at,
      version: serverVersion,
      database: snapshot.kind,
      migrations: [...snapshot.migrations],
      tables,
      sequences,
      key_fingerprint: secretKeyFingerprint(key),
      has_keys: withKeys,
      repositories: captured.length,
      blobs: blobs.count,
      bytes: list.bytes,
      lists,
    }
    return manifest
  } finally {
    await snapshot.close()
  }
}

class FileList {
  readonly files: BackupFile[] = []
  bytes = 0

  add(...files: BackupFile[]): void {
    for (const file of files) {
      this.files.push(file)
      this.bytes += file.size
    }
  }
}

async function writeList(
  writer: BackupWriter,
  path: string,
  entries: readonly object[],
): Promise<BackupFile> {
  const file = writer.begin(path)
  for (const some of splitIntoBatches(entries, lines_at_once)) {
    await file.write(Buffer.concat(some.map(toNdjsonLine)))
  }
  return file.end()
}

const lines_at_once = 1_000

/** Reads the references of all repositories within a time as short as possible. */
async function captureAll(
  previous: Previous | undefined,
  readers: BackupOptions['readers'],
): Promise<RepositoryWithRefSnapshot[]> {
  const signatures = new Map<string, Map<string, string>>()
  for (const { storage, name, signature } of previous?.repositories.values() ?? []) {
    const key = keyOf({ storage, name: topFolderOfRepository(name) })
    const ofFolder = signatures.get(key) ?? new Map<string, string>()
    signatures.set(key, ofFolder.set(name, signature))
  }
  const captureStorage = async (storage: string, reader: RepositoryReader) => {
    const folders = await reader.listTopFolders(storage)
    return Promise.all(
      folders.map((folder) => {
        const key = keyOf({ storage, name: folder })
        return reader.capture({ storage, folder, signatures: signatures.get(key) ?? new Map() })
      }),
    )
  }
  const captured = await Promise.all(
    [...readers].map(([storage, reader]) => captureStorage(storage, reader)),
  )
  return captured.flat(2)
}

type Writing = { writer: BackupWriter; previous: Previous | undefined; list: FileList }

async function writeTables(
  writer: BackupWriter,
  snapshot: Snapshot,
  list: FileList,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of snapshot.tables) {
    let count = 0
    // A table without rows gets no file.
    let file: FileWriter | undefined
    // A batch is compressed while the next is read. Concatenated gzip members are a valid gzip file.
    let pressed: Promise<Buffer> | undefined
    for await (const batch of snapshot.rows(table)) {
      count += batch.length
      const text = textOf(batch)
      if (pressed) await file?.write(await pressed)
      file ??= writer.begin(`database/${table.name}.ndjson.gz`)
      pressed = press(count === batch.length ? `${JSON.stringify(table)}\n${text}` : text, {
        level: 1,
      })
    }
    if (file && pressed) {
      await file.write(await pressed)
      list.add(await file.end())
    }
    counts[table.name] = count
  }
  return counts
}

const press = promisify<string, ZlibOptions, Buffer>(gzip)

function textOf(batch: readonly PlainRow[]): string {
  return batch.map((row) => `${JSON.stringify(row)}\n`).join('')
}

type Repositories = {
  captured: readonly RepositoryWithRefSnapshot[]
  readers: BackupOptions['readers']
  made_at: string
}

async function writeRepositories(
  { writer, previous, list }: Writing,
  { captured, readers, made_at }: Repositories,
): Promise<{ entries: BackedUpRepository[]; unchanged: number }> {
  const containers = new ContainerWriter(writer, backupNameAt(made_at), (file) => list.add(file))
  const sharing = { previous, packs: new Map() }
  const entries: BackedUpRepository[] = []
  const changed = new Map([...readers.keys()].map((storage) => [storage, [] as Changed[]]))
  const keeping = previous && new Keeping({ writer, previous, list }, captured)
  for (const { repository, refs } of captured) {
    const { storage } = repository
    const kept = refs === 'unchanged' && (await keeping?.keep(repository, containers))
    if (kept) entries.push(kept)
    else {
      const reader = getReader(readers, storage)
      const read = refs === 'unchanged' ? await reader.snapshotRefs(repository) : refs
      changed.get(storage)?.push({ repository, refs: read })
    }
    // Lets the pause of the lanes be renewed.
    if (refs === 'unchanged') await setImmediate()
  }
  const unchanged = entries.length
  for (const [storage, ofStorage] of changed) {
    const uses = { writer, containers, reader: getReader(readers, storage), sharing, list }
    for await (const entry of writeChanged(ofStorage, uses)) entries.push(entry)
  }
  await containers.end()
  return { entries, unchanged }
}

function getReader(readers: BackupOptions['readers'], storage: string): RepositoryReader {
  const reader = readers.get(storage)
  if (!reader) throw new Error(`Nothing reads storage ${storage}.`)
  return reader
}

/** Reuses the repositories of the previous backup that have not changed. */
class Keeping {
  readonly #writing: Writing & { previous: Previous }
  readonly #worn: ReadonlySet<string>
  readonly #shared: ReusedContainers

  constructor(
    writing: Writing & { previous: Previous },
    captured: readonly RepositoryWithRefSnapshot[],
  ) {
    const { writer, previous, list } = writing
    this.#writing = writing
    const unchanged = captured.filter(({ refs }) => refs === 'unchanged')
    const before = unchanged.flatMap(({ repository }) => this.#before(repository) ?? [])
    this.#worn = containersToRewrite(previous.files, before)
    this.#shared = new ReusedContainers(writer, previous, (file) => list.add(file))
  }

  /** Returns the entry of the repository; undefined if one of its files cannot be reused. */
  async keep(
    repository: StoredRepository,
    containers: ContainerWriter,
  ): Promise<BackedUpRepository | undefined> {
    const before = this.#before(repository)
    if (!before) return undefined
    const files = await this.#shareFiles(before.files)
    const archive = files && (await this.#keepArchive(before, containers))
    if (!archive) return undefined
    this.#writing.list.add(...files)
    return { ...before, archive }
  }

  #before(repository: StoredRepository): BackedUpRepository | undefined {
    return this.#writing.previous.repositories.get(keyOf(repository))
  }

  async #keepArchive(
    before: BackedUpRepository,
    containers: ContainerWriter,
  ): Promise<ArchiveLocation | undefined> {
    const place = before.archive
    const isWorn = this.#worn.has(place.container)
    if (!isWorn && (await this.#shared.share(place.container))) return place
    try {
      const archive = await readRepositoryArchive(this.#writing.previous.reader, before)
      return await containers.add(before, { archive, sha256: place.sha256 })
    } catch (error) {
      if (error instanceof BackupError) return undefined
      throw error
    }
  }

  /** Reuses files of the previous backup. Returns undefined if one of them is not available. */
  async #shareFiles(paths: readonly string[]): Promise<BackupFile[] | undefined> {
    const { writer, previous } = this.#writing
    const files: BackupFile[] = []
    for (const path of paths) {
      const file = previous.files.get(path)
      if (!file || !(await writer.share({ ...file, backup: previous.name }, path))) return undefined
      files.push(file)
    }
    return files
  }
}

type Changed = { repository: StoredRepository; refs: RefSnapshot }
type Uses = {
  writer: BackupWriter
  containers: ContainerWriter
  reader: RepositoryReader
  sharing: ReuseFromPreviousBackup
  list: FileList
}

/** Writes repositories one after another, while the next ones are read. */
async function* writeChanged(
  changed: readonly Changed[],
  uses: Uses,
): AsyncGenerator<BackedUpRepository> {
  const { reader } = uses
  const { repositories_at_once } = limits.backup
  const readings: ReturnType<RepositoryReader['read']>[] = []
  for (let [at, begun] = [0, 0]; at < changed.length; at += repositories_at_once) {
    for (
      ;
      begun < changed.length && readings.length <= reader.ahead;
      begun += repositories_at_once
    ) {
      const together = changed.slice(begun, begun + repositories_at_once)
      const reading = reader.read(together.map(toRead))
      // The error is thrown where the promise is awaited.
      reading.catch(() => {})
      readings.push(reading)
    }
    // The batch is removed from the queue, so that its memory is freed after it is written.
    const reads = (await readings.shift()) ?? []
    for (const [nth, one] of changed.slice(at, at + repositories_at_once).entries()) {
      yield await writeAnew(one, reads[nth], uses)
      await setImmediate()
    }
  }
}

const toRead = ({ repository, refs }: Changed) => ({ repository, refs: refs.entries })

async function writeAnew(
  { repository, refs }: Changed,
  first: Awaited<ReturnType<RepositoryReader['read']>>[number],
  { writer, containers, reader, sharing, list }: Uses,
): Promise<BackedUpRepository> {
  for (let attempt = 1; ; attempt++) {
    try {
      const of = attempt === 1 ? refs : await reader.snapshotRefs(repository)
      const read =
        (attempt === 1 ? first : undefined) ??
        (await reader.read([toRead({ repository, refs: of })]))[0]
      if (!read) throw new Error('No data was read.')
      if (read instanceof RepositoryChangedWhileRead) throw read
      const files = await writeLargeFiles({ writer, reader }, repository, read, sharing)
      const archive = await containers.add(repository, read)
      list.add(...files)
      const { storage, name } = repository
      return { storage, name, signature: of.signature, archive, files: files.map((f) => f.path) }
    } catch (error) {
      const isLast = attempt === limits.backup.attempts_max
      if (error instanceof RepositoryChangedWhileRead && !isLast) continue
      if (error instanceof RepositoryElsewhereError) throw error
      throw new BackupError(`${keyOf(repository)}: ${(error as Error).message}`, { cause: error })
    }
  }
}

async function writeBlobs(
  { writer, previous, list }: Writing,
  store: BlobStore,
  print: (line: string) => void,
): Promise<{ count: number; unchanged: number }> {
  let [count, unchanged] = [0, 0]
  for await (const { place, size } of distinctBlobs(store)) {
    const path = `blobs/${place}`
    const before = previous?.files.get(path)
    // Blobs never change: a name is either a digest of the content or random.
    if (previous && before?.size === size) {
      if (await writer.share({ ...before, backup: previous.name }, path)) {
        count++
        unchanged++
        list.add(before)
        continue
      }
    }
    const stream = await readBlob(store, place, { chunk_bytes: limits.backup.chunk_bytes })
    if (!stream) {
      print(`Blob skipped, it was deleted meanwhile: ${place}`)
      continue
    }
    count++
    const file = writer.begin(path)
    for await (const bytes of stream) await file.write(bytes)
    list.add(await file.end())
  }
  return { count, unchanged }
}

/** Lists each blob once, since one that is being moved exists in two places. */
async function* distinctBlobs(store: BlobStore): AsyncGenerator<ListedBlob> {
  const seen = new Set<string>()
  for await (const blob of listBlobs(store)) {
    if (seen.has(blob.place)) continue
    if (store.s3) seen.add(blob.place)
    yield blob
  }
}

async function writeKeys(writer: BackupWriter, data: string, list: FileList): Promise<void> {
  for (const name of keyFilePaths) {
    const path = join(data, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) continue
    const names = stats.isDirectory() ? readdirSync(path).map((file) => join(name, file)) : [name]
    for (const found of names) {
      const file = writer.begin(`keys/${found}`, { isSecret: true })
      await file.write(readFileSync(join(data, found)))
      list.add(await file.end())
    }
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
