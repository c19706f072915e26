// The objects of a repository, read as one piece of an archive. Runs in a thread, too.
import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../kernel/limits.ts'
import { tarHeader, tarPadding } from './tar.ts'

/** A repository changed so often, or lost a file, while it was read. */
export class ChangedMeanwhile extends Error {}

export type ObjectsRead = {
  /** Entries of a tar archive: files that are small, as many as are held at once. */
  archive: Buffer
  /** Paths of the others, which are files of their own in a backup. */
  large: string[]
  /** Differs once the repository was packed. */
  stamp: string
}

/** Reads all of them. Throws ChangedMeanwhile when one goes away while it does. */
export function readObjects(path: string): ObjectsRead {
  const stamp = stampOfPacks(path)
  const pieces = new TarPieces()
  const large: string[] = []
  try {
    for (const object of listObjects(path)) {
      const isRoom = pieces.bytes < limits.backup.archive_bytes_max
      const bytes = isRoom ? readSmall(join(path, object)) : undefined
      if (bytes) pieces.add(object, bytes)
      else large.push(object)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ChangedMeanwhile('A file of its objects went away.')
  }
  return { archive: pieces.take(), large, stamp }
}

/** Entries of an archive in the making. */
export class TarPieces {
  readonly #pieces: Buffer[] = []
  bytes = 0

  addFolder(path: string): void {
    this.#push(tarHeader({ path, size: 0, isFolder: true }))
  }

  add(path: string, content: Buffer): void {
    this.#push(tarHeader({ path, size: content.length }))
    this.#push(content)
    this.#push(tarPadding(content.length))
  }

  take(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  #push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.bytes += piece.length
  }
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
    const entries = namesIn(join(path, folder))
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
    for (const name of readdirSync(join(path, folder))) {
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
    const stats = statSync(join(path, name), { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.ino}:${stats.mtimeNs}` : '-'
  })
  return stamps.join(' ')
}

const buffer = Buffer.allocUnsafe(limits.backup.large_bytes_min)

/** The bytes of a file; undefined where it is large. */
function readSmall(path: string): Buffer | undefined {
  const descriptor = openSync(path, 'r')
  try {
    // A read of a file ends early only where the file does.
    const size = readSync(descriptor, buffer, 0, buffer.length, 0)
    return size < buffer.length ? Buffer.from(buffer.subarray(0, size)) : undefined
  } finally {
    closeSync(descriptor)
  }
}
