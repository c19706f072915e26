import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomHex } from '../kernel/ids.ts'
import { syncFolder } from './fsync.ts'
import { branchRef } from './names.ts'
import { repositoryExists } from './refs.ts'
import type { Repository } from './repository.ts'

const folders = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']
const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
`

/**
 * Makes an empty bare repository whose HEAD names `branch`, as `git init --bare` without a template does
 * (gitrepository-layout(5)). Of several who make it at once, on one server or on several, one does; a whole one stays as
 * it is.
 */
export async function createRepository(repository: Repository, branch: string): Promise<void> {
  const head = branchRef(branch)
  if (!head) throw new Error(`Branch name ${branch} is invalid.`)
  const unfinished = `${repository.path}${unfinishedEnding}-${randomHex(8)}`
  await Promise.all(folders.map((folder) => mkdir(join(unfinished, folder), { recursive: true })))
  await Promise.all([
    writeFile(join(unfinished, 'HEAD'), `ref: ${head}\n`, { flush: true }),
    writeFile(join(unfinished, 'config'), config, { flush: true }),
  ])
  try {
    await rename(unfinished, repository.path)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!repositoryExists(repository)) throw error
  }
  await syncFolder(dirname(repository.path))
}

/** What the path of a repository that is being made or copied has behind its name. */
const unfinishedEnding = '.new'

/** Removes a repository and what an interrupted creation left of it; one gone already is fine. */
export async function removeRepository(repository: Repository): Promise<void> {
  const doomed = `${repository.path}.removed`
  await rm(doomed, { recursive: true, force: true })
  await rename(repository.path, doomed).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rm(doomed, { recursive: true, force: true })
  const folder = dirname(repository.path)
  const unfinished = `${basename(repository.path)}${unfinishedEnding}`
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(unfinished))) {
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
