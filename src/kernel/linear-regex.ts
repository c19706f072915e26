// Regular expressions from callers. V8's linear engine runs them in time linear in the text, or refuses them: it has no
// backreferences and no look-around.
import { setFlagsFromString } from 'node:v8'

// The engine is only used for expressions with the flag `l`.
setFlagsFromString('--enable-experimental-regexp-engine')

const characters_max = 255
/** Limits the size with repetitions expanded: `(?:a{9}){9}` takes as long as its expansion. */
const size_max = 500
/** The product of text length and expression size that the engine processes in a microsecond. */
const work_per_step = 14

/** Compiles an expression that runs in linear time. Throws SyntaxError for a malformed or too large one. */
export function compileLinearRegex(source: string): RegExp {
  if (estimateRegexProgramSize(source) > size_max)
    throw new SyntaxError('The expression is too large.')
  return new RegExp(source, 'l')
}

/** Returns what matching this expression against a text costs, in steps of `MatchBudget`. */
export function linearRegexCost(source: string): (text: string) => number {
  const size = estimateRegexProgramSize(source)
  return (text) => 1 + (size * text.length) / work_per_step
}

export type LinearRegexTest = {
  /** Returns whether the text contains a match. */
  passes: (text: string) => boolean
  /** Returns the cost in steps of `MatchBudget`. */
  cost: (text: string) => number
}

/** Compiles an expression to a test of texts; returns undefined for a malformed or too large one. */
export function compileLinearRegexTest(source: string): LinearRegexTest | undefined {
  if (source.length > characters_max) return undefined
  try {
    const expression = compileLinearRegex(source)
    return { passes: (text) => expression.test(text), cost: linearRegexCost(source) }
  } catch {
    return undefined
  }
}

/** Estimates the number of instructions of an expression before it is compiled: `(a{100}){100}` has ten thousand. */
export function estimateRegexProgramSize(source: string): number {
  const open: { total: number; last: number }[] = []
  let current = { total: 0, last: 0 }
  const add = (size: number) => {
    current.total += size
    current.last = size
  }
  for (const [part] of source.matchAll(/\\[\s\S]|\{[0-9]+(?:,[0-9]*)?\}|[\s\S]/g)) {
    if (part === '(') {
      open.push(current)
      current = { total: 2, last: 0 }
    } else if (part === ')') {
      const { total } = current
      current = open.pop() ?? current
      add(total)
    } else if (part.length > 2 && part.startsWith('{')) {
      const [least = 0, most = 0] = part.slice(1, -1).split(',').map(Number)
      const more = current.last * Math.max(least, most, 1) - current.last
      current.total += more
      current.last += more
    } else add(1)
  }
  return open.reduce((sum, { total }) => sum + total, current.total)
}
