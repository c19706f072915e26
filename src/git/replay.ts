// Replays commits on top of another one without a working copy, as `git rebase` does.
import type { Git } from './command.ts'
import { mergeGitTrees } from './merge.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import type { Commit, ObjectReader } from './objects.ts'
import type { Repository } from './repository.ts'
import { type GitIdentity, type NewObject, newCommit, newTree, writeObjects } from './write.ts'

/** The tip of the replayed commits, or the first commit with a conflict. */
export type ReplayResult = { tip: Oid } | { conflict: Oid }

/**
 * Replays `commits`, oldest first, on top of `onto`. Authors and author dates are kept; merges are skipped, and so are
 * commits that no longer change anything. Runs one process for each commit whose parent changes.
 */
export async function replayCommits(
  { git, objects }: { git: Git; objects: ObjectReader },
  repository: Repository,
  {
    commits,
    onto,
    committer,
    date,
  }: { commits: readonly Commit[]; onto: Commit; committer: GitIdentity; date: Date },
): Promise<ReplayResult> {
  const made: NewObject[] = []
  let tip = onto.oid
  let ours = onto.tree
  for (const commit of commits) {
    if (commit.parents.length > 1) continue
    const [parent] = commit.parents
    if (parent === tip) {
      tip = commit.oid
      ours = commit.tree
      continue
    }
    const base = parent && (await objects.commit(repository, parent))?.tree
    const tree =
      base === ours
        ? commit.tree
        : await mergeGitTrees(
            git,
            repository,
            { base, ours, theirs: commit.tree },
            { isTrial: false },
          )
    if (!tree) return { conflict: commit.oid }
    // A commit that was empty from the start is kept, as git does.
    if (tree === ours && commit.tree !== (base ?? emptyTreeOid)) continue
    const { author, message } = commit
    const replayed = newCommit({ tree, parents: [tip], author, committer, date, message })
    // git knows the empty tree without storing it; a clone may not.
    if (tree === emptyTreeOid) made.push(newTree([]))
    made.push(replayed)
    tip = replayed.oid
    ours = tree
  }
  await writeObjects(repository, made)
  return { tip }
}
