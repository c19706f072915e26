import { limits } from '../kernel/limits.ts'
import { KeyedMutex } from '../kernel/semaphore.ts'
import { type Git, gitConfigEnvironment, runGit } from './command.ts'
import { ensureRepository } from './create-repository.ts'
import { httpOnlySettings } from './http-only-settings.ts'
import type { RefName } from './names.ts'
import type { Repository } from './repository.ts'
import { retryAfterRemovingStaleLocks } from './stale-locks.ts'

const turns = new KeyedMutex()
/** A fetch that was killed may have left locks of references below these. */
const prefixes = ['refs/heads', 'refs/tags'] as RefName[]
const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--prune', '--force', '--atomic']

/**
 * Makes the repository at the path a copy of the branches and tags that another server of this instance serves at `url`,
 * with all objects reachable from them. Fetches into the same copy run one at a time, and each sends the header that `sign`
 * returns when it starts. Throws GitError if a fetch fails.
 */
export async function fetchFromPeer(
  git: Git,
  mirror: Repository,
  { url, sign }: { url: string; sign: () => string },
): Promise<void> {
  const refspecs = prefixes.map((prefix) => `+${prefix}/*:${prefix}/*`)
  const fetch = () =>
    runGit(git, mirror, {
      args: ['fetch', ...flags, '--', url, ...refspecs],
      env: gitConfigEnvironment([
        ...httpOnlySettings,
        ['fetch.recurseSubmodules', 'no'],
        ['http.extraHeader', sign()],
      ]),
      timeout_ms: limits.git_transfer_ms,
    })
  await turns.run(mirror.path, async () => {
    await ensureRepository(mirror, 'main')
    await retryAfterRemovingStaleLocks(mirror, prefixes, fetch)
  })
}
