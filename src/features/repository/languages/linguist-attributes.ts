// `linguist-*` in the .gitattributes at the root (gitattributes(5)). The patterns are user input, so they are matched
// without regular expressions, in time linear in pattern and path except for stars.
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import { type ExcludedPathKind, excludedPathKinds } from './excluded-paths.ts'

export type LinguistOverrides = Partial<Record<ExcludedPathKind | 'detectable', boolean>> & {
  language?: string
}
export type LinguistRule = { matches: (path: string) => boolean; overrides: LinguistOverrides }

/** Larger files are ignored. */
export const linguist_attributes_bytes_max = 100 * 1024
const rules_max = 1000
/** Names longer than this have no attributes, as in git-attributes.ts; no working copy could contain them. */
const name_characters_max = 255
const path_characters_max = 4096

/** Returns the rules in order; those with only other attributes are omitted. */
export function parseLinguistRules(text: string): LinguistRule[] {
  const rules: LinguistRule[] = []
  for (const line of text.split('\n')) {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/)
    // Macros, quoted patterns and patterns with wildcards other than stars are rare and not supported.
    if (
      pattern === '' ||
      pattern.length > name_characters_max ||
      /^[#"!]|^\[attr\]|[?[\\]/.test(pattern)
    )
      continue
    const overrides = readOverrides(attributes)
    if (Object.keys(overrides).length > 0)
      rules.push({ matches: compileLinguistPattern(pattern), overrides })
    if (rules.length === rules_max) break
  }
  return rules
}

/** Returns the cost of matching all rules against a path, in steps of `MatchBudget`. */
export function estimateLinguistMatchCost(rules: readonly LinguistRule[], path: string): number {
  return rules.length * (0.2 + Math.min(path.length, path_characters_max) / 100)
}

/** Returns the attributes of a path. For each attribute the last matching rule wins. */
export function linguistOverridesForPath(
  rules: readonly LinguistRule[],
  path: string,
): LinguistOverrides {
  const found: LinguistOverrides = {}
  const isTooLong = (part: string) => part.length > name_characters_max
  if (path.length > path_characters_max || path.split('/').some(isTooLong)) return found
  for (const { matches, overrides } of rules) if (matches(path)) Object.assign(found, overrides)
  return found
}

function readOverrides(attributes: readonly string[]): LinguistOverrides {
  const overrides: LinguistOverrides = {}
  for (const attribute of attributes) {
    const match = /^(-?)linguist-([a-z]+)(?:=(.*))?$/.exec(attribute)
    if (!match) continue
    const [, minus, name = '', value] = match
    if (name === 'language') {
      // Hyphens represent spaces, which attribute values cannot contain.
      if (value) overrides.language = value.toLowerCase()
    } else if (name === 'detectable' || (excludedPathKinds as string[]).includes(name)) {
      overrides[name as ExcludedPathKind] = minus === '' && value !== 'false'
    }
  }
  return overrides
}

/** Compiles a pattern. Without a slash it matches the last part of a path, otherwise the whole path from the root. */
export function compileLinguistPattern(pattern: string): (path: string) => boolean {
  if (!pattern.includes('/')) {
    return (path) => matchesWildcard(pattern, path.slice(path.lastIndexOf('/') + 1))
  }
  const parts = pattern.replace(/^\//, '').split('/')
  // A pattern with a trailing slash matches only folders, which have no attributes.
  if (parts.at(-1) === '') return () => false
  // `a/**` matches what is inside of the folder, and not a file `a`.
  const groups = splitGroups(parts.at(-1) === '**' ? [...parts, '*'] : parts)
  return (path) => matchesGroups(groups, path.split('/'))
}

/** Splits the parts of a pattern at `**`, which matches any number of folders. */
function splitGroups(parts: readonly string[]): string[][] {
  const groups: string[][] = [[]]
  for (const part of parts) {
    if (part === '**') groups.push([])
    else groups.at(-1)?.push(part)
  }
  return groups
}

function fits(group: readonly string[], parts: readonly string[], at: number): boolean {
  return group.every((pattern, index) => matchesWildcard(pattern, parts[at + index] ?? '/'))
}

/** Matches groups greedily from the left, as kernel/wildcard.ts does with characters. */
function matchesGroups(groups: readonly string[][], parts: readonly string[]): boolean {
  const [first = []] = groups
  if (groups.length === 1) return parts.length === first.length && fits(first, parts, 0)
  const last = groups.at(-1) ?? []
  const end = parts.length - last.length
  if (end < first.length || !fits(first, parts, 0) || !fits(last, parts, end)) return false
  let at = first.length
  for (const group of groups.slice(1, -1)) {
    while (at + group.length <= end && !fits(group, parts, at)) at++
    if (at + group.length > end) return false
    at += group.length
  }
  return true
}
