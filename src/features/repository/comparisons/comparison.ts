// The commits and changes between two revisions.

import type { FileDiff } from '../../../git/diff.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'

/** The number of commits that are read or written before other requests can run. */
export const commit_batch_size = 500

export type Comparison = {
  /** The commit that the changes are relative to: the merge base, or `from` itself. */
  base: Oid
  /** The commits that are reachable from `to` and not from `from`, oldest first. */
  commits: Commit[]
  files: FileDiff[]
  /** Whether the list of files is incomplete, because it was cut or too large for git. */
  isCut: boolean
}

/** Compares two commits: the changes in `to` since the merge base, or with `straight` since `from`. */
export async function compareCommits(
  git: GitAccess,
  repository: Repository,
  { from, to, straight }: { from: Oid; to: Oid; straight: boolean },
): Promise<Comparison> {
  const base = await findComparisonBase(git, repository, { from, to, straight })
  const [commits, { files, isCut }] = await Promise.all([
    commitsBetween(git, repository, { from, to }),
    from === to ? { files: [], isCut: false } : git.diffs.diff(repository, { from: base, to }),
  ])
  return { base, commits, files, isCut }
}

/**
 * Returns the commit that changes are compared with: the merge base, or `from` for a straight comparison and for
 * unrelated histories.
 */
export async function findComparisonBase(
  git: GitAccess,
  repository: Repository,
  { from, to, straight }: { from: Oid; to: Oid; straight: boolean },
): Promise<Oid> {
  const ancestor = straight ? from : await git.mergeBases.of(repository, [from, to])
  return ancestor ?? from
}

async function commitsBetween(
  git: GitAccess,
  repository: Repository,
  { from, to }: { from: Oid; to: Oid },
): Promise<Commit[]> {
  if (from === to) return []
  const span = { tips: [to], hidden: [from] }
  const range = { offset: 0, limit: limits.compared_commits_max }
  const oids = await git.lists.page(repository, span, {}, range)
  const commits: Commit[] = []
  // Yields after each batch, since commits that are all cached would block other requests.
  for await (const some of slicesWithYields(oids, commit_batch_size)) {
    commits.push(...(await git.objects.commits(repository, some)))
  }
  return commits.reverse()
}
