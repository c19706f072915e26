// The format of CODEOWNERS (docs/api/code-owners.md, "The file").
import { Level } from '../../../access/level.ts'
import {
  matchesPathPattern,
  type PathSegmentCharacters,
  parsePathPattern,
} from '../../../git/path-pattern.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'

/** The owners of a line in lower case: users or groups by name, users by email address, members by role. */
export type CodeOwnerNames = { names: string[]; emails: string[]; levels: number[] }

export type CodeOwnersEntry = {
  /** The pattern as written in the file. */
  pattern: string
  owners: CodeOwnerNames
  /** Returns false if the literal beginning or ending of the pattern already rules out the path. */
  mayMatch: (path: ChangedPath) => boolean
  matches: (path: ChangedPath) => boolean
  /** The maximum cost of `matches` for this path, in steps of `MatchBudget`. */
  cost: (path: ChangedPath) => number
}

export type ChangedPath = { text: string; parts: readonly PathSegmentCharacters[] }

export type CodeOwnersSection = {
  name: string
  isOptional: boolean
  approvals_required: number
  entries: CodeOwnersEntry[]
  /** Lines that begin with `!`: their files have no owner in this section. */
  exclusions: CodeOwnersEntry[]
}

/** The section of lines before the first heading. */
export const defaultCodeOwnersSectionName = 'codeowners'

/** Returns the sections in the order in which they begin. Sections with the same name, regardless of case, are combined. */
export function parseCodeOwners(text: string): CodeOwnersSection[] {
  const sections = new Map<string, CodeOwnersSection>()
  const open = (name: string, isOptional: boolean, approvals_required: number) => {
    const key = name.toLowerCase()
    const known = sections.get(key)
    const section = known ?? { name, isOptional, approvals_required, entries: [], exclusions: [] }
    sections.set(key, section)
    section.isOptional &&= isOptional
    section.approvals_required = Math.max(section.approvals_required, approvals_required)
    return section
  }
  let section: CodeOwnersSection | undefined
  let defaultOwners: CodeOwnerNames | undefined
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const heading = /^(\^?)\[([^\]]+)\](?:\[(\d{1,3})\])?(?:\s(.*))?$/.exec(line)
    if (heading) {
      const [, mark, name = '', count, owners = ''] = heading
      const required = Math.min(Math.max(Number(count ?? 1), 1), limits.approvals_required_max)
      section = open(name.trim().slice(0, limits.title_characters), mark !== '', required)
      defaultOwners = parseOwners(owners)
      continue
    }
    section ??= open(defaultCodeOwnersSectionName, false, 1)
    const isExclusion = line.startsWith('!')
    const { pattern, rest } = splitPattern(isExclusion ? line.slice(1) : line)
    const own = parseOwners(rest)
    const owners = isEmpty(own) && defaultOwners ? defaultOwners : own
    const list = isExclusion ? section.exclusions : section.entries
    list.push({ pattern, owners, ...makeMatcher(pattern) })
  }
  return [...sections.values()]
}

function isEmpty({ names, emails, levels }: CodeOwnerNames): boolean {
  return names.length + emails.length + levels.length === 0
}

/** Splits a line after its pattern, which ends at the first space without a backslash before it. */
function splitPattern(line: string): { pattern: string; rest: string } {
  let end = 0
  while (end < line.length && !/\s/.test(line.charAt(end))) end += line[end] === '\\' ? 2 : 1
  return { pattern: line.slice(0, end), rest: line.slice(end) }
}

const roles: Record<string, number> = {
  developer: Level.developer,
  developers: Level.developer,
  maintainer: Level.maintainer,
  maintainers: Level.maintainer,
  owner: Level.owner,
  owners: Level.owner,
}

/** Returns the owners of a line up to a limit; those beyond it cannot approve. */
function parseOwners(text: string): CodeOwnerNames {
  const owners: CodeOwnerNames = { names: [], emails: [], levels: [] }
  const words = text.trim().toLowerCase().split(/\s+/)
  for (const word of words.slice(0, limits.approval_rules_max)) {
    const level = word.startsWith('@@') ? ownValue(roles, word.slice(2)) : undefined
    if (level !== undefined) owners.levels.push(level)
    else if (/^@[\w.][\w./-]*$/.test(word)) owners.names.push(word.slice(1))
    else if (/^[^@]+@[^@]+$/.test(word)) owners.emails.push(word)
  }
  return owners
}

/**
 * Compiles a pattern. As in git, except that a pattern without a leading slash matches at any depth, and one with a
 * trailing slash matches everything below the folder.
 */
function makeMatcher(pattern: string): Pick<CodeOwnersEntry, 'mayMatch' | 'matches' | 'cost'> {
  if (pattern.length > pattern_characters_max) {
    return { mayMatch: () => false, matches: () => false, cost: () => 0 }
  }
  const anchored = pattern.startsWith('/') ? pattern : `/**/${pattern}`
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored
  const parsed = parsePathPattern(whole)
  const prefix = /^[^*?[\]\\]*/.exec(whole.slice(1))?.[0] ?? ''
  const suffix = literalEnd(whole)
  const isLiteral = whole.length === prefix.length + 1
  // Comparing the literal beginning and ending rules out most patterns cheaply.
  const mayMatch = ({ text }: ChangedPath) =>
    isLiteral ? text === prefix : text.startsWith(prefix) && text.endsWith(suffix)
  return {
    mayMatch,
    matches: (path) => mayMatch(path) && (isLiteral || matchesPathPattern(parsed, path.parts)),
    cost: ({ text }) => (whole.length * text.length) / pairs_per_step,
  }
}

/** How many pairs of characters of the pattern and the path are compared in a microsecond in the worst case. */
const pairs_per_step = 300

/** No path is this long, so longer patterns match nothing. */
const pattern_characters_max = 4096

/** Returns the literal characters at the end of a pattern, after its last wildcard or slash. */
function literalEnd(pattern: string): string {
  let at = pattern.length
  while (at > 0 && !'*?[]\\/'.includes(pattern.charAt(at - 1))) at--
  return pattern.slice(at)
}
