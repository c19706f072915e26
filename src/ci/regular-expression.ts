// Regular expressions that configurations hold, in the syntax of RE2 and run in linear time by its port.
// V8's linear engine knows neither `(?i)` nor `\A` nor `[[:alpha:]]`, which configurations use.
import { RE2JS } from 're2js'
import { limits } from '../kernel/limits.ts'

export type Expression = {
  test(text: string): boolean
  /** The first part of the text that fits. */
  find(text: string): string | undefined
  /** Steps that a test takes. */
  cost(text: string): number
}

const characters_max = 1024
const kept_max = 1000
/** Configurations ask for the same few again and again. */
const kept = new Map<string, Expression | undefined>()

/** Whether a text is written as an expression: `/.../flags`. */
export function isExpressionText(text: string): boolean {
  return /^\/[\s\S]*\/[ismU]*$/.test(text) && text.length > 1
}

/** What `/source/flags` stands for; undefined where that is no expression, or one too dear to run. */
export function compileExpression(text: string): Expression | undefined {
  if (kept.has(text)) return kept.get(text)
  const expression = compile(text)
  if (kept.size >= kept_max) kept.clear()
  kept.set(text, expression)
  return expression
}

function compile(text: string): Expression | undefined {
  if (!isExpressionText(text) || text.length > characters_max) return undefined
  const end = text.lastIndexOf('/')
  const source = text.slice(1, end).replaceAll('\\/', '/')
  if (source === '') return undefined
  const flags = text.slice(end + 1)
  try {
    const expression = RE2JS.compile(flags ? `(?${flags})${source}` : source)
    const size = expression.programSize()
    if (size > limits.ci.regular_expression_size) return undefined
    return {
      test: (tested) => expression.matcher(tested).find(),
      find(tested) {
        const matcher = expression.matcher(tested)
        return matcher.find() ? (matcher.group() ?? undefined) : undefined
      },
      cost: (tested) => 1 + (size * tested.length) / 16,
    }
  } catch {
    // Thrown for whatever RE2 has no syntax for.
    return undefined
  }
}
