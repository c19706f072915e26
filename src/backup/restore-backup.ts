// Restores a backup into an empty place, with either database. Only data with a matching digest is used.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { deleteBlobMarker, writeBlobMarker } from '../blobs/blob-marker.ts'
import { parseBlobPlace } from '../blobs/blob-place.ts'
import { type BlobStore, blobStoreOf, listBlobs, receiveBlob } from '../blobs/blob-store.ts'
import type { S3Place } from '../blobs/s3-place.ts'
import type { Db } from '../db/db.ts'
import { hasTables, isDatabaseInUse, putDatabaseAside } from '../db/existing-database.ts'
import {
  countRowsByTable,
  insertSnapshotRows,
  type SnapshotTable,
  writeSequences,
} from '../db/insert-snapshot-rows.ts'
import { isPostgresUrl, knownMigrations, migrate, openDatabase } from '../db/open.ts'
import type { PlainRow, TableShape } from '../db/snapshot.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts'
import { isPathInside } from '../kernel/is-path-inside.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { BackupError } from './backup-error.ts'
import { type BackupFile, type BackupReader, backupNameAt } from './backup-target.ts'
import { readRepositoryArchive } from './containers.ts'
import { writeFully } from './file-bytes.ts'
import { fsyncFolderTree } from './folder-target.ts'
import { largeFilesPathOf } from './large-files.ts'
import {
  type BackedUpRepository,
  listBackedUpRepositories,
  listBackupFiles,
  type Manifest,
  readManifest,
  readNdjsonLines,
  secretKeyFingerprint,
} from './manifest.ts'
import { markRestoreBegun, markRestoreEnded } from './restore-marker.ts'
import type { BackupPlaces } from './take-backup.ts'
import { readTarEntries } from './tar.ts'
import { readVerifiedFile } from './verify-backup.ts'

export type RestoreOptions = BackupPlaces & {
  reader: BackupReader
  /** Whether existing data is moved aside. */
  overwrites: boolean
  /** Names of the storages whose repositories are restored on other servers. */
  storagesElsewhere: readonly string[]
  /**
   * Whether to restore only the repositories of `storages`, because another server has restored everything
   * else.
   */
  isRepositoriesOnly: boolean
  clock: Clock
  print: (line: string) => void
}

/**
 * Restores everything except the repositories in storages of other servers. Returns the manifest of the backup. Throws
 * BackupError if it refuses to restore.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { reader, data, storages, storagesElsewhere, isRepositoriesOnly, clock, print } = options
  const manifest = await readManifest(reader)
  // The lists contain the digests of all other files, so they are verified first.
  for (const [path, sha256] of Object.entries(manifest.lists)) {
    for await (const _ of readVerifiedFile(reader, { path, sha256 }));
  }
  for await (const { storage } of listBackedUpRepositories(reader)) {
    if (Object.hasOwn(storages, storage) || storagesElsewhere.includes(storage)) continue
    throw new BackupError(
      `The backup has repositories of the storage ${storage}. Add it to BLOOMERY_STORAGES.`,
    )
  }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (!isRepositoriesOnly) {
    checkKey(manifest, data)
    checkVersion(manifest)
  }
  await makeRoom(
    options,
    options.overwrites ? `before-restore-${backupNameAt(timestamp(clock))}` : undefined,
  )
  markRestoreBegun(data)
  const files = new Map<string, BackupFile>()
  for await (const file of listBackupFiles(reader)) files.set(file.path, file)
  if (!isRepositoriesOnly) {
    if (manifest.has_keys) await restoreKeys(reader, files, data, print)
    const rows = await restoreDatabase(reader, manifest, { files, url: options.url })
    print(
      `Database: ${rows} rows of ${Object.keys(manifest.tables).length} tables, the counts of the backup.`,
    )
  }
  await restoreRepositories(options, files)
  if (!isRepositoriesOnly) print(`Blobs: ${await restoreBlobs(reader, files, options)}.`)
  markRestoreEnded(data)
  return manifest
}

async function restoreRepositories(
  { reader, storages, print }: RestoreOptions,
  files: ReadonlyMap<string, BackupFile>,
): Promise<void> {
  let count = 0
  const skipped = new Map<string, number>()
  for await (const entry of listBackedUpRepositories(reader)) {
    const root = ownValue(storages, entry.storage)?.path
    if (root === undefined) {
      skipped.set(entry.storage, (skipped.get(entry.storage) ?? 0) + 1)
      continue
    }
    const saved = entry.files.map((path) => expected(files, path))
    await restoreRepository(reader, { entry, files: saved }, join(root, safe(entry.name)))
    count++
    await setImmediate()
  }
  for (const { path } of Object.values(storages)) if (existsSync(path)) await fsyncFolderTree(path)
  print(`Repositories: ${count}.`)
  for (const [storage, number] of skipped) {
    print(
      `Not restored here: ${number} repositories of storage ${storage}, which is on another server.`,
    )
  }
}

function expected(files: ReadonlyMap<string, BackupFile>, path: string): BackupFile {
  const file = files.get(path)
  if (!file) throw new BackupError(`${path} is missing in the file list of the backup.`)
  return file
}

/** Returns the path. Throws BackupError if it leads out of its folder. */
function safe(path: string): string {
  if (!isPathInside(path))
    throw new BackupError(`The backup has a path outside its folder: ${path}`)
  return path
}

