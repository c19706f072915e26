// Regular expressions of configurations, in RE2 syntax and run in linear time by its port. V8's linear engine does not
// support `(?i)`, `\A` and `[[:alpha:]]`, which configurations use.
import { RE2JS } from 're2js'
import { limits } from '../kernel/limits.ts'
import { estimateRegexProgramSize } from '../kernel/linear-regex.ts'
import type { StepBudget } from './step-budget.ts'

export type CompiledRegex = {
  /**
   * Returns whether the expression matches. Repeated tests of the same text, as with rules of many jobs, cost
   * nothing.
   */
  test(text: string, work: StepBudget): boolean
  /** Returns the first match. */
  find(text: string): string | undefined
  /** Returns the number of steps that `find` costs. */
  cost(text: string): number
}

const characters_max = 1024
const kept_max = 500
/** A cache, since configurations repeat the same expressions. */
const kept = new Map<string, CompiledRegex | undefined>()

/** Whether a text has the form of a regular expression: `/.../flags`. */
export function isRegexLiteral(text: string): boolean {
  return text.length > 1 && /^\/[\s\S]*\/[ismU]*$/.test(text)
}

/** Compiles `/source/flags`; returns undefined for a malformed expression and for one that is too expensive to run. */
export function compileRegexLiteral(text: string, work: StepBudget): CompiledRegex | undefined {
  work.count(1)
  if (!isRegexLiteral(text) || text.length > characters_max) return undefined
  if (kept.has(text)) return kept.get(text)
  const end = text.lastIndexOf('/')
  const flags = text.slice(end + 1)
  const source = text.slice(1, end).replaceAll('\\/', '/')
  const compiled =
    source === '' ? undefined : compileRe2Regex(flags ? `(?${flags})${source}` : source, work)
  const expression = compiled && makeExpression(compiled)
  if (kept.size >= kept_max) kept.clear()
  kept.set(text, expression)
  return expression
}

function makeExpression({ expression, size }: { expression: RE2JS; size: number }): CompiledRegex {
  let last: { text: string; isFound: boolean } | undefined
  return {
    test(text, work) {
      if (last?.text === text) return last.isFound
      work.count(1 + (size * text.length) / 16)
      last = { text, isFound: expression.matcher(text).find() }
      return last.isFound
    },
    find(text) {
      const matcher = expression.matcher(text)
      return matcher.find() ? (matcher.group() ?? undefined) : undefined
    },
    cost: (text) => regexMatchCost(size, text),
  }
}

/** The cost of matching a compiled expression of that size against a text, in steps of `Work`: the worst case measured. */
export function regexMatchCost(size: number, text: string): number {
  return 1 + (size * text.length) / 60
}

/** Compiles a source with a bounded number of instructions; returns undefined for syntax that RE2 does not have. */
export function compileRe2Regex(
  source: string,
  work: StepBudget,
): { expression: RE2JS; size: number } | undefined {
  const size = estimateRegexProgramSize(source)
  if (size > limits.ci.regular_expression_size) return undefined
  work.count(10 + size / 2)
  try {
    return { expression: RE2JS.compile(source), size }
  } catch {
    // The text is not a valid expression.
    return undefined
  }
}
