// The expressions of `rules:if` and `only:variables`: variables, texts, `null`, patterns, compared by
// `==`, `!=`, `=~` and `!~`, and joined by `&&`, `||` and parentheses.
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { type CompiledRegex, compileRegexLiteral } from './regular-expression.ts'
import type { StepBudget } from './step-budget.ts'

export type VariableValues = Readonly<Record<string, string>>

type Operand =
  | { kind: 'variable'; name: string }
  | { kind: 'text'; text: string }
  | { kind: 'null' }
  | { kind: 'pattern'; pattern: CompiledRegex }
type Join = { kind: 'and' | 'or'; left: Condition; right: Condition }
type Comparison = '==' | '!=' | '=~' | '!~'
type Compare = { kind: 'compare'; by: Comparison; left: Operand; right: Operand }
export type Condition = Operand | Compare | Join

/** Parses an expression of `rules:if` or `only:variables`; returns undefined for a malformed or overlong one. */
export function parseCondition(text: string, work: StepBudget): Condition | undefined {
  if (text.length > limits.ci.expression_characters) return undefined
  const tokens = tokenize(text)
  if (!tokens) return undefined
  work.count(tokens.length)
  const parser = new Parser(tokens, work)
  const condition = parser.parseOr()
  return parser.isAtEnd ? condition : undefined
}

const token =
  /\s+|\$\w+|"[^"]*"|'[^']*'|null\b|&&|\|\||==|!=|=~|!~|\(|\)|\/(?:[^/\\]|\\[\s\S])+\/[ismU]*/y

const tokens_max = 100

function tokenize(text: string): string[] | undefined {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const [found] = token.exec(text) ?? []
    if (found === undefined) return undefined
    if (found.trim() !== '') tokens.push(found)
    if (tokens.length > tokens_max) return undefined
  }
  return tokens
}

/** A parser by recursive descent. `||` has the lowest precedence, then `&&`, then comparisons. */
class Parser {
  readonly #tokens: string[]
  readonly #work: StepBudget
  #at = 0

  constructor(tokens: string[], work: StepBudget) {
    this.#tokens = tokens
    this.#work = work
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  parseOr(): Condition | undefined {
    return this.#parseChain('or', '||', () =>
      this.#parseChain('and', '&&', () => this.#parseComparison()),
    )
  }

  #parseChain(
    kind: 'and' | 'or',
    operator: string,
    parsePart: () => Condition | undefined,
  ): Condition | undefined {
    let left = parsePart()
    while (left && this.#take(operator)) {
      const right = parsePart()
      left = right && { kind, left, right }
    }
    return left
  }

  #parseComparison(): Condition | undefined {
    if (this.#take('(')) {
      const inner = this.parseOr()
      return this.#take(')') ? inner : undefined
    }
    const left = this.#parseOperand()
    const by = comparisons.find((comparison) => this.#take(comparison))
    if (!left || !by) return left
    const right = this.#parseOperand()
    return right && { kind: 'compare', by, left, right }
  }

  #parseOperand(): Operand | undefined {
    const next = this.#tokens[this.#at]
    if (next === undefined) return undefined
    const operand = operandOf(next, this.#work)
    if (operand) this.#at++
    return operand
  }

  #take(expected: string): boolean {
    if (this.#tokens[this.#at] !== expected) return false
    this.#at++
    return true
  }
}

const comparisons: readonly Comparison[] = ['==', '!=', '=~', '!~']

function operandOf(text: string, work: StepBudget): Operand | undefined {
  if (text.startsWith('$')) return { kind: 'variable', name: text.slice(1) }
  if (text.startsWith('"') || text.startsWith("'")) return { kind: 'text', text: text.slice(1, -1) }
  if (text === 'null') return { kind: 'null' }
  const pattern = text.startsWith('/') ? compileRegexLiteral(text, work) : undefined
  return pattern && { kind: 'pattern', pattern }
}

/** Whether a condition holds: a value alone does when it is there and not empty. */
export function isConditionMet(
  condition: Condition,
  values: VariableValues,
  work: StepBudget,
): boolean {
  work.count(1)
  switch (condition.kind) {
    case 'and':
      return (
        isConditionMet(condition.left, values, work) &&
        isConditionMet(condition.right, values, work)
      )
    case 'or':
      return (
        isConditionMet(condition.left, values, work) ||
        isConditionMet(condition.right, values, work)
      )
    case 'compare':
      return compare(condition, values, work)
    case 'pattern':
      return true
    default:
      return Boolean(textIn(condition, values))
  }
}

function compare({ by, left, right }: Compare, values: VariableValues, work: StepBudget): boolean {
  const text = textIn(left, values)
  if (by === '==') return text === textIn(right, values)
  if (by === '!=') return text !== textIn(right, values)
  return matches(text, right, { values, work }) === (by === '=~')
}

function matches(
  text: string | undefined,
  right: Operand,
  { values, work }: { values: VariableValues; work: StepBudget },
): boolean {
  const pattern =
    right.kind === 'pattern'
      ? right.pattern
      : compileRegexLiteral(textIn(right, values) ?? '', work)
  if (text === undefined || !pattern) return false
  return pattern.test(text, work)
}

function textIn(operand: Operand, values: VariableValues): string | undefined {
  if (operand.kind === 'text') return operand.text
  return operand.kind === 'variable' ? ownValue(values, operand.name) : undefined
}
