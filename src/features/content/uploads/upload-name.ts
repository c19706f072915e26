// What follows from the name of an uploaded file: how it is written, linked and served.
import { extname } from 'node:path/posix'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'

/**
 * Images and videos that browsers show without running scripts. SVG is excluded, since it can contain
 * scripts.
 */
const shownTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.bmp': 'image/bmp',
  '.tiff': 'image/tiff',
  '.ico': 'image/vnd.microsoft.icon',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.ogv': 'video/ogg',
}

/** Further types that Markdown may embed. */
const embedded = new Set(['.svg', '.mp3', '.oga', '.ogg', '.spx', '.wav'])

const extensionOf = (name: string) => extname(name).toLowerCase()

/** Returns the name under which a file is stored (docs/api/uploads.md, "Names"). */
export function sanitizeUploadName(given: string): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
  const plain = last.toWellFormed().replace(/[^\p{L}\p{M}\p{N}_.+-]/gu, '_')
  const named = /^\.*$/.test(plain) ? `_${plain}` : plain
  const extension = extname(named).slice(0, limits.upload_extension_characters)
  const stem = [...named.slice(0, named.length - extname(named).length)]
  return stem.slice(0, limits.name_characters - extension.length).join('') + extension
}

/** Returns the content type with which a file is shown inline; undefined for one that is only downloaded. */
export function inlineContentType(name: string): string | undefined {
  return ownValue(shownTypes, extensionOf(name))
}

/** Returns the Markdown for a file; one that can be embedded is named without its extension. */
export function markdownOfUpload(name: string, url: string): { alt: string; markdown: string } {
  const extension = extensionOf(name)
  const isEmbedded = inlineContentType(name) !== undefined || embedded.has(extension)
  if (!isEmbedded) return { alt: name, markdown: `[${name}](${url})` }
  const alt = name.slice(0, name.length - extension.length)
  return { alt, markdown: `![${alt}](${url})` }
}
