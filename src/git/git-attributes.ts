// gitattributes(5): what the files named `.gitattributes` in a tree say of a path. Read here and not by
// git, which before 2.40 looks for them in an index or working copy only, and would cost a process.
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { trimEndOf, trimStartOf } from '../kernel/trim.ts'

/** True for set, false for unset, a text for a value. */
export type AttributeValue = boolean | string

type Assignment = { name: string; value: AttributeValue | undefined }
type Line = { pattern: Pattern; assignments: Assignment[] }
/** `**`, or what takes one part of a path. */
type Part = '**' | readonly Token[]
type Pattern = { parts: readonly Part[]; isBasename: boolean }
type Token = { kind: 'star' } | { kind: 'one'; takes: (character: string) => boolean }

/** One `.gitattributes`, parsed. */
export type GitAttributesFile = {
  lines: Line[]
  /** `[attr]name ...`; only what stands at the top counts. */
  macros: Map<string, Assignment[]>
}

/** git leaves out longer lines. */
const line_characters_max = 2048
/**
 * Longer names and paths have no attributes; no working copy could hold them. A pattern of many stars takes
 * time by the product of its length and theirs.
 */
const name_characters_max = 255
const path_parts_max = 255

export function parseGitAttributes(content: Buffer): GitAttributesFile {
  const file: GitAttributesFile = { lines: [], macros: new Map() }
  for (const raw of content.toString('utf8').split('\n')) {
    if (raw.length > line_characters_max) continue
    const line = trimEndOf(trimStartOf(raw, ' \t'), ' \t\r')
    if (line === '' || line.startsWith('#')) continue
    const { first, rest } = splitPattern(line)
    const assignments = rest
      .split(/[ \t]+/)
      .filter(Boolean)
      .map(parseAssignment)
    const macro = /^\[attr\](.+)$/.exec(first)?.[1]
    if (macro !== undefined) file.macros.set(macro, assignments)
    // "Negative patterns are forbidden", and one that ends with a slash matches no file.
    else if (!first.startsWith('!') && !first.endsWith('/')) {
      file.lines.push({ pattern: parsePattern(first), assignments })
    }
  }
  return file
}

/** A pattern with spaces stands in quotes, written as in C. */
function splitPattern(line: string): { first: string; rest: string } {
  const quoted = /^"((?:[^"\\]|\\.)*)"(?:[ \t]|$)/.exec(line)
  if (quoted) {
    const first = (quoted[1] ?? '').replace(/\\(["\\])/g, '$1')
    return { first, rest: line.slice(quoted[0].length) }
  }
  const end = line.search(/[ \t]|$/)
  return { first: line.slice(0, end), rest: line.slice(end) }
}

function parseAssignment(text: string): Assignment {
  if (text.startsWith('-')) return { name: text.slice(1), value: false }
  if (text.startsWith('!')) return { name: text.slice(1), value: undefined }
  const equals = text.indexOf('=')
  if (equals < 0) return { name: text, value: true }
  return { name: text.slice(0, equals), value: text.slice(equals + 1) }
}

function parsePattern(text: string): Pattern {
  if (!text.includes('/')) return { parts: [tokensOf(text)], isBasename: true }
  const parts = text.replace(/^\//, '').split('/')
  return {
    parts: parts.map((part) => (/^\*{2,}$/.test(part) ? '**' : tokensOf(part))),
    isBasename: false,
  }
}

/**
 * The value of an attribute for `path`; undefined when nothing is said. `files` are those above the
 * path, from the top down, each with the folder it is in (`''` at the top): a nearer one and a later
 * line win. Undefined too where the lines and the path are too long to be held against each other.
 */
export function findGitAttribute(
  files: readonly { folder: string; file: GitAttributesFile }[],
  path: string,
  name: string,
): AttributeValue | undefined {
  const macros = files.find(({ folder }) => folder === '')?.file.macros
  let characters = 0
  for (const { folder, file } of files.toReversed()) {
    const below = folder === '' ? path : path.slice(folder.length + 1)
    const parts = below.split('/').map((part) => [...part])
    if (parts.length > path_parts_max) return undefined
    for (const { pattern, assignments } of file.lines.toReversed()) {
      characters += pattern.parts.length * below.length
      if (characters > limits.git_attributes_characters) return undefined
      if (!matches(pattern, parts)) continue
      const said = lastOf(assignments, name, macros)
      if (said) return said.value
    }
  }
  return undefined
}

/** What a line says of the attribute, directly or by a macro it sets; the last word counts. */
function lastOf(
  assignments: readonly Assignment[],
  name: string,
  macros: ReadonlyMap<string, Assignment[]> | undefined,
): Assignment | undefined {
  for (const assignment of assignments.toReversed()) {
    if (assignment.name === name) return assignment
    // A macro counts only where it is set, and is not looked for inside another one.
    const meant = assignment.value === true ? macros?.get(assignment.name) : undefined
    const said = meant?.findLast((inner) => inner.name === name)
    if (said) return said
  }
  return undefined
}

/** A path's part as its characters. */
type Name = readonly string[]

function matches({ parts: pattern, isBasename }: Pattern, path: readonly Name[]): boolean {
  if (isBasename) return matchesPart(pattern[0] ?? [], path.at(-1) ?? [])
  // Which beginnings of the pattern the path so far fits; `**` stands for any number of folders.
  let fits = withEmpty(pattern, new Set([0]))
  for (const part of path) {
    const next = new Set<number>()
    for (const at of fits) {
      const wanted = pattern[at]
      // At the end it takes at least one name: `a/**` is what is inside, not `a`.
      if (wanted === '**') next.add(at).add(at === pattern.length - 1 ? at + 1 : at)
      else if (wanted !== undefined && matchesPart(wanted, part)) next.add(at + 1)
    }
    fits = withEmpty(pattern, next)
  }
  return fits.has(pattern.length)
}

/** `**` before a slash also stands for no folder at all. */
function withEmpty(pattern: readonly Part[], fits: Set<number>): Set<number> {
  for (const at of fits) if (pattern[at] === '**' && at < pattern.length - 1) fits.add(at + 1)
  return fits
}

/** One name against one part of a pattern: the last star takes one more where it goes no further. */
function matchesPart(tokens: Part, name: Name): boolean {
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
