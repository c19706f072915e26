// Alerts: quotes that begin with a line `[!note]`, and quotes between two lines `>>>` (docs/api/markdown.md, "Alerts").
import type MarkdownIt from 'markdown-it'

type Parser = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Parser['parse']>[number]
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2]

/** The titles of alerts without a title of their own. */
const titles: ReadonlyMap<string, string> = new Map([
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['important', 'Important'],
  ['caution', 'Caution'],
  ['warning', 'Warning'],
])
export const alertClasses = [...titles.keys()].map((kind) => `markdown-alert-${kind}`)

const headPattern = /^\[!(note|tip|important|caution|warning)\]([ \t].*)?$/i

/** Teaches a parser to read quotes between `>>>`. `replaceAlertQuotes` then makes alerts of quotes. */
export function addLongQuoteRule(md: Parser): void {
  md.block.ruler.before('blockquote', 'long_quote', readLongQuote, {
    alt: ['paragraph', 'reference', 'list'],
  })
}

/**
 * Parses a quote between two `>>>` lines, outside lists and quotes only. The last `>>>` line is searched once
 * for the whole text, so many opening lines cost no more.
 */
const readLongQuote: BlockRule = (state, startLine, endLine, silent) => {
  if (state.level > 0 || (state.tShift[startLine] ?? 0) > 0) return false
  const lineOf = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]).trimEnd()
  const head = lineOf(startLine)
  const isAlert = head.startsWith('>>> ') && headPattern.test(head.slice(4))
  if (head !== '>>>' && !isAlert) return false
  state.env.lastQuoteEnd ??= lastLine(endLine, (line) => lineOf(line) === '>>>')
  if (Number(state.env.lastQuoteEnd) <= startLine) return false
  let last = startLine + 1
  while (lineOf(last) !== '>>>') last++
  if (silent) return true
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.map = [startLine, last + 1]
  open.markup = head.slice(4)
  const { lineMax } = state
  state.lineMax = last
  state.md.block.tokenize(state, startLine + 1, last)
  state.lineMax = lineMax
  state.push('blockquote_close', 'blockquote', -1)
  state.line = last + 1
  return true
}

function lastLine(count: number, matches: (line: number) => boolean): number {
  for (let line = count - 1; line >= 0; line--) if (matches(line)) return line
  return -1
}

/** The tokens with alerts in the place of quotes that begin as one. */
export function replaceAlertQuotes(
  tokens: readonly Token[],
  escapeHtml: (text: string) => string,
): Token[] {
  const isAlert: boolean[] = []
  return tokens.flatMap((token, at) => {
    if (token.type === 'blockquote_open') {
      const [, word = '', own] = headPattern.exec(token.markup) ?? takeHead(tokens, at) ?? []
      const kind = word.toLowerCase()
      const title = own?.trim() || titles.get(kind)
      isAlert.push(title !== undefined)
      if (title === undefined) return [token]
      token.tag = 'div'
      token.attrSet('class', `markdown-alert markdown-alert-${kind}`)
      const Constructor = token.constructor as new (type: string, tag: string, nesting: 0) => Token
      const above = new Constructor('html_block', '', 0)
      above.content = `<p class="markdown-alert-title">${escapeHtml(title)}</p>\n`
      return [token, above]
    }
    if (token.type === 'blockquote_close' && isAlert.pop()) token.tag = 'div'
    return [token]
  })
}

/** Removes the first line of the quote that opens at `at` if it makes the quote an alert. Returns the match. */
function takeHead(tokens: readonly Token[], at: number): RegExpExecArray | null {
  const [begin, inline, end] = tokens.slice(at + 1, at + 4)
  if (begin?.type !== 'paragraph_open' || !inline?.children || !end) return null
  const [line = ''] = inline.content.split('\n', 1)
  const head = headPattern.exec(line)
  if (!head) return null
  const { children } = inline
  const cut = children.findIndex(({ type }) => type === 'softbreak' || type === 'hardbreak')
  inline.children = cut < 0 ? [] : children.slice(cut + 1)
  if (cut < 0) {
    begin.hidden = true
    end.hidden = true
  }
  return head
}
