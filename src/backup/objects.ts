// A repository read as one archive: what was captured of it, and then its objects. Runs in a thread, too.
import { hash } from 'node:crypto'
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { limits } from '../kernel/limits.ts'
import { TarBuffer } from './tar.ts'

/** A repository changed so often, or lost a file, while it was read. */
export class ChangedMeanwhile extends Error {}

export type RepositoryRead = {
  /** A tar archive: files that are small, as many as are held at once. */
  archive: Buffer
  sha256: string
  /** Paths of the others, which are files of their own in a backup. */
  large: string[]
  /** Differs once the repository was packed. */
  stamp: string
}

const archive = new TarBuffer()

/**
 * Reads all objects of a repository, and puts them behind the entries of what was captured before. Throws
 * ChangedMeanwhile when one goes away while it does, or when it is packed.
 */
export function readRepository(path: string, refs: Uint8Array): RepositoryRead {
  const stamp = stampOfPacks(path)
  const large: string[] = []
  archive.clear()
  for (const empty of ['objects', 'refs']) archive.addFolder(empty)
  archive.append(refs)
  try {
    for (const object of listObjects(path)) {
      const isRoom = archive.length < limits.backup.archive_bytes_max
      if (!isRoom || !archive.addSmallFile(object, `${path}/${object}`)) large.push(object)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ChangedMeanwhile('A file of its objects went away.')
  }
  if (stampOfPacks(path) !== stamp) throw new ChangedMeanwhile('It was packed meanwhile.')
  archive.end()
  const bytes = archive.take()
  return { archive: bytes, sha256: hash('sha256', bytes), large, stamp }
}

export function namesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Files of git's that are there for a moment. */
export const passing = /\.lock$|(^|\/)\.?tmp[_-]/

function isQuarantine(name: string): boolean {
  return /^objects\/(incoming-|tmp_)/.test(name)
}

/** Files of objects that count: loose ones, packs with their index, and what lists them. */
function listObjects(path: string): string[] {
  const found: string[] = []
  const visit = (folder: string) => {
    const entries = namesIn(`${path}/${folder}`)
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
      if (!isHalf && !passing.test(name)) found.push(name)
    }
  }
  // There are many of these, and nothing but objects in them.
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

/** What spans several packs, and which packs there are that a repack would take away. */
export function stampOfPacks(path: string): string {
  const stamps = ['objects/pack/multi-pack-index', 'objects/info/commit-graphs'].map((name) => {
    const stats = statSync(`${path}/${name}`, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.ino}:${stats.mtimeNs}` : '-'
  })
  return stamps.join(' ')
}
