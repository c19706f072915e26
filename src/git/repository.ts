import { hash } from 'node:crypto'
import { join } from 'node:path'
import { createLruCache } from '../kernel/lru.ts'
import { RepositoryElsewhereError, type RepositoryName } from '../kernel/repository-elsewhere.ts'

/** A bare repository on a disk of this machine. `path` is absolute and built from ids only. */
export type Repository = {
  readonly path: string
  /** Set for a copy to read of a repository on another server. */
  readonly mirrorOf?: RepositoryName
}

/**
 * Throws RepositoryElsewhereError for a mirror of a repository on another server, to which the request is then forwarded.
 * Call it before anything is changed, in the database or in the repository.
 */
export function requireWritable({ mirrorOf }: Repository): void {
  if (mirrorOf) throw new RepositoryElsewhereError(mirrorOf)
}

/**
 * Returns the repository of a project or wiki in a storage. Its path is two levels of folders and the hash of the id, so
 * it contains no name that a user chose, and renaming a project moves nothing.
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

/** Lists of projects look up each of their repositories, and hashing an id takes as long as a file system call. */
const repositories = createLruCache<Repository>(10_000)
