// A backup of a server that runs. The moment of the database comes first, references follow at once, objects and
// blobs after them: what is newer than its row is harmless, the reverse is not. What rows name is not removed
// meanwhile, for the lanes that remove are held. docs/operating/backup.md says what is in it.
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../db/db.ts'
import { readSequences } from '../db/load.ts'
import { openDatabase } from '../db/open.ts'
import { openSnapshot, type PlainRow, type Snapshot } from '../db/snapshot.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { version } from '../kernel/version.ts'
import { holdLanes, type LaneHold } from '../tasks/lane-hold.ts'
import { BackupError } from './backup-error.ts'
import {
  type BackedUpRepository,
  filesPath,
  fingerprintOf,
  lineOf,
  type Manifest,
  manifestPath,
  readFiles,
  readManifest,
  readRepositories,
  repositoriesPath,
} from './manifest.ts'
import { ObjectReaders } from './object-readers.ts'
import { ChangedMeanwhile, type ObjectsRead, readObjects } from './objects.ts'
import {
  type BackupWriter,
  FolderWriter,
  openBackup,
  TarWriter,
  type WrittenFile,
} from './place.ts'
import {
  type CapturedRefs,
  captureRefs,
  currentSignature,
  type FoundRepository,
  findRepositories,
  type Sharing,
  writeRepository,
} from './repositories.ts'

/** What is backed up and restored, by where it lies. */
export type Places = {
  /** As for `openDatabase`. */
  url: string
  data: string
  storages: Readonly<Record<string, { path: string }>>
}

/** Keys and settings, which may hold passwords: below the data folder, where they are. */
export const keyPaths = ['secret.key', 'ssh', 'bloomery.json']

export type BackupOptions = Places & {
  /** A folder that has or will have a backup each time in a folder of its own, or a file that ends in `.tar`. */
  target: string
  withKeys: boolean
  /** How many backups stay in the folder; all where it is not said. */
  keep?: number
  clock: Clock
  say: (line: string) => void
}

type Previous = {
  folder: string
  files: Map<string, WrittenFile>
  repositories: Map<string, BackedUpRepository>
}

/** Takes a backup; answers where it lies and what it says of itself. */
export async function takeBackup(
  options: BackupOptions,
): Promise<{ path: string; manifest: Manifest }> {
  const { url, clock, say } = options
  const target = resolve(options.target)
  refuseOwnPlaces(options, target)
  const isFile = target.endsWith('.tar')
  const path = isFile ? target : join(target, nameAt(timestamp(clock)))
  const previous = isFile ? undefined : await findPrevious(target)
  if (previous) say(`The backup before this one is ${previous.folder}.`)
  const db = await openDatabase({ url, migrates: false })
  if (!isFile) dropUnfinished(target, clock().getTime())
  const writer = isFile ? new TarWriter(path) : new FolderWriter(path)
  try {
    const lost = { error: undefined as unknown }
    const hold = await holdLanes(db, clock, {
      lanes: ['removal', 'upkeep', 'moves'],
      onLost(error) {
        lost.error = error
      },
    })
    let manifest: Manifest
    try {
      await waitForRunning(hold, clock, say)
      manifest = await writeAll({ db, writer, previous, lost }, options)
    } finally {
      await hold.release()
    }
    await writer.finish()
    if (!isFile && options.keep !== undefined) dropOld(target, options.keep, say)
    return { path, manifest }
  } catch (error) {
    writer.discard()
    throw error
  } finally {
    await db.destroy()
  }
}

/** A backup within what is backed up would grow by itself each time. */
function refuseOwnPlaces({ data, storages }: Places, target: string): void {
  const own = [join(data, 'blobs'), ...Object.values(storages).map(({ path }) => path)]
  for (const folder of own) {
    const inside = relative(resolve(folder), target)
    if (inside === '' || (!inside.startsWith('..') && !isAbsolute(inside))) {
      throw new BackupError(`A backup of ${folder} cannot lie inside it.`)
    }
  }
}

function nameAt(now: string): string {
  return now.replace(/[:.]/g, '-')
}

const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** Folders of backups that are whole, the oldest first. */
export function listBackups(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .filter((name) => namePattern.test(name))
    .filter((name) =>
      statSync(join(folder, name, manifestPath), { throwIfNoEntry: false })?.isFile(),
    )
    .sort()
    .map((name) => join(folder, name))
}

async function findPrevious(target: string): Promise<Previous | undefined> {
  const folder = listBackups(target).at(-1)
  if (folder === undefined) return undefined
  const reader = openBackup(folder)
  await readManifest(reader)
  const files = new Map<string, WrittenFile>()
  for await (const file of readFiles(reader)) files.set(file.path, file)
  const repositories = new Map<string, BackedUpRepository>()
  for await (const entry of readRepositories(reader)) repositories.set(keyOf(entry), entry)
  return { folder, files, repositories }
}

const keyOf = ({ storage, name }: { storage: string; name: string }) => `${storage}/${name}`

