// The directory of a site's archive, read once and cached. Names are looked up as they are in the archive, so no file
// outside of the site's folder can be reached.
import { LRUCache } from 'lru-cache'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import {
  findCentralDirectory,
  isZipEntryReadable,
  listZipEntries,
  type ZipEntry,
  ZipError,
  type ZipFile,
} from '../../../blobs/zip.ts'
import type { Config } from '../../../config.ts'
import { limits } from '../../../kernel/limits.ts'

export type SiteArchive = {
  readonly blob: string
  readonly size: number
  /** The folder of the archive that contains the site, without leading and trailing slashes. */
  readonly root: string
}

export type SiteFile = Pick<
  ZipEntry,
  'name' | 'size' | 'compressed_size' | 'method' | 'offset' | 'isEncrypted' | 'isLink'
>

export type SiteIndex = {
  /** The files by path below the folder, such as `css/a.css`. */
  readonly files: ReadonlyMap<string, SiteFile>
  readonly unpacked_bytes: number
  readonly kept_bytes: number
}

/** The archive cannot be a site; the message is for those who made it. */
export class InvalidSiteArchiveError extends Error {}

/** The estimated memory of an entry without its name. */
const entry_bytes = 200

const kept = new LRUCache<string, Promise<SiteIndex>>({ max: 10_000 })
const sizes = new LRUCache<string, number>({
  maxSize: limits.pages.kept_index_bytes,
  sizeCalculation: (bytes) => bytes,
  dispose: (_, blob, reason) => {
    if (reason !== 'set') kept.delete(blob)
  },
})

/** Loads the directory of a site's archive. Throws InvalidSiteArchiveError if it has none. */
export function loadSiteIndex(config: Config, site: SiteArchive): Promise<SiteIndex> {
  const found = kept.get(site.blob)
  if (found) {
    sizes.get(site.blob)
    return found
  }
  const reading = readSiteIndex(openSiteArchive(config, site), site.root)
  kept.set(site.blob, reading)
  reading.then(
    ({ kept_bytes }) => sizes.set(site.blob, kept_bytes),
    () => kept.delete(site.blob),
  )
  return reading
}

export function openSiteArchive(config: Config, { blob, size }: SiteArchive): ZipFile {
  return {
    size,
    async read(range) {
      const stream = await readBlob(blobStoreOf(config), ownBlobPlace('pages', blob), range)
      if (!stream) throw new Error(`The blob ${blob} of a site was not found.`)
      return stream
    },
  }
}

export async function readSiteIndex(zip: ZipFile, root: string): Promise<SiteIndex> {
  const { entries_max, index_bytes } = limits.pages
  const files = new Map<string, SiteFile>()
  let [unpacked_bytes, kept_bytes] = [0, entry_bytes]
  try {
    for await (const entries of listZipEntries(zip, await findCentralDirectory(zip))) {
      for (const entry of entries) {
        const path = pathWithin(root, entry.name)
        if (path === undefined || entry.isLink || !isZipEntryReadable(entry)) continue
        files.set(path, entry)
        unpacked_bytes += entry.size
        kept_bytes += path.length + entry.name.length + entry_bytes
      }
      if (files.size > entries_max || kept_bytes > index_bytes) {
        throw new InvalidSiteArchiveError('The site has too many files.')
      }
    }
  } catch (error) {
    if (error instanceof ZipError)
      throw new InvalidSiteArchiveError('The artifacts archive cannot be read.')
    throw error
  }
  return { files, unpacked_bytes, kept_bytes }
}

/** Returns the path below the folder. Returns undefined for names outside of the folder and for invalid paths. */
function pathWithin(root: string, name: string): string | undefined {
  const plain = name.startsWith('./') ? name.slice(2) : name
  const prefix = root === '' ? '' : `${root}/`
  if (!plain.startsWith(prefix) || plain.length === prefix.length) return undefined
  const path = plain.slice(prefix.length)
  const isOdd = path.split('/').some((part) => part === '' || part === '.' || part === '..')
  return isOdd ? undefined : path
}
