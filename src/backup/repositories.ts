// Repositories as files. References are read before objects: no object is ever removed while a backup runs, so
// all that the references lead to is among the files that lie there afterwards.
import { hash } from 'node:crypto'
import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import {
  type ArchivedRepository,
  listFolderEntries,
  RepositoryChangedWhileRead,
  signatureOfPacks,
  temporaryFilePattern,
} from './archive-repositories.ts'
import type { BackupFile, BackupWriter, FileWriter } from './backup-target.ts'
import { readFully } from './file-bytes.ts'
import { TarBuffer } from './tar.ts'

export type FoundRepository = {
  storage: string
  /** Relative to the storage, as `ab/cd/<hash>.git`. */
  name: string
  path: string
}

const depth_max = 8

/** Every bare repository of the storages, whatever it belongs to, in the order of names. */
export function* listRepositoriesOfStorages(
  storages: Readonly<Record<string, { path: string }>>,
): Generator<FoundRepository> {
  for (const [storage, { path }] of Object.entries(storages)) yield* below(storage, path, '', 0)
}

/** A part of a storage, and the signatures that repositories in it had in the backup before this one. */
export type StorageFolder = {
  storage: string
  root: string
  /** Right below the root: a folder of repositories, or one of these itself. */
  folder: string
  signatures: ReadonlyMap<string, string>
}

/** In which of the folders right below its storage a repository lies. */
export function topFolderOfRepository(name: string): string {
  return name.split('/', 1)[0] ?? ''
}

/** The parts of all storages, in the order of names. */
export function listTopFoldersOfStorages(
  storages: Readonly<Record<string, { path: string }>>,
): Omit<StorageFolder, 'signatures'>[] {
  return Object.entries(storages).flatMap(([storage, { path }]) =>
    listFolderEntries(path)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ storage, root: path, folder: name })),
  )
}

export type RepositoryWithRefSnapshot = {
  repository: FoundRepository
  refs: RefSnapshot | 'unchanged'
}
export type FolderRefSnapshots = RepositoryWithRefSnapshot[]

/** Reads the references of all repositories in one part. Throws RepositoryChangedWhileRead as `snapshotRefs` does. */
export function snapshotRefsOfFolder({ storage, root, folder, signatures }: StorageFolder) {
  const captured: FolderRefSnapshots = []
  for (const repository of at(storage, root, folder, 0)) {
    const before = signatures.get(repository.name)
    const isUnchanged = before !== undefined && currentRepositorySignature(repository) === before
    captured.push({ repository, refs: isUnchanged ? 'unchanged' : snapshotRefs(repository) })
  }
  return captured
}

function* below(
  storage: string,
  root: string,
  folder: string,
  depth: number,
): Generator<FoundRepository> {
  for (const entry of listFolderEntries(join(root, folder))) {
    if (entry.isDirectory()) yield* at(storage, root, join(folder, entry.name), depth)
  }
}

function* at(
  storage: string,
  root: string,
  name: string,
  depth: number,
): Generator<FoundRepository> {
  const last = basename(name)
  // Half-made and half-removed ones end otherwise.
  if (last.endsWith('.git')) yield { storage, name, path: join(root, name) }
  else if (!last.includes('.git.') && depth < depth_max) {
    yield* below(storage, root, name, depth + 1)
  }
}

/** Everything of a repository beside its objects, as entries of an archive: few small files, references among them. */
export type RefSnapshot = { signature: string; entries: Uint8Array }

const entries = new TarBuffer()

/**
 * Reads the references of one moment: what has changed by the end is read again. Loose ones are read before the
 * packed ones, so that one that is packed meanwhile is found in either.
 */
