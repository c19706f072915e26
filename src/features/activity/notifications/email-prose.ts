// A text somebody wrote, as an email carries it: rendered and sanitized as pages do, with nothing that mail programs
// would load, and never more than so many bytes of it.
import { ApiError } from '../../../kernel/errors.ts'
import { escapeHtml } from '../../../kernel/html.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { type LinkReader, renderHtml } from '../../planning/markdown/render-html.ts'

export type Prose = { html: string; text: string; isCut: boolean }

/** The text in both forms; `isCut` says that there is more of it. */
export async function renderProse(
  reader: LinkReader,
  { text, project }: { text: string; project: Project },
): Promise<Prose> {
  const { text_characters, html_characters } = limits.mail
  const shown = cut(text, text_characters)
  const isCut = shown.length < text.length
  const rendered = await renderHtml(reader, { text: shown, project }).catch(undefinedIfRefused)
  const html = rendered && placeLinks(withoutMedia(rendered), reader.baseUrl)
  // Short marks may become much HTML.
  return html !== undefined && html.length <= html_characters
    ? { html, text: shown, isCut }
    : { html: `<pre>${escapeHtml(shown)}</pre>`, text: shown, isCut }
}

/** What takes too long to render is shown as it stands. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

/** At the end of a line or a word, if there is one near. */
function cut(text: string, characters_max: number): string {
  if (text.length <= characters_max) return text
  const head = text.slice(0, characters_max)
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '))
  const kept = end > characters_max / 2 ? head.slice(0, end) : head
  // Half of a pair is no character.
  return kept.replace(/[\uD800-\uDBFF]$/, '')
}

/** Pictures become their descriptions: an email loads nothing from elsewhere. */
function withoutMedia(html: string): string {
  return html.replace(/<(?:img|video|audio)\b[^<>]*>/g, (element) => {
    const alt = /\salt="([^"<>]*)"/.exec(element)?.[1]
    return alt ? `[${alt}]` : ''
  })
}

/** What leads to the server leads there from a mail program too. */
function placeLinks(html: string, baseUrl: string): string {
  return html.replace(/ href="\/(?!\/)/g, ` href="${escapeHtml(baseUrl)}/`)
}
