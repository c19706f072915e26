// Path parameters that may contain unencoded slashes, as clients send paths within archives and branch names. The router
// splits at slashes, so those of such parameters are encoded before.
import { limits } from '../kernel/limits.ts'
import type { Endpoint } from './endpoint.ts'

/** A segment of a route: a literal or a parameter. */
type Part = { word?: string; isSlashed: boolean }
type Pattern = { parts: readonly Part[]; mark: string }

/**
 * Returns a function that encodes the slashes of such parameters in the URL of a request. If a path has two of them, the
 * first one ends at the first word that may follow it.
 */
export function slashEncoder(
  prefix: string,
  endpoints: readonly Pick<Endpoint, 'path' | 'slashed'>[],
): (url: string) => string {
  const patterns = endpoints
    .filter(({ slashed }) => slashed.length > 0)
    .map((endpoint) => patternOf(prefix, endpoint))
    // What says more of a path is tried first.
    .toSorted((a, b) => countWords(b) - countWords(a))
  return (url) => {
    if (!url.startsWith(prefix) || url.length > limits.url_bytes) return url
    const [path = ''] = url.split('?', 1)
    const fitting = patterns.filter(({ mark }) => path.includes(mark))
    if (fitting.length === 0) return url
    const segments = path.split('/')
    for (const { parts } of fitting) {
      const encoded = encodeAlong(parts, segments)
      if (encoded !== undefined) return encoded + url.slice(path.length)
    }
    return url
  }
}

function patternOf(prefix: string, { path, slashed }: Pick<Endpoint, 'path' | 'slashed'>): Pattern {
  const parts = `${prefix}${path}`.split('/').map((text) => {
    const name = /^:(\w+)/.exec(text)?.[1]
    if (name === undefined) return { word: text, isSlashed: false }
    return { isSlashed: slashed.includes(name) }
  })
  const first = parts.findIndex(({ isSlashed }) => isSlashed)
  return { parts, mark: `/${parts[first - 1]?.word}/` }
}

const countWords = ({ parts }: Pattern): number =>
  parts.filter(({ word }) => word !== undefined).length

/** The path with those slashes encoded; undefined for one that the route is not for. */
function encodeAlong(parts: readonly Part[], segments: readonly string[]): string | undefined {
  const encoded: string[] = []
  let at = 0
  for (const [index, { word, isSlashed }] of parts.entries()) {
    const others = parts.slice(index + 1)
    let end = at + 1
    if (isSlashed) {
      end = others.some((part) => part.isSlashed)
        ? segments.indexOf(others[0]?.word ?? '', at + 1)
        : segments.length - others.length
    }
    if (end <= at) return undefined
    const text = segments.slice(at, end).join('%2F')
    if (word === undefined ? text === '' : word !== text) return undefined
    encoded.push(text)
    at = end
  }
  return at === segments.length ? encoded.join('/') : undefined
}
