// Repositories as files. References are read before objects: no object is deleted while a backup runs, so everything
// that is reachable from the references is in files that exist afterwards.
import { hash } from 'node:crypto'
import { type Dirent, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import {
  listFolderEntries,
  RepositoryChangedWhileRead,
  temporaryFilePattern,
} from './archive-repositories.ts'
import { TarBuffer } from './tar.ts'

/** A repository by its storage and its name relative to that storage: `ab/cd/<hash>.git`. */
export type StoredRepository = { storage: string; name: string }

/** A repository that is on a disk of this machine. */
export type FoundRepository = StoredRepository & { path: string }

const depth_max = 8

/** Lists all bare repositories of the storages, of projects, wikis and everything else, in order of names. */
export function* listRepositoriesOfStorages(
  storages: Readonly<Record<string, { path: string }>>,
): Generator<FoundRepository> {
  for (const [storage, { path }] of Object.entries(storages)) yield* below(storage, path, '', 0)
}

/** A part of a storage, and the signatures that its repositories had in the previous backup, by name. */
export type StorageFolder = {
  storage: string
  /** An entry directly below the root of the storage: a folder of repositories, or a repository. */
  folder: string
  signatures: ReadonlyMap<string, string>
}

/** Returns the folder of the storage's root that a repository is in. */
export function topFolderOfRepository(name: string): string {
  return name.split('/', 1)[0] ?? ''
}

/** The folders right below the root of a storage, in the order of names. */
export function listTopFolders(root: string): string[] {
  return listFolderEntries(root)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

export type RepositoryWithRefSnapshot = {
  repository: StoredRepository
  refs: RefSnapshot | 'unchanged'
}
export type FolderRefSnapshots = RepositoryWithRefSnapshot[]

/** Reads the references of all repositories in one part. Throws RepositoryChangedWhileRead as `snapshotRefs` does. */
export function snapshotRefsOfFolder(
  root: string,
  { storage, folder, signatures }: StorageFolder,
): FolderRefSnapshots {
  const captured: FolderRefSnapshots = []
  for (const { name, path } of at(storage, root, folder, 0)) {
    const before = signatures.get(name)
    const isUnchanged = before !== undefined && currentRepositorySignature({ path }) === before
    const refs = isUnchanged ? 'unchanged' : snapshotRefs({ path })
    captured.push({ repository: { storage, name }, refs })
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
  // Unfinished and partly deleted repositories have other endings.
  if (last.endsWith('.git')) yield { storage, name, path: join(root, name) }
  else if (!last.includes('.git.') && depth < depth_max) {
    yield* below(storage, root, name, depth + 1)
  }
}

/** Everything in a repository except its objects, as entries of an archive: a few small files, among them the references. */
export type RefSnapshot = { signature: string; entries: Uint8Array }

const entries = new TarBuffer()

/**
 * Reads the references of one moment: what has changed by the end is read again. Loose ones are read before the
 * packed ones, so that one that is packed meanwhile is found in either.
 */
export function snapshotRefs({ path }: { path: string }): RefSnapshot {
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

/** Returns a value that changes when a reference moves or the objects are packed. Reads no file contents. */
export function currentRepositorySignature({ path }: { path: string }): string {
  return signatureOf(path, lookAt(path))
}

type Look = { folders: string[]; files: string[]; stamps: string }

/**
 * Lists everything except the objects. The files of a folder come after its subfolders, so packed-refs is
 * read after refs.
 */
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

/**
 * Returns inodes, times and sizes. Git replaces files by new ones with other inodes, which also changes the
 * time of the folder.
 */
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
