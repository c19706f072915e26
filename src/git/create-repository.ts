import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomHex } from '../kernel/ids.ts'
import { syncFile, syncFolder } from './fsync.ts'
import { branchRef } from './names.ts'
import { repositoryExists } from './refs.ts'
import type { Repository } from './repository.ts'

const folders = ['objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'refs/tags']
const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
`

/**
 * Creates an empty bare repository on disk, whose HEAD points to `branch`, as `git init --bare` without a template does
 * (gitrepository-layout(5)). Nobody may look at the path before this resolves. Throws if the path exists.
 */
export async function createRepository({ path }: Repository, branch: string): Promise<void> {
  const head = branchRef(branch)
  if (!head) throw new Error(`Branch name ${branch} is invalid.`)
  await mkdir(path, { recursive: true })
  for (const folder of folders) await mkdir(join(path, folder))
  await writeFile(join(path, 'HEAD'), `ref: ${head}\n`)
  await writeFile(join(path, 'config'), config)
  // All at once, so that the file system commits its journal once.
  await Promise.all([
    syncFile(join(path, 'HEAD')),
    syncFile(join(path, 'config')),
    syncFolder(dirname(path)),
  ])
}

/**
 * Creates an empty bare repository whose HEAD points to `branch`, unless the path already has a repository. If several
 * callers do this at once, on one server or on several, one of them creates it and all of them succeed.
 */
export async function ensureRepository(repository: Repository, branch: string): Promise<void> {
  if (repositoryExists(repository)) return
  const unfinished = `${repository.path}${unfinishedEnding}-${randomHex(8)}`
  await createRepository({ path: unfinished }, branch)
  try {
    await rename(unfinished, repository.path)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!repositoryExists(repository)) throw error
  }
  await syncFolder(dirname(repository.path))
}

/** The suffix of the path of a repository that is being created or copied. */
const unfinishedEnding = '.new'

/** Removes a repository and the leftovers of an interrupted creation. Succeeds if it is already gone. */
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
