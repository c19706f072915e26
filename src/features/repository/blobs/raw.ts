// Headers for raw files, so that nothing a user pushed runs as a page of this server.

import { basename } from 'node:path/posix'
import { contentDisposition } from '../../../http/disposition.ts'
import { ownValue } from '../../../kernel/own-value.ts'

/** Content types that browsers show without running scripts. */
const shownTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  ico: 'image/vnd.microsoft.icon',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** git treats a file as binary if its first 8000 bytes contain a NUL. */
const sniffed_bytes = 8000

/** Returns the content type, disposition and caching headers of raw content. `head` is the beginning of the file. */
export function rawFileHeaders(path: string, head: Buffer): Record<string, string> {
  const isText = !head.subarray(0, sniffed_bytes).includes(0)
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const shown = ownValue(shownTypes, extension)
  const type = isText ? 'text/plain; charset=utf-8' : (shown ?? 'application/octet-stream')
  return headersOf(path, { type, disposition: isText || shown ? 'inline' : 'attachment' })
}

/** Returns the headers of a file that browsers download, whatever its type. */
export function attachmentHeaders(path: string): Record<string, string> {
  return headersOf(path, { type: 'application/octet-stream', disposition: 'attachment' })
}

function headersOf(
  path: string,
  { type, disposition }: { type: string; disposition: 'inline' | 'attachment' },
): Record<string, string> {
  return {
    'content-type': type,
    'Content-Disposition': contentDisposition(disposition, basename(path)),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cache-Control': 'max-age=0, private, must-revalidate, no-store, no-cache',
    Pragma: 'no-cache',
    Expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
  }
}
