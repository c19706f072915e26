// Sends one file of a site: type, ETag, ranges, and its compressed variant.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import mime from 'mime'
import type { Config } from '../../config.ts'
import type { PagesSite } from '../../features/content/pages/pages.ts'
import { openSiteFile, readSmallSiteFile } from '../../features/content/pages/read-site-file.ts'
import type { SiteFile, SiteIndex } from '../../features/content/pages/site-index.ts'
import { enforceReadRate } from '../../git/least-rate.ts'
import { parseRange } from '../../http/range.ts'
import { limits } from '../../kernel/limits.ts'

export type SiteFileResponse = {
  config: Config
  site: PagesSite
  stored: { blob: string; size: number; root: string }
  index: SiteIndex
  isOpen: boolean
  request: IncomingMessage
  response: ServerResponse
}

/** Types whose charset is sent as UTF-8; sites can declare another one inside of a file. */
const texts = /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml)|image\/svg\+xml)/

const types = new Map<string, string>()

/** By the ending of a name. */
function typeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  let type = types.get(ending)
  if (type === undefined) {
    const plain = mime.getType(path) ?? 'application/octet-stream'
    type = texts.test(plain) ? `${plain}; charset=utf-8` : plain
    // Endings are whatever people name their files by.
    if (types.size < 1000) types.set(ending, type)
  }
  return type
}

const packings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

/** The file itself, or the form of it beside it that the browser takes. */
function choose(
  { files }: SiteIndex,
  path: string,
  accepted: string | undefined,
): { file: SiteFile | undefined; encoding?: string; isVaried: boolean } {
  const beside = packings.filter(({ ending }) => files.has(path + ending))
  if (beside.length > 0 && accepted !== undefined) {
    const names = accepted
      .split(',')
      .filter((word) => !/;\s*q=0(?:\.0{0,3})?\s*$/.test(word))
      .map((word) => word.split(';', 1)[0]?.trim().toLowerCase())
    const fit = beside.find(({ name }) => names.includes(name))
    if (fit) return { file: files.get(path + fit.ending), encoding: fit.name, isVaried: true }
  }
  return { file: files.get(path), isVaried: beside.length > 0 }
}

/** Sends an existing file of the site. */
export async function sendSiteFile(
  sending: SiteFileResponse,
  path: string,
  { status = 200 }: { status?: number } = {},
): Promise<void> {
  const { config, site, stored, index, isOpen, request, response } = sending
  const asked = request.headers
  const { file, encoding, isVaried } = choose(index, path, asked['accept-encoding'])
  if (!file) throw new Error(`Site ${site.blob} has no file ${path}.`)
  const etag = `"${site.blob.slice(0, 16)}-${file.offset.toString(36)}"`
  const modified = new Date(site.created_at).toUTCString()
  const headers: OutgoingHttpHeaders = {
    'Content-Type': typeOf(path),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': isOpen ? 'max-age=600' : 'private, no-cache',
    ETag: etag,
    'Last-Modified': modified,
    'Accept-Ranges': 'bytes',
  }
  if (isOpen) headers['Access-Control-Allow-Origin'] = '*'
  if (encoding) headers['Content-Encoding'] = encoding
  if (isVaried) headers.Vary = 'Accept-Encoding'
  if (status === 200 && isKnown(asked, { etag, modified })) {
    response.writeHead(304, headers).end()
    return
  }
  const range =
    status === 200 && !isStale(asked, { etag, modified })
      ? parseRange(asked.range, file.size)
      : undefined
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${file.size}` }).end()
    return
  }
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${file.size}`
  headers['Content-Length'] = range ? range.end - range.start + 1 : file.size
  const code = range ? 206 : status
  if (request.method === 'HEAD') {
    response.writeHead(code, headers).end()
    return
  }
  const small = readSmallSiteFile(config, stored, file)
  if (small) {
    const bytes = Buffer.isBuffer(small) ? small : await small
    response.writeHead(code, headers)
    response.end(range ? bytes.subarray(range.start, range.end + 1) : bytes)
    return
  }
  const stream = await openSiteFile(config, stored, file, range)
  response.writeHead(code, headers)
  // Whoever goes away, or an archive that is not as it says, ends both.
  const sent = enforceReadRate(stream, limits.least_rate)
  await new Promise<void>((resolve) => pipeline(sent, response, () => resolve()))
}

type Tags = { etag: string; modified: string }

/** RFC 9110, section 13.2.2: the tag decides, and only without one the time. */
function isKnown(asked: IncomingMessage['headers'], { etag, modified }: Tags): boolean {
  const tags = asked['if-none-match']
  if (tags !== undefined) {
    return (
      tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace('W/', '') === etag)
    )
  }
  const since = Date.parse(asked['if-modified-since'] ?? '')
  return !Number.isNaN(since) && Date.parse(modified) <= since
}

/** Whether a range is asked for of something this no longer is (`If-Range`). */
function isStale(asked: IncomingMessage['headers'], { etag, modified }: Tags): boolean {
  const of = asked['if-range']
  return of !== undefined && of !== etag && of !== modified
}
