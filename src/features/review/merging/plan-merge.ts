// Creates the commits of a merge by the project's merge method and squash setting (docs/api/merge-requests.md, "Merge
// methods"). Moves no reference.
import type { GitAccess } from '../../../git/git.ts'
import { emptyTreeOid, type Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { type GitIdentity, type NewObject, newCommit, newTree } from '../../../git/write.ts'
import type { MergeTrial } from '../merge-requests/try-merge.ts'

export type MergeMethod = 'merge' | 'rebase_merge' | 'ff'

export type MergeToPlan = {
  method: MergeMethod
  isSquashed: boolean
  /** The heads of target and source, and the result of merging them. */
  ours: Oid
  theirs: Oid
  check: MergeTrial
  /** The number of commits that the source adds. */
  commits_count: number
  author: GitIdentity
  merger: GitIdentity
  date: Date
  mergeMessage: () => Promise<string>
  /** `isOwn` is true if the user who merges wrote the message. */
  squashMessage: () => Promise<{ text: string; isOwn: boolean }>
}

export type PlannedMerge = {
  /** The new tip of the target branch. */
  tip: Oid
  objects: NewObject[]
  merge_commit_sha: Oid | null
  squash_commit_sha: Oid | null
}

export async function planMerge(
  git: GitAccess,
  repository: Repository,
  merge: MergeToPlan,
): Promise<PlannedMerge> {
  const { method, ours, merger, date, check } = merge
  const { base, tree } = check
  if (!tree) throw new Error(`The merge into ${ours} has conflicts and cannot be planned.`)
  const squash =
    merge.isSquashed && base ? await squashOf(git, repository, { ...merge, base }) : undefined
  const head = squash?.oid ?? merge.theirs
  const objects = [...(squash?.object ? [squash.object] : [])]
  const squash_commit_sha = squash?.oid ?? null
  if (method === 'ff') {
    return { tip: head, objects, merge_commit_sha: null, squash_commit_sha }
  }
  const message = await merge.mergeMessage()
  const made = newCommit({
    tree,
    parents: [ours, head],
    author: merger,
    committer: merger,
    date,
    message,
  })
  // git knows the empty tree without an object, but other git clients may not, so it is stored.
  const trees = tree === emptyTreeOid ? [newTree([])] : []
  objects.push(...trees, made)
  return { tip: made.oid, objects, merge_commit_sha: made.oid, squash_commit_sha }
}

/**
 * Returns a single commit with all changes of the source; the source's own commit if it has only one and no message is
 * given.
 */
async function squashOf(
  git: GitAccess,
  repository: Repository,
  { theirs, base, commits_count, author, merger, date, squashMessage }: MergeToPlan & { base: Oid },
): Promise<{ oid: Oid; object?: NewObject }> {
  const { text: message, isOwn } = await squashMessage()
  if (commits_count === 1 && !isOwn) return { oid: theirs }
  const source = await git.objects.commit(repository, theirs)
  if (!source) throw new Error(`Commit ${theirs}, the head of a merge request, was not found.`)
  const object = newCommit({
    tree: source.tree,
    parents: [base],
    author,
    committer: merger,
    date,
    message,
  })
  return { oid: object.oid, object }
}
