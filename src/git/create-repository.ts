import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Git, runGit } from './command.ts'
import { syncFolder } from './fsync.ts'
import type { Repository } from './repository.ts'

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

/** Removes a repository and what an interrupted creation left of it; one gone already is fine. */
export async function removeRepository(repository: Repository): Promise<void> {
  const doomed = `${repository.path}.removed`
  await rm(doomed, { recursive: true, force: true })
  await rename(repository.path, doomed).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rm(doomed, { recursive: true, force: true })
  await rm(`${repository.path}.new`, { recursive: true, force: true })
}
