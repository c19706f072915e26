// Reads a repository as one archive: its captured references, then its objects. Also runs in a thread.
import { hash } from 'node:crypto'
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { limits } from '../kernel/limits.ts'
import { formatTarHeader, TarBuffer } from './tar.ts'

/** A repository changed too often while it was read, or lost a file. */
export class RepositoryChangedWhileRead extends Error {}

export type ArchivedRepository = {
  /** A tar archive of the small files, up to the size that fits into memory. */
  archive: Buffer
  sha256: string
  /** The paths of the other files, which a backup stores separately. */
  large: string[]
  /** Changes when the repository is packed. */
  stamp: string
}

/** The path of a repository, and the entries of its references as captured before. */
export type RepositoryToArchive = { path: string; refs: Uint8Array }

/** Archives of several repositories in one piece of memory, which is quicker handed to another thread. */
export type ArchivedRepositoryBatch = {
  bytes: Buffer<ArrayBuffer>
  /** The results in the order of the request. The last ones are missing if there was no room for them. */
  reads: (
    | (Omit<ArchivedRepository, 'archive'> & { start: number; end: number })
    | { changed: string }
  )[]
}

const archives = new TarBuffer()

/** Reads all objects of some repositories and adds them to archives, after the captured references. */
export function archiveRepositories(
  repositories: readonly RepositoryToArchive[],
): ArchivedRepositoryBatch {
  const reads: ArchivedRepositoryBatch['reads'] = []
  archives.clear()
  for (const repository of repositories) {
    if (archives.length >= limits.backup.container_bytes_max) break
    const start = archives.length
    try {
      const read = addRepository(repository)
      const end = archives.length
      reads.push({ ...read, start, end, sha256: hash('sha256', archives.since(start)) })
    } catch (error) {
      if (!(error instanceof RepositoryChangedWhileRead)) throw error
      archives.length = start
      reads.push({ changed: error.message })
    }
  }
  return { bytes: archives.take(), reads }
}

/**
 * Adds the repository to the archive. Throws RepositoryChangedWhileRead if an object is deleted meanwhile, or
 * the repository is packed.
 */
function addRepository({
  path,
  refs,
}: RepositoryToArchive): Pick<ArchivedRepository, 'large' | 'stamp'> {
  const stamp = signatureOfPacks(path)
  const large: string[] = []
  const end_max = archives.length + limits.backup.archive_bytes_max
  for (const empty of ['objects', 'refs']) archives.addFolder(empty)
  archives.append(refs)
  try {
    for (const object of listObjects(path)) {
      const isRoom = archives.length < end_max
      if (!isRoom || !archives.addSmallFile(object, `${path}/${object}`)) large.push(object)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RepositoryChangedWhileRead('A file of its objects went away.')
  }
  if (signatureOfPacks(path) !== stamp)
    throw new RepositoryChangedWhileRead('It was packed meanwhile.')
  archives.end()
  return { large, stamp }
}

/** Inserts entries of references into an archive that was made without them, where `archiveRepositories` puts them. */
export function insertRefs(archive: Buffer, refs: Uint8Array): Buffer {
  const start = formatTarHeader({ path: 'objects', size: 0, isFolder: true }).length * 2
  return Buffer.concat([archive.subarray(0, start), refs, archive.subarray(start)])
}

export function listFolderEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Temporary files of git. */
export const temporaryFilePattern = /\.lock$|(^|\/)\.?tmp[_-]/

function isQuarantine(name: string): boolean {
  return /^objects\/(incoming-|tmp_)/.test(name)
}

/** Lists the files of objects: loose objects, packs with their indexes, and the files that list these. */
function listObjects(path: string): string[] {
  const found: string[] = []
  const visit = (folder: string) => {
    const entries = listFolderEntries(`${path}/${folder}`)
    const names = new Set(entries.map(({ name }) => name))
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (looseFolder.test(entry.name)) visitLoose(name)
        else if (!isQuarantine(name)) visit(name)
        continue
      }
      const isHalf =
        entry.name.startsWith('pack-') && !names.has(entry.name.replace(/\.\w+$/, '.idx'))
      if (!isHalf && !temporaryFilePattern.test(name)) found.push(name)
    }
  }
  // Folders of loose objects can contain many files, but nothing else, so their entries need no further
  // checks.
  const visitLoose = (folder: string) => {
    for (const name of readdirSync(`${path}/${folder}`)) {
      if (looseObject.test(name)) found.push(`${folder}/${name}`)
    }
  }
  visit('objects')
  return found
}

const looseFolder = /^[0-9a-f]{2}$/
const looseObject = /^[0-9a-f]{38}$/

/** Returns what changes when the repository is repacked: indexes that span several packs, and the packs themselves. */
export function signatureOfPacks(path: string): string {
  const stamps = ['objects/pack/multi-pack-index', 'objects/info/commit-graphs'].map((name) => {
    const stats = statSync(`${path}/${name}`, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.ino}:${stats.mtimeNs}` : '-'
  })
  return stamps.join(' ')
}