function dropOld(target: string, keep: number, say: (line: string) => void): void {
  for (const folder of listBackups(target).slice(0, -Math.max(1, keep))) {
    rmSync(folder, { recursive: true, force: true })
    say(`Removed the backup ${folder}.`)
  }
}

/** What killed backups left, once nothing can be writing it any more. */
function dropUnfinished(target: string, now_ms: number): void {
  if (!existsSync(target)) return
  for (const name of readdirSync(target)) {
    const path = join(target, name)
    if (!namePattern.test(name.replace(/\.unfinished$/, '')) || !name.endsWith('.unfinished'))
      continue
    if (now_ms - statSync(path).mtimeMs < limits.backup.unfinished_ms_min) continue
    rmSync(path, { recursive: true, force: true })
  }
}

/** What was being removed or packed when the lanes were held. */
async function waitForRunning(
  hold: LaneHold,
  clock: Clock,
  say: (line: string) => void,
): Promise<void> {
  const end_ms = clock().getTime() + limits.backup.wait_ms_max
  for (let isTold = false; (await hold.countRunning()) > 0; isTold = true) {
    if (!isTold) say('Waiting for removals and upkeep that run.')
    if (clock().getTime() > end_ms) {
      throw new BackupError('Removals or upkeep run for too long. Try again later.')
    }
    await setTimeout(200)
  }
}

type Work = {
  db: Db
  writer: BackupWriter
  previous: Previous | undefined
  /** Has an error once the hold could not be renewed. */
  lost: { error: unknown }
}

async function writeAll(
  { db, writer, previous, lost }: Work,
  { url, storages, data, withKeys, clock, say }: BackupOptions,
): Promise<Manifest> {
  const made_at = timestamp(clock)
  const snapshot = await openSnapshot(url)
  const list = new FileList()
  try {
    const captured = await captureAll([...findRepositories(storages)], previous)
    // Read after the last repository was found: one that is newer than the database keeps its id for itself.
    const sequences = await readSequences(db)
    const tables = await writeTables(writer, snapshot, list)
    say(`Database: ${sumOf(Object.values(tables))} rows of ${snapshot.tables.length} tables.`)
    const repositories = await writeRepositories({ writer, previous, list }, captured)
    say(`Repositories: ${captured.length}, of which ${repositories.unchanged} have not changed.`)
    const blobs = await writeBlobs({ writer, previous, list }, join(data, 'blobs'), say)
    say(`Blobs: ${blobs.count}, of which ${blobs.unchanged} were there already.`)
    const key = readFileSync(join(data, 'secret.key'))
    if (withKeys) writeKeys(writer, data, list)
    if (lost.error) throw new BackupError(`Removals could not be held back: ${lost.error}`)
    const lists = {
      [filesPath]: writeList(writer, filesPath, list.files).sha256,
      [repositoriesPath]: writeList(writer, repositoriesPath, repositories.entries).sha256,
    }
    const manifest: Manifest = {
      format: 1,
      made_at,
      version,
      database: snapshot.kind,
      migrations: [...snapshot.migrations],
      tables,
      sequences,
      key_fingerprint: fingerprintOf(key),
      has_keys: withKeys,
      repositories: captured.length,
      blobs: blobs.count,
      bytes: list.bytes,
      lists,
    }
    const file = writer.begin(manifestPath)
    file.write(Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
    file.end()
    return manifest
  } finally {
    await snapshot.close()
  }
}

class FileList {
  readonly files: WrittenFile[] = []
  bytes = 0

  add(...files: WrittenFile[]): void {
    for (const file of files) {
      this.files.push(file)
      this.bytes += file.size
    }
  }
}

function writeList(writer: BackupWriter, path: string, entries: readonly object[]): WrittenFile {
  const file = writer.begin(path)
  for (const entry of entries) file.write(lineOf(entry))
  return file.end()
}

type Captured = { repository: FoundRepository; refs: CapturedRefs | 'unchanged' }

/** The references of all repositories, read as soon after each other as can be. */
async function captureAll(
  repositories: readonly FoundRepository[],
  previous: Previous | undefined,
): Promise<Captured[]> {
  const captured: Captured[] = []
  for (const repository of repositories) {
    const before = previous?.repositories.get(keyOf(repository))
    const isUnchanged = before !== undefined && currentSignature(repository) === before.signature
    captured.push({ repository, refs: isUnchanged ? 'unchanged' : captureRefs(repository) })
    // The hold is renewed in between.
    await setImmediate()
  }
  return captured
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
    const lines = async function* () {
      yield lineOf(table)
      for await (const batch of snapshot.rows(table)) {
        count += batch.length
        yield Buffer.from(textOf(batch))
      }
    }
    const file = writer.begin(`database/${table.name}.ndjson.gz`)
    for await (const bytes of Readable.from(lines()).pipe(createGzip({ level: 1 }))) {
      file.write(bytes)
    }
    list.add(file.end())
    counts[table.name] = count
  }
  return counts
}

