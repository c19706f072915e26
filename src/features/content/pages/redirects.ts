// The redirects file of a site, in the format that many hosts of sites use (docs/api/pages.md, "Redirects"). Rules are
// tried in order; each is compared with the path part by part, in one pass.
import { limits } from '../../../kernel/limits.ts'

type Rule = { parts: readonly string[]; to: string; status: number }

const { file_bytes, rules_max, segments_max } = limits.pages.redirects
const statuses = new Set([200, 301, 302])

/** Returns the rules of a `_redirects` file. Invalid rules are omitted, and so are all rules of a file that is too large. */
export function parseRedirectsFile(text: string): readonly Rule[] {
  if (Buffer.byteLength(text) > file_bytes) return []
  const rules: Rule[] = []
  for (const line of text.split('\n')) {
    const rule = readRule(line)
    if (rule) rules.push(rule)
    if (rules.length === rules_max) break
  }
  return rules
}

function readRule(line: string): Rule | undefined {
  const words = line
    .trim()
    .split(/\s/)
    .filter((word) => word !== '')
  const [from = '', to = '', given = '301', ...more] = words
  if (from.startsWith('#') || more.length > 0) return undefined
  const status = /^\d{3}$/.test(given) ? Number(given) : 0
  const isSound = from.startsWith('/') && statuses.has(status) && isTarget(to, status)
  const parts = from.split('/')
  const isSplatLast = parts.slice(0, -1).every((part) => !part.includes('*'))
  if (!isSound || parts.length > segments_max || !isSplatLast) return undefined
  return { parts, to, status }
}

/**
 * Returns whether the target is a path of the site, or for a redirect (not a rewrite) the URL of another
 * site.
 */
function isTarget(to: string, status: number): boolean {
  if (/^\/(?![/\\])/.test(to)) return true
  return status !== 200 && /^https?:\/\/[^\s/\\]/.test(to)
}

/**
 * Returns the target of the first rule that matches the path, which begins with a slash; a status of 200 serves the
 * target in place.
 */
export function matchRedirect(
  rules: readonly Rule[],
  path: string,
): { to: string; status: number } | undefined {
  const parts = withoutEnd(path.split('/'))
  for (const { parts: wanted, to, status } of rules) {
    const found = matchParts(withoutEnd(wanted), parts)
    if (found) return { to: fill(to, found), status }
  }
  return undefined
}

/** Removes a trailing slash, which makes no difference. */
function withoutEnd(parts: readonly string[]): readonly string[] {
  return parts.length > 2 && parts.at(-1) === '' ? parts.slice(0, -1) : parts
}

function matchParts(
  wanted: readonly string[],
  parts: readonly string[],
): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const [at, part] of wanted.entries()) {
    if (part === '*' && at === wanted.length - 1) {
      found.set('splat', parts.slice(at).join('/'))
      return found
    }
    const given = parts[at]
    if (given === undefined) return undefined
    if (/^:[a-z]\w*$/.test(part) && given !== '') found.set(part.slice(1), given)
    else if (part !== given) return undefined
  }
  return parts.length === wanted.length ? found : undefined
}

/** Replaces placeholders in a target. The inserted text must not turn a path into the URL of another host. */
function fill(to: string, found: ReadonlyMap<string, string>): string {
  const text = to.replace(/:([a-z]\w*)/g, (whole, name: string) => {
    const value = found.get(name)
    return value === undefined ? whole : value.split('/').map(encodeURIComponent).join('/')
  })
  return to.startsWith('/') ? text.replace(/^[/\\]+/, '/') : text
}
