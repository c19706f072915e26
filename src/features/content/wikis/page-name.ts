// How the title of a page, its slug and its file belong together (docs/api/wikis.md, "Names").
import {
  type MarkupFormat,
  markupFormatOfPath,
} from '../../basics/markdown/markup-format-of-path.ts'

/** What the API can write: the name of a format, and the ending of its files. */
export const writableWikiFormats = {
  markdown: 'md',
  rdoc: 'rdoc',
  asciidoc: 'asciidoc',
  org: 'org',
} as const
export type WritableWikiFormat = keyof typeof writableWikiFormats

/** The slug a file has as a page; undefined for one that is none. */
export function wikiPageOfPath(path: string): { slug: string; format: MarkupFormat } | undefined {
  const format = markupFormatOfPath(path)
  return format && { slug: path.slice(0, path.lastIndexOf('.')), format }
}

/**
 * The slug that a title asks for: its parts trimmed, `.` and `..` followed, but never out of the wiki, each run
 * of white space a `-`. Empty where nothing is left of it.
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

/** What a page with that slug is called: its last part, each run of `-` a space. */
export function wikiTitleOfSlug(slug: string): string {
  return baseNameOfWikiSlug(slug).replace(/-+/g, ' ')
}

export const folderOfWikiSlug = (slug: string): string => slug.slice(0, slug.lastIndexOf('/') + 1)
export const baseNameOfWikiSlug = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1)

const name_bytes_max = 245
const folder_bytes_max = 255

/** What is wrong with a slug as the name of a file; undefined when nothing is. */
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
