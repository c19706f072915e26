import { countCommits } from '../../../git/count-commits.ts'
import { GitError } from '../../../git/errors.ts'
import type { GitAccess } from '../../../git/git.ts'
import { branchNameOf, type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Move } from './push-landed.ts'

type Of = { move: Move; default_branch: string | null }

/**
 * Returns the range of commits that a move adds to a branch, for lists and counts. For a new branch these are the commits
 * that the default branch does not have; for a tag or a deleted branch there are none.
 */
function gainedSpan(
  repository: Repository,
  { move, default_branch }: Of,
): { tip: Oid; hidden: Oid[] } | undefined {
  const branch = branchNameOf(move.name)
  if (branch === undefined || move.newOid === zeroOid) return undefined
  const hidden: Oid[] = []
  if (move.oldOid !== zeroOid) hidden.push(move.oldOid as Oid)
  else if (branch !== default_branch && default_branch !== null) {
    const main = readRef(repository, `refs/heads/${default_branch}` as RefName)
    if (main) hidden.push(main)
  }
  return { tip: move.newOid as Oid, hidden }
}

/**
 * Returns whether the tip is the only new commit: its only parent existed before, or it has no parent and the
 * branch is the first. This is so for most pushes and saves a walk of the history.
 */
async function isTipAlone(
  { objects }: Pick<GitAccess, 'objects'>,
  repository: Repository,
  { tip, hidden }: { tip: Oid; hidden: readonly Oid[] },
): Promise<boolean> {
  const commit = await objects.commit(repository, tip)
  return (
    commit?.parents.length === hidden.length &&
    commit.parents.every((parent) => hidden.includes(parent))
  )
}

/** Returns how many commits a branch has gained; 0 where a later push has made them unreachable. */
export async function countGainedCommits(
  git: GitAccess,
  repository: Repository,
  of: Of,
): Promise<number> {
  const span = gainedSpan(repository, of)
  if (!span) return 0
  try {
    return (await isTipAlone(git, repository, span))
      ? 1
      : await countCommits(git.git, repository, span)
  } catch (error) {
    // Commits that a later push made unreachable may have been deleted.
    if (!(error instanceof GitError)) throw error
    return 0
  }
}

/** Returns the newest commits a branch has gained, newest first, at most `limit`. */
export async function listGainedCommits(
  git: GitAccess,
  repository: Repository,
  { limit, ...of }: Of & { limit: number },
): Promise<Oid[]> {
  const span = gainedSpan(repository, of)
  if (!span) return []
  const { tip, hidden } = span
  try {
    if (await isTipAlone(git, repository, span)) return [tip]
    return await git.lists.page(repository, { tips: [tip], hidden }, {}, { offset: 0, limit })
  } catch (error) {
    // Commits that a later push made unreachable may have been deleted.
    if (!(error instanceof GitError)) throw error
    return []
  }
}
