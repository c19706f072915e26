// The headings of a rendered text, for tables of contents and for links to sections.
import { anchorPrefix } from './resolve-links.ts'

export type Heading = { level: number; id: string; text: string }

const headings_max = 1000
const html_characters_max = 1000
const opening = /<h([1-6])[ >]/g
const entities: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&amp;', '&'],
]

/**
 * The headings of sanitized HTML, in which each then has an id: its own, or one made of its text, with `-1`, `-2` where
 * it is not the first. Of very many, the first 1,000.
 */
export function addHeadingIds(html: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = []
  const taken = new Map<string, number>()
  const parts: string[] = []
  let at = 0
  for (const match of html.matchAll(opening)) {
    if (headings.length === headings_max) break
    const [, level = ''] = match
    // Sanitized attribute values contain no `>`.
    const start = html.indexOf('>', match.index) + 1
    const text = textOf(html.slice(start, start + html_characters_max), `</h${level}>`)
    const own = / id="([^"]*)"/.exec(html.slice(match.index, start))?.[1]
    const id = own ?? freeId(slugOf(text), taken)
    headings.push({ level: Number(level), id: decode(id), text })
    if (own !== undefined) continue
    parts.push(html.slice(at, start - 1), ` id="${id}">`)
    at = start
  }
  return { html: parts.join('') + html.slice(at), headings }
}

function textOf(html: string, closing: string): string {
  const end = html.indexOf(closing)
  const inner = (end < 0 ? html : html.slice(0, end))
    // The TeX source of a formula, which KaTeX puts beside the rendered formula.
    .replace(/<annotation [^<>]*>[^<>]*<\/annotation>/g, '')
    .replace(/<[^<>]*>/g, '')
  return decode(inner).trim()
}

function decode(html: string): string {
  return entities.reduce((text, [entity, sign]) => text.replaceAll(entity, sign), html)
}

/**
 * Returns the anchor of a heading as other forges build it: letters, digits, `_` and `-`, in lower case, with `-` for a
 * space.
 */
function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-') || 'section'
  )
}

function freeId(slug: string, taken: Map<string, number>): string {
  const count = taken.get(slug) ?? 0
  taken.set(slug, count + 1)
  return `${anchorPrefix}${slug}${count === 0 ? '' : `-${count}`}`
}
