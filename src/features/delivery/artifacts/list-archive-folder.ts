// Lists the direct contents of a folder in an archive. Folders need no entries of their own.
import { findCentralDirectory, listZipEntries, ZipError, type ZipFile } from '../../../blobs/zip.ts'

export type ArchiveFolderEntry = {
  name: string
  path: string
  type: 'directory' | 'file'
  size?: number
}

/**
 * Returns the entries of a folder, folders first, each sorted by name; none if it is not a folder, or the file not a zip.
 * `path` has no slash at its end, and is empty for the whole archive. `hasOwnTree` says whether a file of the archive is
 * called `tree`.
 */
export async function listArchiveFolder(
  zip: ZipFile,
  path: string,
): Promise<{ entries: ArchiveFolderEntry[]; hasOwnTree: boolean }> {
  const prefix = path === '' ? '' : `${path}/`
  const found = new Map<string, ArchiveFolderEntry>()
  let hasOwnTree = false
  try {
    for await (const entries of listZipEntries(zip, await findCentralDirectory(zip))) {
      for (const { name: full, size } of entries) {
        if (full === 'tree') hasOwnTree = true
        if (!full.startsWith(prefix) || full === prefix) continue
        const [name = ''] = full.slice(prefix.length).split('/', 1)
        if (name === '' || found.has(name)) continue
        const isFile = full.length === prefix.length + name.length
        const entry = { name, path: prefix + name }
        found.set(name, isFile ? { ...entry, type: 'file', size } : { ...entry, type: 'directory' })
      }
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
  }
  const order = (a: ArchiveFolderEntry, b: ArchiveFolderEntry) =>
    a.type === b.type ? (a.name < b.name ? -1 : 1) : a.type === 'directory' ? -1 : 1
  return { entries: [...found.values()].sort(order), hasOwnTree }
}
