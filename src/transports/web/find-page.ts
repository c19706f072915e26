// Which page outside of the API a request asks for. Only addresses that people and package managers build
// themselves are here.

import { queryOf } from '../../http/bag.ts'

export type WebPage =
  | { kind: 'keys' | 'gpg'; username: string }
  | { kind: 'raw' | 'archive'; project: string; rest: string[] }
  | { kind: 'go-get'; path: string[] }
  | { kind: 'badge'; project: string; ref: string; picture: 'pipeline' | 'coverage' }

const segments_max = 100

/** The page, or undefined when the address is none of ours. */
export function findWebPage(url: string): WebPage | undefined {
  const [path = ''] = url.split('?', 1)
  const segments = decodeSegments(path)
  const [first = ''] = segments ?? []
  if (!segments || first === '' || first === '-' || first === 'api') return undefined
  if (segments.length >= 2 && new URLSearchParams(queryOf(url)).get('go-get') === '1') {
    return { kind: 'go-get', path: segments }
  }
  if (segments.length === 1) {
    const [, username = '', kind] = /^(.+)\.(keys|gpg)$/.exec(first) ?? []
    return kind === 'keys' || kind === 'gpg' ? { kind, username } : undefined
  }
  const badge = findBadge(segments)
  if (badge) return badge
  const dash = segments.indexOf('-')
  const kind = dash < 2 ? undefined : segments[dash + 1]
  if (kind !== 'raw' && kind !== 'archive') return undefined
  return { kind, project: segments.slice(0, dash).join('/'), rest: segments.slice(dash + 2) }
}

/** `<project>/badges/<ref>/pipeline.svg`, also with `-` before it; a reference may have slashes. */
function findBadge(segments: readonly string[]): WebPage | undefined {
  const [, picture] = /^(pipeline|coverage)\.svg$/.exec(segments.at(-1) ?? '') ?? []
  const at = segments.indexOf('badges', 2)
  if ((picture !== 'pipeline' && picture !== 'coverage') || at < 0) return undefined
  const ref = segments.slice(at + 1, -1).join('/')
  const end = segments[at - 1] === '-' ? at - 1 : at
  return ref === '' || end < 2
    ? undefined
    : { kind: 'badge', project: segments.slice(0, end).join('/'), ref, picture }
}

/** Undefined for a text that is no path. No path holds NUL. */
function decodeSegments(path: string): string[] | undefined {
  const parts = path.split('/', segments_max + 1).filter(Boolean)
  if (parts.length >= segments_max) return undefined
  try {
    const segments = parts.map(decodeURIComponent)
    return segments.some((segment) => segment.includes('\0')) ? undefined : segments
  } catch {
    return undefined
  }
}
