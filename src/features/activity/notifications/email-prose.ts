// Formats a user's text for an email: rendered and sanitized as on pages, without anything that mail programs would
// load, and cut to a maximum size.
import { ApiError } from '../../../kernel/errors.ts'
import { escapeHtml } from '../../../kernel/html.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { type LinkViewer, renderMarkdownWithLinks } from '../../planning/markdown/render-html.ts'

export type EmailProse = { html: string; text: string; isCut: boolean }

/** A text, and its location if there is one: the line of a file that a comment is on. */
export type EmailPassage = { text: string; on?: string | undefined }

/** Renders texts one after the other as HTML and plain text, up to a total length. `isCut` says that texts were omitted. */
export async function renderEmailProse(
  reader: LinkViewer,
  { passages, project }: { passages: readonly EmailPassage[]; project: Project },
): Promise<EmailProse> {
  const { text_characters, html_characters } = limits.mail
  const parts: EmailProse[] = []
  let [left, html_left] = [text_characters, html_characters]
  for (const { text, on } of passages) {
    const shown = cut(text, left)
    const rendered = await renderMarkdownWithLinks(reader, { text: shown, project }).catch(
      undefinedIfRefused,
    )
    const html = rendered && placeLinks(withoutMedia(rendered), reader.baseUrl)
    const part = {
      // Short Markdown can produce very long HTML, which is replaced by the plain text.
      html:
        html !== undefined && html.length <= html_left ? html : `<pre>${escapeHtml(shown)}</pre>`,
      text: shown,
      isCut: shown.length < text.length,
    }
    parts.push(on === undefined ? part : withPlace(part, on))
    left -= text.length
    html_left -= part.html.length
    if (part.isCut || left <= 0) break
  }
  return {
    html: parts.map(({ html }) => html).join('\n'),
    text: parts.map(({ text }) => text).join('\n\n'),
    isCut: parts.length < passages.length || parts.some(({ isCut }) => isCut),
  }
}

const withPlace = (part: EmailProse, on: string): EmailProse => ({
  ...part,
  html: `<p><strong>${escapeHtml(on)}</strong></p>\n${part.html}`,
  text: `${on}\n${part.text}`,
})

/** A text that takes too long to render is shown unrendered. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

/** Cuts a text at the end of a line or word if there is one near the limit. */
function cut(text: string, characters_max: number): string {
  if (text.length <= characters_max) return text
  const head = text.slice(0, characters_max)
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '))
  const kept = end > characters_max / 2 ? head.slice(0, end) : head
  // Half of a surrogate pair is removed.
  return kept.replace(/[\uD800-\uDBFF]$/, '')
}

/** Replaces images and media by their descriptions, since emails load nothing from other servers. */
function withoutMedia(html: string): string {
  return html.replace(/<(?:img|video|audio)\b[^<>]*>/g, (element) => {
    const alt = /\salt="([^"<>]*)"/.exec(element)?.[1]
    return alt ? `[${alt}]` : ''
  })
}

/** Makes links to this server absolute, so that they work in a mail program. */
function placeLinks(html: string, baseUrl: string): string {
  return html.replace(/ href="\/(?!\/)/g, ` href="${escapeHtml(baseUrl)}/`)
}