export function snapshotRefs({ path }: FoundRepository): RefSnapshot {
  for (let attempt = 1; attempt <= limits.backup.attempts_max; attempt++) {
    const before = lookAt(path)
    try {
      entries.clear()
      for (const name of before.files) {
        const source = `${path}/${name}`
        if (!entries.addSmallFile(name, source)) entries.add(name, readFileSync(source))
      }
      if (stampsOf(path, [...before.folders, ...before.files]) === before.stamps) {
        return { signature: signatureOf(path, before), entries: entries.take() }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new RepositoryChangedWhileRead(`The references of ${path} changed all the time.`)
}

/** Differs from what it was once a reference has moved, or the objects were packed. Reads no file. */
export function currentRepositorySignature({ path }: FoundRepository): string {
  return signatureOf(path, lookAt(path))
}

type Look = { folders: string[]; files: string[]; stamps: string }

/** Everything beside the objects, files of a folder after the folders in it: packed-refs after refs. */
function lookAt(path: string): Look {
  const folders: string[] = []
  const files: string[] = []
  const visit = (folder: string) => {
    folders.push(folder)
    const entries = listFolderEntries(`${path}/${folder}`)
    const nameOf = ({ name }: Dirent) => (folder === '' ? name : `${folder}/${name}`)
    for (const entry of entries) {
      if (entry.isDirectory() && nameOf(entry) !== 'objects') visit(nameOf(entry))
    }
    for (const entry of entries) {
      if (entry.isFile() && !temporaryFilePattern.test(nameOf(entry))) files.push(nameOf(entry))
    }
  }
  visit('')
  return { folders, files, stamps: stampsOf(path, [...folders, ...files]) }
}

/** Git replaces files as a whole, under other inodes, and a folder has the time of the last such change. */
function stampsOf(path: string, names: readonly string[]): string {
  const stamps = names.map((name) => {
    const stats = statSync(`${path}/${name}`, { bigint: true, throwIfNoEntry: false })
    return stats ? `${name} ${stats.ino} ${stats.mtimeNs} ${stats.size}` : `${name} gone`
  })
  return stamps.join('\n')
}

function signatureOf(path: string, { stamps }: Look): string {
  const packs = stampsOf(path, ['objects/pack', 'objects/info', 'objects/info/commit-graphs'])
  return hash('sha256', `${stamps}\n${packs}`)
}

/** Where the large files of a repository lie in the backup. */
export function largeFilesPathOf({ storage, name }: { storage: string; name: string }): string {
  const flat = encodeURIComponent(name)
  return `repositories/${storage}/${basename(name).slice(0, 2)}/${flat}`
}

export type ReuseFromPreviousBackup = {
  /** What the backup before this one has, by path. */
  previous: { name: string; files: ReadonlyMap<string, BackupFile> } | undefined
  /** Packs that several repositories have under names of their own, by device and inode. */
  packs: Map<string, BackupFile>
}

/**
 * Writes the large files of a repository that was read. Throws RepositoryChangedWhileRead when it was packed at the same time:
 * then the caller begins again.
 */
export async function writeLargeFiles(
  writer: BackupWriter,
  repository: FoundRepository,
  { large, stamp }: ArchivedRepository,
  sharing: ReuseFromPreviousBackup,
): Promise<BackupFile[]> {
  if (large.length === 0) return []
  const { path } = repository
  const place = largeFilesPathOf(repository)
  const files: BackupFile[] = []
  try {
    for (const object of large) {
      await withFile(join(path, object), async (descriptor, { size, dev, ino, nlink }) => {
        const key = nlink > 1 ? `${dev}:${ino}` : undefined
        const target = `${place}/${object}`
        files.push(await writeLarge(writer, { target, descriptor, size, key }, sharing))
      })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RepositoryChangedWhileRead('A file of its objects went away.')
  }
  if (signatureOfPacks(path) !== stamp)
    throw new RepositoryChangedWhileRead('It was packed meanwhile.')
  return files
}

async function withFile(
  path: string,
  work: (descriptor: number, stats: Stats) => Promise<void>,
): Promise<void> {
  const descriptor = openSync(path, 'r')
  try {
    await work(descriptor, fstatSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

async function writeLarge(
  writer: BackupWriter,
  file: { target: string; descriptor: number; size: number; key: string | undefined },
  { previous, packs }: ReuseFromPreviousBackup,
): Promise<BackupFile> {
  const { target, descriptor, size, key } = file
  // A pack is named by what is in it, so one of that name and size is this one.
  const before = previous?.files.get(target)
  if (previous && before?.size === size && isNamedByContent(target)) {
    if (await writer.share({ ...before, backup: previous.name }, target)) return before
  }
  const twin = key === undefined ? undefined : packs.get(key)
  if (twin && (await writer.share(twin, target))) return { ...twin, path: target }
  const out = writer.begin(target)
  await copyBytes(descriptor, size, out)
  const written = await out.end()
  if (key !== undefined) packs.set(key, written)
  return written
}

function isNamedByContent(path: string): boolean {
  return /\/pack-[0-9a-f]{40}\.(pack|idx|rev)$/.test(path)
}

async function copyBytes(descriptor: number, size: number, out: FileWriter): Promise<void> {
  for (let position = 0; position < size; ) {
    const length = Math.min(limits.backup.chunk_bytes, size - position)
    const bytes = readFully(descriptor, { position, length })
    if (bytes.length < length) throw new RepositoryChangedWhileRead('A file became shorter.')
    await out.write(bytes)
    position += length
  }
}
