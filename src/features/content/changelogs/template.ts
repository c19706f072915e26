// The template language of changelogs: `{{ a.b }}`, `{% if a %}`, `{% else %}`, `{% each a %}`, `{% end %}`, and a
// backslash at the end of a line, which removes the line break (docs/api/changelogs.md, "Templates").
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { ChangelogError } from './changelog-error.ts'

/** A path of keys that starts at the current value. `it` alone is the value itself. */
type Selector = readonly string[]
type Expression =
  | { kind: 'text'; text: string }
  | { kind: 'variable'; selector: Selector }
  | { kind: 'each'; selector: Selector; body: ChangelogTemplate }
  | { kind: 'if'; selector: Selector; body: ChangelogTemplate; otherwise: ChangelogTemplate }
export type ChangelogTemplate = readonly Expression[]

/** A tag also consumes the line break after it, since empty lines have a meaning in Markdown. */
const token =
  /\\\n|\{\{\s*(?<variable>[\w.]+)\s*\}\}|\{%\s*(?<word>if|each|else|end)(?:\s+(?<of>[\w.]+))?\s*%\}\n?|\{[{%]/g

/** Parses a template. Throws ChangelogError if it is invalid. */
export function parseChangelogTemplate(text: string): ChangelogTemplate {
  if (text.length > limits.changelogs.template_characters) {
    throw new ChangelogError('The template is too long')
  }
  return new TemplateParser(text).parse()
}

class TemplateParser {
  readonly #text: string
  readonly #tokens: Iterator<RegExpExecArray>
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = text.matchAll(token)
  }

  parse(): ChangelogTemplate {
    const { body, end } = this.#readBody(0)
    if (end !== undefined) throw unexpected(`{% ${end} %}`)
    return body
  }

  /** Parses up to the tag that ends the body, or to the end of the text. */
  #readBody(depth: number): { body: ChangelogTemplate; end: string | undefined } {
    if (depth > limits.changelogs.template_depth) {
      throw new ChangelogError('The template is nested too deeply')
    }
    const body: Expression[] = []
    for (;;) {
      const { value: match, done } = this.#tokens.next()
      const until = done ? this.#text.length : match.index
      if (until > this.#at) body.push({ kind: 'text', text: this.#text.slice(this.#at, until) })
      if (done) return { body, end: undefined }
      this.#at = match.index + match[0].length
      const { variable, word, of } = match.groups ?? {}
      if (variable !== undefined) {
        body.push({ kind: 'variable', selector: selectorOf(variable) })
      } else if (word === 'if' || word === 'each') {
        body.push(this.#readBlock(word, of, depth + 1))
      } else if (word !== undefined) {
        if (of !== undefined) throw unexpected(match[0].trim())
        return { body, end: word }
      } else if (match[0] !== '\\\n') {
        throw unexpected(this.#text.slice(match.index, match.index + 20))
      }
    }
  }

  #readBlock(word: 'if' | 'each', of: string | undefined, depth: number): Expression {
    if (of === undefined) throw unexpected(`{% ${word} %}`)
    const selector = selectorOf(of)
    const { body, end } = this.#readBody(depth)
    if (word === 'each') {
      if (end !== 'end') throw missingEnd(word)
      return { kind: 'each', selector, body }
    }
    if (end !== 'else') {
      if (end !== 'end') throw missingEnd(word)
      return { kind: 'if', selector, body, otherwise: [] }
    }
    const other = this.#readBody(depth)
    if (other.end !== 'end') throw missingEnd(word)
    return { kind: 'if', selector, body, otherwise: other.body }
  }
}

function unexpected(what: string): ChangelogError {
  return new ChangelogError(`The template has an unexpected "${what}"`)
}

function missingEnd(word: string): ChangelogError {
  return new ChangelogError(`The template has no {% end %} for {% ${word} %}`)
}

function selectorOf(text: string): Selector {
  return text === 'it' ? [] : text.split('.')
}

/** Renders a template with the data. Throws ChangelogError when a limit is exceeded. */
export function renderChangelogTemplate(template: ChangelogTemplate, data: unknown): string {
  const parts: string[] = []
  let characters = 0
  let steps = 0
  const render = (body: ChangelogTemplate, value: unknown, loops: number): void => {
    for (const expression of body) {
      if (++steps > limits.changelogs.template_steps) {
        throw new ChangelogError('The template takes too many steps')
      }
      if (expression.kind === 'text') add(expression.text)
      else {
        const found = select(value, expression.selector)
        if (expression.kind === 'variable') add(printed(found))
        else if (expression.kind === 'if') {
          render(isTruthy(found) ? expression.body : expression.otherwise, value, loops)
        } else renderEach(expression.body, found, loops + 1)
      }
    }
  }
  const renderEach = (body: ChangelogTemplate, found: unknown, loops: number): void => {
    const { template_loops } = limits.changelogs
    if (loops > template_loops) {
      throw new ChangelogError(`You can only nest up to ${template_loops} loops`)
    }
    if (!Array.isArray(found)) return
    for (const item of found) render(body, item, loops)
  }
  const add = (text: string): void => {
    characters += text.length
    if (characters > limits.changelogs.notes_characters) {
      throw new ChangelogError('The changelog is too long')
    }
    parts.push(text)
  }
  render(template, data, 0)
  return parts.join('')
}

function select(value: unknown, selector: Selector): unknown {
  let found = value
  for (const key of selector) {
    if (typeof found !== 'object' || found === null) return undefined
    if (Array.isArray(found)) found = /^\d{1,10}$/.test(key) ? found[Number(key)] : undefined
    else found = ownValue(found as Record<string, unknown>, key)
  }
  return found
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false
}

function printed(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
