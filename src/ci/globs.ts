// Patterns of paths, as `changes`, `exists` and local includes have them: `*`, `**`, `?`, `[...]`,
// `{a,b}` and `\`. They become expressions of a linear engine, so no pattern can hold the server up.
import { compile } from './regular-expression.ts'
import type { Work } from './work.ts'

const characters_max = 1024

/** Those of `paths` that a pattern stands for. A pattern that is none stands for nothing. */
export async function matchPaths(
  pattern: string,
  paths: readonly string[],
  work: Work,
): Promise<string[]> {
  const matches = compileGlob(pattern, work)
  const found: string[] = []
  for (const path of paths) {
    await work.spend(matches.cost(path))
    if (matches.test(path)) found.push(path)
  }
  return found
}

/** Whether a pattern stands for any of `paths`. */
export async function matchesAny(
  pattern: string,
  paths: readonly string[],
  work: Work,
): Promise<boolean> {
  const matches = compileGlob(pattern, work)
  for (const path of paths) {
    await work.spend(matches.cost(path))
    if (matches.test(path)) return true
  }
  return false
}

type Glob = { test(path: string): boolean; cost(path: string): number }

const nothing: Glob = { test: () => false, cost: () => 0 }

function compileGlob(pattern: string, work: Work): Glob {
  if (pattern.length > characters_max) return nothing
  const literal = pattern.search(/[*?[\]{}\\]/)
  if (literal < 0) return { test: (path) => path === pattern, cost: () => 0.1 }
  const prefix = pattern.slice(0, literal)
  const compiled = compile(`(?s)^(?:${sourceOf(pattern)})$`, work)
  if (!compiled) return nothing
  const { expression, size } = compiled
  return {
    test: (path) => path.startsWith(prefix) && expression.matcher(path).find(),
    cost: (path) => (path.startsWith(prefix) ? 1 + (size * path.length) / 64 : 0.1),
  }
}

/** The expression that a pattern says, part by part. */
function sourceOf(pattern: string): string {
  let source = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const rest = pattern.slice(at, at + 3)
    const character = pattern.charAt(at)
    const isStart = at === 0 || pattern[at - 1] === '/'
    if (isStart && rest === '**/') {
      source += '(?:[^/]+/)*'
      at += 2
    } else if (isStart && rest.startsWith('**') && at + 2 === pattern.length) {
      source += '.*'
      at += 1
    } else if (character === '*') source += '[^/]*'
    else if (character === '?') source += '[^/]'
    else if (character === '[') {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) source += '\\['
      else {
        source += classOf(pattern.slice(at + 1, end))
        at = end
      }
    } else if (character === '{') {
      depth++
      source += '(?:'
    } else if (character === '}' && depth > 0) {
      depth--
      source += ')'
    } else if (character === ',' && depth > 0) source += '|'
    else if (character === '\\' && at + 1 < pattern.length) source += quote(pattern.charAt(++at))
    else source += quote(character)
  }
  return `${source}${')'.repeat(depth)}`
}

function classOf(characters: string): string {
  const isNegated = characters.startsWith('!') || characters.startsWith('^')
  const set = (isNegated ? characters.slice(1) : characters).replace(/[\\\][^&~]/g, '\\$&')
  return set === '' ? '' : `[${isNegated ? '^/' : ''}${set}]`
}

function quote(character: string): string {
  return /^\w$/.test(character) || character > '\x7f' ? character : `\\${character}`
}
