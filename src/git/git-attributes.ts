// gitattributes(5): evaluates the `.gitattributes` files of a tree. git itself reads them only from an index or working
// copy before version 2.40, and costs a process.
import { limits } from '../kernel/limits.ts'
import { trimEndOf, trimStartOf } from '../kernel/trim.ts'
import {
  matchesPathPattern,
  type PathPattern,
  parsePathPattern,
  splitPathForPattern,
} from './path-pattern.ts'

/** True for set, false for unset, a text for a value. */
export type AttributeValue = boolean | string

type Assignment = { name: string; value: AttributeValue | undefined }
type Line = {
  pattern: PathPattern
  /** Without a slash in it, the pattern is about the last part of a path. */
  isBasename: boolean
  assignments: Assignment[]
}

/** A parsed `.gitattributes` file. */
export type GitAttributesFile = {
  lines: Line[]
  /** `[attr]name ...`; only what stands at the top counts. */
  macros: Map<string, Assignment[]>
}

/** git leaves out longer lines. */
const line_characters_max = 2048

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
      const isBasename = !first.includes('/')
      file.lines.push({ pattern: parsePathPattern(first), isBasename, assignments })
    }
  }
  return file
}

/** Splits a line into its pattern and the rest. A pattern with spaces is quoted, with escapes as in C. */
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

/**
 * Returns the value of an attribute for `path`; undefined if no line sets it. `files` are those of the folders above the
 * path, from the root down, each with its folder (`''` for the root); nearer files and later lines win. Also undefined if
 * the lines and the path are too long to be matched.
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
    const parts = splitPathForPattern(below)
    if (!parts) return undefined
    for (const { pattern, isBasename, assignments } of file.lines.toReversed()) {
      characters += pattern.length * below.length
      if (characters > limits.git_attributes_characters) return undefined
      if (!matchesPathPattern(pattern, isBasename ? parts.slice(-1) : parts)) continue
      const said = lastOf(assignments, name, macros)
      if (said) return said.value
    }
  }
  return undefined
}

/** Returns what a line assigns to the attribute, directly or through a macro; the last assignment wins. */
function lastOf(
  assignments: readonly Assignment[],
  name: string,
  macros: ReadonlyMap<string, Assignment[]> | undefined,
): Assignment | undefined {
  for (const assignment of assignments.toReversed()) {
    if (assignment.name === name) return assignment
    // A macro has an effect only if it is set. Macros within macros are not expanded.
    const meant = assignment.value === true ? macros?.get(assignment.name) : undefined
    const said = meant?.findLast((inner) => inner.name === name)
    if (said) return said
  }
  return undefined
}
