// A file of a repository at a commit: where it is, what it holds, which commit last touched it.
import type { GitAccess } from '../../git/git.ts'
import type { Oid } from '../../git/names.ts'
import { resolveCommit } from '../../git/refs.ts'
import type { Repository } from '../../git/repository.ts'
import { findEntry } from '../../git/trees.ts'
import { badParameters, notFound } from '../../kernel/errors.ts'

export type FileAt = {
  repository: Repository
  commit: Oid
  lastCommit: Oid
  blob: Oid
  size: number
  isExecutable: boolean
}

/** 400 for a path no file can have; the same on every verb. */
export function checkFilePath(path: string): void {
  if (path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')) {
    throw badParameters(['file_path should be a valid file path'])
  }
}

/** The file at `path` as of `ref`; 404 `Commit` for an unknown ref, 404 `File` for an unknown path. */
export async function getFile(
  git: GitAccess,
  repository: Repository,
  { ref, path }: { ref: string; path: string },
): Promise<FileAt> {
  const commit = await resolveCommit(git.objects, repository, ref)
  const tree = commit && (await git.objects.commit(repository, commit))?.tree
  if (!commit || !tree) throw notFound('Commit')
  const entry = await findEntry(git.objects, repository, tree, path)
  if (!entry || entry.mode === '040000' || entry.mode === '160000') throw notFound('File')
  const [info, lastCommit] = await Promise.all([
    git.objects.info(repository, entry.oid),
    git.history.lastCommit(repository, commit, path),
  ])
  if (!info) throw notFound('File')
  return {
    repository,
    commit,
    lastCommit: lastCommit ?? commit,
    blob: entry.oid,
    size: info.size,
    isExecutable: entry.mode === '100755',
  }
}
