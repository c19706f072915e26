// Renders AsciiDoc, Org and RDoc to HTML. The libraries are not made for hostile input: they run in a thread with a
// timeout, read no files and fetch nothing, and their output is sanitized as for Markdown.

import { ownValue } from '../../../kernel/own-value.ts'
import { rdocToHtml } from './rdoc.ts'
import { sanitizeRenderedHtml } from './render.ts'
import type { FileLinkBase } from './resolve-links.ts'

const converters: Record<string, (text: string) => Promise<string> | string> = {
  asciidoc: asciidocToHtml,
  org: orgToHtml,
  rdoc: rdocToHtml,
}

/** A text in another format than Markdown. */
export type MarkupRequest = { format: string; text: string; place?: FileLinkBase }

/** Safe HTML of a text in that format; of one that is not among them, and of what they cannot read, as it stands. */
export async function renderMarkup({ format, text, place }: MarkupRequest): Promise<string> {
  const convert = ownValue(converters, format)
  if (!convert) return renderPlainText(text)
  try {
    return sanitizeRenderedHtml(await convert(text), place)
  } catch {
    return renderPlainText(text)
  }
}

/** Returns the text unformatted, as HTML. */
export function renderPlainText(text: string): string {
  return `<pre>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</pre>`
}

/** In the mode `secure`, AsciiDoc includes no other files and reads or changes nothing outside the document. */
async function asciidocToHtml(text: string): Promise<string> {
  const { convert, LoggerManager, NullLogger } = await import('@asciidoctor/core')
  LoggerManager.logger = new NullLogger()
  const attributes = { showtitle: true, 'env-bloomery': '', icons: null }
  return String(await convert(text, { safe: 'secure', attributes, standalone: false }))
}

async function orgToHtml(text: string): Promise<string> {
  const { unified } = await import('unified')
  const { default: parse } = await import('uniorg-parse')
  const { default: toHtml } = await import('uniorg-rehype')
  const { default: stringify } = await import('rehype-stringify')
  const file = await unified().use(parse).use(toHtml).use(stringify).process(text)
  return String(file)
}
