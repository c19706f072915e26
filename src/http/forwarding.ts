// Requests that another server answers because it has the disk of the repository (docs/decisions/0060). src/forwarding
// sends them; a single server has none.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'

/** The project or group in the URL of a request that needs its repository or wiki. */
export type RepositoryAddress = {
  kind: 'project' | 'group'
  /** Or full paths of which one exists at the most. */
  by: { id: number } | { paths: readonly string[] }
  isWiki: boolean
}

export type RequestForwarder = {
  /** Sends a request on whose body nobody has read; false where the repository is here, or not known. */
  forwardByAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    address: RepositoryAddress,
  ): Promise<boolean>
  /** Sends a request to the server with the disk of the storage; `body` is all of it. False where it may go no further. */
  forwardToStorage(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: { storage: string; body: Buffer },
  ): Promise<boolean>
  /** Runs `task`, with copies of the repositories elsewhere that it reads beside that of the request. */
  runWithMirrors<T>(task: () => Promise<T>): Promise<T>
}

/** What a server reports about a request that it forwards. */
export type ForwardedFacts = {
  /** The id of the request, which logs of both servers have. */
  id: string
  /** Of the client. */
  ip: string
  protocol: string
  host: string
  /** How many servers have forwarded it. */
  hops: number
  /** Whether it has been counted for rate limits. */
  isCounted: boolean
}

const facts = new WeakMap<object, ForwardedFacts>()

/** Treats a request that another server has forwarded as the request of the client that the facts describe. */
export function acceptForwarded(request: FastifyRequest, forwarded: ForwardedFacts): void {
  facts.set(request, forwarded)
  for (const name of ['ip', 'protocol', 'host'] as const) {
    Object.defineProperty(request, name, { value: forwarded[name] })
  }
}

/** Returns what another server reported about a forwarded request; undefined for a request that came from a client. */
export function forwardedFactsOf(request: FastifyRequest): ForwardedFacts | undefined {
  return facts.get(request)
}

/** Returns the address of a repository by the numeric id or full path of its project or group. */
export function repositoryAddressOf(
  kind: RepositoryAddress['kind'],
  id: string,
  isWiki: boolean,
): RepositoryAddress {
  const by = /^\d{1,15}$/.test(id) ? { id: Number(id) } : { paths: [id] }
  return { kind, by, isWiki }
}

/**
 * Returns the repository that an operation needs according to its URL: everything that changes a project, and everything
 * below `repository` and `wikis`. Other reads are forwarded when they turn out to need a repository elsewhere.
 */
export function findEndpointAddress(
  { path, method }: Pick<Endpoint, 'path' | 'method'>,
  parameters: Readonly<Record<string, string>>,
): RepositoryAddress | undefined {
  const { id } = parameters
  if (id === undefined) return undefined
  const isWiki = /^\/(projects|groups)\/:id\/wikis(\/|$)/.test(path)
  if (path.startsWith('/groups/:id/')) {
    return isWiki ? repositoryAddressOf('group', id, true) : undefined
  }
  if (!/^\/projects\/:id(\/|$)/.test(path)) return undefined
  const needsRepository = isWiki || method !== 'GET' || path.startsWith('/projects/:id/repository')
  return needsRepository ? repositoryAddressOf('project', id, isWiki) : undefined
}
