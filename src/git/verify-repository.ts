import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import type { Repository } from './repository.ts'

const verify_ms_max = 2 * 60 * 60_000
const problem_characters_max = 2000

/** As `verifyRepository`, without a look at the bytes of files: for those who know them to be right. */
export function verifyConnectivity(git: Git, repository: Repository): Promise<string | undefined> {
  return verify(git, repository, ['--connectivity-only'])
}

/**
 * Reads every object and checks its name against its bytes, and that all that references lead to is
 * there (git-fsck). Answers what git found wrong; undefined when nothing is.
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
