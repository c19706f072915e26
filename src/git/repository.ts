import { hash } from 'node:crypto'
import { join } from 'node:path'
import { createLruCache } from '../kernel/lru.ts'
import type { RepositoryName } from '../kernel/repository-elsewhere.ts'

/** A bare repository on this machine's disk. `path` is absolute and made from ids alone. */
export type Repository = {
  readonly path: string
  /** Set for a copy to read of a repository on another server. */
  readonly mirrorOf?: RepositoryName
}

/**
 * Where the repository of a project or a wiki lies in its storage: by the hash of its id, two levels of
 * folders, so that no user-chosen name is ever part of a path and a rename moves nothing.
 */
export function repositoryInStorage(
  storagePath: string,
  kind: 'project' | 'wiki',
  id: number,
): Repository {
  const key = `${kind}-${id} ${storagePath}`
  let repository = repositories.get(key)
  if (!repository) {
    const name = hash('sha256', `${kind}-${id}`)
    repository = { path: join(storagePath, name.slice(0, 2), name.slice(2, 4), `${name}.git`) }
    repositories.set(key, repository)
  }
  return repository
}

/** A list of projects asks for each of its repositories, and hashing a name takes as long as a look at the disk. */
const repositories = createLruCache<Repository>(10_000)
