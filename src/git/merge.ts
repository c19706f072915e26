// A three-way merge of trees without a working copy, by `git merge-tree`. The installed git finds the
// base by itself only, so the trees are dressed as commits: a base and two children of it.
import { join } from 'node:path'
import { type Git, runGit } from './command.ts'
import { asOid, emptyTreeOid, type Oid } from './names.ts'
import { closeQuarantine, openQuarantine, quoteAlternate } from './quarantine.ts'
import type { Repository } from './repository.ts'
import { type NewObject, newCommit, newTree, writeObjects } from './write.ts'

/** The trees to merge; without `base` or `theirs` an empty one. */
export type ThreeTrees = { base: Oid | undefined; ours: Oid; theirs: Oid | undefined }

const nobody = { name: 'merge', email: 'merge' }
const epoch = new Date(0)

/**
 * The tree that has the changes from `base` to `theirs` made to `ours`, or undefined when they conflict.
 * It is stored unless `isTrial`; the commits it took are gone afterwards.
 */
export async function mergeTrees(
  git: Git,
  repository: Repository,
  { base = emptyTreeOid, ours, theirs = emptyTreeOid }: ThreeTrees,
  { isTrial }: { isTrial: boolean },
): Promise<Oid | undefined> {
  const dress = (tree: Oid, ...parents: Oid[]): NewObject =>
    newCommit({ tree, parents, author: nobody, committer: nobody, date: epoch, message: tree })
  const root = dress(base)
  const left = dress(ours, root.oid)
  const right = dress(theirs, root.oid)
  // Removed by maintenance after a crash, as what a broken push leaves is.
  const quarantine = await openQuarantine(repository)
  try {
    await writeObjects({ path: quarantine.path }, [newTree([]), root, left, right])
    const own = join(repository.path, 'objects')
    const dressed = join(quarantine.path, 'objects')
    const [store, other] = isTrial ? [dressed, own] : [own, dressed]
    const output = await runGit(git, repository, {
      args: [
        'merge-tree',
        '--write-tree',
        '--name-only',
        '--no-messages',
        '-z',
        left.oid,
        right.oid,
      ],
      env: { GIT_OBJECT_DIRECTORY: store, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternate(other) },
      otherStatus: 1,
    })
    // The tree alone when all is well; the names of what conflicts follow otherwise.
    return asOid(output.toString('latin1').replace(/\0$/, ''))
  } finally {
    await closeQuarantine(quarantine)
  }
}
