// Finds the endpoint of a request. Endpoints are not Fastify routes: with one more for each method that a path lacks,
// there would be three thousand of these, which took a fifth of the startup time.
import { methodNotAllowed, unknownRoute } from '../kernel/errors.ts'
import { ownValue } from '../kernel/own-value.ts'
import type { Endpoint } from './endpoint.ts'

/** A path and its endpoints by method. */
type Route = {
  path: string
  /** The names of its parameters, in their order. */
  names: readonly string[]
  endpoints: Map<string, Endpoint>
}

/** The constraints that a parameter in a path may have, as in `:id(^\d+$)`. */
const expressions: Readonly<Record<string, RegExp>> = {
  '': /^/,
  '(^\\d+$)': /^\d+$/,
  '(^[0-9a-f]{32}$)': /^[0-9a-f]{32}$/,
}

/** A parameter with a constraint, or with a literal before its name, as in `archive.:format`. */
type Pattern = { start: string; expression: RegExp; next: Node }

/** What may follow in a path: literals first, then patterns, then any segment; and the route that may end here. */
type Node = {
  words: Map<string, Node>
  patterns: Pattern[]
  any: Node | undefined
  route: Route | undefined
}

/** The route that matches a path, with the values of its parameters. */
type Match = { route: Route; values: readonly string[] }

/**
 * Returns a function that finds the endpoint for a method and a path without its query. Fixed segments have precedence over
 * parameters, segment by segment, whatever the method. The function throws 404 if no endpoint has the path, and 405 if none
 * of those with the path has the method.
 */
export function createEndpointRouter(
  endpoints: readonly Endpoint[],
): (method: string, path: string) => { endpoint: Endpoint; parameters: Record<string, string> } {
  const root = newNode()
  for (const endpoint of endpoints) addEndpoint(root, endpoint)
  return (method, path) => {
    const segments = readSegments(path)
    if (!segments) throw unknownRoute()
    const matches: Match[] = []
    const found = findMatch(root, { segments, at: 0, values: [] }, (match) => {
      const [first] = matches
      if (first && !isWildcardBeside(match.route, first.route)) return false
      matches.push(match)
      return endpointFor(match.route, method) !== undefined
    })
    const endpoint = found && endpointFor(found.route, method)
    if (endpoint) return { endpoint, parameters: parametersOf(found) }
    throw refuse(matches, method)
  }
}

function newNode(): Node {
  return { words: new Map(), patterns: [], any: undefined, route: undefined }
}

function addEndpoint(root: Node, endpoint: Endpoint): void {
  const { path, method } = endpoint
  const names: string[] = []
  let node = root
  for (const segment of path.split('/').slice(1)) {
    const [, start = '', name, limit = ''] = /^([^:]*):(\w+)(\(.*)?$/.exec(segment) ?? []
    const expression = ownValue(expressions, limit)
    if (!expression) throw new Error(`Unknown kind of parameter: ${path}`)
    if (name !== undefined) names.push(name)
    node = nextNode(node, { segment, start, name, expression })
  }
  node.route ??= { path, names, endpoints: new Map() }
  if (node.route.path !== path)
    throw new Error(`Two names of one path: ${node.route.path}, ${path}`)
  node.route.endpoints.set(method, endpoint)
}

/** Returns the node that follows a segment, and adds it if it is missing. */
function nextNode(
  node: Node,
  part: { segment: string; start: string; name: string | undefined; expression: RegExp },
): Node {
  const { segment, start, name, expression } = part
  if (name === undefined) {
    const next = node.words.get(segment) ?? newNode()
    node.words.set(segment, next)
    return next
  }
  if (start === '' && expression === expressions['']) {
    node.any ??= newNode()
    return node.any
  }
  const known = node.patterns.find((one) => one.start === start && one.expression === expression)
  if (known) return known.next
  const next = newNode()
  node.patterns.push({ start, expression, next })
  return next
}

/** The decoded segments of a path, with or without a slash at its end; undefined for what cannot be decoded. */
function readSegments(path: string): string[] | undefined {
  const end = path.endsWith('/') ? -1 : undefined
  const segments = path.slice(1, end).split('/')
  try {
    return path.includes('%') ? segments.map((segment) => decodeURIComponent(segment)) : segments
  } catch {
    return undefined
  }
}

/** The first match that `accept` takes, of all that the segments lead to from `at` on. */
function findMatch(
  node: Node,
  { segments, at, values }: { segments: readonly string[]; at: number; values: readonly string[] },
  accept: (match: Match) => boolean,
): Match | undefined {
  const segment = segments[at]
  if (segment === undefined) {
    const match = node.route && { route: node.route, values }
    return match && accept(match) ? match : undefined
  }
  const next = { segments, at: at + 1 }
  const word = node.words.get(segment)
  const found = word && findMatch(word, { ...next, values }, accept)
  if (found) return found
  for (const pattern of node.patterns) {
    const value = segment.slice(pattern.start.length)
    const fits = segment.startsWith(pattern.start) && pattern.expression.test(value)
    if (value === '' || !fits) continue
    const match = findMatch(pattern.next, { ...next, values: [...values, value] }, accept)
    if (match) return match
  }
  return node.any && findMatch(node.any, { ...next, values: [...values, segment] }, accept)
}

/** Returns the endpoint of a route for a method. HEAD uses the endpoint of GET unless it has its own. */
function endpointFor({ endpoints }: Route, method: string): Endpoint | undefined {
  return endpoints.get(method) ?? (method === 'HEAD' ? endpoints.get('GET') : undefined)
}

function parametersOf({ route, values }: Match): Record<string, string> {
  return Object.fromEntries(route.names.map((name, at) => [name, values[at] ?? '']))
}

/**
 * Whether the first route is a wildcard beside the second, as `.../artifacts/*` beside `.../artifacts/keep`. The wildcard
 * then takes the methods that the second has no endpoint for.
 */
function isWildcardBeside(wildcard: Route, { path }: Route): boolean {
  const { parent, last } = splitLast(wildcard.path)
  const isWildcard = [...wildcard.endpoints.values()].some(({ slashed }) =>
    slashed.includes(last.slice(1)),
  )
  return isWildcard && parent === splitLast(path).parent
}

/** Splits a path into everything before its last segment, and that segment. */
function splitLast(path: string): { parent: string; last: string } {
  const end = path.lastIndexOf('/')
  return { parent: path.slice(0, end), last: path.slice(end + 1) }
}

/** 404 or 405 for a path that these are the matches of, none of which has the method. */
function refuse(matches: readonly Match[], method: string): Error {
  const [first] = matches
  if (!first || isWordForId(first) || method === 'HEAD') return unknownRoute()
  const methods = matches.flatMap(({ route }) => [...route.endpoints.keys()])
  return methodNotAllowed([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
}

/**
 * Whether a path has a word where the route has an id: `/groups/:id/projects/shared` beside
 * `/groups/:id/projects/:project_id`. Such a path is an operation we do not have.
 */
function isWordForId({ route, values }: Match): boolean {
  return /:(?:\w+_)?id$/.test(route.path) && /^[a-z][a-z_-]*$/.test(values.at(-1) ?? '')
}
