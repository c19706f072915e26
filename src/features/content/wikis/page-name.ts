// Converts between the title, the slug and the file of a wiki page (docs/api/wikis.md, "Names").
import {
  type MarkupFormat,
  markupFormatOfPath,
} from '../../basics/markdown/markup-format-of-path.ts'

/** The formats that the API can write, with their file extensions. */
export const writableWikiFormats = {
  markdown: 'md',
  rdoc: 'rdoc',
  asciidoc: 'asciidoc',
  org: 'org',
} as const
export type WritableWikiFormat = keyof typeof writableWikiFormats

/** Returns the slug and format of a page's file; undefined for a file that is not a page. */
export function wikiPageOfPath(path: string): { slug: string; format: MarkupFormat } | undefined {
  const format = markupFormatOfPath(path)
  return format && { slug: path.slice(0, path.lastIndexOf('.')), format }
}

/**
 * Returns the slug for a title: its parts trimmed, `.` and `..` resolved within the wiki, and each run of white space
 * replaced by `-`. Empty if nothing is left.
 */
export function wikiSlugOfTitle(title: string): string {
  const parts: string[] = []
  for (const part of title.split('/')) {
    const name = part.trim().replace(/\s+/g, '-')
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.') parts.push(name)
  }
  return parts.join('/')
}

/** Returns the title for a slug: its last part, with each run of `-` as a space. */
export function wikiTitleOfSlug(slug: string): string {
  return baseNameOfWikiSlug(slug).replace(/-+/g, ' ')
}

export const folderOfWikiSlug = (slug: string): string => slug.slice(0, slug.lastIndexOf('/') + 1)
export const baseNameOfWikiSlug = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1)

const name_bytes_max = 245
const folder_bytes_max = 255

/** Returns why a slug cannot be a file name; undefined if it can. */
export function wikiSlugProblem(slug: string): string | undefined {
  if (slug === '') return "can't be blank"
  if (/\p{Cc}/u.test(slug)) return 'is invalid'
  const folders = folderOfWikiSlug(slug).split('/')
  const long = folders.find((name) => Buffer.byteLength(name) > folder_bytes_max)
  if (long !== undefined) {
    return `exceeds the limit of ${folder_bytes_max} bytes for directory name "${long}"`
  }
  if (Buffer.byteLength(baseNameOfWikiSlug(slug)) > name_bytes_max) {
    return `exceeds the limit of ${name_bytes_max} bytes`
  }
  return undefined
}