/** Throws without the key that encrypted the secrets in the rows, since they could never be decrypted. */
function checkKey({ has_keys, key_fingerprint }: Manifest, data: string): void {
  if (has_keys) return
  const path = join(data, 'secret.key')
  if (!existsSync(path)) {
    throw new BackupError(
      `The backup has no keys. Copy the secret.key of the backed-up server to ${path} first. ` +
        'Without it the secrets in the database (variables, mirror tokens, one-time passwords) are lost.',
    )
  }
  if (secretKeyFingerprint(readFileSync(path)) === key_fingerprint) return
  throw new BackupError(`${path} is not the key of the backed-up server.`)
}

function checkVersion({ migrations, version }: Manifest): void {
  const unknown = migrations.filter((name) => !knownMigrations.includes(name))
  if (unknown.length === 0) return
  throw new BackupError(
    `The backup was taken by a newer version, ${version}. Unknown migrations: ${unknown.join(', ')}.`,
  )
}

/** Throws if the destination is not empty, or moves its content aside under the given name. */
async function makeRoom(
  { url, data, blobs, storages, isRepositoriesOnly }: RestoreOptions,
  aside: string | undefined,
): Promise<void> {
  if (blobs && !isRepositoriesOnly) await refuseFullBucket(blobStoreOf({ data, blobs }), blobs)
  const inTheWay: string[] = []
  const hasDatabase = !isRepositoriesOnly && (await hasTables(url))
  if (hasDatabase) inTheWay.push(isPostgresUrl(url) ? 'the database' : url)
  const folders = Object.values(storages).map(({ path }) => path)
  if (!isRepositoriesOnly) folders.unshift(join(data, 'blobs'))
  const full = folders.filter(holdsData)
  inTheWay.push(...full)
  if (inTheWay.length === 0) return
  if (aside === undefined) {
    throw new BackupError(
      `The target is not empty: ${inTheWay.join(', ')}. ` +
        'With --overwrite existing data is renamed first.',
    )
  }
  if (!isRepositoriesOnly) {
    if (await isDatabaseInUse(url)) {
      throw new BackupError('The database is in use. Stop the server first.')
    }
    await putDatabaseAside(url, aside)
  }
  for (const path of full) renameSync(path, `${path}.${aside}`)
}

/**
 * Returns whether the name may exist on an empty disk: the storage marker
 * (features/operating/nodes/storage-marker.ts), and the folder of fsck.
 */
const isNoData = (name: string) => name === '.bloomery-storage' || name === 'lost+found'

function holdsData(folder: string): boolean {
  return existsSync(folder) && !readdirSync(folder).every(isNoData)
}

/** Throws if the bucket is not empty. Objects cannot be renamed, so they are never moved aside. */
async function refuseFullBucket(store: BlobStore, { name }: S3Place): Promise<void> {
  for await (const { place } of listBlobs({ ...store, path: join(store.path, 'none') })) {
    throw new BackupError(
      `The target is not empty: ${name} has ${place}. Give BLOOMERY_BLOBS another folder of the bucket.`,
    )
  }
}

async function restoreKeys(
  reader: BackupReader,
  files: ReadonlyMap<string, BackupFile>,
  data: string,
  print: (line: string) => void,
): Promise<void> {
  for (const file of files.values()) {
    if (!file.path.startsWith('keys/')) continue
    const name = safe(file.path.slice('keys/'.length))
    const target = join(data, name)
    if (existsSync(target)) {
      print(`${target} exists and was kept.`)
      continue
    }
    await writeOut(reader, file, target)
    chmodSync(target, 0o600)
  }
  checkKey({ ...(await readManifest(reader)), has_keys: false }, data)
}

