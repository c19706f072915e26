// Formulas in a text: TeX between dollars, or in a block of code called `math`, becomes MathML, which browsers draw by
// themselves (docs/api/markdown.md, "Formulas").
import { randomUUID } from 'node:crypto'
import katex from 'katex'
import type MarkdownIt from 'markdown-it'
import { limits } from '../../../kernel/limits.ts'

type Env = { formulas?: FormulaRenderer } | undefined
type Parser = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Parser['parse']>[number]
type InlineRule = Parameters<Parser['inline']['ruler']['after']>[2]
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2]

/** The text has so many formulas that it must be rendered in a thread; never shown to users. */
export class TooManyFormulas extends Error {}

/**
 * Renders the formulas of one text. The sanitizer removes MathML, since users need none; it sees an element with an
 * unpredictable name, which is replaced by KaTeX's output afterwards. Inside of an attribute the sanitizer escapes the
 * brackets of that element, so it is not replaced there.
 */
export class FormulaRenderer {
  /** The name of the elements that stand for formulas until `place` replaces them. */
  readonly tag = `formula-${randomUUID()}`
  readonly #made: string[] = []
  #room: number

  /**
   * If the formulas together have more characters, `put` throws `TooManyFormulas`, and no formula of the text
   * is rendered.
   */
  constructor(characters_max: number) {
    this.#room = characters_max
  }

  /**
   * Returns the placeholder of a formula. Returns undefined if KaTeX cannot parse the formula or it is too
   * long.
   */
  put(tex: string, isBlock: boolean): string | undefined {
    if (tex.length > limits.markdown.formula_characters_max) return undefined
    this.#room -= tex.length
    if (this.#room < 0) throw new TooManyFormulas()
    const html = toMathml(tex, isBlock)
    if (html === undefined) return undefined
    this.#made.push(html)
    return `<${this.tag}>${this.#made.length - 1}</${this.tag}>`
  }

  /** Replaces the placeholders in sanitized HTML by the formulas. */
  place(html: string): string {
    if (this.#made.length === 0) return html
    const [head = '', ...parts] = html.split(`<${this.tag}>`)
    const closing = `</${this.tag}>`
    const placed = parts.map((part) => {
      const end = part.indexOf(closing)
      return (this.#made[Number(part.slice(0, end))] ?? '') + part.slice(end + closing.length)
    })
    return head + placed.join('')
  }
}

function toMathml(tex: string, displayMode: boolean): string | undefined {
  try {
    const html = katex.renderToString(tex, {
      displayMode,
      output: 'mathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 200,
      maxSize: 50,
    })
    // The content security policy of pages forbids inline styles. The pattern matches no text, since quotes
    // in text are escaped.
    return html.replace(/ style="[^"]*"/g, '')
  } catch (error) {
    // A RangeError means that the formula is nested too deeply for the stack. No human writes such a formula.
    if (error instanceof katex.ParseError || error instanceof RangeError) return undefined
    throw error
  }
}

function formulasOf(env: unknown): FormulaRenderer {
  const formulas = (env as Env)?.formulas
  if (!formulas) throw new Error('The environment of the Markdown renderer has no `formulas`.')
  return formulas
}

/** Teaches a parser where formulas are; its renderer then wants `{ formulas }` beside the options. */
export function addFormulaRule(md: Parser): void {
  md.inline.ruler.after('escape', 'formula', readInline)
  md.block.ruler.before('fence', 'formula_block', readBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  md.renderer.rules.formula = (tokens, at, _options, env) => {
    const { content, markup } = tokens[at] as Token
    const [begin = '', end = ''] = markup.split(' ')
    const shown = formulasOf(env).put(content.trim(), begin === '$$')
    return shown ?? md.utils.escapeHtml(begin + content + end)
  }
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const token = tokens[at] as Token
    const isFormula = token.info.trim() === 'math'
    const shown = isFormula ? formulasOf(env).put(token.content.trim(), true) : undefined
    if (shown !== undefined) return `<p${self.renderAttrs(token)}>${shown}</p>\n`
    return fence?.(tokens, at, options, env, self) ?? ''
  }
}

const pairs = [
  ['$`', '`$'],
  ['$$', '$$'],
  ['$', '$'],
] as const

/**
 * Searches for the end of a formula only within its maximum length, so many dollar signs cost no more than
 * other text.
 */
const readInline: InlineRule = (state, silent) => {
  if (state.src.charAt(state.pos) !== '$') return false
  const ahead = state.src.slice(state.pos, state.pos + limits.markdown.formula_characters_max)
  const [begin, end] = pairs.find(([one]) => ahead.startsWith(one)) ?? pairs[2]
  const close = ahead.indexOf(end, begin.length)
  const content = ahead.slice(begin.length, close)
  if (close < 0 || content.trim() === '') return false
  if (begin === '$' && !isFormula(content, state.src, state.pos + close + 1)) return false
  if (!silent) {
    const token = state.push('formula', '', 0)
    token.content = content
    token.markup = `${begin} ${end}`
  }
  state.pos += close + end.length
  return true
}

/**
 * Returns whether the text between single dollar signs is a formula and not a price, a shell variable or part
 * of a URL. `end` is the position after the closing dollar sign.
 */
function isFormula(content: string, src: string, end: number): boolean {
  const before = src.charAt(end - content.length - 3)
  if (/[\p{L}\p{N}/=&?]/u.test(before) || /[\p{L}\p{N}]/u.test(src.charAt(end))) return false
  return !/^\s|\s$|\n/.test(content)
}

/** Parses the lines between two lines `$$`, like a code block with the language `math`. */
const readBlock: BlockRule = (state, startLine, endLine, silent) => {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
  if (lineOf(startLine).trim() !== '$$') return false
  const isInside = (line: number) =>
    line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)
  let last = startLine + 1
  while (isInside(last) && lineOf(last).trim() !== '$$') last += 1
  if (!isInside(last)) return false
  if (silent) return true
  const token = state.push('fence', 'code', 0)
  token.info = 'math'
  token.content = state.getLines(startLine + 1, last, state.blkIndent, false)
  token.map = [startLine, last + 1]
  state.line = last + 1
  return true
}
