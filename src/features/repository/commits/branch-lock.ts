import { GitError } from '../../../git/errors.ts'
import type { RefName } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { invalid } from '../../../kernel/errors.ts'
import { KeyedMutex } from '../../../kernel/semaphore.ts'

const attempts_max = 5
const turns = new KeyedMutex()

/**
 * Runs a function that creates a commit and moves the branch to it. Commits to the same branch run one at a time; if a push
 * comes in between, `attempt` runs again.
 */
export function withBranchLock<T>(
  repository: Repository,
  branch: RefName,
  attempt: () => Promise<T>,
): Promise<T> {
  return turns.run(`${repository.path}:${branch}`, async () => {
    for (let count = 1; ; count++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof GitError)) throw error
        if (error.kind === 'ref-conflict') {
          throw invalid('Branch name conflicts with existing branch hierarchy.')
        }
        if (error.kind !== 'ref-moved' || count === attempts_max) throw error
      }
    }
  })
}
