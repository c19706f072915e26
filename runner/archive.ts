// Zip archives of artifacts and caches. Names and links in them are untrusted: nothing is unpacked outside of the target
// folder, and nothing is read through a link.
import { createWriteStream } from 'node:fs'
import { chmod, lstat, mkdir, readlink, rm, symlink, utimes } from 'node:fs/promises'
import { dirname, join, normalize, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'

export const archiveLimits = {
  entries_max: 500_000,
  /** The maximum size of all unpacked files together. */
  bytes_max: 20 * 1024 ** 3,
  /** The maximum ratio of unpacked to packed size, beyond the first `free_bytes`. */
  ratio_max: 200,
  free_bytes: 64 * 1024 ** 2,
  link_bytes_max: 4096,
}

/** An archive cannot be unpacked; the message says why. */
export class ArchiveError extends Error {}

const types = { mask: 0o170000, link: 0o120000, folder: 0o040000 }

/**
 * Packs files, folders and links of `folder` into a new archive at `path`. A link is packed as a link, and
 * left out where it leads out of the folder.
 */
export async function packArchive(
  path: string,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const { ZipFile: NewArchive } = await import('yazl')
  const archive = new NewArchive()
  const written = pipeline(archive.outputStream, createWriteStream(path, { mode: 0o600 }))
  const failed = new Promise<never>((_resolve, reject) => {
    archive.on('error', reject)
  })
  const add = async () => {
    for (const name of names) {
      const file = join(folder, name)
      const stats = await lstat(file)
      const options = { mtime: stats.mtime, mode: stats.mode }
      if (stats.isDirectory()) archive.addEmptyDirectory(name, options)
      else if (stats.isFile()) archive.addFile(file, name, options)
      else if (stats.isSymbolicLink()) {
        const target = await readlink(file)
        if (!staysInside(name, target)) continue
        archive.addBuffer(Buffer.from(target), name, { ...options, compress: false })
      }
    }
    archive.end()
    await written
  }
  await Promise.race([add(), failed])
}

/** Returns whether the target of a link stays inside of the folder. */
function staysInside(name: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const place = posix.normalize(posix.join(posix.dirname(name), target))
  return place !== '..' && !place.startsWith('../')
}

/** Unpacks an archive into `folder`, over what is there, and answers how many files came. */
export async function unpackArchive(path: string, folder: string): Promise<number> {
  const { openPromise } = await import('yauzl')
  let archive: ZipFile
  try {
    archive = await openPromise(path, { autoClose: false, strictFileNames: true })
  } catch (error) {
    throw new ArchiveError(`The archive cannot be read: ${(error as Error).message}`)
  }
  try {
    const entries = await readEntries(archive)
    const { size } = await lstat(path)
    refuseBombs(entries, size)
    return await unpackEntries(archive, entries, folder)
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError(`The archive cannot be unpacked: ${(error as Error).message}`)
  } finally {
    archive.close()
  }
}

/** Reads all entries. The library refuses names with backslashes, absolute names, and those with `..`. */
async function readEntries(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  if (archive.entryCount > archiveLimits.entries_max) {
    throw new ArchiveError(`The archive has more than ${archiveLimits.entries_max} entries.`)
  }
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.includes('\0'))
      throw new ArchiveError('The archive has a file name with a NUL byte.')
    entries.push(entry)
  }
  return entries
}

/** Throws if the archive unpacks to too much. The reader also compares declared sizes with the actual ones. */
function refuseBombs(entries: readonly Entry[], size: number): void {
  const { bytes_max, ratio_max, free_bytes } = archiveLimits
  const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  if (bytes > bytes_max || bytes > free_bytes + size * ratio_max) {
    throw new ArchiveError(`The archive is too large: ${bytes} bytes unpacked.`)
  }
}

async function unpackEntries(
  archive: ZipFile,
  entries: readonly Entry[],
  folder: string,
): Promise<number> {
  let files = 0
  const links: Entry[] = []
  for (const entry of entries) {
    const mode = entry.externalFileAttributes >>> 16
    if (entry.fileName.endsWith('/')) await makeFolders(folder, entry.fileName)
    else if ((mode & types.mask) === types.link) links.push(entry)
    else {
      await unpackFile(archive, entry, folder)
      files++
    }
  }
  // Links are created last, so that no file is written through a link of the archive.
  for (const entry of links) await unpackLink(archive, entry, folder)
  for (const entry of entries) {
    const mode = (entry.externalFileAttributes >>> 16) & 0o777
    if (!entry.fileName.endsWith('/') || mode === 0) continue
    const path = join(folder, entry.fileName)
    if ((await lstat(path)).isDirectory()) await chmod(path, mode | 0o700)
  }
  return files + links.length
}

async function unpackFile(archive: ZipFile, entry: Entry, folder: string): Promise<void> {
  const path = await makePlace(folder, entry.fileName)
  const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644
  const stream = await archive.openReadStreamPromise(entry)
  // There must be no `await` before this: an error of a stream without a listener would end the process.
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode }))
  await chmod(path, mode)
  const modified = entry.getLastModDate()
  await utimes(path, modified, modified)
}

async function unpackLink(archive: ZipFile, entry: Entry, folder: string): Promise<void> {
  if (entry.uncompressedSize > archiveLimits.link_bytes_max) {
    throw new ArchiveError(
      `The archive has a link with a target that is too long: ${entry.fileName}`,
    )
  }
  const chunks: Buffer[] = []
  for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  const target = Buffer.concat(chunks).toString()
  if (!staysInside(entry.fileName, target)) {
    throw new ArchiveError(`The archive has a link to a path outside its folder: ${entry.fileName}`)
  }
  await symlink(target, await makePlace(folder, entry.fileName))
}

/** Returns the path of a file after making room for it; a folder with content is not deleted. */
async function makePlace(folder: string, name: string): Promise<string> {
  await makeFolders(folder, dirname(normalize(name)))
  const path = join(folder, name)
  await rm(path, { force: true })
  return path
}

/** Creates the folders of a path one by one. A link in the path is replaced and never followed. */
async function makeFolders(folder: string, name: string): Promise<void> {
  let path = folder
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue
    path = join(path, part)
    const stats = await lstat(path).catch(() => undefined)
    if (stats?.isDirectory()) continue
    if (stats) await rm(path)
    await mkdir(path)
  }
}
