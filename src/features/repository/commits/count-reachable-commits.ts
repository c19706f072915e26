// Counts the commits that are reachable from a commit (docs/api/repository.md, "Commits").
import { countCommits } from '../../../git/count-commits.ts'
import type { GitAccess } from '../../../git/git.ts'
import { GitResultCache } from '../../../git/git-result-cache.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'

const kept_max = 20_000

/** The commits that are reachable from a commit never change. */
const kept = new GitResultCache<{ count: number }>(kept_max, () => 1)

export function countReachableCommits(
  { git }: Pick<GitAccess, 'git'>,
  repository: Repository,
  oid: Oid,
): Promise<{ count: number }> {
  return kept.get(`${repository.path}\0${oid}`, async () => ({
    count: await countCommits(git, repository, { tip: oid, hidden: [] }),
  }))
}
