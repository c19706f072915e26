// Reads files of a site. Small ones are cached unpacked, by archive and position: neither ever changes.
import { compose, type Readable, Transform } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { findStartOfStoredEntry, openZipEntry } from '../../../blobs/zip.ts'
import type { Config } from '../../../config.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSiteArchive, type SiteArchive, type SiteFile } from './site-index.ts'

const kept = new LRUCache<string, Buffer>({
  maxSize: limits.pages.kept_files_bytes,
  sizeCalculation: ({ length }) => length + 200,
})
const reading = new Map<string, Promise<Buffer>>()

/** Returns a small file, at once if it is cached; undefined for one that must be streamed. */
export function readSmallSiteFile(
  config: Config,
  site: SiteArchive,
  file: SiteFile,
): Buffer | Promise<Buffer> | undefined {
  if (file.size > limits.pages.kept_file_bytes) return undefined
  const name = `${site.blob}:${file.offset}`
  const found = kept.get(name) ?? reading.get(name)
  if (found) return found
  const content = collect(config, site, file)
  reading.set(name, content)
  content
    .then((bytes) => kept.set(name, bytes))
    .catch(() => {})
    .finally(() => reading.delete(name))
  return content
}

async function collect(config: Config, site: SiteArchive, file: SiteFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await openZipEntry(openSiteArchive(config, site), file))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Streams a file, or its bytes from `start` to `end`, both included. */
export async function openSiteFile(
  config: Config,
  site: SiteArchive,
  file: SiteFile,
  range: { start: number; end: number } | undefined,
): Promise<Readable> {
  const zip = openSiteArchive(config, site)
  if (!range) return openZipEntry(zip, file)
  const start = await findStartOfStoredEntry(zip, file)
  if (start !== undefined) {
    return zip.read({ start: start + range.start, end: start + range.end })
  }
  return compose(await openZipEntry(zip, file), part(range)) as Readable
}

/** Returns a stream that passes a range of bytes and then ends without waiting for the rest. */
function part({ start, end }: { start: number; end: number }): Transform {
  let at = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const from = Math.max(0, start - at)
      const to = Math.min(chunk.length, end + 1 - at)
      at += chunk.length
      if (from < to) this.push(chunk.subarray(from, to))
      if (at > end) this.push(null)
      done()
    },
  })
}
