import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './fsync.ts'
import { branchRef } from './names.ts'
import type { Repository } from './repository.ts'

const folders = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']
const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
`

/**
 * Makes an empty bare repository whose HEAD names `branch`, as `git init --bare` without a template does
 * (gitrepository-layout(5)); made again over a half-made one.
 */
export async function createRepository(repository: Repository, branch: string): Promise<void> {
  const head = branchRef(branch)
  if (!head) throw new Error(`Branch name ${branch} is invalid.`)
  const unfinished = `${repository.path}.new`
  if (existsSync(unfinished)) await rm(unfinished, { recursive: true, force: true })
  await Promise.all(folders.map((folder) => mkdir(join(unfinished, folder), { recursive: true })))
  await Promise.all([
    writeFile(join(unfinished, 'HEAD'), `ref: ${head}\n`, { flush: true }),
    writeFile(join(unfinished, 'config'), config, { flush: true }),
  ])
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
