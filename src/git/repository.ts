import { hash } from 'node:crypto'
import { join } from 'node:path'

/** A bare repository on this machine's disk. `path` is absolute and made from ids alone. */
export type Repository = { readonly path: string }

/**
 * Where a project's repository lies in its storage: by the hash of its id, two levels of folders, so
 * that no user-chosen name is ever part of a path and a rename moves nothing.
 */
export function repositoryOf(storagePath: string, projectId: number): Repository {
  const name = hash('sha256', `project-${projectId}`)
  return { path: join(storagePath, name.slice(0, 2), name.slice(2, 4), `${name}.git`) }
}
