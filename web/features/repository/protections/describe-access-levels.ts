import { protectionText as words } from '../../../text/settings.ts'

type Entry = { access_level: number | null; access_level_description: string }

const levelWords = new Map(words.levels)

/** Who an entry of a protection is, as a sentence begins with them. */
export function describeAccessLevels(entries: readonly Entry[]): string {
  const names = entries
    .filter(({ access_level }) => access_level !== 0)
    .map((entry) => levelWords.get(String(entry.access_level)) ?? entry.access_level_description)
  return names.length === 0 ? words.noOne : names.join(', ')
}

/** Whether a name is what a pattern with `*` means. Linear: each part is looked for once, from left to right. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === name
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}