function textOf(batch: readonly PlainRow[]): string {
  return batch.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function writeRepositories(
  { writer, previous, list }: Writing,
  captured: readonly Captured[],
): Promise<{ entries: BackedUpRepository[]; unchanged: number }> {
  const entries: BackedUpRepository[] = []
  const sharing: Sharing = { previous, packs: new Map() }
  const changed: Changed[] = []
  for (const { repository, refs } of captured) {
    const before = previous?.repositories.get(keyOf(repository))
    const shared = refs === 'unchanged' && shareFiles(writer, previous, before?.files ?? [])
    if (!before || !shared) {
      changed.push({ repository, refs: refs === 'unchanged' ? captureRefs(repository) : refs })
      continue
    }
    entries.push(before)
    list.add(...shared)
    // The hold is renewed in between.
    await setImmediate()
  }
  const unchanged = entries.length
  const readers = new ObjectReaders(changed.length)
  try {
    for await (const { entry, files } of writeChanged(changed, { writer, sharing, readers })) {
      entries.push(entry)
      list.add(...files)
    }
  } finally {
    await readers.close()
  }
  return { entries, unchanged }
}

type Changed = { repository: FoundRepository; refs: CapturedRefs }

/** Writes one after another, while objects of the next are read. */
async function* writeChanged(
  changed: readonly Changed[],
  uses: { writer: BackupWriter; sharing: Sharing; readers: ObjectReaders },
): AsyncGenerator<ReturnType<typeof writeRepository>> {
  const { readers } = uses
  const reads: Promise<ObjectsRead>[] = []
  for (const [at, one] of changed.entries()) {
    while (reads.length <= Math.min(at + readers.ahead, changed.length - 1)) {
      const read = readers.read(changed[reads.length]?.repository.path ?? '')
      // Whoever waits for it is told of its failure.
      read.catch(() => {})
      reads.push(read)
    }
    yield await writeAnew(one, reads[at] as Promise<ObjectsRead>, uses)
    // What is written is not kept.
    delete reads[at]
    await setImmediate()
  }
}

/** Names for files of the backup before; false where one of them cannot be had. */
function shareFiles(
  writer: BackupWriter,
  previous: Previous | undefined,
  paths: readonly string[],
): WrittenFile[] | false {
  if (!previous) return false
  const files: WrittenFile[] = []
  for (const path of paths) {
    const file = previous.files.get(path)
    if (!file || !writer.share(join(previous.folder, path), path)) return false
    files.push(file)
  }
  return files
}

async function writeAnew(
  { repository, refs }: Changed,
  read: Promise<ObjectsRead>,
  { writer, sharing }: { writer: BackupWriter; sharing: Sharing },
): Promise<ReturnType<typeof writeRepository>> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt === 1)
        return writeRepository(writer, repository, { refs, objects: await read }, sharing)
      const again = captureRefs(repository)
      const objects = readObjects(repository.path)
      return writeRepository(writer, repository, { refs: again, objects }, sharing)
    } catch (error) {
      const isLast = attempt === limits.backup.attempts_max
      if (error instanceof ChangedMeanwhile && !isLast) continue
      throw new BackupError(`${repository.path}: ${(error as Error).message}`, { cause: error })
    }
  }
}

async function writeBlobs(
  { writer, previous, list }: Writing,
  store: string,
  say: (line: string) => void,
): Promise<{ count: number; unchanged: number }> {
  let [count, unchanged] = [0, 0]
  for await (const name of blobsIn(store)) {
    const path = `blobs/${name}`
    const stats = await stat(join(store, name)).catch(() => undefined)
    if (!stats) {
      say(`A blob went away: ${name}`)
      continue
    }
    count++
    const before = previous?.files.get(path)
    // Blobs never change: a place is either that of one content, or of one random name.
    if (previous && before?.size === stats.size) {
      if (writer.share(join(previous.folder, path), path)) {
        unchanged++
        list.add(before)
        continue
      }
    }
    const file = writer.begin(path)
    const chunk = { highWaterMark: limits.backup.chunk_bytes }
    for await (const bytes of createReadStream(join(store, name), chunk)) file.write(bytes)
    list.add(file.end())
  }
  return { count, unchanged }
}

/** Blobs by their places, without what is still coming in. */
async function* blobsIn(store: string, folder = ''): AsyncGenerator<string> {
  const entries = await readdir(join(store, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const name = join(folder, entry.name)
    if (name === 'incoming') continue
    if (entry.isDirectory()) yield* blobsIn(store, name)
    else if (entry.isFile()) yield name
  }
}

function writeKeys(writer: BackupWriter, data: string, list: FileList): void {
  for (const name of keyPaths) {
    const path = join(data, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) continue
    const names = stats.isDirectory() ? readdirSync(path).map((file) => join(name, file)) : [name]
    for (const found of names) {
      const file = writer.begin(`keys/${found}`, { isSecret: true })
      file.write(readFileSync(join(data, found)))
      list.add(file.end())
    }
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
