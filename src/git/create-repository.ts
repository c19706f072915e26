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
 * Makes an empty bare repository at a path that nobody looks at before this resolves, whose HEAD names `branch`, as
 * `git init --bare` without a template does (gitrepository-layout(5)). It is on the disk then. Throws where something
 * is at the path already.
 */
export async function createRepository({ path }: Repository, branch: string): Promise<void> {
  const head = branchRef(branch)
  if (!head) throw new Error(`Branch name ${branch} is invalid.`)
  await mkdir(path, { recursive: true })
  for (const folder of folders) await mkdir(join(path, folder))
  await writeFile(join(path, 'HEAD'), `ref: ${head}\n`)
  await writeFile(join(path, 'config'), config)
  // All at once, so that the file system writes its journal once.
  await Promise.all([
    syncFile(join(path, 'HEAD')),
    syncFile(join(path, 'config')),
    syncFolder(dirname(path)),
  ])
}

/**
 * Makes an empty bare repository whose HEAD names `branch`, unless there is a repository at the path already. When
 * several callers, on one server or on several, do this at once, one of them makes it and all of them succeed.
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
