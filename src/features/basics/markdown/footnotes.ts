// Footnotes: `[^name]` in a text refers to `[^name]: words` (docs/api/markdown.md, "Footnotes").
import { createHash } from 'node:crypto'
import type MarkdownIt from 'markdown-it'

type Parser = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Parser['parse']>[number]
type InlineRule = Parameters<Parser['inline']['ruler']['before']>[2]
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2]

const definitionPattern = /^\[\^([^\s[\]]{1,100})\]:/
const referencePattern = /\[\^([^\s[\]]{1,100})\]/y
/** The indentation of further lines of a footnote, as markdown-it counts it. */
const indent = 4

/** Teaches a parser to read footnotes. `moveFootnotesToEnd` then moves them below the text. */
export function addFootnoteRule(md: Parser): void {
  md.block.ruler.before('reference', 'footnote', readDefinition, {
    alt: ['paragraph', 'reference'],
  })
  md.inline.ruler.before('link', 'footnote_reference', readReference)
}

/** Reads a definition with its indented lines. Within lists and quotes it only ends a paragraph. */
const readDefinition: BlockRule = (state, startLine, endLine, silent) => {
  const indented = state.sCount[startLine] ?? 0
  if (indented - state.blkIndent >= 4) return false
  const mark = state.bMarks[startLine] ?? 0
  const shift = state.tShift[startLine] ?? 0
  const line = state.src.slice(mark + shift, state.eMarks[startLine])
  const [head, name] = definitionPattern.exec(line) ?? []
  if (head === undefined || name === undefined) return false
  if (silent) return true
  if (state.level > 0) return false
  state.push('footnote_open', '', 1).meta = { name }
  const rest = line.slice(head.length)
  state.bMarks[startLine] = mark + shift + head.length
  state.tShift[startLine] = rest.length - rest.trimStart().length
  state.sCount[startLine] = indent
  state.blkIndent += indent
  state.md.block.tokenize(state, startLine, endLine)
  state.blkIndent -= indent
  state.bMarks[startLine] = mark
  state.tShift[startLine] = shift
  state.sCount[startLine] = indented
  state.push('footnote_close', '', -1)
  return true
}

const readReference: InlineRule = (state, silent) => {
  referencePattern.lastIndex = state.pos
  const [whole, name] = referencePattern.exec(state.src) ?? []
  if (whole === undefined || name === undefined) return false
  if (!silent) {
    const token = state.push('footnote_reference', '', 0)
    token.content = whole
    token.meta = { name }
  }
  state.pos += whole.length
  return true
}

type Footnote = { body: Token[]; number: number; references: number }

/**
 * The tokens with the footnotes that the text refers to at their end, in the order of the references. References to no
 * footnote become text, and footnotes that nothing refers to are left out. Anchors hold a digest of the text, because
 * a page may show several texts.
 */
export function moveFootnotesToEnd(tokens: readonly Token[], text: string): Token[] {
  const { footnotes, others } = takeDefinitions(tokens)
  const digest =
    footnotes.size === 0 ? '' : createHash('sha256').update(text).digest('hex').slice(0, 8)
  const used: Footnote[] = []
  // Footnotes can refer to other footnotes, so their tokens are searched too.
  const queue = [...others]
  for (let at = 0; at < queue.length; at++) {
    for (const child of queue[at]?.children ?? []) {
      if (child.type !== 'footnote_reference') continue
      const footnote = footnotes.get(keyOf(child))
      if (!footnote) {
        child.type = 'text'
        continue
      }
      if (footnote.number === 0) {
        footnote.number = used.push(footnote)
        for (const token of footnote.body) queue.push(token)
      }
      footnote.references++
      child.type = 'html_inline'
      const { number, references } = footnote
      const id = `${number}-${digest}`
      child.content = `<sup><a href="#fn-${id}" id="fnref-${id}-${references}">${number}</a></sup>`
    }
  }
  return used.length === 0 ? others : [...others, ...listOf(used, digest)]
}

/** Splits the definitions of footnotes from the other tokens. The first definition of a name counts. */
function takeDefinitions(tokens: readonly Token[]): {
  footnotes: Map<string, Footnote>
  others: Token[]
} {
  const footnotes = new Map<string, Footnote>()
  const others: Token[] = []
  let into = others
  for (const token of tokens) {
    if (token.type === 'footnote_open') {
      const key = keyOf(token)
      const footnote = { body: [], number: 0, references: 0 }
      if (!footnotes.has(key)) footnotes.set(key, footnote)
      into = footnote.body
    } else if (token.type === 'footnote_close') into = others
    else into.push(token)
  }
  return { footnotes, others }
}

function keyOf({ meta }: Token): string {
  return String(meta?.name).toLowerCase()
}

function listOf(used: readonly Footnote[], digest: string): Token[] {
  const like = used[0]?.body[0]
  if (!like) return []
  const html = (content: string) => {
    const Constructor = like.constructor as new (type: string, tag: string, nesting: 0) => Token
    const token = new Constructor('html_block', '', 0)
    token.content = content
    return token
  }
  const items = used.flatMap(({ body, number, references }) => {
    const id = `${number}-${digest}`
    const links = Array.from(
      { length: references },
      (_, at) => ` <a href="#fnref-${id}-${at + 1}" title="Back to the text">↩</a>`,
    ).join('')
    return [html(`<li id="fn-${id}">\n`), ...body, html(`${links}</li>\n`)]
  })
  return [html('<section class="footnotes">\n<ol>\n'), ...items, html('</ol>\n</section>\n')]
}
