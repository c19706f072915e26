import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './command.ts'
import { maintainRepository } from './maintenance.ts'
import type { Repository } from './repository.ts'
import { verifyRepository } from './verify-repository.ts'

/** Indexes that git derives from the objects. They can be deleted and are created again. */
const derived = [
  'objects/info/commit-graph',
  'objects/info/commit-graphs',
  'objects/pack/multi-pack-index',
]

/**
 * Rebuilds the files that are derived from the objects, and checks the repository again. Returns the remaining problems.
 * Lost objects can only be restored from a backup. The lane `upkeep` must be held.
 */
export async function repairRepository(
  git: Git,
  repository: Repository,
): Promise<string | undefined> {
  for (const name of derived) {
    await rm(join(repository.path, name), { recursive: true, force: true })
  }
  const problem = await verifyRepository(git, repository)
  if (problem === undefined) await maintainRepository(git, repository)
  return problem
}
