// RDoc's own markup (github.com/ruby/rdoc, doc/markup_reference): headings, lists, verbatim text, rules and
// the marks within a line. The lines are read once, and the search for the end of each mark is bounded.

import { ownValue } from '../../../kernel/own-value.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (mark) => ownValue(escapes, mark) ?? mark)

type Kind = 'ul' | 'ol' | 'dl'
type Item = { kind: Kind; term?: string; body: string; width: number }

const heading = /^(={1,6})[ \t]*([^ \t=].*)$/
const rule = /^-{3,16}[ \t]*$/
const bulleted = /^[*-](?: +|$)/
const numbered = /^(?:\d{1,9}|[A-Za-z])\.(?: +|$)/
const bracketed = /^\[([^\]]+)\](?: +|$)/
const labelled = /^([^\s:[\]]+)::(?: +|$)/
const listMarks: readonly (readonly [RegExp, Kind])[] = [
  [bulleted, 'ul'],
  [numbered, 'ol'],
  [bracketed, 'dl'],
  [labelled, 'dl'],
]

/** The HTML of a text, not sanitized yet. */
export function rdocToHtml(text: string): string {
  return blocks(text.split('\n').map((line) => line.trimEnd().replaceAll('\t', '        '))).join(
    '\n',
  )
}

const indentOf = (line: string) => line.length - line.trimStart().length

function blocks(lines: readonly string[]): string[] {
  const html: string[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) html.push(`<p>${inline(paragraph.join(' '))}</p>`)
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const title = heading.exec(line)
    if (line === '' || title || rule.test(line)) {
      endParagraph()
      const level = title?.[1]?.length ?? 0
      if (title) html.push(`<h${level}>${inline(title[2] ?? '')}</h${level}>`)
      else if (line !== '') html.push('<hr>')
      at++
    } else if (indentOf(line) === 0 && itemOf(line)) {
      endParagraph()
      const { html: list, next } = listAt(lines, at)
      html.push(list)
      at = next
    } else if (indentOf(line) > 0 && paragraph.length === 0) {
      const verbatim: string[] = []
      while (at < lines.length && (lines[at] === '' || indentOf(lines[at] ?? '') > 0)) {
        verbatim.push(lines[at++] ?? '')
      }
      const margin = Math.min(...verbatim.filter((part) => part !== '').map(indentOf))
      const code = verbatim
        .map((part) => part.slice(margin))
        .join('\n')
        .trimEnd()
      html.push(`<pre>${escapeHtml(code)}</pre>`)
    } else {
      paragraph.push(line.trim())
      at++
    }
  }
  endParagraph()
  return html
}

function itemOf(line: string): Item | undefined {
  for (const [pattern, kind] of listMarks) {
    const [mark, term] = pattern.exec(line) ?? []
    if (mark !== undefined) return { kind, term, body: line.slice(mark.length), width: mark.length }
  }
  return undefined
}

/** Parses a list; lines with a deeper indentation belong to the item above. */
function listAt(lines: readonly string[], start: number): { html: string; next: number } {
  const first = itemOf(lines[start] ?? '')
  const kind = first?.kind ?? 'ul'
  const items: string[] = []
  let at = start
  while (at < lines.length) {
    const item = indentOf(lines[at] ?? '') === 0 ? itemOf(lines[at] ?? '') : undefined
    if (item?.kind !== kind) break
    at++
    const below: string[] = []
    while (at < lines.length && (lines[at] === '' || indentOf(lines[at] ?? '') > 0)) {
      below.push(lines[at++] ?? '')
    }
    const margin = Math.min(item.width, ...below.filter((line) => line !== '').map(indentOf))
    const inner = blocks([item.body, ...below.map((line) => line.slice(margin))]).join('\n')
    const isSingle = inner.startsWith('<p>') && inner.indexOf('</p>') === inner.length - 4
    const content = isSingle ? inner.slice(3, -4) : inner
    const term = item.term === undefined ? '' : `<dt>${inline(item.term)}</dt>`
    items.push(kind === 'dl' ? `${term}<dd>${content}</dd>` : `<li>${content}</li>`)
  }
  return { html: `<${kind}>\n${items.join('\n')}\n</${kind}>`, next: at }
}

const tags: Readonly<Record<string, string>> = { '*': 'strong', _: 'em', '+': 'code' }
const mark =
  /\\([*_+{<])|(?<![\w*_+])([*_+])([A-Za-z0-9][\w.:/!?()-]{0,200})\2(?![\w*_+])|<(b|i|em|tt|code|strong|s|del)>([^<]{1,500})<\/\4>|\{([^{}]{1,300})\}\[([^[\]\s]{1,500})\]|\b(https?:\/\/[^\s<>()[\]{}]{1,500})/g

function inline(text: string): string {
  let html = ''
  let at = 0
  for (const found of text.matchAll(mark)) {
    const [whole, escaped, sign, word, tag, tagged, label, target, url] = found
    html += escapeHtml(text.slice(at, found.index))
    at = found.index + whole.length
    if (escaped !== undefined) html += escapeHtml(escaped)
    else if (sign !== undefined) html += wrap(ownValue(tags, sign) ?? 'em', word ?? '')
    else if (tag !== undefined) html += wrap(tag === 'tt' ? 'code' : tag, tagged ?? '')
    else
      html += `<a href="${escapeHtml(target ?? url ?? '')}">${escapeHtml(label ?? url ?? '')}</a>`
  }
  return html + escapeHtml(text.slice(at))
}

function wrap(tag: string, text: string): string {
  return `<${tag}>${escapeHtml(text)}</${tag}>`
}
