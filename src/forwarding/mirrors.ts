// Mirrors of repositories on the disks of other servers, for work that reads two repositories: a merge request from a
// fork, a comparison with one. Each is fetched before it is read, and may be deleted at any time.
import { join } from 'node:path'
import { fetchFromPeer } from '../git/fetch-from-peer.ts'
import type { GitAccess } from '../git/git.ts'
import { repositoryInStorage } from '../git/repository.ts'
import type { Clock } from '../kernel/clock.ts'
import {
  currentMirrors,
  mirrorKey,
  RepositoryElsewhereError,
  type RepositoryName,
  runWithRepositoryAccess,
} from '../kernel/repository-elsewhere.ts'
import type { Forwarder } from './forwarder.ts'
import { type MirrorUpkeep, markMirrorUsed } from './mirror-upkeep.ts'
import { factsHeader, signFacts } from './signed-facts.ts'

/** The maximum number of mirrors that one request uses. */
const mirrors_max = 8

export type MirrorUses = {
  git: Pick<GitAccess, 'git'>
  config: { data: string }
  secretKey: Buffer
  clock: Clock
  forwarder: Pick<Forwarder, 'getOwner'>
  upkeep: Pick<MirrorUpkeep, 'noteFetch'>
}

/** The folder of a server's mirrors. */
export const mirrorsFolder = ({ data }: { data: string }) => join(data, 'cache', 'mirrors')

/** Returns the URL path at which the owner of a repository serves it to other servers. */
export function repositoryUrlPath({ storage, kind, id }: RepositoryName): string {
  return `/-/nodes/repositories/${encodeURIComponent(storage)}/${kind}/${id}.git`
}

/** Replaces the method in the signature of a fetch, which consists of several requests. */
export const fetchMethod = 'FETCH'

/**
 * Runs `task`. If it needs a repository of another server, fetches a mirror of it and runs `task` again, so `task` must
 * not change anything before it has read what it needs.
 */
export async function runWithMirrors<T>(uses: MirrorUses, task: () => Promise<T>): Promise<T> {
  const mirrors = new Map(currentMirrors())
  for (;;) {
    try {
      return await runWithRepositoryAccess({ mirrors }, task)
    } catch (error) {
      const wanted = error instanceof RepositoryElsewhereError ? error.repository : undefined
      // If the mirror already exists, the request needs to write to the repository, for which a mirror is not
      // enough.
      if (!wanted || mirrors.has(mirrorKey(wanted)) || mirrors.size >= mirrors_max) throw error
      mirrors.set(mirrorKey(wanted), await refreshMirror(uses, wanted))
    }
  }
}

/** Updates the mirror of a repository and returns its path. */
async function refreshMirror(
  { git, config, secretKey, clock, forwarder, upkeep }: MirrorUses,
  name: RepositoryName,
): Promise<string> {
  const { origin } = await forwarder.getOwner(name.storage)
  const folder = join(mirrorsFolder(config), name.storage)
  const mirror = repositoryInStorage(folder, name.kind, name.id)
  const url = repositoryUrlPath(name)
  const signing = { secretKey, clock }
  await fetchFromPeer(git.git, mirror, {
    url: `${origin}${url}`,
    sign: () => `${factsHeader}: ${signFacts(signing, { method: fetchMethod, url, facts: {} })}`,
  })
  upkeep.noteFetch(mirror)
  await markMirrorUsed(mirror, clock())
  return mirror.path
}
