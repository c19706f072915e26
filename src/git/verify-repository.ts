import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import type { Repository } from './repository.ts'

const verify_ms_max = 2 * 60 * 60_000
const problem_characters_max = 2000

/** As `verifyRepository`, without reading the contents of files: for callers who know that these are intact. */
export function verifyConnectivity(git: Git, repository: Repository): Promise<string | undefined> {
  return verify(git, repository, ['--connectivity-only'])
}

/**
 * Reads every object, compares it with its id, and checks that everything reachable from references exists (git-fsck).
 * Returns the problems that git reports; undefined if there are none.
 */
export function verifyRepository(git: Git, repository: Repository): Promise<string | undefined> {
  return verify(git, repository, ['--full'])
}

async function verify(
  git: Git,
  repository: Repository,
  extent: string[],
): Promise<string | undefined> {
  try {
    await runGit(git, repository, {
      args: ['fsck', ...extent, '--no-dangling', '--no-progress'],
      timeout_ms: verify_ms_max,
    })
    return undefined
  } catch (error) {
    if (!(error instanceof GitError) || error.kind === 'timeout') throw error
    return error.stderr.slice(0, problem_characters_max) || 'git fsck failed'
  }
}
