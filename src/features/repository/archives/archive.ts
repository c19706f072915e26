// The content and name of an archive (docs/api/repository.md, "Archives").
import type { ArchiveFormat } from '../../../git/archive-reader.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Project } from '../../../subjects/project.ts'

/** The extensions of `archive.<extension>`, with the archive format of git. */
export const archiveFormatsByExtension: Readonly<Record<string, ArchiveFormat>> = {
  'tar.gz': 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
  tar: 'tar',
  zip: 'zip',
}

export type ResolvedArchive = { commit: Oid; path: string | undefined; name: string }

/**
 * Returns the commit, the path in it, and the name of the archive and of its folder. Throws 404 `File` for a missing
 * revision or path.
 */
export async function resolveArchive(
  git: GitAccess,
  repository: Repository,
  project: Project,
  { sha, path: given }: { sha: string; path: string },
): Promise<ResolvedArchive> {
  const commit = await resolveCommit(git.objects, repository, sha || 'HEAD')
  const tree = commit && (await git.objects.commit(repository, commit))?.tree
  if (!tree) throw notFound('File')
  const path = given.split('/').filter(Boolean).join('/')
  const entry = path === '' ? undefined : await findTreeEntry(git.objects, repository, tree, path)
  if (path !== '' && !entry) throw notFound('File')
  const ref = sha || (project.default_branch ?? 'HEAD')
  const parts = [project.path, ref, commit, ...(path === '' ? [] : [path])]
  return { commit, path: path || undefined, name: parts.join('-').replaceAll('/', '-') }
}
