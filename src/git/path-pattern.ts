// Patterns of paths as in git's wildmatch (gitignore(5), "Pattern format"): `*` and `?` stop at slashes, `**` between
// slashes matches any number of folders, and there are `[...]` and `\`. Matched without regular expressions.
import { ownValue } from '../kernel/own-value.ts'

/** `**`, or what takes one part of a path. */
type Part = '**' | readonly Token[]
type Token = { kind: 'star' } | { kind: 'one'; takes: (character: string) => boolean }
/** One element for each part of a path; `**` stands for any number of parts. */
export type PathPattern = readonly Part[]

/**
 * Longer names and paths match nothing; no working copy could hold them. A pattern of many stars takes
 * time by the product of its length and theirs.
 */
const name_characters_max = 255
const path_parts_max = 255

/** Parses a pattern. A leading slash is ignored, since patterns always match whole paths. */
export function parsePathPattern(text: string): PathPattern {
  // A pattern `**` matches any name, as `*` does.
  if (!text.includes('/')) return [tokensOf(text)]
  const parts = text.replace(/^\//, '').split('/')
  return parts.map((part) => (/^\*{2,}$/.test(part) ? '**' : tokensOf(part)))
}

/** Returns the parts of a path; undefined if it is too long to match anything. */
export function splitPathForPattern(path: string): readonly PathSegmentCharacters[] | undefined {
  const parts = path.split('/').map((part) => [...part])
  return parts.length > path_parts_max ? undefined : parts
}

/** A part of a path as a list of characters. */
export type PathSegmentCharacters = readonly string[]

/** Whether the pattern matches the whole path. */
export function matchesPathPattern(
  pattern: PathPattern,
  path: readonly PathSegmentCharacters[],
): boolean {
  // Which prefixes of the pattern match the path so far; `**` matches any number of folders.
  let fits = withEmpty(pattern, new Set([0]))
  for (const part of path) {
    const next = new Set<number>()
    for (const at of fits) {
      const wanted = pattern[at]
      // At the end it matches at least one name: `a/**` matches what is inside of `a`, not `a` itself.
      if (wanted === '**') next.add(at).add(at === pattern.length - 1 ? at + 1 : at)
      else if (wanted !== undefined && matchesPart(wanted, part)) next.add(at + 1)
    }
    fits = withEmpty(pattern, next)
  }
  return fits.has(pattern.length)
}

/** `**` before a slash also matches no folder at all. */
function withEmpty(pattern: PathPattern, fits: Set<number>): Set<number> {
  for (const at of fits) if (pattern[at] === '**' && at < pattern.length - 1) fits.add(at + 1)
  return fits
}

/** Matches one part of a path: where the rest does not fit, the last star takes one more character. */
function matchesPart(tokens: Part, name: PathSegmentCharacters): boolean {
  if (tokens === '**' || name.length > name_characters_max) return false
  let star: { token: number; at: number } | undefined
  let token = 0
  for (let at = 0; at < name.length; ) {
    const wanted = tokens[token]
    if (wanted?.kind === 'star') star = { token: ++token, at }
    else if (wanted?.takes(name[at] ?? '')) {
      at++
      token++
    } else {
      if (!star) return false
      at = ++star.at
      token = star.token
    }
  }
  while (tokens[token]?.kind === 'star') token++
  return token === tokens.length
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (character === '?') tokens.push({ kind: 'one', takes: () => true })
    else if (character === '[') {
      const { takes, end } = bracket(characters, at)
      tokens.push({ kind: 'one', takes })
      at = end
    } else {
      const literal = character === '\\' ? characters[++at] : character
      tokens.push({ kind: 'one', takes: (one) => one === literal })
    }
  }
  return tokens
}

const classes: Record<string, RegExp> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^\d$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
}

/** `[a-z]`, `[!x]`, `[[:digit:]]`; one that is never closed matches nothing. */
function bracket(
  characters: readonly string[],
  start: number,
): { takes: (character: string) => boolean; end: number } {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const tests: ((character: string) => boolean)[] = []
  let at = start + (isNegated ? 2 : 1)
  for (let isFirst = true; at < characters.length; isFirst = false, at++) {
    let character = characters[at] ?? ''
    if (character === ']' && !isFirst) {
      return { takes: (one) => tests.some((test) => test(one)) !== isNegated, end: at }
    }
    const name =
      character === '[' ? /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join('')) : null
    if (name) {
      const known = ownValue(classes, name[1] ?? '')
      tests.push((one) => known?.test(one) ?? false)
      at += name[0].length - 1
      continue
    }
    if (character === '\\') character = characters[++at] ?? ''
    const from = character
    if (characters[at + 1] === '-' && characters[at + 2] !== ']' && at + 2 < characters.length) {
      at += 2
      const to = characters[at] === '\\' ? (characters[++at] ?? '') : (characters[at] ?? '')
      tests.push((one) => one >= from && one <= to)
    } else tests.push((one) => one === from)
  }
  return { takes: () => false, end: characters.length }
}
