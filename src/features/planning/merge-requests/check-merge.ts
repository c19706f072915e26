// Whether a merge request can be merged, as git says (docs/api/merge-requests.md, "Mergeability").
import type { GitAccess } from '../../../git/git.ts'
import { mergeCommits } from '../../../git/merge.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'

export type Check = {
  /** The best common ancestor. */
  base: Oid | undefined
  /** Of the merge; undefined where there is none to make. */
  tree: Oid | undefined
  problem: 'no-commits' | 'unrelated' | 'conflict' | undefined
}

/**
 * Tries the merge of two commits that the repository has. A process for the common ancestor, which is kept, and
 * one for the merge, unless the source has all of the target. The tree is stored unless `isTrial`.
 */
export async function checkMerge(
  git: GitAccess,
  repository: Repository,
  { ours, theirs, isTrial }: { ours: Oid; theirs: Oid; isTrial: boolean },
): Promise<Check> {
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
