// Repositories on the disks of other servers: the error for one that is needed here, and the mirrors that the current
// work may use instead (docs/decisions/0060).
import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies a repository across all servers. */
export type RepositoryName = { storage: string; kind: 'project' | 'wiki'; id: number }

/**
 * The repository is on the disk of another server. A request is forwarded to that server; if it cannot be reached, the
 * client gets a 503.
 */
export class RepositoryElsewhereError extends Error {
  readonly storage: string
  /** Undefined for a repository that is to be created. */
  readonly repository: RepositoryName | undefined

  constructor(wanted: { storage: string } | RepositoryName, options?: ErrorOptions) {
    const { storage } = wanted
    super(
      'id' in wanted
        ? `The repository of ${wanted.kind} ${wanted.id} is on another server: storage ${storage}.`
        : `Storage ${storage} is on another server.`,
      options,
    )
    this.storage = wanted.storage
    this.repository = 'id' in wanted ? wanted : undefined
  }
}

type RepositoryAccess = {
  /** Whether another server has forwarded the request, so that it is not forwarded again. */
  isForwarded: boolean
  /** The folders of local mirrors of repositories elsewhere, by `mirrorKey`. */
  mirrors: ReadonlyMap<string, string>
}

const access = new AsyncLocalStorage<RepositoryAccess>()
const ordinary: RepositoryAccess = { isForwarded: false, mirrors: new Map() }

/** Runs `task`, and everything it starts, with that access to repositories. */
export function runWithRepositoryAccess<T>(changes: Partial<RepositoryAccess>, task: () => T): T {
  return access.run({ ...(access.getStore() ?? ordinary), ...changes }, task)
}

/** Whether the current work is a request that another server has forwarded. */
export function isForwardedWork(): boolean {
  return access.getStore()?.isForwarded ?? false
}

/** The mirrors that the current work may read, by `mirrorKey`. */
export function currentMirrors(): ReadonlyMap<string, string> {
  return (access.getStore() ?? ordinary).mirrors
}

/** Returns the key of a mirror, such as `other project 7`. */
export function mirrorKey({ storage, kind, id }: RepositoryName): string {
  return `${storage} ${kind} ${id}`
}
