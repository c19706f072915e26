import { hash } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Git, runGit } from './command.ts'
import { syncFolder } from './fsync.ts'

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

/** Makes an empty bare repository whose HEAD names `branch`; made again over a half-made one. */
export async function createRepository(
  git: Git,
  repository: Repository,
  branch: string,
): Promise<void> {
  const unfinished = `${repository.path}.new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(repository.path), { recursive: true })
  await runGit(git, undefined, {
    args: ['init', '--bare', '--quiet', '--template=', `--initial-branch=${branch}`, unfinished],
  })
  await rename(unfinished, repository.path)
  await syncFolder(dirname(repository.path))
}

/** Removes a repository; nothing happens when it is gone already. */
export async function removeRepository(repository: Repository): Promise<void> {
  const doomed = `${repository.path}.removed`
  await rename(repository.path, doomed).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rm(doomed, { recursive: true, force: true })
}
