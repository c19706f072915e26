import { limits } from '../kernel/limits.ts'
import { type Git, gitConfigEnvironment, runGit } from './command.ts'
import { ensureRepository } from './create-repository.ts'
import { httpOnlySettings } from './http-only-settings.ts'
import type { Repository } from './repository.ts'

/**
 * Makes the repository at the path a copy of the branches and tags that another server of ours serves at `url`, with the
 * objects that they lead to. Throws GitError where that fails.
 */
export async function fetchMirror(
  git: Git,
  mirror: Repository,
  { url, header, signal }: { url: string; header: string; signal?: AbortSignal },
): Promise<void> {
  await ensureRepository(mirror, 'main')
  const env = gitConfigEnvironment([
    ...httpOnlySettings,
    ['fetch.recurseSubmodules', 'no'],
    ['http.extraHeader', header],
  ])
  await runGit(git, mirror, {
    args: [
      ...[
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--prune',
        '--force',
        '--atomic',
      ],
      ...['--', url, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
    ],
    env,
    timeout_ms: limits.git_transfer_ms,
    signal,
  })
}
