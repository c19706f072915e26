import { setTimeout } from 'node:timers/promises'
import { isRepositoryInUse } from './command.ts'
import type { GitAccess } from './git.ts'
import type { Repository } from './repository.ts'

const looks_max = 20
const look_ms = 50

/**
 * Closes what this process has open of the repositories. Returns whether any work here still uses them after a short wait.
 */
export async function closeRepositoriesAndCheckInUse(
  git: GitAccess,
  repositories: readonly Repository[],
): Promise<boolean> {
  for (const repository of repositories) await git.objects.forget(repository)
  for (let look = 0; look < looks_max; look++) {
    if (!repositories.some(isRepositoryInUse)) return false
    await setTimeout(look_ms)
  }
  return true
}
