// Approvals of code owners that a push invalidates because it changes their files (docs/api/code-owners.md, "Approvals
// after pushes").
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { listChangedPaths } from '../../repository/code-owners/code-owners.ts'

/** The files of the merge request that changed since a head; undefined if they are too many to list. */
export type HeadWithOutdatedApprovals = {
  head: string | null
  paths: readonly string[] | undefined
}

/**
 * Returns which of `heads` differ from the newest one in some of `paths`, the files of the merge request. For a head that
 * is null or deleted, and if too much changed to list, all of them count as changed.
 */
export async function listHeadsWithOutdatedOwnerApprovals(
  git: GitAccess,
  repository: Repository,
  {
    heads,
    newest,
    paths,
  }: { heads: readonly (string | null)[]; newest: Oid; paths: readonly string[] | undefined },
): Promise<HeadWithOutdatedApprovals[]> {
  const outdated: HeadWithOutdatedApprovals[] = []
  for (const head of heads) {
    const isThere = head !== null && (await git.objects.commit(repository, head as Oid))
    const since = isThere
      ? await listChangedPaths(git, repository, { from: head as Oid, to: newest })
      : undefined
    const touched = since && new Set(since)
    const both = touched ? paths?.filter((path) => touched.has(path)) : paths
    if (both?.length !== 0) outdated.push({ head, paths: both })
  }
  return outdated
}
