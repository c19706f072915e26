// A table of contents where a text requests one with `[[_TOC_]]` or `[TOC]` (docs/api/markdown.md, "Contents").
import type MarkdownIt from 'markdown-it'
import { escapeHtml } from '../../../kernel/html.ts'
import { addHeadingIds, type Heading } from './headings.ts'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const marks = new Set(['[[_TOC_]]', '[TOC]'])

/**
 * Replaces the first paragraph that requests a table of contents by an element with that name; returns whether there is
 * one. Later ones stay text, to bound the output.
 */
export function markTableOfContents(tokens: readonly Token[], tag: string): boolean {
  const at = tokens.findIndex(
    ({ type, level, content }) => type === 'inline' && level === 1 && marks.has(content.trim()),
  )
  const inline = tokens[at]
  const begin = tokens[at - 1]
  const end = tokens[at + 1]
  if (!inline || begin?.type !== 'paragraph_open' || !end) return false
  begin.hidden = true
  end.hidden = true
  inline.type = 'html_block'
  inline.content = `<${tag}></${tag}>\n`
  inline.children = null
  return true
}

/** Sanitized HTML with the list of its headings in the place of that element. */
export function insertTableOfContents(sanitized: string, tag: string): string {
  const { html, headings } = addHeadingIds(sanitized)
  const place = `<${tag}></${tag}>`
  const at = html.indexOf(place)
  return at < 0 ? html : html.slice(0, at) + listOf(headings) + html.slice(at + place.length)
}

function listOf(headings: readonly Heading[]): string {
  const open: number[] = []
  const parts: string[] = []
  for (const { level, id, text } of headings) {
    while (open.length > 1 && level < (open.at(-1) ?? 0)) {
      parts.push('</li></ul>')
      open.pop()
    }
    if (level > (open.at(-1) ?? 0)) {
      parts.push('<ul>')
      open.push(level)
    } else parts.push('</li>')
    parts.push(`<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`)
  }
  parts.push('</li></ul>'.repeat(open.length))
  return parts.length === 0 ? '' : `<nav class="table-of-contents">${parts.join('')}</nav>`
}
