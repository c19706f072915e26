// The references by which clients fetch merge requests from the target repository; pushes never move them
// (git/hidden-refs.ts).

import type { Git } from '../../../git/command.ts'
import { GitError } from '../../../git/errors.ts'
import { type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { confirmAlways, updateRefs } from '../../../git/update-refs.ts'

export type MergeRequestRefKind = 'head' | 'merge'

export function mergeRequestRefName(iid: number, which: MergeRequestRefKind): RefName {
  return `refs/merge-requests/${iid}/${which}` as RefName
}

const attempts_max = 5

/** Points the merge request's reference at a commit that the repository has; without a commit, deletes it. */
export async function setMergeRequestRef(
  git: Git,
  repository: Repository,
  { iid, which, oid = zeroOid }: { iid: number; which: MergeRequestRefKind; oid: Oid | undefined },
): Promise<void> {
  const name = mergeRequestRefName(iid, which)
  for (let count = 1; ; count++) {
    const oldOid = readRef(repository, name) ?? zeroOid
    if (oldOid === oid) return
    try {
      await updateRefs(git, repository, {
        updates: [{ name, oldOid, newOid: oid }],
        areObjectsKnown: true,
        confirm: confirmAlways,
      })
      return
    } catch (error) {
      const hasMoved = error instanceof GitError && error.kind === 'ref-moved'
      if (!hasMoved || count === attempts_max) throw error
    }
  }
}
