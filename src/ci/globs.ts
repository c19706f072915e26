// Glob patterns of paths, compiled to expressions of a linear engine, so that no pattern can block the server.
import { compileRe2Regex, regexMatchCost } from './regular-expression.ts'
import type { StepBudget } from './step-budget.ts'

const characters_max = 1024
const special = /[*?[\]{}\\]/

/** Returns the paths that a local include with `*` or `**` matches. */
export async function listPathsMatchingInclude(
  pattern: string,
  paths: readonly string[],
  work: StepBudget,
): Promise<string[]> {
  const glob = makeGlob(pattern, sourceOfInclude, work)
  const found: string[] = []
  for (const path of paths) {
    await work.spend(glob.cost(path))
    if (glob.test(path)) found.push(path)
  }
  return found
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Returns the paths as a set, cached for the list: a path without wildcards is looked up instead of searched for. */
function setOf(paths: readonly string[]): ReadonlySet<string> {
  const known = sets.get(paths) ?? new Set(paths)
  sets.set(paths, known)
  return known
}

/**
 * Whether any pattern of `changes` or `exists` matches any of `paths`. After `looks_max` comparisons the answer is true,
 * as in the real product.
 */
export async function hasMatchingPath(
  patterns: readonly string[],
  paths: readonly string[],
  { work, looks_max = Number.POSITIVE_INFINITY }: { work: StepBudget; looks_max?: number },
): Promise<boolean> {
  let looks = 0
  for (const pattern of patterns) {
    if (!special.test(pattern)) {
      if (setOf(paths).has(pattern)) return true
      continue
    }
    const glob = makeGlob(pattern, sourceOfGlob, work)
    for (const path of paths) {
      await work.spend(glob.cost(path))
      if (++looks > looks_max || glob.test(path)) return true
    }
  }
  return false
}

type Glob = { test(path: string): boolean; cost(path: string): number }

const nothing: Glob = { test: () => false, cost: () => 0 }

/** Compiles a pattern. A pattern that is too long or malformed matches nothing. */
function makeGlob(pattern: string, sourceOf: (pattern: string) => string, work: StepBudget): Glob {
  if (pattern.length > characters_max) return nothing
  const compiled = compileRe2Regex(`(?s)^(?:${sourceOf(pattern)})$`, work)
  if (!compiled) return nothing
  const { expression, size } = compiled
  const prefix = pattern.slice(0, pattern.search(special))
  return {
    test: (path) => path.startsWith(prefix) && expression.matcher(path).find(),
    cost: (path) => (path.startsWith(prefix) ? regexMatchCost(size, path) : 0.1),
  }
}

/**
 * Returns the expression for an include: `**` matches any characters, `*` any except slashes. There are no
 * other wildcards.
 */
function sourceOfInclude(pattern: string): string {
  const parts = pattern.match(/\*\*?|[^*]/g) ?? []
  return parts.map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : quote(part))).join('')
}

/**
 * Returns the expression for a glob. `*` and `?` do not match slashes. `**` followed by a slash matches any number
 * of folders, also none; elsewhere it means `*`. There are also `[...]`, `{a,b}` and `\` (as in Ruby's
 * `File.fnmatch` with braces and hidden files).
 */
function sourceOfGlob(pattern: string): string {
  const folders = pattern.replace(/(^|[/{,])(?:\*\*\/)+/g, '$1\0')
  const tokens = folders.match(/\[[!^]?[^\][]+\]|\\[\s\S]|\*+|[\s\S]/g) ?? []
  let open = 0
  let source = ''
  for (const token of tokens) {
    if (token === '\0') source += '(?:[^/]+/)*'
    else if (token.startsWith('*')) source += '[^/]*'
    else if (token === '?') source += '[^/]'
    else if (token.length > 2) source += classOf(token.slice(1, -1))
    else if (token.length === 2) source += quote(token.charAt(1))
    else if (token === '{') {
      open++
      source += '(?:'
    } else if (token === '}' && open > 0) {
      open--
      source += ')'
    } else source += token === ',' && open > 0 ? '|' : quote(token)
  }
  return source + ')'.repeat(open)
}

/** Returns a character class. A negated class never matches a slash. */
function classOf(inside: string): string {
  const isNegated = inside.startsWith('!') || inside.startsWith('^')
  const members = (isNegated ? inside.slice(1) : inside).replace(/[\\[\]^]/g, '\\$&')
  return `[${isNegated ? '^/' : ''}${members}]`
}

function quote(character: string): string {
  return /^\w$/.test(character) || character > '\x7f' ? character : `\\${character}`
}
