import { type Git, runGitCheck } from './command.ts'
import { GitError } from './errors.ts'
import type { Quarantine } from './quarantine.ts'
import type { Repository } from './repository.ts'
import type { RefUpdate } from './update-refs.ts'

/**
 * Whether `newOid` has `oldOid` in its history, seen with the quarantined objects. It has not when one
 * of them is no commit, or when the repository does not know what the pusher says was there.
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
