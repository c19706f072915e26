// The only place that knows the structure of web addresses: the owner, `/-/`, and the rest.

export type WebAddress = {
  /** The parts before `/-/`; all parts if the address has no `/-/`. */
  owner: string[]
  /** Whether the address begins with `/groups/`, which is not part of `owner`. */
  isGroup: boolean
  /** The parts after `/-/`; undefined if the address has no `/-/`. */
  inside: string[] | undefined
}

const segments_max = 100

/** Returns the decoded parts of a path; undefined for a malformed path, and for one with NUL. */
export function splitUrlPath(path: string): string[] | undefined {
  const parts = path.split('/', segments_max + 1).filter(Boolean)
  if (parts.length >= segments_max) return undefined
  try {
    const segments = parts.map(decodeURIComponent)
    return segments.some((segment) => segment.includes('\0')) ? undefined : segments
  } catch {
    return undefined
  }
}

/** Splits a URL path into its owner and the rest. `owner` is empty for pages of the server itself. */
export function parseWebAddress(segments: readonly string[]): WebAddress {
  const dash = segments.indexOf('-')
  const before = dash < 0 ? segments : segments.slice(0, dash)
  const isGroup = before[0] === 'groups'
  return {
    owner: before.slice(isGroup ? 1 : 0),
    isGroup,
    inside: dash < 0 ? undefined : segments.slice(dash + 1),
  }
}

/** Returns the URL of something inside a project, group or user. The parts are encoded. */
export function formatWebAddress(owner: string, inside: readonly string[]): string {
  const rest = inside.length === 0 ? [] : ['-', ...inside.map(encodeURIComponent)]
  return `/${[owner, ...rest].join('/')}`
}
