// Finds the stable version before another one by the names of tags.
import { compareVersions, parseVersionParts } from '../../repository/tags/version-order.ts'

type Version = { name: string; version: string }

/** Returns a version without the leading `v`, for comparisons. */
function bare(version: string): string {
  return version.replace(/^v/, '')
}

/** Returns the stable version in a tag name; undefined for other tags and for pre-releases. */
export function parseStableVersion(name: string, expression: RegExp): string | undefined {
  const { major, minor, patch, pre, meta } = expression.exec(name)?.groups ?? {}
  if (!major || !minor || !patch || pre) return undefined
  return `${major}.${minor}.${patch}${meta ? `+${meta}` : ''}`
}

/** Returns the tag of the highest version below the given one; undefined if there is none. */
export function findPreviousVersionTag(
  tags: Iterable<Version>,
  version: string,
): string | undefined {
  const wanted = parseVersionParts(bare(version))
  let best: { name: string; parts: ReturnType<typeof parseVersionParts> } | undefined
  for (const { name, version: of } of tags) {
    const parts = parseVersionParts(of)
    if (compareVersions(parts, wanted) >= 0) continue
    if (!best || compareVersions(parts, best.parts) > 0) best = { name, parts }
  }
  return best?.name
}

/** Inserts a section into a changelog, before the first section of the same or an older version. */
export function insertChangelogSection(text: string, section: string, version: string): string {
  const wanted = parseVersionParts(bare(version))
  let at = 0
  for (const line of text.split('\n')) {
    const [, found] = /^##\s*v?(\d+\.\d+\.\d+\S*)/.exec(line) ?? []
    if (found !== undefined && compareVersions(parseVersionParts(found), wanted) <= 0) {
      return text.slice(0, at) + section + text.slice(at)
    }
    at += line.length + 1
  }
  const between = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return text + between + section
}