/** Loads the rows into a schema of the backup's version, and then migrates the schema. */
async function restoreDatabase(
  reader: BackupReader,
  manifest: Manifest,
  { files, url }: { files: ReadonlyMap<string, BackupFile>; url: string },
): Promise<number> {
  const db = await openDatabase({ url, migrates: false })
  try {
    await migrate(db, manifest.migrations.at(-1))
    const loaded = await insertSnapshotRows(db, tablesIn(reader, manifest, files))
    await writeSequences(db, manifest.sequences)
    await compareCounts(db, manifest)
    await migrate(db)
    return [...loaded.values()].reduce((sum, count) => sum + count, 0)
  } finally {
    await db.destroy()
  }
}

async function* tablesIn(
  reader: BackupReader,
  manifest: Manifest,
  files: ReadonlyMap<string, BackupFile>,
): AsyncGenerator<SnapshotTable> {
  for (const [name, count] of Object.entries(manifest.tables)) {
    if (count === 0) continue
    const file = expected(files, `database/${name}.ndjson.gz`)
    const bytes = Readable.from(readVerifiedFile(reader, file))
    const gunzip = createGunzip()
    bytes.on('error', (error) => gunzip.destroy(error))
    const lines = readNdjsonLines<TableShape | PlainRow>(bytes.pipe(gunzip))
    const { value: shape } = await lines.next()
    yield { shape: shape as TableShape, rows: lines as AsyncGenerator<PlainRow> }
  }
}

async function compareCounts(db: Db, { tables }: Manifest): Promise<void> {
  const found = await countRowsByTable(db)
  const wrong = Object.entries(tables).filter(([name, count]) => found.get(name) !== count)
  if (wrong.length === 0) return
  const texts = wrong.map(([name, count]) => `${name} has ${found.get(name)} of ${count}`)
  throw new BackupError(`Row counts differ from the backup: ${texts.join(', ')}.`)
}

async function restoreRepository(
  reader: BackupReader,
  { entry, files }: { entry: BackedUpRepository; files: readonly BackupFile[] },
  path: string,
): Promise<void> {
  mkdirSync(path, { recursive: true })
  extract(await readRepositoryArchive(reader, entry), path)
  const base = largeFilesPathOf(entry)
  for (const file of files) {
    await writeOut(reader, file, join(path, safe(file.path.slice(base.length + 1))))
  }
}

function extract(archive: Buffer, folder: string): void {
  const made = new Set<string>()
  const make = (path: string) => {
    if (made.has(path)) return
    mkdirSync(path, { recursive: true })
    made.add(path)
  }
  const readAt = (position: number, length: number) => archive.subarray(position, position + length)
  for (const { path, size, isFolder, start } of readTarEntries(readAt)) {
    const target = join(folder, safe(path))
    make(isFolder ? target : dirname(target))
    if (!isFolder) writeFileSync(target, readAt(start, size), { flag: 'wx', mode: 0o644 })
  }
}

async function restoreBlobs(
  reader: BackupReader,
  files: ReadonlyMap<string, BackupFile>,
  { data, blobs }: BackupPlaces,
): Promise<number> {
  const saved = [...files.values()].filter(({ path }) => path.startsWith('blobs/'))
  if (blobs?.storesNewBlobs) await storeBlobs(reader, saved, blobStoreOf({ data, blobs }))
  else {
    for (const file of saved) await writeOut(reader, file, join(data, safe(file.path)))
    if (saved.length > 0) await fsyncFolderTree(join(data, 'blobs'))
  }
  if (blobs) writeBlobMarker({ data, blobs })
  else deleteBlobMarker({ data, blobs })
  return saved.length
}

/** Stores blobs in S3, several at a time. */
async function storeBlobs(
  reader: BackupReader,
  saved: readonly BackupFile[],
  store: BlobStore,
): Promise<void> {
  await forEachConcurrently(saved, limits.s3.moves_at_once, async (file) => {
    const place = parseBlobPlace(file.path.slice('blobs/'.length))
    if (!place) throw new BackupError(`The backup has a blob with a malformed name: ${file.path}`)
    const stream = Readable.from(readVerifiedFile(reader, file))
    const received = await receiveBlob(store, stream, { place, bytes_max: file.size })
    await received.commit()
  })
}

async function writeOut(reader: BackupReader, file: BackupFile, target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const descriptor = openSync(target, 'wx', 0o600)
  try {
    for await (const chunk of readVerifiedFile(reader, file)) writeFully(descriptor, chunk)
  } finally {
    closeSync(descriptor)
  }
}
