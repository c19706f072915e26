import { type Git, runGit } from './command.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

export type DiffStat = { additions: number; deletions: number; total: number }

/** Added and deleted lines of a commit against its first parent, as `git show --numstat` counts them. */
export async function diffStat(
  git: Git,
  repository: Repository,
  { parent, oid }: { parent: Oid | undefined; oid: Oid },
): Promise<DiffStat> {
  const output = await runGit(git, repository, {
    args: ['diff-tree', '-r', '--numstat', '-z', '-M', parent ?? emptyTreeOid, oid],
  })
  let additions = 0
  let deletions = 0
  // `added TAB deleted TAB path NUL`; a binary file has dashes, a rename two further NUL-ended paths.
  for (const record of output.toString('latin1').split('\0')) {
    const match = /^(\d+)\t(\d+)\t/.exec(record)
    additions += Number(match?.[1] ?? 0)
    deletions += Number(match?.[2] ?? 0)
  }
  return { additions, deletions, total: additions + deletions }
}
