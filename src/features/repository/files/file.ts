// A file of a repository at a commit: its location, its content, and the commit that last changed it.
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { badParameters, notFound } from '../../../kernel/errors.ts'
import { createLruCache } from '../../../kernel/lru.ts'

export type FileAtCommit = {
  repository: Repository
  commit: Oid
  lastCommit: Oid
  blob: Oid
  size: number
  isExecutable: boolean
}

/** Throws 400 for an invalid path of a file, in the same way for all methods. */
export function checkFilePath(path: string): void {
  if (path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')) {
    throw badParameters(['file_path should be a valid file path'])
  }
}

/** A cache of files by commit and path; a file at a commit never changes. */
const found = createLruCache<FileAtCommit>(20_000)

/** Returns the file at `path` in `ref`. Throws 404 `Commit` for an unknown ref, and 404 `File` for an unknown path. */
export async function getFile(
  git: GitAccess,
  repository: Repository,
  { ref, path }: { ref: string; path: string },
): Promise<FileAtCommit> {
  const commit = await resolveCommit(git.objects, repository, ref)
  if (!commit) throw notFound('Commit')
  const key = `${repository.path}\0${commit}\0${path}`
  const kept = found.get(key)
  if (kept) return kept
  const file = await findFile(git, repository, { commit, path })
  if (!file) throw notFound('File')
  found.set(key, file)
  return file
}

async function findFile(
  git: GitAccess,
  repository: Repository,
  { commit, path }: { commit: Oid; path: string },
): Promise<FileAtCommit | undefined> {
  const tree = (await git.objects.commit(repository, commit))?.tree
  if (!tree) throw notFound('Commit')
  const entry = await findTreeEntry(git.objects, repository, tree, path)
  if (!entry || entry.mode === '040000' || entry.mode === '160000') return undefined
  const [info, lastCommit] = await Promise.all([
    git.objects.info(repository, entry.oid),
    git.history.lastCommit(repository, commit, path),
  ])
  return (
    info && {
      repository,
      commit,
      lastCommit: lastCommit ?? commit,
      blob: entry.oid,
      size: info.size,
      isExecutable: entry.mode === '100755',
    }
  )
}
