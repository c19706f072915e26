import { type Git, runGitCheck } from './command.ts'
import { GitError } from './errors.ts'
import type { Quarantine } from './quarantine.ts'
import type { Repository } from './repository.ts'
import type { RefUpdate } from './update-refs.ts'

/**
 * Whether the history of `newOid` contains `oldOid`, including quarantined objects. False if one of them is not a commit, or
 * if the repository does not have `oldOid`.
 */
export async function isFastForward(
  git: Git,
  repository: Repository,
  quarantine: Quarantine | undefined,
  { oldOid, newOid }: Pick<RefUpdate, 'oldOid' | 'newOid'>,
): Promise<boolean> {
  try {
    return await runGitCheck(git, repository, {
      args: ['merge-base', '--is-ancestor', oldOid, newOid],
      env: quarantine?.env,
    })
  } catch (error) {
    const isNoCommit = error instanceof GitError && error.kind !== 'timeout'
    if (isNoCommit) return false
    throw error
  }
}
