// Whether git can merge a merge request (docs/api/merge-requests.md, "Mergeability").
import { GitError } from '../../../git/errors.ts'
import type { GitAccess } from '../../../git/git.ts'
import { mergeCommits } from '../../../git/merge.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'

export type MergeTrial = {
  /** The best common ancestor, if it was requested. */
  base: Oid | undefined
  /** The tree of the merge; undefined if there is no merge. */
  tree: Oid | undefined
  problem: 'no-commits' | 'unrelated' | 'conflict' | undefined
}

/**
 * Tries to merge two commits of the repository. Runs one process for the common ancestor, whose result is cached, and one
 * for the merge, unless the source contains the target. The tree is stored unless `isTrial`.
 */
export async function tryMerge(
  git: GitAccess,
  repository: Repository,
  { ours, theirs, isTrial }: { ours: Oid; theirs: Oid; isTrial: boolean },
): Promise<MergeTrial> {
  const base = await git.mergeBases.of(repository, [ours, theirs])
  if (base === undefined) return { base, tree: undefined, problem: 'unrelated' }
  if (base === theirs) return { base, tree: undefined, problem: 'no-commits' }
  if (base === ours) {
    const tree = (await git.objects.commit(repository, theirs))?.tree
    return { base, tree, problem: undefined }
  }
  const merged = await mergeCommits(git.git, repository, { ours, theirs }, { isTrial })
  if ('conflicts' in merged) return { base, tree: undefined, problem: 'conflict' }
  return { base, tree: merged.tree, problem: undefined }
}

/**
 * As `tryMerge`, for a merge commit only, and stores the result: git finds the common ancestor during the merge. Runs one
 * process, unless the merge fails, which may be because there is nothing to merge.
 */
export async function tryPlainMerge(
  git: GitAccess,
  repository: Repository,
  sides: { ours: Oid; theirs: Oid },
): Promise<MergeTrial> {
  const none = { base: undefined, tree: undefined }
  try {
    const merged = await mergeCommits(git.git, repository, sides, { isTrial: false })
    if ('conflicts' in merged) return { ...none, problem: 'conflict' }
    const before = await git.objects.commit(repository, sides.ours)
    if (merged.tree === before?.tree) return tryMerge(git, repository, { ...sides, isTrial: false })
    return { base: undefined, tree: merged.tree, problem: undefined }
  } catch (error) {
    if (!(error instanceof GitError) || !/unrelated histories/.test(error.stderr)) throw error
    return { ...none, problem: 'unrelated' }
  }
}
